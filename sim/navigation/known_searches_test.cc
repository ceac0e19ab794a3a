// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves of searches what was worked out elsewhere: what ways through six small
// maps cost and how many cells each policy looks at for them, by the algorithms
// of "Game Programming Algorithms and Techniques" (chapter 9); that a guess of
// too much misses the cheapest way; and its exercises of graphs and guesses.

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "sim/geometry/vector3.h"
#include "sim/navigation/best_first_search.h"
#include "sim/navigation/grid.h"
#include "sim/navigation/waypoint_graph.h"

namespace reprise::sim {
namespace {

constexpr uint64_t kPlenty = 1u << 20;

// A map with its start and goal.
struct Journey {
  Grid grid;
  uint32_t start = 0;
  uint32_t goal = 0;
};

// '#' is a wall, 'S' the start, 'G' the goal.
Journey MakeJourney(const std::vector<std::string_view>& rows,
                    GridNeighbours neighbours) {
  std::vector<uint16_t> weights;
  uint32_t start = 0;
  uint32_t goal = 0;
  for (const std::string_view row : rows) {
    for (const char cell : row) {
      const auto number = static_cast<uint32_t>(weights.size());
      if (cell == 'S') start = number;
      if (cell == 'G') goal = number;
      weights.push_back(cell == '#' ? kWallWeight : uint16_t{1});
    }
  }
  const GridShape shape = {.columns = static_cast<uint32_t>(rows[0].size()),
                           .rows = static_cast<uint32_t>(rows.size()),
                           .neighbours = neighbours};
  return {
      .grid = Grid(shape, std::move(weights), 1), .start = start, .goal = goal};
}

struct Result {
  // In steps; nothing where there is no way.
  std::optional<uint64_t> cost;
  // Cells that were taken from the open ones, the start and the goal included.
  uint64_t closed = 0;

  friend bool operator==(const Result&, const Result&) = default;
};

BestFirstSearch Searched(const Journey& journey, Heuristic heuristic,
                         SearchPolicy policy) {
  BestFirstSearch search;
  search.Begin(journey.grid.node_count(), journey.start, journey.goal, policy);
  uint64_t budget = kPlenty;
  search.Advance(GridSpace(journey.grid, heuristic), budget);
  return search;
}

Result Search(const Journey& journey, Heuristic heuristic,
              SearchPolicy policy) {
  const BestFirstSearch search = Searched(journey, heuristic, policy);
  const uint64_t closed = search.spent();
  const bool is_found = std::ranges::any_of(
      search.reached(),
      [&](const ReachedNode& node) { return node.node == journey.goal; });
  if (!is_found) return {.closed = closed};
  return {.cost = search.PathCost() / kStraightStepCost, .closed = closed + 1};
}

struct Known {
  std::string name;
  std::vector<std::string_view> rows;
  Result greedy;
  Result a_star;
  Result dijkstra;
};

const std::array<Known, 6>& KnownSearches() {
  static const std::array<Known, 6> known = {{
      {.name = "open",
       .rows = {"S....", ".....", ".....", ".....", "....G"},
       .greedy = {8, 9},
       .a_star = {8, 9},
       .dijkstra = {8, 25}},
      {.name = "wall",
       .rows = {".......", "...#...", "S..#..G", "...#...", "......."},
       .greedy = {10, 12},
       .a_star = {10, 16},
       .dijkstra = {10, 32}},
      {.name = "trap",
       .rows = {"........", ".#####..", ".....#..", "S....#.G", ".....#..",
                ".#####..", "........"},
       // 21 where a cell that is open has its parent changed without a look at
       // what that costs; here the first that comes to it stays.
       .greedy = {13, 28},
       .a_star = {13, 28},
       .dijkstra = {13, 43}},
      {.name = "blocked",
       .rows = {"S.#..", "..#..", "..#.G"},
       .greedy = {std::nullopt, 6},
       .a_star = {std::nullopt, 6},
       .dijkstra = {std::nullopt, 6}},
      {.name = "sixteen",
       .rows = {"S.....", "#.#..#", "....#.", "..#..#", "#.#..G"},
       // 11 in the same way.
       .greedy = {9, 13},
       .a_star = {9, 13},
       .dijkstra = {9, 21}},
      {.name = "detour",
       .rows = {".#.#.#.", "...#..#", "S#...#G", ".#..#..", ".......",
                ".###..."},
       .greedy = {12, 18},
       .a_star = {10, 23},
       .dijkstra = {10, 29}},
  }};
  return known;
}

TEST(KnownSearchesTest, CostsAndClosedCellsAreThoseOfTheTable) {
  for (const Known& known : KnownSearches()) {
    const Journey journey = MakeJourney(known.rows, GridNeighbours::kFour);
    const auto search = [&](SearchPolicy policy) {
      return Search(journey, Heuristic::kManhattan, policy);
    };
    EXPECT_EQ(search(SearchPolicy::kGreedy), known.greedy) << known.name;
    EXPECT_EQ(search(SearchPolicy::kAStar), known.a_star) << known.name;
    EXPECT_EQ(search(SearchPolicy::kDijkstra), known.dijkstra) << known.name;
    // The straight line guesses less, so more is looked at, for the same way.
    const Result line =
        Search(journey, Heuristic::kEuclidean, SearchPolicy::kAStar);
    EXPECT_EQ(line.cost, known.a_star.cost) << known.name;
    EXPECT_GE(line.closed, known.a_star.closed) << known.name;
    EXPECT_LE(line.closed, known.dijkstra.closed) << known.name;
  }
}

// Along diagonals Manhattan's distance is too much, which is why packs that ask
// for it there are refused.
TEST(KnownSearchesTest, GuessesOfTooMuchMissTheCheapestWay) {
  const Journey journey = MakeJourney(
      {"S..#...", ".##....", "..##..#", "...###.", "#......", ".#..#.G"},
      GridNeighbours::kEightFree);
  const uint64_t cheapest = 3 * kStraightStepCost + 4 * kDiagonalStepCost;
  const uint64_t missed = 5 * kStraightStepCost + 3 * kDiagonalStepCost;
  for (const Heuristic heuristic :
       {Heuristic::kEuclidean, Heuristic::kOctile}) {
    ASSERT_TRUE(CanGuess(heuristic, GridNeighbours::kEightFree));
    EXPECT_EQ(Searched(journey, heuristic, SearchPolicy::kAStar).PathCost(),
              cheapest);
  }
  EXPECT_EQ(
      Searched(journey, Heuristic::kOctile, SearchPolicy::kDijkstra).PathCost(),
      cheapest);
  ASSERT_FALSE(CanGuess(Heuristic::kManhattan, GridNeighbours::kEightFree));
  EXPECT_EQ(
      Searched(journey, Heuristic::kManhattan, SearchPolicy::kAStar).PathCost(),
      missed);
}

TEST(KnownSearchesTest, GuessesOfTheExercise) {
  const Grid grid(
      {.columns = 3, .rows = 5, .neighbours = GridNeighbours::kFour},
      std::vector<uint16_t>(15, 1), 1);
  // Two columns and four rows apart: 6, and twice the square root of 5, with a
  // diagonal of 1.414.
  EXPECT_EQ(grid.Guess(Heuristic::kManhattan, 0, 14), 6000u);
  EXPECT_EQ(grid.Guess(Heuristic::kEuclidean, 0, 14), 4471u);
}

// The graph of the exercise, of which the printed answer lacks a way back: what
// isn't listed isn't there, in that direction alone.
TEST(KnownSearchesTest, WaysLeadInTheirOwnDirection) {
  const std::vector<std::vector<uint32_t>> printed = {
      {1, 4}, {0, 2, 4}, {1, 3}, {2, 4}, {0, 1}};
  std::vector<WaypointEdge> edges;
  std::vector<Vector3> points;
  for (uint32_t from = 0; from < printed.size(); ++from) {
    points.push_back({static_cast<double>(from), 0, 0});
    for (const uint32_t to : printed[from]) {
      edges.push_back({.from = from, .to = to});
    }
  }
  const WaypointGraph graph(points, edges);
  std::vector<std::pair<uint32_t, uint32_t>> alone;
  for (uint32_t from = 0; from < printed.size(); ++from) {
    std::vector<uint32_t> neighbours;
    graph.ForEachStep(from, [&](uint32_t to, uint64_t) {
      neighbours.push_back(to);
      if (!graph.StepCost(to, from).has_value()) alone.emplace_back(from, to);
    });
    EXPECT_EQ(neighbours, printed[from]) << from;
  }
  EXPECT_EQ(alone, (std::vector<std::pair<uint32_t, uint32_t>>{{3, 4}}));
}

}  // namespace
}  // namespace reprise::sim
