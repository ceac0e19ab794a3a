// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A type whose objects drive, and what of a player's device steers them.

#ifndef REPRISE_SIM_SYSTEMS_VEHICLES_VEHICLE_USE_H_
#define REPRISE_SIM_SYSTEMS_VEHICLES_VEHICLE_USE_H_

#include <cstdint>
#include <optional>
#include <string_view>

#include "sim/input/device_button.h"
#include "sim/physics/vehicles/vehicle_definition.h"

namespace reprise::sim {

// Axes are those of the device.
struct VehicleControl {
  uint32_t player = 0;
  uint32_t axis_throttle = 0;
  uint32_t axis_steer = 0;
  std::optional<DeviceButton> brake_button;
  std::optional<DeviceButton> handbrake_button;
};

// The part of a type.
struct VehicleUse {
  static constexpr std::string_view kPart = "vehicle";

  VehicleDefinition definition;
  std::optional<VehicleControl> control;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_VEHICLES_VEHICLE_USE_H_
