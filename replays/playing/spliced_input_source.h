// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The inputs of a branch: those of one source up to a tick, and of another one
// from there on.

#ifndef REPRISE_REPLAYS_PLAYING_SPLICED_INPUT_SOURCE_H_
#define REPRISE_REPLAYS_PLAYING_SPLICED_INPUT_SOURCE_H_

#include <optional>
#include <span>

#include "absl/status/statusor.h"
#include "replays/format/input_source.h"
#include "sim/base/tick.h"
#include "sim/input/input_frame.h"

namespace reprise::replays {

// Players hold what they held in the past until the future says otherwise. Both
// sources must remain live.
class SplicedInputSource final : public InputSource {
 public:
  SplicedInputSource(InputSource* past, InputSource* future, sim::Tick tick)
      : past_(*past), future_(*future), tick_(tick) {}

  absl::StatusOr<std::span<const sim::InputFrame>> FramesAt(
      sim::Tick tick) override {
    return tick < tick_ ? past_.FramesAt(tick) : future_.FramesAt(tick);
  }
  std::optional<sim::Tick> tick_count() const override {
    return future_.tick_count();
  }

 private:
  InputSource& past_;
  InputSource& future_;
  const sim::Tick tick_;
};

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_PLAYING_SPLICED_INPUT_SOURCE_H_
