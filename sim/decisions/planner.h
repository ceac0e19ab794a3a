// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Plans (goal-oriented action planning): which actions, one after another, lead
// from the facts as they are to those that are wanted, at the least cost. The
// search goes back from the goal (Orkin, "Three States and a Plan: The A.I. of
// F.E.A.R.", GDC 2006), so that only actions that help are looked at.

#ifndef REPRISE_SIM_DECISIONS_PLANNER_H_
#define REPRISE_SIM_DECISIONS_PLANNER_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace reprise::sim {

// Facts that an agent reckons with, a bit each.
inline constexpr size_t kPlanSymbolsMax = 64;
inline constexpr size_t kPlanActionsMax = 64;
inline constexpr size_t kPlanStepsMax = 16;
inline constexpr uint32_t kPlanActionCostMax = 1'000'000;

// Some of the facts, and what they are. REQUIRES: values is within mask.
struct PlanFacts {
  uint64_t mask = 0;
  uint64_t values = 0;

  friend auto operator<=>(const PlanFacts&, const PlanFacts&) = default;
};

// Whether all of them are so in `world`, a bit for every symbol.
constexpr bool HoldIn(const PlanFacts& facts, uint64_t world) {
  return (world & facts.mask) == facts.values;
}

// `world` once they are so.
constexpr uint64_t After(const PlanFacts& facts, uint64_t world) {
  return (world & ~facts.mask) | facts.values;
}

struct PlanAction {
  PlanFacts needs;
  PlanFacts gives;
  uint32_t cost = 1;  // 1 to kPlanActionCostMax
};

enum class PlanResult : uint8_t {
  kFound,
  kImpossible,  // no plan of at most kPlanStepsMax steps, whatever it costs
  kBudget,      // none within the expansions
};

struct Plan {
  PlanResult result = PlanResult::kImpossible;
  std::vector<uint32_t> actions;  // indices, in the order of doing
  uint64_t cost = 0;
  uint32_t expansions = 0;
};

// Memory that a search needs; kept, so that later ones allocate nothing.
class Planner {
 public:
  // Puts the cheapest plan from `world` to `goal` into `plan`: of equally cheap
  // ones the shortest, and of these always the same one. It expands at most
  // `expansions_max` sets of facts. REQUIRES: at most kPlanActionsMax actions;
  // expansions_max > 0.
  void Find(uint64_t world, const PlanFacts& goal,
            std::span<const PlanAction> actions, uint32_t expansions_max,
            Plan& plan);

 private:
  // Facts that have to be so before the actions from here on.
  struct Node {
    PlanFacts wanted;
    uint64_t cost = 0;
    uint32_t steps = 0;
    uint32_t next = 0;    // the node that the action leads to
    uint32_t action = 0;  // of the first node none
    uint32_t same = 0;    // the node before in its chain, plus 1; 0: none
  };
  // What is expanded next: by cost and guess, then by steps, then as reached.
  struct Entry {
    uint64_t guess = 0;
    uint32_t steps = 0;
    uint32_t node = 0;

    friend auto operator<=>(const Entry&, const Entry&) = default;
  };

  void Expand(uint32_t node, std::span<const PlanAction> actions);
  void Reach(Node node);
  uint64_t Guess(const PlanFacts& wanted) const;

  uint64_t world_ = 0;
  uint64_t cost_min_ = 1;
  uint32_t gives_max_ = 1;
  std::vector<Node> nodes_;
  std::vector<Entry> open_;       // a heap
  std::vector<uint32_t> chains_;  // by what is wanted: the last node, plus 1
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_DECISIONS_PLANNER_H_
