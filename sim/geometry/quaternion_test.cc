// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that quaternions turn the right way, compose in the order stated and
// stay rotations, on turns whose results are known by hand.

#include "sim/geometry/quaternion.h"

#include <type_traits>

#include "gtest/gtest.h"
#include "sim/base/math.h"
#include "sim/geometry/vector3.h"

namespace reprise::sim {
namespace {

static_assert(std::is_trivially_copyable_v<Quaternion>);
static_assert(sizeof(Quaternion) == 4 * sizeof(double));

constexpr Vector3 kX = {1.0, 0.0, 0.0};
constexpr Vector3 kY = {0.0, 1.0, 0.0};
constexpr Vector3 kZ = {0.0, 0.0, 1.0};

void ExpectNear(Vector3 actual, Vector3 expected) {
  EXPECT_NEAR(actual.x, expected.x, 1e-15);
  EXPECT_NEAR(actual.y, expected.y, 1e-15);
  EXPECT_NEAR(actual.z, expected.z, 1e-15);
}

TEST(QuaternionTest, IsTheIdentityUnlessSet) {
  EXPECT_EQ(Rotate(Quaternion{}, Vector3{1.0, 2.0, 3.0}),
            (Vector3{1.0, 2.0, 3.0}));
}

TEST(QuaternionTest, AQuarterTurnIsCounterClockwise) {
  const Quaternion turn = FromAxisAngle(kZ, kPi / 2);
  ExpectNear(Rotate(turn, kX), kY);
  ExpectNear(Rotate(turn, kY), -kX);
  ExpectNear(Rotate(turn, kZ), kZ);
}

TEST(QuaternionTest, TheAxisMayHaveAnyLength) {
  const Quaternion unit = FromAxisAngle(kY, 0.7);
  EXPECT_EQ(FromAxisAngle(1e-300 * kY, 0.7), unit);
  EXPECT_EQ(FromAxisAngle(1e300 * kY, 0.7), unit);
  EXPECT_EQ(FromAxisAngle(Vector3{}, 0.7), Quaternion{});
}

TEST(QuaternionTest, AProductTurnsByTheRightFactorFirst) {
  const Quaternion around_x = FromAxisAngle(kX, kPi / 2);
  const Quaternion around_z = FromAxisAngle(kZ, kPi / 2);
  // y -> z by the turn around x, which the turn around z leaves alone.
  ExpectNear(Rotate(around_z * around_x, kY), kZ);
  // y -> -x by the turn around z, which the turn around x leaves alone.
  ExpectNear(Rotate(around_x * around_z, kY), -kX);
}

TEST(QuaternionTest, TheConjugateTurnsBack) {
  const Quaternion turn = FromAxisAngle(Vector3{1.0, -2.0, 0.5}, 2.1);
  const Vector3 vector = {0.3, 0.4, -0.8};
  ExpectNear(Rotate(Conjugate(turn), Rotate(turn, vector)), vector);
}

TEST(QuaternionTest, NormalizedMakesLengthOne) {
  EXPECT_EQ(Normalized(Quaternion{0.0, 3.0, 0.0, 4.0}),
            (Quaternion{0.0, 0.6, 0.0, 0.8}));
  EXPECT_EQ(Normalized(Quaternion{0.0, 0.0, 0.0, 0.0}), Quaternion{});
}

TEST(QuaternionTest, AThousandNormalizedTurnsComeRound) {
  const Quaternion step = FromAxisAngle(Vector3{1.0, 1.0, 1.0}, kPi / 500);
  Quaternion turned;
  for (int i = 0; i < 1000; ++i) turned = Normalized(step * turned);
  EXPECT_NEAR(Dot(turned, turned), 1.0, 1e-15);
  const Vector3 back = Rotate(turned, kX);
  EXPECT_NEAR(Dot(back, kX), 1.0, 1e-12);
}

// Gimbal lock: after a quarter turn around y, turns around x and z are the same
// turn. Angles about fixed axes then have one direction less to go; products of
// quaternions have all three.
TEST(QuaternionTest, AQuarterTurnAroundTheMiddleAxisLocksTwoAngles) {
  const auto by_angles = [](double x_rad, double y_rad, double z_rad) {
    return FromAxisAngle(kZ, z_rad) * FromAxisAngle(kY, y_rad) *
           FromAxisAngle(kX, x_rad);
  };
  const Quaternion locked = by_angles(0.0, kPi / 2, 0.0);
  for (const double angle_rad : {0.1, 0.7, 2.0}) {
    // Both around the same axis, and so against each other for nothing.
    const Quaternion both = by_angles(angle_rad, kPi / 2, angle_rad);
    EXPECT_NEAR(Abs(Dot(both, locked)), 1.0, 1e-14);
    const Quaternion by_x = by_angles(angle_rad, kPi / 2, 0.0);
    const Quaternion by_z = by_angles(0.0, kPi / 2, -angle_rad);
    EXPECT_NEAR(Abs(Dot(by_x, by_z)), 1.0, 1e-14);
    // Away from there they are two turns.
    EXPECT_LT(Abs(Dot(by_angles(angle_rad, 0.0, 0.0),
                      by_angles(0.0, 0.0, -angle_rad))),
              0.999);
  }
  // Where kX points: no small change of the angles moves it sideways, as a
  // small turn around x does.
  constexpr double kSmall = 1e-6;
  EXPECT_GT(Rotate(FromAxisAngle(kX, kSmall) * locked, kX).y, 0.9 * kSmall);
  for (const double x_rad : {-kSmall, kSmall}) {
    for (const double y_rad : {-kSmall, kSmall}) {
      for (const double z_rad : {-kSmall, kSmall}) {
        const Quaternion turned = by_angles(x_rad, kPi / 2 + y_rad, z_rad);
        EXPECT_NEAR(Rotate(turned, kX).y, 0.0, 1e-11);
      }
    }
  }
}

TEST(QuaternionTest, WorkedExample) {
  const Quaternion around_x = FromAxisAngle(kX, kPi / 2);
  const Quaternion around_z = FromAxisAngle(kZ, kPi / 2);
  EXPECT_NEAR(around_x.x, 0.70710678, 5e-9);
  EXPECT_NEAR(around_x.w, 0.70710678, 5e-9);
  const Quaternion both = around_z * around_x;
  const Quaternion other_way = around_x * around_z;
  for (const double half : {both.x, both.y, both.z, both.w, other_way.x,
                            -other_way.y, other_way.z, other_way.w}) {
    EXPECT_NEAR(half, 0.5, 1e-15);
  }
}

}  // namespace
}  // namespace reprise::sim
