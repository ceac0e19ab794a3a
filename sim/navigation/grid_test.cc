// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves which steps grids have, by tables and by a definition of neighbours of
// the test's own; that guesses are admissible and consistent; and that cells
// and places belong to each other.

#include "sim/navigation/grid.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "gtest/gtest.h"
#include "sim/base/random.h"
#include "sim/navigation/best_first_search.h"
#include "sim/navigation/grid_layout.h"
#include "sim/navigation/testing_grids.h"

namespace reprise::sim {
namespace {

std::vector<std::pair<uint32_t, uint64_t>> StepsOf(const Grid& grid,
                                                   uint32_t cell) {
  std::vector<std::pair<uint32_t, uint64_t>> steps;
  grid.ForEachStep(
      cell, [&](uint32_t to, uint64_t cost) { steps.emplace_back(to, cost); });
  return steps;
}

using Steps = std::vector<std::pair<uint32_t, uint64_t>>;

TEST(GridTest, CornersAreCutByTheRule) {
  const std::vector<std::string_view> rows = {".#.",  //
                                              "...",  //
                                              ".##"};
  EXPECT_EQ(StepsOf(MakeGrid(rows, GridNeighbours::kFour), 4),
            (Steps{{3, 1000}, {5, 1000}}));
  EXPECT_EQ(StepsOf(MakeGrid(rows, GridNeighbours::kEightBothOpen), 4),
            (Steps{{3, 1000}, {5, 1000}}));
  EXPECT_EQ(StepsOf(MakeGrid(rows, GridNeighbours::kEightOneOpen), 4),
            (Steps{{0, 1414}, {2, 1414}, {3, 1000}, {5, 1000}, {6, 1414}}));
  const std::vector<std::string_view> closed = {".#.",  //
                                                "#.#",  //
                                                ".#."};
  EXPECT_EQ(StepsOf(MakeGrid(closed, GridNeighbours::kEightOneOpen), 4),
            Steps{});
  EXPECT_EQ(StepsOf(MakeGrid(closed, GridNeighbours::kEightFree), 4),
            (Steps{{0, 1414}, {2, 1414}, {6, 1414}, {8, 1414}}));
}

TEST(GridTest, StepCostsWhatTheCellItLeadsToWeighs) {
  const Grid grid = MakeGrid({"13", "2."}, GridNeighbours::kEightBothOpen);
  EXPECT_EQ(StepsOf(grid, 0), (Steps{{1, 3000}, {2, 2000}, {3, 1414}}));
  EXPECT_EQ(grid.StepCost(3, 0), 1414u);
  EXPECT_EQ(grid.StepCost(0, 0), std::nullopt);
}

TEST(GridTest, HexagonsHaveSixNeighbours) {
  const Grid grid =
      MakeGrid({"....", "....", "....", "...."}, GridNeighbours::kHexagonal);
  EXPECT_EQ(
      StepsOf(grid, 5),
      (Steps{
          {1, 1000}, {2, 1000}, {4, 1000}, {6, 1000}, {9, 1000}, {10, 1000}}));
  EXPECT_EQ(StepsOf(grid, 9), (Steps{{4, 1000},
                                     {5, 1000},
                                     {8, 1000},
                                     {10, 1000},
                                     {12, 1000},
                                     {13, 1000}}));
  EXPECT_EQ(StepsOf(grid, 0), (Steps{{1, 1000}, {4, 1000}}));
}

// Neighbours are the cells whose centres are one cell away, or the square root
// of 2.
TEST(GridTest, NeighboursLieBesideEachOther) {
  const GridLayout layout;
  for (const GridNeighbours neighbours : kAllNeighbours) {
    const GridShape shape = {5, 6, neighbours};
    const Grid grid(shape, std::vector<uint16_t>(30, 1), 1);
    for (uint32_t from = 0; from < 30; ++from) {
      for (uint32_t to = 0; to < 30; ++to) {
        const double distance =
            Length(layout.CentreOf(shape, to) - layout.CentreOf(shape, from));
        std::optional<uint64_t> expected;
        if (std::abs(distance - 1.0) < 1e-9) expected = 1000;
        const bool has_diagonals = neighbours != GridNeighbours::kFour &&
                                   neighbours != GridNeighbours::kHexagonal;
        if (has_diagonals && std::abs(distance - std::sqrt(2.0)) < 1e-9) {
          expected = 1414;
        }
        EXPECT_EQ(grid.StepCost(from, to), expected) << from << " " << to;
      }
    }
  }
}

TEST(GridTest, StepsIntoACellAreThoseThatLeadThere) {
  RandomStream stream = MakeRandomStream(1, IdOf("into"));
  for (const GridNeighbours neighbours : kAllNeighbours) {
    const Grid grid = RandomGrid({9, 7, neighbours}, 30, 1, 9, stream);
    for (uint32_t to = 0; to < grid.node_count(); ++to) {
      if (!grid.is_open(to)) continue;
      Steps into;
      grid.ForEachStepInto(to, [&](uint32_t from, uint64_t cost) {
        into.emplace_back(from, cost);
      });
      Steps expected;
      for (uint32_t from = 0; from < grid.node_count(); ++from) {
        const auto cost = grid.StepCost(from, to);
        if (grid.is_open(from) && cost.has_value()) {
          expected.emplace_back(from, *cost);
        }
      }
      EXPECT_EQ(into, expected);
    }
  }
}

TEST(GridTest, SquareRootsAreCutOff) {
  for (uint64_t root = 0; root < 3000; ++root) {
    EXPECT_EQ(IntegerSquareRoot(root * root), root);
    EXPECT_EQ(IntegerSquareRoot(root * root + 2 * root), root);
  }
  EXPECT_EQ(IntegerSquareRoot(~uint64_t{0}), 0xffffffffu);
  EXPECT_EQ(IntegerSquareRoot(0xfffffffe00000000u), 0xfffffffeu);
}

TEST(GridTest, KnownGuesses) {
  const Grid square(GridShape{10, 10, GridNeighbours::kEightFree},
                    std::vector<uint16_t>(100, 2), 2);
  EXPECT_EQ(square.Guess(Heuristic::kManhattan, 0, 34), 2u * 7000);
  EXPECT_EQ(square.Guess(Heuristic::kOctile, 0, 34), 2u * (3 * 1414 + 1000));
  // 5 cells in 3-4-5, in units of which a diagonal has 1414.
  EXPECT_EQ(square.Guess(Heuristic::kEuclidean, 0, 34), 2u * 4999);
  EXPECT_EQ(square.Guess(Heuristic::kEuclidean, 0, 11), 2u * 1414);
  const Grid hexagons(GridShape{10, 10, GridNeighbours::kHexagonal},
                      std::vector<uint16_t>(100, 1), 1);
  EXPECT_EQ(hexagons.Guess(Heuristic::kHexagonal, 0, 9), 9000u);
  EXPECT_EQ(hexagons.Guess(Heuristic::kHexagonal, 0, 90), 9000u);
  EXPECT_EQ(hexagons.Guess(Heuristic::kHexagonal, 0, 94), 9000u);
  EXPECT_EQ(hexagons.Guess(Heuristic::kHexagonal, 0, 95), 10000u);
}

// On a grid without walls and of least weight; walls and weights only add.
TEST(GridTest, GuessesAreConsistentWhereTheyCan) {
  for (const GridNeighbours neighbours : kAllNeighbours) {
    const Grid grid(GridShape{13, 11, neighbours},
                    std::vector<uint16_t>(143, 3), 3);
    for (const Heuristic heuristic : kAllHeuristics) {
      bool is_consistent = true;
      for (uint32_t from = 0; from < grid.node_count(); ++from) {
        grid.ForEachStep(from, [&](uint32_t to, uint64_t cost) {
          for (uint32_t goal = 0; goal < grid.node_count(); ++goal) {
            is_consistent &= grid.Guess(heuristic, from, goal) <=
                             cost + grid.Guess(heuristic, to, goal);
          }
        });
        EXPECT_EQ(grid.Guess(heuristic, from, from), 0u);
      }
      // By chance it can there, too, and nobody means it.
      const bool is_odd = heuristic == Heuristic::kHexagonal &&
                          neighbours == GridNeighbours::kFour;
      EXPECT_EQ(is_consistent, is_odd || CanGuess(heuristic, neighbours))
          << static_cast<int>(heuristic) << " on "
          << static_cast<int>(neighbours);
    }
    EXPECT_TRUE(CanGuess(BestHeuristic(neighbours), neighbours));
  }
}

TEST(GridLayoutTest, CentresLieInTheirCells) {
  const GridLayout layout = {.origin = {-7.5, 2.0, 100.25},
                             .cell_size_m = 0.75};
  for (const GridNeighbours neighbours :
       {GridNeighbours::kFour, GridNeighbours::kHexagonal}) {
    const GridShape shape = {17, 12, neighbours};
    for (uint32_t cell = 0; cell < shape.cell_count(); ++cell) {
      const Vector3 centre = layout.CentreOf(shape, cell);
      EXPECT_EQ(centre.y, 2.0);
      for (const double angle : {0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0}) {
        const Vector3 near =
            centre + 0.74 / 2 * Vector3{std::cos(angle), 9.0, std::sin(angle)};
        EXPECT_EQ(layout.CellAt(shape, near), cell);
      }
    }
  }
}

TEST(GridLayoutTest, OutsideThereIsNoCell) {
  const GridLayout layout = {.origin = {1, 0, 1}, .cell_size_m = 2.0};
  const GridShape square = {3, 2, GridNeighbours::kFour};
  EXPECT_EQ(layout.CellAt(square, {1, 0, 1}), 0u);
  EXPECT_EQ(layout.CellAt(square, {6.999, 0, 4.999}), 5u);
  for (const Vector3 outside :
       {Vector3{0.999, 0, 2}, Vector3{7, 0, 2}, Vector3{2, 0, 0.999},
        Vector3{2, 0, 5}, Vector3{1e300, 0, 2}, Vector3{std::nan(""), 0, 2}}) {
    EXPECT_EQ(layout.CellAt(square, outside), kNoNode);
  }
  const GridShape hexagons = {3, 3, GridNeighbours::kHexagonal};
  // The corner of the box around them, and beside an even row.
  EXPECT_EQ(layout.CellAt(hexagons, {1, 0, 1}), kNoNode);
  EXPECT_EQ(layout.CellAt(hexagons, {7.5, 0, 2.2}), kNoNode);
  EXPECT_EQ(layout.CellAt(hexagons, {2, 0, 1.01}), 0u);
}

}  // namespace
}  // namespace reprise::sim
