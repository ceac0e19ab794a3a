// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A type whose objects walk, and what of a player's device steers them.

#ifndef REPRISE_SIM_SYSTEMS_CHARACTERS_CHARACTER_USE_H_
#define REPRISE_SIM_SYSTEMS_CHARACTERS_CHARACTER_USE_H_

#include <cstdint>
#include <optional>
#include <string_view>

#include "sim/input/device_button.h"
#include "sim/physics/characters/character_definition.h"

namespace reprise::sim {

// Axes are those of the device.
struct CharacterControl {
  uint32_t player = 0;
  uint32_t axis_x = 0;
  uint32_t axis_z = 0;
  std::optional<DeviceButton> jump_button;
};

// The part of a type.
struct CharacterUse {
  static constexpr std::string_view kPart = "character";

  CharacterDefinition definition;
  double speed_m_s = 0.0;  // at full deflection of the stick
  std::optional<CharacterControl> control;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_CHARACTERS_CHARACTER_USE_H_
