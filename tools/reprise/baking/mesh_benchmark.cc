// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What searches on a navigation mesh cost, and how long their paths are,
// against Detour's on the same polygons in the same run. What is found is in
// the label, so that it can't be skipped.

#include <cstdint>
#include <ctime>
#include <utility>
#include <vector>

#include "benchmark/benchmark.h"
#include "fmt/format.h"
#include "sim/base/check.h"
#include "sim/base/id.h"
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

constexpr int kJourneys = 200;
constexpr sim::MeshScale kScale = {.cell_size_m = 0.1, .cell_height_m = 0.1};

double Seconds() {
  timespec now = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) +
         static_cast<double>(now.tv_nsec) * 1e-9;
}

// 60 by 60 squares of about 2 m, with 30 % walls.
sim::NavigationMeshData RandomMesh() {
  sim::RandomStream stream = sim::MakeRandomStream(19, sim::IdOf("benchmark"));
  return sim::RandomLevel(60, 60, 30, 0, stream);
}

// What Recast makes of a hall of 100 by 100 m.
sim::NavigationMeshData BakedMesh() {
  sim::RandomStream stream = sim::MakeRandomStream(21, sim::IdOf("benchmark"));
  sim::MeshSettings settings;
  settings.scale = kScale;
  auto data = HallOfPillars(100.0, 800, stream).Bake(settings);
  CHECK(data.ok(), "{}", data.status().ToString());
  return *std::move(data);
}

// In plan, as Detour's: 0 when there is no path.
double FindPath(const sim::NavigationMesh& mesh, const sim::MeshPlace& start,
                const sim::MeshPlace& goal, sim::BestFirstSearch& search,
                uint64_t& expansions) {
  const sim::MeshSpace space(mesh, {}, start, goal);
  uint64_t budget = space.node_count();
  search.Begin(space.node_count(), MeshStartNode(mesh), MeshGoalNode(mesh),
               sim::SearchPolicy::kAStar);
  const sim::SearchStatus status = search.Advance(space, budget);
  expansions += space.node_count() - budget;
  if (status != sim::SearchStatus::kFound) return 0.0;
  const std::vector<sim::MeshPlace> path =
      MakeMeshPath(mesh, search.Path(), start, goal);
  double length = 0.0;
  for (size_t i = 1; i < path.size(); ++i) {
    sim::Vector3 way = mesh.PositionOf(path[i]) - mesh.PositionOf(path[i - 1]);
    way.y = 0.0;
    length += Length(way);
  }
  return length;
}

// Both search the same polygons in turns, each first in every other journey.
void Measure(benchmark::State& state, sim::NavigationMeshData data) {
  data.origin = {};
  const sim::NavigationMesh mesh(data, kScale);
  DetourMesh detour(data, kScale);
  sim::RandomStream stream = sim::MakeRandomStream(20, sim::IdOf("benchmark"));
  std::vector<std::pair<sim::MeshPlace, sim::MeshPlace>> journeys;
  for (int i = 0; i < kJourneys; ++i) {
    const sim::MeshPlace start = RandomPlace(mesh, stream);
    const sim::MeshPlace goal = RandomPlace(mesh, stream);
    journeys.emplace_back(start, goal);
  }
  sim::BestFirstSearch search;
  double our_s = 0.0;
  double their_s = 0.0;
  double our_m = 0.0;
  double their_m = 0.0;
  uint64_t expansions = 0;
  int found = 0;
  int differently_found = 0;
  bool is_ours_first = true;
  for ([[maybe_unused]] auto _ : state) {
    for (const auto& [start, goal] : journeys) {
      double ours = 0.0;
      double theirs = 0.0;
      for (const bool is_ours : {is_ours_first, !is_ours_first}) {
        const double before = Seconds();
        if (is_ours) {
          ours = FindPath(mesh, start, goal, search, expansions);
        } else {
          theirs =
              detour.FindPath(mesh.PositionOf(start), mesh.PositionOf(goal));
        }
        (is_ours ? our_s : their_s) += Seconds() - before;
      }
      is_ours_first = !is_ours_first;
      differently_found += (ours > 0.0) != (theirs > 0.0) ? 1 : 0;
      if (ours == 0.0 || theirs == 0.0) continue;
      our_m += ours;
      their_m += theirs;
      ++found;
    }
  }
  state.counters["time_ratio"] = our_s / their_s;
  state.counters["length_ratio"] = our_m / their_m;
  state.counters["expansions_per_s"] = static_cast<double>(expansions) / our_s;
  state.SetLabel(fmt::format(
      "{} polygons, {:.0f} % found, {} by one alone, {:.0f} m in all",
      mesh.polygon_count(),
      100.0 * found / (static_cast<double>(state.iterations()) * kJourneys),
      differently_found, our_m / static_cast<double>(state.iterations())));
}

void BM_RandomMeshAgainstDetour(benchmark::State& state) {
  Measure(state, RandomMesh());
}
BENCHMARK(BM_RandomMeshAgainstDetour)->Unit(benchmark::kMillisecond);

void BM_BakedMeshAgainstDetour(benchmark::State& state) {
  Measure(state, BakedMesh());
}
BENCHMARK(BM_BakedMeshAgainstDetour)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace reprise::tools
