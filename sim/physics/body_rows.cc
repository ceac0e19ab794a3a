// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/physics/body_rows.h"

#include <variant>

#include "sim/base/math.h"
#include "sim/physics/bullet_conversion.h"
#include "sim/physics/bullet_parts.h"

namespace reprise::sim {
namespace {

// 0 when the components are finite, and NaN otherwise: infinity times 0 is NaN,
// and NaN stays.
double Taint(Vector3 v) { return v.x * 0.0 + v.y * 0.0 + v.z * 0.0; }

double Taint(const Matrix3& m) {
  return Taint(m.rows[0]) + Taint(m.rows[1]) + Taint(m.rows[2]);
}

}  // namespace

BodyRow InitialRow(const BodyDefinition& definition) {
  BodyRow row = {};
  row.object = definition.object;
  row.position = definition.position;
  row.basis = ToMatrix3(Normalized(definition.rotation));
  row.activation = Activation::kAsleep;
  if (definition.motion == Motion::kDynamic) {
    row.linear_velocity = definition.linear_velocity_m_s;
    row.angular_velocity = definition.angular_velocity_rad_s;
    row.activation = Activation::kAwake;
  }
  return row;
}

BodyRow ReadBody(const btRigidBody& body, ObjectId object) {
  BodyRow row = {};
  row.object = object;
  row.position = FromBullet(body.getWorldTransform().getOrigin());
  row.basis = FromBullet(body.getWorldTransform().getBasis());
  row.linear_velocity = FromBullet(body.getLinearVelocity());
  row.angular_velocity = FromBullet(body.getAngularVelocity());
  row.activation = static_cast<Activation>(body.getActivationState());
  row.slow_time = body.getDeactivationTime();
  return row;
}

void WriteBody(const BodyRow& row, btRigidBody& body) {
  if (!body.isStaticObject()) {
    body.setLinearVelocity(ToBullet(row.linear_velocity));
    body.setAngularVelocity(ToBullet(row.angular_velocity));
    body.forceActivationState(static_cast<int>(row.activation));
    body.setDeactivationTime(row.slow_time);
  }
  // Also sets what Bullet derives from the pose: the inertia tensor, and the
  // pose and velocities for interpolation, which each step overwrites.
  body.setCenterOfMassTransform(
      btTransform(ToBullet(row.basis), ToBullet(row.position)));
}

bool IsUsable(const BodyRow& row) {
  const double taint = Taint(row.position) + Taint(row.basis) +
                       Taint(row.linear_velocity) +
                       Taint(row.angular_velocity) + Taint(row.force) +
                       Taint(row.torque) + row.slow_time * 0.0;
  return taint == 0.0 && row.activation >= Activation::kAwake &&
         row.activation <= Activation::kOutOfReach;
}

JointRow InitialRow(const JointDefinition& definition) {
  JointRow row = {};
  row.name = definition.name;
  row.is_enabled = 1;
  if (const auto* hinge = std::get_if<HingeJoint>(&definition.kind)) {
    row.motor_target = hinge->motor_target_rad_s;
    row.motor_impulse_max = hinge->motor_impulse_max_n_m_s;
  }
  return row;
}

JointRow ReadJoint(btTypedConstraint& joint, Id name) {
  JointRow row = {};
  row.name = name;
  row.is_enabled = joint.isEnabled() ? 1 : 0;
  if (btHingeConstraint* const hinge = AsHinge(joint)) {
    row.motor_target = hinge->getMotorTargetVelocity();
    row.motor_impulse_max = hinge->getMaxMotorImpulse();
  }
  row.impulse = joint.internalGetAppliedImpulse();
  return row;
}

void WriteJoint(const JointRow& row, btTypedConstraint& joint) {
  joint.setEnabled(row.is_enabled != 0);
  if (btHingeConstraint* const hinge = AsHinge(joint)) {
    SetHingeMotor(*hinge, row.motor_target, row.motor_impulse_max);
  }
  joint.internalSetAppliedImpulse(row.impulse);
}

bool IsUsable(const JointRow& row) {
  return IsFinite(row.motor_target) && IsFinite(row.motor_impulse_max) &&
         row.motor_impulse_max >= 0.0 && IsFinite(row.impulse) &&
         row.is_enabled <= 1;
}

}  // namespace reprise::sim
