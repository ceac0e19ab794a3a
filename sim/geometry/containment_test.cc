// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that surfaces belong to shapes, and which polygons are refused, on
// points that doubles hold exactly.

#include "sim/geometry/containment.h"

#include <limits>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "sim/base/math.h"
#include "sim/geometry/closest_points.h"
#include "sim/geometry/testing_geometry.h"

namespace reprise::sim {
namespace {

const std::vector<Vector2> kSquare = {
    {0.0, 0.0}, {1.0, 0.0}, {1.0, 1.0}, {0.0, 1.0}};
const std::vector<Vector2> kClockwise = {
    {0.0, 0.0}, {0.0, 1.0}, {1.0, 1.0}, {1.0, 0.0}};

ConvexPolygon InSpace(const std::vector<Vector2>& corners, double height) {
  ConvexPolygon polygon;
  for (const Vector2 corner : corners) {
    polygon.corners.push_back({corner.x, height, corner.y});
  }
  return polygon;
}

TEST(ContainmentTest, SphereAndCapsule) {
  const Sphere sphere = {{1.0, 0.0, 0.0}, 5.0};
  EXPECT_TRUE(Contains(sphere, {4.0, 4.0, 0.0}));
  EXPECT_FALSE(Contains(sphere, {4.0, 4.0, 0.001}));
  const Capsule capsule = {{0.0, 0.0, 0.0}, {4.0, 0.0, 0.0}, 5.0};
  EXPECT_TRUE(Contains(capsule, {2.0, 0.0, 5.0}));
  EXPECT_TRUE(Contains(capsule, {7.0, 4.0, 0.0}));
  EXPECT_FALSE(Contains(capsule, {7.001, 4.0, 0.0}));
}

TEST(ContainmentTest, OrientedBox) {
  const OrientedBox box = {
      {1.0, 1.0, 1.0}, {2.0, 0.5, 0.5}, {0.0, 0.0, 1.0, 0.0}};
  EXPECT_TRUE(Contains(box, {3.0, 1.5, 0.5}));
  EXPECT_FALSE(Contains(box, {3.001, 1.0, 1.0}));
  const OrientedBox turned = {
      {}, {2.0, 0.5, 0.5}, FromAxisAngle({0.0, 0.0, 1.0}, kPi / 2)};
  EXPECT_TRUE(Contains(turned, {0.0, 1.99, 0.0}));
  EXPECT_FALSE(Contains(turned, {1.99, 0.0, 0.0}));
}

TEST(ContainmentTest, Cone) {
  const Cone cone = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, kPi / 6, 2.0};
  EXPECT_TRUE(Contains(cone, {1.0, 0.0, 0.0}));
  EXPECT_TRUE(Contains(cone, {1.0, 2.0, 0.0}));
  EXPECT_FALSE(Contains(cone, {1.0, 2.001, 0.0}));
  EXPECT_FALSE(Contains(cone, {1.0, -0.001, 0.0}));
  EXPECT_TRUE(Contains(cone, {1.0 + 0.577, 1.0, 0.0}));
  EXPECT_FALSE(Contains(cone, {1.0 + 0.578, 1.0, 0.0}));
}

TEST(ContainmentTest, AConeWithoutAnAngleIsItsAxis) {
  const Cone cone = {{}, {0.0, 1.0, 0.0}, 0.0, 2.0};
  EXPECT_TRUE(Contains(cone, {0.0, 1.0, 0.0}));
  EXPECT_FALSE(Contains(cone, {1e-9, 1.0, 0.0}));
}

TEST(ContainmentTest, AConeContainsWhatItsAngleSays) {
  RandomStream random = Draws(1);
  for (int i = 0; i < 3000; ++i) {
    const Vector3 apex = DrawVector(random, 1.0);
    const Vector3 axis = Normalized(DrawVector(random, 1.0));
    const Cone cone = {apex, axis, DrawBetween(random, 0.1, 1.5), 2.0};
    const Vector3 to_point = DrawVector(random, 2.0);
    const bool expected = AngleBetween(to_point, axis) <= cone.half_angle_rad &&
                          Dot(to_point, axis) <= cone.length;
    EXPECT_EQ(Contains(cone, apex + to_point), expected);
  }
}

TEST(ContainmentTest, PolygonsOfBothWindings) {
  for (const auto& corners : {kSquare, kClockwise}) {
    EXPECT_TRUE(ConvexContains(corners, {0.5, 0.5}));
    EXPECT_FALSE(ConvexContains(corners, {2.0, 0.5}));
    EXPECT_TRUE(ConvexContains(corners, {1.0, 0.5}));
    EXPECT_TRUE(ConvexContains(corners, {1.0, 1.0}));
    const ConvexPolygon polygon = InSpace(corners, 3.0);
    EXPECT_TRUE(Contains(polygon, {0.5, 3.0, 0.5}));
    EXPECT_FALSE(Contains(polygon, {2.0, 3.0, 0.5}));
    EXPECT_TRUE(Contains(polygon, {1.0, 3.0, 0.5}));
    EXPECT_TRUE(Contains(polygon, {1.0, 3.0, 1.0}));
    // On the line of a side, beyond it.
    EXPECT_FALSE(Contains(polygon, {1.0, 3.0, 1.5}));
  }
}

TEST(ContainmentTest, ATriangleAgreesWithItsClosestPoint) {
  RandomStream random = Draws(2);
  for (int i = 0; i < 3000; ++i) {
    const Triangle triangle = DrawTriangle(random);
    const Vector3 normal = NormalOf(triangle.a, triangle.b, triangle.c).value();
    const Vector3 on_plane =
        ClosestPoint(PlaneThrough(triangle.a, normal), DrawVector(random, 2.0));
    EXPECT_EQ(Contains(triangle, on_plane),
              Distance(triangle, on_plane) < 1e-12);
  }
}

TEST(ContainmentTest, ATriangleWithoutAreaIsItsLine) {
  const Triangle flat = {{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {4.0, 0.0, 0.0}};
  EXPECT_TRUE(Contains(flat, {2.0, 0.0, 0.0}));
  EXPECT_FALSE(Contains(flat, {2.0, 1.0, 0.0}));
  EXPECT_FALSE(Contains(flat, {5.0, 0.0, 0.0}));
}

TEST(ContainmentTest, PrismStandsBetweenItsHeights) {
  for (const auto& corners : {kSquare, kClockwise}) {
    const ConvexPrism prism = {corners, -1.0, 2.0};
    EXPECT_TRUE(Contains(prism, {0.5, 0.0, 0.5}));
    EXPECT_TRUE(Contains(prism, {1.0, 2.0, 1.0}));
    EXPECT_FALSE(Contains(prism, {0.5, 2.001, 0.5}));
    EXPECT_FALSE(Contains(prism, {0.5, -1.001, 0.5}));
    EXPECT_FALSE(Contains(prism, {1.001, 0.0, 0.5}));
  }
}

TEST(ContainmentTest, HeightsTellATunnelFromTheMeadowAboveIt) {
  const ConvexPrism meadow = {kSquare, 0.0, 10.0};
  const ConvexPrism tunnel = {kSquare, -5.0, -2.0};
  EXPECT_FALSE(Contains(meadow, {0.5, -3.0, 0.5}));
  EXPECT_TRUE(Contains(tunnel, {0.5, -3.0, 0.5}));
}

TEST(ContainmentTest, AHullWithoutPlanesIsEverywhere) {
  EXPECT_TRUE(Contains(ConvexHull{}, {1e9, -1e9, 0.0}));
  const ConvexHull half = {{Plane{.normal = {0.0, 1.0, 0.0}, .offset = -2.0}}};
  EXPECT_TRUE(Contains(half, {5.0, 2.0, 5.0}));
  EXPECT_FALSE(Contains(half, {5.0, 2.001, 5.0}));
}

TEST(ContainmentTest, ConvexPolygonsAreAccepted) {
  EXPECT_TRUE(ValidateConvex(kSquare).ok());
  EXPECT_TRUE(ValidateConvex(kClockwise).ok());
  EXPECT_TRUE(Validate(InSpace(kSquare, 3.0)).ok());
  // A corner in the middle of a side.
  const std::vector<Vector2> with_middle = {
      {0.0, 0.0}, {0.5, 0.0}, {1.0, 0.0}, {1.0, 1.0}, {0.0, 1.0}};
  EXPECT_TRUE(ValidateConvex(with_middle).ok());
  RandomStream random = Draws(3);
  for (int i = 0; i < 300; ++i) {
    EXPECT_TRUE(ValidateConvex(DrawConvex(random)).ok());
  }
}

TEST(ContainmentTest, WhatIsNotAConvexPolygonIsRefused) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<std::vector<Vector2>> polygons = {
      {},
      {{0.0, 0.0}, {1.0, 0.0}},
      {{0.0, 0.0}, {1.0, 0.0}, {2.0, 0.0}},
      {{0.0, 0.0}, {1.0, 0.0}, {1.0, 0.0}, {0.0, 1.0}},
      {{0.0, 0.0}, {2.0, 0.0}, {0.5, 0.5}, {0.0, 2.0}},
      {{0.0, 0.0}, {1.0, 0.0}, {1.0, nan}}};
  for (const std::vector<Vector2>& polygon : polygons) {
    EXPECT_EQ(ValidateConvex(polygon).code(),
              absl::StatusCode::kInvalidArgument);
  }
}

TEST(ContainmentTest, AStarIsRefusedThoughItTurnsOneWay) {
  std::vector<Vector2> star;
  for (int i = 0; i < 5; ++i) {
    star.push_back({Cos(0.8 * kPi * i), Sin(0.8 * kPi * i)});
  }
  EXPECT_EQ(ValidateConvex(star).code(), absl::StatusCode::kInvalidArgument);
}

TEST(ContainmentTest, APolygonThatIsNotFlatIsRefused) {
  ConvexPolygon bent = InSpace(kSquare, 3.0);
  bent.corners[2].y = 3.1;
  EXPECT_EQ(Validate(bent).code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(Validate(ConvexPolygon{}).code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(ContainmentTest, APrismUpsideDownIsRefused) {
  EXPECT_TRUE(Validate(ConvexPrism{kSquare, 1.0, 1.0}).ok());
  EXPECT_EQ(Validate(ConvexPrism{kSquare, 2.0, 1.0}).code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(ContainmentDeathTest, TwoCornersAreNoPolygon) {
  const std::vector<Vector2> corners = {{0.0, 0.0}, {1.0, 0.0}};
  EXPECT_DEATH(ConvexContains(corners, {}), "2 corners");
}

}  // namespace
}  // namespace reprise::sim
