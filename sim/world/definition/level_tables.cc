// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/world/definition/level_tables.h"

namespace reprise::sim {

void AddLevelTables(State& state, LevelTables& tables) {
  tables.layers = state.AddTable("world", RowSchema::Of<LayerRow>());
  tables.region_visits =
      state.AddTable("world", RowSchema::Of<RegionVisitRow>());
  tables.air_locks = state.AddTable("world", RowSchema::Of<AirLockRow>());
  tables.objectives = state.AddTable("world", RowSchema::Of<ObjectiveRow>());
}

void AddChunkTables(State& state, LevelTables& tables) {
  tables.chunks = state.AddTable("chunks", RowSchema::Of<ChunkRow>());
  tables.viewer_visits =
      state.AddTable("chunks", RowSchema::Of<RegionVisitRow>());
}

void InitializeLevel(const LevelDefinition& definition, const LevelRules& rules,
                     const LevelTables& tables, State& state) {
  InitializeLayers(definition.layers, state.mutable_table(tables.layers));
  rules.chunks.Initialize(
      {.chunks = state.mutable_table(tables.chunks),
       .region_visits = state.mutable_table(tables.viewer_visits),
       .layers = state.mutable_table(tables.layers)});
  rules.air_locks.Initialize(state.mutable_table(tables.air_locks));
  rules.objectives.Initialize(0, state.mutable_table(tables.objectives));
}

absl::Status CheckLevelRows(const LevelDefinition& definition,
                            const LevelRules& rules, const LevelTables& tables,
                            const State& snapshot) {
  absl::Status status =
      CheckLayerRows(definition.layers, snapshot.table(tables.layers));
  if (status.ok()) {
    status = rules.chunks.CheckRows(snapshot.table(tables.chunks),
                                    snapshot.table(tables.viewer_visits));
  }
  if (status.ok()) {
    status = rules.regions.CheckRows(snapshot.table(tables.region_visits));
  }
  if (status.ok()) {
    // Looks the chunks up, which are in order.
    status = rules.air_locks.CheckRows(snapshot.table(tables.air_locks),
                                       snapshot.table(tables.chunks));
  }
  if (status.ok()) {
    status = rules.objectives.CheckRows(snapshot.table(tables.objectives));
  }
  return status;
}

}  // namespace reprise::sim
