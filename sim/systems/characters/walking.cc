// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/systems/characters/walking.h"

#include "sim/base/math.h"
#include "sim/physics/characters/character_definition.h"
#include "sim/systems/characters/character_system.h"
#include "sim/world/systems/systems.h"

namespace reprise::sim {
namespace {

CharacterRow* FindMutable(UpdateContext& context, uint32_t i) {
  auto* const characters = context.parts().systems->Find<Characters>();
  return characters == nullptr ? nullptr
                               : characters->FindMutable(context.object(i));
}

}  // namespace

bool Walk(UpdateContext& context, uint32_t i, Vector3 velocity_m_s) {
  if (!IsFinite(velocity_m_s.x) || !IsFinite(velocity_m_s.z)) return false;
  CharacterRow* const row = FindMutable(context, i);
  if (row == nullptr) return false;
  Vector3 level = {velocity_m_s.x, 0.0, velocity_m_s.z};
  if (const double speed = Length(level); speed > kCharacterSpeedMax) {
    level = (kCharacterSpeedMax / speed) * level;
  }
  row->wanted_velocity = level;
  return true;
}

bool Jump(UpdateContext& context, uint32_t i) {
  CharacterRow* const row = FindMutable(context, i);
  if (row == nullptr) return false;
  row->wants_jump = 1;
  return true;
}

std::optional<CharacterRow> CharacterOf(const UpdateContext& context,
                                        uint32_t i) {
  const auto* const characters = context.parts().systems->Find<Characters>();
  if (characters == nullptr) return std::nullopt;
  return characters->Find(context.object(i));
}

}  // namespace reprise::sim
