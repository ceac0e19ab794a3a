// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Compiles engines and gears.

#ifndef REPRISE_SIM_SYSTEMS_VEHICLES_DRIVETRAIN_COMPILER_H_
#define REPRISE_SIM_SYSTEMS_VEHICLES_DRIVETRAIN_COMPILER_H_

#include "reprise/v1/vehicle.pb.h"
#include "sim/base/tick.h"
#include "sim/compiler/checking/message_checker.h"
#include "sim/physics/vehicles/drivetrain_definition.h"

namespace reprise::sim {

// What is wrong is reported; what is returned then is of no use.
DrivetrainDefinition CompileDrivetrain(const v1::Drivetrain& message,
                                       const MessageChecker& checker,
                                       TickRate rate);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_VEHICLES_DRIVETRAIN_COMPILER_H_
