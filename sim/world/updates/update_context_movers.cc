// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What behaviours tell characters and vehicles.

#include <algorithm>

#include "sim/base/math.h"
#include "sim/physics/characters/character_definition.h"
#include "sim/systems/movers/mover_tables.h"
#include "sim/systems/movers/world_movers.h"
#include "sim/world/updates/update_context.h"

namespace reprise::sim {

CharacterRow* UpdateContext::MutableCharacter(uint32_t i) {
  if (!HasMovers(parts_.definition)) return nullptr;
  Table& table = parts_.state.mutable_table(parts_.tables.movers.characters);
  const std::optional<uint32_t> row = FindMoverRow(table, object(i));
  return row.has_value() ? &table.Mutable<CharacterRow>(*row) : nullptr;
}

bool UpdateContext::Walk(uint32_t i, Vector3 velocity_m_s) {
  if (!IsFinite(velocity_m_s.x) || !IsFinite(velocity_m_s.z)) return false;
  CharacterRow* const row = MutableCharacter(i);
  if (row == nullptr) return false;
  Vector3 level = {velocity_m_s.x, 0.0, velocity_m_s.z};
  if (const double speed = Length(level); speed > kCharacterSpeedMax) {
    level = (kCharacterSpeedMax / speed) * level;
  }
  row->wanted_velocity = level;
  return true;
}

bool UpdateContext::Jump(uint32_t i) {
  CharacterRow* const row = MutableCharacter(i);
  if (row == nullptr) return false;
  row->wants_jump = 1;
  return true;
}

bool UpdateContext::Drive(uint32_t i, const DriveCommand& command) {
  if (!HasMovers(parts_.definition) || !IsFinite(command.throttle) ||
      !IsFinite(command.steer) || !IsFinite(command.brake) ||
      !IsFinite(command.handbrake)) {
    return false;
  }
  Table& table = parts_.state.mutable_table(parts_.tables.movers.vehicles);
  const std::optional<uint32_t> row = FindMoverRow(table, object(i));
  if (!row.has_value()) return false;
  VehicleRow& vehicle = table.Mutable<VehicleRow>(*row);
  vehicle.throttle = std::clamp(command.throttle, -1.0, 1.0);
  vehicle.steer = std::clamp(command.steer, -1.0, 1.0);
  vehicle.brake = std::clamp(command.brake, 0.0, 1.0);
  vehicle.handbrake = std::clamp(command.handbrake, 0.0, 1.0);
  return true;
}

std::optional<CharacterRow> UpdateContext::Character(uint32_t i) const {
  if (!HasMovers(parts_.definition)) return std::nullopt;
  const Table& table = parts_.state.table(parts_.tables.movers.characters);
  const std::optional<uint32_t> row = FindMoverRow(table, object(i));
  if (!row.has_value()) return std::nullopt;
  return table.Get<CharacterRow>(*row);
}

std::optional<VehicleRow> UpdateContext::Vehicle(uint32_t i) const {
  if (!HasMovers(parts_.definition)) return std::nullopt;
  const Table& table = parts_.state.table(parts_.tables.movers.vehicles);
  const std::optional<uint32_t> row = FindMoverRow(table, object(i));
  if (!row.has_value()) return std::nullopt;
  return table.Get<VehicleRow>(*row);
}

std::optional<DrivetrainRow> UpdateContext::Drivetrain(uint32_t i) const {
  if (!HasDrivetrains(parts_.definition)) return std::nullopt;
  const Table& table = parts_.state.table(parts_.tables.movers.drivetrains);
  const std::optional<uint32_t> row = FindMoverRow(table, object(i));
  if (!row.has_value()) return std::nullopt;
  return table.Get<DrivetrainRow>(*row);
}

}  // namespace reprise::sim
