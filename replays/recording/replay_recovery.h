// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Saves what can be saved of a damaged replay, and says what was lost.

#ifndef REPRISE_REPLAYS_RECORDING_REPLAY_RECOVERY_H_
#define REPRISE_REPLAYS_RECORDING_REPLAY_RECOVERY_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "replays/container/byte_stream.h"
#include "sim/base/tick.h"

namespace reprise::replays {

struct RecoveryOptions {
  // Also the inputs behind the last tick of which a digest or keyframe was
  // recorded. What is saved then doesn't verify to its end.
  bool keep_unproven = false;
};

struct RecoveryReport {
  sim::Tick tick_count = 0;  // saved
  // Ticks whose inputs are there, behind the last that anything stands for.
  // They are saved where that was asked for.
  sim::Tick unproven_ticks = 0;
  // What the recording had, where the file still says so.
  std::optional<sim::Tick> tick_count_before;
  // At the file's end, behind all that could be read.
  uint64_t bytes_lost = 0;
  // Whether more is missing than the file's end: `losses` says what.
  bool is_damaged = false;
  bool has_pack = false;
  // The file had its pack, and no right one could be saved: `losses` says why.
  bool is_pack_lost = false;
  bool has_end = false;  // the recording was finished, and its end is saved
  // What was lost or went unread, one sentence each, in the file's order.
  std::vector<std::string> losses;
};

// Writes to `sink` a whole replay of all ticks up to the first that is lost: a
// run can't be played over a hole. Nothing is run. The pack is saved if it is
// right. DATA_LOSS: not even what was run is left; INVALID_ARGUMENT and
// UNIMPLEMENTED as ReplayReader::Open; other errors are the sink's.
absl::StatusOr<RecoveryReport> RecoverReplay(
    std::unique_ptr<const ByteSource> source, ByteSink* sink,
    const RecoveryOptions& options = {});

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_RECORDING_REPLAY_RECOVERY_H_
