// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What the players hold, do and order at a tick: what frames mean, however they
// were written.

#ifndef REPRISE_REPLAYS_PLAYING_HELD_INPUTS_H_
#define REPRISE_REPLAYS_PLAYING_HELD_INPUTS_H_

#include <optional>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "replays/format/input_source.h"
#include "sim/base/tick.h"
#include "sim/input/input_frame.h"

namespace reprise::replays {

class HeldInputs {
 public:
  // At first nobody holds anything.
  HeldInputs();

  // Goes on to the next tick, with its frames. A player who can't be is left
  // out: simulations refuse the frame.
  void Take(std::span<const sim::InputFrame> frames);

  friend bool operator==(const HeldInputs&, const HeldInputs&) = default;

 private:
  struct Player {
    sim::DeviceState device;
    // Of this tick.
    sim::DeviceActivity activity;
    std::vector<sim::Command> commands;

    friend bool operator==(const Player&, const Player&) = default;
  };

  std::vector<Player> players_;
};

// The first tick below `tick_count` at which the players give something else;
// nullopt where there is none. Nothing is run. Errors are the sources'.
// REQUIRES: neither source was asked for a tick yet.
absl::StatusOr<std::optional<sim::Tick>> FindInputDifference(
    InputSource& expected, InputSource& actual, sim::Tick tick_count);

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_PLAYING_HELD_INPUTS_H_
