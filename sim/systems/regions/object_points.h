// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Where the objects of a world are, for those that ask of all at once.

#ifndef REPRISE_SIM_SYSTEMS_REGIONS_OBJECT_POINTS_H_
#define REPRISE_SIM_SYSTEMS_REGIONS_OBJECT_POINTS_H_

#include <cstdint>
#include <span>
#include <vector>

#include "sim/systems/regions/regions.h"
#include "sim/world/objects/world_parts.h"

namespace reprise::sim {

// The points of all that can come and go, in object order: who is dormant is
// nowhere, and neither is scenery, whose body never moves. An object without a
// body may be put anywhere, so it is one of them.
std::vector<ObjectPoint> PointsOfVisitors(const WorldParts& parts);

// The points of active objects of some types, in object order, whatever their
// bodies are.
std::vector<ObjectPoint> PointsOfTypes(const WorldParts& parts,
                                       std::span<const uint32_t> types);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_REGIONS_OBJECT_POINTS_H_
