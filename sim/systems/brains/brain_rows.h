// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The rows of brains: the component of objects that have one, what each node
// does or has done, and the steps of plans.

#ifndef REPRISE_SIM_SYSTEMS_BRAINS_BRAIN_ROWS_H_
#define REPRISE_SIM_SYSTEMS_BRAINS_BRAIN_ROWS_H_

#include <array>
#include <cstdint>
#include <string_view>

#include "sim/base/field.h"
#include "sim/base/id.h"
#include "sim/base/object_id.h"
#include "sim/base/tick.h"
#include "sim/base/value_name.h"
#include "sim/decisions/brain_tree.h"

namespace reprise::sim {

// Only in packs that have such types.
struct BrainRow {
  ObjectId object;
  uint64_t overridden = 0;
  int64_t is_active = 1;
  // Names: of the innermost state that it is in, the leaf that it is at and the
  // goal of its last plan. kNoId: none.
  Id state;
  Id node;
  Id goal;
  // Its own.
  Tick changed_at = 0;   // the tick of the last transition
  uint64_t changes = 0;  // transitions in that tick
  uint64_t draws = 0;    // from its stream of random numbers

  static constexpr std::string_view kTable = "brain";
  static constexpr uint32_t kKeyFields = 1;
  static constexpr auto Describe() {
    return std::array{REPRISE_FIELD(BrainRow, object, ""),
                      REPRISE_FIELD(BrainRow, overridden, ""),
                      REPRISE_FIELD(BrainRow, is_active, ""),
                      REPRISE_FIELD(BrainRow, state, ""),
                      REPRISE_FIELD(BrainRow, node, ""),
                      REPRISE_FIELD(BrainRow, goal, ""),
                      REPRISE_FIELD(BrainRow, changed_at, "tick"),
                      REPRISE_FIELD(BrainRow, changes, ""),
                      REPRISE_FIELD(BrainRow, draws, "")};
  }
};

inline constexpr auto kNodeStatusNames = std::to_array<ValueName>({
    {static_cast<int64_t>(NodeStatus::kIdle), "idle"},
    {static_cast<int64_t>(NodeStatus::kRunning), "running"},
    {static_cast<int64_t>(NodeStatus::kSucceeded), "succeeded"},
    {static_cast<int64_t>(NodeStatus::kFailed), "failed"},
    {static_cast<int64_t>(NodeStatus::kStopped), "stopped"},
});

// A node of an object's brain (NodeMemory). Each object has one for every node
// of its brain, in the order of the tree.
struct BrainNodeRow {
  ObjectId object;
  uint64_t number = 0;
  Id name;
  uint64_t status = 0;
  uint64_t done = 0;
  uint64_t child = 0;
  Tick since = 0;
  Tick update_at = 0;
  Tick due = 0;
  uint64_t count = 0;
  double score = 0.0;

  static constexpr std::string_view kTable = "brain_nodes";
  static constexpr uint32_t kKeyFields = 2;
  static constexpr auto Describe() {
    return std::array{REPRISE_FIELD(BrainNodeRow, object, ""),
                      REPRISE_FIELD(BrainNodeRow, number, ""),
                      REPRISE_FIELD(BrainNodeRow, name, ""),
                      REPRISE_FIELD(BrainNodeRow, status, ""),
                      REPRISE_FIELD(BrainNodeRow, done, ""),
                      REPRISE_FIELD(BrainNodeRow, child, ""),
                      REPRISE_FIELD(BrainNodeRow, since, "tick"),
                      REPRISE_FIELD(BrainNodeRow, update_at, "tick"),
                      REPRISE_FIELD(BrainNodeRow, due, "tick"),
                      REPRISE_FIELD(BrainNodeRow, count, ""),
                      REPRISE_FIELD(BrainNodeRow, score, "")};
  }
};

// A step of a plan: kPlanStepsMax for each plan of an object's brain.
struct PlanStepRow {
  ObjectId object;
  uint64_t number = 0;
  Id action;          // its name; kNoId behind the last
  uint64_t step = 0;  // the child of the plan plus 1; 0 behind the last

  static constexpr std::string_view kTable = "plan_steps";
  static constexpr uint32_t kKeyFields = 2;
  static constexpr auto Describe() {
    return std::array{REPRISE_FIELD(PlanStepRow, object, ""),
                      REPRISE_FIELD(PlanStepRow, number, ""),
                      REPRISE_FIELD(PlanStepRow, action, ""),
                      REPRISE_FIELD(PlanStepRow, step, "")};
  }
};

// One row: whose plan comes first, since expansions were used up before.
struct BrainTurnRow {
  ObjectId next;

  static constexpr std::string_view kTable = "turns";
  static constexpr uint32_t kKeyFields = 0;
  static constexpr auto Describe() {
    return std::array{REPRISE_FIELD(BrainTurnRow, next, "")};
  }
};

// Rows of nodes at a time: 88 bytes each. A pack that could have more is
// refused.
inline constexpr uint32_t kBrainNodeRowsMax = 1u << 22;

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_BRAINS_BRAIN_ROWS_H_
