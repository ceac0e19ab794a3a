// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The flags that say how a recording is made, for every verb that records.

#ifndef REPRISE_TOOLS_REPRISE_INPUTS_RECORDING_FLAGS_H_
#define REPRISE_TOOLS_REPRISE_INPUTS_RECORDING_FLAGS_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "replays/container/byte_file.h"
#include "replays/format/replay_writer.h"
#include "tools/reprise/terminal/flags.h"

namespace reprise::tools {

struct RecordingFlags {
  std::optional<uint64_t> digest_stride;
  std::optional<uint64_t> keyframe_stride;
  std::optional<uint64_t> keyframe_bytes_per_tick;
  std::optional<uint64_t> pack_bytes_max;
  bool fsync = false;

  // Whether one of them says what the file holds.
  bool has_writer_flag() const {
    return digest_stride || keyframe_stride || keyframe_bytes_per_tick ||
           pack_bytes_max;
  }

  replays::FileSink::Durability durability() const {
    return fsync ? replays::FileSink::Durability::kMachine
                 : replays::FileSink::Durability::kProcess;
  }
};

// `recording` must outlive them.
std::vector<Flag> MakeRecordingFlags(RecordingFlags& recording);

// `defaults` with what the flags say. INVALID_ARGUMENT names the flag that is
// out of range.
absl::StatusOr<replays::ReplayWriterOptions> ToWriterOptions(
    const RecordingFlags& recording,
    const replays::ReplayWriterOptions& defaults = {});

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_INPUTS_RECORDING_FLAGS_H_
