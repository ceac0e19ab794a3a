// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A brain as data: a tree of nodes that decide and act. Nodes of all kinds
// stand within each other: a state may be a behaviour tree, and a leaf of one a
// plan.

#ifndef REPRISE_SIM_DECISIONS_BRAIN_TREE_H_
#define REPRISE_SIM_DECISIONS_BRAIN_TREE_H_

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "sim/base/id.h"
#include "sim/base/tick.h"
#include "sim/decisions/planner.h"
#include "sim/decisions/utility.h"

namespace reprise::sim {

inline constexpr uint32_t kBrainNodesMax = 512;
// Nodes within each other: each is a few frames of the stack.
inline constexpr uint32_t kBrainDepthMax = 32;

// In the place of a condition, a list of effects and the like: there is none.
inline constexpr uint32_t kNothing = std::numeric_limits<uint32_t>::max();

enum class BrainNodeKind : uint8_t {
  // Leaves.
  kDone,   // has succeeded when it has begun: a condition, or effects
  kIdle,   // goes on: a state that does nothing else
  kWait,   // succeeds after `ticks`
  kAwait,  // succeeds once its event is heard
  kGoTo,   // the host's: as its going comes to
  // One child.
  kPass,       // as it does
  kInvert,     // succeeds where it fails
  kSucceed,    // succeeds in any case
  kRepeat,     // `count` times, 0: for ever; until what `until` says
  kCooldown,   // fails for `ticks` after it has ended
  kTimeLimit,  // fails where it takes longer than `ticks`
  // Several.
  kSequence,  // one after another, while they succeed
  kSelector,  // one after another, while they fail
  kParallel,  // all at once
  kMachine,   // its states, one at a time
  kChoose,    // the one of most use
  kPlan,      // actions that lead to a goal
};

// What a node has come to, or does; also of its last run.
enum class NodeStatus : uint8_t {
  kIdle = 0,  // has not run
  kRunning = 1,
  kSucceeded = 2,
  kFailed = 3,
  kStopped = 4,  // before it had come to anything
};

// Whether it has come to something by itself.
constexpr bool IsOver(NodeStatus status) {
  return status == NodeStatus::kSucceeded || status == NodeStatus::kFailed;
}

enum class ParallelPolicy : uint8_t { kAll, kAny };

// When a state is left for another one: all of it has to be so.
struct BrainTransition {
  uint32_t to = 0;   // the child of the machine
  Id event = kNoId;  // it is heard; kNoId: looked at in each update
  uint32_t condition = kNothing;
  Tick after = 0;  // ticks since it was entered
  // What it does has ended, and so; kIdle: it doesn't matter, kStopped: in any
  // way.
  NodeStatus when = NodeStatus::kIdle;
  double chance = 1.0;  // 0 to 1, drawn where all else is so
};

struct Consideration {
  uint32_t number = kNothing;  // the host's
  ScoreCurve curve;
};

struct BrainGoal {
  Id name;
  PlanFacts wants;
  uint32_t condition = kNothing;
  uint32_t priority = kNothing;  // the host's number; kNothing: 0
};

struct BrainNode {
  BrainNodeKind kind = BrainNodeKind::kDone;
  Id name;
  uint32_t parent = kNothing;
  // Of BrainTree::children, in their order.
  uint32_t first_child = 0;
  uint32_t child_count = 0;

  // Without which it fails to begin.
  uint32_t condition = kNothing;
  bool aborts_self = false;   // looked at while it runs, too
  bool aborts_lower = false;  // of a selector's child: while a later one runs

  // Lists of effects, the host's.
  uint32_t enter = kNothing;
  uint32_t update = kNothing;
  uint32_t exit = kNothing;
  Tick update_every = 1;

  // Of some kinds.
  Tick ticks = 0;
  uint64_t count = 0;
  NodeStatus until = NodeStatus::kIdle;  // of kRepeat; kIdle: whatever comes
  ParallelPolicy succeeds = ParallelPolicy::kAll;
  bool has_history = false;  // a machine goes on with the state it was left in
  Id event = kNoId;          // of kAwait
  uint32_t await_condition = kNothing;
  uint32_t going = kNothing;  // of kGoTo, the host's
  double inertia = 0.0;       // of kChoose
  double least = 0.0;
  Tick every = 0;     // it chooses, or plans, anew; 0: only when it begins
  uint32_t plan = 0;  // of kPlan: which of the tree's plans
  uint32_t expansions_max = 0;
  uint32_t expansions_per_update = 0;  // 0: all of them
  uint32_t first_goal = 0;
  uint32_t goal_count = 0;

  // As a child of some kinds.
  bool is_state = false;
  NodeStatus ends = NodeStatus::kIdle;  // its machine, when it is entered
  uint32_t first_transition = 0;
  uint32_t transition_count = 0;
  double weight = 1.0;  // as an option
  uint32_t first_consideration = 0;
  uint32_t consideration_count = 0;
};

// Immutable once made.
struct BrainTree {
  std::vector<BrainNode> nodes;    // each behind its parent; the root first
  std::vector<uint32_t> children;  // indices of nodes
  std::vector<BrainTransition> transitions;
  std::vector<Consideration> considerations;
  std::vector<BrainGoal> goals;
  // What the children of a plan are to the planner, as they stand in
  // `children`.
  std::vector<PlanAction> actions;  // as long as `children`
  // Conditions of the facts, the bits of plans.
  std::vector<uint32_t> symbols;
  uint32_t plan_count = 0;

  uint32_t ChildOf(const BrainNode& node, uint64_t index) const {
    return children[node.first_child + index];
  }
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_DECISIONS_BRAIN_TREE_H_
