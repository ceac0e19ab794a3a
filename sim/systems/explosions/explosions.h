// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Blows away from a point.

#ifndef REPRISE_SIM_SYSTEMS_EXPLOSIONS_EXPLOSIONS_H_
#define REPRISE_SIM_SYSTEMS_EXPLOSIONS_EXPLOSIONS_H_

#include <cstdint>

#include "sim/geometry/vector3.h"
#include "sim/systems/fields/field_definition.h"
#include "sim/world/events/world_event.h"
#include "sim/world/objects/world_parts.h"

namespace reprise::sim {

// Blows at `centre`, by object `source`: each dynamic body whose closest point
// is within the radius gets impulse * (1 - distance / radius)^falloff there,
// away from the centre; one that holds the centre, away from the centre to its
// own. With needs_sight, only if nothing but itself, triggers aside, is on the
// way to that point. All of them, and destructible objects of any shape, planes
// and surfaces too, get `blast`, in object order. What one body gets doesn't
// depend on the others. REQUIRES: parts.blast_queries is not null.
void Explode(const WorldParts& parts, ObjectId source, Vector3 centre,
             const ExplosiveDefinition& explosive);

// Has the event `explode` blow the object, by its row. Returns whether it is
// that event and the object an explosive.
bool TakeExplode(const WorldParts& parts, uint32_t row,
                 const WorldEvent& event);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_EXPLOSIONS_EXPLOSIONS_H_
