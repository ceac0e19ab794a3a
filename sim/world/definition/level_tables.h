// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The tables of a world's level. A pack without a part of it has no rows there.

#ifndef REPRISE_SIM_WORLD_DEFINITION_LEVEL_TABLES_H_
#define REPRISE_SIM_WORLD_DEFINITION_LEVEL_TABLES_H_

#include "absl/status/status.h"
#include "sim/base/state.h"
#include "sim/world/definition/level.h"

namespace reprise::sim {

struct LevelTables {
  // In the room "world".
  TableIndex layers;
  TableIndex region_visits;
  TableIndex air_locks;
  TableIndex objectives;
  // In the room "chunks": the visits are the viewers', of load regions.
  TableIndex chunks;
  TableIndex viewer_visits;
};

// Each adds the empty tables of its room; those of a room have to be together.
void AddLevelTables(State& state, LevelTables& tables);
void AddChunkTables(State& state, LevelTables& tables);

// Fills the empty tables as of tick 0.
void InitializeLevel(const LevelDefinition& definition, const LevelRules& rules,
                     const LevelTables& tables, State& state);

// OK, or DataLoss where the rows of a snapshot can't be of this level.
absl::Status CheckLevelRows(const LevelDefinition& definition,
                            const LevelRules& rules, const LevelTables& tables,
                            const State& snapshot);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_WORLD_DEFINITION_LEVEL_TABLES_H_
