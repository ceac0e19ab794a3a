// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/physics/bodies/body_forces.h"

#include <array>

#include "sim/base/math.h"
#include "sim/geometry/matrix3.h"
#include "sim/state/table.h"

namespace reprise::sim {
namespace {

// `v` with each component multiplied by that of `factors`.
Vector3 Scaled(Vector3 v, Vector3 factors) {
  return {v.x * factors.x, v.y * factors.y, v.z * factors.z};
}

// Adds to a part of a row. What would take it beyond all numbers is left out: a
// state that holds such can't be restored.
void Add(Vector3 change, Vector3& part) {
  const Vector3 sum = part + change;
  if (IsFinite(sum.x) && IsFinite(sum.y) && IsFinite(sum.z)) part = sum;
}

// The row for a change, woken; null for a body that nothing moves.
BodyRow* MutableAwake(State& state, const PhysicsTables& tables, uint32_t body,
                      const MassProperties& mass) {
  if (mass.inverse_mass == 0.0) return nullptr;
  BodyRow& row = state.mutable_table(tables.bodies).Mutable<BodyRow>(body);
  if (row.activation == Activation::kAsleep ||
      row.activation == Activation::kWantsSleep) {
    row.activation = Activation::kAwake;
    row.slow_time = 0.0;
  }
  return &row;
}

}  // namespace

std::optional<uint32_t> FindBody(const State& state,
                                 const PhysicsTables& tables, ObjectId object) {
  const Table& table = state.table(tables.bodies);
  const std::array<uint64_t, 1> key = {object.serial};
  const uint32_t row = table.LowerBound(key);
  if (row == table.row_count() || table.Get<BodyRow>(row).object != object) {
    return std::nullopt;
  }
  return row;
}

void ApplyForce(State& state, const PhysicsTables& tables, uint32_t body,
                const MassProperties& mass, Vector3 force_n) {
  BodyRow* const row = MutableAwake(state, tables, body, mass);
  if (row != nullptr) Add(force_n, row->force);
}

void ApplyTorque(State& state, const PhysicsTables& tables, uint32_t body,
                 const MassProperties& mass, Vector3 torque_n_m) {
  BodyRow* const row = MutableAwake(state, tables, body, mass);
  if (row != nullptr) Add(torque_n_m, row->torque);
}

void ApplyImpulse(State& state, const PhysicsTables& tables, uint32_t body,
                  const MassProperties& mass, Vector3 impulse_n_s,
                  Vector3 offset_m) {
  BodyRow* const row = MutableAwake(state, tables, body, mass);
  if (row == nullptr) return;
  Add(Scaled(mass.inverse_mass * impulse_n_s, mass.linear_factor),
      row->linear_velocity);
  // Around the body's own axes, where inertia is three numbers.
  const Vector3 twist = Transposed(row->basis) * Cross(offset_m, impulse_n_s);
  const Vector3 spin = Scaled(twist, mass.inverse_inertia);
  Add(Scaled(row->basis * spin, mass.angular_factor), row->angular_velocity);
}

void Wake(State& state, const PhysicsTables& tables, uint32_t body,
          const MassProperties& mass) {
  MutableAwake(state, tables, body, mass);
}

}  // namespace reprise::sim
