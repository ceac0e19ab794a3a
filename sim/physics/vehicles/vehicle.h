// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Vehicles: one tick of springs, engine, gears, brakes and tyres as forces on a
// dynamic body, which hold for the tick. All that lasts is in the rows; there
// is no hidden wheel.
//
// Each wheel looks down its strut by a ray. On the ground its spring and damper
// press along the ground's normal, and its tyre holds the body by as much force
// as would stop its slip within the tick, its part of gravity included, up to
// friction times load: below that limit a parked vehicle stands still on a
// slope, above it the wheel slides. What is under a wheel gets the opposite
// force, if it is dynamic.

#ifndef REPRISE_SIM_PHYSICS_VEHICLES_VEHICLE_H_
#define REPRISE_SIM_PHYSICS_VEHICLES_VEHICLE_H_

#include <cstdint>
#include <span>

#include "sim/geometry/vector3.h"
#include "sim/physics/physics_world.h"
#include "sim/physics/queries/physics_queries.h"
#include "sim/physics/vehicles/vehicle_definition.h"
#include "sim/physics/vehicles/vehicle_rows.h"
#include "sim/state/state.h"

namespace reprise::sim {

// What a vehicle drives on.
struct VehicleSurroundings {
  const PhysicsWorld& physics;
  // Looked at the state after kinematic bodies were moved for this tick.
  const PhysicsQueries& queries;
  Vector3 gravity_m_s2;  // where the vehicle is
};

// The row of a wheel as a vehicle comes into the world: it hangs.
WheelRow InitialWheel(const WheelDefinition& definition, ObjectId object,
                      uint64_t wheel);

// Makes a tick of the vehicle whose body is row `body`, before physics. A body
// that sleeps is left asleep while its vehicle isn't told to move and the
// ground under its wheels stays; one out of the bounds of physics is left
// alone.
//
// REQUIRES: ValidateVehicle(definition, ...).ok() of the body's mass; `wheels`
// are those of the definition; `drivetrain` is null where it has none; all
// numbers of the rows are finite.
void MoveVehicle(const VehicleDefinition& definition,
                 const VehicleSurroundings& surroundings, State& state,
                 uint32_t body, VehicleRow& row, std::span<WheelRow> wheels,
                 DrivetrainRow* drivetrain);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PHYSICS_VEHICLES_VEHICLE_H_
