// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What a pack says of commanders.

#ifndef REPRISE_SIM_SYSTEMS_COMMANDERS_COMMANDER_DEFINITION_H_
#define REPRISE_SIM_SYSTEMS_COMMANDERS_COMMANDER_DEFINITION_H_

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "sim/base/id.h"
#include "sim/base/tick.h"
#include "sim/decisions/utility.h"
#include "sim/world/events/event_expression.h"

namespace reprise::sim {

// Tasks that a commander has at a time, one for each goal.
inline constexpr uint32_t kTasksMax = 64;
inline constexpr uint32_t kCommanderUnitsMax = 256;
inline constexpr uint32_t kCommanderUnitsDefault = 64;
inline constexpr uint64_t kEvaluationsPerTickDefault = 10'000;
inline constexpr uint32_t kEvaluationsPerTickMax = 1'000'000;

struct UnitConsideration {
  std::shared_ptr<const EventExpression> number;
  ScoreCurve curve;
};

struct TaskDefinition {
  Id name;
  Id of = kNoId;  // the type of its goals, with those that extend it
  // Null: none. The first two are of task_begun, the third is of ordered.
  std::shared_ptr<const EventExpression> condition;
  std::shared_ptr<const EventExpression> priority;
  std::shared_ptr<const EventExpression> fits;
  std::vector<UnitConsideration> considerations;
  uint32_t units_min = 1;
  uint32_t units_max = 1;
  Tick rest = 0;
};

struct CommanderDefinition {
  std::vector<Id> units;  // types, with those that extend them
  std::vector<TaskDefinition> tasks;
  Tick every = 1;
  double inertia = 0.0;
  uint32_t units_max = kCommanderUnitsDefault;
};

// The part of a type whose objects give orders.
struct CommanderUse {
  static constexpr std::string_view kPart = "commander";

  uint32_t component = 0;  // index of the component command
  uint32_t commander = 0;  // index into the commanders
};

// The part of a type whose objects take orders.
struct OrdersUse {
  static constexpr std::string_view kPart = "orders";

  uint32_t component = 0;  // index of the component orders
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_COMMANDERS_COMMANDER_DEFINITION_H_
