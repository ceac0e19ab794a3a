// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Of every cell of a grid the next one on a cheapest way to one goal: found
// once, however many follow it.

#ifndef REPRISE_SIM_NAVIGATION_FLOW_FIELD_H_
#define REPRISE_SIM_NAVIGATION_FLOW_FIELD_H_

#include <cstdint>
#include <limits>
#include <vector>

#include "sim/navigation/best_first_search.h"
#include "sim/navigation/grid.h"

namespace reprise::sim {

inline constexpr uint64_t kNoCost = std::numeric_limits<uint64_t>::max();

class FlowField {
 public:
  // Integrates the costs of the grid as it is now. REQUIRES: the goal is there.
  void Compute(const Grid& grid, uint32_t goal);

  // The cell to go to next; kNoNode at the goal and where no way leads to it.
  uint32_t Next(uint32_t cell) const { return next_[cell]; }
  // Of the whole way; kNoCost where there is none.
  uint64_t Cost(uint32_t cell) const { return cost_[cell]; }
  uint32_t goal() const { return goal_; }
  bool is_computed() const { return !next_.empty(); }

 private:
  uint32_t goal_ = kNoNode;
  std::vector<uint32_t> next_;
  std::vector<uint64_t> cost_;
  BestFirstSearch search_;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_NAVIGATION_FLOW_FIELD_H_
