// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Bullet's joints as a definition describes them, not yet in any world. What
// one does in a step follows from its definition, its bodies and what is read
// and written here: none remembers anything else.

#ifndef REPRISE_SIM_PHYSICS_BODIES_BULLET_JOINTS_H_
#define REPRISE_SIM_PHYSICS_BODIES_BULLET_JOINTS_H_

#include <memory>

#include "BulletDynamics/ConstraintSolver/btTypedConstraint.h"
#include "BulletDynamics/Dynamics/btRigidBody.h"
#include "sim/physics/definition/joint_definition.h"

namespace reprise::sim {

// Both bodies outlive the joint.
// REQUIRES: the definition passed ValidatePhysicsDefinition.
std::unique_ptr<btTypedConstraint> MakeBulletJoint(
    const JointDefinition& definition, btRigidBody& body_a,
    btRigidBody& body_b);

// What of a motor can change during a run; JointMotor explains it.
struct MotorSetting {
  double target = 0.0;
  double impulse_max = 0.0;  // 0: it is off
};

// The motor of a joint that MakeBulletJoint made. Of one without a motor all is
// 0, and writing does nothing.
MotorSetting ReadMotor(const btTypedConstraint& joint);
void WriteMotor(MotorSetting setting, btTypedConstraint& joint);

// Whether a motor is on and has something to do, so that its bodies must not
// fall asleep however slowly they go: a servo that is away from its target, or
// a motor of a six-axis joint with a velocity. A hinge that just turns is left
// to rest with what it turns.
bool IsAtWork(btTypedConstraint& joint);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PHYSICS_BODIES_BULLET_JOINTS_H_
