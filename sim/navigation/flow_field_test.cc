// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that a flow field leads from everywhere to its goal on a cheapest way,
// by searches from each cell.

#include "sim/navigation/flow_field.h"

#include <cstdint>

#include "gtest/gtest.h"
#include "sim/base/random.h"
#include "sim/navigation/best_first_search.h"
#include "sim/navigation/testing_grids.h"

namespace reprise::sim {
namespace {

TEST(FlowFieldTest, LeadsEverybodyOnACheapestWay) {
  RandomStream stream = MakeRandomStream(19, IdOf("flow"));
  BestFirstSearch search;
  FlowField field;
  for (const GridNeighbours neighbours : kAllNeighbours) {
    const Grid grid = RandomGrid({17, 15, neighbours}, 25, 2, 7, stream);
    uint32_t goal = 0;
    while (!grid.is_open(goal)) ++goal;
    field.Compute(grid, goal);
    EXPECT_EQ(field.Cost(goal), 0u);
    EXPECT_EQ(field.Next(goal), kNoNode);
    for (uint32_t cell = 0; cell < grid.node_count(); ++cell) {
      if (!grid.is_open(cell)) {
        EXPECT_EQ(field.Cost(cell), kNoCost);
        continue;
      }
      search.Begin(grid.node_count(), cell, goal, SearchPolicy::kAStar);
      uint64_t budget = grid.node_count();
      const SearchStatus status =
          search.Advance(GridSpace(grid, BestHeuristic(neighbours)), budget);
      if (status != SearchStatus::kFound) {
        EXPECT_EQ(field.Cost(cell), kNoCost);
        EXPECT_EQ(field.Next(cell), kNoNode);
        continue;
      }
      ASSERT_EQ(field.Cost(cell), search.PathCost());
      uint64_t walked = 0;
      for (uint32_t at = cell; at != goal; at = field.Next(at)) {
        walked += grid.StepCost(at, field.Next(at)).value();
        ASSERT_LE(walked, field.Cost(cell));
      }
      EXPECT_EQ(walked, field.Cost(cell));
    }
  }
}

TEST(FlowFieldTest, NobodyGetsIntoAWall) {
  const Grid grid = MakeGrid({".#."}, GridNeighbours::kFour);
  FlowField field;
  field.Compute(grid, 1);
  for (uint32_t cell = 0; cell < 3; ++cell) {
    EXPECT_EQ(field.Next(cell), kNoNode);
    EXPECT_EQ(field.Cost(cell), kNoCost);
  }
}

}  // namespace
}  // namespace reprise::sim
