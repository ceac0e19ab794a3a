// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Whether all bodies that objects of a pack bring into the world, at tick 0 or
// whenever they come, come within the bounds of physics.

#ifndef REPRISE_SIM_COMPILER_PLACEMENT_BOUNDS_H_
#define REPRISE_SIM_COMPILER_PLACEMENT_BOUNDS_H_

#include "reprise/v1/pack.pb.h"
#include "sim/compiler/checking/message_checker.h"
#include "sim/world/definition/world_definition.h"

namespace reprise::sim {

// Reports each object of the manifest that has a body, or makes others at its
// place, and is beyond them: dormant ones, those of chunks and copies in a grid
// included. REQUIRES: the objects of `world` are compiled.
void CheckPlacements(const v1::Pack& pack, const MessageChecker& checker,
                     const WorldDefinition& world);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_COMPILER_PLACEMENT_BOUNDS_H_
