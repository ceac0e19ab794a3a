// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The events of commanders, and their ids.

#ifndef REPRISE_SIM_SYSTEMS_COMMANDERS_COMMANDER_EVENTS_H_
#define REPRISE_SIM_SYSTEMS_COMMANDERS_COMMANDER_EVENTS_H_

#include <array>
#include <string_view>

#include "sim/base/field.h"
#include "sim/base/id.h"
#include "sim/world/components/event_declaration.h"

namespace reprise::sim {

// In ascending order of names.
inline constexpr auto kCommanderEvents = std::to_array<EventDeclaration>({
    {.name = "finish_order",
     .sender = kByPack,
     .receiver = "a unit",
     .when =
         "what it was ordered to do is over for all who do it; result: done "
         "or failed, without one done",
     .arguments = {{{"result", ScalarType::kId, "", true}}}},
    {.name = "ordered",
     .sender = "its commander",
     .receiver = "a unit",
     .when = "it is to do something else: a task for a goal, so far away, or "
             "one without",
     .arguments = {{{"task"},
                    {"goal", ScalarType::kObject, "", true},
                    {"distance", ScalarType::kDouble, "m", true}}}},
    {.name = "orders_bounded",
     .sender = kByItself,
     .receiver = kToItself,
     .when = "a commander has come to a bound: of evaluations in a tick, so "
             "many are left in its round; of tasks or units, so many are left "
             "out",
     .arguments = {{{"reason"}, {"count", ScalarType::kInt64}}}},
    {.name = "relieved",
     .sender = "its commander",
     .receiver = "a unit",
     .when = "it has nothing to do any more: its task is done, failed or "
             "closed, its goal or its commander is gone, or others do it",
     .arguments = {{{"task"}, {"reason"}}}},
    {.name = "task_begun",
     .sender = kByItself,
     .receiver = kToItself,
     .when = "a commander has a task done that nobody did before, by so many "
             "units",
     .arguments = {{{"task"},
                    {"goal", ScalarType::kObject, "", true},
                    {"units", ScalarType::kInt64}}}},
    {.name = "task_ended",
     .sender = kByItself,
     .receiver = kToItself,
     .when = "nobody does a commander's task any more: it is done, failed or "
             "closed, its goal is gone, it lacks units, or the commander is at "
             "rest",
     .arguments =
         {{{"task"}, {"goal", ScalarType::kObject, "", true}, {"reason"}}}},
});

inline constexpr Id kFinishOrder = EventIdIn(kCommanderEvents, "finish_order");
inline constexpr Id kOrdered = EventIdIn(kCommanderEvents, "ordered");
inline constexpr Id kOrdersBounded =
    EventIdIn(kCommanderEvents, "orders_bounded");
inline constexpr Id kRelieved = EventIdIn(kCommanderEvents, "relieved");
inline constexpr Id kTaskBegun = EventIdIn(kCommanderEvents, "task_begun");
inline constexpr Id kTaskEnded = EventIdIn(kCommanderEvents, "task_ended");

inline constexpr Id kTaskWord = WordIdIn(kCommanderEvents, "task");
inline constexpr Id kGoalWord = WordIdIn(kCommanderEvents, "goal");
inline constexpr Id kDistanceWord = WordIdIn(kCommanderEvents, "distance");
inline constexpr Id kReasonWord = WordIdIn(kCommanderEvents, "reason");
inline constexpr Id kResultWord = WordIdIn(kCommanderEvents, "result");
inline constexpr Id kCountWord = WordIdIn(kCommanderEvents, "count");
inline constexpr Id kUnitsWord = WordIdIn(kCommanderEvents, "units");

// Reasons.
inline constexpr std::string_view kDoneReason = "done";
inline constexpr std::string_view kFailedReason = "failed";
inline constexpr std::string_view kClosedReason = "closed";
inline constexpr std::string_view kGoneReason = "gone";
inline constexpr std::string_view kUnitsReason = "units";
inline constexpr std::string_view kOthersReason = "others";
inline constexpr std::string_view kAtRestReason = "at_rest";
inline constexpr std::string_view kEvaluationsReason = "evaluations";
inline constexpr std::string_view kTasksReason = "tasks";

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_COMMANDERS_COMMANDER_EVENTS_H_
