// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Objects that break: damage lowers their health, and each stage gives them
// another body, until nothing but debris is left.

#ifndef REPRISE_SIM_SYSTEMS_DESTRUCTIBLES_DESTRUCTIBLES_H_
#define REPRISE_SIM_SYSTEMS_DESTRUCTIBLES_DESTRUCTIBLES_H_

#include <cstdint>

#include "sim/world/components/component.h"
#include "sim/world/events/world_event.h"
#include "sim/world/objects/world_parts.h"

namespace reprise::sim {

// The component of destructible objects. Packs set their health.
ComponentDefinition DestructibleComponent();

// Has an event that does damage, `damage` or `blast`, do it. Returns whether it
// is one and the object, by its row, breaks.
bool TakeDamage(const WorldParts& parts, uint32_t row, const WorldEvent& event);

// Does the damage of the contacts of the physics step just made, and brings all
// destructible objects to their stages.
void BreakObjects(const WorldParts& parts);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_DESTRUCTIBLES_DESTRUCTIBLES_H_
