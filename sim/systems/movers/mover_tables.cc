// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/systems/movers/mover_tables.h"

#include <array>

#include "sim/base/field_value.h"
#include "sim/base/row_schema.h"

namespace reprise::sim {

MoverTables AddMoverTables(State& state, bool has_drivetrains) {
  MoverTables tables;
  tables.characters = state.AddTable("movers", RowSchema::Of<CharacterRow>());
  tables.vehicles = state.AddTable("movers", RowSchema::Of<VehicleRow>());
  tables.wheels = state.AddTable("movers", RowSchema::Of<WheelRow>());
  if (has_drivetrains) {
    tables.drivetrains =
        state.AddTable("movers", RowSchema::Of<DrivetrainRow>());
  }
  return tables;
}

std::optional<uint32_t> FindMoverRow(const Table& table, ObjectId object) {
  const bool has_second_key = table.schema().key_field_count() == 2;
  const std::array<uint64_t, 2> key = {object.serial, 0};
  const uint32_t row =
      table.LowerBound(std::span(key).first(has_second_key ? 2 : 1));
  if (row == table.row_count() ||
      ReadScalar(table.schema(), table.Row(row), {.field = 0}).bits !=
          object.serial) {
    return std::nullopt;
  }
  return row;
}

}  // namespace reprise::sim
