// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What behaviours tell characters, and see of them.

#ifndef REPRISE_SIM_SYSTEMS_CHARACTERS_WALKING_H_
#define REPRISE_SIM_SYSTEMS_CHARACTERS_WALKING_H_

#include <cstdint>
#include <optional>

#include "sim/geometry/vector3.h"
#include "sim/physics/characters/character_rows.h"
#include "sim/world/updates/update_context.h"

namespace reprise::sim {

// Tells object i of the context to walk, until it is told otherwise; a player
// that steers it says so anew in every tick, before behaviours. The way is
// level: y doesn't count. What is faster than kCharacterSpeedMax is cut off.
// Returns whether it is a character, and the numbers are finite.
bool Walk(UpdateContext& context, uint32_t i, Vector3 velocity_m_s);

// Tells it to jump, once, in this tick. Returns whether it is a character.
bool Jump(UpdateContext& context, uint32_t i);

// How it stands; nullopt when it is none, or hasn't been for a tick.
std::optional<CharacterRow> CharacterOf(const UpdateContext& context,
                                        uint32_t i);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_CHARACTERS_WALKING_H_
