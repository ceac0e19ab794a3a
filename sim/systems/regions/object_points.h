// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Where the objects of a world are, for those that ask of all at once.

#ifndef REPRISE_SIM_SYSTEMS_REGIONS_OBJECT_POINTS_H_
#define REPRISE_SIM_SYSTEMS_REGIONS_OBJECT_POINTS_H_

#include <vector>

#include "sim/systems/regions/regions.h"
#include "sim/world/objects/world_parts.h"

namespace reprise::sim {

// The points of active objects, in object order; who is dormant is nowhere.
std::vector<ObjectPoint> PointsOfObjects(const WorldParts& parts);

// The same of those for whom chunks come and go.
std::vector<ObjectPoint> PointsOfViewers(const WorldParts& parts);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_REGIONS_OBJECT_POINTS_H_
