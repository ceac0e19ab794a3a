// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves casts against every shape on cases known by hand, and against a walk
// along the ray in small steps: nothing of the shape lies before the hit, and
// the hit lies on it. Degenerate rays and shapes give stated results.

#include "sim/geometry/collisions/casts.h"

#include <cstddef>
#include <vector>

#include "gtest/gtest.h"
#include "sim/base/math.h"
#include "sim/geometry/closest_points.h"
#include "sim/geometry/containment.h"
#include "sim/geometry/interpolation.h"
#include "sim/geometry/testing_geometry.h"

namespace reprise::sim {
namespace {

constexpr Plane kFloor = {.normal = {0.0, 1.0, 0.0}, .offset = -2.0};
constexpr Vector3 kX = {1.0, 0.0, 0.0};

struct SegmentCase {
  Segment segment;
  std::optional<double> t;
};

TEST(CastsTest, SegmentAndPlane) {
  for (const SegmentCase& c :
       {SegmentCase{{{0.0, 0.0, 0.0}, {0.0, 4.0, 0.0}}, 0.5},
        SegmentCase{{{0.0, 3.0, 0.0}, {0.0, 4.0, 0.0}}, std::nullopt},
        SegmentCase{{{0.0, 0.0, 0.0}, {0.0, 1.0, 0.0}}, std::nullopt},
        SegmentCase{{{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}}, std::nullopt},
        SegmentCase{{{0.0, 2.0, 0.0}, {1.0, 2.0, 0.0}}, 0.0},
        SegmentCase{{{0.0, 0.0, 0.0}, {0.0, 2.0, 0.0}}, 1.0}}) {
    const std::optional<Hit> hit = Cast(c.segment, kFloor);
    ASSERT_EQ(hit.has_value(), c.t.has_value());
    if (hit.has_value()) {
      EXPECT_EQ(hit->t, *c.t);
    }
  }
}

TEST(CastsTest, ThePlaneIsHitOnTheSideOfTheStart) {
  const Hit below = Cast(Segment{{}, {0.0, 4.0, 0.0}}, kFloor).value();
  EXPECT_EQ(below.point, (Vector3{0.0, 2.0, 0.0}));
  EXPECT_EQ(below.normal, (Vector3{0.0, -1.0, 0.0}));
  const Hit above =
      Cast(Ray{{0.0, 3.0, 0.0}, {1.0, -1.0, 0.0}}, kFloor).value();
  EXPECT_EQ(above.point, (Vector3{1.0, 2.0, 0.0}));
  EXPECT_EQ(above.normal, (Vector3{0.0, 1.0, 0.0}));
}

TEST(CastsTest, RoundShapesFromAllSides) {
  const Sphere sphere = {{5.0, 0.0, 0.0}, 2.0};
  const Hit hit = Cast(Ray{{}, kX}, sphere).value();
  EXPECT_EQ(hit.t, 3.0);
  EXPECT_EQ(hit.point, (Vector3{3.0, 0.0, 0.0}));
  EXPECT_EQ(hit.normal, -kX);
  EXPECT_EQ(Cast(Ray{{0.0, 2.0, 0.0}, kX}, sphere)->t, 5.0);
  EXPECT_FALSE(Cast(Ray{{0.0, 2.001, 0.0}, kX}, sphere).has_value());
  EXPECT_FALSE(Cast(Ray{{}, -kX}, sphere).has_value());
  EXPECT_FALSE(Cast(Ray{{}, kX}, sphere, 2.999).has_value());
  EXPECT_TRUE(Cast(Ray{{}, kX}, sphere, 3.0).has_value());
}

TEST(CastsTest, CapsuleAtItsSideAndItsEnds) {
  const Capsule capsule = {{5.0, -1.0, 0.0}, {5.0, 1.0, 0.0}, 1.0};
  EXPECT_EQ(Cast(Ray{{}, kX}, capsule)->t, 4.0);
  EXPECT_EQ(Cast(Ray{{}, kX}, capsule)->normal, -kX);
  EXPECT_EQ(Cast(Ray{{0.0, 2.0, 0.0}, kX}, capsule)->t, 5.0);
  const Ray down = {{5.0, 9.0, 0.0}, {0.0, -2.0, 0.0}};
  EXPECT_EQ(Cast(down, capsule)->t, 3.5);
  EXPECT_EQ(Cast(down, capsule)->normal, (Vector3{0.0, 1.0, 0.0}));
  EXPECT_FALSE(Cast(Ray{{0.0, 2.001, 0.0}, kX}, capsule).has_value());
}

TEST(CastsTest, BoxAtFacesEdgesAndCorners) {
  const Aabb box = {{2.0, -1.0, -1.0}, {4.0, 1.0, 1.0}};
  const Hit hit = Cast(Ray{{}, {2.0, 0.0, 0.0}}, box).value();
  EXPECT_EQ(hit.t, 1.0);
  EXPECT_EQ(hit.normal, -kX);
  // Along a face, and through a corner only.
  EXPECT_EQ(Cast(Ray{{0.0, 1.0, 0.0}, kX}, box)->t, 2.0);
  EXPECT_TRUE(Cast(Ray{{1.0, 0.0, 1.0}, {1.0, 1.0, 0.0}}, box).has_value());
  EXPECT_FALSE(Cast(Ray{{0.0, 1.001, 0.0}, kX}, box).has_value());
  EXPECT_FALSE(Cast(Ray{{5.0, 0.0, 0.0}, kX}, box).has_value());
}

TEST(CastsTest, TriangleFromBothSidesAndAlong) {
  const Triangle triangle = {{0.0, 0.0, 0.0}, {4.0, 0.0, 0.0}, {0.0, 4.0, 0.0}};
  const Ray from_front = {{1.0, 1.0, 3.0}, {0.0, 0.0, -1.0}};
  EXPECT_EQ(Cast(from_front, triangle)->t, 3.0);
  EXPECT_EQ(Cast(from_front, triangle)->normal, (Vector3{0.0, 0.0, 1.0}));
  const Ray from_back = {{1.0, 1.0, -3.0}, {0.0, 0.0, 1.0}};
  EXPECT_EQ(Cast(from_back, triangle)->normal, (Vector3{0.0, 0.0, -1.0}));
  const Ray in_plane = {{-2.0, 1.0, 0.0}, kX};
  EXPECT_EQ(Cast(in_plane, triangle)->t, 2.0);
  EXPECT_EQ(Cast(in_plane, triangle)->normal, -kX);
  EXPECT_FALSE(Cast(Ray{{-2.0, 1.0, 0.1}, kX}, triangle).has_value());
  EXPECT_FALSE(Cast(Ray{{3.0, 3.0, 3.0}, {0.0, 0.0, -1.0}}, triangle));
}

TEST(CastsTest, ACastThatBeginsInsideHitsAtOnce) {
  const Vector3 center = {1.0, 2.0, 3.0};
  const Ray ray = {center, {0.0, 0.0, 5.0}};
  const auto expect_start = [&](const std::optional<Hit>& hit) {
    ASSERT_TRUE(hit.has_value());
    EXPECT_EQ(hit->t, 0.0);
    EXPECT_EQ(hit->point, center);
    EXPECT_EQ(hit->normal, (Vector3{0.0, 0.0, -1.0}));
  };
  const OrientedBox box = {center, {1.0, 1.0, 1.0}, {0.6, 0.0, 0.0, 0.8}};
  expect_start(Cast(ray, Sphere{center, 1.0}));
  expect_start(Cast(ray, box));
  expect_start(Cast(ray, BoundsOf(box)));
  expect_start(Cast(ray, ToConvexHull(box)));
  expect_start(Cast(ray, Capsule{center, {}, 0.1}));
  expect_start(Cast(ray, PlaneThrough(center, kX)));
  expect_start(Cast(ray, Triangle{center, kX, -kX}));
}

TEST(CastsTest, WithoutADirectionOnlyWhatItBeginsInIsHit) {
  const Ray still = {{1.0, 0.0, 0.0}, {}};
  EXPECT_EQ(Cast(still, Sphere{{}, 1.0})->normal, Vector3{});
  EXPECT_FALSE(Cast(still, Sphere{{}, 0.9}).has_value());
  EXPECT_FALSE(Cast(still, Aabb{}).has_value());
  EXPECT_FALSE(Cast(still, kFloor).has_value());
  EXPECT_FALSE(Cast(still, Capsule{{}, {0.0, 1.0, 0.0}, 0.5}).has_value());
  EXPECT_FALSE(Cast(still, Triangle{{}, -kX, {0.0, 0.0, 1.0}}).has_value());
}

TEST(CastsTest, ShapesWithoutSizeCanBeHit) {
  const Vector3 at = {3.0, 0.0, 0.0};
  const Ray ray = {{}, kX};
  EXPECT_EQ(Cast(ray, Sphere{at, 0.0})->t, 3.0);
  EXPECT_EQ(Cast(ray, Aabb{at, at})->t, 3.0);
  EXPECT_EQ(Cast(ray, Capsule{at, at, 0.0})->t, 3.0);
  EXPECT_EQ(Cast(ray, OrientedBox{at, {}, {}})->t, 3.0);
  EXPECT_FALSE(Cast(ray, Triangle{at, at, at}).has_value());
}

TEST(CastsTest, NothingIsNanForTinyAndHugeNumbers) {
  for (const double size : {1e-60, 1e-200, 1e-310, 1e60}) {
    const Ray ray = {{size, 3.0, size}, {0.0, -size, size * 0.5}};
    for (const std::optional<Hit>& hit :
         {Cast(ray, Sphere{{}, 1.0}), Cast(ray, Capsule{{}, kX, 1.0}),
          Cast(ray, Aabb{{-1.0, -1.0, -1.0}, {1.0, 1.0, 1.0}}),
          Cast(ray, kFloor), Cast(ray, Triangle{{}, kX, {0.0, 0.0, 1.0}})}) {
      if (!hit.has_value()) continue;
      EXPECT_TRUE(IsFinite(hit->t));
      EXPECT_TRUE(IsFinite(LengthSquared(hit->normal)));
    }
  }
}

// Walks along `segment` and compares with the cast. Returns whether it hit.
template <typename Shape>
bool ExpectWalkAgrees(const Segment& segment, const Shape& shape) {
  constexpr int kSteps = 400;
  const std::optional<Hit> hit = Cast(segment, shape);
  const double end = hit.has_value() ? hit->t : 1.0;
  for (int i = 0; i <= kSteps; ++i) {
    const double t = static_cast<double>(i) / kSteps;
    if (t > end - 1e-9) break;
    EXPECT_FALSE(Contains(shape, PointAt(segment, t))) << t << " of " << end;
  }
  if (!hit.has_value()) return false;
  // A little farther in the point is inside; a little farther out it isn't.
  const Vector3 inwards = hit->normal * -1e-9;
  if (hit->t > 0.0) {
    EXPECT_NEAR(Length(hit->normal), 1.0, 1e-14);
    EXPECT_FALSE(Contains(shape, hit->point - inwards));
    EXPECT_LE(Dot(hit->normal, segment.end - segment.start), 0.0);
  }
  EXPECT_TRUE(Contains(shape, hit->point + inwards));
  return true;
}

TEST(CastsTest, SolidsAgreeWithAWalkInSmallSteps) {
  RandomStream random = Draws(1);
  int hits = 0;
  for (int i = 0; i < 1500; ++i) {
    const Segment segment = DrawSegment(random, 4.0);
    hits += ExpectWalkAgrees(segment, DrawSphere(random));
    hits += ExpectWalkAgrees(segment, DrawAabb(random));
    const OrientedBox box = DrawOrientedBox(random);
    hits += ExpectWalkAgrees(segment, box);
    hits += ExpectWalkAgrees(segment, ToConvexHull(box));
    hits += ExpectWalkAgrees(segment, DrawCapsule(random));
    hits +=
        ExpectWalkAgrees(segment, ConvexPrism{DrawConvex(random), -1.0, 1.0});
  }
  EXPECT_GT(hits, 600);
}

TEST(CastsTest, ABoxIsItsHull) {
  RandomStream random = Draws(2);
  for (int i = 0; i < 2000; ++i) {
    const Segment segment = DrawSegment(random, 4.0);
    const OrientedBox box = DrawOrientedBox(random);
    const std::optional<Hit> hit = Cast(segment, box);
    const std::optional<Hit> hull_hit = Cast(segment, ToConvexHull(box));
    ASSERT_EQ(hit.has_value(), hull_hit.has_value());
    if (!hit.has_value()) continue;
    EXPECT_NEAR(hit->t, hull_hit->t, 1e-12);
    ExpectNear(hit->normal, hull_hit->normal, 1e-12);
  }
}

TEST(CastsTest, ATriangleIsHitWhereItsPlaneIsHitInsideIt) {
  RandomStream random = Draws(3);
  int hits = 0;
  for (int i = 0; i < 3000; ++i) {
    const Triangle triangle = DrawTriangle(random);
    const Segment segment = DrawSegment(random, 3.0);
    const Plane plane =
        PlaneThrough(triangle.a, triangle.b, triangle.c).value();
    const std::optional<Hit> on_plane = Cast(segment, plane);
    const bool expected =
        on_plane.has_value() && Contains(triangle, on_plane->point);
    const std::optional<Hit> hit = Cast(segment, triangle);
    ASSERT_EQ(hit.has_value(), expected);
    const ConvexPolygon polygon = {{triangle.a, triangle.b, triangle.c}};
    EXPECT_EQ(Cast(segment, polygon).has_value(), expected);
    if (!expected) continue;
    EXPECT_NEAR(hit->t, on_plane->t, 1e-12);
    ExpectNear(hit->normal, on_plane->normal);
    ++hits;
  }
  EXPECT_GT(hits, 100);
}

TEST(CastsTest, NoRaySlipsThroughASharedSide) {
  RandomStream random = Draws(4);
  for (int i = 0; i < 5000; ++i) {
    // Two triangles that share the side from a to c, and a ray at that side.
    const Vector3 a = DrawVector(random, 2.0);
    const Vector3 c = DrawVector(random, 2.0);
    const Vector3 middle = (a + c) * 0.5;
    const Vector3 b = middle + DrawVector(random, 2.0);
    const Vector3 d = middle + (middle - b) * DrawBetween(random, 0.5, 2.0);
    const Vector3 aim = Lerp(a, c, DrawBetween(random, 0.01, 0.99));
    const Vector3 origin = DrawVector(random, 10.0);
    const Ray ray = {origin, aim - origin};
    EXPECT_TRUE(Cast(ray, Triangle{a, b, c}).has_value() ||
                Cast(ray, Triangle{a, c, d}).has_value());
  }
}

}  // namespace
}  // namespace reprise::sim
