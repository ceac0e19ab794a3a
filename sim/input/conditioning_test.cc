// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/input/conditioning.h"

#include <cmath>
#include <cstdint>
#include <utility>

#include "gtest/gtest.h"
#include "sim/geometry/vector2.h"

namespace reprise::sim {
namespace {

constexpr double kFull = 32767.0;
// The dead zone of the tables in S. Madhav, "Game Programming Algorithms and
// Techniques", chapter 5, with 32,767 where its listing has 32,677, and
// clamped.
constexpr AxisRange kRange = {.dead = 3000.0 / kFull, .reach = 1.0};

Vector2 Reported(double x, double y) { return {x / kFull, y / kFull}; }

TEST(ConditioningTest, SticksAreThoseOfTheTable) {
  const std::pair<Vector2, Vector2> table[] = {
      {Reported(12611, 12611), Reported(11546.86, 11546.86)},
      {Reported(3000, 0), {}},
      {Reported(2999, 0), {}},
      {Reported(2999, 2999), Reported(966.13, 966.13)},
      {Reported(32767, 0), Reported(32767, 0)},
      // Half of the way from the dead zone to the end.
      {Reported(17883.5, 0), Reported(16383.5, 0)},
  };
  for (const auto& [reported, wanted] : table) {
    const Vector2 stick = InRange(reported, kRange);
    // The table has two digits behind the point.
    EXPECT_NEAR(stick.x * kFull, wanted.x * kFull, 0.01) << reported.x * kFull;
    EXPECT_NEAR(stick.y * kFull, wanted.y * kFull, 0.01) << reported.x * kFull;
  }
}

TEST(ConditioningTest, StickInACornerIsNoLongerThanOne) {
  const Vector2 corner = InRange(Vector2{1.0, 1.0}, kRange);
  EXPECT_NEAR(Length(corner), 1.0, 1e-15);
  EXPECT_EQ(corner.x, corner.y);
}

TEST(ConditioningTest, DirectionOfAStickStays) {
  for (int degrees = 0; degrees < 360; degrees += 7) {
    const double angle = degrees * M_PI / 180.0;
    for (const double length : {0.2, 0.5, 0.9, 1.3}) {
      const Vector2 stick = {length * std::cos(angle),
                             length * std::sin(angle)};
      const Vector2 made = InRange(stick, kRange);
      EXPECT_NEAR(Cross(stick, made), 0.0, 1e-15) << degrees;
      EXPECT_GT(Dot(stick, made), 0.0) << degrees;
      EXPECT_NEAR(Length(made), InRange(length, kRange), 1e-15) << degrees;
    }
  }
}

TEST(ConditioningTest, AxisGrowsEvenlyFromTheDeadZoneToTheReach) {
  constexpr AxisRange kMiddle = {.dead = 0.25, .reach = 0.75};
  EXPECT_EQ(InRange(0.25, kMiddle), 0.0);
  EXPECT_EQ(InRange(-0.25, kMiddle), 0.0);
  EXPECT_EQ(InRange(0.5, kMiddle), 0.5);
  EXPECT_EQ(InRange(-0.5, kMiddle), -0.5);
  EXPECT_EQ(InRange(0.75, kMiddle), 1.0);
  EXPECT_EQ(InRange(1.0, kMiddle), 1.0);
  EXPECT_EQ(InRange(-1.0, kMiddle), -1.0);
  EXPECT_EQ(InRange(0.3, AxisRange{}), 0.3);
}

TEST(ConditioningTest, FilterLeavesOneEthAfterItsTimeConstant) {
  const double factor = SmoothingFactor(6.0);
  double value = 0.0;
  for (int step = 0; step < 6; ++step) value = Smooth(value, 1.0, factor);
  EXPECT_NEAR(value, 1.0 - std::exp(-1.0), 1e-12);
}

TEST(ConditioningTest, DirectionsAreSectorsOf45Degrees) {
  for (int degrees = 0; degrees < 360; ++degrees) {
    const double angle = degrees * M_PI / 180.0;
    const auto sector = static_cast<uint32_t>(
                            std::lround(std::floor((degrees + 22.5) / 45.0))) %
                        8;
    EXPECT_EQ(
        static_cast<uint32_t>(DirectionOf({std::cos(angle), std::sin(angle)})),
        sector + 1)
        << degrees;
    EXPECT_EQ(DirectionOf({0.49 * std::cos(angle), 0.49 * std::sin(angle)}),
              StickDirection::kNeutral);
  }
}

}  // namespace
}  // namespace reprise::sim
