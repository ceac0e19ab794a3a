// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves the algebra of 4 by 4 matrices on exact cases, that they agree with
// transforms, and that an inverse undoes its matrix.

#include "sim/geometry/matrix4.h"

#include "gtest/gtest.h"
#include "sim/base/math.h"
#include "sim/geometry/quaternion.h"
#include "sim/geometry/testing_geometry.h"
#include "sim/geometry/transform.h"

namespace reprise::sim {
namespace {

constexpr Vector3 kZ = {0.0, 0.0, 1.0};

// Two by two, in the upper left corner.
constexpr Matrix4 Small(double xx, double xy, double yx, double yy) {
  return {{Vector4{xx, xy, 0.0, 0.0}, Vector4{yx, yy, 0.0, 0.0}, Vector4{},
           Vector4{}}};
}

void ExpectNear(const Matrix4& actual, const Matrix4& expected,
                double tolerance) {
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(actual.rows[i].x, expected.rows[i].x, tolerance);
    EXPECT_NEAR(actual.rows[i].y, expected.rows[i].y, tolerance);
    EXPECT_NEAR(actual.rows[i].z, expected.rows[i].z, tolerance);
    EXPECT_NEAR(actual.rows[i].w, expected.rows[i].w, tolerance);
  }
}

TEST(Matrix4Test, MultipliesRowsByColumns) {
  EXPECT_EQ(Small(1.0, 2.0, 3.0, 4.0) * Small(5.0, 6.0, 7.0, 8.0),
            Small(19.0, 22.0, 43.0, 50.0));
  EXPECT_EQ(Small(5.0, 6.0, 7.0, 8.0) * Small(1.0, 2.0, 3.0, 4.0),
            Small(23.0, 34.0, 31.0, 46.0));
}

TEST(Matrix4Test, RowsTimesAMatrixAreColumnsBelowItsTranspose) {
  EXPECT_EQ(
      Transposed(Small(3.0, 4.0, 5.0, 6.0)) * (Vector4{1.0, 2.0, 0.0, 0.0}),
      (Vector4{13.0, 16.0, 0.0, 0.0}));
}

TEST(Matrix4Test, ScalesAndIdentities) {
  const Matrix4 counting =
      ToMatrix4(Matrix3{{Vector3{1.0, 2.0, 3.0}, Vector3{4.0, 5.0, 6.0},
                         Vector3{7.0, 8.0, 9.0}}});
  const Matrix4 doubled = counting * ScaleMatrix({2.0, 2.0, 2.0});
  EXPECT_EQ(doubled.rows[0], (Vector4{2.0, 4.0, 6.0, 0.0}));
  EXPECT_EQ(doubled.rows[1], (Vector4{8.0, 10.0, 12.0, 0.0}));
  EXPECT_EQ(doubled.rows[2], (Vector4{14.0, 16.0, 18.0, 0.0}));
  EXPECT_EQ(counting * Matrix4{}, counting);
}

TEST(Matrix4Test, TranslationsMovePointsAndNotDirections) {
  const Matrix4 shift = TranslationMatrix({5.0, 10.0, -15.0});
  EXPECT_EQ(shift * PointOf({1.0, 2.0, 3.0}), (Vector4{6.0, 12.0, -12.0, 1.0}));
  EXPECT_EQ(shift * DirectionOf({1.0, 2.0, 3.0}),
            (Vector4{1.0, 2.0, 3.0, 0.0}));
}

TEST(Matrix4Test, ScaledThenTurnedThenMoved) {
  const Transform t = {{5.0, 10.0, -15.0}, FromAxisAngle(kZ, kPi / 2)};
  const Vector4 point = ToMatrix4(t, 2.0) * PointOf({1.0, 0.0, 0.0});
  sim::ExpectNear(ToVector3(point), {5.0, 12.0, -15.0}, 1e-14);
  ExpectNear(ToMatrix4(t, 2.0),
             TranslationMatrix(t.position) * ToMatrix4(ToMatrix3(t.rotation)) *
                 ScaleMatrix({2.0, 2.0, 2.0}),
             0.0);
}

TEST(Matrix4Test, TheOrderOfTurningAndMovingShows) {
  const Matrix4 turn = ToMatrix4(ToMatrix3(FromAxisAngle(kZ, kPi / 2)));
  const Matrix4 shift = TranslationMatrix({2.0, 4.0, 6.0});
  ExpectNear(Transposed(shift * turn),
             {{Vector4{0.0, 1.0, 0.0, 0.0}, Vector4{-1.0, 0.0, 0.0, 0.0},
               Vector4{0.0, 0.0, 1.0, 0.0}, Vector4{2.0, 4.0, 6.0, 1.0}}},
             1e-15);
  const Vector4 moved_first = (turn * shift) * PointOf({});
  sim::ExpectNear(ToVector3(moved_first), {-4.0, 2.0, 6.0}, 1e-14);
}

TEST(Matrix4Test, AnEighthOfATurnThenAMove) {
  const Transform t = {{2.0, 4.0, 6.0}, FromAxisAngle(kZ, kPi / 4)};
  const double root = Sqrt(0.5);
  ExpectNear(Transposed(ToMatrix4(t)),
             {{Vector4{root, root, 0.0, 0.0}, Vector4{-root, root, 0.0, 0.0},
               Vector4{0.0, 0.0, 1.0, 0.0}, Vector4{2.0, 4.0, 6.0, 1.0}}},
             1e-15);
}

TEST(Matrix4Test, AgreesWithTransforms) {
  RandomStream random = Draws(1);
  for (int i = 0; i < 500; ++i) {
    const Transform t = DrawTransform(random);
    const Vector3 point = DrawVector(random, 10.0);
    sim::ExpectNear(ToVector3(ToMatrix4(t) * PointOf(point)),
                    ApplyToPoint(t, point));
  }
}

TEST(Matrix4Test, AnInverseUndoesItsMatrix) {
  RandomStream random = Draws(2);
  for (int i = 0; i < 500; ++i) {
    const Transform t = DrawTransform(random);
    Matrix4 m = ToMatrix4(t, DrawBetween(random, 0.1, 10.0));
    m.rows[3] = {0.1, NextUnit(random), 0.3, 1.0};
    const Matrix4 inverse = Inverse(m).value();
    ExpectNear(inverse * m, Matrix4{}, 1e-9);
    ExpectNear(m * inverse, Matrix4{}, 1e-9);
  }
}

TEST(Matrix4Test, AFlatMatrixHasNoInverse) {
  EXPECT_FALSE(Inverse(ScaleMatrix({1.0, 0.0, 1.0})).has_value());
  EXPECT_FALSE(Inverse(Small(1.0, 2.0, 2.0, 4.0)).has_value());
  EXPECT_TRUE(Inverse(ScaleMatrix({1e-9, 1.0, 1e3})).has_value());
}

}  // namespace
}  // namespace reprise::sim
