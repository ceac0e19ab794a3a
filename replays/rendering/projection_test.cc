// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that cameras see points where pinholes put them, by numbers worked out
// by hand.

#include "replays/rendering/projection.h"

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

// Who looks along z has x to the left. Ten metres away the picture is 20 m
// high, so a metre has 45 pixels.
TEST(ProjectionTest, PointsAreSeenFromTheEye) {
  const Projection projection = Example();
  ExpectNear(projection.ToView({-2, 3, 0}), {2, 3, 10});
  ExpectNear(projection.ToView({0, 0, -11}), {0, 0, -1});
  EXPECT_NEAR(projection.scale() / 10, 45, 1e-9);
}

TEST(ProjectionTest, WithoutPerspectiveDistanceIsNothing) {
  Camera camera = {.view = LookAt({1, 50, 2}, {1, 0, 2}, {0, 0, -1})};
  camera.lens = {.height_m = 10, .near_m = 1, .far_m = 100};
  const Projection projection(camera, 400, 200);
  EXPECT_FALSE(projection.is_perspective());
  EXPECT_NEAR(projection.scale(), 20, 1e-9);
  for (const double y : {-20.0, 0.0, 20.0}) {
    ExpectNear(projection.ToView({3, y, 1}), {2, 1, 50 - y});
  }
}

}  // namespace
}  // namespace reprise::replays
