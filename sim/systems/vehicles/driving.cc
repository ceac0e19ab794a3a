// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/systems/vehicles/driving.h"

#include <algorithm>

#include "sim/base/math.h"
#include "sim/systems/vehicles/vehicle_system.h"
#include "sim/world/systems/systems.h"

namespace reprise::sim {

bool Drive(UpdateContext& context, uint32_t i, const DriveCommand& command) {
  auto* const vehicles = context.parts().systems->Find<Vehicles>();
  if (vehicles == nullptr || !IsFinite(command.throttle) ||
      !IsFinite(command.steer) || !IsFinite(command.brake) ||
      !IsFinite(command.handbrake)) {
    return false;
  }
  VehicleRow* const vehicle = vehicles->FindMutable(context.object(i));
  if (vehicle == nullptr) return false;
  vehicle->throttle = std::clamp(command.throttle, -1.0, 1.0);
  vehicle->steer = std::clamp(command.steer, -1.0, 1.0);
  vehicle->brake = std::clamp(command.brake, 0.0, 1.0);
  vehicle->handbrake = std::clamp(command.handbrake, 0.0, 1.0);
  return true;
}

std::optional<VehicleRow> VehicleOf(const UpdateContext& context, uint32_t i) {
  const auto* const vehicles = context.parts().systems->Find<Vehicles>();
  if (vehicles == nullptr) return std::nullopt;
  return vehicles->Find(context.object(i));
}

std::optional<DrivetrainRow> DrivetrainOf(const UpdateContext& context,
                                          uint32_t i) {
  const auto* const vehicles = context.parts().systems->Find<Vehicles>();
  if (vehicles == nullptr) return std::nullopt;
  return vehicles->FindDrivetrain(context.object(i));
}

}  // namespace reprise::sim
