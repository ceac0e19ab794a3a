// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that frames of a rate lie where their times are, exactly, and that
// what is between two of the stride goes straight and turns by the short arc.

#include "replays/showing/frame_rate.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "replays/showing/key_reduction.h"
#include "sim/base/math.h"
#include "sim/geometry/quaternion.h"
#include "sim/geometry/vector3.h"

namespace reprise::replays {
namespace {

using Place = FrameSchedule::Place;

TEST(FrameRateTest, NumbersAndFractionsAreMadeSmall) {
  EXPECT_EQ(*ParseFrameRate("60"), (FrameRate{60, 1}));
  EXPECT_EQ(*ParseFrameRate("0.5"), (FrameRate{1, 2}));
  EXPECT_EQ(*ParseFrameRate("29.97"), (FrameRate{2997, 100}));
  EXPECT_EQ(*ParseFrameRate("30000/1001"), (FrameRate{30000, 1001}));
  EXPECT_EQ(*ParseFrameRate("120/2"), (FrameRate{60, 1}));
  EXPECT_EQ(*ParseFrameRate("1000000"), (FrameRate{1000000, 1}));
}

TEST(FrameRateTest, WhatIsNoRateIsRefused) {
  for (const std::string text :
       {"", "0", "0/1", "1/0", "-1", "1e3", "1.", ".5", "1.2345", "24 ", "nan",
        "1000001", "1/1000001", "1/2/3", "99999999999999999999"}) {
    EXPECT_EQ(ParseFrameRate(text).status().code(),
              absl::StatusCode::kInvalidArgument)
        << text;
  }
}

TEST(FrameScheduleTest, MoreFramesThanTicksLieBetweenThem) {
  const FrameSchedule schedule({120, 1}, {60}, 1, 10);
  ASSERT_EQ(schedule.frame_count(), 21u);
  EXPECT_EQ(schedule.PlaceOf(0), (Place{0, 0}));
  EXPECT_EQ(schedule.PlaceOf(1), (Place{0, 0.5}));
  EXPECT_EQ(schedule.PlaceOf(20), (Place{10, 0}));
}

TEST(FrameScheduleTest, FewerFramesThanTicksNeverPassTheLast) {
  const FrameSchedule schedule({25, 1}, {60}, 1, 10);
  ASSERT_EQ(schedule.frame_count(), 5u);
  EXPECT_EQ(schedule.PlaceOf(1), (Place{2, 0.4}));
  EXPECT_EQ(schedule.PlaceOf(4), (Place{9, 0.6}));
}

// As from snapshots that come ten times a second.
TEST(FrameScheduleTest, AStrideHasFramesBetweenItsOwn) {
  const FrameSchedule schedule({30, 1}, {60}, 6, 3);
  ASSERT_EQ(schedule.frame_count(), 10u);
  EXPECT_EQ(schedule.PlaceOf(4), (Place{1, 1.0 / 3}));
}

// In a week at 1000 ticks a second no frame is off.
TEST(FrameScheduleTest, NothingDrifts) {
  constexpr uint64_t kSeconds = 7 * 24 * 3600;
  const FrameSchedule schedule({30000, 1001}, {1000}, 1, 1000 * kSeconds);
  // Each 30000th frame is 1001 s behind.
  for (uint64_t i = 0; 1001 * i <= kSeconds; ++i) {
    EXPECT_EQ(schedule.PlaceOf(30000 * i), (Place{1001000 * i, 0}));
  }
}

TEST(MoveTowardsTest, WhatIsInBothIsBetweenAndTheRestStays) {
  const sim::Vector3 axis = {1, 2, 3};
  const auto turned = [&](double angle) {
    return sim::FromAxisAngle(axis, angle);
  };
  const sim::Quaternion end = turned(1.0);
  std::vector<ShownPose> poses = {{0, {0, 8, 0}, turned(0.2)},
                                  {1, {5, 5, 5}, turned(0.7)}};
  // The other quaternion of the same rotation: the short way is meant.
  const std::vector<ShownPose> after = {
      {0, {4, 0, 0}, {-end.x, -end.y, -end.z, -end.w}}, {2, {9, 9, 9}, {}}};
  MoveTowards(after, 0.25, poses);
  ASSERT_EQ(poses.size(), 2u);
  EXPECT_EQ(poses[0].position, (sim::Vector3{1, 6, 0}));
  EXPECT_LT(DistanceBetween(poses[0].rotation, turned(0.4)), 1e-12);
  EXPECT_EQ(poses[1], (ShownPose{1, {5, 5, 5}, turned(0.7)}));
}

}  // namespace
}  // namespace reprise::replays
