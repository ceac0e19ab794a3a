// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Bullet's shapes, bodies and joints as a definition describes them, not yet in
// any world.

#ifndef REPRISE_SIM_PHYSICS_BULLET_PARTS_H_
#define REPRISE_SIM_PHYSICS_BULLET_PARTS_H_

#include <memory>
#include <span>
#include <vector>

#include "BulletCollision/CollisionShapes/btCollisionShape.h"
#include "BulletDynamics/ConstraintSolver/btHingeConstraint.h"
#include "BulletDynamics/ConstraintSolver/btTypedConstraint.h"
#include "BulletDynamics/Dynamics/btRigidBody.h"
#include "sim/physics/physics_definition.h"

namespace reprise::sim {

// A shape and, of a compound, what it is made of.
struct BulletShape {
  std::vector<std::unique_ptr<btCollisionShape>> primitives;
  std::unique_ptr<btCollisionShape> compound;  // null: primitives[0] is all

  btCollisionShape* get() const {
    return compound != nullptr ? compound.get() : primitives[0].get();
  }
};

// REQUIRES: the definitions passed ValidatePhysicsDefinition.
BulletShape MakeBulletShape(const ShapeDefinition& definition);

// A body of a kind, at rest at the origin. `shape` outlives it.
std::unique_ptr<btRigidBody> MakeBulletBody(const BodyKind& kind,
                                            btCollisionShape* shape);

// Both bodies outlive the joint.
std::unique_ptr<btTypedConstraint> MakeBulletJoint(
    const JointDefinition& definition, btRigidBody& body_a,
    btRigidBody& body_b);

// Sets a hinge's motor; a greatest impulse of 0 switches it off.
void SetHingeMotor(btHingeConstraint& hinge, double target_rad_s,
                   double impulse_max_n_m_s);

// The joint as a hinge; null when it is another kind.
btHingeConstraint* AsHinge(btTypedConstraint& joint);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PHYSICS_BULLET_PARTS_H_
