// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves where the plane of three points lies, and on which side of it others.

#include "sim/geometry/plane.h"

#include "gtest/gtest.h"
#include "sim/geometry/testing_geometry.h"

namespace reprise::sim {
namespace {

TEST(PlaneTest, PlaneOfATriangle) {
  const Vector3 a = {-1.0, 2.0, 2.0}, b = {1.0, 2.0, 3.0}, c = {2.0, 4.0, 3.0};
  const Plane plane = PlaneThrough(a, b, c).value();
  ExpectNear(plane.normal, {-0.436436, 0.218218, 0.872872}, 5e-7);
  EXPECT_NEAR(plane.offset, -2.618615, 5e-7);
  for (const Vector3 corner : {a, b, c}) {
    EXPECT_NEAR(-Dot(plane.normal, corner), -2.618615, 5e-7);
    EXPECT_NEAR(SignedDistance(plane, corner), 0.0, 1e-15);
  }
}

TEST(PlaneTest, TheOtherWindingIsTheOtherSide) {
  const Vector3 a = {-1.0, 2.0, 2.0}, b = {1.0, 2.0, 3.0}, c = {2.0, 4.0, 3.0};
  const Plane front = PlaneThrough(a, b, c).value();
  const Plane back = PlaneThrough(a, c, b).value();
  ExpectNear(back.normal, -front.normal);
  EXPECT_NEAR(back.offset, -front.offset, 1e-15);
}

TEST(PlaneTest, PointsOnALineHaveNoPlane) {
  EXPECT_FALSE(PlaneThrough({}, {1.0, 1.0, 1.0}, {2.0, 2.0, 2.0}).has_value());
  EXPECT_FALSE(PlaneThrough({}, {}, {}).has_value());
}

TEST(PlaneTest, DistanceIsPositiveInFront) {
  const Plane plane = {.normal = {0.0, 1.0, 0.0}, .offset = -2.0};
  EXPECT_EQ(SignedDistance(plane, {7.0, 5.0, 7.0}), 3.0);
  EXPECT_EQ(SignedDistance(plane, {7.0, -5.0, 7.0}), -7.0);
  EXPECT_EQ(ClosestPoint(plane, {7.0, 5.0, 9.0}), (Vector3{7.0, 2.0, 9.0}));
}

}  // namespace
}  // namespace reprise::sim
