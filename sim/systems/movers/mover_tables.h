// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The tables of characters and vehicles, in a room of their own: worlds without
// any don't have it.

#ifndef REPRISE_SIM_SYSTEMS_MOVERS_MOVER_TABLES_H_
#define REPRISE_SIM_SYSTEMS_MOVERS_MOVER_TABLES_H_

#include <cstdint>
#include <optional>

#include "sim/base/object_id.h"
#include "sim/base/state.h"
#include "sim/physics/characters/character_rows.h"
#include "sim/physics/vehicles/vehicle_rows.h"

namespace reprise::sim {

struct MoverTables {
  TableIndex characters;
  TableIndex vehicles;
  TableIndex wheels;
  TableIndex drivetrains;  // where there are any
};

// Adds the empty tables.
MoverTables AddMoverTables(State& state, bool has_drivetrains);

// The row of an object, or its first one; nullopt when it has none.
// REQUIRES: it is the first key of the table.
std::optional<uint32_t> FindMoverRow(const Table& table, ObjectId object);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_MOVERS_MOVER_TABLES_H_
