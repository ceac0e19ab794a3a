// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves the matrices of cameras on values known by hand, in both kinds of
// axes, and that a point comes back from the picture.

#include "sim/geometry/projection.h"

#include "gtest/gtest.h"
#include "sim/base/math.h"
#include "sim/geometry/coordinate_system.h"
#include "sim/geometry/testing_geometry.h"

namespace reprise::sim {
namespace {

constexpr Vector3 kUp = {0.0, 1.0, 0.0};
constexpr double kDegree = kPi / 180.0;

Vector3 In(const Matrix4& view, Vector3 point) {
  return ToVector3(view * PointOf(point));
}

TEST(ProjectionTest, LeftHandedLookAtAlongAnAxis) {
  const Matrix4 view = LookAt({0.0, 0.0, -5.0}, {}, kUp, Handedness::kLeft);
  EXPECT_EQ(view.rows[0], (Vector4{1.0, 0.0, 0.0, 0.0}));
  EXPECT_EQ(view.rows[1], (Vector4{0.0, 1.0, 0.0, 0.0}));
  EXPECT_EQ(view.rows[2], (Vector4{0.0, 0.0, 1.0, 5.0}));
}

TEST(ProjectionTest, LeftHandedLookAtFromTheSide) {
  const Matrix4 view = LookAt({10.0, 0.0, 0.0}, {}, kUp, Handedness::kLeft);
  EXPECT_EQ(view.rows[0], (Vector4{0.0, 0.0, 1.0, 0.0}));
  EXPECT_EQ(view.rows[1], (Vector4{0.0, 1.0, 0.0, 0.0}));
  EXPECT_EQ(view.rows[2], (Vector4{-1.0, 0.0, 0.0, 10.0}));
}

TEST(ProjectionTest, LeftHandedLookAtFromBehindAndAbove) {
  const Matrix4 view = LookAt({0.0, 50.0, -100.0}, {}, kUp, Handedness::kLeft);
  ExpectNear(ToVector3(view.rows[0]), {1.0, 0.0, 0.0});
  ExpectNear(ToVector3(view.rows[1]), {0.0, 0.894427, 0.447214}, 5e-7);
  ExpectNear(ToVector3(view.rows[2]), {0.0, -0.447214, 0.894427}, 5e-7);
  ExpectNear(In(view, {}), {0.0, 0.0, 111.803399}, 5e-7);
}

TEST(ProjectionTest, BothKindsOfAxesShowTheSamePicture) {
  RandomStream random = Draws(1);
  for (int i = 0; i < 300; ++i) {
    const Vector3 eye = DrawVector(random, 10.0);
    const Vector3 target = DrawVector(random, 10.0);
    const Vector3 point = DrawVector(random, 10.0);
    const Vector3 right_handed = In(LookAt(eye, target, kUp), point);
    const Matrix4 mirrored =
        LookAt(ExchangeHandedness(eye), ExchangeHandedness(target), kUp,
               Handedness::kLeft);
    ExpectNear(In(mirrored, ExchangeHandedness(point)),
               ExchangeHandedness(right_handed));
  }
}

TEST(ProjectionTest, TheTargetIsStraightAheadAndTheEyeAtTheOrigin) {
  RandomStream random = Draws(2);
  for (int i = 0; i < 300; ++i) {
    const Vector3 eye = DrawVector(random, 10.0);
    const Vector3 target = DrawVector(random, 10.0);
    const Matrix4 view = LookAt(eye, target, kUp);
    ExpectNear(In(view, eye), {});
    ExpectNear(In(view, target), {0.0, 0.0, -Length(target - eye)});
  }
}

TEST(ProjectionTest, LookAtStraightUpOrAtItselfIsARotation) {
  for (const Vector3 target : {Vector3{1.0, 9.0, 3.0}, Vector3{1.0, 2.0, 3.0},
                               Vector3{1.0, -9.0, 3.0}}) {
    const Matrix4 view = LookAt({1.0, 2.0, 3.0}, target, kUp);
    const Vector3 x = ToVector3(view.rows[0]), y = ToVector3(view.rows[1]);
    EXPECT_NEAR(Length(x), 1.0, 1e-15);
    ExpectNear(Cross(x, y), ToVector3(view.rows[2]));
  }
}

TEST(ProjectionTest, OrthographicDepthRunsFromNearToFar) {
  const Matrix4 projection =
      Orthographic(4.0, 2.0, {1.0, 101.0}, Handedness::kLeft);
  EXPECT_NEAR(In(projection, {0.0, 0.0, 1.0}).z, 0.0, 1e-15);
  EXPECT_NEAR(In(projection, {0.0, 0.0, 101.0}).z, 1.0, 1e-15);
  EXPECT_EQ(In(projection, {2.0, 1.0, 5.0}).x, 1.0);
  EXPECT_EQ(In(projection, {2.0, 1.0, 50.0}).y, 1.0);
}

TEST(ProjectionTest, PerspectiveOfAWideScreen) {
  const Matrix4 projection =
      Perspective(60.0 * kDegree, 16.0 / 9.0, {0.1, 100.0}, Handedness::kLeft);
  EXPECT_NEAR(projection.rows[1].y, 1.7320508, 5e-8);
  EXPECT_NEAR(projection.rows[0].x, 0.9742786, 5e-8);
  EXPECT_NEAR(projection.rows[2].z, 1.001001, 5e-7);
  EXPECT_NEAR(projection.rows[2].w, -0.1001001, 5e-8);
  EXPECT_EQ(projection.rows[3], (Vector4{0.0, 0.0, 1.0, 0.0}));
}

TEST(ProjectionTest, PerspectiveDepth) {
  const Matrix4 projection =
      Perspective(60.0 * kDegree, 16.0 / 9.0, {0.1, 100.0}, Handedness::kLeft);
  const auto depth = [&](double z) {
    return Project(projection, {0.0, 0.0, z}).value().z;
  };
  EXPECT_NEAR(depth(0.1), 0.0, 1e-12);
  EXPECT_NEAR(depth(1.0), 0.900901, 5e-7);
  EXPECT_NEAR(depth(50.0), 0.998999, 5e-7);
  EXPECT_NEAR(depth(100.0), 1.0, 1e-12);
}

TEST(ProjectionTest, ViewOf65DegreesOnTwoScreens) {
  const auto scale_of = [](double aspect) {
    const Matrix4 m = Perspective(65.0 * kDegree, aspect, {});
    return Vector2{m.rows[0].x, m.rows[1].y};
  };
  EXPECT_NEAR(scale_of(16.0 / 9.0).y, 1.569686, 5e-7);
  EXPECT_NEAR(scale_of(16.0 / 9.0).x, 0.882948, 5e-7);
  const auto across_degrees = [&](double aspect) {
    return 2.0 * Atan(1.0 / scale_of(aspect).x) / kDegree;
  };
  EXPECT_NEAR(across_degrees(16.0 / 9.0), 97.114, 5e-4);
  EXPECT_NEAR(across_degrees(4.0 / 3.0), 80.691, 5e-4);
}

TEST(ProjectionTest, UnprojectDividesByW) {
  const Matrix4 camera =
      Perspective(90.0 * kDegree, 16.0 / 9.0, {1.0, 100.0}, Handedness::kLeft) *
      LookAt({0.0, 0.0, -10.0}, {}, kUp, Handedness::kLeft);
  const auto at = [&](Vector3 picture) {
    return Unproject(camera, picture).value();
  };
  ExpectNear(at({0.0, 0.0, 0.0}), {0.0, 0.0, -9.0});
  ExpectNear(at({0.0, 0.0, 1.0}), {0.0, 0.0, 90.0}, 1e-9);
  ExpectNear(at({1.0, 1.0, 0.0}), {1.777778, 1.0, -9.0}, 5e-7);
  ExpectNear(at({1.0, 1.0, 1.0}), {177.7778, 100.0, 90.0}, 5e-5);
  EXPECT_NEAR(at({0.0, 0.0, 0.1}).z, -8.890122, 5e-7);
}

TEST(ProjectionTest, PointsComeBackFromThePicture) {
  RandomStream random = Draws(3);
  for (int i = 0; i < 300; ++i) {
    const Vector3 eye = DrawVector(random, 10.0);
    const Matrix4 camera = Perspective(1.0, 1.5, {0.5, 100.0}) *
                           LookAt(eye, DrawVector(random, 10.0), kUp);
    const Vector3 point = DrawVector(random, 10.0);
    const std::optional<Vector3> picture = Project(camera, point);
    if (!picture.has_value()) continue;
    ExpectNear(Unproject(camera, *picture).value(), point, 1e-6);
  }
}

TEST(ProjectionTest, WhatIsBehindTheEyeHasNoPicture) {
  const Matrix4 camera = Perspective(1.0, 1.0, {1.0, 10.0});
  EXPECT_FALSE(Project(camera, {0.0, 0.0, 1.0}).has_value());
  EXPECT_FALSE(Project(camera, {}).has_value());
  EXPECT_FALSE(Unproject(ScaleMatrix({0.0, 1.0, 1.0}), {}).has_value());
}

}  // namespace
}  // namespace reprise::sim
