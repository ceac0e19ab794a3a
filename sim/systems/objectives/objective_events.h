// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The events of objectives, and their ids.

#ifndef REPRISE_SIM_SYSTEMS_OBJECTIVES_OBJECTIVE_EVENTS_H_
#define REPRISE_SIM_SYSTEMS_OBJECTIVES_OBJECTIVE_EVENTS_H_

#include <array>

#include "sim/base/field.h"
#include "sim/base/id.h"
#include "sim/world/components/event_declaration.h"

namespace reprise::sim {

// In ascending order of names.
inline constexpr auto kObjectiveEvents = std::to_array<EventDeclaration>({
    {.name = "objective_active",
     .sender = kByWorld,
     .receiver = kToInterested,
     .when = "an objective opened; heard of in the tick after",
     .arguments = {{{"objective"}}}},
    {.name = "objective_complete",
     .sender = kByWorld,
     .receiver = kToInterested,
     .when = "an objective was completed; heard of in the tick after",
     .arguments = {{{"objective"}}}},
    {.name = "objective_failed",
     .sender = kByWorld,
     .receiver = kToInterested,
     .when = "an objective failed; heard of in the tick after",
     .arguments = {{{"objective"}}}},
});

inline constexpr Id kObjectiveActive =
    EventIdIn(kObjectiveEvents, "objective_active");
inline constexpr Id kObjectiveComplete =
    EventIdIn(kObjectiveEvents, "objective_complete");
inline constexpr Id kObjectiveFailed =
    EventIdIn(kObjectiveEvents, "objective_failed");
inline constexpr Id kObjective = WordIdIn(kObjectiveEvents, "objective");

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_OBJECTIVES_OBJECTIVE_EVENTS_H_
