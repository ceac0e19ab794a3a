// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that interpolation begins and ends exactly, and that Slerp turns
// evenly along the shorter way where Nlerp doesn't, on values known by hand.

#include "sim/geometry/interpolation.h"

#include "gtest/gtest.h"
#include "sim/base/math.h"
#include "sim/geometry/quaternion.h"
#include "sim/geometry/testing_geometry.h"
#include "sim/geometry/vector3.h"

namespace reprise::sim {
namespace {

constexpr Vector3 kZ = {0.0, 0.0, 1.0};

TEST(InterpolationTest, LerpGoesByItsFraction) {
  EXPECT_EQ(Lerp(0.0, 10.0, 0.2), 2.0);
  EXPECT_EQ(Lerp(Vector3{0.0, 2.0, 4.0}, Vector3{4.0, 2.0, 0.0}, 0.25),
            (Vector3{1.0, 2.0, 3.0}));
}

TEST(InterpolationTest, LerpBeginsAndEndsExactly) {
  RandomStream random = Draws(1);
  for (int i = 0; i < 1000; ++i) {
    const Vector3 a = DrawVector(random, 1e9);
    const Vector3 b = DrawVector(random, 1e-9);
    EXPECT_EQ(Lerp(a, b, 0.0), a);
    EXPECT_EQ(Lerp(a, b, 1.0), b);
  }
}

TEST(InterpolationTest, ClampReturnsTheNearestEnd) {
  EXPECT_EQ(Clamp(-1.0, 0.0, 2.0), 0.0);
  EXPECT_EQ(Clamp(1.0, 0.0, 2.0), 1.0);
  EXPECT_EQ(Clamp(3.0, 0.0, 2.0), 2.0);
}

TEST(InterpolationTest, SlerpAndNlerpOfAQuarterTurn) {
  const Quaternion quarter = FromAxisAngle(kZ, kPi / 2);
  ExpectNear(Slerp({}, quarter, 0.5), {0.0, 0.0, 0.38268343, 0.92387953}, 1e-8);
  ExpectNear(Slerp({}, quarter, 0.25), {0.0, 0.0, 0.19509032, 0.98078528},
             1e-8);
  ExpectNear(Nlerp({}, quarter, 0.25), {0.0, 0.0, 0.18736555, 0.98229026},
             1e-8);
}

TEST(InterpolationTest, SlerpTurnsEvenly) {
  RandomStream random = Draws(2);
  for (int i = 0; i < 300; ++i) {
    const Quaternion a = DrawRotation(random);
    const Vector3 axis = DrawVector(random, 1.0);
    const double angle_rad = DrawBetween(random, 0.0, 0.999 * kPi);
    const double fraction = NextUnit(random);
    const Quaternion b = FromAxisAngle(axis, angle_rad) * a;
    const Quaternion expected = FromAxisAngle(axis, fraction * angle_rad) * a;
    EXPECT_NEAR(Abs(Dot(Slerp(a, b, fraction), expected)), 1.0, 1e-12);
  }
}

TEST(InterpolationTest, RotationsBeginAndEndExactly) {
  RandomStream random = Draws(3);
  for (int i = 0; i < 300; ++i) {
    const Quaternion a = DrawRotation(random);
    const Quaternion b = DrawRotation(random);
    EXPECT_EQ(Slerp(a, b, 0.0), a);
    EXPECT_EQ(Slerp(a, b, 1.0), b);
    EXPECT_EQ(Nlerp(a, b, 0.0), a);
    EXPECT_EQ(Nlerp(a, b, 1.0), b);
  }
}

TEST(InterpolationTest, TheWayIsTheShorterOne) {
  // 300 degrees one way are 60 the other.
  const Quaternion far = FromAxisAngle(kZ, 300.0 * kPi / 180.0);
  const Quaternion half = FromAxisAngle(kZ, -30.0 * kPi / 180.0);
  ExpectNear(Slerp({}, far, 0.5), half);
  ExpectNear(Nlerp({}, far, 0.5), half);
}

TEST(InterpolationTest, EqualAndOppositeRotationsStayRotations) {
  const Quaternion turn = FromAxisAngle(kZ, 1e-9);
  EXPECT_EQ(Slerp({}, {}, 0.3), Quaternion{});
  EXPECT_NEAR(Slerp({}, turn, 0.5).z, 0.25e-9, 1e-22);
  const Quaternion half_turn = {0.0, 0.0, 1.0, 0.0};
  const Quaternion middle = Slerp({}, half_turn, 0.5);
  EXPECT_NEAR(Dot(middle, middle), 1.0, 1e-15);
}

TEST(InterpolationTest, ATransformMovesAndTurns) {
  const Transform a;
  const Transform b = {{2.0, 4.0, 6.0}, FromAxisAngle(kZ, 1.0)};
  const Transform middle = Interpolated(a, b, 0.5);
  EXPECT_EQ(middle.position, (Vector3{1.0, 2.0, 3.0}));
  ExpectNear(middle.rotation, FromAxisAngle(kZ, 0.5));
}

}  // namespace
}  // namespace reprise::sim
