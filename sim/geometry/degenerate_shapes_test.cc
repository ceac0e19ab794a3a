// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that nothing is NaN and that tests agree with each other where
// everything is degenerate: shapes drawn on a lattice of a few points, so that
// they touch, coincide, lie in one line or have no size at almost every draw.

#include <optional>

#include "gtest/gtest.h"
#include "sim/base/math.h"
#include "sim/geometry/collisions/casts.h"
#include "sim/geometry/closest_points.h"
#include "sim/geometry/collisions/collisions2.h"
#include "sim/geometry/containment.h"
#include "sim/geometry/intersections.h"
#include "sim/geometry/collisions/sweeps.h"
#include "sim/geometry/testing_geometry.h"

namespace reprise::sim {
namespace {

constexpr int kDraws = 20'000;

// 0, 1 or 2: all that follows is exact in doubles, roots apart.
double DrawStep(RandomStream& random) {
  return static_cast<double>(NextBelow(random, 3));
}

Vector3 DrawPoint(RandomStream& random) {
  const double x = DrawStep(random);
  const double y = DrawStep(random);
  return {x, y, DrawStep(random)};
}

Vector2 DrawPoint2(RandomStream& random) {
  const double x = DrawStep(random);
  return {x, DrawStep(random)};
}

Segment DrawEdge(RandomStream& random) {
  const Vector3 start = DrawPoint(random);
  return {start, DrawPoint(random)};
}

Sphere DrawBall(RandomStream& random) {
  const Vector3 center = DrawPoint(random);
  return {center, 0.5 * DrawStep(random)};
}

Aabb DrawCell(RandomStream& random) { return BoundsOf(DrawEdge(random)); }

Triangle DrawCorners(RandomStream& random) {
  const Segment side = DrawEdge(random);
  return {side.start, side.end, DrawPoint(random)};
}

Capsule DrawPill(RandomStream& random) {
  const Segment axis = DrawEdge(random);
  return {axis.start, axis.end, 0.5 * DrawStep(random)};
}

// By more than rounding can take away.
template <typename Shape>
Shape Grown(Shape round) {
  round.radius += 1e-12;
  return round;
}

void ExpectGood(const std::optional<Hit>& hit) {
  if (!hit.has_value()) return;
  EXPECT_TRUE(hit->t >= 0.0 && hit->t <= 1.0) << hit->t;
  EXPECT_TRUE(IsFinite(LengthSquared(hit->point)));
  const double length = Length(hit->normal);
  EXPECT_TRUE(length == 0.0 || Abs(length - 1.0) < 1e-12) << length;
}

void ExpectGood(const std::optional<Hit2>& hit) {
  if (!hit.has_value()) return;
  EXPECT_TRUE(hit->t >= 0.0 && hit->t <= 1.0) << hit->t;
  EXPECT_TRUE(IsFinite(LengthSquared(hit->point)));
  EXPECT_NEAR(Length(hit->normal), 1.0, 1e-12);
}

TEST(DegenerateShapesTest, ClosestPointsAreFiniteAndMutual) {
  RandomStream random = Draws(1);
  for (int i = 0; i < kDraws; ++i) {
    const Segment a = DrawEdge(random);
    const Segment b = DrawEdge(random);
    const ClosestPair pair = ClosestPoints(a, b);
    const ClosestPair back = ClosestPoints(b, a);
    EXPECT_NEAR(Length(pair.point_b - pair.point_a),
                Length(back.point_b - back.point_a), 1e-12);
    EXPECT_NEAR(Length(pair.point_b - pair.point_a), Distance(b, pair.point_a),
                1e-12);
    const ClosestPair lines = ClosestPointsOfLines(a, b);
    EXPECT_LE(Length(lines.point_b - lines.point_a),
              Length(pair.point_b - pair.point_a) + 1e-12);
    const Triangle triangle = DrawCorners(random);
    EXPECT_TRUE(IsFinite(Distance(triangle, a.start)));
    EXPECT_EQ(Distance(triangle, triangle.b), 0.0);
  }
}

TEST(DegenerateShapesTest, CastsAreGoodAndHitWhatTheyBeginIn) {
  RandomStream random = Draws(2);
  for (int i = 0; i < kDraws; ++i) {
    const Segment segment = DrawEdge(random);
    const Aabb box = DrawCell(random);
    const Sphere sphere = DrawBall(random);
    const Capsule capsule = DrawPill(random);
    const Triangle triangle = DrawCorners(random);
    for (const std::optional<Hit>& hit :
         {Cast(segment, box), Cast(segment, sphere), Cast(segment, capsule),
          Cast(segment, triangle), Cast(segment, ToOrientedBox(box)),
          Cast(segment, ToConvexHull(ToOrientedBox(box)))}) {
      ExpectGood(hit);
    }
    const auto begins = [&](const auto& shape) {
      const std::optional<Hit> hit = Cast(segment, shape);
      return hit.has_value() && hit->t == 0.0;
    };
    EXPECT_EQ(begins(box), Contains(box, segment.start));
    EXPECT_EQ(begins(sphere), Contains(sphere, segment.start));
    // An oblique axis rounds: what touches may be found only by the cast.
    EXPECT_TRUE(begins(capsule) || !Contains(capsule, segment.start));
    EXPECT_TRUE(!begins(capsule) || Contains(Grown(capsule), segment.start));
  }
}

TEST(DegenerateShapesTest, ABoxIsHitFromBothEndsOfASegmentOrFromNone) {
  RandomStream random = Draws(3);
  for (int i = 0; i < kDraws; ++i) {
    const Segment segment = DrawEdge(random);
    const Segment back = {segment.end, segment.start};
    const Aabb box = DrawCell(random);
    EXPECT_EQ(Cast(segment, box).has_value(), Cast(back, box).has_value());
    EXPECT_EQ(Cast(segment, box).has_value(),
              Overlaps(Capsule{segment.start, segment.end, 0.0}, box));
  }
}

TEST(DegenerateShapesTest, SweepsAreGoodAndHitWhatOverlaps) {
  RandomStream random = Draws(4);
  for (int i = 0; i < kDraws; ++i) {
    const Sphere sphere = DrawBall(random);
    const Segment path = DrawEdge(random);
    const Vector3 motion = path.end - path.start;
    const Sphere other = DrawBall(random);
    const Aabb box = DrawCell(random);
    const Capsule capsule = DrawPill(random);
    const Triangle triangle = DrawCorners(random);
    const std::optional<Hit> at_sphere = Sweep(sphere, motion, other, {});
    const std::optional<Hit> at_box = Sweep(sphere, motion, box);
    const std::optional<Hit> at_capsule = Sweep(sphere, motion, capsule);
    const std::optional<Hit> at_triangle = Sweep(sphere, motion, triangle);
    for (const auto& hit : {at_sphere, at_box, at_capsule, at_triangle,
                            Sweep(sphere, motion, ToOrientedBox(box))}) {
      ExpectGood(hit);
    }
    EXPECT_EQ(Overlaps(sphere, other), at_sphere && at_sphere->t == 0.0);
    EXPECT_EQ(Overlaps(sphere, box), at_box && at_box->t == 0.0);
    const bool begins_in_capsule = at_capsule && at_capsule->t == 0.0;
    const bool begins_in_triangle = at_triangle && at_triangle->t == 0.0;
    EXPECT_TRUE(begins_in_capsule || !Overlaps(sphere, capsule));
    EXPECT_TRUE(!begins_in_capsule || Overlaps(sphere, Grown(capsule)));
    EXPECT_TRUE(begins_in_triangle || !Overlaps(sphere, triangle));
    EXPECT_TRUE(!begins_in_triangle || Overlaps(Grown(sphere), triangle));
  }
}

TEST(DegenerateShapesTest, SweptBoxesAreGoodAndHitWhatOverlaps) {
  RandomStream random = Draws(5);
  for (int i = 0; i < kDraws; ++i) {
    const Aabb a = DrawCell(random);
    const Aabb b = DrawCell(random);
    const Vector3 motion = DrawPoint(random);
    const std::optional<Hit> hit = Sweep(a, motion, b, DrawPoint(random));
    ExpectGood(hit);
    EXPECT_EQ(Overlaps(a, b), hit.has_value() && hit->t == 0.0);
  }
}

TEST(DegenerateShapesTest, BoxesTurnedByQuartersTouchAsTheirBoundsDo) {
  RandomStream random = Draws(6);
  const auto quarters = [&] {
    const double angle_rad = 0.5 * kPi * DrawStep(random);
    constexpr Vector3 kAxes[] = {
        {1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    return FromAxisAngle(kAxes[NextBelow(random, 3)], angle_rad);
  };
  for (int i = 0; i < kDraws; ++i) {
    OrientedBox a = ToOrientedBox(DrawCell(random));
    OrientedBox b = ToOrientedBox(DrawCell(random));
    a.rotation = quarters();
    b.rotation = quarters();
    // Rounding of the quarter turns moves faces by some 1e-16.
    const Aabb bounds_a = BoundsOf(a), bounds_b = BoundsOf(b);
    EXPECT_EQ(Overlaps(a, b), Overlaps(Expanded(bounds_a, 1e-13), bounds_b));
  }
}

TEST(DegenerateShapesTest, PlaneShapesGiveGoodResults) {
  RandomStream random = Draws(7);
  for (int i = 0; i < kDraws; ++i) {
    const Circle circle = {DrawPoint2(random), 0.5};
    const Vector2 start = DrawPoint2(random);
    const Segment2 segment = {start, DrawPoint2(random)};
    const Box2 box = {{0.0, 0.0}, DrawPoint2(random)};
    const Vector2 motion = DrawPoint2(random) - start;
    const std::optional<Hit2> at_segment = Sweep(circle, motion, segment);
    const std::optional<Hit2> at_box = Sweep(circle, motion, box);
    ExpectGood(at_segment);
    ExpectGood(at_box);
    EXPECT_EQ(FindSeparation(circle, segment).has_value(),
              at_segment.has_value() && at_segment->t == 0.0);
    EXPECT_EQ(FindSeparation(circle, box).has_value(),
              at_box.has_value() && at_box->t == 0.0);
    const SlideResult slide = MoveAndSlide(
        circle, motion, Walls{.boxes = {&box, 1}, .segments = {&segment, 1}});
    EXPECT_TRUE(IsFinite(LengthSquared(slide.center)));
  }
}

}  // namespace
}  // namespace reprise::sim
