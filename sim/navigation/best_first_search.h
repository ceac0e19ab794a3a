// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// One search for three policies. It goes on where it stopped: what it has
// reached is a plain list, from which another search continues with the same
// steps, so a search may take many ticks and survive a snapshot in any of them.

#ifndef REPRISE_SIM_NAVIGATION_BEST_FIRST_SEARCH_H_
#define REPRISE_SIM_NAVIGATION_BEST_FIRST_SEARCH_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace reprise::sim {

enum class SearchPolicy : uint8_t {
  kAStar = 0,     // by the cost so far and the guess: the cheapest way
  kDijkstra = 1,  // by the cost so far: the cheapest way, and more expansions
  kGreedy = 2,    // by the guess: some way, soon
};

enum class SearchStatus : uint8_t {
  kRunning = 0,
  kFound = 1,
  kExhausted = 2,  // everything that can be reached is, and the goal isn't
  kFull = 3,       // kReachedNodesMax are reached, and the goal isn't
};

// Nodes that a search to a goal may reach: it has to fit into a keyframe.
inline constexpr uint32_t kReachedNodesMax = 655'360;

inline constexpr uint32_t kNoNode = std::numeric_limits<uint32_t>::max();

// A node that the search has come to.
struct ReachedNode {
  uint64_t cost = 0;  // of the cheapest way so far
  uint32_t node = 0;
  uint32_t came_from = kNoNode;  // the index of the reached node before
  bool is_expanded = false;

  friend bool operator==(const ReachedNode&, const ReachedNode&) = default;
};

// A space is anything with
//   uint32_t node_count() const;
//   void ForEachStep(uint32_t node, take) const;  // take(node, cost), cost > 0
//   uint64_t Guess(uint32_t node, uint32_t goal) const;
// and, where an expansion may count as more than one,
//   uint64_t ChargeOf(uint32_t node) const;  // at least 1
// Of equally promising nodes the one with the lower guess is expanded first,
// then the one with the lower number; of equally cheap ways to a node the first
// that is found stays. So a path follows from the space alone. With a guess
// that is consistent the path is a cheapest one, but for kGreedy.
// A search to several goals guesses the least that it guesses to any, which is
// as consistent; it ends at the goal that is the cheapest to come to, of
// equally cheap ones at the one with the lowest number; with kGreedy at the
// first that it comes to.
class BestFirstSearch {
 public:
  // Begins anew. With kNoNode as goal everything is reached.
  // REQUIRES: start < node_count; goal < node_count or kNoNode, that one with
  // kDijkstra only.
  void Begin(uint32_t node_count, uint32_t start, uint32_t goal,
             SearchPolicy policy);
  // The same to the nearest of several goals. REQUIRES: start and goals <
  // node_count; goals ascend, each is there once, and there is one.
  void Begin(uint32_t node_count, uint32_t start,
             std::span<const uint32_t> goals, SearchPolicy policy);

  // Goes on for at most `budget` expansions, and takes those that it made from
  // it; one that counts as more than are left is made, too, and leaves none.
  // The space is the same in every call. A start that is the goal is found
  // without any.
  template <typename Space>
  SearchStatus Advance(const Space& space, uint64_t& budget);

  // Goes on from what another search had reached, which then continues in the
  // same steps. REQUIRES: as Begin; CanRestore(reached, node_count, start).
  template <typename Space>
  void Restore(const Space& space, uint32_t start, uint32_t goal,
               SearchPolicy policy, std::span<const ReachedNode> reached);
  template <typename Space>
  void Restore(const Space& space, uint32_t start,
               std::span<const uint32_t> goals, SearchPolicy policy,
               std::span<const ReachedNode> reached);

  // Whether a search from `start` can have reached this: nodes that are there,
  // none twice, the start first, every other with a way to it along which costs
  // fall.
  static bool CanRestore(std::span<const ReachedNode> reached,
                         uint32_t node_count, uint32_t start);

  // In the order in which they were reached.
  std::span<const ReachedNode> reached() const { return reached_; }
  // Those of them that have changed since this was last forgotten, besides new
  // ones; some may stand there twice.
  std::span<const uint32_t> changed() const { return changed_; }
  void ForgetChanged() { changed_.clear(); }
  // What its expansions have counted as since Begin or Restore.
  uint64_t spent() const { return spent_; }

  // The nodes from the start to the goal, or the nearest of them, both
  // included, and what the way costs. REQUIRES: Advance has returned kFound.
  std::vector<uint32_t> Path() const;
  uint64_t PathCost() const { return reached_[goal_index_].cost; }

 private:
  // A node that waits to be expanded. One that has been reached on a cheaper
  // way since is passed over.
  struct Open {
    uint64_t rank = 0;
    uint64_t guess = 0;
    uint32_t node = 0;
    uint32_t index = 0;  // in reached_

    // The best comes last: heaps have the greatest on top.
    friend bool operator<(const Open& a, const Open& b) {
      if (a.rank != b.rank) return a.rank > b.rank;
      if (a.guess != b.guess) return a.guess > b.guess;
      return a.node > b.node;
    }
  };

  template <typename Space>
  uint64_t GuessOf(const Space& space, uint32_t node) const {
    if (policy_ == SearchPolicy::kDijkstra) return 0;
    uint64_t guess = space.Guess(node, goals_.front());
    for (size_t i = 1; i < goals_.size(); ++i) {
      guess = std::min(guess, space.Guess(node, goals_[i]));
    }
    return guess;
  }
  bool IsGoal(uint32_t node) const {
    return goals_.size() == 1 ? node == goals_.front()
                              : std::ranges::binary_search(goals_, node);
  }
  // Whether no other goal can be as good as the one that the search is at.
  bool IsOnlyBest() const {
    return goals_.size() == 1 || policy_ == SearchPolicy::kGreedy;
  }
  template <typename Space>
  void Reach(const Space& space, uint32_t from, uint32_t node, uint64_t cost);
  void Prepare(uint32_t node_count, uint32_t start,
               std::span<const uint32_t> goals, SearchPolicy policy);
  template <typename Space>
  void Resume(const Space& space, std::span<const ReachedNode> reached);
  // kNoNode is none.
  static std::span<const uint32_t> GoalsOf(const uint32_t& goal) {
    return std::span(&goal, goal == kNoNode ? 0 : 1);
  }
  void Push(uint32_t index, uint64_t guess);
  Open Pop();
  bool IsOutdated(const Open& open) const;

  uint32_t start_ = 0;
  std::vector<uint32_t> goals_;  // ascending; none: everything is reached
  SearchPolicy policy_ = SearchPolicy::kAStar;
  uint32_t goal_index_ = kNoNode;  // the best goal that it has come to
  uint64_t spent_ = 0;
  std::vector<ReachedNode> reached_;
  std::vector<uint32_t> changed_;
  std::vector<uint32_t> index_of_;  // by node; kNoNode where it isn't reached
  std::vector<Open> open_;          // a heap
};

template <typename Space>
SearchStatus BestFirstSearch::Advance(const Space& space, uint64_t& budget) {
  if (reached_.empty()) {
    index_of_[start_] = 0;
    reached_.push_back({.cost = 0, .node = start_});
    Push(0, GuessOf(space, start_));
  }
  while (!open_.empty()) {
    const Open best = open_.front();
    if (IsOutdated(best)) {
      Pop();
      continue;
    }
    if (goal_index_ != kNoNode && best.rank > PathCost()) break;
    if (IsGoal(best.node)) {
      const bool is_first = goal_index_ == kNoNode;
      if (is_first || best.node < reached_[goal_index_].node) {
        goal_index_ = best.index;
      }
      if (IsOnlyBest()) return SearchStatus::kFound;
      // It stays in the list of those that aren't expanded, so who restores the
      // search comes to it again.
      Pop();
      continue;
    }
    if (!goals_.empty() && reached_.size() >= kReachedNodesMax) {
      return goal_index_ == kNoNode ? SearchStatus::kFull
                                    : SearchStatus::kFound;
    }
    if (budget == 0) return SearchStatus::kRunning;
    uint64_t charge = 1;
    if constexpr (requires { space.ChargeOf(best.node); }) {
      charge = space.ChargeOf(best.node);
    }
    spent_ += charge;
    budget -= std::min(budget, charge);
    Pop();
    reached_[best.index].is_expanded = true;
    changed_.push_back(best.index);
    const uint64_t cost = reached_[best.index].cost;
    space.ForEachStep(best.node, [&](uint32_t node, uint64_t step_cost) {
      Reach(space, best.index, node, cost + step_cost);
    });
  }
  return goal_index_ == kNoNode ? SearchStatus::kExhausted
                                : SearchStatus::kFound;
}

template <typename Space>
void BestFirstSearch::Reach(const Space& space, uint32_t from, uint32_t node,
                            uint64_t cost) {
  uint32_t& index = index_of_[node];
  if (index == kNoNode) {
    index = static_cast<uint32_t>(reached_.size());
    reached_.push_back({.cost = cost, .node = node, .came_from = from});
    Push(index, GuessOf(space, node));
    return;
  }
  ReachedNode& known = reached_[index];
  // Greedy looks at the guess alone, so a cheaper way changes nothing.
  if (known.is_expanded || cost >= known.cost ||
      policy_ == SearchPolicy::kGreedy) {
    return;
  }
  known.cost = cost;
  known.came_from = from;
  changed_.push_back(index);
  Push(index, GuessOf(space, node));
}

template <typename Space>
void BestFirstSearch::Restore(const Space& space, uint32_t start, uint32_t goal,
                              SearchPolicy policy,
                              std::span<const ReachedNode> reached) {
  Prepare(space.node_count(), start, GoalsOf(goal), policy);
  Resume(space, reached);
}

template <typename Space>
void BestFirstSearch::Restore(const Space& space, uint32_t start,
                              std::span<const uint32_t> goals,
                              SearchPolicy policy,
                              std::span<const ReachedNode> reached) {
  Prepare(space.node_count(), start, goals, policy);
  Resume(space, reached);
}

template <typename Space>
void BestFirstSearch::Resume(const Space& space,
                             std::span<const ReachedNode> reached) {
  reached_.assign(reached.begin(), reached.end());
  for (uint32_t index = 0; index < reached_.size(); ++index) {
    index_of_[reached_[index].node] = index;
    if (reached_[index].is_expanded) continue;
    Push(index, GuessOf(space, reached_[index].node));
  }
}

}  // namespace reprise::sim

#endif  // REPRISE_SIM_NAVIGATION_BEST_FIRST_SEARCH_H_
