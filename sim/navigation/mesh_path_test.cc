// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that searches on navigation meshes find cheapest ways, by a plain
// search of the test's own on random levels; that a string is pulled taut, by
// trying all ways along the ends of portals; and what is in a path: corners,
// borders of areas, slopes and ways off the mesh.

#include "sim/navigation/mesh_path.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "sim/base/id.h"
#include "sim/base/math.h"
#include "sim/base/random.h"
#include "sim/navigation/best_first_search.h"
#include "sim/navigation/mesh_space.h"
#include "sim/navigation/testing_meshes.h"

namespace reprise::sim {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr uint64_t kPlenty = 1u << 30;

struct Found {
  SearchStatus status = SearchStatus::kRunning;
  std::vector<uint32_t> nodes;
  uint64_t cost = 0;
  uint64_t expansions = 0;

  friend bool operator==(const Found&, const Found&) = default;
};

// Searches in slices of so many expansions, each in a search that is restored
// from what the last one had reached.
Found Search(const NavigationMesh& mesh, const MeshSpace& space,
             SearchPolicy policy, uint64_t slice = kPlenty) {
  const uint32_t start = MeshStartNode(mesh);
  const uint32_t goal = MeshGoalNode(mesh);
  BestFirstSearch search;
  search.Begin(space.node_count(), start, goal, policy);
  Found found;
  for (;;) {
    uint64_t budget = slice;
    found.status = search.Advance(space, budget);
    found.expansions += slice - budget;
    if (found.status != SearchStatus::kRunning) break;
    const std::vector<ReachedNode> reached(search.reached().begin(),
                                           search.reached().end());
    EXPECT_TRUE(
        BestFirstSearch::CanRestore(reached, space.node_count(), start));
    search.Restore(space, start, goal, policy, reached);
  }
  if (found.status != SearchStatus::kFound) return found;
  found.nodes = search.Path();
  found.cost = search.PathCost();
  return found;
}

// Bellman's and Ford's: every step is tried until none makes anything cheaper.
std::vector<std::optional<uint64_t>> CheapestCosts(const NavigationMesh& mesh,
                                                   const MeshSpace& space) {
  std::vector<std::optional<uint64_t>> costs(space.node_count());
  costs[MeshStartNode(mesh)] = 0;
  for (bool is_better = true; is_better;) {
    is_better = false;
    for (uint32_t node = 0; node < space.node_count(); ++node) {
      if (!costs[node].has_value() || node == MeshGoalNode(mesh)) continue;
      space.ForEachStep(node, [&](uint32_t to, uint64_t cost) {
        if (costs[to].has_value() && *costs[to] <= *costs[node] + cost) return;
        costs[to] = *costs[node] + cost;
        is_better = true;
      });
    }
  }
  return costs;
}

// A level with weights of areas, some of them closed, and ways off it.
struct Level {
  NavigationMesh mesh;
  std::vector<uint16_t> weights;
  MeshPlace start;
  MeshPlace goal;
};

Level MakeRandomLevel(RandomStream& stream) {
  constexpr uint64_t kAreas = 3;
  const auto columns = static_cast<uint32_t>(2 + NextBelow(stream, 9));
  const auto rows = static_cast<uint32_t>(2 + NextBelow(stream, 9));
  NavigationMeshData data = RandomLevel(columns, rows, 30, kAreas, stream);
  while (data.polygons.empty()) {
    data = RandomLevel(columns, rows, 30, kAreas, stream);
  }
  Level level = {.mesh = NavigationMesh(
                     data, {.cell_size_m = 0.1, .cell_height_m = 0.05})};
  level.weights = {2, 5, static_cast<uint16_t>(NextBelow(stream, 2))};
  const uint64_t ways = NextBelow(stream, 4);
  for (uint64_t i = 0; i < ways; ++i) {
    const MeshPlace from = RandomPlace(level.mesh, stream);
    const MeshPlace to = RandomPlace(level.mesh, stream);
    const double length =
        Length(level.mesh.PositionOf(to) - level.mesh.PositionOf(from));
    level.mesh.AddWay(
        {.from = from, .to = to, .cost = CostOfLength(length, 1.5)});
  }
  level.start = RandomPlace(level.mesh, stream);
  level.goal = RandomPlace(level.mesh, stream);
  return level;
}

// Each goal alone, by a search of its own, says which is the nearest.
TEST(MeshPathTest, EndsAtTheNearestOfSeveralGoals) {
  RandomStream stream = MakeRandomStream(29, IdOf("nearest"));
  int found_count = 0;
  int none_count = 0;
  for (int round = 0; round < 200; ++round) {
    const Level level = MakeRandomLevel(stream);
    std::vector<MeshGoal> goals;
    std::vector<uint32_t> nodes;
    std::optional<uint64_t> least;
    uint32_t nearest = 0;
    const uint64_t count = 1 + NextBelow(stream, 5);
    for (uint32_t i = 0; i < count; ++i) {
      const MeshPlace place = RandomPlace(level.mesh, stream);
      goals.push_back({place, level.mesh.PositionOf(place)});
      nodes.push_back(MeshGoalNode(level.mesh) + i);
      const Found alone = Search(
          level.mesh, MeshSpace(level.mesh, level.weights, level.start, place),
          SearchPolicy::kDijkstra);
      if (alone.status != SearchStatus::kFound) continue;
      if (least.has_value() && *least <= alone.cost) continue;
      least = alone.cost;
      nearest = nodes.back();
    }
    const MeshSpace space(level.mesh, level.weights, level.start, goals);
    for (const SearchPolicy policy :
         {SearchPolicy::kAStar, SearchPolicy::kDijkstra}) {
      BestFirstSearch search;
      search.Begin(space.node_count(), MeshStartNode(level.mesh), nodes,
                   policy);
      uint64_t budget = kPlenty;
      const SearchStatus status = search.Advance(space, budget);
      ASSERT_EQ(status == SearchStatus::kFound, least.has_value());
      if (!least.has_value()) {
        ++none_count;
        continue;
      }
      ++found_count;
      EXPECT_EQ(search.PathCost(), *least);
      EXPECT_EQ(search.Path().back(), nearest);
    }
  }
  EXPECT_GT(found_count, 100);
  EXPECT_GT(none_count, 10);
}

TEST(MeshPathTest, FindsCheapestWaysOnRandomLevels) {
  RandomStream stream = MakeRandomStream(19, IdOf("meshes"));
  int found_count = 0;
  int island_count = 0;
  uint64_t guided = 0;
  uint64_t blind = 0;
  for (int round = 0; round < 300; ++round) {
    const Level level = MakeRandomLevel(stream);
    const MeshSpace space(level.mesh, level.weights, level.start, level.goal);
    const auto expected = CheapestCosts(level.mesh, space);
    const auto goal_cost = expected[MeshGoalNode(level.mesh)];
    for (const SearchPolicy policy :
         {SearchPolicy::kAStar, SearchPolicy::kDijkstra,
          SearchPolicy::kGreedy}) {
      const Found found = Search(level.mesh, space, policy);
      ASSERT_EQ(found.status == SearchStatus::kFound, goal_cost.has_value());
      // However little a slice is, all is the same.
      ASSERT_EQ(Search(level.mesh, space, policy, 1), found);
      ASSERT_EQ(Search(level.mesh, space, policy, 7), found);
      if (found.status != SearchStatus::kFound) {
        ++island_count;
        continue;
      }
      ++found_count;
      if (policy == SearchPolicy::kGreedy) {
        ASSERT_GE(found.cost, *goal_cost);
        continue;
      }
      ASSERT_EQ(found.cost, *goal_cost);
      (policy == SearchPolicy::kDijkstra ? blind : guided) += found.expansions;
    }
    // Consistent: no step makes the guess fall by more than it costs.
    for (uint32_t node = 0; node < space.node_count(); ++node) {
      if (!expected[node].has_value() || node == MeshGoalNode(level.mesh)) {
        continue;
      }
      space.ForEachStep(node, [&](uint32_t to, uint64_t cost) {
        ASSERT_LE(space.Guess(node, 0), cost + space.Guess(to, 0));
      });
    }
  }
  EXPECT_GT(found_count, 300);
  EXPECT_GT(island_count, 100);
  EXPECT_LT(guided, blind);
}

double Distance(MeshPoint a, MeshPoint b) {
  const double x = a.x - b.x;
  const double z = a.z - b.z;
  return Sqrt(x * x + z * z);
}

// Whether the straight way from a to b goes through all portals, touching
// allowed: one of its ends is an end of the portal, or it begins before it and
// ends behind it, and each end is on its side. Where all of that is in one
// line, the two have to overlap. Exact.
bool IsClear(MeshPoint a, MeshPoint b, std::span<const MeshPortal> portals) {
  const auto overlap = [](int32_t a1, int32_t a2, int32_t b1, int32_t b2) {
    return std::max(a1, a2) >= std::min(b1, b2) &&
           std::max(b1, b2) >= std::min(a1, a2);
  };
  return std::ranges::all_of(portals, [&](const MeshPortal& portal) {
    const auto& [left, right] = portal;
    if (a == left || a == right || b == left || b == right) return true;
    return TurnOf(a, b, left) >= 0 && TurnOf(a, b, right) <= 0 &&
           TurnOf(left, right, a) <= 0 && TurnOf(left, right, b) >= 0 &&
           overlap(a.x, b.x, left.x, right.x) &&
           overlap(a.z, b.z, left.z, right.z);
  });
}

// The length of the shortest way, by trying all of them along the ends of
// portals: nothing shorter is bent elsewhere.
double ShortestLength(MeshPoint start, std::span<const MeshPortal> portals,
                      MeshPoint goal) {
  struct End {
    MeshPoint point;
    size_t portal;
    double length;
  };
  std::vector<End> ends;
  const auto length_to = [&](MeshPoint point, size_t portal) {
    double least = IsClear(start, point, portals.first(portal))
                       ? Distance(start, point)
                       : 1e300;
    for (const End& end : ends) {
      if (end.portal >= portal) continue;
      if (!IsClear(end.point, point,
                   portals.subspan(end.portal + 1, portal - end.portal - 1))) {
        continue;
      }
      least = std::min(least, end.length + Distance(end.point, point));
    }
    return least;
  };
  for (size_t i = 0; i < portals.size(); ++i) {
    const double left = length_to(portals[i].left, i);
    const double right = length_to(portals[i].right, i);
    ends.push_back({portals[i].left, i, left});
    ends.push_back({portals[i].right, i, right});
  }
  return length_to(goal, portals.size());
}

TEST(MeshPathTest, StringsArePulledTaut) {
  RandomStream stream = MakeRandomStream(19, IdOf("strings"));
  size_t corner_count = 0;
  size_t most_portals = 0;
  int straight_count = 0;
  for (int round = 0; round < 3000; ++round) {
    Level level = MakeRandomLevel(stream);
    level.weights = {1, 1, 1};
    const MeshSpace space(level.mesh, level.weights, level.start, level.goal);
    // Greedy finds the most crooked ways.
    const Found found = Search(level.mesh, space, SearchPolicy::kGreedy);
    if (found.status != SearchStatus::kFound) continue;
    std::vector<MeshPortal> portals;
    bool is_on_mesh = true;
    for (const uint32_t node : found.nodes) {
      if (node >= level.mesh.edge_count()) {
        is_on_mesh &= node >= MeshStartNode(level.mesh);
        continue;
      }
      portals.push_back({.left = level.mesh.edge_to(node),
                         .right = level.mesh.edge_from(node)});
    }
    if (!is_on_mesh) continue;
    const std::vector<TautCorner> corners =
        PullString(level.start.point, portals, level.goal.point);
    double length = 0.0;
    MeshPoint at = level.start.point;
    size_t next = 0;
    for (const TautCorner& corner : corners) {
      ASSERT_LT(corner.portal, portals.size());
      ASSERT_GE(corner.portal + 1, next);
      const MeshPortal& portal = portals[corner.portal];
      ASSERT_TRUE(corner.point == portal.left || corner.point == portal.right);
      ASSERT_TRUE(
          IsClear(at, corner.point,
                  std::span(portals).subspan(next, corner.portal - next)));
      length += Distance(at, corner.point);
      at = corner.point;
      next = corner.portal + 1;
    }
    ASSERT_TRUE(
        IsClear(at, level.goal.point, std::span(portals).subspan(next)));
    length += Distance(at, level.goal.point);
    const double expected =
        ShortestLength(level.start.point, portals, level.goal.point);
    // Sums of up to a hundred square roots, each right but for its last bit.
    ASSERT_NEAR(length, expected, 1e-12 * expected);
    corner_count += corners.size();
    most_portals = std::max(most_portals, portals.size());
    straight_count += corners.empty() ? 1 : 0;
  }
  EXPECT_GT(corner_count, 500u);
  EXPECT_GT(most_portals, 30u);
  EXPECT_GT(straight_count, 50);
}

TEST(MeshPathTest, StringsBeginAndEndAtEndsOfPortals) {
  const std::vector<MeshPortal> portals = {
      {.left = {0, 10}, .right = {10, 10}},
      {.left = {0, 10}, .right = {10, 20}},
      {.left = {0, 20}, .right = {10, 20}}};
  EXPECT_THAT(PullString({0, 10}, portals, {0, 20}), IsEmpty());
  EXPECT_THAT(PullString({10, 10}, portals, {10, 20}), IsEmpty());
  EXPECT_THAT(PullString({5, 10}, portals, {5, 20}), IsEmpty());
  EXPECT_THAT(PullString({5, 0}, {}, {5, 20}), IsEmpty());
  EXPECT_THAT(PullString({5, 5}, {}, {5, 5}), IsEmpty());
  EXPECT_THAT(PullString({-20, 5}, portals, {-20, 25}),
              ElementsAre(TautCorner{{0, 10}, 0}, TautCorner{{0, 20}, 2}));
}

TEST(MeshPathTest, PortalsThatLieNowhereGiveSomeWay) {
  RandomStream stream = MakeRandomStream(19, IdOf("nowhere"));
  for (int round = 0; round < 2000; ++round) {
    std::vector<MeshPortal> portals(NextBelow(stream, 9));
    const auto point = [&] {
      const auto x = static_cast<int32_t>(NextBelow(stream, 4));
      const auto z = static_cast<int32_t>(NextBelow(stream, 4));
      return MeshPoint{x, z};
    };
    for (MeshPortal& portal : portals) {
      portal.left = point();
      portal.right = point();
    }
    const MeshPoint start = point();
    const MeshPoint goal = point();
    for (const TautCorner& corner : PullString(start, portals, goal)) {
      EXPECT_LT(corner.portal, portals.size());
    }
  }
}

// A hall of 10 by 30 voxels whose middle third is a ramp to a gallery, and a
// room beside its end behind a door of one square.
NavigationMeshData Hall() {
  return {
      .vertices = {{0, 0, 0},
                   {10, 0, 0},
                   {10, 0, 10},
                   {0, 0, 10},
                   {10, 8, 20},
                   {0, 8, 20},
                   {10, 8, 30},
                   {0, 8, 30}},
      .polygons = {
          {{0, 1, 2, 3}, 4, 0}, {{3, 2, 4, 5}, 4, 0}, {{5, 4, 6, 7}, 4, 1}}};
}

std::vector<MeshPlace> PathIn(const NavigationMesh& mesh,
                              std::span<const uint16_t> weights,
                              const MeshPlace& start, const MeshPlace& goal) {
  const MeshSpace space(mesh, weights, start, goal);
  const Found found = Search(mesh, space, SearchPolicy::kAStar);
  if (found.status != SearchStatus::kFound) return {};
  return MakeMeshPath(mesh, found.nodes, start, goal);
}

constexpr MeshPlace At(uint32_t polygon, int32_t x, int32_t z) {
  return {polygon, {x * kStepsPerVoxel, z * kStepsPerVoxel}};
}

TEST(MeshPathTest, PathsFollowTheGroundAndTellOfAreas) {
  const NavigationMesh mesh(Hall(), {});
  const std::vector<uint16_t> weights = {1};
  // Bends at the foot of the ramp; at its head an area begins, too.
  EXPECT_THAT(
      PathIn(mesh, weights, At(0, 5, 5), At(2, 5, 25)),
      ElementsAre(At(0, 5, 5), At(1, 5, 10), At(2, 5, 20), At(2, 5, 25)));
  EXPECT_THAT(PathIn(mesh, weights, At(0, 5, 5), At(0, 9, 9)),
              ElementsAre(At(0, 5, 5), At(0, 9, 9)));
  EXPECT_THAT(PathIn(mesh, weights, At(0, 5, 5), At(0, 5, 5)),
              ElementsAre(At(0, 5, 5)));
}

TEST(MeshPathTest, ClosedAreasAreLeftAndNotEntered) {
  const NavigationMesh mesh(Hall(), {});
  const std::vector<uint16_t> shut = {0};
  EXPECT_THAT(PathIn(mesh, shut, At(0, 5, 5), At(2, 5, 25)), IsEmpty());
  EXPECT_EQ(PathIn(mesh, shut, At(2, 5, 25), At(0, 5, 5)).size(), 4u);
}

TEST(MeshPathTest, WaysOffTheMeshAreStepsOfPaths) {
  NavigationMeshData data = Hall();
  data.polygons.erase(data.polygons.begin() + 1);
  NavigationMesh mesh(data, {});
  EXPECT_THAT(PathIn(mesh, {}, At(0, 5, 5), At(1, 5, 25)), IsEmpty());
  mesh.AddWay({.from = At(0, 2, 9), .to = At(1, 3, 21), .cost = 20'000});
  EXPECT_THAT(
      PathIn(mesh, {}, At(0, 5, 5), At(1, 5, 25)),
      ElementsAre(At(0, 5, 5), At(0, 2, 9), At(1, 3, 21), At(1, 5, 25)));
  // It leads in one direction alone.
  EXPECT_THAT(PathIn(mesh, {}, At(1, 5, 25), At(0, 5, 5)), IsEmpty());
}

TEST(MeshPathTest, EveryAreaOnTheWayHasAPlace) {
  RandomStream stream = MakeRandomStream(19, IdOf("areas"));
  int crossed = 0;
  for (int round = 0; round < 300; ++round) {
    const Level level = MakeRandomLevel(stream);
    const MeshSpace space(level.mesh, level.weights, level.start, level.goal);
    const Found found = Search(level.mesh, space, SearchPolicy::kAStar);
    if (found.status != SearchStatus::kFound) continue;
    const std::vector<MeshPlace> path =
        MakeMeshPath(level.mesh, found.nodes, level.start, level.goal);
    ASSERT_EQ(path.front(), level.start);
    ASSERT_EQ(path.back(), level.goal);
    // The areas along the polygons, and along the path: the same in order.
    std::vector<uint32_t> expected = {
        level.mesh.polygon(level.start.polygon).area};
    for (const uint32_t node : found.nodes) {
      const uint32_t area = level.mesh.polygon(space.PolygonOf(node)).area;
      if (area != expected.back()) expected.push_back(area);
    }
    std::vector<uint32_t> told;
    for (const MeshPlace& place : path) {
      const uint32_t area = level.mesh.polygon(place.polygon).area;
      if (told.empty() || area != told.back()) told.push_back(area);
    }
    ASSERT_EQ(told, expected);
    crossed += expected.size() > 1 ? 1 : 0;
  }
  EXPECT_GT(crossed, 50);
}

}  // namespace
}  // namespace reprise::sim
