// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that a grid of 4,096 by 4,096 cells is crossed from corner to corner,
// over ticks and over a snapshot in the middle: by a path whose steps, walls
// and cost are looked at one by one, against the cheapest one, which is known
// on paper.

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "gtest/gtest.h"
#include "sim/base/digest.h"
#include "sim/base/id.h"
#include "sim/event.h"
#include "sim/simulation.h"
#include "sim/state/table.h"
#include "sim/systems/navigation/navigation_rows.h"
#include "tests/world/testing_worlds.h"

namespace reprise::sim {
namespace {

constexpr int64_t kSide = 4096;

struct Cell {
  int64_t column = 0;
  int64_t row = 0;
};

// Walls from side to side, each with a door of one cell.
constexpr std::array<Cell, 3> kDoors = {
    {{1060, 1024}, {2010, 2048}, {3110, 3072}}};

std::string Land() {
  std::string areas;
  for (const Cell& door : kDoors) {
    areas += fmt::format(
        "areas {{ row: {1} columns: 4096 rows: 1 symbol: '#' }} areas {{ "
        "column: {0} row: {1} columns: 1 rows: 1 symbol: '.' }} ",
        door.column, door.row);
  }
  return Manifest({fmt::format(
      "navigation {{ grids {{ name: 'land' columns: 4096 row_count: 4096 "
      "neighbours: NEIGHBOURS_EIGHT cluster_size: 32 {} }} "
      "expansions_per_tick: 20000 expansions_per_search: 524288 }}\n"
      "types {{ name: 'walker' navigator {{ space: 'land' speed: 1 }} }}\n"
      "objects {{ name: 'anna' type: 'walker' position {{ x: 0.5 z: 0.5 }} set "
      "{{ property: 'navigator.goal' to: '4095.5 0 4095.5' }} set {{ property: "
      "'navigator.is_active' to: '1' }} }}\n",
      areas)});
}

bool IsWall(Cell cell) {
  return std::ranges::any_of(kDoors, [&](const Cell& door) {
    return cell.row == door.row && cell.column != door.column;
  });
}

// Where nothing stands between: diagonals first, then straight.
int64_t CostBetween(Cell from, Cell to) {
  const int64_t columns =
      std::max(from.column, to.column) - std::min(from.column, to.column);
  const int64_t rows = std::max(from.row, to.row) - std::min(from.row, to.row);
  const int64_t diagonals = std::min(columns, rows);
  return 1414 * diagonals + 1000 * (std::max(columns, rows) - diagonals);
}

// Corners aren't cut, so each door is gone through by two steps straight on.
int64_t CheapestCost() {
  Cell at;
  int64_t cost = 0;
  for (const Cell& door : kDoors) {
    cost += CostBetween(at, {door.column, door.row - 1}) + 2000;
    at = {door.column, door.row + 1};
  }
  return cost + CostBetween(at, {kSide - 1, kSide - 1});
}

std::vector<Cell> PathOf(const Simulation& world) {
  const Table& points =
      world.state().table(*world.state().Find("navigation", "path_points"));
  std::vector<Cell> path;
  for (uint32_t row = 0; row < points.row_count(); ++row) {
    const auto node = static_cast<int64_t>(points.Get<PathPointRow>(row).node);
    path.push_back({node % kSide, node / kSide});
  }
  return path;
}

// What the steps of a path cost; -1 where one isn't allowed.
int64_t CostAlong(const std::vector<Cell>& path) {
  int64_t cost = 0;
  for (size_t i = 1; i < path.size(); ++i) {
    const Cell& from = path[i - 1];
    const Cell& to = path[i];
    const int64_t step = CostBetween(from, to);
    const bool is_allowed = (step == 1000 || step == 1414) && !IsWall(to) &&
                            !IsWall({from.column, to.row}) &&
                            !IsWall({to.column, from.row});
    if (!is_allowed) return -1;
    cost += step;
  }
  return cost;
}

// The cost that the event path_found tells; 0: it isn't among what was told.
int64_t FoundIn(Simulation& world) {
  for (const Event& event : EventsOf(world, "path_found")) {
    for (const EventArgument& argument : event.arguments) {
      if (argument.name != IdOf("cost")) continue;
      return static_cast<int64_t>(argument.value.bits);
    }
  }
  return 0;
}

TEST(LargeGridsTest, TheLargestIsCrossedFromCornerToCorner) {
  const std::string manifest = Land();
  const auto world = WorldOf(manifest);
  int64_t told = 0;
  int ticks = 0;
  int in_corridor = 0;
  std::unique_ptr<Simulation> restored;
  for (; told == 0 && ticks < 60; ++ticks) {
    StepTimes(*world, 1);
    if (restored != nullptr) StepTimes(*restored, 1);
    told = FoundIn(*world);
    in_corridor += RowCount(*world, "navigation", "corridor") > 0 ? 1 : 0;
    // In the middle of the search from cell to cell.
    if (in_corridor == 1 && restored == nullptr) {
      restored = WorldOf(manifest);
      ASSERT_EQ(restored->Restore(world->state()), absl::OkStatus());
    }
  }
  ASSERT_NE(told, 0) << "not found in " << ticks << " ticks";
  ASSERT_NE(restored, nullptr);
  EXPECT_EQ(restored->state().ComputeRootDigest(),
            world->state().ComputeRootDigest());

  const std::vector<Cell> path = PathOf(*world);
  ASSERT_GT(path.size(), 4096u);
  EXPECT_EQ(CostBetween(path.front(), {0, 0}), 0);
  EXPECT_EQ(CostBetween(path.back(), {kSide - 1, kSide - 1}), 0);
  EXPECT_EQ(CostAlong(path), told);
  // A path by clusters is a little dearer than the cheapest.
  EXPECT_GE(told, CheapestCost());
  EXPECT_LE(static_cast<double>(told),
            1.1 * static_cast<double>(CheapestCost()));
}

}  // namespace
}  // namespace reprise::sim
