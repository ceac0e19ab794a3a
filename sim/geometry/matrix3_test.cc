// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves the algebra of matrices on exact cases, and that a matrix and the
// quaternion it comes from are one rotation, for all kinds of rotations.

#include "sim/geometry/matrix3.h"

#include <type_traits>

#include "gtest/gtest.h"
#include "sim/base/id.h"
#include "sim/base/math.h"
#include "sim/base/random.h"
#include "sim/geometry/quaternion.h"
#include "sim/geometry/vector3.h"

namespace reprise::sim {
namespace {

static_assert(std::is_trivially_copyable_v<Matrix3>);
static_assert(sizeof(Matrix3) == 9 * sizeof(double));

constexpr Matrix3 kCounting = {
    {Vector3{1.0, 2.0, 3.0}, Vector3{4.0, 5.0, 6.0}, Vector3{7.0, 8.0, 9.0}}};

Vector3 DrawVector(RandomStream& random) {
  const double x = NextUnit(random);
  const double y = NextUnit(random);
  const double z = NextUnit(random);
  return 2.0 * Vector3{x, y, z} - Vector3{1.0, 1.0, 1.0};
}

// Whether a and b are the same rotation, up to rounding.
void ExpectSameRotation(Quaternion a, Quaternion b) {
  EXPECT_NEAR(Abs(Dot(a, b)), 1.0, 1e-14);
}

TEST(Matrix3Test, IsTheIdentityUnlessSet) {
  EXPECT_EQ((Matrix3{} * Vector3{1.0, 2.0, 3.0}), (Vector3{1.0, 2.0, 3.0}));
  EXPECT_EQ(Matrix3{} * kCounting, kCounting);
  EXPECT_EQ(kCounting * Matrix3{}, kCounting);
}

TEST(Matrix3Test, MultipliesRowsByColumns) {
  EXPECT_EQ((kCounting * Vector3{1.0, 0.0, -1.0}), (Vector3{-2.0, -2.0, -2.0}));
  const Matrix3 squared = {{Vector3{30.0, 36.0, 42.0},
                            Vector3{66.0, 81.0, 96.0},
                            Vector3{102.0, 126.0, 150.0}}};
  EXPECT_EQ(kCounting * kCounting, squared);
}

TEST(Matrix3Test, TransposedExchangesRowsAndColumns) {
  EXPECT_EQ(Transposed(kCounting).rows[0], (Vector3{1.0, 4.0, 7.0}));
  EXPECT_EQ(Transposed(Transposed(kCounting)), kCounting);
}

TEST(Matrix3Test, TransposedIsTheInverseOfARotation) {
  RandomStream random = MakeRandomStream(3, IdOf("rotations"));
  for (int i = 0; i < 1000; ++i) {
    const Vector3 axis = DrawVector(random);
    const double angle_rad = 2.0 * kPi * NextUnit(random);
    const Matrix3 turn = ToMatrix3(FromAxisAngle(axis, angle_rad));
    for (const Matrix3& product :
         {turn * Transposed(turn), Transposed(turn) * turn}) {
      for (size_t row = 0; row < 3; ++row) {
        ASSERT_LT(Length(product.rows[row] - Matrix3{}.rows[row]), 1e-14);
      }
    }
  }
}

TEST(Matrix3Test, TurnsVectorsAsItsQuaternionDoes) {
  RandomStream random = MakeRandomStream(1, IdOf("rotations"));
  for (int i = 0; i < 1000; ++i) {
    const Vector3 axis = DrawVector(random);
    const double angle_rad = 2.0 * kPi * NextUnit(random);
    const Vector3 vector = DrawVector(random);
    const Quaternion rotation = FromAxisAngle(axis, angle_rad);
    const Vector3 difference =
        ToMatrix3(rotation) * vector - Rotate(rotation, vector);
    ASSERT_LT(Length(difference), 1e-14);
  }
}

TEST(Matrix3Test, LeadsBackToItsQuaternion) {
  RandomStream random = MakeRandomStream(2, IdOf("rotations"));
  for (int i = 0; i < 1000; ++i) {
    const Vector3 axis = DrawVector(random);
    const double angle_rad = 2.0 * kPi * NextUnit(random);
    const Quaternion rotation = FromAxisAngle(axis, angle_rad);
    ExpectSameRotation(ToQuaternion(ToMatrix3(rotation)), rotation);
  }
}

TEST(Matrix3Test, HalfTurnsLeadBackToTheirQuaternions) {
  // No trace to start from: each of the other components in turn is largest.
  for (const Quaternion half_turn :
       {Quaternion{1.0, 0.0, 0.0, 0.0}, Quaternion{0.0, 1.0, 0.0, 0.0},
        Quaternion{0.0, 0.0, 1.0, 0.0}, Quaternion{0.0, 0.6, 0.8, 0.0}}) {
    ExpectSameRotation(ToQuaternion(ToMatrix3(half_turn)), half_turn);
  }
  EXPECT_EQ(ToQuaternion(Matrix3{}), Quaternion{});
}

TEST(Matrix3Test, AQuarterTurnAroundZ) {
  const Matrix3 turn =
      ToMatrix3(FromAxisAngle(Vector3{0.0, 0.0, 1.0}, kPi / 2));
  const Matrix3 expected = {{Vector3{0.0, -1.0, 0.0}, Vector3{1.0, 0.0, 0.0},
                             Vector3{0.0, 0.0, 1.0}}};
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_LT(Length(turn.rows[i] - expected.rows[i]), 1e-15);
  }
}

}  // namespace
}  // namespace reprise::sim
