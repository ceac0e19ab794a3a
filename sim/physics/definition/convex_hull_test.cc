// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that a hull has its real corners and nothing else, whatever the order
// of the points; that its mass is where it should be; and that points without a
// hull are refused.

#include "sim/physics/definition/convex_hull.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "sim/base/id.h"
#include "sim/base/random.h"
#include "sim/physics/definition/solid_geometry.h"
#include "sim/physics/definition/solid_mass.h"

namespace reprise::sim {
namespace {

bool ComesBefore(Vector3 a, Vector3 b) {
  if (a.x != b.x) return a.x < b.x;
  return a.y != b.y ? a.y < b.y : a.z < b.z;
}

std::vector<Vector3> Sorted(std::vector<Vector3> points) {
  // A total order: by all three coordinates.
  std::sort(points.begin(), points.end(), ComesBefore);
  return points;
}

std::vector<Vector3> BoxCorners(Vector3 half) {
  std::vector<Vector3> corners;
  for (const double x : {-half.x, half.x}) {
    for (const double y : {-half.y, half.y}) {
      for (const double z : {-half.z, half.z}) corners.push_back({x, y, z});
    }
  }
  return corners;
}

Vector3 DrawPoint(RandomStream& random) {
  Vector3 point;
  point.x = 2.0 * NextUnit(random) - 1.0;
  point.y = 2.0 * NextUnit(random) - 1.0;
  point.z = 2.0 * NextUnit(random) - 1.0;
  return point;
}

void Shuffle(RandomStream& random, std::vector<Vector3>& points) {
  for (size_t i = points.size(); i > 1; --i) {
    std::swap(points[i - 1], points[NextBelow(random, i)]);
  }
}

TEST(ConvexHullTest, PointsInsideOnFacesAndEdgesAndTwiceAreLeftOut) {
  const std::vector<Vector3> corners = BoxCorners({1.0, 2.0, 3.0});
  std::vector<Vector3> points = corners;
  points.insert(points.end(), corners.begin(), corners.end());
  points.insert(points.begin(), {{0.0, 0.0, 0.0},
                                 {1.0, 0.0, 0.0},
                                 {1.0, 0.5, -0.7},
                                 {1.0, 2.0, 0.0},
                                 {0.3, -2.0, -3.0}});
  RandomStream random = MakeRandomStream(1, IdOf("hull"));
  for (int i = 0; i < 50; ++i) {
    const absl::StatusOr<HullPrimitive> hull = MakeHull(points);
    ASSERT_TRUE(hull.ok()) << hull.status();
    EXPECT_EQ(Sorted(hull->vertices), Sorted(corners));
    EXPECT_EQ(hull->faces.size(), 12u);
    EXPECT_NEAR(VolumeOf(*hull), 48.0, 1e-12);
    Shuffle(random, points);
  }
}

TEST(ConvexHullTest, HullsOfRandomPointsHoldThemAll) {
  RandomStream random = MakeRandomStream(2, IdOf("hull"));
  for (int i = 0; i < 50; ++i) {
    std::vector<Vector3> points;
    for (int j = 0; j < 60; ++j) points.push_back(DrawPoint(random));
    const absl::StatusOr<HullPrimitive> hull = MakeHull(points);
    ASSERT_TRUE(hull.ok()) << hull.status();
    EXPECT_EQ(HullProblem(*hull), "");
    for (const Vector3& point : points) {
      EXPECT_LT(Length(ClosestPointOf(Solid(*hull), point) - point), 1e-6);
    }
    Shuffle(random, points);
    EXPECT_EQ(Sorted(MakeHull(points)->vertices), Sorted(hull->vertices));
  }
}

TEST(ConvexHullTest, MassIsThatOfTheBody) {
  std::vector<Vector3> points = BoxCorners({1.0, 2.0, 3.0});
  const HullPrimitive box = *MakeHull(points);
  EXPECT_LT(
      Length(UnitInertiaOf(box) - Vector3{13.0 / 3.0, 10.0 / 3.0, 5.0 / 3.0}),
      1e-12);
  for (Vector3& point : points) point = point + Vector3{3.0, -1.0, 0.5};
  EXPECT_LT(Length(CentreOf(*MakeHull(points)) - Vector3{3.0, -1.0, 0.5}),
            1e-12);
}

TEST(ConvexHullTest, PointsWithoutAHullAreRefused) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<std::vector<Vector3>> bad = {
      {},
      {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}},                           // too few
      {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}},                // flat
      {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 1e-5}},             // nearly
      {{0, 0, 0}, {1, 1, 1}, {2, 2, 2}, {3, 3, 3}, {-1, -1, -1}},  // a line
      {{1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}},                // one point
      {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, nan}},
      {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 2e4}},
      std::vector<Vector3>(kHullPointsMax + 1)};
  for (size_t i = 0; i < bad.size(); ++i) {
    EXPECT_EQ(MakeHull(bad[i]).status().code(),
              absl::StatusCode::kInvalidArgument)
        << "case " << i;
  }
}

TEST(ConvexHullTest, TooManyCornersAreRefused) {
  RandomStream random = MakeRandomStream(3, IdOf("hull"));
  std::vector<Vector3> points;
  for (uint32_t i = 0; i < 2 * kHullVerticesMax; ++i) {
    points.push_back(Normalized(DrawPoint(random)));
  }
  EXPECT_EQ(MakeHull(points).status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(ConvexHullTest, DamagedHullsAreNoticed) {
  const HullPrimitive box = *MakeHull(BoxCorners({1.0, 1.0, 1.0}));
  HullPrimitive open = box;
  open.faces.pop_back();
  EXPECT_NE(HullProblem(open), "");
  HullPrimitive outside = box;
  outside.faces[0][0] = 8;
  EXPECT_NE(HullProblem(outside), "");
  HullPrimitive dented = box;
  dented.vertices[0] = {0.5, 0.5, 0.5};
  EXPECT_NE(HullProblem(dented), "");
}

}  // namespace
}  // namespace reprise::sim
