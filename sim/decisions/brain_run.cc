// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/decisions/brain_run.h"

#include "sim/base/check.h"

namespace reprise::sim {
namespace {

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
  if (self.kind != BrainNodeKind::kPlan) own.count = 0;
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

}  // namespace reprise::sim
