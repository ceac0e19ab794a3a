// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What behaviours tell vehicles, and see of them.

#ifndef REPRISE_SIM_SYSTEMS_VEHICLES_DRIVING_H_
#define REPRISE_SIM_SYSTEMS_VEHICLES_DRIVING_H_

#include <cstdint>
#include <optional>

#include "sim/physics/vehicles/vehicle_rows.h"
#include "sim/world/updates/update_context.h"

namespace reprise::sim {

// How a vehicle is to be driven.
struct DriveCommand {
  double throttle = 0.0;  // -1 to 1
  double steer = 0.0;     // -1 to 1: towards its -x or +x
  double brake = 0.0;     // 0 to 1
  double handbrake = 0.0;
};

// Tells object i of the context how to drive, until it is told otherwise; a
// player that steers it says so anew in every tick, before behaviours. What is
// more than all of it is cut off. Returns whether it is a vehicle, and the
// numbers are finite.
bool Drive(UpdateContext& context, uint32_t i, const DriveCommand& command);

// How it stands, and its engine; nullopt when it is none or has none that
// shifts gears, or hasn't been for a tick.
std::optional<VehicleRow> VehicleOf(const UpdateContext& context, uint32_t i);
std::optional<DrivetrainRow> DrivetrainOf(const UpdateContext& context,
                                          uint32_t i);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_VEHICLES_DRIVING_H_
