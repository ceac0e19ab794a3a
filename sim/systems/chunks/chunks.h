// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Chunks that come and go with the viewers, at ticks that are fixed when they
// are asked for: no disk and no clock can move them.

#ifndef REPRISE_SIM_SYSTEMS_CHUNKS_CHUNKS_H_
#define REPRISE_SIM_SYSTEMS_CHUNKS_CHUNKS_H_

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "sim/base/field.h"
#include "sim/base/id.h"
#include "sim/base/tick.h"
#include "sim/base/value_name.h"
#include "sim/state/table.h"
#include "sim/systems/chunks/chunk_definition.h"
#include "sim/systems/layers/layers.h"
#include "sim/systems/regions/regions.h"

namespace reprise::sim {

enum class ChunkStatus : uint64_t {
  kAbsent = 0,
  kScheduled = 1,  // becomes active at `due`
  kActive = 2,
  kLeaving = 3,  // still there; becomes absent at `due`
};

inline constexpr auto kChunkStatusNames = std::to_array<ValueName>({
    {ChunkStatus::kAbsent, "absent"},
    {ChunkStatus::kScheduled, "scheduled"},
    {ChunkStatus::kActive, "active"},
    {ChunkStatus::kLeaving, "leaving"},
});

struct ChunkRow {
  Id chunk;
  uint64_t status = 0;  // a ChunkStatus
  Tick due = 0;         // 0 unless scheduled or leaving
  Tick active_since = 0;
  uint64_t activation_count = 0;
  uint64_t is_refused = 0;  // 1: wanted, and no place is free

  static constexpr std::string_view kTable = "chunks";
  static constexpr uint32_t kKeyFields = 1;
  static constexpr auto Describe() {
    return std::array{REPRISE_FIELD(ChunkRow, chunk, ""),
                      REPRISE_FIELD(ChunkRow, status, ""),
                      REPRISE_FIELD(ChunkRow, due, "tick"),
                      REPRISE_FIELD(ChunkRow, active_since, "tick"),
                      REPRISE_FIELD(ChunkRow, activation_count, ""),
                      REPRISE_FIELD(ChunkRow, is_refused, "")};
  }
};

// REQUIRES: rows (a table of ChunkRow) hold the chunk.
ChunkStatus StatusOfChunk(const Table& rows, Id chunk);

struct ChunkEvent {
  Id type;
  Id chunk;

  friend bool operator==(const ChunkEvent&, const ChunkEvent&) = default;
};

// Whether an object of a chunk exists, and whether the world sees it.
enum class Presence : uint8_t { kAbsent, kDormant, kPresent };

// From absent: to be made as the pack has it; to absent: to be destroyed.
struct PresenceChange {
  Id chunk;
  Id object;
  Presence from = Presence::kAbsent;
  Presence to = Presence::kAbsent;

  friend bool operator==(const PresenceChange&,
                         const PresenceChange&) = default;
};

struct ChunkUpdate {
  // Both ascending; what is static in them comes and goes with them.
  std::vector<Id> activated;
  std::vector<Id> deactivated;
  std::vector<PresenceChange> objects;  // by chunk, then object
  // By chunk, those of a chunk as they happened. A chunk that is refused is
  // reported once until it is no longer wanted or gets its place.
  std::vector<ChunkEvent> events;
};

// The tables that chunks live in; region visits are the viewers' visits of load
// regions, apart from those of the regions of the game.
struct ChunkTables {
  Table& chunks;
  Table& region_visits;
  const Table& layers;
};

// Decides which chunks are there. Immutable: what lasts is in the tables.
class ChunkLoader {
 public:
  // REQUIRES: `plan` passed ValidateChunkPlan.
  explicit ChunkLoader(ChunkPlan plan);

  // Fills the empty table of chunks.
  void Initialize(Table& chunks) const;

  // OK, or DataLoss where the rows of a snapshot can't be of this plan. The
  // layers have passed CheckLayerRows.
  absl::Status CheckRows(const Table& chunks, const Table& region_visits) const;

  // Every object that isn't absent, as a change from absent: after Initialize,
  // what the world begins with.
  std::vector<PresenceChange> PresentObjects(const Table& chunks,
                                             const Table& layers) const;

  // Decides and applies what is due at `tick`. `changed_layers` are those that
  // were switched since the update before, ascending.
  //
  // Wanted are the chunks of all load regions that a viewer is in, those that
  // always are, and those of `held`, whose layers don't matter. A wanted
  // absent chunk is scheduled if a place is free, and one no longer wanted
  // leaves; a change of mind before the tick that is due cancels either. Places
  // that chunks leave are free at once, and nobody is sent away for another.
  // REQUIRES: viewers as the points of Regions::Update; `held` names chunks.
  ChunkUpdate Update(std::span<const ObjectPoint> viewers,
                     std::span<const Id> held,
                     std::span<const Id> changed_layers, Tick tick,
                     ChunkTables tables) const;

 private:
  // Indices into plan_.chunks, which equal those of the rows.
  std::vector<bool> FindWanted(std::span<const ObjectPoint> viewers,
                               std::span<const Id> held, Tick tick,
                               ChunkTables tables) const;
  void Release(const std::vector<bool>& wanted, Tick tick,
               std::vector<ChunkRow>& rows,
               std::vector<ChunkEvent>& events) const;
  void Admit(const std::vector<bool>& wanted, Tick tick,
             std::vector<ChunkRow>& rows,
             std::vector<ChunkEvent>& events) const;
  size_t IndexOf(Id chunk) const;

  ChunkPlan plan_;  // chunks and their objects ascend by name
  Regions regions_;
  std::vector<size_t> by_priority_;  // indices of chunks
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_CHUNKS_CHUNKS_H_
