// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves of paths on random meshes and on baked ones, against those of Detour
// on the same polygons: there is one exactly where Detour has one; none is
// longer than Detour's by more than a bound that follows from how ways are
// compared; and all together are at most 1 % longer.

#include <cstdint>
#include <vector>

#include "gtest/gtest.h"
#include "sim/base/id.h"
#include "sim/base/math.h"
#include "sim/base/random.h"
#include "sim/geometry/vector3.h"
#include "sim/navigation/best_first_search.h"
#include "sim/navigation/mesh_path.h"
#include "sim/navigation/mesh_space.h"
#include "sim/navigation/navigation_mesh.h"
#include "sim/navigation/testing_meshes.h"
#include "sim/systems/navigation/mesh_source.h"
#include "tools/reprise/baking/testing_detour.h"
#include "tools/reprise/baking/testing_levels.h"

namespace reprise::tools {
namespace {

// What all paths together may be longer than Detour's.
constexpr double kLongerInAll = 1.01;
// Detour has places as floats: a hundredth of a millimetre at 100 m.
constexpr double kFloatErrorM = 1e-3;
// Costs are whole millimetres, rounded up.
constexpr double kCostStepM = 1e-3;
// Nearer to an edge Detour may take a place for one of the polygon behind.
constexpr double kInsideM = 0.05;

double PlanLength(sim::Vector3 way) {
  way.y = 0.0;
  return Length(way);
}

double PlanDistance(const sim::NavigationMesh& mesh, sim::MeshPoint a,
                    sim::MeshPoint b) {
  const double x = b.x - a.x;
  const double z = b.z - a.z;
  return sim::Sqrt(x * x + z * z) * mesh.scale().cell_size_m /
         sim::kStepsPerVoxel;
}

// The middle of a polygon's corners, where that is well within it.
std::vector<sim::MeshPlace> PlacesWithin(const sim::NavigationMesh& mesh) {
  std::vector<sim::MeshPlace> places;
  for (uint32_t i = 0; i < mesh.polygon_count(); ++i) {
    const auto count = static_cast<int32_t>(mesh.polygon(i).corner_count);
    sim::MeshPoint middle;
    for (uint32_t edge = mesh.first_edge(i); edge < mesh.first_edge(i + 1);
         ++edge) {
      middle.x += mesh.edge_from(edge).x;
      middle.z += mesh.edge_from(edge).z;
    }
    middle = {middle.x / count, middle.z / count};
    bool is_within = true;
    for (uint32_t edge = mesh.first_edge(i); edge < mesh.first_edge(i + 1);
         ++edge) {
      const sim::MeshPoint from = mesh.edge_from(edge);
      const sim::MeshPoint to = mesh.edge_to(edge);
      const double x = to.x - from.x;
      const double z = to.z - from.z;
      const double away = static_cast<double>(TurnOf(from, to, middle)) /
                          sim::Sqrt(x * x + z * z) * mesh.scale().cell_size_m /
                          sim::kStepsPerVoxel;
      is_within = is_within && away >= kInsideM;
    }
    if (is_within) places.push_back({i, middle});
  }
  return places;
}

// The length of our path in plan; 0 when there is none.
double FindPath(const sim::NavigationMesh& mesh, const sim::MeshPlace& start,
                const sim::MeshPlace& goal) {
  const sim::MeshSpace space(mesh, {}, start, goal);
  sim::BestFirstSearch search;
  search.Begin(space.node_count(), MeshStartNode(mesh), MeshGoalNode(mesh),
               sim::SearchPolicy::kAStar);
  uint64_t budget = space.node_count();
  if (search.Advance(space, budget) != sim::SearchStatus::kFound) return 0.0;
  const std::vector<sim::MeshPlace> path =
      MakeMeshPath(mesh, search.Path(), start, goal);
  double length = 0.0;
  for (size_t i = 1; i < path.size(); ++i) {
    length +=
        PlanLength(mesh.PositionOf(path[i]) - mesh.PositionOf(path[i - 1]));
  }
  return length;
}

// How long the edges are together that lead from each polygon of a row to the
// next.
double EdgesAlong(const sim::NavigationMesh& mesh,
                  const std::vector<uint32_t>& polygons) {
  double sum = 0.0;
  for (size_t i = 1; i < polygons.size(); ++i) {
    for (uint32_t edge = mesh.first_edge(polygons[i - 1]);
         edge < mesh.first_edge(polygons[i - 1] + 1); ++edge) {
      const uint32_t twin = mesh.twin(edge);
      if (twin == sim::kNoNode || mesh.polygon_of_edge(twin) != polygons[i]) {
        continue;
      }
      sum += PlanDistance(mesh, mesh.edge_from(edge), mesh.edge_to(edge));
    }
  }
  return sum;
}

struct Compared {
  int found = 0;
  int none = 0;
  double our_m = 0.0;
  double their_m = 0.0;
};

// Ways are compared through the middles of edges. Detour's path crosses the
// edges of its corridor; through their middles it is longer by at most the
// length of each, the way that our search takes is no longer than that, and
// pulled taut it gets no longer.
void Compare(sim::NavigationMeshData data, const sim::MeshScale& scale,
             int journeys, sim::RandomStream& stream, Compared& compared) {
  data.origin = {};
  // Flat: costs are of lengths in plan.
  for (sim::NavigationVertex& vertex : data.vertices) vertex.y = 0;
  data.points.clear();
  data.triangles.clear();
  const sim::NavigationMesh mesh(data, scale);
  DetourMesh detour(data, scale);
  const std::vector<sim::MeshPlace> places = PlacesWithin(mesh);
  ASSERT_GT(places.size(), 1u);
  for (int i = 0; i < journeys; ++i) {
    const sim::MeshPlace start = places[NextBelow(stream, places.size())];
    const sim::MeshPlace goal = places[NextBelow(stream, places.size())];
    if (start == goal) continue;
    const double ours = FindPath(mesh, start, goal);
    const double theirs =
        detour.FindPath(mesh.PositionOf(start), mesh.PositionOf(goal));
    ASSERT_EQ(ours > 0.0, theirs > 0.0)
        << start.polygon << " to " << goal.polygon;
    if (ours == 0.0) {
      ++compared.none;
      continue;
    }
    ++compared.found;
    compared.our_m += ours;
    compared.their_m += theirs;
    const std::vector<uint32_t> corridor = detour.Corridor();
    ASSERT_EQ(corridor.front(), start.polygon);
    ASSERT_EQ(corridor.back(), goal.polygon);
    ASSERT_LE(ours, theirs + EdgesAlong(mesh, corridor) + kFloatErrorM +
                        kCostStepM * static_cast<double>(corridor.size() + 1))
        << start.polygon << " to " << goal.polygon;
    // Nothing is shorter than the straight line.
    ASSERT_GE(ours + kFloatErrorM,
              PlanLength(mesh.PositionOf(goal) - mesh.PositionOf(start)));
  }
}

TEST(DetourComparisonTest, PathsOnRandomMeshesAreAsLong) {
  sim::RandomStream stream = sim::MakeRandomStream(24, sim::IdOf("meshes"));
  Compared compared;
  for (int round = 0; round < 20; ++round) {
    const uint64_t walls = round % 2 == 0 ? 15 : 40;
    Compare(sim::RandomLevel(16, 16, walls, 0, stream),
            {.cell_size_m = 0.1, .cell_height_m = 0.1}, 60, stream, compared);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(compared.found, 300);
  EXPECT_GT(compared.none, 50);
  EXPECT_LE(compared.our_m, kLongerInAll * compared.their_m);
}

TEST(DetourComparisonTest, PathsOnBakedMeshesAreAsLong) {
  sim::RandomStream stream = sim::MakeRandomStream(25, sim::IdOf("halls"));
  sim::MeshSettings settings;
  settings.scale = {.cell_size_m = 0.1, .cell_height_m = 0.05};
  Compared compared;
  for (int round = 0; round < 6; ++round) {
    const auto data = HallOfPillars(24.0, 50, stream).Bake(settings);
    ASSERT_TRUE(data.ok()) << data.status();
    Compare(*data, settings.scale, 150, stream, compared);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(compared.found, 300);
  EXPECT_LE(compared.our_m, kLongerInAll * compared.their_m);
}

}  // namespace
}  // namespace reprise::tools
