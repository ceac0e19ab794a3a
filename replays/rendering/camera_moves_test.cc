// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves the formulas of moving cameras by numbers worked out by hand and by
// what has to stay as it is: lengths, right angles, a spring that doesn't
// swing.

#include "replays/rendering/camera_moves.h"

#include <map>

#include "gtest/gtest.h"
#include "replays/rendering/projection.h"
#include "sim/base/math.h"
#include "sim/geometry/quaternion.h"

namespace reprise::replays {
namespace {

using sim::Vector3;

void ExpectNear(const Vector3& actual, const Vector3& expected,
                double error = 1e-6) {
  EXPECT_NEAR(actual.x, expected.x, error);
  EXPECT_NEAR(actual.y, expected.y, error);
  EXPECT_NEAR(actual.z, expected.z, error);
}

TEST(CameraMovesTest, FollowsBehindAndAbove) {
  ExpectNear(FollowEye({}, 100, 50), {0, 50, -100});
  ExpectNear(FollowEye({.position = {1, 2, 3}, .forward = {1, 0, 0}}, 4, 2),
             {-3, 4, 3});
}

// The ideal place steps from 0 to 1.
TEST(CameraMovesTest, TheSpringClosesInWithoutSwinging) {
  const std::map<int, double> expected = {
      {1, 0.0277778},  {2, 0.0733025},  {3, 0.1293939}, {6, 0.3175548},
      {12, 0.6297011}, {30, 0.9533827}, {60, 0.9986355}};
  SpringEye spring(100, {0, 0, 0});
  double last = 0;
  for (int step = 1; step <= 60; ++step) {
    spring.Step({1, 0, 0}, 1.0 / 60);
    EXPECT_GT(spring.eye().x, last);
    EXPECT_LT(spring.eye().x, 1);
    last = spring.eye().x;
    const auto known = expected.find(step);
    if (known == expected.end()) continue;
    EXPECT_NEAR(last, known->second, 5e-8) << step;
  }
}

TEST(CameraMovesTest, TheSpringIsStableUpToItsBound) {
  const double bound = SpringEye::StiffnessMax(1.0 / 60);
  EXPECT_GT(bound, 2460);
  EXPECT_LT(bound, 2480);
  SpringEye spring(0.999 * bound, {0, 0, 0});
  for (int i = 0; i < 20000; ++i) spring.Step({1, 0, 0}, 1.0 / 60);
  EXPECT_NEAR(spring.eye().x, 1, 1e-3);
}

TEST(CameraMovesTest, OrbitsByYawThenPitch) {
  const OrbitOffset start({0, 0, -10}, {0, 1, 0});
  OrbitOffset yawed = start;
  yawed.Turn(sim::Radians(90), 0);
  ExpectNear(yawed.offset(), {-10, 0, 0});
  OrbitOffset pitched = start;
  pitched.Turn(0, sim::Radians(30));
  ExpectNear(pitched.offset(), {0, 5, -8.660254});
  ExpectNear(pitched.up(), {0, 0.866025, 0.5});
  OrbitOffset both = start;
  both.Turn(sim::Radians(90), sim::Radians(30));
  ExpectNear(both.offset(), {-8.660254, 5, 0});
}

TEST(CameraMovesTest, AnOrbitKeepsItsRadiusOverThePoles) {
  OrbitOffset orbit({0, 0, -10}, {0, 1, 0});
  for (int i = 0; i < 1000; ++i) orbit.Turn(0.1, 0.03);
  EXPECT_NEAR(sim::Length(orbit.offset()), 10, 1e-11);
  EXPECT_NEAR(sim::Dot(orbit.offset(), orbit.up()), 0, 1e-11);
}

TEST(CameraMovesTest, FirstPersonsLookDownByPitchAndNoFurtherThanTheyCan) {
  const Vector3 straight = {0, 0, 10};
  ExpectNear(FirstPersonGaze(straight, sim::Radians(90), 0), {10, 0, 0});
  ExpectNear(FirstPersonGaze(straight, 0, 2), {0, -7.032794, 7.109135});
  ExpectNear(FirstPersonGaze(straight, 0, -2), {0, 7.032794, 7.109135});
}

TEST(CameraMovesTest, BetweenTwoCamerasEyesGoStraightAndAxesStayUpright) {
  const Camera from = {.view = LookAt({0, 0, 0}, {0, 0, 5}, {0, 1, 0})};
  const Camera to = {.view = LookAt({4, 2, 0}, {9, 2, 0}, {0, 1, 0})};
  const CameraView view = Interpolate(from, to, 0.5).view;
  ExpectNear(view.eye, {2, 1, 0});
  ExpectNear(view.forward, {0.7071068, 0, 0.7071068});
  ExpectNear(view.up, {0, 1, 0});
  ExpectNear(view.left, {0.7071068, 0, -0.7071068});
  ExpectNear(Interpolate(from, to, 0).view.forward, from.view.forward);
  // Straight down, as without perspective, what is up stays so.
  const Camera flat = {.view = LookAt({0, 9, 0}, {}, {0, 0, -1})};
  ExpectNear(Interpolate(flat, flat, 0.3).view.up, {0, 0, -1});
}

}  // namespace
}  // namespace reprise::replays
