// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What searches cost on grids of 256 by 256 with 30 % walls: expansions per
// second, A* against Dijkstra in the same run, and 10,000 agents that follow
// one flow field; and searches by clusters against A* on grids of 1,024 by
// 1,024 and 4,096 by 4,096. What is found is in the label, so that it can't be
// skipped.

#include <algorithm>
#include <cstdint>
#include <ctime>
#include <utility>
#include <vector>

#include "benchmark/benchmark.h"
#include "fmt/format.h"
#include "sim/base/random.h"
#include "sim/navigation/best_first_search.h"
#include "sim/navigation/flow_field.h"
#include "sim/navigation/grid.h"
#include "sim/navigation/grid_clusters.h"
#include "sim/navigation/grid_layout.h"
#include "sim/navigation/steering.h"
#include "sim/navigation/testing_grids.h"

namespace reprise::sim {
namespace {

constexpr uint32_t kSide = 256;
constexpr uint64_t kWalls = 30;
constexpr int kJourneys = 50;
constexpr int kAgents = 10'000;

double Seconds() {
  timespec now = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) +
         static_cast<double>(now.tv_nsec) * 1e-9;
}

Grid MakeMaze() {
  RandomStream stream = MakeRandomStream(19, IdOf("benchmark"));
  return RandomGrid({kSide, kSide, GridNeighbours::kEightBothOpen}, kWalls, 1,
                    1, stream);
}

uint32_t RandomOpenCell(const Grid& grid, RandomStream& stream) {
  uint32_t cell = 0;
  do {
    cell = static_cast<uint32_t>(NextBelow(stream, grid.node_count()));
  } while (!grid.is_open(cell));
  return cell;
}

struct Tally {
  uint64_t expansions = 0;
  uint64_t cost = 0;
  double seconds = 0.0;
};

void Search(const GridSpace& space, uint32_t start, uint32_t goal,
            SearchPolicy policy, BestFirstSearch& search, Tally& tally) {
  const double before = Seconds();
  uint64_t budget = space.node_count();
  search.Begin(space.node_count(), start, goal, policy);
  const SearchStatus status = search.Advance(space, budget);
  tally.seconds += Seconds() - before;
  tally.expansions += space.node_count() - budget;
  if (status == SearchStatus::kFound) tally.cost += search.PathCost();
}

void BM_AStarAgainstDijkstra(benchmark::State& state) {
  const Grid grid = MakeMaze();
  const GridSpace space(grid, Heuristic::kOctile);
  RandomStream stream = MakeRandomStream(20, IdOf("benchmark"));
  std::vector<std::pair<uint32_t, uint32_t>> journeys;
  for (int i = 0; i < kJourneys; ++i) {
    const uint32_t start = RandomOpenCell(grid, stream);
    const uint32_t goal = RandomOpenCell(grid, stream);
    journeys.emplace_back(start, goal);
  }
  BestFirstSearch search;
  Tally guided;
  Tally blind;
  for ([[maybe_unused]] auto _ : state) {
    for (const auto& [start, goal] : journeys) {
      Search(space, start, goal, SearchPolicy::kAStar, search, guided);
      Search(space, start, goal, SearchPolicy::kDijkstra, search, blind);
    }
  }
  state.counters["astar_expansions_per_s"] =
      static_cast<double>(guided.expansions) / guided.seconds;
  state.counters["dijkstra_expansions_per_s"] =
      static_cast<double>(blind.expansions) / blind.seconds;
  state.counters["expansions_ratio"] = static_cast<double>(blind.expansions) /
                                       static_cast<double>(guided.expansions);
  state.counters["time_ratio"] = blind.seconds / guided.seconds;
  state.SetLabel(fmt::format(
      "costs {} and {}", guided.cost == blind.cost ? "equal" : "DIFFERENT",
      guided.cost / static_cast<uint64_t>(state.iterations())));
}
BENCHMARK(BM_AStarAgainstDijkstra)->Unit(benchmark::kMillisecond);

// Rooms of 19 by 19 cells in rows, with doors in nine of ten walls.
Grid MakeRooms(uint32_t side) {
  constexpr uint32_t kRoom = 20;
  RandomStream stream = MakeRandomStream(23, IdOf("benchmark"));
  std::vector<uint16_t> weights(uint64_t{side} * side, 1);
  const auto at = [&](uint32_t column, uint32_t row) -> uint16_t& {
    return weights[uint64_t{row} * side + column];
  };
  for (uint32_t row = 0; row < side; ++row) {
    for (uint32_t column = 0; column < side; ++column) {
      if (row % kRoom == 0 || column % kRoom == 0) at(column, row) = 0;
    }
  }
  for (uint32_t row = 0; row + kRoom < side; row += kRoom) {
    for (uint32_t column = 0; column + kRoom < side; column += kRoom) {
      const auto along = [&] {
        return 1 + static_cast<uint32_t>(NextBelow(stream, kRoom - 1));
      };
      if (row > 0 && NextBelow(stream, 10) > 0) at(column + along(), row) = 1;
      if (column > 0 && NextBelow(stream, 10) > 0) {
        at(column, row + along()) = 1;
      }
    }
  }
  return Grid({side, side, GridNeighbours::kEightBothOpen}, std::move(weights),
              1);
}

// Both searches, as a navigator has them; the clusters are known once the first
// journeys are made.
void SearchByClusters(const Grid& grid, GridClusters& clusters, uint32_t start,
                      uint32_t goal, BestFirstSearch& search, Tally& tally) {
  const double before = Seconds();
  uint64_t budget = 2 * uint64_t{grid.node_count()};
  const uint64_t whole = budget;
  const ClusterSpace space(grid, clusters, Heuristic::kOctile, start, goal);
  search.Begin(grid.node_count(), start, goal, SearchPolicy::kAStar);
  if (search.Advance(space, budget) == SearchStatus::kFound) {
    const CorridorSpace corridor(grid, clusters, Heuristic::kOctile,
                                 ClustersOfWay(clusters, search.Path()));
    search.Begin(grid.node_count(), start, goal, SearchPolicy::kAStar);
    if (search.Advance(corridor, budget) == SearchStatus::kFound) {
      tally.cost += search.PathCost();
    }
  }
  tally.seconds += Seconds() - before;
  tally.expansions += whole - budget;
}

// What the large grids are like; the first argument of their benchmark.
enum LargeGrid : int64_t { kPlain = 0, kRooms = 1, kWeighted = 2 };

Grid MakeLargeGrid(int64_t kind, uint32_t side, RandomStream& stream) {
  if (kind == kRooms) return MakeRooms(side);
  return RandomGrid({side, side, GridNeighbours::kEightBothOpen}, kWalls, 1,
                    kind == kWeighted ? 8 : 1, stream);
}

// Arguments: the kind of grid, its side and that of its clusters. Journeys are
// those that A* makes within kReachedNodesMax, which far ones on the largest
// grid aren't.
void BM_ClustersAgainstAStar(benchmark::State& state) {
  const auto side = static_cast<uint32_t>(state.range(1));
  RandomStream stream = MakeRandomStream(22, IdOf("benchmark"));
  const Grid grid = MakeLargeGrid(state.range(0), side, stream);
  const GridSpace space(grid, Heuristic::kOctile);
  GridClusters clusters(grid.shape(), static_cast<uint32_t>(state.range(2)));
  std::vector<std::pair<uint32_t, uint32_t>> journeys;
  BestFirstSearch search;
  Tally first;
  double dearest = 1.0;
  for (int i = 0; i < kJourneys; ++i) {
    const uint32_t start = RandomOpenCell(grid, stream);
    const uint32_t goal = RandomOpenCell(grid, stream);
    Tally plain;
    Search(space, start, goal, SearchPolicy::kAStar, search, plain);
    if (plain.cost == 0) continue;
    journeys.emplace_back(start, goal);
    const uint64_t before = first.cost;
    SearchByClusters(grid, clusters, start, goal, search, first);
    dearest = std::max(dearest, static_cast<double>(first.cost - before) /
                                    static_cast<double>(plain.cost));
  }
  Tally plain;
  Tally coarse;
  for ([[maybe_unused]] auto _ : state) {
    for (const auto& [start, goal] : journeys) {
      Search(space, start, goal, SearchPolicy::kAStar, search, plain);
      SearchByClusters(grid, clusters, start, goal, search, coarse);
    }
  }
  state.counters["expansions_ratio"] = static_cast<double>(plain.expansions) /
                                       static_cast<double>(coarse.expansions);
  state.counters["time_ratio"] = plain.seconds / coarse.seconds;
  // The first of each journey finds out about clusters, too.
  state.counters["first_time_ratio"] =
      plain.seconds / static_cast<double>(state.iterations()) / first.seconds;
  state.counters["cost_ratio"] =
      static_cast<double>(coarse.cost) / static_cast<double>(plain.cost);
  state.counters["cost_ratio_max"] = dearest;
  state.SetLabel(
      fmt::format("{} journeys, costs {} and {}", journeys.size(),
                  plain.cost / static_cast<uint64_t>(state.iterations()),
                  coarse.cost / static_cast<uint64_t>(state.iterations())));
}
BENCHMARK(BM_ClustersAgainstAStar)
    ->ArgNames({"kind", "side", "cluster"})
    ->Args({kPlain, 1024, 16})
    ->Args({kRooms, 1024, 16})
    ->Args({kWeighted, 1024, 16})
    ->Args({kPlain, 4096, 32})
    ->Unit(benchmark::kMillisecond);

void BM_FlowField(benchmark::State& state) {
  const Grid grid = MakeMaze();
  RandomStream stream = MakeRandomStream(21, IdOf("benchmark"));
  const uint32_t goal = RandomOpenCell(grid, stream);
  FlowField field;
  for ([[maybe_unused]] auto _ : state) {
    field.Compute(grid, goal);
    benchmark::DoNotOptimize(field.Cost(0));
  }
}
BENCHMARK(BM_FlowField)->Unit(benchmark::kMillisecond);

// Each goes to the centre of the next cell, at 3 m/s, 60 times a second.
void BM_AgentsOnOneFlowField(benchmark::State& state) {
  const Grid grid = MakeMaze();
  const GridLayout layout;
  RandomStream stream = MakeRandomStream(21, IdOf("benchmark"));
  FlowField field;
  field.Compute(grid, RandomOpenCell(grid, stream));
  std::vector<Vector3> begin(kAgents);
  for (Vector3& place : begin) {
    place = layout.CentreOf(grid.shape(), RandomOpenCell(grid, stream));
  }
  std::vector<Vector3> places;
  for ([[maybe_unused]] auto _ : state) {
    places = begin;
    for (int tick = 0; tick < 60; ++tick) {
      for (Vector3& place : places) {
        const uint32_t next = field.Next(layout.CellAt(grid.shape(), place));
        if (next == kNoNode) continue;
        const Vector3 point = layout.CentreOf(grid.shape(), next);
        place = place + (1.0 / 60.0) * Seek(place, point, 3.0);
      }
    }
    benchmark::DoNotOptimize(places.data());
  }
  state.SetItemsProcessed(state.iterations() * kAgents * 60);
}
BENCHMARK(BM_AgentsOnOneFlowField)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace reprise::sim
