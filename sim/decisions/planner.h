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
  kBudget,      // none within the expansions so far
};

struct Plan {
  PlanResult result = PlanResult::kImpossible;
  std::vector<uint32_t> actions;  // indices, in the order of doing
  uint64_t cost = 0;
  uint32_t expansions = 0;
};

// Facts that a search has come to: they have to be so before the actions from
// here on.
struct PlanNode {
  PlanFacts wanted;
  uint64_t cost = 0;    // of the actions from here on
  uint32_t steps = 0;   // as many as these are
  uint32_t next = 0;    // the node that the action leads to, by its index
  uint32_t action = 0;  // of the first node none
  bool is_expanded = false;

  friend bool operator==(const PlanNode&, const PlanNode&) = default;
};

// Memory that a search needs; kept, so that later ones allocate nothing. A
// search may go on later, and from what another one had come to: it then takes
// the same steps.
class Planner {
 public:
  // Puts the cheapest plan from `world` to `goal` into `plan`: of equally cheap
  // ones the shortest, and of these always the same one. It expands at most
  // `expansions_max` sets of facts. REQUIRES: at most kPlanActionsMax actions;
  // expansions_max > 0.
  void Find(uint64_t world, const PlanFacts& goal,
            std::span<const PlanAction> actions, uint32_t expansions_max,
            Plan& plan);

  // Begins a search. REQUIRES: at most kPlanActionsMax actions.
  void Begin(uint64_t world, const PlanFacts& goal,
             std::span<const PlanAction> actions);
  // Begins where another one stood. REQUIRES: as Begin; CanRestore(...).
  void Restore(uint64_t world, std::span<const PlanAction> actions,
               std::span<const PlanNode> reached);
  // Goes on by at most so many expansions; those that it made are
  // plan.expansions. With kBudget it may be called again. REQUIRES: the actions
  // are those that it began with.
  void Advance(std::span<const PlanAction> actions, uint32_t expansions_max,
               Plan& plan);
  // Forgets what it has come to.
  void Clear();
  // What it has come to, in that order.
  std::span<const PlanNode> reached() const { return nodes_; }
  // Those of them that have been expanded since this was last forgotten,
  // besides new ones.
  std::span<const uint32_t> changed() const { return changed_; }
  void ForgetChanged() { changed_.clear(); }
  // Another number whenever what it had come to is forgotten.
  uint64_t run() const { return run_; }

  // Whether a search for `goal` by so many actions can have come to this.
  static bool CanRestore(const PlanFacts& goal, size_t action_count,
                         std::span<const PlanNode> reached);

 private:
  // What is expanded next: by cost and guess, then by steps, then as reached.
  struct Entry {
    uint64_t guess = 0;
    uint32_t steps = 0;
    uint32_t node = 0;

    friend auto operator<=>(const Entry&, const Entry&) = default;
  };

  void Expand(uint32_t node, std::span<const PlanAction> actions);
  void Reach(const PlanNode& node);
  void Enter(uint32_t node);
  void Prepare(uint64_t world, std::span<const PlanAction> actions);
  uint64_t Guess(const PlanFacts& wanted) const;

  uint64_t world_ = 0;
  uint64_t cost_min_ = 1;
  uint32_t gives_max_ = 1;
  uint64_t run_ = 0;
  std::vector<PlanNode> nodes_;
  std::vector<uint32_t> changed_;
  std::vector<uint32_t> same_;  // of each: the one before in its chain, plus 1
  std::vector<Entry> open_;     // a heap
  std::vector<uint32_t> chains_;  // by what is wanted: the last node, plus 1
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_DECISIONS_PLANNER_H_
