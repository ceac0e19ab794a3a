// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Whether what is kept of a brain can be.

#include "sim/base/math.h"
#include "sim/decisions/brain_run.h"

namespace reprise::sim {

bool CanBeSearch(const BrainTree& tree, const BrainNode& node,
                 const PlanSearch& search, std::span<const PlanNode> nodes) {
  if (!search.is_under_way) return nodes.empty();
  if (node.expansions_per_update == 0 || search.goal >= node.goal_count ||
      search.expansions > node.expansions_max ||
      nodes.size() > 1 + size_t{node.expansions_max} * node.child_count ||
      ((search.impossible | search.passed) >> node.goal_count) != 0) {
    return false;
  }
  // A search that has begun has its goal at least.
  return Planner::CanRestore(tree.goals[node.first_goal + search.goal].wants,
                             node.child_count, nodes);
}

bool CanBeMemory(const BrainTree& tree, std::span<const NodeMemory> memory,
                 std::span<const uint64_t> plans) {
  if (memory.size() != tree.nodes.size()) return false;
  for (size_t i = 0; i < memory.size(); ++i) {
    const BrainNode& node = tree.nodes[i];
    const NodeMemory& own = memory[i];
    if (own.status > NodeStatus::kStopped || own.done > NodeStatus::kFailed ||
        own.done == NodeStatus::kRunning || !IsFinite(own.score)) {
      return false;
    }
    if (own.done != NodeStatus::kIdle &&
        (!node.is_state || own.status != NodeStatus::kRunning)) {
      return false;
    }
    if (own.status == NodeStatus::kRunning && node.parent != kNothing &&
        memory[node.parent].status != NodeStatus::kRunning) {
      return false;
    }
    const bool has_spare = node.kind == BrainNodeKind::kChoose;
    const uint64_t child_max = node.kind == BrainNodeKind::kPlan ? kPlanStepsMax
                               : node.child_count == 0
                                   ? 0
                                   : node.child_count - (has_spare ? 0 : 1);
    if (own.child > child_max) return false;
    if (node.kind != BrainNodeKind::kPlan) continue;
    for (size_t step = 0; step < kPlanStepsMax; ++step) {
      if (plans[size_t{node.plan} * kPlanStepsMax + step] > node.child_count) {
        return false;
      }
    }
  }
  return true;
}

}  // namespace reprise::sim
