// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Poses as small whole numbers: rounded to steps, of each object as second
// differences, in chunks of frames that are decoded by themselves. viewer.js
// decodes the same bytes.

#ifndef REPRISE_REPLAYS_SHOWING_PAGE_POSE_CODEC_H_
#define REPRISE_REPLAYS_SHOWING_PAGE_POSE_CODEC_H_

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "replays/showing/shown_scene.h"

namespace reprise::replays {

// Powers of two, so that a step times a whole number is exact. A position is
// off by at most half a step on each axis: 0.22 mm. A rotation by at most half
// a step in each of four components before it is made unit again, twice that
// as an angle: 0.13 mrad.
inline constexpr double kPositionStepM = 1.0 / 4096;
inline constexpr double kRotationStep = 1.0 / 16384;
inline constexpr double kPositionErrorM = 0.00022;
inline constexpr double kRotationErrorRad = 0.00013;

// What lies further out on an axis is shown there.
inline constexpr double kPositionMaxM = 1e9;

// Frames of a chunk: two seconds at 60 Hz, so that a jump decodes little.
inline constexpr uint32_t kChunkFrames = 128;

// Of each object in a chunk: how far its index is behind the one before (from
// -1 on), whether it moves and is there only at times (bits 0 and 1), then of
// the latter the number of runs and their lengths, beginning with one without
// it. Then seven columns, x y z of the position and x y z w of the rotation:
// the first value, and where it moves a first difference and second ones, for
// the frames that have it. All numbers are LEB128, signed ones zigzag; the
// number of objects comes first.
class PoseEncoder {
 public:
  // The frames of a chunk one after the other, at most kChunkFrames.
  void AddFrame(std::span<const ShownPose> poses);

  uint32_t frame_count() const { return frame_count_; }

  // The bytes of the frames so far; the next one begins a new chunk.
  std::string TakeChunk();

 private:
  struct Track {
    std::vector<uint32_t> frames;  // that have it
    std::vector<int64_t> columns[7];
  };

  uint32_t frame_count_ = 0;
  std::map<uint32_t, Track> tracks_;
};

// The poses of each frame, by object. DATA_LOSS: it is no chunk of so many
// frames.
absl::StatusOr<std::vector<std::vector<ShownPose>>> DecodePoses(
    std::string_view chunk, uint32_t frame_count);

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_SHOWING_PAGE_POSE_CODEC_H_
