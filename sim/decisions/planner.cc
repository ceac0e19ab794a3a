// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/decisions/planner.h"

#include <algorithm>
#include <bit>
#include <functional>

#include "sim/base/check.h"

namespace reprise::sim {
namespace {

constexpr size_t kChains = 1024;

size_t ChainOf(const PlanFacts& facts) {
  // Fibonacci hashing (Knuth): what is wanted first differs in low bits.
  constexpr uint64_t kGolden = 0x9e3779b97f4a7c15;
  const uint64_t mixed =
      (facts.mask * kGolden) ^ std::rotl(facts.values * kGolden, 32);
  return static_cast<size_t>((mixed * kGolden) >> 54);
}

}  // namespace

void Planner::Find(uint64_t world, const PlanFacts& goal,
                   std::span<const PlanAction> actions, uint32_t expansions_max,
                   Plan& plan) {
  CHECK(expansions_max > 0);
  Begin(world, goal, actions);
  Advance(actions, expansions_max, plan);
}

void Planner::Prepare(uint64_t world, std::span<const PlanAction> actions) {
  CHECK(actions.size() <= kPlanActionsMax);
  world_ = world;
  cost_min_ = kPlanActionCostMax;
  gives_max_ = 1;
  for (const PlanAction& action : actions) {
    cost_min_ = std::min<uint64_t>(cost_min_, action.cost);
    gives_max_ = std::max(
        gives_max_, static_cast<uint32_t>(std::popcount(action.gives.mask)));
  }
  Clear();
  chains_.assign(kChains, 0);
}

void Planner::Clear() {
  ++run_;
  nodes_.clear();
  changed_.clear();
  same_.clear();
  open_.clear();
}

void Planner::Begin(uint64_t world, const PlanFacts& goal,
                    std::span<const PlanAction> actions) {
  Prepare(world, actions);
  Reach({.wanted = goal});
}

void Planner::Restore(uint64_t world, std::span<const PlanAction> actions,
                      std::span<const PlanNode> reached) {
  Prepare(world, actions);
  for (const PlanNode& node : reached) {
    nodes_.push_back(node);
    Enter(static_cast<uint32_t>(nodes_.size() - 1));
  }
}

void Planner::Advance(std::span<const PlanAction> actions,
                      uint32_t expansions_max, Plan& plan) {
  plan.actions.clear();
  plan.cost = 0;
  plan.expansions = 0;
  while (!open_.empty()) {
    const uint32_t at = open_.front().node;
    if (HoldIn(nodes_[at].wanted, world_)) {
      plan.result = PlanResult::kFound;
      plan.cost = nodes_[at].cost;
      for (uint32_t node = at; nodes_[node].steps > 0;
           node = nodes_[node].next) {
        plan.actions.push_back(nodes_[node].action);
      }
      return;
    }
    if (plan.expansions == expansions_max) {
      plan.result = PlanResult::kBudget;
      return;
    }
    // A total order: each entry is of a node of its own.
    std::ranges::pop_heap(open_, std::greater());
    open_.pop_back();
    ++plan.expansions;
    nodes_[at].is_expanded = true;
    changed_.push_back(at);
    Expand(at, actions);
  }
  plan.result = PlanResult::kImpossible;
}

bool Planner::CanRestore(const PlanFacts& goal, size_t action_count,
                         std::span<const PlanNode> reached) {
  constexpr uint64_t kCostMax = uint64_t{kPlanStepsMax} * kPlanActionCostMax;
  for (size_t i = 0; i < reached.size(); ++i) {
    const PlanNode& node = reached[i];
    if ((node.wanted.values & ~node.wanted.mask) != 0 || node.cost > kCostMax) {
      return false;
    }
    if (i == 0) {
      if (node.wanted != goal || node.cost != 0 || node.steps != 0)
        return false;
      continue;
    }
    if (node.next >= i || node.action >= action_count ||
        node.steps > kPlanStepsMax ||
        node.steps != reached[node.next].steps + 1) {
      return false;
    }
  }
  return !reached.empty();
}

void Planner::Expand(uint32_t node, std::span<const PlanAction> actions) {
  const PlanNode from = nodes_[node];
  if (from.steps == kPlanStepsMax) return;
  for (uint32_t i = 0; i < actions.size(); ++i) {
    const PlanAction& action = actions[i];
    const uint64_t both = action.gives.mask & from.wanted.mask;
    const uint64_t wrong = both & (action.gives.values ^ from.wanted.values);
    // It has to bring something that is wanted, and nothing that must not be.
    if (both == 0 || wrong != 0) continue;
    PlanFacts wanted = {.mask = from.wanted.mask & ~both,
                        .values = from.wanted.values & ~both};
    const uint64_t shared = wanted.mask & action.needs.mask;
    if (((wanted.values ^ action.needs.values) & shared) != 0) continue;
    wanted.mask |= action.needs.mask;
    wanted.values |= action.needs.values;
    Reach({.wanted = wanted,
           .cost = from.cost + action.cost,
           .steps = from.steps + 1,
           .next = node,
           .action = i});
  }
}

void Planner::Reach(const PlanNode& node) {
  // The same facts by more steps are only worth it where they cost less.
  for (uint32_t at = chains_[ChainOf(node.wanted)]; at != 0;
       at = same_[at - 1]) {
    const PlanNode& known = nodes_[at - 1];
    if (known.wanted == node.wanted && known.cost <= node.cost &&
        known.steps <= node.steps) {
      return;
    }
  }
  nodes_.push_back(node);
  Enter(static_cast<uint32_t>(nodes_.size() - 1));
}

void Planner::Enter(uint32_t node) {
  uint32_t& chain = chains_[ChainOf(nodes_[node].wanted)];
  same_.push_back(chain);
  chain = node + 1;
  if (nodes_[node].is_expanded) return;
  open_.push_back({.guess = nodes_[node].cost + Guess(nodes_[node].wanted),
                   .steps = nodes_[node].steps,
                   .node = node});
  // A total order: each entry is of a node of its own.
  std::ranges::push_heap(open_, std::greater());
}

uint64_t Planner::Guess(const PlanFacts& wanted) const {
  const auto missing = static_cast<uint32_t>(
      std::popcount((world_ ^ wanted.values) & wanted.mask));
  // Each action brings at most gives_max_ of them, for at least cost_min_.
  return cost_min_ * ((missing + gives_max_ - 1) / gives_max_);
}

}  // namespace reprise::sim
