// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What a behaviour does to a body: changes of its row that the next step takes
// over. All of them wake the body, as Bullet itself never does for a force;
// none does anything to a fixed one.

#ifndef REPRISE_SIM_PHYSICS_BODIES_BODY_FORCES_H_
#define REPRISE_SIM_PHYSICS_BODIES_BODY_FORCES_H_

#include <cstdint>
#include <optional>

#include "sim/base/object_id.h"
#include "sim/geometry/vector3.h"
#include "sim/physics/definition/physics_rows.h"
#include "sim/state/state.h"

namespace reprise::sim {

// How a body answers to impulses. All zero for a fixed body.
struct MassProperties {
  double inverse_mass = 0.0;  // 1/kg
  Vector3 inverse_inertia;    // 1/(kg m^2), around the axes of the body's frame
  // 0 for the world's axes along and around which the body is locked, or 1.
  Vector3 linear_factor = {1.0, 1.0, 1.0};
  Vector3 angular_factor = {1.0, 1.0, 1.0};
};

// The row of an object's body; nullopt when it has none.
std::optional<uint32_t> FindBody(const State& state,
                                 const PhysicsTables& tables, ObjectId object);

// Adds to the force or torque that holds for the whole of the next tick.
// `mass` belongs to the body of row `body`.
void ApplyForce(State& state, const PhysicsTables& tables, uint32_t body,
                const MassProperties& mass, Vector3 force_n);
void ApplyTorque(State& state, const PhysicsTables& tables, uint32_t body,
                 const MassProperties& mass, Vector3 torque_n_m);

// Changes the velocities at once, by a blow at `offset_m` from the centre of
// mass, along the world's axes.
void ApplyImpulse(State& state, const PhysicsTables& tables, uint32_t body,
                  const MassProperties& mass, Vector3 impulse_n_s,
                  Vector3 offset_m = {});

// Lets a sleeping body look around: if nothing moves it, it sleeps again after
// the time of its kind's rule.
void Wake(State& state, const PhysicsTables& tables, uint32_t body,
          const MassProperties& mass);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PHYSICS_BODIES_BODY_FORCES_H_
