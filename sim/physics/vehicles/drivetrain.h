// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What an engine and its gears do in a tick: which gear is in, and what comes
// to the wheels. Functions of the definition and the row.

#ifndef REPRISE_SIM_PHYSICS_VEHICLES_DRIVETRAIN_H_
#define REPRISE_SIM_PHYSICS_VEHICLES_DRIVETRAIN_H_

#include <cstdint>

#include "sim/base/object_id.h"
#include "sim/physics/vehicles/drivetrain_definition.h"
#include "sim/physics/vehicles/vehicle_rows.h"

namespace reprise::sim {

// The row of a drivetrain that comes into the world: in first gear, at idle.
DrivetrainRow InitialDrivetrain(const DrivetrainDefinition& definition,
                                ObjectId object);

// The torque of the engine at full throttle, N m.
double EngineTorque(const DrivetrainDefinition& definition, double speed_rad_s);

// What a driven shaft is told in a tick.
struct DriveRequest {
  double throttle = 0.0;       // -1 to 1
  double wheels_rad_s = 0.0;   // how fast driven wheels roll; above 0: forward
  bool is_standstill = false;  // slow enough to change direction
};

// Makes a tick: begins a shift or goes on with it, and turns the engine.
// REQUIRES: ValidateDrivetrain(definition).ok(); IsGear(definition, row.gear).
void TurnEngine(const DrivetrainDefinition& definition,
                const DriveRequest& request, DrivetrainRow& row);

// The torque on all driven wheels together, N m; above 0: forward.
double DriveTorque(const DrivetrainDefinition& definition, double throttle,
                   const DrivetrainRow& row);

// The torque by which the engine resists their turning, N m, 0 or more.
double BrakingTorque(const DrivetrainDefinition& definition, double throttle,
                     const DrivetrainRow& row);

// Whether the drivetrain has such a gear: from 1 on forward, -1 in reverse.
bool IsGear(const DrivetrainDefinition& definition, int64_t gear);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PHYSICS_VEHICLES_DRIVETRAIN_H_
