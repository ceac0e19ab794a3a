// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that poses come back within the stated errors, for what moves, rests,
// comes and goes and is far away, and that damaged bytes are refused.

#include "replays/showing/page/pose_codec.h"

#include <algorithm>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "replays/showing/key_reduction.h"
#include "sim/base/math.h"

namespace reprise::replays {
namespace {

// Object 0 rests, 3 circles and turns, 7 is there in every third frame, and far
// away.
std::vector<ShownPose> PosesOf(uint32_t frame) {
  const double angle = 0.1 * frame;
  std::vector<ShownPose> poses = {
      {0, {1.5, -2, 1.0 / 3}, sim::FromAxisAngle({1, 2, 3}, 1)},
      {3,
       {5 * sim::Cos(angle), 0.01 * frame, 5 * sim::Sin(angle)},
       sim::FromAxisAngle({0, 1, 0.2}, 7 * angle)},
  };
  if (frame % 3 == 1) {
    poses.push_back({7, {-4e6 - frame, 1e8, 0.1}, {0, 0, 0, -1}});
  }
  return poses;
}

struct EncodedRun {
  std::string chunk;
  uint32_t frame_count = 0;
};

EncodedRun Encode(uint32_t frame_count) {
  PoseEncoder encoder;
  for (uint32_t frame = 0; frame < frame_count; ++frame) {
    encoder.AddFrame(PosesOf(frame));
  }
  return {encoder.TakeChunk(), frame_count};
}

TEST(PoseCodecTest, PosesComeBackWithinTheStatedErrors) {
  for (const uint32_t frame_count : {1u, 2u, 50u, kChunkFrames}) {
    const auto [chunk, count] = Encode(frame_count);
    const auto decoded = DecodePoses(chunk, count);
    ASSERT_TRUE(decoded.ok()) << decoded.status();
    for (uint32_t frame = 0; frame < count; ++frame) {
      const std::vector<ShownPose> poses = PosesOf(frame);
      ASSERT_EQ((*decoded)[frame].size(), poses.size());
      for (size_t i = 0; i < poses.size(); ++i) {
        const ShownPose& read = (*decoded)[frame][i];
        EXPECT_EQ(read.object, poses[i].object);
        EXPECT_LE(DistanceBetween(read.position, poses[i].position),
                  kPositionErrorM);
        EXPECT_LE(DistanceBetween(read.rotation, poses[i].rotation),
                  kRotationErrorRad);
      }
    }
  }
}

TEST(PoseCodecTest, WhatRestsCostsNothingAFrame) {
  PoseEncoder encoder;
  for (uint32_t frame = 0; frame < kChunkFrames; ++frame) {
    encoder.AddFrame(std::vector<ShownPose>{PosesOf(0).front()});
  }
  EXPECT_LE(encoder.TakeChunk().size(), 24u);
}

TEST(PoseCodecTest, BeyondTheBoundIsShownThere) {
  PoseEncoder encoder;
  encoder.AddFrame(std::vector<ShownPose>{{0, {1e300, -1e300, 0}, {}}});
  const auto decoded = DecodePoses(encoder.TakeChunk(), 1);
  ASSERT_TRUE(decoded.ok());
  EXPECT_EQ((*decoded)[0][0].position,
            (sim::Vector3{kPositionMaxM, -kPositionMaxM, 0}));
}

TEST(PoseCodecTest, CutOrPaddedBytesAreRefused) {
  const auto [chunk, count] = Encode(20);
  for (size_t size = 0; size < chunk.size(); ++size) {
    EXPECT_EQ(DecodePoses(chunk.substr(0, size), count).status().code(),
              absl::StatusCode::kDataLoss)
        << size;
  }
  EXPECT_EQ(DecodePoses(chunk + '\0', count).status().code(),
            absl::StatusCode::kDataLoss);
  EXPECT_FALSE(DecodePoses(chunk, count + 1).ok());
}

}  // namespace
}  // namespace reprise::replays
