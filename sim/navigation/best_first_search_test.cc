// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that searches find cheapest ways, by a plain search of the test's own
// on random grids and graphs, to one goal and to the nearest of several; that
// ties, budgets and restored searches change nothing; and what greedy does.

#include "sim/navigation/best_first_search.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "gtest/gtest.h"
#include "sim/base/random.h"
#include "sim/navigation/grid.h"
#include "sim/navigation/testing_grids.h"
#include "sim/navigation/waypoint_graph.h"

namespace reprise::sim {
namespace {

constexpr uint64_t kPlenty = 1u << 30;

// Bellman's and Ford's: every step is tried until none makes anything cheaper.
template <typename Space>
std::vector<std::optional<uint64_t>> CheapestCosts(const Space& space,
                                                   uint32_t start) {
  std::vector<std::optional<uint64_t>> costs(space.node_count());
  costs[start] = 0;
  for (bool is_better = true; is_better;) {
    is_better = false;
    for (uint32_t node = 0; node < space.node_count(); ++node) {
      if (!costs[node].has_value()) continue;
      space.ForEachStep(node, [&](uint32_t to, uint64_t cost) {
        if (costs[to].has_value() && *costs[to] <= *costs[node] + cost) return;
        costs[to] = *costs[node] + cost;
        is_better = true;
      });
    }
  }
  return costs;
}

template <typename Space>
uint64_t CostAlong(const Space& space, const std::vector<uint32_t>& path) {
  uint64_t sum = 0;
  for (size_t i = 1; i < path.size(); ++i) {
    const std::optional<uint64_t> cost = space.StepCost(path[i - 1], path[i]);
    EXPECT_TRUE(cost.has_value()) << path[i - 1] << " to " << path[i];
    sum += cost.value_or(0);
  }
  return sum;
}

struct Found {
  SearchStatus status = SearchStatus::kRunning;
  std::vector<uint32_t> path;
  uint64_t cost = 0;
  uint64_t expansions = 0;

  friend bool operator==(const Found&, const Found&) = default;
};

template <typename Space>
Found Search(const Space& space, uint32_t start, uint32_t goal,
             SearchPolicy policy) {
  BestFirstSearch search;
  search.Begin(space.node_count(), start, goal, policy);
  uint64_t budget = kPlenty;
  Found found = {.status = search.Advance(space, budget)};
  found.expansions = kPlenty - budget;
  if (found.status != SearchStatus::kFound) return found;
  found.path = search.Path();
  found.cost = search.PathCost();
  return found;
}

TEST(BestFirstSearchTest, FindsCheapestWaysOnRandomGrids) {
  RandomStream stream = MakeRandomStream(19, IdOf("grids"));
  uint64_t guided = 0;
  uint64_t blind = 0;
  int found_count = 0;
  for (int round = 0; round < 60; ++round) {
    for (const GridNeighbours neighbours : kAllNeighbours) {
      const auto columns = static_cast<uint32_t>(1 + NextBelow(stream, 24));
      const auto rows = static_cast<uint32_t>(1 + NextBelow(stream, 24));
      const auto least = static_cast<uint16_t>(1 + NextBelow(stream, 3));
      const Grid grid =
          RandomGrid({columns, rows, neighbours}, 30, least, least + 5, stream);
      const auto start =
          static_cast<uint32_t>(NextBelow(stream, grid.node_count()));
      const auto goal =
          static_cast<uint32_t>(NextBelow(stream, grid.node_count()));
      const auto expected = CheapestCosts(grid, start);
      for (const Heuristic heuristic : kAllHeuristics) {
        if (!CanGuess(heuristic, neighbours)) continue;
        const GridSpace space(grid, heuristic);
        for (const SearchPolicy policy :
             {SearchPolicy::kAStar, SearchPolicy::kDijkstra,
              SearchPolicy::kGreedy}) {
          const Found found = Search(space, start, goal, policy);
          ASSERT_EQ(found.status == SearchStatus::kFound,
                    expected[goal].has_value());
          if (found.status != SearchStatus::kFound) continue;
          ++found_count;
          ASSERT_EQ(found.path.front(), start);
          ASSERT_EQ(found.path.back(), goal);
          ASSERT_EQ(CostAlong(grid, found.path), found.cost);
          if (policy == SearchPolicy::kGreedy) {
            ASSERT_GE(found.cost, *expected[goal]);
          } else {
            ASSERT_EQ(found.cost, *expected[goal]);
          }
          (policy == SearchPolicy::kDijkstra ? blind : guided) +=
              policy == SearchPolicy::kGreedy ? 0 : found.expansions;
        }
        // Admissible: no guess is more than what it really costs.
        for (uint32_t node = 0; node < grid.node_count(); ++node) {
          if (!expected[node].has_value()) continue;
          ASSERT_LE(grid.Guess(heuristic, start, node), *expected[node]);
        }
      }
    }
  }
  EXPECT_GT(found_count, 500);
  EXPECT_LT(guided, blind);
}

TEST(BestFirstSearchTest, FindsCheapestWaysOnRandomGraphs) {
  RandomStream stream = MakeRandomStream(19, IdOf("graphs"));
  int found_count = 0;
  for (int round = 0; round < 100; ++round) {
    const auto count = static_cast<uint32_t>(1 + NextBelow(stream, 40));
    std::vector<Vector3> points(count);
    for (Vector3& point : points) {
      // Some at whole metres, so that ways are exactly as long as guesses.
      const bool is_whole = NextBelow(stream, 2) == 0;
      for (double* const at : {&point.x, &point.y, &point.z}) {
        *at = is_whole ? static_cast<double>(NextBelow(stream, 20))
                       : 20.0 * NextUnit(stream);
      }
    }
    std::vector<WaypointEdge> edges(NextBelow(stream, 120));
    for (WaypointEdge& edge : edges) {
      edge.from = static_cast<uint32_t>(NextBelow(stream, count));
      edge.to = static_cast<uint32_t>(NextBelow(stream, count));
      edge.weight = NextBelow(stream, 2) == 0 ? 1.0 : 1.0 + NextUnit(stream);
    }
    const WaypointGraph graph(points, edges);
    const auto expected = CheapestCosts(graph, 0);
    for (uint32_t goal = 0; goal < count; ++goal) {
      graph.ForEachStep(goal, [&](uint32_t to, uint64_t cost) {
        for (uint32_t far = 0; far < count; ++far) {
          ASSERT_LE(graph.Guess(goal, far), cost + graph.Guess(to, far));
        }
      });
      for (const SearchPolicy policy :
           {SearchPolicy::kAStar, SearchPolicy::kDijkstra}) {
        const Found found = Search(graph, 0, goal, policy);
        ASSERT_EQ(found.status == SearchStatus::kFound,
                  expected[goal].has_value());
        if (found.status != SearchStatus::kFound) continue;
        ++found_count;
        ASSERT_EQ(found.cost, *expected[goal]);
        ASSERT_EQ(CostAlong(graph, found.path), found.cost);
      }
    }
  }
  EXPECT_GT(found_count, 500);
}

// Of random goals, some of them walls and some out of reach.
std::vector<uint32_t> RandomGoals(uint32_t node_count, RandomStream& stream) {
  std::set<uint32_t> goals;
  const uint64_t count = 1 + NextBelow(stream, 6);
  for (uint64_t i = 0; i < count; ++i) {
    goals.insert(static_cast<uint32_t>(NextBelow(stream, node_count)));
  }
  return {goals.begin(), goals.end()};
}

// In slices of so many expansions, each in a search that is restored from what
// the last one had reached.
template <typename Space>
Found SearchNearest(const Space& space, uint32_t start,
                    const std::vector<uint32_t>& goals, SearchPolicy policy,
                    uint64_t slice = kPlenty) {
  BestFirstSearch search;
  search.Begin(space.node_count(), start, goals, policy);
  Found found;
  for (;;) {
    uint64_t budget = slice;
    found.status = search.Advance(space, budget);
    found.expansions += slice - budget;
    if (found.status != SearchStatus::kRunning) break;
    const std::vector<ReachedNode> kept(search.reached().begin(),
                                        search.reached().end());
    EXPECT_TRUE(BestFirstSearch::CanRestore(kept, space.node_count(), start));
    search = BestFirstSearch();
    search.Restore(space, start, goals, policy, kept);
  }
  if (found.status != SearchStatus::kFound) return found;
  found.path = search.Path();
  found.cost = search.PathCost();
  return found;
}

// The cheapest of the goals to come to, of equally cheap ones the first.
std::optional<uint32_t> NearestOf(
    const std::vector<uint32_t>& goals,
    const std::vector<std::optional<uint64_t>>& costs) {
  std::optional<uint32_t> nearest;
  for (const uint32_t goal : goals) {
    if (!costs[goal].has_value()) continue;
    if (!nearest.has_value() || *costs[goal] < *costs[*nearest]) nearest = goal;
  }
  return nearest;
}

TEST(BestFirstSearchTest, EndsAtTheNearestOfSeveralGoals) {
  RandomStream stream = MakeRandomStream(29, IdOf("nearest"));
  int found_count = 0;
  int none_count = 0;
  int tie_count = 0;
  uint64_t guided = 0;
  uint64_t blind = 0;
  for (int round = 0; round < 60; ++round) {
    for (const GridNeighbours neighbours : kAllNeighbours) {
      const auto side = static_cast<uint32_t>(2 + NextBelow(stream, 16));
      const Grid grid = RandomGrid({side, side, neighbours}, 35, 1, 2, stream);
      const auto start =
          static_cast<uint32_t>(NextBelow(stream, grid.node_count()));
      const std::vector<uint32_t> goals =
          RandomGoals(grid.node_count(), stream);
      const auto costs = CheapestCosts(grid, start);
      const std::optional<uint32_t> nearest = NearestOf(goals, costs);
      tie_count +=
          nearest.has_value() &&
          std::ranges::count(goals, *costs[*nearest], [&](uint32_t goal) {
            return costs[goal].value_or(~0ull);
          }) > 1;
      for (const Heuristic heuristic : kAllHeuristics) {
        if (!CanGuess(heuristic, neighbours)) continue;
        const GridSpace space(grid, heuristic);
        for (const SearchPolicy policy :
             {SearchPolicy::kAStar, SearchPolicy::kDijkstra}) {
          const Found found = SearchNearest(space, start, goals, policy);
          ASSERT_EQ(found.status == SearchStatus::kFound, nearest.has_value());
          ASSERT_EQ(SearchNearest(space, start, goals, policy, 1), found);
          if (!nearest.has_value()) {
            ++none_count;
            continue;
          }
          ++found_count;
          ASSERT_EQ(found.path.front(), start);
          ASSERT_EQ(found.path.back(), *nearest);
          ASSERT_EQ(found.cost, *costs[*nearest]);
          ASSERT_EQ(CostAlong(grid, found.path), found.cost);
          (policy == SearchPolicy::kDijkstra ? blind : guided) +=
              found.expansions;
        }
        // Greedy finds one of them, if there is one.
        const Found some =
            SearchNearest(space, start, goals, SearchPolicy::kGreedy);
        ASSERT_EQ(some.status == SearchStatus::kFound, nearest.has_value());
        if (!nearest.has_value()) continue;
        ASSERT_TRUE(std::ranges::binary_search(goals, some.path.back()));
        ASSERT_GE(some.cost, *costs[*nearest]);
      }
    }
  }
  EXPECT_GT(found_count, 500);
  EXPECT_GT(none_count, 20);
  EXPECT_GT(tie_count, 5);
  EXPECT_LT(guided, blind);
}

TEST(BestFirstSearchTest, OneOfOneGoalIsThatGoal) {
  RandomStream stream = MakeRandomStream(29, IdOf("single"));
  for (int round = 0; round < 40; ++round) {
    const Grid grid =
        RandomGrid({20, 20, GridNeighbours::kEightFree}, 30, 1, 4, stream);
    const GridSpace space(grid, Heuristic::kOctile);
    const auto goal = static_cast<uint32_t>(NextBelow(stream, 400));
    for (const SearchPolicy policy :
         {SearchPolicy::kAStar, SearchPolicy::kDijkstra,
          SearchPolicy::kGreedy}) {
      EXPECT_EQ(SearchNearest(space, 0, {goal}, policy),
                Search(space, 0, goal, policy));
    }
  }
}

// The nearer goal in a straight line is behind a wall; of two that are equally
// far the one with the lower number is taken, though the other is found first.
TEST(BestFirstSearchTest, KnownNearestGoals) {
  const Grid grid = MakeGrid({"..#..",   //
                              "..#..",   //
                              "....."},  //
                             GridNeighbours::kFour);
  const GridSpace space(grid, Heuristic::kManhattan);
  const Found found = SearchNearest(space, 1, {3, 10}, SearchPolicy::kAStar);
  EXPECT_EQ(found.path.back(), 10u);
  EXPECT_EQ(found.cost, 3000u);
  for (const SearchPolicy policy :
       {SearchPolicy::kAStar, SearchPolicy::kDijkstra}) {
    EXPECT_EQ(SearchNearest(space, 6, {0, 5, 7, 10, 12}, policy).path.back(),
              5u);
    EXPECT_EQ(SearchNearest(space, 6, {0, 10, 12}, policy).path.back(), 0u);
    EXPECT_EQ(SearchNearest(space, 6, {10, 12}, policy).path.back(), 10u);
    EXPECT_EQ(SearchNearest(space, 6, {6, 12}, policy).path,
              std::vector<uint32_t>{6});
  }
}

TEST(BestFirstSearchTest, KnownPaths) {
  const Grid grid = MakeGrid({"....",   //
                              ".##.",   //
                              "...."},  //
                             GridNeighbours::kEightBothOpen);
  const Found found =
      Search(GridSpace(grid, Heuristic::kOctile), 4, 7, SearchPolicy::kAStar);
  // Both ways round cost the same; the one of lower numbers is taken.
  EXPECT_EQ(found.path, (std::vector<uint32_t>{4, 0, 1, 2, 3, 7}));
  EXPECT_EQ(found.cost, 5000u);
  const Grid heavy = MakeGrid({".9.",   //
                               "..."},  //
                              GridNeighbours::kFour);
  EXPECT_EQ(Search(GridSpace(heavy, Heuristic::kManhattan), 0, 2,
                   SearchPolicy::kAStar)
                .path,
            (std::vector<uint32_t>{0, 3, 4, 5, 2}));
}

// By GPAT's example: a node that is known at a cost of 2 isn't taken over from
// one that offers 4, and is from one that offers less.
TEST(BestFirstSearchTest, CheaperWaysAreTakenOver) {
  const WaypointGraph graph(
      {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}},
      std::vector<WaypointEdge>{{0, 2, 1.5}, {0, 1, 1.0}, {1, 2, 1.0}});
  const Found cheap = Search(graph, 0, 2, SearchPolicy::kDijkstra);
  EXPECT_EQ(cheap.path, (std::vector<uint32_t>{0, 1, 2}));
  EXPECT_EQ(cheap.cost, 2000u);
  const WaypointGraph other(
      {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}},
      std::vector<WaypointEdge>{{0, 2, 1.0}, {0, 1, 1.0}, {1, 2, 3.0}});
  EXPECT_EQ(Search(other, 0, 2, SearchPolicy::kDijkstra).path,
            (std::vector<uint32_t>{0, 2}));
}

TEST(BestFirstSearchTest, GreedyTakesTheFirstWay) {
  // Straight ahead is a trap, and greedy goes through what is heavy.
  const Grid grid = MakeGrid({".9.",   //
                              "..."},  //
                             GridNeighbours::kFour);
  const GridSpace space(grid, Heuristic::kManhattan);
  EXPECT_EQ(Search(space, 0, 2, SearchPolicy::kGreedy).path,
            (std::vector<uint32_t>{0, 1, 2}));
  EXPECT_EQ(Search(space, 0, 2, SearchPolicy::kGreedy).cost, 10000u);
}

TEST(BestFirstSearchTest, StartThatIsTheGoalNeedsNoExpansion) {
  const Grid grid = MakeGrid({"."}, GridNeighbours::kFour);
  BestFirstSearch search;
  search.Begin(1, 0, 0, SearchPolicy::kAStar);
  uint64_t budget = 0;
  EXPECT_EQ(search.Advance(GridSpace(grid, Heuristic::kManhattan), budget),
            SearchStatus::kFound);
  EXPECT_EQ(search.Path(), std::vector<uint32_t>{0});
  EXPECT_EQ(search.PathCost(), 0u);
}

TEST(BestFirstSearchTest, IslandsAreExhausted) {
  const Grid grid = MakeGrid({"..#..",   //
                              "..#.."},  //
                             GridNeighbours::kEightFree);
  const Found found =
      Search(GridSpace(grid, Heuristic::kOctile), 0, 4, SearchPolicy::kAStar);
  EXPECT_EQ(found.status, SearchStatus::kExhausted);
  EXPECT_EQ(found.expansions, 4u);
  // A wall is never reached, though it can be left.
  EXPECT_EQ(
      Search(GridSpace(grid, Heuristic::kOctile), 0, 2, SearchPolicy::kAStar)
          .status,
      SearchStatus::kExhausted);
  EXPECT_EQ(
      Search(GridSpace(grid, Heuristic::kOctile), 2, 4, SearchPolicy::kAStar)
          .path,
      (std::vector<uint32_t>{2, 3, 4}));
}

TEST(BestFirstSearchTest, BudgetsAndCopiesChangeNothing) {
  RandomStream stream = MakeRandomStream(19, IdOf("budgets"));
  for (const GridNeighbours neighbours : kAllNeighbours) {
    const Grid grid = RandomGrid({30, 30, neighbours}, 25, 1, 4, stream);
    const GridSpace space(grid, BestHeuristic(neighbours));
    for (const SearchPolicy policy :
         {SearchPolicy::kAStar, SearchPolicy::kDijkstra,
          SearchPolicy::kGreedy}) {
      const uint32_t start = 0;
      const uint32_t goal = grid.node_count() - 1;
      const Found whole = Search(space, start, goal, policy);
      for (const uint64_t slice : {1u, 3u, 64u}) {
        BestFirstSearch search;
        search.Begin(grid.node_count(), start, goal, policy);
        uint64_t expansions = 0;
        SearchStatus status = SearchStatus::kRunning;
        while (status == SearchStatus::kRunning) {
          uint64_t budget = slice;
          status = search.Advance(space, budget);
          expansions += slice - budget;
          // Another one goes on from what this one has reached.
          const std::vector<ReachedNode> kept(search.reached().begin(),
                                              search.reached().end());
          ASSERT_TRUE(
              BestFirstSearch::CanRestore(kept, grid.node_count(), start));
          search = BestFirstSearch();
          search.Restore(space, start, goal, policy, kept);
          if (status == SearchStatus::kFound) {
            uint64_t none = 0;
            ASSERT_EQ(search.Advance(space, none), SearchStatus::kFound);
          }
        }
        ASSERT_EQ(status, whole.status);
        EXPECT_EQ(expansions, whole.expansions);
        if (status != SearchStatus::kFound) continue;
        EXPECT_EQ(search.Path(), whole.path);
        EXPECT_EQ(search.PathCost(), whole.cost);
      }
    }
  }
}

// One that is used for spaces of different sizes in turn knows nothing of the
// others.
TEST(BestFirstSearchTest, SpacesInTurnChangeNothing) {
  RandomStream stream = MakeRandomStream(26, IdOf("turns"));
  BestFirstSearch search;
  for (int round = 0; round < 60; ++round) {
    const auto side = static_cast<uint32_t>(2 + NextBelow(stream, 30));
    const Grid grid =
        RandomGrid({side, side, GridNeighbours::kEightFree}, 25, 1, 4, stream);
    const GridSpace space(grid, Heuristic::kOctile);
    const uint32_t goal = grid.node_count() - 1;
    const Found alone = Search(space, 0, goal, SearchPolicy::kAStar);
    search.Begin(grid.node_count(), 0, goal, SearchPolicy::kAStar);
    uint64_t budget = kPlenty;
    ASSERT_EQ(search.Advance(space, budget), alone.status);
    EXPECT_EQ(kPlenty - budget, alone.expansions);
    if (alone.status != SearchStatus::kFound) continue;
    EXPECT_EQ(search.Path(), alone.path);
  }
}

TEST(BestFirstSearchTest, ChangedAndNewNodesAreAllThatASliceWrites) {
  RandomStream stream = MakeRandomStream(19, IdOf("changes"));
  const Grid grid =
      RandomGrid({30, 30, GridNeighbours::kEightFree}, 25, 1, 9, stream);
  const GridSpace space(grid, Heuristic::kOctile);
  BestFirstSearch search;
  search.Begin(grid.node_count(), 0, grid.node_count() - 1,
               SearchPolicy::kAStar);
  std::vector<ReachedNode> kept;
  SearchStatus status = SearchStatus::kRunning;
  while (status == SearchStatus::kRunning) {
    uint64_t budget = 5;
    status = search.Advance(space, budget);
    for (const uint32_t index : search.changed()) {
      if (index < kept.size()) kept[index] = search.reached()[index];
    }
    for (size_t i = kept.size(); i < search.reached().size(); ++i) {
      kept.push_back(search.reached()[i]);
    }
    search.ForgetChanged();
    ASSERT_TRUE(std::ranges::equal(kept, search.reached()));
  }
}

TEST(BestFirstSearchTest, WhatCanNotBeIsNotRestored) {
  const std::vector<ReachedNode> good = {
      {.cost = 0, .node = 3, .is_expanded = true},
      {.cost = 5, .node = 1, .came_from = 0}};
  EXPECT_TRUE(BestFirstSearch::CanRestore(good, 4, 3));
  EXPECT_TRUE(BestFirstSearch::CanRestore({}, 4, 3));
  EXPECT_FALSE(BestFirstSearch::CanRestore(good, 3, 3));
  EXPECT_FALSE(BestFirstSearch::CanRestore(good, 4, 1));
  const auto changed = [&](auto change) {
    std::vector<ReachedNode> bad = good;
    change(bad);
    return BestFirstSearch::CanRestore(bad, 4, 3);
  };
  EXPECT_FALSE(changed([](auto& bad) { bad[1].node = 3; }));
  EXPECT_FALSE(changed([](auto& bad) { bad[1].came_from = 1; }));
  EXPECT_FALSE(changed([](auto& bad) { bad[1].came_from = 2; }));
  EXPECT_FALSE(changed([](auto& bad) { bad[1].came_from = kNoNode; }));
  EXPECT_FALSE(changed([](auto& bad) { bad[1].cost = 0; }));
  EXPECT_FALSE(changed([](auto& bad) { bad[0].cost = 1; }));
  EXPECT_FALSE(changed([](auto& bad) { bad[0].is_expanded = false; }));
}

// The rules of ties as they are written down, by lists that are looked through
// from end to end: of all that is open the least rank, then the least guess,
// then the least node; of equally cheap ways the first.
template <typename Space>
std::vector<uint32_t> PathByTheRules(const Space& space, uint32_t start,
                                     uint32_t goal, SearchPolicy policy) {
  struct Reached {
    uint64_t cost = 0;
    uint32_t from = kNoNode;
    bool is_open = true;
  };
  std::map<uint32_t, Reached> reached = {{start, {}}};
  const auto guess = [&](uint32_t node) {
    return policy == SearchPolicy::kDijkstra ? 0 : space.Guess(node, goal);
  };
  for (;;) {
    std::optional<std::tuple<uint64_t, uint64_t, uint32_t>> best;
    for (const auto& [node, known] : reached) {
      if (!known.is_open) continue;
      const uint64_t cost = policy == SearchPolicy::kGreedy ? 0 : known.cost;
      const auto worth = std::tuple(cost + guess(node), guess(node), node);
      if (!best.has_value() || worth < *best) best = worth;
    }
    if (!best.has_value()) return {};
    const uint32_t node = std::get<2>(*best);
    if (node == goal) break;
    reached[node].is_open = false;
    space.ForEachStep(node, [&](uint32_t to, uint64_t cost) {
      const uint64_t sum = reached[node].cost + cost;
      const auto known = reached.find(to);
      if (known == reached.end()) {
        reached[to] = {.cost = sum, .from = node};
      } else if (known->second.is_open && sum < known->second.cost &&
                 policy != SearchPolicy::kGreedy) {
        known->second = {.cost = sum, .from = node};
      }
    });
  }
  std::vector<uint32_t> path;
  for (uint32_t node = goal; node != kNoNode; node = reached[node].from) {
    path.insert(path.begin(), node);
  }
  return path;
}

// Open ground has many equally cheap ways; the rules name one.
TEST(BestFirstSearchTest, TiesGoAsTheRulesSay) {
  RandomStream stream = MakeRandomStream(24, IdOf("ties"));
  int compared = 0;
  for (int round = 0; round < 40; ++round) {
    for (const GridNeighbours neighbours : kAllNeighbours) {
      const auto columns = static_cast<uint32_t>(2 + NextBelow(stream, 12));
      const auto rows = static_cast<uint32_t>(2 + NextBelow(stream, 12));
      // Few walls and one weight: nearly all is a tie.
      const Grid grid =
          RandomGrid({columns, rows, neighbours}, 10, 1, 1, stream);
      const auto start =
          static_cast<uint32_t>(NextBelow(stream, grid.node_count()));
      const auto goal =
          static_cast<uint32_t>(NextBelow(stream, grid.node_count()));
      const GridSpace space(grid, BestHeuristic(neighbours));
      for (const SearchPolicy policy :
           {SearchPolicy::kAStar, SearchPolicy::kDijkstra,
            SearchPolicy::kGreedy}) {
        const std::vector<uint32_t> path =
            Search(space, start, goal, policy).path;
        ASSERT_EQ(path, PathByTheRules(space, start, goal, policy))
            << start << " to " << goal;
        compared += path.size() > 3 ? 1 : 0;
      }
    }
  }
  EXPECT_GT(compared, 300);
}

// What a search has reached has to fit into a keyframe, however much it may
// expand; where it stops doesn't depend on slices.
TEST(BestFirstSearchTest, WhatIsReachedIsBounded) {
  const Grid grid({1024, 1024, GridNeighbours::kEightFree},
                  std::vector<uint16_t>(1024 * 1024, 1), 1);
  const GridSpace space(grid, Heuristic::kOctile);
  std::optional<uint64_t> expected;
  for (const uint64_t slice : {kPlenty, uint64_t{100'000}}) {
    BestFirstSearch search;
    search.Begin(space.node_count(), 512 * 1024 + 512, 0,
                 SearchPolicy::kDijkstra);
    SearchStatus status = SearchStatus::kRunning;
    while (status == SearchStatus::kRunning) {
      uint64_t budget = slice;
      status = search.Advance(space, budget);
    }
    EXPECT_EQ(status, SearchStatus::kFull);
    EXPECT_GE(search.reached().size(), kReachedNodesMax);
    EXPECT_LE(search.reached().size(), kReachedNodesMax + 8);
    EXPECT_EQ(search.spent(), expected.value_or(search.spent()));
    expected = search.spent();
  }
}

}  // namespace
}  // namespace reprise::sim
