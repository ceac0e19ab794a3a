// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Runs a brain: a function of the tree, of the memory of its nodes and of what
// its host answers. All that lasts is in the memory.

#ifndef REPRISE_SIM_DECISIONS_BRAIN_RUN_H_
#define REPRISE_SIM_DECISIONS_BRAIN_RUN_H_

#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "sim/base/id.h"
#include "sim/base/tick.h"
#include "sim/decisions/brain_tree.h"
#include "sim/decisions/planner.h"

namespace reprise::sim {

// What is kept of a node.
struct NodeMemory {
  NodeStatus status = NodeStatus::kIdle;
  // Of a state: what its work has come to while it stays; kIdle: nothing yet.
  NodeStatus done = NodeStatus::kIdle;
  // The child that runs or comes next; of a machine and a choice kept when it
  // ends; of a plan the step.
  uint64_t child = 0;
  Tick since = 0;      // it began
  Tick update_at = 0;  // its next effects of update
  Tick due = 0;        // a cooldown is over; a choice or plan is made anew
  // Of a repeat's runs; of an await 1: it was heard; of a plan what it couldn't
  // do, or hadn't to (BrainRun::Question), 0: nothing.
  uint64_t count = 0;
  double score = 0.0;  // of an option, when it was last chosen among

  friend bool operator==(const NodeMemory&, const NodeMemory&) = default;
};

// The steps of one plan: kPlanStepsMax children of it plus 1, 0 behind the
// last.
using PlanMemory = std::span<uint64_t>;

// A plan that is sought over several updates. Goals are bits, by their places
// in the plan.
struct PlanSearch {
  bool is_under_way = false;
  uint64_t facts = 0;       // as they are as long as it goes on
  uint64_t goal = 0;        // for which it looks
  uint64_t impossible = 0;  // no plan leads there
  uint64_t passed = 0;      // none did within the expansions
  uint64_t expansions = 0;  // since one was given up, of any goal and facts
  uint64_t restarts = 0;    // since facts or goals had changed
  // What it has come to for this goal by these facts. One that is restored from
  // that goes on alike.
  Planner planner;

  // Its memory is kept.
  void Clear() {
    is_under_way = false;
    facts = goal = impossible = passed = expansions = restarts = 0;
    planner.Clear();
  }
};

// What the actions of a plan are to the planner.
inline std::span<const PlanAction> ActionsOf(const BrainTree& tree,
                                             const BrainNode& node) {
  return std::span(tree.actions).subspan(node.first_child, node.child_count);
}

// Whether a search that has come to `nodes` can be what a run has left: of a
// snapshot.
bool CanBeSearch(const BrainTree& tree, const BrainNode& node,
                 const PlanSearch& search, std::span<const PlanNode> nodes);

// What a brain is left to begin in this tick.
struct BrainBudget {
  uint64_t nodes = 0;
  uint64_t transitions = 0;
  // Of searches for plans; one that has begun in an update may take more, and
  // leaves none.
  uint64_t expansions = std::numeric_limits<uint64_t>::max();
  bool has_waited = false;  // a plan, for more expansions
};

enum class BrainNotice : uint8_t {
  kNodesPassed,        // more nodes would have begun
  kTransitionsPassed,  // more states would have been left
  kPlanPassed,         // no plan within the expansions
  kPlanImpossible,     // no plan for any goal
  kPlanWaits,          // what all may expand is used up
};

// The agent.
class BrainHost {
 public:
  virtual ~BrainHost() = default;

  virtual bool Holds(uint32_t condition) = 0;
  virtual double Number(uint32_t number) = 0;
  virtual void Do(uint32_t effects) = 0;
  // Sets out; says how it goes; stays where it is, if it still goes.
  virtual void Go(uint32_t going) = 0;
  virtual NodeStatus Going(uint32_t going) = 0;
  virtual void StopGoing(uint32_t going) = 0;
  // 0 up to below 1.
  virtual double Draw() = 0;
  // Tells of a bound, and of a state in the place of another.
  virtual void Notice(BrainNotice notice, uint32_t node) = 0;
  virtual void Changed(uint32_t machine, uint32_t from, uint32_t to) = 0;
  // A plan was made for a goal of BrainTree::goals.
  virtual void Planned(uint32_t node, uint32_t goal, const Plan& plan) = 0;
};

// One brain at work. It may be used for one agent after another; `host`,
// `memory` (of each node), `plans` (kPlanStepsMax for each plan) and `searches`
// (of each plan, or none where no plan is sought over updates) outlive a use.
class BrainRun {
 public:
  BrainRun(const BrainTree& tree, Planner& planner)
      : tree_(&tree), planner_(&planner) {}

  // Turns to an agent.
  void Begin(Tick now, std::span<NodeMemory> memory, std::span<uint64_t> plans,
             std::span<PlanSearch> searches, BrainBudget budget,
             BrainHost& host);

  // One update. A root that has ended begins anew with the next.
  void Update();

  // The agent hears an event, which the host's conditions are then about: what
  // waits for it is marked, and a state is left for it, the outermost first.
  void Hear(Id event);

  // Everything that runs ends, without a result.
  void Stop();

  const BrainBudget& budget() const { return budget_; }

 private:
  const BrainNode& node(uint32_t index) const { return tree_->nodes[index]; }
  NodeMemory& memory(uint32_t index) const { return memory_[index]; }
  PlanMemory StepsOf(const BrainNode& node) const {
    return plans_.subspan(size_t{node.plan} * kPlanStepsMax, kPlanStepsMax);
  }

  bool Holds(uint32_t condition) const {
    return condition == kNothing || host_->Holds(condition);
  }
  void Do(uint32_t effects) const {
    if (effects != kNothing) host_->Do(effects);
  }

  // Runs a node on, or has it begin. kRunning also where the budget is used up.
  NodeStatus Visit(uint32_t index);
  bool BeginNode(uint32_t index);
  void BeginKind(uint32_t index);
  NodeStatus VisitKind(uint32_t index);
  // It ends by itself.
  void EndNode(uint32_t index, NodeStatus result);
  // It ends, and all within it, whatever they do.
  void StopNode(uint32_t index);
  void StopKind(uint32_t index);

  NodeStatus VisitRepeat(uint32_t index);
  NodeStatus VisitRow(uint32_t index, NodeStatus goes_on_by);
  NodeStatus VisitParallel(uint32_t index);
  NodeStatus VisitMachine(uint32_t index);
  NodeStatus VisitChoose(uint32_t index);
  NodeStatus VisitPlan(uint32_t index);

  // Of a machine: what to do next, for an event, or as it stands.
  const BrainTransition* FindTransition(uint32_t state, Id event) const;
  bool Take(uint32_t machine, const BrainTransition& transition);
  bool HearIn(uint32_t index, Id event);

  bool Choose(uint32_t index);
  uint64_t Facts() const;
  // kRunning: it is still sought.
  NodeStatus MakePlan(uint32_t index);
  // The goals that are wanted, into goals_.
  void RankGoals(const BrainNode& self);
  // A number for the facts and the goals that are wanted. As long as it stays
  // what couldn't be can't be, so it isn't sought again.
  uint64_t Question(uint64_t facts) const;
  NodeStatus PlanAtOnce(uint32_t index, uint64_t facts);
  bool PlanFor(uint32_t index, uint32_t goal, uint64_t facts);
  NodeStatus SearchOn(uint32_t index, uint64_t facts);
  // Looks for the first goal that is left; expansions are taken from `left`.
  NodeStatus SearchFor(uint32_t index, uint64_t goal, uint32_t& left);
  void TakePlan(uint32_t index, uint32_t goal);
  bool IsToldAlready(uint32_t index, uint32_t goal);
  bool IsSearching(const BrainNode& node) const {
    return node.expansions_per_update != 0 && searches_[node.plan].is_under_way;
  }
  void DropSearch(const BrainNode& node) const {
    if (node.expansions_per_update != 0) searches_[node.plan].Clear();
  }
  bool IsNextPossible(uint32_t index) const;

  const BrainTree* tree_;
  Planner* planner_;
  Tick now_ = 0;
  std::span<NodeMemory> memory_;
  std::span<uint64_t> plans_;
  std::span<PlanSearch> searches_;
  BrainBudget budget_;
  BrainHost* host_ = nullptr;
  std::vector<double> scores_;
  std::vector<double> considered_;
  std::vector<std::pair<double, uint32_t>> goals_;  // of the plan
  uint64_t question_ = 0;                           // of the plan
  Plan plan_;
};

// Whether a memory can be what a run has left: of a snapshot.
bool CanBeMemory(const BrainTree& tree, std::span<const NodeMemory> memory,
                 std::span<const uint64_t> plans);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_DECISIONS_BRAIN_RUN_H_
