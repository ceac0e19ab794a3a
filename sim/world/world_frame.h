// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Turns the state of a world into what a renderer draws.

#ifndef REPRISE_SIM_WORLD_WORLD_FRAME_H_
#define REPRISE_SIM_WORLD_WORLD_FRAME_H_

#include <vector>

#include "sim/frame.h"
#include "sim/physics/definition/physics_definition.h"
#include "sim/state/state.h"
#include "sim/world/definition/world_definition.h"
#include "sim/world/objects/objects.h"
#include "sim/world/objects/world_parts.h"

namespace reprise::sim {

// The triangles of all hulls, meshes and height fields: shape by shape, and of
// one shape primitive by primitive.
std::vector<FrameMesh> MakeFrameMeshes(const PhysicsDefinition& physics);

// The frame of `state`, a state of a world with these `tables` that `objects`
// was loaded from.
Frame MakeWorldFrame(const WorldDefinition& definition,
                     const WorldTables& tables, const Objects& objects,
                     const State& state);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_WORLD_WORLD_FRAME_H_
