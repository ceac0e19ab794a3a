// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that points fall on the pixels that pinhole cameras put them on, by
// numbers worked out by hand, and that the way back leads to the same points.

#include "replays/rendering/projection.h"

#include <array>
#include <cmath>
#include <optional>

#include "gtest/gtest.h"
#include "sim/base/math.h"
#include "sim/geometry/quaternion.h"
#include "sim/geometry/vector3.h"

namespace reprise::replays {
namespace {

using sim::Vector3;

void ExpectNear(const Vector3& actual, const Vector3& expected,
                double error = 1e-6) {
  EXPECT_NEAR(actual.x, expected.x, error);
  EXPECT_NEAR(actual.y, expected.y, error);
  EXPECT_NEAR(actual.z, expected.z, error);
}

// From (0, 0, -10) along z, 90 degrees high.
Projection Example() {
  Camera camera = {.view = LookAt({0, 0, -10}, {0, 0, 0}, {0, 1, 0})};
  camera.lens = {
      .field_of_view_rad = sim::Radians(90), .near_m = 1, .far_m = 100};
  return Projection(camera, 1600, 900);
}

TEST(ProjectionTest, LooksWithUprightAxes) {
  const CameraView view = LookAt({0, 50, -100}, {0, 0, 0}, {0, 1, 0});
  ExpectNear(view.forward, {0, -0.447214, 0.894427});
  ExpectNear(view.left, {1, 0, 0});
  ExpectNear(view.up, {0, 0.894427, 0.447214});
}

TEST(ProjectionTest, StraightDownStillHasAnUp) {
  const CameraView view = LookAt({0, 9, 0}, {0, 0, 0}, {0, 1, 0});
  ExpectNear(view.forward, {0, -1, 0});
  EXPECT_NEAR(sim::Length(view.left), 1, 1e-12);
  EXPECT_NEAR(sim::Dot(view.left, view.up), 0, 1e-12);
}

TEST(ProjectionTest, ScalesFollowFromTheFieldOfView) {
  EXPECT_NEAR(YScale(sim::Radians(65)), 1.569686, 1e-6);
  const double degree = sim::Radians(1);
  EXPECT_NEAR(HorizontalFieldOfView(65 * degree, 16.0 / 9) / degree, 97.114,
              1e-3);
  EXPECT_NEAR(HorizontalFieldOfView(65 * degree, 4.0 / 3) / degree, 80.691,
              1e-3);
}

// Who looks along z has x to the left.
TEST(ProjectionTest, UnprojectsMiddleAndCorner) {
  const Projection projection = Example();
  ExpectNear(projection.Unproject({800, 450, 0}), {0, 0, -9});
  ExpectNear(projection.Unproject({800, 450, 1}), {0, 0, 90});
  ExpectNear(projection.Unproject({800, 450, 0.1}), {0, 0, -8.890122});
  ExpectNear(projection.Unproject({1600, 0, 0}), {-1.777778, 1, -9});
  ExpectNear(projection.Unproject({1600, 0, 1}), {-177.7777777, 100, 90});
}

TEST(ProjectionTest, PointsFallOnTheirPixels) {
  const Projection projection = Example();
  // Ten metres away the picture is 20 m high, so a metre has 45 pixels.
  const std::optional<ScreenPoint> point = projection.Project({-2, 3, 0});
  ASSERT_TRUE(point.has_value());
  EXPECT_NEAR(point->x, 800 + 2 * 45, 1e-9);
  EXPECT_NEAR(point->y, 450 - 3 * 45, 1e-9);
  EXPECT_NEAR(point->depth, 100.0 / 99 - 100.0 / 990, 1e-12);
  EXPECT_FALSE(projection.Project({0, 0, -11}).has_value());
}

TEST(ProjectionTest, WithoutPerspectiveDistanceIsNothing) {
  Camera camera = {.view = LookAt({1, 50, 2}, {1, 0, 2}, {0, 0, -1})};
  camera.lens = {.height_m = 10, .near_m = 1, .far_m = 100};
  const Projection projection(camera, 400, 200);
  for (const double y : {-20.0, 0.0, 20.0}) {
    const std::optional<ScreenPoint> point = projection.Project({3, y, 1});
    ASSERT_TRUE(point.has_value());
    EXPECT_NEAR(point->x, 200 + 2 * 20, 1e-9);
    EXPECT_NEAR(point->y, 100 - 1 * 20, 1e-9);
  }
}

TEST(ProjectionTest, TheWayBackLeadsThere) {
  Camera camera = {.view = LookAt({3, 4, 5}, {-1, 0.5, 2}, {0, 1, 0})};
  for (const double height : {0.0, 12.0}) {
    camera.lens.height_m = height;
    const Projection projection(camera, 640, 360);
    for (const Vector3& place :
         {Vector3{0, 0, 0}, Vector3{-2, 1, 1}, Vector3{1, 2, -3}}) {
      const std::optional<ScreenPoint> point = projection.Project(place);
      ASSERT_TRUE(point.has_value());
      ExpectNear(projection.Unproject(*point), place, 1e-6);
    }
  }
}

TEST(ProjectionTest, APickedSegmentGoesThroughItsPoint) {
  const Projection projection = Example();
  const auto [start, end] = projection.Pick(1000, 300);
  const Vector3 way = sim::Normalized(end - start);
  // At the depth of the origin: 200 pixels right, 150 up, 45 a metre.
  const Vector3 point = {-200.0 / 45, 150.0 / 45, 0};
  EXPECT_NEAR(sim::Length(sim::Cross(point - start, way)), 0, 1e-9);
  EXPECT_GT(sim::Dot(way, {0, 0, 1}), 0);
}

}  // namespace
}  // namespace reprise::replays
