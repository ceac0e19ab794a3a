// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What behaviours ask of navigation.

#ifndef REPRISE_SIM_SYSTEMS_NAVIGATION_PATH_REQUESTS_H_
#define REPRISE_SIM_SYSTEMS_NAVIGATION_PATH_REQUESTS_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/base/id.h"
#include "sim/base/tick.h"
#include "sim/geometry/vector3.h"
#include "sim/world/updates/update_context.h"

namespace reprise::sim {

// Asks for a path of object i to a place, searched for from `delay` ticks on,
// at least one, from where it is then. The answer is an event of type `event`
// with `request` (what this returns) and `found`, then `cost` and `points`, or
// `reason`. The path is then the navigator's, in the place of the one it had;
// it goes along it while it is active and wants to go there. An object has one
// request at a time: one made before is answered with the reason superseded.
// nullopt when too many wait, for a goal that isn't finite, or when the object
// is no navigator with a space.
std::optional<uint64_t> RequestPath(UpdateContext& context, uint32_t i,
                                    Vector3 goal, Tick delay, Id event);

// The same for a path to the nearest goal of a set of the pack's; nullopt, too,
// where it has no such set in the navigator's space.
std::optional<uint64_t> RequestNearestPath(UpdateContext& context, uint32_t i,
                                           Id goals, Tick delay, Id event);

// The points of its path that are still ahead; empty when it has none, or is no
// navigator with a space.
std::vector<Vector3> PathOf(const UpdateContext& context, uint32_t i);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_NAVIGATION_PATH_REQUESTS_H_
