// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// How machines change states, and choices options.

#include <optional>

#include "sim/decisions/brain_run.h"

namespace reprise::sim {

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

}  // namespace reprise::sim
