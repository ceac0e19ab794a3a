// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Joints between Bullet and their rows: every bit that a later step depends on,
// both ways, whether they are of the definition or came with objects.

#ifndef REPRISE_SIM_PHYSICS_BODIES_JOINT_ROWS_H_
#define REPRISE_SIM_PHYSICS_BODIES_JOINT_ROWS_H_

#include <cstdint>

#include "BulletDynamics/ConstraintSolver/btTypedConstraint.h"
#include "absl/status/status.h"
#include "sim/base/id.h"
#include "sim/base/math.h"
#include "sim/base/object_id.h"
#include "sim/physics/bodies/bullet_joints.h"
#include "sim/physics/definition/physics_definition.h"
#include "sim/physics/definition/physics_rows.h"
#include "sim/state/table.h"

namespace reprise::sim {

// Which joint it is. The definition's own have no owner and come first.
struct JointKey {
  ObjectId owner;
  Id name;            // the joint's, or that of its template
  ObjectId object_a;  // of a joint with an owner; else the definition says it
  ObjectId object_b;

  friend bool operator==(const JointKey&, const JointKey&) = default;
};

inline JointKey KeyOf(const JointRow& row) {
  return {.owner = kNoObject,
          .name = row.name,
          .object_a = kNoObject,
          .object_b = kNoObject};
}
inline JointKey KeyOf(const SpawnedJointRow& row) {
  return {row.owner, row.joint, row.object_a, row.object_b};
}

// Where a joint comes among the others.
bool ComesBefore(const JointKey& a, const JointKey& b);

// Puts a joint that comes into its row, which has its keys already.
template <typename Row>
void InitializeJoint(const JointDefinition& definition, Row& row) {
  row.is_enabled = 1;
  if (const JointMotor* const motor = MotorOf(definition)) {
    row.motor_target = motor->target;
    row.motor_impulse_max = motor->impulse_max;
  }
}

// The row of a joint that is in the definition from the start.
JointRow InitialRow(const JointDefinition& definition);

// Puts `joint` as it is into its row.
template <typename Row>
void ReadJoint(btTypedConstraint& joint, Row& row) {
  const MotorSetting motor = ReadMotor(joint);
  row.is_enabled = joint.isEnabled() ? 1 : 0;
  row.motor_target = motor.target;
  row.motor_impulse_max = motor.impulse_max;
  row.impulse = joint.internalGetAppliedImpulse();
}

template <typename Row>
bool IsUsableJoint(const Row& row) {
  return IsFinite(row.motor_target) && IsFinite(row.motor_impulse_max) &&
         row.motor_impulse_max >= 0.0 && IsFinite(row.impulse) &&
         row.is_enabled <= 1;
}

// Makes `joint` what the row says. REQUIRES: IsUsableJoint(row).
template <typename Row>
void WriteJoint(const Row& row, btTypedConstraint& joint) {
  joint.setEnabled(row.is_enabled != 0);
  WriteMotor({row.motor_target, row.motor_impulse_max}, joint);
  joint.internalSetAppliedImpulse(row.impulse);
}

// Whether the rows are states of joints of `definition` or of its templates, in
// order, and with their bodies. DATA_LOSS names the first that isn't.
// REQUIRES: CheckBodyRows is OK.
absl::Status CheckJointRows(const Table& joints, const Table& bodies,
                            const PhysicsDefinition& definition);
absl::Status CheckSpawnedJointRows(const Table& joints, const Table& bodies,
                                   const PhysicsDefinition& definition);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PHYSICS_BODIES_JOINT_ROWS_H_
