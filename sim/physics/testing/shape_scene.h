// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Bodies of every shape on every kind of ground: the scene on which shapes,
// materials, layers and continuous bodies are tested.

#ifndef REPRISE_SIM_PHYSICS_TESTING_SHAPE_SCENE_H_
#define REPRISE_SIM_PHYSICS_TESTING_SHAPE_SCENE_H_

#include <cstdint>

#include "sim/physics/definition/physics_definition.h"

namespace reprise::sim {

enum class Ground : uint8_t { kPlane, kMesh, kHeightField };

// The ground (object 1) is a bowl, but for the plane, which is level. Above it
// fall `rounds` times: a cone, a hull, a ball, a box, a capsule, a cylinder, a
// compound of a hull and a cone, and a fast bullet. Materials follow all rules
// of combination, and every third body is on a layer whose bodies pass through
// each other.
PhysicsDefinition MakeShapeScene(Ground ground, uint32_t rounds = 2);

// A bowl of 2 x 16 x 16 triangles, 12 m wide.
MeshShape MakeBowlMesh();
// The same as a height field.
HeightFieldShape MakeBowlField();

// An irregular hull of a dozen corners, about as large as a ball of 0.35 m.
HullPrimitive MakeRock();

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PHYSICS_TESTING_SHAPE_SCENE_H_
