// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that a cone meets a sphere or a box exactly when the two have a point
// in common: on cases that can be seen, against points drawn from boxes, and
// against a search for the nearest points of the two by projecting to and fro.

#include "sim/geometry/spatial/spatial_cone.h"

#include <cstdint>

#include "gtest/gtest.h"
#include "sim/base/math.h"
#include "sim/base/random.h"
#include "sim/geometry/closest_points.h"
#include "sim/geometry/containment.h"
#include "sim/geometry/quaternion.h"

namespace reprise::sim {
namespace {

// 45 degrees around +x, 4 m long: its rim has a radius of 4 m at x = 4.
constexpr Cone kCone = {.apex = {},
                        .axis = {1.0, 0.0, 0.0},
                        .half_angle_rad = kPi / 4.0,
                        .length = 4.0};

double DrawBetween(RandomStream& random, double low, double high) {
  return low + NextUnit(random) * (high - low);
}

Vector3 DrawVector(RandomStream& random, double size) {
  const double x = DrawBetween(random, -size, size);
  const double y = DrawBetween(random, -size, size);
  const double z = DrawBetween(random, -size, size);
  return {x, y, z};
}

Cone DrawCone(RandomStream& random) {
  Cone cone;
  cone.apex = DrawVector(random, 3.0);
  cone.axis = Normalized(DrawVector(random, 1.0));
  cone.half_angle_rad = DrawBetween(random, 0.02, 1.5);
  cone.length = DrawBetween(random, 0.1, 4.0);
  return cone;
}

OrientedBox DrawBox(RandomStream& random) {
  OrientedBox box;
  box.center = DrawVector(random, 3.0);
  const Vector3 half = DrawVector(random, 2.0);
  box.half_extents = Maximum(half, -half);
  // Flat ones, too.
  if (NextBelow(random, 4) == 0) box.half_extents.y = 0.0;
  const Vector3 axis = DrawVector(random, 1.0);
  box.rotation = FromAxisAngle(axis, DrawBetween(random, 0.0, kPi));
  return box;
}

// How far apart the two come by projecting to and fro: convex sets get as near
// to each other as they are.
double Apart(const Cone& cone, const OrientedBox& box) {
  Vector3 in_box = box.center;
  double apart = 0.0;
  for (int i = 0; i < 1000; ++i) {
    const Vector3 in_cone = ClosestPoint(cone, in_box);
    in_box = ClosestPoint(box, in_cone);
    apart = Length(in_box - in_cone);
  }
  return apart;
}

TEST(SpatialConeTest, ClosestPointsAreOnTheSideTheRimTheEndAndTheApex) {
  EXPECT_EQ(ClosestPoint(kCone, {2.0, 1.0, 0.5}), (Vector3{2.0, 1.0, 0.5}));
  EXPECT_EQ(ClosestPoint(kCone, {-3.0, 1.0, 0.0}), Vector3{});
  EXPECT_EQ(ClosestPoint(kCone, {9.0, 1.0, 0.0}), (Vector3{4.0, 1.0, 0.0}));
  const Vector3 side = ClosestPoint(kCone, {0.0, 0.0, 2.0});
  EXPECT_NEAR(Length(side - Vector3{1.0, 0.0, 1.0}), 0.0, 1e-15);
  const Vector3 rim = ClosestPoint(kCone, {5.0, 9.0, 0.0});
  EXPECT_NEAR(Length(rim - Vector3{4.0, 4.0, 0.0}), 0.0, 1e-14);
}

TEST(SpatialConeTest, ClosestPointsAreInTheConeAndNoneIsCloser) {
  RandomStream random = MakeRandomStream(1, IdOf("closest"));
  for (int i = 0; i < 2'000; ++i) {
    const Cone cone = DrawCone(random);
    const Vector3 point = DrawVector(random, 6.0);
    const Vector3 closest = ClosestPoint(cone, point);
    // Up to rounding: a hair towards the middle it is well inside.
    const Vector3 middle = cone.apex + cone.axis * (0.5 * cone.length);
    ASSERT_TRUE(Contains(cone, closest + (middle - closest) * 1e-9)) << i;
    for (int j = 0; j < 50; ++j) {
      const Vector3 other = DrawVector(random, 6.0);
      if (!Contains(cone, other)) continue;
      ASSERT_LE(Length(closest - point), Length(other - point) + 1e-12) << i;
    }
  }
}

TEST(SpatialConeTest, SpheresTouchTheApexTheEndAndTheSide) {
  EXPECT_TRUE(Overlaps(kCone, Sphere{{-2.0, 0.0, 0.0}, 2.0}));
  EXPECT_FALSE(Overlaps(kCone, Sphere{{-2.0, 0.0, 0.0}, 1.999}));
  EXPECT_TRUE(Overlaps(kCone, Sphere{{6.0, 1.0, 0.0}, 2.0}));
  EXPECT_FALSE(Overlaps(kCone, Sphere{{6.0, 1.0, 0.0}, 1.999}));
  EXPECT_TRUE(Overlaps(kCone, Sphere{{0.0, 2.0, 0.0}, 1.415}));
  EXPECT_FALSE(Overlaps(kCone, Sphere{{0.0, 2.0, 0.0}, 1.414}));
  EXPECT_TRUE(Overlaps(kCone, Sphere{{3.0, 0.0, 0.0}, 0.0}));
}

TEST(SpatialConeTest, BoxesAreMetByTheAxisTheSideTheEndAndTheApex) {
  // A wall that the cone goes through without reaching the wall's edges.
  EXPECT_TRUE(Overlaps(kCone, Aabb{{2.0, -9.0, -9.0}, {2.0, 9.0, 9.0}}));
  EXPECT_TRUE(Overlaps(kCone, Aabb{{4.0, -9.0, -9.0}, {5.0, 9.0, 9.0}}));
  EXPECT_FALSE(Overlaps(kCone, Aabb{{4.01, -9.0, -9.0}, {5.0, 9.0, 9.0}}));
  // A wall along the side, which only the end reaches.
  EXPECT_TRUE(Overlaps(kCone, Aabb{{-9.0, 3.9, -9.0}, {9.0, 5.0, 9.0}}));
  EXPECT_FALSE(Overlaps(kCone, Aabb{{-9.0, 4.01, -9.0}, {9.0, 5.0, 9.0}}));
  // An edge across the side.
  EXPECT_TRUE(Overlaps(kCone, Aabb{{-9.0, 1.0, -9.0}, {1.0, 5.0, 9.0}}));
  EXPECT_FALSE(Overlaps(kCone, Aabb{{-9.0, 1.0, -9.0}, {0.99, 5.0, 9.0}}));
  // The apex, from behind; and the whole cone within a box.
  EXPECT_TRUE(Overlaps(kCone, Aabb{{-1.0, 0.0, 0.0}, {0.0, 1.0, 1.0}}));
  EXPECT_FALSE(Overlaps(kCone, Aabb{{-1.0, -1.0, -1.0}, {-0.01, 1.0, 1.0}}));
  EXPECT_TRUE(Overlaps(kCone, Aabb{{-9.0, -9.0, -9.0}, {9.0, 9.0, 9.0}}));
}

TEST(SpatialConeTest, AConeWithoutAnAngleOrALengthIsASegmentOrAPoint) {
  const Aabb box = {{2.0, 0.0, 0.0}, {3.0, 1.0, 1.0}};
  Cone thin = kCone;
  thin.half_angle_rad = 0.0;
  EXPECT_TRUE(Overlaps(thin, box));
  EXPECT_TRUE(Overlaps(thin, Sphere{{2.0, 1.0, 0.0}, 1.0}));
  EXPECT_FALSE(Overlaps(thin, Sphere{{2.0, 1.0, 0.0}, 0.99}));
  Cone point = kCone;
  point.length = 0.0;
  EXPECT_FALSE(Overlaps(point, box));
  point.apex = {2.5, 0.5, 0.5};
  EXPECT_TRUE(Overlaps(point, box));
  EXPECT_TRUE(Overlaps(point, Sphere{{2.5, 1.5, 0.5}, 1.0}));
}

TEST(SpatialConeTest, BoxesWithAPointInTheConeAreMet) {
  RandomStream random = MakeRandomStream(2, IdOf("sample"));
  int inside_count = 0;
  for (int i = 0; i < 3'000; ++i) {
    const Cone cone = DrawCone(random);
    const OrientedBox box = DrawBox(random);
    const bool overlaps = Overlaps(cone, box);
    for (int j = 0; j < 50; ++j) {
      const Vector3 unit = DrawVector(random, 1.0);
      const Vector3 local = {unit.x * box.half_extents.x,
                             unit.y * box.half_extents.y,
                             unit.z * box.half_extents.z};
      if (!Contains(cone, box.center + Rotate(box.rotation, local))) continue;
      ++inside_count;
      ASSERT_TRUE(overlaps) << "case " << i;
    }
  }
  EXPECT_GT(inside_count, 3'000);
}

TEST(SpatialConeTest, BoxesAreMetExactlyWhenNothingIsBetween) {
  RandomStream random = MakeRandomStream(3, IdOf("apart"));
  int met_count = 0;
  int missed_count = 0;
  for (int i = 0; i < 2'000; ++i) {
    const Cone cone = DrawCone(random);
    const OrientedBox box = DrawBox(random);
    const double apart = Apart(cone, box);
    // Where they barely touch the search comes near but slowly.
    if (apart > 1e-12 && apart < 0.02) continue;
    ASSERT_EQ(Overlaps(cone, box), apart <= 1e-12) << "case " << i;
    ++(apart <= 1e-12 ? met_count : missed_count);
  }
  EXPECT_GT(met_count, 300);
  EXPECT_GT(missed_count, 300);
}

TEST(SpatialConeTest, BoundsAreTheSmallest) {
  EXPECT_EQ(BoundsOf(kCone).minimum.x, 0.0);
  EXPECT_EQ(BoundsOf(kCone).maximum.x, 4.0);
  EXPECT_NEAR(BoundsOf(kCone).maximum.y, 4.0, 1e-14);
  RandomStream random = MakeRandomStream(4, IdOf("bounds"));
  for (int i = 0; i < 1'000; ++i) {
    const Cone cone = DrawCone(random);
    const Aabb bounds = BoundsOf(cone);
    // The cone's point farthest along an axis is the nearest to a point that is
    // far away along it.
    const Vector3 far = ClosestPoint(cone, {1e9, 0.0, 0.0});
    const Vector3 low = ClosestPoint(cone, {0.0, -1e9, 0.0});
    ASSERT_NEAR(far.x, bounds.maximum.x, 1e-6) << i;
    ASSERT_NEAR(low.y, bounds.minimum.y, 1e-6) << i;
  }
}

}  // namespace
}  // namespace reprise::sim
