// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// For tests of geometry: shapes drawn at random and comparisons of vectors.

#ifndef REPRISE_SIM_GEOMETRY_TESTING_GEOMETRY_H_
#define REPRISE_SIM_GEOMETRY_TESTING_GEOMETRY_H_

#include <vector>

#include "gtest/gtest.h"
#include "sim/base/id.h"
#include "sim/base/math.h"
#include "sim/base/random.h"
#include "sim/geometry/aabb.h"
#include "sim/geometry/quaternion.h"
#include "sim/geometry/shapes.h"
#include "sim/geometry/transform.h"
#include "sim/geometry/vector2.h"
#include "sim/geometry/vector3.h"

namespace reprise::sim {

inline RandomStream Draws(uint64_t seed) {
  return MakeRandomStream(seed, IdOf("geometry"));
}

inline double DrawBetween(RandomStream& random, double low, double high) {
  return low + (high - low) * NextUnit(random);
}

// In the cube or square of `size` to each side of the origin.
inline Vector3 DrawVector(RandomStream& random, double size) {
  const double x = DrawBetween(random, -size, size);
  const double y = DrawBetween(random, -size, size);
  const double z = DrawBetween(random, -size, size);
  return {x, y, z};
}
inline Vector2 DrawVector2(RandomStream& random, double size) {
  const double x = DrawBetween(random, -size, size);
  const double y = DrawBetween(random, -size, size);
  return {x, y};
}

inline Quaternion DrawRotation(RandomStream& random) {
  const Vector3 axis = DrawVector(random, 1.0);
  return FromAxisAngle(axis, DrawBetween(random, 0.0, 2.0 * kPi));
}

inline Transform DrawTransform(RandomStream& random) {
  const Vector3 position = DrawVector(random, 10.0);
  return {position, DrawRotation(random)};
}

inline Segment DrawSegment(RandomStream& random, double size) {
  const Vector3 start = DrawVector(random, size);
  return {start, DrawVector(random, size)};
}

inline Sphere DrawSphere(RandomStream& random) {
  const Vector3 center = DrawVector(random, 2.0);
  return {center, DrawBetween(random, 0.1, 1.5)};
}

inline Aabb DrawAabb(RandomStream& random) {
  const Vector3 a = DrawVector(random, 2.0);
  const Vector3 b = DrawVector(random, 2.0);
  return {Minimum(a, b), Maximum(a, b)};
}

inline OrientedBox DrawOrientedBox(RandomStream& random) {
  const Vector3 center = DrawVector(random, 2.0);
  const Vector3 size = DrawVector(random, 1.5);
  return {
      center, {Abs(size.x), Abs(size.y), Abs(size.z)}, DrawRotation(random)};
}

inline Vector3 DrawPointIn(const OrientedBox& box, RandomStream& random) {
  const Vector3 part = DrawVector(random, 1.0);
  return box.center + Rotate(box.rotation, {part.x * box.half_extents.x,
                                            part.y * box.half_extents.y,
                                            part.z * box.half_extents.z});
}

inline Capsule DrawCapsule(RandomStream& random) {
  const Vector3 start = DrawVector(random, 2.0);
  const Vector3 end = DrawVector(random, 2.0);
  return {start, end, DrawBetween(random, 0.1, 1.0)};
}

inline Triangle DrawTriangle(RandomStream& random) {
  const Vector3 a = DrawVector(random, 2.0);
  const Vector3 b = DrawVector(random, 2.0);
  const Vector3 c = DrawVector(random, 2.0);
  return {a, b, c};
}

// Corners on an ellipse, so that the polygon is convex, either way round.
inline std::vector<Vector2> DrawConvex(RandomStream& random) {
  const uint64_t count = 3 + NextBelow(random, 6);
  const Vector2 center = DrawVector2(random, 2.0);
  const double width = DrawBetween(random, 0.3, 2.0);
  const double height = DrawBetween(random, 0.3, 2.0);
  const double start_rad = DrawBetween(random, 0.0, 2.0 * kPi);
  const double turn_rad = (NextBelow(random, 2) == 0 ? 2.0 : -2.0) * kPi /
                          static_cast<double>(count);
  std::vector<Vector2> corners;
  for (uint64_t i = 0; i < count; ++i) {
    const double angle_rad = start_rad + turn_rad * static_cast<double>(i);
    corners.push_back(center +
                      Vector2{width * Cos(angle_rad), height * Sin(angle_rad)});
  }
  return corners;
}

inline void ExpectNear(Vector3 actual, Vector3 expected,
                       double tolerance = 1e-12) {
  EXPECT_NEAR(actual.x, expected.x, tolerance);
  EXPECT_NEAR(actual.y, expected.y, tolerance);
  EXPECT_NEAR(actual.z, expected.z, tolerance);
}

inline void ExpectNear(Vector2 actual, Vector2 expected,
                       double tolerance = 1e-12) {
  EXPECT_NEAR(actual.x, expected.x, tolerance);
  EXPECT_NEAR(actual.y, expected.y, tolerance);
}

inline void ExpectNear(Quaternion actual, Quaternion expected,
                       double tolerance = 1e-12) {
  EXPECT_NEAR(actual.x, expected.x, tolerance);
  EXPECT_NEAR(actual.y, expected.y, tolerance);
  EXPECT_NEAR(actual.z, expected.z, tolerance);
  EXPECT_NEAR(actual.w, expected.w, tolerance);
}

}  // namespace reprise::sim

#endif  // REPRISE_SIM_GEOMETRY_TESTING_GEOMETRY_H_
