// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What a pack says about its objectives: a forest of tasks and groups of tasks,
// with prerequisites across it, and what follows from completing or failing
// each.

#ifndef REPRISE_SIM_SYSTEMS_OBJECTIVES_OBJECTIVE_DEFINITION_H_
#define REPRISE_SIM_SYSTEMS_OBJECTIVES_OBJECTIVE_DEFINITION_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "sim/base/id.h"
#include "sim/base/object_id.h"
#include "sim/base/tick.h"
#include "sim/simulation.h"
#include "sim/systems/layers/layers.h"

namespace reprise::sim {

// More tasks than a long game has.
inline constexpr size_t kObjectivesMax = 4096;

// Of one objective; each has a counter in its row.
inline constexpr size_t kFailureConditionsMax = 4;

// `count` events of a type since the objective became active.
struct EventCondition {
  Id type;
  ObjectId object = kNoObject;  // only events of this object; kNoObject: of any
  // Only events with this name among their arguments: of a region, a chunk, an
  // object; kNoId: any.
  Id subject = kNoId;
  uint64_t count = 1;
};

// Whatever the world says that the predicate is now.
struct PredicateCondition {
  Id predicate;
};

// The objective has been active for this long.
struct ElapsedCondition {
  Tick ticks = 0;
};

using ObjectiveCondition =
    std::variant<EventCondition, PredicateCondition, ElapsedCondition>;

enum class ObjectiveKind : uint8_t {
  kTask,      // its condition holds
  kSequence,  // its required children, one after another
  kAll,       // its required children, in any order
  kAny,       // one of its children
};

// An objective without a parent becomes active as soon as its prerequisites are
// done; one with a parent also needs its parent to be active and, in a
// sequence, the required children before it to be done. Once active it goes on,
// even if one of those begins anew. A group fails when a required child has
// failed; of kAny, when all children have.
struct ObjectiveDefinition {
  Id name;
  ObjectiveKind kind = ObjectiveKind::kTask;
  std::vector<Id> children;      // of a group
  ObjectiveCondition condition;  // of a task
  std::vector<Id> prerequisites;
  bool is_optional = false;  // its group neither waits for it nor fails by it
  // Begins anew, with its children, whenever it is complete. It is done from
  // the first time on.
  bool is_repeatable = false;
  // Fails unless it is complete this many ticks after it became active; 0: no
  // deadline.
  Tick deadline = 0;
  // One of them is enough to fail, also at the tick that would complete it.
  std::vector<ObjectiveCondition> failures;
  // What failing costs: an event to send, and an objective that begins anew
  // with everything below it: itself or an ancestor, to try again. kNoId: none.
  Id penalty_event = kNoId;
  Id penalty_reset = kNoId;
  // The layers that completing it enables: the locks of regions, chunks, doors.
  std::vector<Id> gates;
  // How the game ends when it is complete, and when it has failed; kRunning: it
  // doesn't.
  Outcome::Status decides = Outcome::Status::kRunning;
  Outcome::Status failure_decides = Outcome::Status::kRunning;
};

// OK, or InvalidArgument or ResourceExhausted naming the objective and what is
// wrong with it: a name twice or unknown, a task with children, a group with
// nothing required, a child of two groups, an optional child of kAny, a
// condition that asks for nothing, or objectives that wait for each other,
// which are listed.
absl::Status ValidateObjectives(std::span<const ObjectiveDefinition> objectives,
                                std::span<const Id> predicates,
                                std::span<const LayerDefinition> layers,
                                const NameTable& names);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_OBJECTIVES_OBJECTIVE_DEFINITION_H_
