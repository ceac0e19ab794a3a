// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Where the inputs of a run come from: a track that a person wrote, a replay,
// a program. Whatever plays a run asks for them tick by tick.

#ifndef REPRISE_REPLAYS_FORMAT_INPUT_SOURCE_H_
#define REPRISE_REPLAYS_FORMAT_INPUT_SOURCE_H_

#include <optional>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "sim/base/tick.h"
#include "sim/input/input_frame.h"

namespace reprise::replays {

// The frames of one tick.
struct TickInputs {
  sim::Tick tick = 0;
  std::vector<sim::InputFrame> frames;

  friend bool operator==(const TickInputs&, const TickInputs&) = default;
};

// Used by one thread at a time.
class InputSource {
 public:
  virtual ~InputSource() = default;

  // What the players give at `tick`; empty where nobody gives anything, and
  // from tick_count() on. The span lives until the next call. Errors are those
  // of the medium. REQUIRES: `tick` is greater than in the call before.
  virtual absl::StatusOr<std::span<const sim::InputFrame>> FramesAt(
      sim::Tick tick) = 0;

  // The number of ticks that the inputs are meant for; nullopt: any number.
  virtual std::optional<sim::Tick> tick_count() const = 0;
};

// No inputs at all, for any number of ticks.
class IdleInputSource final : public InputSource {
 public:
  absl::StatusOr<std::span<const sim::InputFrame>> FramesAt(
      sim::Tick) override {
    return std::span<const sim::InputFrame>();
  }
  std::optional<sim::Tick> tick_count() const override { return std::nullopt; }
};

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_FORMAT_INPUT_SOURCE_H_
