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
  CHECK(actions.size() <= kPlanActionsMax);
  CHECK(expansions_max > 0);
  world_ = world;
  cost_min_ = kPlanActionCostMax;
  gives_max_ = 1;
  for (const PlanAction& action : actions) {
    cost_min_ = std::min<uint64_t>(cost_min_, action.cost);
    gives_max_ = std::max(
        gives_max_, static_cast<uint32_t>(std::popcount(action.gives.mask)));
  }
  nodes_.clear();
  open_.clear();
  chains_.assign(kChains, 0);
  plan.actions.clear();
  plan.cost = 0;
  plan.expansions = 0;
  Reach({.wanted = goal});
  while (!open_.empty()) {
    // A total order: each entry is of a node of its own.
    std::ranges::pop_heap(open_, std::greater());
    const uint32_t at = open_.back().node;
    open_.pop_back();
    if (HoldIn(nodes_[at].wanted, world)) {
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
    ++plan.expansions;
    Expand(at, actions);
  }
  plan.result = PlanResult::kImpossible;
}

void Planner::Expand(uint32_t node, std::span<const PlanAction> actions) {
  const Node from = nodes_[node];
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

void Planner::Reach(Node node) {
  // The same facts by more steps are only worth it where they cost less.
  uint32_t& chain = chains_[ChainOf(node.wanted)];
  for (uint32_t at = chain; at != 0; at = nodes_[at - 1].same) {
    const Node& known = nodes_[at - 1];
    if (known.wanted == node.wanted && known.cost <= node.cost &&
        known.steps <= node.steps) {
      return;
    }
  }
  node.same = chain;
  chain = static_cast<uint32_t>(nodes_.size() + 1);
  nodes_.push_back(node);
  open_.push_back({.guess = node.cost + Guess(node.wanted),
                   .steps = node.steps,
                   .node = static_cast<uint32_t>(nodes_.size() - 1)});
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
