// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/systems/chunks/air_locks.h"

#include <algorithm>
#include <string>

#include "fmt/format.h"
#include "sim/base/check.h"
#include "sim/systems/chunks/chunk_events.h"
#include "sim/systems/chunks/chunks.h"
#include "sim/systems/regions/region_events.h"
#include "sim/world/components/named_definitions.h"
#include "sim/world/components/sorted_rows.h"

namespace reprise::sim {
namespace {

AirLockStatus StatusOf(const AirLockRow& row) {
  return static_cast<AirLockStatus>(row.status);
}

void SetStatus(AirLockStatus status, uint64_t side, Tick due, AirLockRow& row) {
  row.status = static_cast<uint64_t>(status);
  row.side = side;
  row.due = due;
}

// The first mistake of one air lock, in words; empty when there is none.
std::string FindMistake(const AirLockDefinition& air_lock,
                        std::span<const ChunkDefinition> chunks,
                        std::span<const RegionDefinition> regions,
                        const NameTable& names) {
  for (const AirLockSide& side : air_lock.sides) {
    if (std::ranges::find(chunks, side.chunk, &ChunkDefinition::name) ==
        chunks.end()) {
      return fmt::format("no chunk {}", Quoted(names, side.chunk));
    }
  }
  if (air_lock.sides[0].chunk == air_lock.sides[1].chunk) {
    return fmt::format("chunk {} is on both sides",
                       Quoted(names, air_lock.sides[0].chunk));
  }
  if (air_lock.interior != kNoId &&
      std::ranges::find(regions, air_lock.interior, &RegionDefinition::name) ==
          regions.end()) {
    return fmt::format("no region {}", Quoted(names, air_lock.interior));
  }
  if (air_lock.closing_ticks > kTickMax) {
    return fmt::format("a door that takes {} ticks to close, at most {}",
                       air_lock.closing_ticks, kTickMax);
  }
  if (air_lock.open_side_at_start == 0) return {};
  if (air_lock.open_side_at_start > 2) {
    return fmt::format("no side {}", air_lock.open_side_at_start);
  }
  const Id open_chunk = air_lock.sides[air_lock.open_side_at_start - 1].chunk;
  if (!std::ranges::find(chunks, open_chunk, &ChunkDefinition::name)
           ->is_active_at_start) {
    return fmt::format(
        "its door to chunk {}, which isn't active at the start, is open",
        Quoted(names, open_chunk));
  }
  return {};
}

}  // namespace

absl::Status ValidateAirLocks(std::span<const AirLockDefinition> air_locks,
                              std::span<const ChunkDefinition> chunks,
                              std::span<const RegionDefinition> regions,
                              std::span<const LayerDefinition> layers,
                              const NameTable& names) {
  std::vector<Id> ids;
  std::vector<Id> doors;
  for (const AirLockDefinition& air_lock : air_locks) {
    ids.push_back(air_lock.name);
    const std::string place =
        fmt::format("air lock {}", Quoted(names, air_lock.name));
    for (const AirLockSide& side : air_lock.sides) {
      doors.push_back(side.door);
      if (absl::Status status =
              ValidateLayerName(side.layer, place, layers, names);
          !status.ok()) {
        return status;
      }
    }
    const std::string mistake = FindMistake(air_lock, chunks, regions, names);
    if (!mistake.empty()) {
      return absl::InvalidArgumentError(fmt::format("{}: {}", place, mistake));
    }
  }
  if (absl::Status status = ValidateNames("air lock", ids, kAirLocksMax, names);
      !status.ok()) {
    return status;
  }
  return ValidateNames("door", doors, 2 * kAirLocksMax, names);
}

AirLocks::AirLocks(std::span<const AirLockDefinition> air_locks)
    : air_locks_(air_locks.begin(), air_locks.end()) {
  // A total order: no two air locks have the same name.
  std::ranges::sort(air_locks_, {}, &AirLockDefinition::name);
}

void AirLocks::Initialize(Table& rows) const {
  std::vector<AirLockRow> initial;
  for (const AirLockDefinition& air_lock : air_locks_) {
    AirLockRow row = {.air_lock = air_lock.name};
    if (air_lock.open_side_at_start != 0) {
      SetStatus(AirLockStatus::kOpen, air_lock.open_side_at_start, 0, row);
      row.asked_side = air_lock.open_side_at_start;
    }
    initial.push_back(row);
  }
  WriteTail<AirLockRow>(rows, 0, initial);
}

absl::Status AirLocks::CheckRows(const Table& rows, const Table& chunks) const {
  std::vector<Id> names;
  for (const AirLockDefinition& air_lock : air_locks_) {
    names.push_back(air_lock.name);
  }
  if (!HasKeys(rows, names)) {
    return absl::DataLossError(
        "snapshot: the air locks are not those of the pack");
  }
  for (uint32_t i = 0; i < rows.row_count(); ++i) {
    const AirLockRow& row = rows.Get<AirLockRow>(i);
    const bool is_closed = StatusOf(row) == AirLockStatus::kClosed;
    if (StatusOf(row) > AirLockStatus::kClosing || row.side > 2 ||
        row.asked_side > 2 || is_closed != (row.side == 0) ||
        row.due > 2 * kTickMax) {
      return absl::DataLossError("snapshot: a door is in no possible state");
    }
    if (!is_closed &&
        StatusOfChunk(chunks, air_locks_[i].sides[row.side - 1].chunk) !=
            ChunkStatus::kActive) {
      return absl::DataLossError(
          "snapshot: a door is open on a chunk that isn't active");
    }
  }
  return absl::OkStatus();
}

absl::Status AirLocks::Ask(Id door, Table& rows) const {
  const Place place = FindDoor(door);
  if (place.side == 0) {
    return absl::NotFoundError(fmt::format("no door #{:016x}", door.value));
  }
  const auto row = static_cast<uint32_t>(place.air_lock);
  if (rows.Get<AirLockRow>(row).asked_side != place.side) {
    rows.Mutable<AirLockRow>(row).asked_side = place.side;
  }
  return absl::OkStatus();
}

void AirLocks::Follow(std::span<const RegionEvent> events, Table& rows) const {
  std::vector<Id> entered;
  for (const RegionEvent& event : events) {
    if (event.type == kRegionEntered) entered.push_back(event.region);
  }
  // A total order: equal ids are the same.
  std::ranges::sort(entered);
  for (uint32_t row = 0; row < rows.row_count(); ++row) {
    const AirLockRow& now = rows.Get<AirLockRow>(row);
    // Behind closed doors nobody comes in.
    if (StatusOf(now) == AirLockStatus::kClosed) continue;
    const uint64_t opposite = 3 - now.side;
    if (now.asked_side != opposite &&
        std::ranges::binary_search(entered, air_locks_[row].interior)) {
      rows.Mutable<AirLockRow>(row).asked_side = opposite;
    }
  }
}

std::vector<Id> AirLocks::HeldChunks(const Table& rows) const {
  std::vector<Id> held;
  for (uint32_t row = 0; row < rows.row_count(); ++row) {
    const uint64_t side = rows.Get<AirLockRow>(row).side;
    if (side != 0) held.push_back(air_locks_[row].sides[side - 1].chunk);
  }
  // A total order: equal ids are the same.
  std::ranges::sort(held);
  held.erase(std::unique(held.begin(), held.end()), held.end());
  return held;
}

std::vector<DoorEvent> AirLocks::Update(Tick tick, const Table& chunks,
                                        const Table& layers,
                                        Table& rows) const {
  CHECK(rows.row_count() == air_locks_.size());
  std::vector<DoorEvent> events;
  std::vector<AirLockRow> updated = ReadRows<AirLockRow>(rows);
  for (size_t i = 0; i < updated.size(); ++i) {
    AirLockRow& row = updated[i];
    const auto side_of = [&](uint64_t side) -> const AirLockSide& {
      return air_locks_[i].sides[side - 1];
    };
    if (StatusOf(row) == AirLockStatus::kOpen && row.asked_side != row.side) {
      SetStatus(AirLockStatus::kClosing, row.side,
                tick + air_locks_[i].closing_ticks, row);
      events.push_back({kDoorClosing, side_of(row.side).door});
    } else if (StatusOf(row) == AirLockStatus::kClosing &&
               row.asked_side == row.side) {
      SetStatus(AirLockStatus::kOpen, row.side, 0, row);
      events.push_back({kDoorOpened, side_of(row.side).door});
    }
    if (StatusOf(row) == AirLockStatus::kClosing && row.due <= tick) {
      events.push_back({kDoorClosed, side_of(row.side).door});
      SetStatus(AirLockStatus::kClosed, 0, 0, row);
    }
    if (StatusOf(row) != AirLockStatus::kClosed || row.asked_side == 0) {
      continue;
    }
    const AirLockSide& asked = side_of(row.asked_side);
    if (StatusOfChunk(chunks, asked.chunk) == ChunkStatus::kActive &&
        IsLayerEnabled(layers, asked.layer)) {
      SetStatus(AirLockStatus::kOpen, row.asked_side, 0, row);
      events.push_back({kDoorOpened, asked.door});
    }
  }
  WriteTail<AirLockRow>(rows, 0, updated);
  return events;
}

bool AirLocks::IsOpen(Id door, const Table& rows) const {
  const Place place = FindDoor(door);
  CHECK(place.side != 0, "no door {:016x}", door.value);
  const AirLockRow& row =
      rows.Get<AirLockRow>(static_cast<uint32_t>(place.air_lock));
  return StatusOf(row) == AirLockStatus::kOpen && row.side == place.side;
}

AirLocks::Place AirLocks::FindDoor(Id door) const {
  for (size_t i = 0; i < air_locks_.size(); ++i) {
    for (uint64_t side = 1; side <= 2; ++side) {
      if (air_locks_[i].sides[side - 1].door == door) return {i, side};
    }
  }
  return {};
}

}  // namespace reprise::sim
