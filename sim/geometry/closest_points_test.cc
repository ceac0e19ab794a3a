// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves closest points against points sampled densely: none is nearer, and the
// result lies on the shape. Degenerate shapes give stated results.

#include "sim/geometry/closest_points.h"

#include "gtest/gtest.h"
#include "sim/geometry/containment.h"
#include "sim/geometry/interpolation.h"
#include "sim/geometry/intersections.h"
#include "sim/geometry/testing_geometry.h"

namespace reprise::sim {
namespace {

double SquaredBetween(Vector3 a, Vector3 b) { return LengthSquared(b - a); }

TEST(ClosestPointsTest, SegmentAndRayEndWhereTheyEnd) {
  const Segment segment = {{0.0, 0.0, 0.0}, {4.0, 0.0, 0.0}};
  EXPECT_EQ(ClosestPoint(segment, {1.0, 2.0, 0.0}), (Vector3{1.0, 0.0, 0.0}));
  EXPECT_EQ(ClosestPoint(segment, {9.0, 2.0, 0.0}), segment.end);
  EXPECT_EQ(ClosestPoint(segment, {-9.0, 2.0, 0.0}), segment.start);
  const Ray ray = {{0.0, 0.0, 0.0}, {2.0, 0.0, 0.0}};
  EXPECT_EQ(ClosestTime(ray, {9.0, 2.0, 0.0}), 4.5);
  EXPECT_EQ(ClosestTime(ray, {-9.0, 2.0, 0.0}), 0.0);
  EXPECT_EQ(Distance(segment, {7.0, 4.0, 0.0}), 5.0);
  EXPECT_EQ(DistanceSquared(segment, {1.0, 2.0, 0.0}), 4.0);
}

TEST(ClosestPointsTest, ThingsWithoutLengthAreTheirStart) {
  const Vector3 at = {1.0, 2.0, 3.0};
  EXPECT_EQ(ClosestPoint(Segment{at, at}, {5.0, 5.0, 5.0}), at);
  EXPECT_EQ(ClosestPoint(Ray{at, {}}, {5.0, 5.0, 5.0}), at);
  EXPECT_EQ(ClosestPoint(Triangle{at, at, at}, {5.0, 5.0, 5.0}), at);
}

TEST(ClosestPointsTest, ATriangleOnALineIsThatLine) {
  const Triangle flat = {{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {4.0, 0.0, 0.0}};
  EXPECT_EQ(ClosestPoint(flat, {3.0, 5.0, 0.0}), (Vector3{3.0, 0.0, 0.0}));
}

TEST(ClosestPointsTest, NoPointOfATriangleIsNearer) {
  RandomStream random = Draws(1);
  for (int i = 0; i < 300; ++i) {
    const Triangle triangle = DrawTriangle(random);
    const Vector3 point = DrawVector(random, 3.0);
    const double nearest = DistanceSquared(triangle, point);
    for (int b = 0; b <= 20; ++b) {
      for (int c = 0; b + c <= 20; ++c) {
        const Vector3 on = triangle.a + (triangle.b - triangle.a) * (b / 20.0) +
                           (triangle.c - triangle.a) * (c / 20.0);
        ASSERT_LE(nearest, SquaredBetween(on, point) + 1e-12);
      }
    }
    // And the result is on the triangle: nothing of it is left to the point.
    const Vector3 closest = ClosestPoint(triangle, point);
    ASSERT_LT(Distance(triangle, closest), 1e-12);
  }
}

TEST(ClosestPointsTest, NoPointOfABoxIsNearer) {
  RandomStream random = Draws(2);
  for (int i = 0; i < 300; ++i) {
    const OrientedBox box = DrawOrientedBox(random);
    const Vector3 point = DrawVector(random, 3.0);
    const double nearest = DistanceSquared(box, point);
    EXPECT_EQ(nearest == 0.0, Contains(box, point));
    for (int sample = 0; sample < 200; ++sample) {
      const Vector3 in = DrawPointIn(box, random);
      ASSERT_LE(nearest, SquaredBetween(in, point) + 1e-12);
    }
  }
}

TEST(ClosestPointsTest, SegmentsThatCrossOrPass) {
  const Segment along_x = {{-1.0, 0.0, 0.0}, {1.0, 0.0, 0.0}};
  const Segment along_y = {{0.5, -1.0, 2.0}, {0.5, 1.0, 2.0}};
  const ClosestPair pair = ClosestPoints(along_x, along_y);
  EXPECT_EQ(pair.point_a, (Vector3{0.5, 0.0, 0.0}));
  EXPECT_EQ(pair.point_b, (Vector3{0.5, 0.0, 2.0}));
  EXPECT_EQ(pair.t_a, 0.75);
  EXPECT_EQ(pair.t_b, 0.5);
}

TEST(ClosestPointsTest, NoPairOfTwoSegmentsIsNearer) {
  RandomStream random = Draws(3);
  for (int i = 0; i < 600; ++i) {
    const Segment a = DrawSegment(random, 2.0);
    Segment b = DrawSegment(random, 2.0);
    // Every third pair is parallel, exactly or nearly.
    if (i % 3 == 0) b.end = b.start + (a.end - a.start) * -1.3;
    if (i % 6 == 0) b.end = b.end + DrawVector(random, 1e-9);
    const ClosestPair pair = ClosestPoints(a, b);
    const double nearest = SquaredBetween(pair.point_a, pair.point_b);
    for (int s = 0; s <= 30; ++s) {
      const Vector3 on_a = PointAt(a, s / 30.0);
      ASSERT_LE(nearest, DistanceSquared(b, on_a) + 1e-12);
    }
  }
}

TEST(ClosestPointsTest, OfParallelSegmentsTheFirstPairCounts) {
  const Segment a = {{0.0, 0.0, 0.0}, {10.0, 0.0, 0.0}};
  const Segment b = {{8.0, 1.0, 0.0}, {4.0, 1.0, 0.0}};
  const ClosestPair pair = ClosestPoints(a, b);
  EXPECT_EQ(pair.point_a, (Vector3{4.0, 0.0, 0.0}));
  EXPECT_EQ(pair.t_b, 1.0);
}

TEST(ClosestPointsTest, SegmentsWithoutLengthAreTheirPoints) {
  const Vector3 at = {0.0, 3.0, 0.0};
  const Segment line = {{-1.0, 0.0, 0.0}, {1.0, 0.0, 0.0}};
  EXPECT_EQ(ClosestPoints(line, Segment{at, at}).point_a, Vector3{});
  EXPECT_EQ(ClosestPoints(Segment{at, at}, line).point_b, Vector3{});
  EXPECT_EQ(ClosestPoints(Segment{at, at}, Segment{at, at}).point_a, at);
}

TEST(ClosestPointsTest, LinesGoOnBeyondTheirSegments) {
  const Segment a = {{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}};
  const Segment b = {{5.0, 1.0, 2.0}, {5.0, 2.0, 2.0}};
  const ClosestPair pair = ClosestPointsOfLines(a, b);
  ExpectNear(pair.point_a, {5.0, 0.0, 0.0});
  ExpectNear(pair.point_b, {5.0, 0.0, 2.0});
}

TEST(ClosestPointsTest, ParallelLinesAndPointsHaveStatedPairs) {
  const Segment a = {{3.0, 0.0, 0.0}, {4.0, 0.0, 0.0}};
  const Segment parallel = {{0.0, 1.0, 0.0}, {2.0, 1.0, 0.0}};
  const ClosestPair pair = ClosestPointsOfLines(a, parallel);
  EXPECT_EQ(pair.point_a, a.start);
  EXPECT_EQ(pair.point_b, (Vector3{3.0, 1.0, 0.0}));
  const Vector3 at = {9.0, 5.0, 0.0};
  EXPECT_EQ(ClosestPointsOfLines(a, Segment{at, at}).point_a,
            (Vector3{9.0, 0.0, 0.0}));
  EXPECT_EQ(ClosestPointsOfLines(Segment{at, at}, a).point_b,
            (Vector3{9.0, 0.0, 0.0}));
}

TEST(ClosestPointsTest, NoPointOfASegmentIsNearerToABox) {
  RandomStream random = Draws(4);
  for (int i = 0; i < 1000; ++i) {
    const Aabb box = DrawAabb(random);
    Segment segment = DrawSegment(random, 4.0);
    if (i % 4 == 0) segment.end.y = segment.start.y;
    if (i % 8 == 0) segment.end.x = segment.start.x;
    const double t = ClosestTime(segment, box);
    const double nearest = DistanceSquared(box, PointAt(segment, t));
    for (int s = 0; s <= 100; ++s) {
      const Vector3 on = PointAt(segment, s / 100.0);
      ASSERT_LE(nearest, DistanceSquared(box, on) + 1e-12);
    }
  }
}

}  // namespace
}  // namespace reprise::sim
