// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/physics/body_rows.h"

#include <array>
#include <string_view>
#include <variant>

#include "fmt/format.h"
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

// What the row makes of a body: a kinematic one is awake while it moves, or
// when somebody woke it.
Activation ActivationOf(const BodyRow& row, const btRigidBody& body) {
  if (!body.isKinematicObject()) return row.activation;
  const bool is_awake = row.activation != Activation::kAsleep ||
                        row.linear_velocity != Vector3{} ||
                        row.angular_velocity != Vector3{};
  return is_awake ? Activation::kAwake : Activation::kAsleep;
}

}  // namespace

BodyRow InitialRow(const BodyPlacement& placement, const BodyKind& kind) {
  BodyRow row = {};
  row.object = placement.object;
  row.kind = placement.kind;
  row.position = placement.position;
  row.basis = ToMatrix3(Normalized(placement.rotation));
  row.activation = Activation::kAsleep;
  if (kind.motion == Motion::kDynamic) {
    row.linear_velocity = placement.linear_velocity_m_s;
    row.angular_velocity = placement.angular_velocity_rad_s;
    row.activation = Activation::kAwake;
  }
  return row;
}

BodyRow AtRest(BodyRow row) {
  row.linear_velocity = {};
  row.angular_velocity = {};
  row.force = {};
  row.torque = {};
  row.activation = Activation::kAsleep;
  row.slow_time = 0.0;
  return row;
}

BodyRow ReadBody(const btRigidBody& body, BodyKey key) {
  BodyRow row = {};
  row.object = key.object;
  row.kind = key.kind;
  row.position = FromBullet(body.getWorldTransform().getOrigin());
  row.basis = FromBullet(body.getWorldTransform().getBasis());
  row.linear_velocity = FromBullet(body.getLinearVelocity());
  row.angular_velocity = FromBullet(body.getAngularVelocity());
  row.activation = static_cast<Activation>(body.getActivationState());
  row.slow_time = body.getDeactivationTime();
  return row;
}

void WriteBody(const BodyRow& row, btRigidBody& body) {
  // Bullet counts kinematic bodies among the static ones.
  if (body.isKinematicObject() || !body.isStaticObject()) {
    body.setLinearVelocity(ToBullet(row.linear_velocity));
    body.setAngularVelocity(ToBullet(row.angular_velocity));
    body.forceActivationState(static_cast<int>(ActivationOf(row, body)));
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

absl::Status CheckBodyRows(const Table& bodies,
                           const PhysicsDefinition& definition) {
  if (bodies.row_count() > kBodiesMax) {
    return absl::DataLossError(
        fmt::format("physics.bodies has {} rows; at most {} are possible",
                    bodies.row_count(), kBodiesMax));
  }
  for (uint32_t i = 0; i < bodies.row_count(); ++i) {
    const auto& row = bodies.Get<BodyRow>(i);
    const auto complaint = [&](std::string_view text) {
      return absl::DataLossError(fmt::format("physics.bodies[{}] {}", i, text));
    };
    if (row.object == kNoObject) return complaint("is of no object");
    if (i > 0 && bodies.Get<BodyRow>(i - 1).object >= row.object) {
      return complaint("does not come after the one before it");
    }
    if (row.kind >= definition.kinds.size()) {
      return complaint(fmt::format("is of kind {}, of {}", row.kind,
                                   definition.kinds.size()));
    }
    if (!IsUsable(row)) return complaint("is not a state of a body");
  }
  return absl::OkStatus();
}

absl::Status CheckJointRows(const Table& joints, const Table& bodies,
                            const PhysicsDefinition& definition) {
  for (uint32_t i = 0; i < joints.row_count(); ++i) {
    const auto& row = joints.Get<JointRow>(i);
    const auto complaint = [&](std::string_view text) {
      return absl::DataLossError(fmt::format("physics.joints[{}] {}", i, text));
    };
    if (i > 0 && joints.Get<JointRow>(i - 1).name >= row.name) {
      return complaint("does not come after the one before it");
    }
    const JointDefinition* const joint = FindJoint(definition, row.name);
    if (joint == nullptr) return complaint("is no joint of the definition");
    if (!HasBody(bodies, joint->object_a) ||
        (joint->object_b != kNoObject && !HasBody(bodies, joint->object_b))) {
      return complaint("holds a body that isn't there");
    }
    if (!IsUsable(row)) return complaint("is not a state of a joint");
  }
  return absl::OkStatus();
}

bool HasBody(const Table& bodies, ObjectId object) {
  const uint32_t row = bodies.LowerBound(std::array{object.serial});
  return row < bodies.row_count() && bodies.Get<BodyRow>(row).object == object;
}

}  // namespace reprise::sim
