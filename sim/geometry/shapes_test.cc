// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that the boxes around shapes are tight, against points drawn in them,
// and that hulls made of shapes are those shapes.

#include "sim/geometry/shapes.h"

#include "gtest/gtest.h"
#include "sim/geometry/containment.h"
#include "sim/geometry/testing_geometry.h"

namespace reprise::sim {
namespace {

TEST(ShapesTest, BoundsOfRoundShapes) {
  EXPECT_EQ(BoundsOf(Sphere{{1.0, 2.0, 3.0}, 0.5}),
            (Aabb{{0.5, 1.5, 2.5}, {1.5, 2.5, 3.5}}));
  EXPECT_EQ(BoundsOf(Capsule{{1.0, 0.0, 0.0}, {0.0, 2.0, 0.0}, 0.5}),
            (Aabb{{-0.5, -0.5, -0.5}, {1.5, 2.5, 0.5}}));
}

TEST(ShapesTest, BoundsOfABoxHoldItAndTouchItsCorners) {
  RandomStream random = Draws(1);
  for (int i = 0; i < 300; ++i) {
    const OrientedBox box = DrawOrientedBox(random);
    const Aabb bounds = BoundsOf(box);
    Aabb corners = {box.center, box.center};
    for (int corner = 0; corner < 8; ++corner) {
      const Vector3 half = box.half_extents;
      const Vector3 at =
          box.center + Rotate(box.rotation, {corner & 1 ? half.x : -half.x,
                                             corner & 2 ? half.y : -half.y,
                                             corner & 4 ? half.z : -half.z});
      corners = Union(corners, Aabb{at, at});
    }
    ExpectNear(bounds.minimum, corners.minimum, 1e-14);
    ExpectNear(bounds.maximum, corners.maximum, 1e-14);
    EXPECT_TRUE(Contains(Expanded(bounds, 1e-14), DrawPointIn(box, random)));
  }
}

TEST(ShapesTest, TheHullOfABoxIsTheBox) {
  RandomStream random = Draws(2);
  for (int i = 0; i < 2000; ++i) {
    const OrientedBox box = DrawOrientedBox(random);
    const ConvexHull hull = ToConvexHull(box);
    ASSERT_EQ(hull.planes.size(), 6u);
    const Vector3 point = DrawVector(random, 2.5);
    EXPECT_EQ(Contains(hull, point), Contains(box, point));
  }
}

TEST(ShapesTest, TheHullOfAPrismIsThePrism) {
  RandomStream random = Draws(3);
  int inside = 0;
  for (int i = 0; i < 2000; ++i) {
    const ConvexPrism prism = {DrawConvex(random), -1.0, 1.5};
    const ConvexHull hull = ToConvexHull(prism);
    const Vector3 point = DrawVector(random, 2.5);
    EXPECT_EQ(Contains(hull, point), Contains(prism, point));
    if (!Contains(prism, point)) continue;
    EXPECT_TRUE(Contains(BoundsOf(prism), point));
    ++inside;
  }
  EXPECT_GT(inside, 100);
}

TEST(ShapesTest, PointsOfASegmentEndExactly) {
  const Segment segment = {{0.1, 0.2, 0.3}, {0.7, -0.9, 1e9}};
  EXPECT_EQ(PointAt(segment, 0.0), segment.start);
  EXPECT_EQ(PointAt(segment, 1.0), segment.end);
}

}  // namespace
}  // namespace reprise::sim
