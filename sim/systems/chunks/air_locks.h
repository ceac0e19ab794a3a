// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Air locks: a place between two chunks with a door to each. A door opens only
// while the chunk behind it is active and the other door is closed, so nobody
// sees a chunk come or go.

#ifndef REPRISE_SIM_SYSTEMS_CHUNKS_AIR_LOCKS_H_
#define REPRISE_SIM_SYSTEMS_CHUNKS_AIR_LOCKS_H_

#include <array>
#include <cstddef>
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

inline constexpr size_t kAirLocksMax = 1024;

// One end of an air lock.
struct AirLockSide {
  Id chunk;
  Id door;
  Id layer = kNoId;  // the door doesn't open while this is disabled
};

struct AirLockDefinition {
  Id name;
  std::array<AirLockSide, 2> sides;
  // Who enters this region asks for the door opposite to the open one; kNoId:
  // doors move only when they are asked.
  Id interior = kNoId;
  Tick closing_ticks = 0;
  // The side whose door is open at the start: 0 none, 1 the first, 2 the other.
  uint64_t open_side_at_start = 0;
};

enum class AirLockStatus : uint64_t {
  kClosed = 0,   // both doors
  kOpen = 1,     // the door of `side`
  kClosing = 2,  // the door of `side`, closed from `due` on
};

inline constexpr auto kAirLockStatusNames = std::to_array<ValueName>({
    {AirLockStatus::kClosed, "closed"},
    {AirLockStatus::kOpen, "open"},
    {AirLockStatus::kClosing, "closing"},
});
inline constexpr auto kAirLockSideNames = std::to_array<ValueName>({
    {0, "none"},
    {1, "first"},
    {2, "other"},
});

struct AirLockRow {
  Id air_lock;
  uint64_t status = 0;      // an AirLockStatus
  uint64_t side = 0;        // 1 or 2; 0 when both doors are closed
  uint64_t asked_side = 0;  // the door that was last asked for; 0 none
  Tick due = 0;             // 0 unless closing

  static constexpr std::string_view kTable = "air_locks";
  static constexpr uint32_t kKeyFields = 1;
  static constexpr auto Describe() {
    return std::array{REPRISE_FIELD(AirLockRow, air_lock, ""),
                      REPRISE_FIELD(AirLockRow, status, ""),
                      REPRISE_FIELD(AirLockRow, side, ""),
                      REPRISE_FIELD(AirLockRow, asked_side, ""),
                      REPRISE_FIELD(AirLockRow, due, "tick")};
  }
};

struct DoorEvent {
  Id type;
  Id door;

  friend bool operator==(const DoorEvent&, const DoorEvent&) = default;
};

// OK, or InvalidArgument or ResourceExhausted naming the air lock and what is
// wrong with it: a name or door twice, the same chunk on both sides, an unknown
// chunk, layer or interior, a door open at the start whose chunk isn't active.
absl::Status ValidateAirLocks(std::span<const AirLockDefinition> air_locks,
                              std::span<const ChunkDefinition> chunks,
                              std::span<const RegionDefinition> regions,
                              std::span<const LayerDefinition> layers,
                              const NameTable& names);

// Moves the doors. Immutable: what lasts is in the table of AirLockRow.
class AirLocks {
 public:
  // REQUIRES: `air_locks` passed ValidateAirLocks.
  explicit AirLocks(std::span<const AirLockDefinition> air_locks);

  // Fills the empty table.
  void Initialize(Table& rows) const;

  // OK, or DataLoss where `rows`, of a snapshot, can't be of these air locks or
  // a door is open on a chunk that isn't active. `chunks` have passed
  // ChunkLoader::CheckRows.
  absl::Status CheckRows(const Table& rows, const Table& chunks) const;

  // Asks for a door; the last one asked for counts. Fails with NotFound where
  // there is no such door.
  absl::Status Ask(Id door, Table& rows) const;

  // Asks for the doors that those who entered interiors want.
  void Follow(std::span<const RegionEvent> events, Table& rows) const;

  // The chunks behind doors that aren't closed, ascending: ChunkLoader::Update
  // has to hold them.
  std::vector<Id> HeldChunks(const Table& rows) const;

  // Moves the doors at `tick`, after ChunkLoader::Update: a door that was asked
  // for opens at the tick at which its chunk becomes active. Events are by air
  // lock, those of one as they happened.
  std::vector<DoorEvent> Update(Tick tick, const Table& chunks,
                                const Table& layers, Table& rows) const;

  // Whether the door may be walked through. REQUIRES: there is such a door.
  bool IsOpen(Id door, const Table& rows) const;

 private:
  // A door as index of the air lock and side: 1 or 2; side 0 where unknown.
  struct Place {
    size_t air_lock = 0;
    uint64_t side = 0;
  };
  Place FindDoor(Id door) const;

  std::vector<AirLockDefinition> air_locks_;  // ascending by name, as the rows
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_CHUNKS_AIR_LOCKS_H_
