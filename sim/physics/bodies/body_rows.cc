// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/physics/bodies/body_rows.h"

#include <array>
#include <string_view>

#include "fmt/format.h"
#include "sim/base/math.h"
#include "sim/physics/shapes/bullet_conversion.h"

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

// Whether the rows are of length 1 and at right angles, give or take what an
// integration leaves.
bool IsRotation(const Matrix3& m) {
  const auto is_near = [](double a, double b) { return Abs(a - b) < 1e-3; };
  const auto& [x, y, z] = m.rows;
  return is_near(Dot(x, x), 1.0) && is_near(Dot(y, y), 1.0) &&
         is_near(Dot(z, z), 1.0) && is_near(Dot(x, y), 0.0) &&
         is_near(Dot(x, z), 0.0) && is_near(Dot(y, z), 0.0);
}

}  // namespace

Vector3 Unlocked(const LockedAxes& locked, Vector3 velocity) {
  return {locked.x ? 0.0 : velocity.x, locked.y ? 0.0 : velocity.y,
          locked.z ? 0.0 : velocity.z};
}

BodyRow InitialRow(const BodyPlacement& placement, const BodyKind& kind) {
  BodyRow row = {};
  row.object = placement.object;
  row.kind = placement.kind;
  row.position = placement.position;
  row.basis = ToMatrix3(Normalized(placement.rotation));
  row.activation = Activation::kAsleep;
  if (kind.motion == Motion::kDynamic) {
    row.linear_velocity =
        Unlocked(kind.locked_position, placement.linear_velocity_m_s);
    row.angular_velocity =
        Unlocked(kind.locked_rotation, placement.angular_velocity_rad_s);
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
  return taint == 0.0 && IsRotation(row.basis) &&
         row.activation >= Activation::kAwake &&
         row.activation <= Activation::kOutOfReach;
}

bool IsTooFast(const BodyRow& row) {
  const auto is_too_fast = [](const Vector3& v) {
    return Abs(v.x) > kSpeedMax || Abs(v.y) > kSpeedMax || Abs(v.z) > kSpeedMax;
  };
  return is_too_fast(row.linear_velocity) || is_too_fast(row.angular_velocity);
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

bool HasBody(const Table& bodies, ObjectId object) {
  const uint32_t row = bodies.LowerBound(std::array{object.serial});
  return row < bodies.row_count() && bodies.Get<BodyRow>(row).object == object;
}

}  // namespace reprise::sim
