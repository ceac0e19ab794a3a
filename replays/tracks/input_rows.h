// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The track that rows of another form make, a player at a tick each. Whatever
// is wrong with one is told with its file and line.

#ifndef REPRISE_REPLAYS_TRACKS_INPUT_ROWS_H_
#define REPRISE_REPLAYS_TRACKS_INPUT_ROWS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "reprise/v1/input.pb.h"

namespace reprise::replays {

class InputRows {
 public:
  // `file_name` has to outlive this.
  explicit InputRows(std::string_view file_name) : file_name_(file_name) {}

  // What stands in front of the rows. A `tick_count` of 0 is none. REQUIRES: it
  // has no ticks, and no row was added.
  void SetHead(v1::InputTrack head) { track_ = std::move(head); }

  // INVALID_ARGUMENT: the tick is below that of the row before, not below the
  // head's tick_count or more than a run has; the player has a row of the tick
  // already; the frame is none, with player, field and bound.
  absl::Status Add(uint32_t line, uint64_t tick, const v1::InputFrame& frame);

  // "game.csv:7: " and `message`.
  absl::Status ErrorAt(uint32_t line, std::string_view message) const;

  // The track; as long as its last row takes, where the head doesn't say.
  v1::InputTrack Take() &&;

 private:
  const std::string_view file_name_;
  v1::InputTrack track_;
};

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_TRACKS_INPUT_ROWS_H_
