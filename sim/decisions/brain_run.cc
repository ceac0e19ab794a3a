// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/decisions/brain_run.h"

#include <algorithm>
#include <functional>
#include <optional>

#include "sim/base/check.h"
#include "sim/base/math.h"

namespace reprise::sim {
namespace {

bool IsOver(NodeStatus status) {
  return status == NodeStatus::kSucceeded || status == NodeStatus::kFailed;
}

NodeStatus Opposite(NodeStatus status) {
  if (status == NodeStatus::kSucceeded) return NodeStatus::kFailed;
  if (status == NodeStatus::kFailed) return NodeStatus::kSucceeded;
  return status;
}

}  // namespace

void BrainRun::Begin(Tick now, std::span<NodeMemory> memory,
                     std::span<uint64_t> plans, std::span<PlanSearch> searches,
                     BrainBudget budget, BrainHost& host) {
  CHECK(memory.size() == tree_->nodes.size());
  CHECK(plans.size() == size_t{tree_->plan_count} * kPlanStepsMax);
  now_ = now;
  memory_ = memory;
  plans_ = plans;
  searches_ = searches;
  budget_ = budget;
  host_ = &host;
}

void BrainRun::Update() { Visit(0); }

void BrainRun::Hear(Id event) { HearIn(0, event); }

void BrainRun::Stop() { StopNode(0); }

NodeStatus BrainRun::Visit(uint32_t index) {
  const BrainNode& self = node(index);
  NodeMemory& own = memory(index);
  if (own.status != NodeStatus::kRunning) {
    const bool is_cold =
        self.kind == BrainNodeKind::kCooldown && now_ < own.due;
    if (is_cold || !Holds(self.condition)) {
      own.status = NodeStatus::kFailed;
      return NodeStatus::kFailed;
    }
    if (!BeginNode(index)) return NodeStatus::kRunning;
  } else if (self.aborts_self && !Holds(self.condition)) {
    StopNode(index);
    own.status = NodeStatus::kFailed;
    return NodeStatus::kFailed;
  }
  if (self.update != kNothing && now_ >= own.update_at) {
    own.update_at = now_ + self.update_every;
    Do(self.update);
  }
  if (own.done != NodeStatus::kIdle) return own.done;  // a state that stays
  const NodeStatus result = VisitKind(index);
  if (!IsOver(result)) return NodeStatus::kRunning;
  if (self.is_state) {
    own.done = result;
  } else {
    EndNode(index, result);
  }
  return result;
}

bool BrainRun::BeginNode(uint32_t index) {
  if (budget_.nodes == 0) {
    host_->Notice(BrainNotice::kNodesPassed, index);
    return false;
  }
  --budget_.nodes;
  const BrainNode& self = node(index);
  NodeMemory& own = memory(index);
  own.status = NodeStatus::kRunning;
  own.done = NodeStatus::kIdle;
  own.since = now_;
  own.update_at = now_ + self.update_every;
  own.count = 0;
  Do(self.enter);
  BeginKind(index);
  return true;
}

void BrainRun::BeginKind(uint32_t index) {
  const BrainNode& self = node(index);
  NodeMemory& own = memory(index);
  switch (self.kind) {
    case BrainNodeKind::kMachine:
      // One that has come to its end begins at the beginning.
      if (!self.has_history ||
          node(tree_->ChildOf(self, own.child)).ends != NodeStatus::kIdle) {
        own.child = 0;
      }
      break;
    case BrainNodeKind::kParallel:
      for (uint32_t i = 0; i < self.child_count; ++i) {
        memory(tree_->ChildOf(self, i)).status = NodeStatus::kIdle;
      }
      break;
    case BrainNodeKind::kGoTo:
      host_->Go(self.going);
      break;
    case BrainNodeKind::kChoose:
      own.child = self.child_count;  // none yet
      break;
    case BrainNodeKind::kPlan:
      own.child = kPlanStepsMax;  // none yet
      DropSearch(self);
      break;
    default:
      own.child = 0;
      break;
  }
}

NodeStatus BrainRun::VisitKind(uint32_t index) {
  const BrainNode& self = node(index);
  NodeMemory& own = memory(index);
  switch (self.kind) {
    case BrainNodeKind::kDone:
      return NodeStatus::kSucceeded;
    case BrainNodeKind::kIdle:
      return NodeStatus::kRunning;
    case BrainNodeKind::kWait:
      return now_ - own.since >= self.ticks ? NodeStatus::kSucceeded
                                            : NodeStatus::kRunning;
    case BrainNodeKind::kAwait:
      return own.count != 0 ? NodeStatus::kSucceeded : NodeStatus::kRunning;
    case BrainNodeKind::kGoTo:
      // It sets out in the tick in which it begins.
      return now_ == own.since ? NodeStatus::kRunning
                               : host_->Going(self.going);
    case BrainNodeKind::kInvert:
      return Opposite(Visit(tree_->ChildOf(self, 0)));
    case BrainNodeKind::kSucceed:
      return IsOver(Visit(tree_->ChildOf(self, 0))) ? NodeStatus::kSucceeded
                                                    : NodeStatus::kRunning;
    case BrainNodeKind::kRepeat:
      return VisitRepeat(index);
    case BrainNodeKind::kPass:
    case BrainNodeKind::kCooldown:
      return Visit(tree_->ChildOf(self, 0));
    case BrainNodeKind::kTimeLimit: {
      const NodeStatus result = Visit(tree_->ChildOf(self, 0));
      if (IsOver(result) || now_ - own.since < self.ticks) return result;
      StopNode(tree_->ChildOf(self, 0));
      return NodeStatus::kFailed;
    }
    case BrainNodeKind::kSequence:
      return VisitRow(index, NodeStatus::kSucceeded);
    case BrainNodeKind::kSelector:
      return VisitRow(index, NodeStatus::kFailed);
    case BrainNodeKind::kParallel:
      return VisitParallel(index);
    case BrainNodeKind::kMachine:
      return VisitMachine(index);
    case BrainNodeKind::kChoose:
      return VisitChoose(index);
    case BrainNodeKind::kPlan:
      return VisitPlan(index);
  }
  return NodeStatus::kFailed;
}

void BrainRun::EndNode(uint32_t index, NodeStatus result) {
  const BrainNode& self = node(index);
  NodeMemory& own = memory(index);
  own.status = result;
  own.done = NodeStatus::kIdle;
  if (self.kind == BrainNodeKind::kCooldown) own.due = now_ + self.ticks;
  if (self.kind == BrainNodeKind::kPlan) DropSearch(self);
  Do(self.exit);
}

void BrainRun::StopNode(uint32_t index) {
  NodeMemory& own = memory(index);
  if (own.status != NodeStatus::kRunning) return;
  // What is within goes before what it is within.
  if (own.done == NodeStatus::kIdle) StopKind(index);
  EndNode(index, NodeStatus::kStopped);
}

void BrainRun::StopKind(uint32_t index) {
  const BrainNode& self = node(index);
  if (self.kind == BrainNodeKind::kGoTo) host_->StopGoing(self.going);
  // Only what runs hears of it; the last first, as they were begun.
  for (uint32_t i = self.child_count; i > 0; --i) {
    StopNode(tree_->ChildOf(self, i - 1));
  }
}

NodeStatus BrainRun::VisitRepeat(uint32_t index) {
  const BrainNode& self = node(index);
  NodeMemory& own = memory(index);
  const NodeStatus result = Visit(tree_->ChildOf(self, 0));
  if (!IsOver(result)) return NodeStatus::kRunning;
  ++own.count;
  if (self.until == result) return NodeStatus::kSucceeded;
  if (self.count != 0 && own.count >= self.count) {
    // What it was to come to has not come.
    return self.until == NodeStatus::kIdle ? NodeStatus::kSucceeded
                                           : NodeStatus::kFailed;
  }
  return NodeStatus::kRunning;  // the next time with the next update
}

NodeStatus BrainRun::VisitRow(uint32_t index, NodeStatus goes_on_by) {
  const BrainNode& self = node(index);
  NodeMemory& own = memory(index);
  for (uint64_t i = 0; i < own.child; ++i) {
    const uint32_t earlier = tree_->ChildOf(self, i);
    if (!node(earlier).aborts_lower || !Holds(node(earlier).condition)) {
      continue;
    }
    StopNode(tree_->ChildOf(self, own.child));
    own.child = i;
  }
  for (;;) {
    const NodeStatus result = Visit(tree_->ChildOf(self, own.child));
    if (!IsOver(result)) return NodeStatus::kRunning;
    if (result != goes_on_by) return result;
    if (own.child + 1 == self.child_count) return result;
    ++own.child;
  }
}

NodeStatus BrainRun::VisitParallel(uint32_t index) {
  const BrainNode& self = node(index);
  uint32_t succeeded = 0;
  uint32_t failed = 0;
  for (uint32_t i = 0; i < self.child_count; ++i) {
    const uint32_t child = tree_->ChildOf(self, i);
    NodeStatus result = memory(child).status;
    if (!IsOver(result)) result = Visit(child);
    succeeded += result == NodeStatus::kSucceeded ? 1 : 0;
    failed += result == NodeStatus::kFailed ? 1 : 0;
  }
  const bool is_any = self.succeeds == ParallelPolicy::kAny;
  NodeStatus result = NodeStatus::kRunning;
  if (succeeded >= (is_any ? 1 : self.child_count)) {
    result = NodeStatus::kSucceeded;
  } else if (failed >= (is_any ? self.child_count : 1)) {
    result = NodeStatus::kFailed;
  }
  if (IsOver(result)) StopKind(index);
  return result;
}

NodeStatus BrainRun::VisitMachine(uint32_t index) {
  const BrainNode& self = node(index);
  NodeMemory& own = memory(index);
  for (;;) {
    const uint32_t state = tree_->ChildOf(self, own.child);
    Visit(state);
    // The budget may be used up.
    if (memory(state).status != NodeStatus::kRunning) {
      return NodeStatus::kRunning;
    }
    if (node(state).ends != NodeStatus::kIdle) {
      StopNode(state);
      return node(state).ends;
    }
    const BrainTransition* const transition = FindTransition(state, kNoId);
    if (transition == nullptr || !Take(index, *transition)) {
      return NodeStatus::kRunning;
    }
  }
}

const BrainTransition* BrainRun::FindTransition(uint32_t state,
                                                Id event) const {
  const BrainNode& self = node(state);
  const NodeMemory& own = memory(state);
  for (uint32_t i = 0; i < self.transition_count; ++i) {
    const BrainTransition& transition =
        tree_->transitions[self.first_transition + i];
    if (transition.event != event || now_ - own.since < transition.after) {
      continue;
    }
    const bool is_done = transition.when == NodeStatus::kStopped
                             ? own.done != NodeStatus::kIdle
                             : transition.when == own.done;
    if (transition.when != NodeStatus::kIdle && !is_done) continue;
    if (!Holds(transition.condition)) continue;
    if (transition.chance < 1.0 && host_->Draw() >= transition.chance) continue;
    return &transition;
  }
  return nullptr;
}

bool BrainRun::Take(uint32_t machine, const BrainTransition& transition) {
  if (budget_.transitions == 0) {
    host_->Notice(BrainNotice::kTransitionsPassed, machine);
    return false;
  }
  --budget_.transitions;
  const BrainNode& self = node(machine);
  NodeMemory& own = memory(machine);
  const uint32_t from = tree_->ChildOf(self, own.child);
  const uint32_t to = tree_->ChildOf(self, transition.to);
  StopNode(from);
  own.child = transition.to;
  host_->Changed(machine, from, to);
  return true;
}

bool BrainRun::HearIn(uint32_t index, Id event) {
  const BrainNode& self = node(index);
  NodeMemory& own = memory(index);
  if (own.status != NodeStatus::kRunning) return false;
  if (self.kind == BrainNodeKind::kAwait) {
    if (self.event == event && Holds(self.await_condition)) own.count = 1;
    return false;
  }
  if (self.kind == BrainNodeKind::kMachine) {
    const uint32_t state = tree_->ChildOf(self, own.child);
    if (memory(state).status != NodeStatus::kRunning) return false;
    const BrainTransition* const transition = FindTransition(state, event);
    if (transition != nullptr && Take(index, *transition)) {
      // It is entered at once, so that it hears what comes next; what it does
      // begins with the next update.
      const uint32_t to = tree_->ChildOf(self, own.child);
      BeginNode(to);
      return true;
    }
  }
  bool has_changed = false;
  for (uint32_t i = 0; i < self.child_count; ++i) {
    has_changed = HearIn(tree_->ChildOf(self, i), event) || has_changed;
  }
  return has_changed;
}

NodeStatus BrainRun::VisitChoose(uint32_t index) {
  const BrainNode& self = node(index);
  NodeMemory& own = memory(index);
  const bool has_none = own.child == self.child_count;
  if (has_none || (self.every != 0 && now_ >= own.due)) {
    own.due = now_ + self.every;
    if (!Choose(index)) return NodeStatus::kFailed;
  }
  return Visit(tree_->ChildOf(self, own.child));
}

bool BrainRun::Choose(uint32_t index) {
  const BrainNode& self = node(index);
  NodeMemory& own = memory(index);
  scores_.clear();
  for (uint32_t i = 0; i < self.child_count; ++i) {
    const uint32_t child = tree_->ChildOf(self, i);
    const BrainNode& option = node(child);
    considered_.clear();
    for (uint32_t k = 0; k < option.consideration_count; ++k) {
      const Consideration& each =
          tree_->considerations[option.first_consideration + k];
      considered_.push_back(ScoreOf(each.curve, host_->Number(each.number)));
    }
    const double score = option.weight * CompensatedProduct(considered_);
    scores_.push_back(score);
    memory(child).score = score;
  }
  const std::optional<size_t> running = own.child == self.child_count
                                            ? std::nullopt
                                            : std::optional<size_t>(own.child);
  const std::optional<size_t> chosen =
      ChooseOption(scores_, running, self.inertia, self.least);
  if (running.has_value() && chosen != running) {
    StopNode(tree_->ChildOf(self, *running));
  }
  own.child = chosen.value_or(self.child_count);
  return chosen.has_value();
}

uint64_t BrainRun::Facts() const {
  uint64_t facts = 0;
  for (size_t i = 0; i < tree_->symbols.size(); ++i) {
    if (host_->Holds(tree_->symbols[i])) facts |= uint64_t{1} << i;
  }
  return facts;
}

NodeStatus BrainRun::VisitPlan(uint32_t index) {
  const BrainNode& self = node(index);
  NodeMemory& own = memory(index);
  const bool is_due = self.every != 0 && now_ >= own.due;
  if (own.child >= kPlanStepsMax || is_due || IsSearching(self)) {
    if (!IsSearching(self)) own.due = now_ + self.every;
    const NodeStatus made = MakePlan(index);
    if (made == NodeStatus::kFailed) return NodeStatus::kFailed;
    // What it does goes on until it has a better plan.
    if (made == NodeStatus::kRunning && own.child >= kPlanStepsMax) {
      return NodeStatus::kRunning;
    }
  }
  for (;;) {
    // A plan may be empty: all that is wanted is so.
    if (own.child == kPlanStepsMax || StepsOf(self)[own.child] == 0) {
      DropSearch(self);
      return NodeStatus::kSucceeded;
    }
    const uint32_t action = tree_->ChildOf(self, StepsOf(self)[own.child] - 1);
    // What was to be so by now may not be.
    const bool is_new = memory(action).status != NodeStatus::kRunning;
    if (is_new && !IsNextPossible(index)) {
      own.child = kPlanStepsMax;
      return NodeStatus::kRunning;
    }
    const NodeStatus result = Visit(action);
    if (!IsOver(result)) return NodeStatus::kRunning;
    if (result == NodeStatus::kFailed) {
      own.child = kPlanStepsMax;  // a new plan with the next update
      return NodeStatus::kRunning;
    }
    ++own.child;
  }
}

bool BrainRun::IsNextPossible(uint32_t index) const {
  const BrainNode& self = node(index);
  const uint64_t step = StepsOf(self)[memory(index).child] - 1;
  return HoldIn(tree_->actions[self.first_child + step].needs, Facts());
}

NodeStatus BrainRun::MakePlan(uint32_t index) {
  const BrainNode& self = node(index);
  RankGoals(self);
  const uint64_t facts = Facts();
  NodeStatus made = NodeStatus::kFailed;
  if (self.expansions_per_update != 0) {
    made = SearchOn(index, facts);
  } else {
    for (size_t i = 0; i < goals_.size() && made == NodeStatus::kFailed; ++i) {
      if (PlanFor(index, goals_[i].second, facts)) {
        made = NodeStatus::kSucceeded;
      }
    }
  }
  if (made != NodeStatus::kFailed) return made;
  StopKind(index);
  host_->Notice(BrainNotice::kPlanImpossible, index);
  return made;
}

void BrainRun::RankGoals(const BrainNode& self) {
  goals_.clear();
  for (uint32_t i = 0; i < self.goal_count; ++i) {
    const BrainGoal& goal = tree_->goals[self.first_goal + i];
    if (!Holds(goal.condition)) continue;
    const double priority =
        goal.priority == kNothing ? 0.0 : host_->Number(goal.priority);
    goals_.emplace_back(IsNan(priority) ? 0.0 : priority, i);
  }
  // A total order: the highest first, of equal ones the first.
  std::ranges::sort(goals_, [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first > b.first : a.second < b.second;
  });
}

bool BrainRun::PlanFor(uint32_t index, uint32_t goal, uint64_t facts) {
  const BrainNode& self = node(index);
  const std::span<const PlanAction> actions =
      std::span(tree_->actions).subspan(self.first_child, self.child_count);
  planner_->Find(facts, tree_->goals[self.first_goal + goal].wants, actions,
                 self.expansions_max, plan_);
  if (plan_.result == PlanResult::kBudget) {
    host_->Notice(BrainNotice::kPlanPassed, index);
  }
  if (plan_.result != PlanResult::kFound) return false;
  TakePlan(index, goal);
  return true;
}

NodeStatus BrainRun::SearchOn(uint32_t index, uint64_t facts) {
  const BrainNode& self = node(index);
  PlanSearch& search = searches_[self.plan];
  if (!search.is_under_way) {
    search.Clear();
    search.is_under_way = true;
    search.facts = facts;
  } else if (search.facts != facts) {
    // What was impossible may be possible now. What has taken too long stays
    // passed, and what was expanded counts, or it might never end.
    search.facts = facts;
    search.impossible = 0;
    search.nodes.clear();
    ++search.restarts;
  }
  uint32_t left = self.expansions_per_update;
  for (;;) {
    const uint64_t over = search.impossible | search.passed;
    const auto goal = std::ranges::find_if(goals_, [&](const auto& each) {
      return (over >> each.second & 1) == 0;
    });
    if (goal == goals_.end()) {
      search.Clear();
      return NodeStatus::kFailed;
    }
    const NodeStatus result = SearchFor(index, goal->second, left);
    if (result != NodeStatus::kFailed) return result;
  }
}

NodeStatus BrainRun::SearchFor(uint32_t index, uint64_t goal, uint32_t& left) {
  const BrainNode& self = node(index);
  PlanSearch& search = searches_[self.plan];
  const std::span<const PlanAction> actions =
      std::span(tree_->actions).subspan(self.first_child, self.child_count);
  if (search.goal != goal) {
    // Another one has become more urgent.
    if (!search.nodes.empty()) ++search.restarts;
    search.goal = goal;
    search.nodes.clear();
  }
  if (search.nodes.empty()) {
    planner_->Begin(search.facts, tree_->goals[self.first_goal + goal].wants,
                    actions);
  } else {
    planner_->Restore(search.facts, actions, search.nodes);
  }
  const auto most = static_cast<uint32_t>(
      std::min<uint64_t>(left, self.expansions_max - search.expansions));
  planner_->Advance(actions, most, plan_);
  left -= plan_.expansions;
  search.expansions += plan_.expansions;
  if (plan_.result == PlanResult::kFound) {
    plan_.expansions = static_cast<uint32_t>(search.expansions);
    search.Clear();
    TakePlan(index, static_cast<uint32_t>(goal));
    return NodeStatus::kSucceeded;
  }
  const bool is_passed = plan_.result == PlanResult::kBudget &&
                         search.expansions >= self.expansions_max;
  if (plan_.result == PlanResult::kBudget && !is_passed) {
    const std::span<const PlanNode> reached = planner_->reached();
    search.nodes.assign(reached.begin(), reached.end());
    return NodeStatus::kRunning;
  }
  if (is_passed) host_->Notice(BrainNotice::kPlanPassed, index);
  (is_passed ? search.passed : search.impossible) |= uint64_t{1} << goal;
  search.expansions = 0;
  search.nodes.clear();
  return NodeStatus::kFailed;
}

void BrainRun::TakePlan(uint32_t index, uint32_t goal) {
  const BrainNode& self = node(index);
  NodeMemory& own = memory(index);
  const PlanMemory steps = StepsOf(self);
  // An action that is under way goes on where the new plan begins with it.
  const bool goes_on = own.child < kPlanStepsMax && steps[own.child] != 0 &&
                       !plan_.actions.empty() &&
                       steps[own.child] == plan_.actions[0] + 1;
  if (!goes_on) StopKind(index);
  for (size_t i = 0; i < kPlanStepsMax; ++i) {
    steps[i] = i < plan_.actions.size() ? plan_.actions[i] + 1 : 0;
  }
  own.child = 0;
  host_->Planned(index, self.first_goal + goal, plan_);
}

bool CanBeSearch(const BrainTree& tree, const BrainNode& node,
                 const PlanSearch& search) {
  if (!search.is_under_way) return search.nodes.empty();
  if (node.expansions_per_update == 0 || search.goal >= node.goal_count ||
      search.expansions > node.expansions_max ||
      search.nodes.size() >
          1 + size_t{node.expansions_max} * node.child_count ||
      ((search.impossible | search.passed) >> node.goal_count) != 0) {
    return false;
  }
  // A search that has begun has its goal at least.
  return Planner::CanRestore(tree.goals[node.first_goal + search.goal].wants,
                             node.child_count, search.nodes);
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
