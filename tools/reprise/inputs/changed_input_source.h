// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The inputs of a run with a few of them changed: what would have come of it if
// a player had done something else at one tick?

#ifndef REPRISE_TOOLS_REPRISE_INPUTS_CHANGED_INPUT_SOURCE_H_
#define REPRISE_TOOLS_REPRISE_INPUTS_CHANGED_INPUT_SOURCE_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "replays/format/input_source.h"
#include "sim/base/tick.h"
#include "sim/input/input_frame.h"
#include "sim/input/input_grammar.h"

namespace reprise::tools {

// At `tick`, and at that tick alone, the player does this with a device, or
// gives this command besides.
struct InputChange {
  sim::Tick tick = 0;
  uint32_t player = 0;
  std::string action;
  std::string value;  // as SetAction takes it, or ParseCommand

  friend bool operator==(const InputChange&, const InputChange&) = default;
};

// Reads "TICK:PLAYER:ACTION=VALUE", such as "600:0:roll_x=-12000".
// INVALID_ARGUMENT for any other form.
absl::StatusOr<InputChange> ParseInputChange(std::string_view text);

class ChangedInputSource final : public replays::InputSource {
 public:
  // `original` must remain live while this source is in use. INVALID_ARGUMENT
  // when a change names a tick past the original's end, a player or an action
  // that `grammar` lacks, or a value that SetAction, ParseCommand or the
  // grammar refuses.
  static absl::StatusOr<std::unique_ptr<ChangedInputSource>> Create(
      replays::InputSource* original, const sim::InputGrammar& grammar,
      std::span<const InputChange> changes);

  absl::StatusOr<std::span<const sim::InputFrame>> FramesAt(
      sim::Tick tick) override;
  std::optional<sim::Tick> tick_count() const override {
    return original_.tick_count();
  }

 private:
  struct ActionChange {
    sim::Tick tick;
    uint32_t player;
    sim::Action action;
    std::string value;
    std::optional<sim::Command> command = {};  // of an action that is one
  };

  struct Player {
    sim::DeviceState original;  // what it would hold
    sim::DeviceState sent;      // what it was last said to hold
  };

  ChangedInputSource(replays::InputSource* original, uint32_t player_count)
      : original_(*original), players_(player_count) {}

  replays::InputSource& original_;
  std::vector<ActionChange> changes_;
  std::vector<Player> players_;
  std::vector<sim::InputFrame> frames_;  // of the last call
};

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_INPUTS_CHANGED_INPUT_SOURCE_H_
