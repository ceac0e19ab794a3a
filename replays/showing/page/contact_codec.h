// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Contacts as small whole numbers, by what changes from frame to frame, in the
// chunks of pose_codec.h. recording.js decodes the same bytes.

#ifndef REPRISE_REPLAYS_SHOWING_PAGE_CONTACT_CODEC_H_
#define REPRISE_REPLAYS_SHOWING_PAGE_CONTACT_CODEC_H_

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "sim/geometry/vector3.h"

namespace reprise::replays {

// A point in which two objects touch.
struct ShownContact {
  // Indexes into the objects shown so far; kNotShown of what isn't among them.
  static constexpr int64_t kNotShown = -1;
  int64_t object_a = kNotShown;
  int64_t object_b = kNotShown;
  sim::Vector3 point;        // m
  sim::Vector3 normal;       // unit, out of b
  double impulse_n_s = 0.0;  // 0 or more
};

// What is shown of a contact are lines a few pixels long, of several for each
// object: coarser than poses, they take less than half the bytes. Points and
// normals are off by at most half a step on each axis: 0.85 mm, 6.8 mrad. An
// impulse keeps 6 bits behind the first one, which is the exponent's and the
// upper bits of a float: half of the last one is a 128th.
inline constexpr double kContactStepM = 1.0 / 1024;
inline constexpr double kContactErrorM = 0.00085;
inline constexpr double kNormalStep = 1.0 / 128;
inline constexpr double kNormalErrorRad = 0.0068;
inline constexpr int kImpulseBitsDropped = 17;
inline constexpr double kImpulseErrorShare = 1.0 / 128;

// Of each frame: 1 where it has the pairs of the frame before, one after the
// other; otherwise 0, their number, and each pair's two indexes, the first as
// how far it is behind that of the pair before. Then seven columns, x y z of
// the points, x y z of the normals and the impulses: of each contact how far
// the value is from that of the same contact in the frame before, the first,
// second, ... of its pair; from 0 where there was none. All numbers are signed
// LEB128 but the first two.
class ContactEncoder {
 public:
  void AddFrame(std::span<const ShownContact> contacts);

  // The bytes of the frames so far; the next one begins a new chunk.
  std::string TakeChunk();

 private:
  using Pair = std::pair<int64_t, int64_t>;
  using Values = std::array<int64_t, 7>;

  std::vector<Pair> pairs_;  // of the frame before, with their values
  std::vector<Values> values_;
  std::string bytes_;
};

// The contacts of each frame. DATA_LOSS: it is no chunk of so many frames.
absl::StatusOr<std::vector<std::vector<ShownContact>>> DecodeContacts(
    std::string_view chunk, uint32_t frame_count);

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_SHOWING_PAGE_CONTACT_CODEC_H_
