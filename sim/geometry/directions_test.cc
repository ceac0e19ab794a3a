// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves angles, parts, mirror images and rotations between directions on cases
// known by hand, and that none of them loses digits or gives NaN where
// directions are parallel, opposite or zero.

#include "sim/geometry/directions.h"

#include "gtest/gtest.h"
#include "sim/base/math.h"
#include "sim/geometry/quaternion.h"
#include "sim/geometry/testing_geometry.h"
#include "sim/geometry/vector2.h"
#include "sim/geometry/vector3.h"

namespace reprise::sim {
namespace {

constexpr Vector3 kX = {1.0, 0.0, 0.0};
constexpr Vector3 kZ = {0.0, 0.0, 1.0};
const double kRoot = Sqrt(0.5);

TEST(DirectionsTest, AngleOfATriangle) {
  const Vector3 a = {-1.0, 2.0, 2.0}, b = {1.0, 2.0, 3.0}, c = {2.0, 4.0, 3.0};
  EXPECT_NEAR(AngleBetween(b - a, c - a), 0.57964, 5e-6);
}

TEST(DirectionsTest, TinyAndNearlyStraightAnglesKeepTheirDigits) {
  EXPECT_NEAR(AngleBetween(kX, Vector3{1.0, 1e-9, 0.0}), 1e-9, 1e-24);
  EXPECT_NEAR(kPi - AngleBetween(kX, Vector3{-1.0, 1e-7, 0.0}), 1e-7, 1e-15);
  EXPECT_EQ(AngleBetween(kX, 5.0 * kX), 0.0);
  EXPECT_EQ(AngleBetween(kX, -kX), kPi);
  EXPECT_EQ(AngleBetween(kX, Vector3{}), 0.0);
}

TEST(DirectionsTest, AlongAndAcrossAddUpAndArePerpendicular) {
  RandomStream random = Draws(1);
  for (int i = 0; i < 1000; ++i) {
    const Vector3 vector = DrawVector(random, 10.0);
    const Vector3 axis = Normalized(DrawVector(random, 1.0));
    const Vector3 across = Across(vector, axis);
    ExpectNear(Along(vector, axis) + across, vector, 1e-14);
    EXPECT_NEAR(Dot(across, axis), 0.0, 1e-14);
  }
}

TEST(DirectionsTest, ReflectedTurnsThePartAlongTheNormal) {
  EXPECT_EQ(Reflected(Vector3{3.0, -4.0, 0.0}, Vector3{0.0, 1.0, 0.0}),
            (Vector3{3.0, 4.0, 0.0}));
  ExpectNear(Reflected(kX, Vector3{kRoot, kRoot, 0.0}), {0.0, -1.0, 0.0});
  ExpectNear(Reflected(kX, Vector3{-kRoot, kRoot, 0.0}), {0.0, 1.0, 0.0});
  EXPECT_EQ(Reflected(Vector2{3.0, -4.0}, Vector2{0.0, 1.0}),
            (Vector2{3.0, 4.0}));
}

TEST(DirectionsTest, TwoReflectionsUndoEachOtherAndKeepLength) {
  RandomStream random = Draws(2);
  for (int i = 0; i < 1000; ++i) {
    const Vector3 vector = DrawVector(random, 10.0);
    const Vector3 normal = Normalized(DrawVector(random, 1.0));
    const Vector3 once = Reflected(vector, normal);
    EXPECT_NEAR(Length(once), Length(vector), 1e-13);
    ExpectNear(Reflected(once, normal), vector, 1e-13);
  }
}

TEST(DirectionsTest, SignedAngleIsCounterClockwise) {
  const Vector2 x = {1.0, 0.0};
  EXPECT_EQ(SignedAngle(x, Vector2{0.0, 2.0}), kPi / 2);
  EXPECT_EQ(SignedAngle(x, Vector2{0.0, -2.0}), -kPi / 2);
  EXPECT_EQ(SignedAngle(x, Vector2{-1.0, 0.0}), kPi);
  EXPECT_EQ(SignedAngle(x, Vector2{-1.0, -0.0}), kPi);
  EXPECT_EQ(SignedAngle(x, Vector2{}), 0.0);
}

TEST(DirectionsTest, TurnedTowardsGetsThereInSteps) {
  const Vector2 target = {0.0, -3.0};
  Vector2 facing = {1.0, 0.0};
  facing = TurnedTowards(facing, target, kPi / 4);
  ExpectNear(facing, {kRoot, -kRoot});
  facing = TurnedTowards(facing, target, kPi / 3);
  EXPECT_EQ(facing, (Vector2{0.0, -1.0}));
  EXPECT_EQ(TurnedTowards(facing, target, 0.0), facing);
}

TEST(DirectionsTest, AHalfTurnGoesCounterClockwise) {
  ExpectNear(TurnedTowards({1.0, 0.0}, {-1.0, 0.0}, kPi / 2), {0.0, 1.0});
  EXPECT_EQ(TurnedTowards({1.0, 0.0}, {}, 1.0), (Vector2{1.0, 0.0}));
}

TEST(DirectionsTest, RotationToTheFourSides) {
  ExpectNear(RotationBetween(kZ, 10.0 * kX), {0.0, kRoot, 0.0, kRoot});
  ExpectNear(RotationBetween(kZ, -10.0 * kX), {0.0, -kRoot, 0.0, kRoot});
  ExpectNear(RotationBetween(kZ, Vector3{0.0, 10.0, 0.0}),
             {-kRoot, 0.0, 0.0, kRoot});
  EXPECT_EQ(RotationBetween(kZ, 10.0 * kZ), Quaternion{});
  EXPECT_EQ(RotationBetween(kZ, Vector3{}), Quaternion{});
}

TEST(DirectionsTest, OppositeDirectionsAreHalfATurnApart) {
  for (const Vector3 from :
       {kX, kZ, Vector3{0.0, 1.0, 0.0}, Vector3{0.3, -0.2, 0.9}}) {
    const Quaternion half_turn = RotationBetween(from, -from);
    EXPECT_NEAR(half_turn.w, 0.0, 1e-15);
    ExpectNear(Rotate(half_turn, from), -from, 1e-15);
  }
}

TEST(DirectionsTest, RotationBetweenArrivesFromEverywhere) {
  RandomStream random = Draws(3);
  for (int i = 0; i < 2000; ++i) {
    const Vector3 from = Normalized(DrawVector(random, 1.0));
    // Every other one nearly parallel or nearly opposite.
    const double spread = i % 2 == 0 ? 1.0 : Pow(10.0, -1.0 - i % 16);
    const Vector3 near_from = from + DrawVector(random, spread);
    const Vector3 to = i % 4 < 2 ? near_from : -near_from;
    const Quaternion turn = RotationBetween(from, to);
    EXPECT_NEAR(Dot(turn, turn), 1.0, 1e-14);
    ExpectNear(Rotate(turn, from), Normalized(to), 1e-14);
  }
}

TEST(DirectionsTest, AnyPerpendicularIsOne) {
  RandomStream random = Draws(4);
  for (int i = 0; i < 1000; ++i) {
    const Vector3 vector = DrawVector(random, 10.0);
    const Vector3 perpendicular = AnyPerpendicular(vector);
    EXPECT_NEAR(Length(perpendicular), 1.0, 1e-15);
    EXPECT_NEAR(Dot(perpendicular, vector), 0.0, 1e-14);
  }
  EXPECT_EQ(AnyPerpendicular(Vector3{}), kX);
}

TEST(DirectionsTest, NormalOfATriangle) {
  const Vector3 a = {-1.0, 2.0, 2.0}, b = {1.0, 2.0, 3.0}, c = {2.0, 4.0, 3.0};
  ExpectNear(NormalOf(a, c, b).value(), {0.43644, -0.21822, -0.87287}, 5e-6);
  ExpectNear(NormalOf(a, b, c).value(), {-0.436436, 0.218218, 0.872872}, 5e-7);
}

TEST(DirectionsTest, PointsOnALineHaveNoNormal) {
  EXPECT_FALSE(NormalOf(kX, 2.0 * kX, 3.0 * kX).has_value());
  EXPECT_FALSE(NormalOf(kX, kX, kZ).has_value());
  EXPECT_FALSE(
      NormalOf({0.1, 0.2, 0.3}, {0.2, 0.4, 0.6}, {0.3, 0.6, 0.9}).has_value());
}

}  // namespace
}  // namespace reprise::sim
