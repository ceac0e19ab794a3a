// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves the closed forms against each other and against what they mean: a
// ray's entry is where marching along it by the distance to the solid ends, and
// no point of the solid is closer than the closest one.

#include "sim/physics/definition/solid_geometry.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "sim/base/id.h"
#include "sim/base/random.h"
#include "sim/physics/definition/convex_hull.h"

namespace reprise::sim {
namespace {

struct NamedSolid {
  std::string name;
  Solid solid;
};

Vector3 DrawVector(RandomStream& random, double reach) {
  Vector3 drawn;
  drawn.x = reach * (2.0 * NextUnit(random) - 1.0);
  drawn.y = reach * (2.0 * NextUnit(random) - 1.0);
  drawn.z = reach * (2.0 * NextUnit(random) - 1.0);
  return drawn;
}

class SolidGeometryTest : public testing::TestWithParam<NamedSolid> {
 protected:
  double DistanceTo(Vector3 point) const {
    return Length(ClosestPointOf(GetParam().solid, point) - point);
  }

  // Where marching from `from` by the distance to the solid ends: the fraction
  // of the way, or above 1 for a miss.
  double March(Vector3 from, Vector3 motion) const {
    double fraction = 0.0;
    for (int i = 0; i < 3000 && fraction <= 1.0; ++i) {
      const double distance = DistanceTo(from + fraction * motion);
      if (distance < 1e-9) return fraction;
      fraction += distance / Length(motion);
    }
    return fraction <= 1.0 ? std::nan("") : 2.0;  // NaN: it only grazes
  }

  RandomStream random_ = MakeRandomStream(5, IdOf("rays"));
};

TEST_P(SolidGeometryTest, RayEntersWhereMarchingEnds) {
  int hits = 0;
  int misses = 0;
  for (int i = 0; i < 2000; ++i) {
    const Vector3 from = DrawVector(random_, 4.0);
    if (DistanceTo(from) == 0.0) continue;
    const Vector3 motion = DrawVector(random_, 1.0) - from;
    const auto entry = EnterSolid(GetParam().solid, from, 2.0 * motion);
    const double expected = March(from, 2.0 * motion);
    if (std::isnan(expected)) continue;
    ASSERT_EQ(entry.has_value(), expected <= 1.0) << "ray " << i;
    if (!entry.has_value()) {
      ++misses;
      continue;
    }
    ++hits;
    EXPECT_NEAR(entry->fraction, expected, 1e-6) << "ray " << i;
    EXPECT_NEAR(Length(entry->normal), 1.0, 1e-12);
    EXPECT_LT(Dot(entry->normal, motion), 0.0);
    // Outwards from the surface the distance grows as fast as the way.
    const Vector3 outside =
        from + entry->fraction * 2.0 * motion + 0.01 * entry->normal;
    EXPECT_NEAR(DistanceTo(outside), 0.01, 1e-6);
  }
  EXPECT_GT(hits, 500);
  EXPECT_GT(misses, 20);
}

TEST_P(SolidGeometryTest, RayThatBeginsInsideEntersNothing) {
  EXPECT_FALSE(
      EnterSolid(GetParam().solid, {0.01, 0.02, 0.03}, {5.0, 1.0, 0.0}));
  EXPECT_FALSE(EnterSolid(GetParam().solid, {0.0, 0.0, 0.0}, {0.0, 9.0, 0.0}));
  EXPECT_FALSE(EnterSolid(GetParam().solid, {9.0, 9.0, 9.0}, {}));
}

// Of solids that end in a plane or a tangent on each axis.
class AxisSolidTest : public SolidGeometryTest {};

TEST_P(AxisSolidTest, RayAlongAnAxisEnters) {
  for (const Vector3 from : {Vector3{9.0, 0.0, 0.0}, Vector3{0.0, 9.0, 0.0},
                             Vector3{0.0, 0.0, -9.0}}) {
    const auto entry = EnterSolid(GetParam().solid, from, -2.0 * from);
    ASSERT_TRUE(entry.has_value());
    EXPECT_EQ(entry->normal, from / 9.0);
    EXPECT_FALSE(EnterSolid(GetParam().solid, from, 2.0 * from));
    EXPECT_FALSE(EnterSolid(GetParam().solid, from, -0.1 * from));
  }
}

TEST_P(SolidGeometryTest, NoPointIsCloserThanTheClosest) {
  for (int i = 0; i < 300; ++i) {
    const Vector3 point = DrawVector(random_, 3.0);
    const Vector3 closest = ClosestPointOf(GetParam().solid, point);
    // It is of the solid, or as good as.
    EXPECT_LT(DistanceTo(closest), 1e-12);
    for (int j = 0; j < 30; ++j) {
      const Vector3 other =
          ClosestPointOf(GetParam().solid, DrawVector(random_, 3.0));
      EXPECT_LE(Length(closest - point), Length(other - point) + 1e-12);
    }
  }
}

TEST_P(SolidGeometryTest, DepthIsTheDistanceToTheSurface) {
  for (int i = 0; i < 300; ++i) {
    const Vector3 point = DrawVector(random_, 1.5);
    const double depth = DepthInside(GetParam().solid, point);
    EXPECT_EQ(depth > 0.0, DistanceTo(point) == 0.0) << "point " << i;
    // The ball of that radius lies inside, and no larger one does.
    double outside = 0.0;
    for (int j = 0; j < 300; ++j) {
      const Vector3 on_ball =
          point + depth * Normalized(DrawVector(random_, 1.0));
      outside = std::max(outside, depth > 0.0 ? DistanceTo(on_ball) : 0.0);
    }
    EXPECT_LT(outside, 1e-12) << "point " << i;
  }
}

TEST(TriangleGeometryTest, RayEntersFromBothSides) {
  const Triangle triangle = {{0.0, 1.0, 0.0}, {2.0, 1.0, 0.0}, {0.0, 1.0, 2.0}};
  for (const double from : {2.0, 0.0}) {
    const double side = from - 1.0;
    const auto entry =
        EnterTriangle(triangle, {0.5, from, 0.5}, {0.0, -2.0 * side, 0.0});
    ASSERT_TRUE(entry.has_value());
    EXPECT_EQ(entry->fraction, 0.5);
    EXPECT_EQ(entry->normal, (Vector3{0.0, side, 0.0}));
  }
  EXPECT_FALSE(EnterTriangle(triangle, {1.5, 2.0, 1.5}, {0.0, -2.0, 0.0}));
  EXPECT_FALSE(EnterTriangle(triangle, {0.5, 2.0, 0.5}, {0.0, -0.5, 0.0}));
  EXPECT_FALSE(EnterTriangle(triangle, {-1.0, 1.0, 0.5}, {4.0, 0.0, 0.0}));
}

TEST(TriangleGeometryTest, NoRayPassesThroughACommonEdge) {
  RandomStream random = MakeRandomStream(6, IdOf("edges"));
  for (int i = 0; i < 2000; ++i) {
    // An edge along y, and a triangle to either side of it.
    const Vector3 a = DrawVector(random, 1.0) - Vector3{0.0, 2.0, 0.0};
    const Vector3 b = DrawVector(random, 1.0) + Vector3{0.0, 2.0, 0.0};
    const Triangle one = {a, b, {3.0, 0.0, 0.3}};
    const Triangle two = {b, a, {-3.0, 0.1, 0.0}};
    const Vector3 from = {0.2, -0.1, 9.0};
    const double share = NextUnit(random);
    const Vector3 on_edge = a + share * (b - a);
    EXPECT_TRUE(EnterTriangle(one, from, 2.0 * (on_edge - from)) ||
                EnterTriangle(two, from, 2.0 * (on_edge - from)));
  }
}

const auto kAxisSolids =
    testing::Values(NamedSolid{"Sphere", SpherePrimitive{0.7}},
                    NamedSolid{"Box", BoxPrimitive{{0.5, 1.0, 0.3}}},
                    NamedSolid{"Capsule", CapsulePrimitive{0.4, 1.2}},
                    NamedSolid{"Cylinder", CylinderPrimitive{0.6, 1.1}});

HullPrimitive MakeWedge() {
  return *MakeHull(std::vector<Vector3>{{-1.0, -0.5, -0.7},
                                        {1.0, -0.5, -0.7},
                                        {-1.0, -0.6, 0.8},
                                        {1.1, -0.5, 0.7},
                                        {0.4, 0.9, 0.1},
                                        {-0.5, 0.7, 0.0}});
}

INSTANTIATE_TEST_SUITE_P(AxisSolids, SolidGeometryTest, kAxisSolids,
                         [](const auto& info) { return info.param.name; });
INSTANTIATE_TEST_SUITE_P(AxisSolids, AxisSolidTest, kAxisSolids,
                         [](const auto& info) { return info.param.name; });
INSTANTIATE_TEST_SUITE_P(OtherSolids, SolidGeometryTest,
                         testing::Values(NamedSolid{"Cone",
                                                    ConePrimitive{0.8, 1.5}},
                                         NamedSolid{"Hull", MakeWedge()}),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace reprise::sim
