// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The events of regions, and their ids.

#ifndef REPRISE_SIM_SYSTEMS_REGIONS_REGION_EVENTS_H_
#define REPRISE_SIM_SYSTEMS_REGIONS_REGION_EVENTS_H_

#include <array>

#include "sim/base/field.h"
#include "sim/base/id.h"
#include "sim/world/components/event_declaration.h"

namespace reprise::sim {

// In ascending order of names.
inline constexpr auto kRegionEvents = std::to_array<EventDeclaration>({
    {.name = "region_entered",
     .sender = "the visitor",
     .receiver = kToInterested,
     .when = "an object came into a region",
     .arguments = {{{"region"}, {"visitor", ScalarType::kObject}}}},
    {.name = "region_left",
     .sender = "the visitor",
     .receiver = kToInterested,
     .when = "an object left a region",
     .arguments = {{{"region"}, {"visitor", ScalarType::kObject}}}},
    {.name = "region_stayed",
     .sender = "the visitor",
     .receiver = kToInterested,
     .when = "an object has been in a region for another period",
     .arguments = {{{"region"}, {"visitor", ScalarType::kObject}}}},
    {.name = "region_visits_dropped",
     .sender = kByWorld,
     .receiver = kToInterested,
     .when = "more objects were in regions than are counted; these were not",
     .arguments = {{{"count", ScalarType::kInt64}}}},
});

inline constexpr Id kRegionEntered = EventIdIn(kRegionEvents, "region_entered");
inline constexpr Id kRegionLeft = EventIdIn(kRegionEvents, "region_left");
inline constexpr Id kRegionStayed = EventIdIn(kRegionEvents, "region_stayed");
inline constexpr Id kRegionVisitsDropped =
    EventIdIn(kRegionEvents, "region_visits_dropped");
inline constexpr Id kRegion = WordIdIn(kRegionEvents, "region");

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_REGIONS_REGION_EVENTS_H_
