// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves when moving shapes first touch, on the table of cases of the book
// whose errors this mends, and against moving them in small steps: they are
// apart before the hit and touch at it.

#include "sim/geometry/collisions/sweeps.h"

#include <string_view>

#include "gtest/gtest.h"
#include "sim/base/math.h"
#include "sim/geometry/closest_points.h"
#include "sim/geometry/intersections.h"
#include "sim/geometry/testing_geometry.h"

namespace reprise::sim {
namespace {

constexpr Vector3 kX = {1.0, 0.0, 0.0};

// Two spheres, from where to where in one tick.
struct SphereCase {
  std::string_view name;
  double a_end;  // a starts at the origin; both move along x
  Vector3 b_start;
  double b_motion;
  double radius;
  std::optional<double> t;
};

TEST(SweepsTest, SpheresThatMove) {
  for (const SphereCase& c : {
           SphereCase{"head on", 10.0, {5.0, 0.0, 0.0}, 0.0, 1.0, 0.3},
           SphereCase{"both move", 10.0, {10.0, 0.0, 0.0}, -10.0, 1.0, 0.4},
           SphereCase{"tangent", 10.0, {5.0, 2.0, 0.0}, 0.0, 1.0, 0.5},
           SphereCase{"miss", 10.0, {5.0, 2.5, 0.0}, 0.0, 1.0, {}},
           SphereCase{"future", 1.0, {5.0, 0.0, 0.0}, 0.0, 1.0, {}},
           SphereCase{"past", 1.0, {-5.0, 0.0, 0.0}, 0.0, 1.0, {}},
           SphereCase{"overlap", 10.0, {1.0, 0.0, 0.0}, 0.0, 1.0, 0.0},
           SphereCase{"side by side", 1.0, {5.0, 0.0, 0.0}, 1.0, 1.0, {}},
           SphereCase{"bullet", 1000.0, {500.0, 0.0, 0.0}, 0.0, 0.25, 0.4995},
       }) {
    SCOPED_TRACE(c.name);
    const std::optional<Hit> hit =
        Sweep(Sphere{{}, c.radius}, kX * c.a_end, Sphere{c.b_start, c.radius},
              kX * c.b_motion);
    ASSERT_EQ(hit.has_value(), c.t.has_value());
    if (hit.has_value()) {
      EXPECT_NEAR(hit->t, *c.t, 1e-12);
    }
  }
}

TEST(SweepsTest, TheBulletIsMissedByLookingOnlyAtTicks) {
  const Sphere paper = {{500.0, 0.0, 0.0}, 0.25};
  EXPECT_FALSE(Overlaps(Sphere{{}, 0.25}, paper));
  EXPECT_FALSE(Overlaps(Sphere{{1000.0, 0.0, 0.0}, 0.25}, paper));
}

TEST(SweepsTest, SpheresTouchBetweenTheirCentres) {
  const Hit hit =
      Sweep(Sphere{{}, 1.0}, 10.0 * kX, Sphere{{5.0, 0.0, 0.0}, 1.0}, {})
          .value();
  ExpectNear(hit.point, {4.0, 0.0, 0.0});
  ExpectNear(hit.normal, -kX);
}

TEST(SweepsTest, SpheresInOnePlaceHaveAStatedNormal) {
  const Sphere sphere = {{1.0, 1.0, 1.0}, 1.0};
  EXPECT_EQ(Sweep(sphere, 2.0 * kX, sphere, {})->normal, -kX);
  EXPECT_EQ(Sweep(sphere, {}, sphere, {})->normal, (Vector3{0.0, 1.0, 0.0}));
}

TEST(SweepsTest, SphereAtAPlane) {
  const Plane floor = {.normal = {0.0, 1.0, 0.0}, .offset = -2.0};
  const Sphere ball = {{0.0, 5.0, 0.0}, 1.0};
  const Hit hit = Sweep(ball, {4.0, -8.0, 0.0}, floor).value();
  EXPECT_EQ(hit.t, 0.25);
  EXPECT_EQ(hit.point, (Vector3{1.0, 2.0, 0.0}));
  EXPECT_EQ(hit.normal, floor.normal);
  EXPECT_EQ(Sweep(ball, {0.0, -2.0, 0.0}, floor)->t, 1.0);
  EXPECT_FALSE(Sweep(ball, {0.0, -1.999, 0.0}, floor).has_value());
  EXPECT_FALSE(Sweep(ball, {9.0, 0.0, 0.0}, floor).has_value());
}

TEST(SweepsTest, APlaneIsHitFromBehindToo) {
  const Plane floor = {.normal = {0.0, 1.0, 0.0}, .offset = -2.0};
  const Hit hit = Sweep(Sphere{{}, 1.0}, {0.0, 4.0, 0.0}, floor).value();
  EXPECT_EQ(hit.t, 0.25);
  EXPECT_EQ(hit.normal, -floor.normal);
  // It touches already, and leaves.
  EXPECT_EQ(Sweep(Sphere{{}, 2.0}, {0.0, -4.0, 0.0}, floor)->t, 0.0);
}

TEST(SweepsTest, SphereAtAFaceAnEdgeAndACornerOfABox) {
  const Aabb box = {{-1.0, -1.0, -1.0}, {1.0, 1.0, 1.0}};
  const Hit face =
      Sweep(Sphere{{-9.0, 0.5, 0.0}, 1.0}, {14.0, 0.0, 0.0}, box).value();
  EXPECT_EQ(face.t, 0.5);
  EXPECT_EQ(face.point, (Vector3{-1.0, 0.5, 0.0}));
  EXPECT_EQ(face.normal, -kX);
  // Three above and four before the edge: five away from it.
  const Hit edge =
      Sweep(Sphere{{-9.0, 4.0, 0.0}, 5.0}, {8.0, 0.0, 0.0}, box).value();
  EXPECT_NEAR(edge.t, 0.5, 1e-15);
  ExpectNear(edge.point, {-1.0, 1.0, 0.0});
  ExpectNear(edge.normal, {-0.8, 0.6, 0.0});
  const Hit corner =
      Sweep(Sphere{{-9.0, 4.0, 7.0}, 7.0}, {12.0, 0.0, 0.0}, box).value();
  ExpectNear(corner.point, {-1.0, 1.0, 1.0});
  ExpectNear(corner.normal, Vector3{-2.0, 3.0, 6.0} / 7.0);
  // Inside the grown box and past the rounded corner.
  EXPECT_FALSE(
      Sweep(Sphere{{-9.0, 1.9, 1.9}, 1.0}, {18.0, 0.0, 0.0}, box).has_value());
}

TEST(SweepsTest, ASphereInABoxIsShownTheNearestFace) {
  const Aabb box = {{0.0, 0.0, 0.0}, {4.0, 4.0, 4.0}};
  EXPECT_EQ(Sweep(Sphere{{3.5, 2.0, 2.0}, 0.1}, kX, box)->normal, kX);
  EXPECT_EQ(Sweep(Sphere{{2.0, 2.0, 2.0}, 0.1}, kX, box)->normal,
            (Vector3{0.0, 1.0, 0.0}));
}

TEST(SweepsTest, BoxesThatMove) {
  const Aabb box = {{0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}};
  const Aabb far = {{5.0, 0.5, 0.0}, {6.0, 1.5, 1.0}};
  const Hit hit = Sweep(box, 8.0 * kX, far, {}).value();
  EXPECT_EQ(hit.t, 0.5);
  EXPECT_EQ(hit.normal, -kX);
  EXPECT_EQ(hit.point, (Vector3{5.0, 0.75, 0.5}));
  EXPECT_EQ(Sweep(box, 4.0 * kX, far, -4.0 * kX)->t, 0.5);
  EXPECT_FALSE(Sweep(box, 4.0 * kX, far, 1.0 * kX).has_value());
  EXPECT_FALSE(Sweep(box, {0.0, 9.0, 0.0}, far, {}).has_value());
  // Passing by with faces that touch.
  const Aabb beside = {{5.0, 1.0, 0.0}, {6.0, 2.0, 1.0}};
  EXPECT_EQ(Sweep(box, 8.0 * kX, beside, {})->t, 0.5);
}

TEST(SweepsTest, BoxesThatOverlapAreShownTheShortestWayOut) {
  const Aabb box = {{0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}};
  const Aabb other = {{0.8, 0.1, -0.2}, {1.8, 1.1, 0.9}};
  const Hit hit = Sweep(box, 8.0 * kX, other, {}).value();
  EXPECT_EQ(hit.t, 0.0);
  EXPECT_EQ(hit.normal, -kX);
}

// How far the surfaces of the sphere and the shape are apart.
template <typename Shape>
double GapBetween(const Sphere& sphere, const Shape& shape) {
  return Distance(shape, sphere.center) - sphere.radius;
}
double GapBetween(const Sphere& sphere, const Capsule& capsule) {
  return Distance(Segment{capsule.start, capsule.end}, sphere.center) -
         capsule.radius - sphere.radius;
}
double GapBetween(const Sphere& a, const Sphere& b) {
  return Length(b.center - a.center) - a.radius - b.radius;
}

Sphere Moved(const Sphere& sphere, Vector3 motion) {
  return {sphere.center + motion, sphere.radius};
}

// Returns whether it hit.
template <typename Shape>
bool ExpectStepsAgree(const Sphere& sphere, Vector3 motion, const Shape& shape,
                      const std::optional<Hit>& hit) {
  constexpr int kSteps = 300;
  const double end = hit.has_value() ? hit->t : 1.0;
  for (int i = 0; i <= kSteps; ++i) {
    const double t = static_cast<double>(i) / kSteps;
    if (t > end) break;
    const double gap = GapBetween(Moved(sphere, motion * t), shape);
    if (!hit.has_value() || t < end - 1e-6) {
      EXPECT_GT(gap, -1e-12) << t;
    }
  }
  if (!hit.has_value()) return false;
  const Sphere at_hit = Moved(sphere, motion * hit->t);
  EXPECT_NEAR(Length(hit->normal), 1.0, 1e-14);
  if (hit->t == 0.0) {
    EXPECT_LE(GapBetween(at_hit, shape), 1e-12);
    return true;
  }
  EXPECT_NEAR(GapBetween(at_hit, shape), 0.0, 1e-9);
  EXPECT_LE(Dot(hit->normal, motion), 1e-9);
  ExpectNear(hit->point, at_hit.center - hit->normal * sphere.radius, 1e-9);
  return true;
}

TEST(SweepsTest, SpheresAgreeWithSmallSteps) {
  RandomStream random = Draws(1);
  int hits = 0;
  for (int i = 0; i < 1500; ++i) {
    const Segment path = DrawSegment(random, 5.0);
    const Vector3 motion = path.end - path.start;
    const Sphere sphere = {path.start, DrawBetween(random, 0.01, 1.0)};
    const Aabb aabb = DrawAabb(random);
    hits += ExpectStepsAgree(sphere, motion, aabb, Sweep(sphere, motion, aabb));
    const OrientedBox box = DrawOrientedBox(random);
    hits += ExpectStepsAgree(sphere, motion, box, Sweep(sphere, motion, box));
    const Capsule capsule = DrawCapsule(random);
    hits += ExpectStepsAgree(sphere, motion, capsule,
                             Sweep(sphere, motion, capsule));
    const Triangle triangle = DrawTriangle(random);
    hits += ExpectStepsAgree(sphere, motion, triangle,
                             Sweep(sphere, motion, triangle));
    const Sphere other = DrawSphere(random);
    hits += ExpectStepsAgree(sphere, motion, other,
                             Sweep(sphere, motion, other, {}));
  }
  EXPECT_GT(hits, 800);
}

// Moves a sphere to where it touches and on from there, into the shape: however
// the touch was rounded, it is not let through.
template <typename Shape>
int ExpectNoWayOn(const Sphere& sphere, Vector3 motion, const Shape& shape) {
  const std::optional<Hit> hit = Sweep(sphere, motion, shape);
  if (!hit.has_value()) return 0;
  const Sphere touching = Moved(sphere, motion * hit->t);
  const std::optional<Hit> again = Sweep(touching, motion, shape);
  EXPECT_TRUE(again.has_value());
  if (again.has_value()) {
    EXPECT_LT(again->t, 1e-6);
  }
  return 1;
}

TEST(SweepsTest, WhatTouchesIsNotLetThrough) {
  RandomStream random = Draws(4);
  int touches = 0;
  for (int i = 0; i < 4000; ++i) {
    const Vector3 start = DrawVector(random, 5.0);
    const Sphere sphere = {start, DrawBetween(random, 0.01, 1.0)};
    const Aabb aabb = DrawAabb(random);
    touches += ExpectNoWayOn(sphere, Center(aabb) - start, aabb);
    const OrientedBox box = DrawOrientedBox(random);
    touches += ExpectNoWayOn(sphere, box.center - start, box);
    const Capsule capsule = DrawCapsule(random);
    touches += ExpectNoWayOn(sphere, capsule.start - start, capsule);
    const Triangle triangle = DrawTriangle(random);
    const Vector3 middle = (triangle.a + triangle.b + triangle.c) / 3.0;
    touches += ExpectNoWayOn(sphere, (middle - start) * 2.0, triangle);
  }
  EXPECT_GT(touches, 10'000);
}

TEST(SweepsTest, OnlyTheRelativeMotionOfSpheresCounts) {
  RandomStream random = Draws(2);
  for (int i = 0; i < 1000; ++i) {
    const Sphere a = DrawSphere(random);
    const Sphere b = DrawSphere(random);
    const Vector3 motion = DrawVector(random, 5.0);
    const Vector3 other_motion = DrawVector(random, 5.0);
    const std::optional<Hit> hit = Sweep(a, motion, b, other_motion);
    const std::optional<Hit> still = Sweep(a, motion - other_motion, b, {});
    ASSERT_EQ(hit.has_value(), still.has_value());
    if (!hit.has_value()) continue;
    EXPECT_EQ(hit->t, still->t);
    ExpectNear(hit->point, still->point + other_motion * hit->t, 1e-12);
  }
}

TEST(SweepsTest, BoxesAgreeWithSmallSteps) {
  RandomStream random = Draws(3);
  int hits = 0;
  for (int i = 0; i < 1000; ++i) {
    const Aabb a = DrawAabb(random);
    const Aabb b = DrawAabb(random);
    const Vector3 motion_a = DrawVector(random, 5.0);
    const Vector3 motion_b = DrawVector(random, 5.0);
    const std::optional<Hit> hit = Sweep(a, motion_a, b, motion_b);
    const double end = hit.has_value() ? hit->t : 1.0;
    const auto overlap_at = [&](double t) {
      const Vector3 to_a = motion_a * t, to_b = motion_b * t;
      return Overlaps(Aabb{a.minimum + to_a, a.maximum + to_a},
                      Aabb{b.minimum + to_b, b.maximum + to_b});
    };
    for (int step = 0; step < 300 && step / 300.0 < end - 1e-9; ++step) {
      ASSERT_FALSE(overlap_at(step / 300.0));
    }
    if (!hit.has_value()) continue;
    EXPECT_TRUE(overlap_at(hit->t) || overlap_at(hit->t + 1e-9));
    ++hits;
  }
  EXPECT_GT(hits, 300);
}

TEST(SweepsTest, ShapesWithoutSizeAndMotionGiveStatedResults) {
  const Vector3 at = {3.0, 0.0, 0.0};
  const Sphere point = {{}, 0.0};
  EXPECT_EQ(Sweep(point, 6.0 * kX, Aabb{at, at})->t, 0.5);
  EXPECT_EQ(Sweep(point, 6.0 * kX, Aabb{at, at})->normal, -kX);
  EXPECT_FALSE(Sweep(point, {}, Aabb{at, at}).has_value());
  EXPECT_FALSE(Sweep(point, {}, Capsule{at, at, 1.0}).has_value());
  EXPECT_EQ(Sweep(Sphere{{}, 1.0}, 6.0 * kX, Triangle{at, at, at})->normal,
            -kX);
  EXPECT_EQ(Sweep(Sphere{at, 1.0}, {}, Triangle{at, at, at})->normal,
            (Vector3{0.0, 1.0, 0.0}));
}

}  // namespace
}  // namespace reprise::sim
