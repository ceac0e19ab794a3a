// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/inputs/recording_flags.h"

#include "absl/status/status.h"
#include "fmt/format.h"
#include "replays/container/mcap_records.h"

namespace reprise::tools {

std::vector<Flag> MakeRecordingFlags(RecordingFlags& recording) {
  return {
      {"digest-stride", "TICKS",
       "Ticks between two digests in the recording. 10 if unset.",
       &recording.digest_stride},
      {"keyframe-stride", "TICKS",
       "Ticks between two whole states in the recording; 0: none. 600 if "
       "unset.",
       &recording.keyframe_stride},
      {"keyframe-bytes-per-tick", "N",
       "Leave keyframes out that take more than this, before compression; 0: "
       "keep all. 4096 if unset.",
       &recording.keyframe_bytes_per_tick},
      {"pack-bytes-max", "N",
       "Only name a larger pack in the recording. 16 MiB if unset.",
       &recording.pack_bytes_max},
      {"fsync", "",
       "Wait for the disk at each batch of the recording: not even a power cut "
       "then loses more than the last one.",
       &recording.fsync},
  };
}

absl::StatusOr<replays::ReplayWriterOptions> ToWriterOptions(
    const RecordingFlags& recording,
    const replays::ReplayWriterOptions& defaults) {
  replays::ReplayWriterOptions writer = defaults;
  const uint64_t digest_stride =
      recording.digest_stride.value_or(writer.digest_stride);
  if (digest_stride == 0 || digest_stride > replays::kDigestStrideMax) {
    return absl::InvalidArgumentError(
        fmt::format("--digest-stride is 1 to {}", replays::kDigestStrideMax));
  }
  writer.digest_stride = static_cast<uint32_t>(digest_stride);
  writer.keyframe_stride =
      recording.keyframe_stride.value_or(writer.keyframe_stride);
  writer.keyframe_bytes_per_tick = recording.keyframe_bytes_per_tick.value_or(
      writer.keyframe_bytes_per_tick);
  writer.pack_bytes_max =
      recording.pack_bytes_max.value_or(writer.pack_bytes_max);
  if (writer.pack_bytes_max > replays::kMcapAttachmentBytesMax) {
    return absl::InvalidArgumentError(fmt::format(
        "--pack-bytes-max is at most {}", replays::kMcapAttachmentBytesMax));
  }
  return writer;
}

}  // namespace reprise::tools
