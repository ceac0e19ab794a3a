// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What types have for players: a body that they push, and the ends of the game.

#ifndef REPRISE_SIM_SYSTEMS_PLAYERS_PLAYER_DEFINITION_H_
#define REPRISE_SIM_SYSTEMS_PLAYERS_PLAYER_DEFINITION_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "sim/input/device_button.h"
#include "sim/simulation.h"

namespace reprise::sim {

// A part of types. Pushes a dynamic body the way a player holds the stick.
struct RollerDefinition {
  static constexpr std::string_view kPart = "roller";

  uint32_t player = 0;
  uint32_t axis_x = 0;  // of the device
  uint32_t axis_z = 0;
  double force_n = 0.0;  // at full deflection
  std::optional<DeviceButton> jump_button;
  double jump_impulse_ns = 0.0;
};

// A part of types whose objects a player steers, whichever system does it.
struct SteeredDefinition {
  static constexpr std::string_view kPart = "steered";
};

// A part of types: goals and hazards. Decides the outcome when something that a
// player steers comes in.
struct DecisionDefinition {
  static constexpr std::string_view kPart = "decision";

  Outcome::Status outcome = Outcome::Status::kWon;
  std::string reason;  // empty: the name of the object
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_PLAYERS_PLAYER_DEFINITION_H_
