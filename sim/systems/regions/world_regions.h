// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Regions in a world: who came in, stays and left, as events.

#ifndef REPRISE_SIM_SYSTEMS_REGIONS_WORLD_REGIONS_H_
#define REPRISE_SIM_SYSTEMS_REGIONS_WORLD_REGIONS_H_

#include "sim/world/objects/world_parts.h"

namespace reprise::sim {

// Brings the visits up to this step of the game and posts what changed, from
// the visitor to all with interest; air locks follow those who enter them.
// Nothing happens in a pack without regions.
void UpdateRegions(const WorldParts& parts);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_REGIONS_WORLD_REGIONS_H_
