// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Objectives in a world: what they see of it, and what follows from them.

#ifndef REPRISE_SIM_SYSTEMS_OBJECTIVES_WORLD_OBJECTIVES_H_
#define REPRISE_SIM_SYSTEMS_OBJECTIVES_WORLD_OBJECTIVES_H_

#include "sim/world/definition/level.h"
#include "sim/world/objects/world_parts.h"

namespace reprise::sim {

// Whether the predicate holds in the state as it is. Whole numbers are compared
// as doubles. REQUIRES: the index of objects is up to date.
bool Holds(const WorldParts& parts, const PredicateDefinition& predicate);

// Brings the objectives up to this step of the game with everything that was
// told in it, so nothing may be told after it. Posts what changed, for the next
// step; asks for layers; decides the run. Nothing happens in a pack without
// objectives.
void UpdateObjectives(const WorldParts& parts);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_OBJECTIVES_WORLD_OBJECTIVES_H_
