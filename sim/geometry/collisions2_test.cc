// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that a separation ends an overlap and that none shorter does, when a
// moving circle first touches, and that it never gets through a wall.

#include "sim/geometry/collisions/collisions2.h"

#include <array>
#include <vector>

#include "gtest/gtest.h"
#include "sim/base/math.h"
#include "sim/geometry/containment.h"
#include "sim/geometry/testing_geometry.h"

namespace reprise::sim {
namespace {

constexpr Vector2 kUp = {0.0, 1.0};
constexpr Vector2 kRight = {1.0, 0.0};
constexpr Box2 kUnit = {{0.0, 0.0}, {1.0, 1.0}};

Circle Moved(Circle circle, Vector2 motion) {
  circle.center = circle.center + motion;
  return circle;
}
Box2 Moved(Box2 box, Vector2 motion) {
  return {box.minimum + motion, box.maximum + motion};
}
ConvexPolygon2 Moved(ConvexPolygon2 polygon, Vector2 motion) {
  for (Vector2& corner : polygon.corners) corner = corner + motion;
  return polygon;
}

Circle DrawCircle(RandomStream& random) {
  const Vector2 center = DrawVector2(random, 2.0);
  return {center, DrawBetween(random, 0.1, 1.5)};
}
Box2 DrawBox(RandomStream& random) {
  const Vector2 center = DrawVector2(random, 2.0);
  const Vector2 size = DrawVector2(random, 1.0);
  const Vector2 half = {Abs(size.x), Abs(size.y)};
  return {center - half, center + half};
}
Segment2 DrawSegment2(RandomStream& random) {
  const Vector2 start = DrawVector2(random, 2.0);
  return {start, DrawVector2(random, 2.0)};
}

// Returns whether they overlap.
template <typename A, typename B>
bool ExpectShortestSeparation(const A& a, const B& b, RandomStream& random) {
  const std::optional<Separation> separation = FindSeparation(a, b);
  if (!separation.has_value()) return false;
  EXPECT_NEAR(Length(separation->normal), 1.0, 1e-14);
  const double depth = separation->depth;
  EXPECT_FALSE(FindSeparation(Moved(a, separation->normal * (depth + 1e-9)), b)
                   .has_value());
  for (int i = 0; i < 24; ++i) {
    const Vector2 way = Normalized(DrawVector2(random, 1.0));
    EXPECT_TRUE(
        FindSeparation(Moved(a, way * (depth * (1.0 - 1e-9))), b).has_value());
  }
  return true;
}

TEST(Collisions2Test, CirclesThatTouchHaveNothingToPart) {
  const Circle circle = {{}, 1.0};
  const Separation touching =
      FindSeparation(circle, Circle{{2.0, 0.0}, 1.0}).value();
  EXPECT_EQ(touching.depth, 0.0);
  EXPECT_EQ(touching.normal, -kRight);
  EXPECT_EQ(FindSeparation(circle, Circle{{1.5, 0.0}, 1.0})->depth, 0.5);
  EXPECT_FALSE(FindSeparation(circle, Circle{{2.001, 0.0}, 1.0}).has_value());
  EXPECT_EQ(FindSeparation(circle, circle)->motion(), 2.0 * kUp);
}

TEST(Collisions2Test, BoxesArePartedAlongTheShorterWay) {
  const Separation side =
      FindSeparation(kUnit, Box2{{0.75, 0.25}, {2.0, 2.0}}).value();
  EXPECT_EQ(side.motion(), (Vector2{-0.25, 0.0}));
  EXPECT_EQ(FindSeparation(kUnit, Box2{{1.0, 0.0}, {2.0, 1.0}})->depth, 0.0);
  EXPECT_FALSE(FindSeparation(kUnit, Box2{{1.001, 0.0}, {2.0, 1.0}}));
  // All ways are as long: up.
  EXPECT_EQ(FindSeparation(kUnit, kUnit)->motion(), kUp);
}

TEST(Collisions2Test, CircleAtABoxesSideCornerAndInside) {
  EXPECT_EQ(FindSeparation(Circle{{0.5, 1.5}, 1.0}, kUnit)->motion(),
            0.5 * kUp);
  const Separation corner =
      FindSeparation(Circle{{4.0, 5.0}, 5.0}, kUnit).value();
  EXPECT_EQ(corner.depth, 0.0);
  EXPECT_EQ(corner.normal, (Vector2{0.6, 0.8}));
  EXPECT_EQ(FindSeparation(Circle{{0.75, 0.5}, 1.0}, kUnit)->motion(),
            1.25 * kRight);
}

TEST(Collisions2Test, CircleOnASegmentGoesToItsLeft) {
  const Segment2 segment = {{0.0, 0.0}, {2.0, 0.0}};
  EXPECT_EQ(FindSeparation(Circle{{1.0, 0.0}, 1.0}, segment)->motion(), kUp);
  EXPECT_EQ(FindSeparation(Circle{{1.0, -0.5}, 1.0}, segment)->motion(),
            -0.5 * kUp);
  const Segment2 point = {{1.0, 0.0}, {1.0, 0.0}};
  EXPECT_EQ(FindSeparation(Circle{{1.0, 0.0}, 1.0}, point)->motion(), kUp);
}

TEST(Collisions2Test, ABoxWithoutSizeIsAPoint) {
  const Box2 point = {{0.5, 1.0}, {0.5, 1.0}};
  const ConvexPolygon2 square = {
      {{0.0, 0.0}, {1.0, 0.0}, {1.0, 1.0}, {0.0, 1.0}}};
  EXPECT_EQ(FindSeparation(point, kUnit)->depth, 0.0);
  EXPECT_EQ(FindSeparation(point, square)->depth, 0.0);
  EXPECT_EQ(FindSeparation(Circle{{0.5, 1.0}, 2.0}, point)->motion(),
            2.0 * kUp);
}

TEST(Collisions2Test, SeparationsPartAndNoneShorterDoes) {
  RandomStream random = Draws(1);
  int overlaps = 0;
  for (int i = 0; i < 400; ++i) {
    const Circle circle = DrawCircle(random);
    const Box2 box = DrawBox(random);
    const ConvexPolygon2 polygon = {DrawConvex(random)};
    const Circle other_circle = DrawCircle(random);
    const Box2 other_box = DrawBox(random);
    const ConvexPolygon2 other_polygon = {DrawConvex(random)};
    overlaps += ExpectShortestSeparation(circle, other_circle, random);
    overlaps += ExpectShortestSeparation(circle, box, random);
    overlaps += ExpectShortestSeparation(circle, polygon, random);
    overlaps += ExpectShortestSeparation(circle, DrawSegment2(random), random);
    overlaps += ExpectShortestSeparation(box, other_box, random);
    overlaps += ExpectShortestSeparation(box, polygon, random);
    overlaps += ExpectShortestSeparation(polygon, other_polygon, random);
  }
  EXPECT_GT(overlaps, 800);
}

TEST(Collisions2Test, ABoxIsAPolygon) {
  RandomStream random = Draws(2);
  for (int i = 0; i < 1000; ++i) {
    const Box2 box = DrawBox(random);
    const std::array<Vector2, 4> corners = CornersOf(box);
    const ConvexPolygon2 polygon = {{corners.begin(), corners.end()}};
    const Circle circle = DrawCircle(random);
    const Vector2 motion = DrawVector2(random, 4.0);
    const std::optional<Hit2> hit = Sweep(circle, motion, box);
    const std::optional<Hit2> same = Sweep(circle, motion, polygon);
    ASSERT_EQ(hit.has_value(), same.has_value());
    if (!hit.has_value()) continue;
    EXPECT_NEAR(hit->t, same->t, 1e-12);
    ExpectNear(hit->normal, same->normal, 1e-12);
  }
}

TEST(Collisions2Test, ACircleIsStoppedByWhatItMeets) {
  const Circle ball = {{-4.0, 0.5}, 1.0};
  const Hit2 side = Sweep(ball, 6.0 * kRight, kUnit).value();
  EXPECT_EQ(side.t, 0.5);
  EXPECT_EQ(side.normal, -kRight);
  EXPECT_EQ(side.point, (Vector2{0.0, 0.5}));
  const Hit2 corner =
      Sweep(Circle{{-9.0, 5.0}, 5.0}, 12.0 * kRight, kUnit).value();
  ExpectNear(corner.point, {0.0, 1.0});
  ExpectNear(corner.normal, {-0.6, 0.8});
  const Segment2 wall = {{2.0, -1.0}, {2.0, 1.0}};
  EXPECT_EQ(Sweep(ball, 10.0 * kRight, wall)->t, 0.5);
  EXPECT_EQ(Sweep(ball, 10.0 * kRight, wall)->normal, -kRight);
  EXPECT_FALSE(Sweep(ball, -10.0 * kRight, wall).has_value());
}

TEST(Collisions2Test, BothCirclesMove) {
  const Circle a = {{0.0, 0.0}, 1.0};
  const Circle b = {{10.0, 0.0}, 1.0};
  const Hit2 hit = Sweep(a, 10.0 * kRight, b, -10.0 * kRight).value();
  EXPECT_NEAR(hit.t, 0.4, 1e-15);
  ExpectNear(hit.point, {5.0, 0.0});
  ExpectNear(hit.normal, -kRight);
}

TEST(Collisions2Test, APointDoesNotSlipThroughACorner) {
  RandomStream random = Draws(3);
  for (int i = 0; i < 3000; ++i) {
    const ConvexPolygon2 polygon = {DrawConvex(random)};
    const Vector2 corner =
        polygon.corners[NextBelow(random, polygon.corners.size())];
    const Vector2 start = DrawVector2(random, 10.0);
    if (ConvexContains(polygon.corners, start)) continue;
    Vector2 inside;
    for (const Vector2 c : polygon.corners) inside = inside + c;
    inside = inside / static_cast<double>(polygon.corners.size());
    // At a corner as well as doubles can aim, and then on to the middle.
    const Circle point = {start, 0.0};
    EXPECT_TRUE(Sweep(point, inside - start, polygon).has_value());
    const std::optional<Hit2> graze =
        Sweep(point, (corner - start) * 2.0, polygon);
    if (graze.has_value()) {
      EXPECT_LE(graze->t, 0.5 + 1e-12);
    }
  }
}

// Returns whether it hit.
template <typename Shape>
bool ExpectStepsAgree(const Circle& circle, Vector2 motion,
                      const Shape& shape) {
  const std::optional<Hit2> hit = Sweep(circle, motion, shape);
  const double end = hit.has_value() ? hit->t : 1.0;
  for (int i = 0; i <= 300; ++i) {
    const double t = i / 300.0;
    if (t > end - 1e-6) break;
    EXPECT_FALSE(FindSeparation(Moved(circle, motion * t), shape).has_value());
  }
  if (!hit.has_value()) return false;
  EXPECT_NEAR(Length(hit->normal), 1.0, 1e-14);
  const Circle grown = {circle.center + motion * hit->t, circle.radius + 1e-9};
  const std::optional<Separation> at_hit = FindSeparation(grown, shape);
  EXPECT_TRUE(at_hit.has_value());
  if (hit->t > 0.0 && at_hit.has_value()) {
    EXPECT_LT(at_hit->depth, 1e-8);
    EXPECT_LE(Dot(hit->normal, motion), 1e-12);
  }
  return true;
}

TEST(Collisions2Test, SweepsAgreeWithSmallSteps) {
  RandomStream random = Draws(4);
  int hits = 0;
  for (int i = 0; i < 500; ++i) {
    const Vector2 start = DrawVector2(random, 5.0);
    const Circle circle = {start, DrawBetween(random, 0.01, 1.0)};
    const Vector2 motion = DrawVector2(random, 5.0) - start;
    hits += ExpectStepsAgree(circle, motion, DrawBox(random));
    hits += ExpectStepsAgree(circle, motion, DrawSegment2(random));
    hits +=
        ExpectStepsAgree(circle, motion, ConvexPolygon2{DrawConvex(random)});
  }
  EXPECT_GT(hits, 400);
}

TEST(Collisions2Test, ACircleSlidesAlongAWall) {
  const std::array<Box2, 1> boxes = {Box2{{-10.0, -1.0}, {10.0, 0.0}}};
  const Walls floor = {.boxes = boxes};
  const SlideResult result =
      MoveAndSlide(Circle{{0.0, 2.0}, 1.0}, {4.0, -2.0}, floor);
  ExpectNear(result.center, {4.0, 1.0});
  EXPECT_EQ(result.normal, kUp);
  EXPECT_EQ(result.hit_count, 1u);
  // And goes on along it in the next tick, without a hit.
  const SlideResult next =
      MoveAndSlide(Circle{result.center, 1.0}, {1.0, 0.0}, floor);
  ExpectNear(next.center, {5.0, 1.0});
  EXPECT_EQ(next.hit_count, 0u);
}

TEST(Collisions2Test, ACircleStopsInACorner) {
  const std::array<Segment2, 2> segments = {Segment2{{-9.0, 0.0}, {9.0, 0.0}},
                                            Segment2{{5.0, -9.0}, {5.0, 9.0}}};
  const SlideResult result = MoveAndSlide(
      Circle{{0.0, 3.0}, 1.0}, {20.0, -20.0}, Walls{.segments = segments});
  ExpectNear(result.center, {4.0, 1.0}, 1e-9);
  EXPECT_EQ(result.hit_count, 2u);
}

TEST(Collisions2Test, AnOverlapAtTheStartIsPushedOut) {
  const std::array<Box2, 1> boxes = {kUnit};
  const SlideResult result =
      MoveAndSlide(Circle{{0.5, 0.9}, 1.0}, {}, Walls{.boxes = boxes});
  ExpectNear(result.center, {0.5, 2.0});
}

TEST(Collisions2Test, WithoutHitsAllowedItStopsAtTheFirstWall) {
  const std::array<Box2, 1> boxes = {Box2{{-10.0, -1.0}, {10.0, 0.0}}};
  const SlideResult result = MoveAndSlide(Circle{{0.0, 2.0}, 1.0}, {4.0, -2.0},
                                          Walls{.boxes = boxes}, 0);
  ExpectNear(result.center, {2.0, 1.0});
}

TEST(Collisions2Test, NothingLeavesAClosedRoom) {
  RandomStream random = Draws(5);
  const std::array<Segment2, 5> walls = {
      Segment2{{-5.0, -5.0}, {5.0, -5.0}}, Segment2{{5.0, -5.0}, {6.0, 4.0}},
      Segment2{{6.0, 4.0}, {0.0, 6.0}}, Segment2{{0.0, 6.0}, {-6.0, 4.0}},
      Segment2{{-6.0, 4.0}, {-5.0, -5.0}}};
  const std::array<Box2, 1> boxes = {Box2{{-2.0, -2.0}, {-1.0, -1.0}}};
  const std::vector<ConvexPolygon2> polygons = {
      {{{1.0, 1.0}, {3.0, 1.0}, {2.0, 2.5}}}};
  const Walls room = {boxes, walls, polygons};
  Circle circle = {{0.0, 0.0}, 0.25};
  for (int i = 0; i < 5000; ++i) {
    const double reach = i % 10 == 0 ? 1000.0 : 2.0;
    const Vector2 motion = DrawVector2(random, reach);
    circle.center = MoveAndSlide(circle, motion, room).center;
    for (const Segment2& wall : walls) {
      const Vector2 inwards = Normalized(Perpendicular(wall.end - wall.start));
      ASSERT_GE(Dot(circle.center - wall.start, inwards), 0.25 - 1e-9) << i;
    }
    ASSERT_FALSE(Contains(boxes[0], circle.center));
    ASSERT_FALSE(ConvexContains(polygons[0].corners, circle.center));
  }
}

}  // namespace
}  // namespace reprise::sim
