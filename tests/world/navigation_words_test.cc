// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that the words of packs for grids and navigators mean what
// docs/navigation.md says of them: which diagonals there are, which policy
// expands what, and how close a heuristic guesses, by paths, costs and
// expansions that were found on paper.

#include <cstdint>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "fmt/format.h"
#include "gtest/gtest.h"
#include "sim/base/id.h"
#include "sim/event.h"
#include "sim/simulation.h"
#include "sim/state/table.h"
#include "sim/systems/navigation/navigation_rows.h"
#include "tests/world/testing_worlds.h"

namespace reprise::sim {
namespace {

struct Cell {
  uint32_t column = 0;
  uint32_t row = 0;
};

// What comes of a search; no cost where there is no path.
struct Found {
  std::optional<int64_t> cost;
  uint64_t expansions = 0;
  std::vector<uint64_t> cells;  // row * columns + column

  friend bool operator==(const Found&, const Found&) = default;
  friend std::ostream& operator<<(std::ostream& out, const Found& found) {
    out << (found.cost.has_value() ? std::to_string(*found.cost) : "no path")
        << " after " << found.expansions << ":";
    for (const uint64_t cell : found.cells) out << " " << cell;
    return out;
  }
};

// Where the middle of a cell is, as text of a vector; of hexagons odd rows lie
// half a cell further, and rows are the square root of 3/4 apart.
std::string MiddleOf(Cell cell, bool is_hexagonal) {
  const double x = cell.column + 0.5;
  if (!is_hexagonal) return fmt::format("{} 0 {}", x, cell.row + 0.5);
  return fmt::format("{} 0 {}", x + (cell.row % 2 == 0 ? 0.0 : 0.5),
                     0.57735 + 0.866025 * cell.row);
}

// What one finds who walks on a grid of these rows, in which '~' weighs 9.
Found Search(const std::vector<std::string_view>& rows,
             std::string_view neighbours, std::string_view navigator, Cell from,
             Cell to) {
  const bool is_hexagonal = neighbours == "HEXAGONAL";
  std::string grid;
  for (const std::string_view row : rows) {
    grid += fmt::format("rows: '{}' ", row);
  }
  const std::string start = MiddleOf(from, is_hexagonal);
  const size_t last = start.rfind(' ');
  const auto world = WorldOf(Manifest({fmt::format(
      "navigation {{ grids {{ name: 'yard' neighbours: NEIGHBOURS_{} {} "
      "symbols {{ symbol: '~' weight: 9 }} }} }}\n"
      "types {{ name: 'walker' navigator {{ space: 'yard' speed: 1 {} }} }}\n"
      "objects {{ name: 'anna' type: 'walker' position {{ x: {} z: {} }} set "
      "{{ property: 'navigator.goal' to: '{}' }} set {{ property: "
      "'navigator.is_active' to: '1' }} }}\n",
      neighbours, grid, navigator, start.substr(0, start.find(' ')),
      start.substr(last + 1), MiddleOf(to, is_hexagonal))}));
  StepTimes(*world, 2);
  Found found;
  for (const Event& event : world->DrainEvents()) {
    if (event.type != IdOf("path_found")) continue;
    for (const EventArgument& argument : event.arguments) {
      if (argument.name != IdOf("cost")) continue;
      found.cost = static_cast<int64_t>(argument.value.bits);
    }
  }
  const auto table = [&](std::string_view name) -> const Table& {
    return world->state().table(*world->state().Find("navigation", name));
  };
  found.expansions = table("counters").Get<NavigationCounterRow>(0).expansions;
  const Table& points = table("path_points");
  for (uint32_t row = 0; row < points.row_count(); ++row) {
    found.cells.push_back(points.Get<PathPointRow>(row).node);
  }
  return found;
}

// From one corner to the other of two by two cells, of which none, one or both
// of those beside the diagonal are walls.
TEST(NavigationWordsTest, NeighboursSayWhichCornersAreCut) {
  const auto cost = [](std::string_view neighbours, std::string_view above,
                       std::string_view below) {
    return Search({above, below}, neighbours, "", {0, 0}, {1, 1}).cost;
  };
  EXPECT_EQ(cost("FOUR", "..", ".."), 2000);
  EXPECT_EQ(cost("EIGHT", "..", ".."), 1414);
  EXPECT_EQ(cost("EIGHT_ONE_OPEN", "..", ".."), 1414);
  EXPECT_EQ(cost("EIGHT_FREE", "..", ".."), 1414);

  EXPECT_EQ(cost("FOUR", ".#", ".."), 2000);
  EXPECT_EQ(cost("EIGHT", ".#", ".."), 2000);
  EXPECT_EQ(cost("EIGHT_ONE_OPEN", ".#", ".."), 1414);
  EXPECT_EQ(cost("EIGHT_FREE", ".#", ".."), 1414);

  EXPECT_EQ(cost("FOUR", ".#", "#."), std::nullopt);
  EXPECT_EQ(cost("EIGHT", ".#", "#."), std::nullopt);
  EXPECT_EQ(cost("EIGHT_ONE_OPEN", ".#", "#."), std::nullopt);
  EXPECT_EQ(cost("EIGHT_FREE", ".#", "#."), 1414);
}

// The odd row lies half a cell further: its first cell touches both above it,
// its second only the second of them.
TEST(NavigationWordsTest, HexagonsTouchSixOthers) {
  const auto cost = [](Cell from, Cell to, std::string_view above = "..",
                       std::string_view below = "..") {
    return Search({above, below}, "HEXAGONAL", "", from, to).cost;
  };
  EXPECT_EQ(cost({0, 0}, {0, 1}), 1000);
  EXPECT_EQ(cost({1, 0}, {0, 1}), 1000);
  EXPECT_EQ(cost({1, 0}, {1, 1}), 1000);
  EXPECT_EQ(cost({0, 0}, {1, 1}), 2000);
  EXPECT_EQ(cost({0, 0}, {1, 1}, ".#", ".."), 2000);
  EXPECT_EQ(cost({0, 0}, {1, 1}, ".#", "#."), std::nullopt);
}

// Mud straight ahead, and a way round it above and below. The cheapest has six
// steps. Greedy heeds the guess alone; A* goes round on one side, of both by
// the lower cells; Dijkstra looks at both sides.
TEST(NavigationWordsTest, PoliciesExpandWhatTheySay) {
  const std::vector<std::string_view> rows = {".....", ".~~~.", "....."};
  const auto search = [&](std::string_view navigator) {
    return Search(rows, "FOUR", navigator, {0, 1}, {4, 1});
  };
  const Found round = {6000, 6, {5, 0, 1, 2, 3, 4, 9}};
  EXPECT_EQ(search(""), round);
  EXPECT_EQ(search("policy: POLICY_A_STAR"), round);
  EXPECT_EQ(search("policy: POLICY_DIJKSTRA"),
            (Found{6000, 11, {5, 0, 1, 2, 3, 4, 9}}));
  EXPECT_EQ(search("policy: POLICY_GREEDY"),
            (Found{28'000, 4, {5, 6, 7, 8, 9}}));
}

// Across three by three cells by four neighbours. All find a cheapest path; the
// closer the guess, the fewer they expand. With Manhattan all cells promise the
// same, and those nearest to the goal come first.
TEST(NavigationWordsTest, HeuristicsGuessAsCloseAsTheySay) {
  const auto search = [](std::string_view navigator) {
    return Search({"...", "...", "..."}, "FOUR", navigator, {0, 0}, {2, 2});
  };
  const Found closest = {4000, 4, {0, 1, 2, 5, 8}};
  EXPECT_EQ(search(""), closest);
  EXPECT_EQ(search("heuristic: HEURISTIC_MANHATTAN"), closest);
  EXPECT_EQ(search("heuristic: HEURISTIC_OCTILE"),
            (Found{4000, 5, {0, 1, 4, 5, 8}}));
  EXPECT_EQ(search("heuristic: HEURISTIC_EUCLIDEAN"),
            (Found{4000, 8, {0, 1, 4, 5, 8}}));
}

TEST(NavigationWordsTest, HeuristicsOfEightNeighboursAndHexagons) {
  // Two diagonals and two straight steps.
  const auto eight = [](std::string_view navigator) {
    return Search({".....", ".....", "....."}, "EIGHT", navigator, {0, 0},
                  {4, 2});
  };
  const Found closest = {4828, 4, {0, 6, 12, 13, 14}};
  EXPECT_EQ(eight(""), closest);
  EXPECT_EQ(eight("heuristic: HEURISTIC_OCTILE"), closest);
  EXPECT_EQ(eight("heuristic: HEURISTIC_EUCLIDEAN"),
            (Found{4828, 6, {0, 6, 7, 13, 14}}));
  // Two rows down are one cell along, too; two more of three are left.
  const auto six = [](std::string_view navigator) {
    return Search({"....", "....", "...."}, "HEXAGONAL", navigator, {0, 0},
                  {3, 2});
  };
  const Found closest_of_six = {4000, 4, {0, 1, 2, 6, 11}};
  EXPECT_EQ(six(""), closest_of_six);
  EXPECT_EQ(six("heuristic: HEURISTIC_HEXAGONAL"), closest_of_six);
  EXPECT_EQ(six("heuristic: HEURISTIC_EUCLIDEAN"),
            (Found{4000, 5, {0, 1, 5, 6, 11}}));
}

}  // namespace
}  // namespace reprise::sim
