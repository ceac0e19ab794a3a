// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/navigation/flow_field.h"

namespace reprise::sim {
namespace {

// A grid walked backwards, from the goal.
struct BackwardSpace {
  const Grid& grid;

  uint32_t node_count() const { return grid.node_count(); }
  template <typename Take>
  void ForEachStep(uint32_t node, const Take& take) const {
    grid.ForEachStepInto(node, take);
  }
  // Nobody asks: there is no place to get to.
  uint64_t Guess(uint32_t, uint32_t) const { return 0; }
};

}  // namespace

void FlowField::Compute(const Grid& grid, uint32_t goal) {
  goal_ = goal;
  next_.assign(grid.node_count(), kNoNode);
  cost_.assign(grid.node_count(), kNoCost);
  if (!grid.is_open(goal)) return;
  search_.Begin(grid.node_count(), goal, kNoNode, SearchPolicy::kDijkstra);
  uint64_t budget = grid.node_count();
  search_.Advance(BackwardSpace{grid}, budget);
  for (const ReachedNode& reached : search_.reached()) {
    cost_[reached.node] = reached.cost;
    if (reached.came_from == kNoNode) continue;
    next_[reached.node] = search_.reached()[reached.came_from].node;
  }
}

}  // namespace reprise::sim
