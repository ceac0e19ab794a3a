// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// How plans are sought and done.

#include <algorithm>

#include "sim/base/math.h"
#include "sim/decisions/brain_run.h"

namespace reprise::sim {
namespace {

// In the mark of a question: there is no plan for it.
constexpr uint64_t kCannotBe = 1;

// Steele, Lea and Flood, "Fast splittable pseudorandom number generators"
// (2014): the end of SplitMix64, by which different numbers stay different.
uint64_t Mixed(uint64_t value) {
  value += 0x9e3779b97f4a7c15;
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
  value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
  return value ^ (value >> 31);
}

}  // namespace

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
    const Tick due = IsSearching(self) ? own.due : now_ + self.every;
    const NodeStatus made = MakePlan(index);
    // One that waits stays due.
    if (made != NodeStatus::kRunning || IsSearching(self)) own.due = due;
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
  NodeMemory& own = memory(index);
  RankGoals(self);
  const uint64_t facts = Facts();
  question_ = Question(facts);
  if (!IsSearching(self) && own.count == (question_ | kCannotBe)) {
    StopKind(index);
    return NodeStatus::kFailed;
  }
  if (budget_.expansions == 0) {
    budget_.has_waited = true;
    host_->Notice(BrainNotice::kPlanWaits, index);
    return NodeStatus::kRunning;
  }
  const bool is_sliced = self.expansions_per_update != 0;
  const NodeStatus made =
      is_sliced ? SearchOn(index, facts) : PlanAtOnce(index, facts);
  if (made != NodeStatus::kFailed) return made;
  StopKind(index);
  host_->Notice(BrainNotice::kPlanImpossible, index);
  return made;
}

uint64_t BrainRun::Question(uint64_t facts) const {
  uint64_t wanted = 0;
  for (const auto& [priority, goal] : goals_) wanted |= uint64_t{1} << goal;
  return Mixed(Mixed(facts) ^ wanted) & ~kCannotBe;
}

NodeStatus BrainRun::PlanAtOnce(uint32_t index, uint64_t facts) {
  for (const auto& [priority, goal] : goals_) {
    if (PlanFor(index, goal, facts)) return NodeStatus::kSucceeded;
  }
  memory(index).count = question_ | kCannotBe;
  return NodeStatus::kFailed;
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
  planner_->Find(facts, tree_->goals[self.first_goal + goal].wants,
                 ActionsOf(*tree_, self), self.expansions_max, plan_);
  budget_.expansions -=
      std::min<uint64_t>(budget_.expansions, plan_.expansions);
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
    search.planner.Clear();
    ++search.restarts;
  }
  auto left = static_cast<uint32_t>(
      std::min<uint64_t>(self.expansions_per_update, budget_.expansions));
  for (;;) {
    const uint64_t over = search.impossible | search.passed;
    const auto goal = std::ranges::find_if(goals_, [&](const auto& each) {
      return (over >> each.second & 1) == 0;
    });
    if (goal == goals_.end()) {
      // What was passed over under other facts may be possible now.
      memory(index).count =
          search.restarts == 0 ? question_ | kCannotBe : uint64_t{0};
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
  const std::span<const PlanAction> actions = ActionsOf(*tree_, self);
  Planner& planner = search.planner;
  if (search.goal != goal) {
    // Another one has become more urgent.
    if (!planner.reached().empty()) ++search.restarts;
    search.goal = goal;
    planner.Clear();
  }
  if (planner.reached().empty()) {
    planner.Begin(search.facts, tree_->goals[self.first_goal + goal].wants,
                  actions);
  }
  const auto most = static_cast<uint32_t>(
      std::min<uint64_t>(left, self.expansions_max - search.expansions));
  planner.Advance(actions, most, plan_);
  left -= plan_.expansions;
  budget_.expansions -= plan_.expansions;
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
    return NodeStatus::kRunning;
  }
  if (is_passed) host_->Notice(BrainNotice::kPlanPassed, index);
  (is_passed ? search.passed : search.impossible) |= uint64_t{1} << goal;
  search.expansions = 0;
  planner.Clear();
  return NodeStatus::kFailed;
}

bool BrainRun::IsToldAlready(uint32_t index, uint32_t goal) {
  // Of an empty plan there is no more to say while all stays as it is.
  NodeMemory& own = memory(index);
  const uint64_t mark =
      plan_.actions.empty() ? Mixed(question_ ^ goal) & ~kCannotBe : 0;
  const bool is_told = mark != 0 && own.count == mark;
  own.count = mark;
  return is_told;
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
  if (IsToldAlready(index, goal)) return;
  host_->Planned(index, self.first_goal + goal, plan_);
}

}  // namespace reprise::sim
