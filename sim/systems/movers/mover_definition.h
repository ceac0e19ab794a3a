// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Movers: objects that steer their own bodies, as characters and vehicles, and
// what of a player's device steers them.

#ifndef REPRISE_SIM_SYSTEMS_MOVERS_MOVER_DEFINITION_H_
#define REPRISE_SIM_SYSTEMS_MOVERS_MOVER_DEFINITION_H_

#include <cstdint>
#include <optional>

#include "sim/input/device_button.h"
#include "sim/physics/characters/character_definition.h"
#include "sim/physics/vehicles/vehicle_definition.h"

namespace reprise::sim {

// Axes are those of the device.
struct CharacterControl {
  uint32_t player = 0;
  uint32_t axis_x = 0;
  uint32_t axis_z = 0;
  std::optional<DeviceButton> jump_button;
};

struct CharacterUse {
  CharacterDefinition definition;
  double speed_m_s = 0.0;  // at full deflection of the stick
  std::optional<CharacterControl> control;
};

struct VehicleControl {
  uint32_t player = 0;
  uint32_t axis_throttle = 0;
  uint32_t axis_steer = 0;
  std::optional<DeviceButton> brake_button;
  std::optional<DeviceButton> handbrake_button;
};

struct VehicleUse {
  VehicleDefinition definition;
  std::optional<VehicleControl> control;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_MOVERS_MOVER_DEFINITION_H_
