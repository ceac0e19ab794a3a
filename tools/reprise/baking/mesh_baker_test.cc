// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that levels become the meshes that they should: areas and distances
// against those of the ground less the agent's radius; doors, steps, slopes and
// ceilings that an agent fits through or doesn't; and areas with polygons of
// their own.

#include "tools/reprise/baking/mesh_baker.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "sim/geometry/vector3.h"
#include "sim/navigation/best_first_search.h"
#include "sim/navigation/mesh_space.h"
#include "sim/navigation/navigation_mesh.h"
#include "sim/systems/navigation/mesh_source.h"
#include "tools/reprise/baking/testing_levels.h"

namespace reprise::tools {
namespace {

using sim::MeshSettings;
using sim::NavigationMesh;
using sim::NavigationMeshData;
using sim::Vector3;

class Level : public SolidLevel {
 public:
  NavigationMeshData Bake(const MeshSettings& settings) const {
    const auto data = SolidLevel::Bake(settings);
    EXPECT_TRUE(data.ok()) << data.status();
    EXPECT_EQ(ProblemOf(*data), "");
    return *data;
  }
};

MeshSettings Settings(double radius_m = 0.4) {
  MeshSettings settings;
  settings.agent_radius_m = radius_m;
  settings.scale = {.cell_size_m = 0.1, .cell_height_m = 0.05};
  return settings;
}

// Square metres of all polygons, or those of one area.
double AreaOf(const NavigationMeshData& data, double cell_size_m,
              std::optional<uint32_t> area = std::nullopt) {
  double sum = 0.0;
  for (const sim::NavigationPolygon& polygon : data.polygons) {
    if (area.has_value() && polygon.area != *area) continue;
    for (uint32_t i = 0; i < polygon.corner_count; ++i) {
      const auto& a = data.vertices[polygon.corners[i]];
      const auto& b =
          data.vertices[polygon.corners[(i + 1) % polygon.corner_count]];
      sum += 0.5 *
             (static_cast<double>(a.x) * b.z - static_cast<double>(a.z) * b.x);
    }
  }
  return sum * cell_size_m * cell_size_m;
}

constexpr sim::MeshReach kReach = {
    .radius_m = 0.3, .below_m = 0.3, .above_m = 0.3};

// Whether a way leads from one place to another.
bool LeadsTo(const NavigationMeshData& data, const MeshSettings& settings,
             Vector3 from, Vector3 to) {
  const NavigationMesh mesh(data, settings.scale);
  const auto start = mesh.Find(from, kReach);
  const auto goal = mesh.Find(to, kReach);
  if (!start.has_value() || !goal.has_value()) return false;
  const std::vector<uint16_t> weights(settings.areas.size(), 1);
  const sim::MeshSpace space(mesh, weights, *start, *goal);
  sim::BestFirstSearch search;
  search.Begin(space.node_count(), MeshStartNode(mesh), MeshGoalNode(mesh),
               sim::SearchPolicy::kAStar);
  uint64_t budget = 1u << 20;
  return search.Advance(space, budget) == sim::SearchStatus::kFound;
}

TEST(MeshBakerTest, GroundLessTheAgentsRadiusIsWalkedOn) {
  // A floor of 10 by 10 m with a pillar of 2 by 2 m.
  Level level;
  level.Box({0, -0.5, 0}, {10, 1, 10}).Box({0, 1, 0}, {2, 2, 2});
  for (const double radius : {0.3, 0.4, 0.8}) {
    const MeshSettings settings = Settings(radius);
    const NavigationMeshData data = level.Bake(settings);
    const double cell = settings.scale.cell_size_m;
    // Where the ground ends nobody walks on the last voxel.
    const double outer = 10.0 - 2.0 * (radius + cell);
    const double inner =
        4.0 + 8.0 * radius + std::numbers::pi * radius * radius;
    const double outline = 4.0 * outer + 8.0 + 2.0 * std::numbers::pi * radius;
    // A voxel along the outline. The top of the pillar is ground, too.
    const double top = std::max(0.0, 2.0 - 2.0 * (radius + cell));
    EXPECT_NEAR(AreaOf(data, cell), outer * outer - inner + top * top,
                outline * cell)
        << radius;
    // No corner on the floor is closer to the pillar than the radius, but for
    // what edges may be off: a voxel.
    for (const sim::NavigationVertex& vertex : data.vertices) {
      const double x = std::abs((data.origin[0] + vertex.x) * cell);
      const double y =
          (data.origin[1] + vertex.y) * settings.scale.cell_height_m;
      const double z = std::abs((data.origin[2] + vertex.z) * cell);
      if (y > 1.0) continue;
      const double away =
          std::hypot(std::max(x - 1.0, 0.0), std::max(z - 1.0, 0.0));
      EXPECT_GE(away, radius - cell);
      EXPECT_LE(std::max(x, z), 5.0 - radius + cell);
    }
  }
}

TEST(MeshBakerTest, RoundPillarsAreWalkedAround) {
  Level level;
  level.Box({0, -0.5, 0}, {10, 1, 10}).Cylinder({0, 2, 0}, 1.0, 4.0);
  const MeshSettings settings = Settings(0.4);
  const double cell = settings.scale.cell_size_m;
  const double outer = 10.0 - 2.0 * (0.4 + cell);
  const double around = 1.4;
  const double top = std::max(0.0, 1.0 - 0.4 - cell);
  EXPECT_NEAR(AreaOf(level.Bake(settings), cell),
              outer * outer - std::numbers::pi * (around * around - top * top),
              cell * (4.0 * outer + 2.0 * std::numbers::pi * around));
}

// Two rooms with a wall between them that has a gap of 1 m, 2 m high.
Level RoomsWithADoor() {
  Level level;
  level.Box({0, -0.5, 0}, {12, 1, 6});
  level.Box({0, 1.5, -1.75}, {0.4, 3, 2.5}).Box({0, 1.5, 1.75}, {0.4, 3, 2.5});
  level.Box({0, 2.5, 0}, {0.4, 1, 1});
  return level;
}

TEST(MeshBakerTest, AgentsFitThroughDoorsOrDoNot) {
  const Level level = RoomsWithADoor();
  const auto fits = [&](double radius, double height) {
    MeshSettings settings = Settings(radius);
    settings.agent_height_m = height;
    return LeadsTo(level.Bake(settings), settings, {-3, 0, 0}, {3, 0, 0});
  };
  EXPECT_TRUE(fits(0.3, 1.8));
  EXPECT_FALSE(fits(0.6, 1.8));
  EXPECT_FALSE(fits(0.3, 2.2));
}

TEST(MeshBakerTest, AgentsClimbStepsOrDoNot) {
  Level level;
  level.Box({-3, -0.5, 0}, {6, 1, 6}).Box({3, -0.2, 0}, {6, 1, 6});
  const auto climbs = [&](double step) {
    MeshSettings settings = Settings();
    settings.agent_step_m = step;
    return LeadsTo(level.Bake(settings), settings, {-3, 0, 0}, {3, 0.3, 0});
  };
  EXPECT_TRUE(climbs(0.4));
  EXPECT_FALSE(climbs(0.2));
}

TEST(MeshBakerTest, AgentsWalkUpSlopesOrDoNot) {
  // A ramp of 30 degrees, 8 m long, about z.
  const double half = std::numbers::pi / 12.0;
  Level level;
  level.Box({0, 0, 0}, {8, 0.5, 6}, {0, 0, std::sin(half), std::cos(half)});
  const auto area = [&](double slope) {
    MeshSettings settings = Settings();
    settings.agent_slope_degrees = slope;
    return AreaOf(level.Bake(settings), settings.scale.cell_size_m);
  };
  EXPECT_GT(area(35.0), 20.0);
  EXPECT_EQ(area(25.0), 0.0);
}

TEST(MeshBakerTest, AreasHavePolygonsOfTheirOwn) {
  MeshSettings settings = Settings(0.2);
  settings.areas = {{{-0.5, -1, -1}, {0.5, 2, 1}}};
  const NavigationMeshData data = RoomsWithADoor().Bake(settings);
  // A metre of the passage, which is 1 m wide less the radius on both sides;
  // and what of the box is in front of the wall.
  const double cell = settings.scale.cell_size_m;
  const double passage = 0.8 * 0.6 + 0.2 * 2.0;
  EXPECT_NEAR(AreaOf(data, cell, 1), passage, 6.0 * cell);
  EXPECT_GT(AreaOf(data, cell, 0), 40.0);
  EXPECT_TRUE(LeadsTo(data, settings, {-3, 0, 0}, {3, 0, 0}));
}

TEST(MeshBakerTest, SolidsThatReachOutOfTheLevelAreSolid) {
  // A wall across a floor, tilted by 4 degrees, so that its columns end at
  // every height; its axis goes through the origin.
  const double half = std::numbers::pi / 90.0;
  const auto bake = [&](double bottom, double top, const MeshSettings& with) {
    const double middle = (bottom + top) / 2.0;
    Level level;
    level.Box({0, -0.5, 0}, {12, 1, 6});
    level.Box(
        {-middle * std::sin(2.0 * half), middle * std::cos(2.0 * half), 0},
        {0.6, top - bottom, 8}, {0, 0, std::sin(half), std::cos(half)});
    return level.Bake(with);
  };
  MeshSettings settings = Settings(0.3);
  settings.bounds = {{-6, -0.3, -3}, {6, 2.5, 3}};
  const double cell = settings.scale.cell_size_m;
  for (const auto& [bottom, top] :
       {std::pair(-0.2, 4.0), {-4.0, 4.0}, {-4.0, 400.0}, {-900.0, 2000.0}}) {
    const NavigationMeshData data = bake(bottom, top, settings);
    EXPECT_FALSE(LeadsTo(data, settings, {-3, 0, 0}, {3, 0, 0})) << top;
    EXPECT_FALSE(NavigationMesh(data, settings.scale)
                     .Find({0, 0, 0}, {.below_m = 0.3, .above_m = 0.3})
                     .has_value())
        << top;
    // Two rooms, and nobody on the cut.
    EXPECT_GT(AreaOf(data, cell), 2.0 * 4.0 * 5.0) << top;
    for (const sim::NavigationVertex& vertex : data.vertices) {
      const double height =
          (data.origin[1] + vertex.y) * settings.scale.cell_height_m;
      EXPECT_LT(height, 0.2) << top;
    }
  }
}

TEST(MeshBakerTest, WhereNobodyCanWalkThereIsNothing) {
  Level level;
  level.Box({0, 0, 0}, {0.5, 1, 0.5});
  EXPECT_TRUE(level.Bake(Settings(1.0)).polygons.empty());
}

TEST(MeshBakerTest, AgentsOfTooManyVoxelsAreRefused) {
  MeshSettings settings = Settings(30.0);
  Level level;
  level.Box({0, 0, 0}, {10, 1, 10});
  const auto source = MakeMeshSource(settings, level.physics());
  ASSERT_TRUE(source.ok());
  EXPECT_EQ(BakeMesh(*source).status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(MeshBakerTest, FarFromTheOriginIsAsExact) {
  Level near;
  near.Box({0, -0.5, 0}, {10, 1, 10}).Box({0, 1, 0}, {2, 2, 2});
  Level far;
  far.Box({80'000, 99.5, -90'000}, {10, 1, 10})
      .Box({80'000, 101, -90'000}, {2, 2, 2});
  const MeshSettings settings = Settings();
  const NavigationMeshData expected = near.Bake(settings);
  const NavigationMeshData data = far.Bake(settings);
  EXPECT_EQ(data.vertices, expected.vertices);
  EXPECT_EQ(data.polygons, expected.polygons);
}

}  // namespace
}  // namespace reprise::tools
