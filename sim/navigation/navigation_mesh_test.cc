// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that data which is no mesh is told, and that places are found on
// meshes: by definition on random levels, and between storeys, on ramps and at
// edges by hand.

#include "sim/navigation/navigation_mesh.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "sim/base/id.h"
#include "sim/base/math.h"
#include "sim/base/random.h"
#include "sim/navigation/testing_meshes.h"

namespace reprise::sim {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr MeshReach kAnywhere = {
    .radius_m = 0.0, .below_m = 100.0, .above_m = 100.0};

// Two squares of 10 voxels, the second behind the edge from vertex 1 to 2.
NavigationMeshData TwoSquares() {
  return {.vertices = {{0, 0, 0},
                       {10, 0, 0},
                       {10, 0, 10},
                       {0, 0, 10},
                       {20, 5, 0},
                       {20, 5, 10}},
          .polygons = {{{0, 1, 2, 3}, 4, 0}, {{1, 4, 5, 2}, 4, 1}}};
}

TEST(NavigationMeshTest, WhatIsNoMeshIsTold) {
  EXPECT_THAT(ProblemOf(TwoSquares()), IsEmpty());
  EXPECT_THAT(ProblemOf(NavigationMeshData()), IsEmpty());
  const auto problem_of = [](auto change) {
    NavigationMeshData data = TwoSquares();
    change(data);
    return ProblemOf(data);
  };
  EXPECT_THAT(problem_of([](auto& d) { d.polygons[1].corners[1] = 6; }),
              HasSubstr("polygon 1 has the corner 6 of 6"));
  EXPECT_THAT(problem_of([](auto& d) { d.polygons[0].corner_count = 2; }),
              HasSubstr("polygon 0 has 2 corners"));
  EXPECT_THAT(problem_of([](auto& d) { d.polygons[0].corner_count = 7; }),
              HasSubstr("polygon 0 has 7 corners"));
  EXPECT_THAT(problem_of([](auto& d) { d.polygons[0].area = 63; }),
              HasSubstr("is in area 63"));
  EXPECT_THAT(problem_of([](auto& d) {
                std::swap(d.polygons[0].corners[0], d.polygons[0].corners[2]);
              }),
              HasSubstr("polygon 0 isn't convex"));
  EXPECT_THAT(problem_of([](auto& d) {
                std::swap(d.polygons[0].corners[0], d.polygons[0].corners[1]);
              }),
              HasSubstr("polygon 0 isn't convex"));
  EXPECT_THAT(problem_of([](auto& d) { d.vertices[2] = d.vertices[1]; }),
              HasSubstr("polygon 0 has no area, or an edge without length"));
  EXPECT_THAT(problem_of([](auto& d) { d.polygons[1] = d.polygons[0]; }),
              HasSubstr("two polygons have the edge from vertex 0 to 1"));
  EXPECT_THAT(problem_of([](auto& d) { d.origin[1] = -(1 << 30) - 1; }),
              HasSubstr("the origin is at"));
  EXPECT_THAT(problem_of([](auto& d) {
                d.vertices.resize(kNavigationVerticesMax + 1);
              }),
              HasSubstr("65536 vertices"));
}

TEST(NavigationMeshTest, PentagramsAreNoPolygons) {
  // Each of its corners turns left, and it goes round twice.
  NavigationMeshData data = {
      .vertices = {{0, 0, 4}, {10, 0, 4}, {2, 0, 10}, {5, 0, 0}, {8, 0, 10}},
      .polygons = {{{0, 1, 2, 3, 4}, 5, 0}}};
  EXPECT_THAT(ProblemOf(data), HasSubstr("isn't convex"));
}

TEST(NavigationMeshTest, EdgesKnowWhatIsBehindThem) {
  const NavigationMesh mesh(TwoSquares(), {});
  ASSERT_EQ(mesh.edge_count(), 8u);
  const uint32_t common = mesh.first_edge(0) + 1;
  ASSERT_NE(mesh.twin(common), kNoNode);
  EXPECT_EQ(mesh.polygon_of_edge(mesh.twin(common)), 1u);
  EXPECT_EQ(mesh.twin(mesh.twin(common)), common);
  int joined = 0;
  for (uint32_t edge = 0; edge < 8; ++edge)
    joined += mesh.twin(edge) != kNoNode;
  EXPECT_EQ(joined, 2);
}

TEST(NavigationMeshTest, PlacesAreMetresInTheWorld) {
  NavigationMeshData data = TwoSquares();
  data.origin = {-40, 2, 100};
  const NavigationMesh mesh(data, {.cell_size_m = 0.5, .cell_height_m = 0.25});
  // 1.75 of 5 m along the second square, whose ground rises by 5 * 0.25 m.
  const std::optional<MeshPlace> found =
      mesh.Find({-20 + 5 + 1.75, 0.0, 50 + 2}, kAnywhere);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->polygon, 1u);
  const Vector3 position = mesh.PositionOf(*found);
  // A step is 0.5 / 256 m, and these are whole ones.
  EXPECT_EQ(position.x, -13.25);
  EXPECT_EQ(position.z, 52.0);
  EXPECT_NEAR(position.y, 0.5 + 1.25 * 1.75 / 5.0, 1e-12);
  EXPECT_EQ(UnpackMeshPlace(PackMeshPlace(*found)), *found);
  EXPECT_TRUE(mesh.IsPlace(PackMeshPlace(*found)));
}

// A square whose middle is a hill, and one beside it that is flat.
TEST(NavigationMeshTest, GroundIsWhatItsTrianglesSay) {
  NavigationMeshData data = {
      .origin = {-4, 2, 8},
      .vertices = {{0, 1, 0},
                   {10, 1, 0},
                   {10, 1, 10},
                   {0, 1, 10},
                   {20, 1, 0},
                   {20, 1, 10}},
      .polygons = {{{0, 1, 2, 3}, 4, 0}, {{1, 4, 5, 2}, 4, 0}},
      .points = {{.polygon = 0,
                  .x = 4 * kStepsPerVoxel,
                  .y = 9,
                  .z = 5 * kStepsPerVoxel}},
      .triangles = {
          {0, {0, 1, 4}}, {0, {1, 2, 4}}, {0, {2, 3, 4}}, {0, {3, 0, 4}}}};
  ASSERT_EQ(ProblemOf(data), "");
  const NavigationMesh mesh(data, {.cell_size_m = 0.5, .cell_height_m = 0.25});
  const auto height = [&](uint32_t polygon, int32_t x, int32_t z) {
    return mesh.HeightAt(polygon, {x * kStepsPerVoxel, z * kStepsPerVoxel});
  };
  constexpr double kGround = 3 * 0.25;
  EXPECT_EQ(height(0, 0, 0), kGround);
  EXPECT_EQ(height(0, 4, 5), kGround + 8 * 0.25);
  // Half and a third of the way up.
  EXPECT_NEAR(height(0, 2, 5), kGround + 1.0, 1e-12);
  EXPECT_NEAR(height(0, 8, 5), kGround + 2.0 / 3.0, 1e-12);
  EXPECT_EQ(height(0, 10, 5), kGround);
  EXPECT_EQ(height(1, 12, 5), kGround);
  // Of storeys the one counts that one stands on, on hills too.
  const auto top =
      mesh.Find({0.0, kGround + 2.0, 6.5}, {.below_m = 0.1, .above_m = 0.1});
  ASSERT_TRUE(top.has_value());
  EXPECT_EQ(mesh.PositionOf(*top).y, kGround + 2.0);
  EXPECT_FALSE(
      mesh.Find({0.0, kGround, 6.5}, {.below_m = 0.1, .above_m = 0.1}));
}

TEST(NavigationMeshTest, PointsOfPositionsAreExact) {
  RandomStream stream = MakeRandomStream(5, IdOf("points"));
  for (const int32_t far : {0, 1 << 20, kMeshOriginMaxVoxels}) {
    NavigationMeshData data = RandomLevel(4, 4, 10, 0, stream);
    data.origin = {far, -far, -far};
    const NavigationMesh mesh(data, {.cell_size_m = 0.1, .cell_height_m = 0.3});
    for (int i = 0; i < 300; ++i) {
      const MeshPlace place = RandomPlace(mesh, stream);
      EXPECT_EQ(mesh.PointAt(mesh.PositionOf(place)), place.point) << far;
    }
  }
}

TEST(NavigationMeshTest, NoPlaceIsTakenForNone) {
  NavigationMeshData data = TwoSquares();
  data.vertices[4].x = data.vertices[5].x = 65'535;
  data.vertices[3].z = data.vertices[2].z = data.vertices[5].z = 65'535;
  const NavigationMesh mesh(data, {});
  const std::optional<MeshPlace> corner =
      mesh.Find({65'535.0, 5.0, 65'535.0}, kAnywhere);
  ASSERT_TRUE(corner.has_value());
  EXPECT_EQ(UnpackMeshPlace(PackMeshPlace(*corner)), *corner);
  EXPECT_FALSE(mesh.IsPlace(kNoNode));
}

TEST(NavigationMeshTest, OfStoreysTheOneThatOneStandsOnCounts) {
  NavigationMeshData data = TwoSquares();
  for (NavigationVertex& vertex : data.vertices) vertex.y = 0;
  const auto below = static_cast<uint16_t>(data.vertices.size());
  for (uint16_t i = 0; i < below; ++i) {
    NavigationVertex above = data.vertices[i];
    above.y = 30;
    data.vertices.push_back(above);
  }
  data.polygons.push_back({{6, 7, 8, 9}, 4, 2});
  const NavigationMesh mesh(data, {.cell_size_m = 0.1, .cell_height_m = 0.1});
  const MeshReach reach = {.radius_m = 0.3, .below_m = 1.8, .above_m = 0.5};
  const auto polygon_at = [&](double y) -> std::optional<uint32_t> {
    const auto found = mesh.Find({0.5, y, 0.5}, reach);
    if (!found.has_value()) return std::nullopt;
    return found->polygon;
  };
  EXPECT_EQ(polygon_at(0.0), 0u);
  EXPECT_EQ(polygon_at(1.7), 0u);
  EXPECT_EQ(polygon_at(1.9), std::nullopt);
  EXPECT_EQ(polygon_at(2.6), 2u);
  EXPECT_EQ(polygon_at(4.7), 2u);
  EXPECT_EQ(polygon_at(-0.6), std::nullopt);
  // A step outside of the lower one nobody is above it.
  const auto beside = mesh.Find({-0.2, 0.1, 0.5}, reach);
  ASSERT_TRUE(beside.has_value());
  EXPECT_EQ(beside->polygon, 0u);
  EXPECT_EQ(beside->point.x, 0);
  EXPECT_FALSE(mesh.Find({-0.31, 0.1, 0.5}, reach).has_value());
}

TEST(NavigationMeshTest, OnAnEdgeTheLowerNumberCounts) {
  const NavigationMesh mesh(TwoSquares(), {});
  EXPECT_EQ(mesh.Find({10.0, 0.0, 5.0}, kAnywhere)->polygon, 0u);
}

TEST(NavigationMeshTest, WhatIsNoPositionIsNowhere) {
  const NavigationMesh mesh(TwoSquares(), {});
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double odd : {nan, infinity, -infinity, 1e300, -1e300}) {
    EXPECT_FALSE(mesh.Find({odd, 0.0, 5.0}, kAnywhere).has_value());
    EXPECT_FALSE(mesh.Find({5.0, 0.0, odd}, kAnywhere).has_value());
    EXPECT_FALSE(mesh.Find({5.0, odd, 5.0}, kAnywhere).has_value());
  }
  const NavigationMesh empty(NavigationMeshData(), {});
  EXPECT_FALSE(empty.Find({}, kAnywhere).has_value());
}

// The squared distance from a polygon in steps, by its definition; 0 inside.
double SquaredDistance(const NavigationMesh& mesh, uint32_t polygon, double x,
                       double z) {
  double least = 1e300;
  bool is_inside = true;
  for (uint32_t edge = mesh.first_edge(polygon);
       edge < mesh.first_edge(polygon + 1); ++edge) {
    const MeshPoint a = mesh.edge_from(edge);
    const MeshPoint b = mesh.edge_to(edge);
    const double along_x = b.x - a.x;
    const double along_z = b.z - a.z;
    is_inside &= along_x * (z - a.z) - along_z * (x - a.x) >= 0.0;
    const double share =
        std::clamp(((x - a.x) * along_x + (z - a.z) * along_z) /
                       (along_x * along_x + along_z * along_z),
                   0.0, 1.0);
    const double away_x = a.x + share * along_x - x;
    const double away_z = a.z + share * along_z - z;
    least = std::min(least, away_x * away_x + away_z * away_z);
  }
  return is_inside ? 0.0 : least;
}

TEST(NavigationMeshTest, TheClosestPlaceIsFoundOnRandomLevels) {
  RandomStream stream = MakeRandomStream(19, IdOf("places"));
  int inside = 0;
  int beside = 0;
  int outside = 0;
  for (int round = 0; round < 40; ++round) {
    const auto columns = static_cast<uint32_t>(1 + NextBelow(stream, 9));
    const auto rows = static_cast<uint32_t>(1 + NextBelow(stream, 9));
    const NavigationMesh mesh(RandomLevel(columns, rows, 50, 0, stream), {});
    for (int i = 0; i < 50; ++i) {
      const double x = static_cast<double>(
          NextInRange(stream, -20 * 256, (columns + 1) * kCellVoxels * 256));
      const double z = static_cast<double>(
          NextInRange(stream, -20 * 256, (rows + 1) * kCellVoxels * 256));
      const double radius = static_cast<double>(NextBelow(stream, 12));
      double least = 1e300;
      for (uint32_t polygon = 0; polygon < mesh.polygon_count(); ++polygon) {
        least = std::min(least, SquaredDistance(mesh, polygon, x, z));
      }
      const std::optional<MeshPlace> found =
          mesh.Find({x / 256.0 - 7.0, 5.0, z / 256.0 + 11.0},
                    {.radius_m = radius, .below_m = 9.0, .above_m = 9.0});
      // What is found is a whole step in the polygon: at a sharp corner up to
      // three steps farther than the very closest point.
      const double distance = Sqrt(least);
      if (distance > radius * 256.0) {
        EXPECT_FALSE(found.has_value());
        ++outside;
        continue;
      }
      if (distance > radius * 256.0 - 3.0 && least > 0.0) continue;
      ASSERT_TRUE(found.has_value()) << x << ' ' << z << ' ' << radius;
      EXPECT_EQ(
          SquaredDistance(mesh, found->polygon, found->point.x, found->point.z),
          0.0);
      const double away_x = found->point.x - x;
      const double away_z = found->point.z - z;
      EXPECT_LE(Sqrt(away_x * away_x + away_z * away_z), distance + 3.0);
      ++(least == 0.0 ? inside : beside);
    }
  }
  EXPECT_GT(inside, 100);
  EXPECT_GT(beside, 100);
  EXPECT_GT(outside, 100);
}

TEST(NavigationMeshTest, WaysAreFoundByWhereTheyBegin) {
  NavigationMesh mesh(TwoSquares(), {});
  const MeshPlace first = {0, {256, 256}};
  const MeshPlace second = {1, {15 * 256, 256}};
  mesh.AddWay({.from = second, .to = first, .cost = 1});
  mesh.AddWay({.from = first, .to = second, .cost = 2});
  mesh.AddWay({.from = first, .to = first, .cost = 3});
  EXPECT_THAT(mesh.ways_from(0), ::testing::ElementsAre(1, 2));
  EXPECT_THAT(mesh.ways_from(1), ::testing::ElementsAre(0));
}

}  // namespace
}  // namespace reprise::sim
