// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/navigation/best_first_search.h"

#include <algorithm>

#include "sim/base/check.h"

namespace reprise::sim {

void BestFirstSearch::Begin(uint32_t node_count, uint32_t start, uint32_t goal,
                            SearchPolicy policy) {
  Prepare(node_count, start, GoalsOf(goal), policy);
}

void BestFirstSearch::Begin(uint32_t node_count, uint32_t start,
                            std::span<const uint32_t> goals,
                            SearchPolicy policy) {
  CHECK(!goals.empty(), "no goal");
  Prepare(node_count, start, goals, policy);
}

void BestFirstSearch::Prepare(uint32_t node_count, uint32_t start,
                              std::span<const uint32_t> goals,
                              SearchPolicy policy) {
  CHECK(start < node_count, "start {} of {}", start, node_count);
  CHECK(!goals.empty() || policy == SearchPolicy::kDijkstra,
        "a guess without a goal");
  for (size_t i = 0; i < goals.size(); ++i) {
    CHECK(goals[i] < node_count, "goal {} of {}", goals[i], node_count);
    CHECK(i == 0 || goals[i - 1] < goals[i], "goals {} and {}", goals[i - 1],
          goals[i]);
  }
  start_ = start;
  goals_.assign(goals.begin(), goals.end());
  policy_ = policy;
  goal_index_ = kNoNode;
  spent_ = 0;
  // It stays as large as the largest space: searches of several in turn cost
  // what they reach, not what each space has.
  for (const ReachedNode& each : reached_) index_of_[each.node] = kNoNode;
  if (index_of_.size() < node_count) index_of_.resize(node_count, kNoNode);
  reached_.clear();
  changed_.clear();
  open_.clear();
}

bool BestFirstSearch::CanRestore(std::span<const ReachedNode> reached,
                                 uint32_t node_count, uint32_t start) {
  std::vector<bool> is_seen(node_count);
  for (size_t i = 0; i < reached.size(); ++i) {
    const ReachedNode& each = reached[i];
    if (each.node >= node_count || is_seen[each.node]) return false;
    is_seen[each.node] = true;
    const bool is_first = i == 0;
    if (is_first) {
      if (each.node != start || each.cost != 0 || each.came_from != kNoNode) {
        return false;
      }
      continue;
    }
    // Costs that fall along the way end at the start, and never go round.
    if (each.came_from >= reached.size() ||
        !reached[each.came_from].is_expanded ||
        reached[each.came_from].cost >= each.cost) {
      return false;
    }
  }
  return true;
}

std::vector<uint32_t> BestFirstSearch::Path() const {
  CHECK(goal_index_ != kNoNode, "no path is found");
  std::vector<uint32_t> nodes;
  for (uint32_t index = goal_index_; index != kNoNode;
       index = reached_[index].came_from) {
    nodes.push_back(reached_[index].node);
  }
  std::ranges::reverse(nodes);
  return nodes;
}

void BestFirstSearch::Push(uint32_t index, uint64_t guess) {
  const ReachedNode& reached = reached_[index];
  const uint64_t cost = policy_ == SearchPolicy::kGreedy ? 0 : reached.cost;
  open_.push_back({.rank = cost + guess,
                   .guess = guess,
                   .node = reached.node,
                   .index = index});
  // A total order: a node is pushed again only at another cost.
  std::push_heap(open_.begin(), open_.end());
}

BestFirstSearch::Open BestFirstSearch::Pop() {
  // A total order, as for Push.
  std::pop_heap(open_.begin(), open_.end());
  const Open best = open_.back();
  open_.pop_back();
  return best;
}

bool BestFirstSearch::IsOutdated(const Open& open) const {
  const ReachedNode& reached = reached_[open.index];
  if (reached.is_expanded) return true;
  return policy_ != SearchPolicy::kGreedy &&
         open.rank - open.guess != reached.cost;
}

}  // namespace reprise::sim
