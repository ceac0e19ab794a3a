// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that conversions between axes undo themselves and that a rotation
// converted does to a vector converted what it did before.

#include "sim/geometry/coordinate_system.h"

#include "gtest/gtest.h"
#include "sim/geometry/testing_geometry.h"

namespace reprise::sim {
namespace {

TEST(CoordinateSystemTest, HandednessMirrorsDepth) {
  EXPECT_EQ(ExchangeHandedness(Vector3{1.0, 2.0, 3.0}),
            (Vector3{1.0, 2.0, -3.0}));
  const Vector3 x = {1.0, 0.0, 0.0}, y = {0.0, 1.0, 0.0}, z = {0.0, 0.0, 1.0};
  // The determinant of a mirror is -1.
  EXPECT_EQ(Dot(Cross(ExchangeHandedness(x), ExchangeHandedness(y)),
                ExchangeHandedness(z)),
            -1.0);
}

TEST(CoordinateSystemTest, WhatIsLeftStaysLeft) {
  // A source to the left of a listener that faces -z: x is its side.
  const Vector3 to_source = {-3.0, 0.0, -1.0};
  const Vector3 forward = {0.0, 0.0, -1.0};
  // The side by the cross product, which other axes turn round.
  EXPECT_GT(Cross(forward, to_source).y, 0.0);
  EXPECT_LT(Cross(ExchangeHandedness(forward), ExchangeHandedness(to_source)).y,
            0.0);
  EXPECT_LT(ExchangeHandedness(to_source).x, 0.0);
}

TEST(CoordinateSystemTest, YUpBecomesZUp) {
  EXPECT_EQ(ToZUp(Vector3{0.0, 1.0, 0.0}), (Vector3{0.0, 0.0, 1.0}));
  EXPECT_EQ(ToZUp(Vector3{0.0, 0.0, -1.0}), (Vector3{0.0, 1.0, 0.0}));
  EXPECT_EQ(ToZUp(Vector3{1.0, 0.0, 0.0}), (Vector3{1.0, 0.0, 0.0}));
}

TEST(CoordinateSystemTest, EachConversionUndoesItself) {
  RandomStream random = Draws(1);
  for (int i = 0; i < 300; ++i) {
    const Transform t = DrawTransform(random);
    EXPECT_EQ(ExchangeHandedness(ExchangeHandedness(t)), t);
    EXPECT_EQ(FromZUp(ToZUp(t)), t);
    EXPECT_EQ(ToZUp(FromZUp(t)), t);
  }
}

TEST(CoordinateSystemTest, ATransformConvertedDoesTheSame) {
  RandomStream random = Draws(2);
  for (int i = 0; i < 300; ++i) {
    const Transform t = DrawTransform(random);
    const Vector3 point = DrawVector(random, 10.0);
    const Vector3 moved = ApplyToPoint(t, point);
    ExpectNear(ApplyToPoint(ExchangeHandedness(t), ExchangeHandedness(point)),
               ExchangeHandedness(moved));
    ExpectNear(ApplyToPoint(ToZUp(t), ToZUp(point)), ToZUp(moved));
  }
}

}  // namespace
}  // namespace reprise::sim
