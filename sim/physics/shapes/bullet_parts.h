// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Bullet's shapes and bodies as a definition describes them, not yet in any
// world.

#ifndef REPRISE_SIM_PHYSICS_SHAPES_BULLET_PARTS_H_
#define REPRISE_SIM_PHYSICS_SHAPES_BULLET_PARTS_H_

#include <memory>
#include <span>
#include <vector>

#include "BulletCollision/CollisionShapes/btCollisionShape.h"
#include "BulletDynamics/Dynamics/btRigidBody.h"
#include "sim/physics/definition/physics_definition.h"

namespace reprise::sim {

// A shape and, of a compound, what it is made of. A primitive with a filter of
// its own has it as its user pointer.
struct BulletShape {
  std::vector<std::unique_ptr<btCollisionShape>> primitives;
  std::unique_ptr<btCollisionShape> compound;  // null: primitives[0] is all

  btCollisionShape* get() const {
    return compound != nullptr ? compound.get() : primitives[0].get();
  }
};

// `definition` outlives the shape.
// REQUIRES: the definitions passed ValidatePhysicsDefinition.
BulletShape MakeBulletShape(const ShapeDefinition& definition);

// A body of a kind, at rest at the origin; `shape` was made of `definition`.
// The kind and the shape outlive it.
std::unique_ptr<btRigidBody> MakeBulletBody(const BodyKind& kind,
                                            const ShapeDefinition& definition,
                                            btCollisionShape* shape);

// The kind of a body made by MakeBulletBody.
const BodyKind& KindOf(const btCollisionObject& body);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PHYSICS_SHAPES_BULLET_PARTS_H_
