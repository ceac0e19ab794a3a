// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// How the game moves a kinematic body: to where it is to be at the end of the
// next tick, with the velocity by which it pushes what is in its way and
// carries what stands on it.

#ifndef REPRISE_SIM_PHYSICS_BODIES_KINEMATIC_MOTION_H_
#define REPRISE_SIM_PHYSICS_BODIES_KINEMATIC_MOTION_H_

#include <cstdint>

#include "sim/geometry/quaternion.h"
#include "sim/geometry/vector3.h"
#include "sim/physics/definition/physics_rows.h"
#include "sim/state/state.h"

namespace reprise::sim {

// Puts the body of row `body` to `position` and `rotation` (of any length but
// 0), and gives it the velocities that took it there within `tick_s`, turning
// the shorter way. The velocities hold for the next tick; a body that isn't
// moved again stands still. Where it is already, nothing is written.
//
// A second call before the next step starts from where the first one ended:
// call it once a tick. To carry without moving, like a conveyor belt, write
// velocities instead, in every tick. REQUIRES: the body's kind is kinematic,
// all are finite, tick_s > 0.
void MoveKinematic(State& state, const PhysicsTables& tables, uint32_t body,
                   Vector3 position, Quaternion rotation, double tick_s);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PHYSICS_BODIES_KINEMATIC_MOTION_H_
