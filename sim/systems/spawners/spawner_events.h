// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The events of spawners, and their ids.

#ifndef REPRISE_SIM_SYSTEMS_SPAWNERS_SPAWNER_EVENTS_H_
#define REPRISE_SIM_SYSTEMS_SPAWNERS_SPAWNER_EVENTS_H_

#include <array>

#include "sim/base/field.h"
#include "sim/base/id.h"
#include "sim/world/components/event_declaration.h"

namespace reprise::sim {

// In ascending order of names.
inline constexpr auto kSpawnerEvents = std::to_array<EventDeclaration>({
    {.name = "spawn",
     .sender = kByPack,
     .receiver = "a spawner",
     .when = "it is to make an object at once"},
});

inline constexpr Id kSpawn = EventIdIn(kSpawnerEvents, "spawn");

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_SPAWNERS_SPAWNER_EVENTS_H_
