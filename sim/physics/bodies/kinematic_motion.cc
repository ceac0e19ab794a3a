// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/physics/bodies/kinematic_motion.h"

#include "sim/base/check.h"
#include "sim/base/math.h"
#include "sim/geometry/matrix3.h"

namespace reprise::sim {
namespace {

// The angular velocity that turns `from` into `to` within `tick_s`, the shorter
// way.
Vector3 AngularVelocity(const Matrix3& from, const Matrix3& to, double tick_s) {
  // Rotations that are the same bits are no rotation, which the way over
  // quaternions would miss by a rounding error.
  if (from == to) return {};
  Quaternion turn = Normalized(ToQuaternion(to * Transposed(from)));
  if (turn.w < 0.0) turn = {-turn.x, -turn.y, -turn.z, -turn.w};
  const Vector3 axis = {turn.x, turn.y, turn.z};
  const double sine = Length(axis);
  if (sine == 0.0) return {};
  const double angle_rad = 2.0 * Atan2(sine, turn.w);
  return angle_rad / (sine * tick_s) * axis;
}

}  // namespace

void MoveKinematic(State& state, const PhysicsTables& tables, uint32_t body,
                   Vector3 position, Quaternion rotation, double tick_s) {
  CHECK(tick_s > 0.0);
  Table& bodies = state.mutable_table(tables.bodies);
  const auto& row = bodies.Get<BodyRow>(body);
  const Matrix3 basis = ToMatrix3(Normalized(rotation));
  if (row.position == position && row.basis == basis) return;

  const Vector3 linear_velocity = (position - row.position) / tick_s;
  const Vector3 angular_velocity = AngularVelocity(row.basis, basis, tick_s);
  BodyRow& moved = bodies.Mutable<BodyRow>(body);
  moved.position = position;
  moved.basis = basis;
  moved.linear_velocity = linear_velocity;
  moved.angular_velocity = angular_velocity;
  moved.activation = Activation::kAwake;
}

}  // namespace reprise::sim
