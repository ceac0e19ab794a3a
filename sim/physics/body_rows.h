// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Bodies and joints between Bullet and their rows: every bit that a later step
// depends on, both ways.

#ifndef REPRISE_SIM_PHYSICS_BODY_ROWS_H_
#define REPRISE_SIM_PHYSICS_BODY_ROWS_H_

#include <cstring>

#include "BulletDynamics/ConstraintSolver/btTypedConstraint.h"
#include "BulletDynamics/Dynamics/btRigidBody.h"
#include "sim/base/object_id.h"
#include "sim/physics/physics_definition.h"
#include "sim/physics/physics_rows.h"

namespace reprise::sim {

// Whether two rows are the same bytes, so that -0 is not 0.
template <typename Row>
bool SameBits(const Row& a, const Row& b) {
  return std::memcmp(&a, &b, sizeof(Row)) == 0;
}

// The row of a body before the first tick.
BodyRow InitialRow(const BodyDefinition& definition);

// The row of `body` as it is, without forces.
BodyRow ReadBody(const btRigidBody& body, ObjectId object);

// Makes `body` what the row says, forces aside. Of a fixed body only the pose
// is taken. REQUIRES: IsUsable(row).
void WriteBody(const BodyRow& row, btRigidBody& body);

// Whether all numbers are finite and the activation is one.
bool IsUsable(const BodyRow& row);

JointRow InitialRow(const JointDefinition& definition);
JointRow ReadJoint(btTypedConstraint& joint, Id name);

// Makes `joint` what the row says. REQUIRES: IsUsable(row).
void WriteJoint(const JointRow& row, btTypedConstraint& joint);

bool IsUsable(const JointRow& row);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PHYSICS_BODY_ROWS_H_
