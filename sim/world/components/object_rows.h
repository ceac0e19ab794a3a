// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The rows that say which objects exist, who refers to whom, and where those
// stand that have no body.

#ifndef REPRISE_SIM_WORLD_COMPONENTS_OBJECT_ROWS_H_
#define REPRISE_SIM_WORLD_COMPONENTS_OBJECT_ROWS_H_

#include <array>
#include <cstdint>
#include <string_view>

#include "sim/base/field.h"
#include "sim/base/handle.h"
#include "sim/base/id.h"
#include "sim/base/object_id.h"
#include "sim/base/tick.h"
#include "sim/base/value_name.h"
#include "sim/geometry/quaternion.h"
#include "sim/geometry/vector3.h"

namespace reprise::sim {

// What of an object runs. The numbers are part of the state.
enum class ObjectStatus : int64_t {
  kActive = 1,  // everything
  // Nothing: no updates, events, timers or timelines, and no body; its rows
  // stay as they are.
  kDormant = 2,
  // As dormant for good, because its behaviour failed; but its body stays.
  kInert = 3,
  // As dormant, because its chunk or layer is; active when that comes back.
  kAway = 4,
  kAwayDormant = 5,  // dormant when it comes back
  kAwayInert = 6,    // inert when it comes back
};

inline constexpr auto kObjectStatusNames = std::to_array<ValueName>({
    {ObjectStatus::kActive, "active"},
    {ObjectStatus::kDormant, "dormant"},
    {ObjectStatus::kInert, "inert"},
    {ObjectStatus::kAway, "away"},
    {ObjectStatus::kAwayDormant, "away_dormant"},
    {ObjectStatus::kAwayInert, "away_inert"},
});

// Whether the world doesn't show it.
constexpr bool IsAway(ObjectStatus status) {
  return status == ObjectStatus::kAway ||
         status == ObjectStatus::kAwayDormant ||
         status == ObjectStatus::kAwayInert;
}

// Whether its body, if its type has one, is in the physical world.
constexpr bool IsEmbodied(ObjectStatus status) {
  return status == ObjectStatus::kActive || status == ObjectStatus::kInert;
}

// What an object becomes when its chunk or layer goes, and when that comes
// back.
constexpr ObjectStatus PutAway(ObjectStatus status) {
  switch (status) {
    case ObjectStatus::kActive:
      return ObjectStatus::kAway;
    case ObjectStatus::kDormant:
      return ObjectStatus::kAwayDormant;
    case ObjectStatus::kInert:
      return ObjectStatus::kAwayInert;
    default:
      return status;
  }
}
constexpr ObjectStatus BroughtBack(ObjectStatus status) {
  switch (status) {
    case ObjectStatus::kAway:
      return ObjectStatus::kActive;
    case ObjectStatus::kAwayDormant:
      return ObjectStatus::kDormant;
    case ObjectStatus::kAwayInert:
      return ObjectStatus::kInert;
    default:
      return status;
  }
}

template <>
struct FieldTraits<ObjectStatus> : ScalarTraits<ScalarType::kInt64> {};

// An object that exists, in the order of creation.
struct ObjectRow {
  ObjectId object;
  Id name;  // none: it was spawned without one
  Id type;
  Id archetype;  // none: it is of the bare type
  Id chunk;      // none: it belongs to the world as a whole
  Handle handle;
  Handle parent;  // null: none
  // 0 for objects that depend on nobody; otherwise one more than the highest
  // bucket that it depends on.
  uint64_t bucket = 0;
  ObjectStatus status = ObjectStatus::kActive;
  Tick spawned_at = 0;
  // The first update since it came or became active, by its number
  // (update_times.h); 0 for one that never was active.
  uint64_t active_from = 0;
  // The tick of the last update before that, or before it became what it is; of
  // one that had none, that at which it came.
  Tick updated_at = 0;

  static constexpr std::string_view kTable = "objects";
  static constexpr uint32_t kKeyFields = 1;
  static constexpr auto Describe() {
    return std::array{REPRISE_FIELD(ObjectRow, object, ""),
                      REPRISE_FIELD(ObjectRow, name, ""),
                      REPRISE_FIELD(ObjectRow, type, ""),
                      REPRISE_FIELD(ObjectRow, archetype, ""),
                      REPRISE_FIELD(ObjectRow, chunk, ""),
                      REPRISE_FIELD(ObjectRow, handle, ""),
                      REPRISE_FIELD(ObjectRow, parent, ""),
                      REPRISE_FIELD(ObjectRow, bucket, ""),
                      REPRISE_FIELD(ObjectRow, status, ""),
                      REPRISE_FIELD(ObjectRow, spawned_at, "tick"),
                      REPRISE_FIELD(ObjectRow, active_from, ""),
                      REPRISE_FIELD(ObjectRow, updated_at, "tick")};
  }
};

// What a handle's index leads to. Row i is slot i.
struct SlotRow {
  // The tenant; none: the slot is free, or its tenant is about to move in.
  ObjectId object;
  // That of the last tenant; 0: there was none yet.
  uint64_t generation = 0;
  // Of a free slot, one more than the index of the next free one; 0: none, or
  // the slot isn't free.
  uint64_t next_free = 0;

  static constexpr std::string_view kTable = "slots";
  static constexpr uint32_t kKeyFields = 0;
  static constexpr auto Describe() {
    return std::array{REPRISE_FIELD(SlotRow, object, ""),
                      REPRISE_FIELD(SlotRow, generation, ""),
                      REPRISE_FIELD(SlotRow, next_free, "")};
  }
};

// One row: what new objects get.
struct AllocationRow {
  uint64_t next_serial = 1;
  uint64_t first_free_slot = 0;  // as SlotRow::next_free
  uint64_t spawned = 0;          // since tick 0, its own objects included
  uint64_t destroyed = 0;

  static constexpr std::string_view kTable = "allocation";
  static constexpr uint32_t kKeyFields = 0;
  static constexpr auto Describe() {
    return std::array{REPRISE_FIELD(AllocationRow, next_serial, ""),
                      REPRISE_FIELD(AllocationRow, first_free_slot, ""),
                      REPRISE_FIELD(AllocationRow, spawned, ""),
                      REPRISE_FIELD(AllocationRow, destroyed, "")};
  }
};

// Where an object without a body stands.
struct PlaceRow {
  ObjectId object;
  Vector3 position;
  Quaternion rotation;

  static constexpr std::string_view kTable = "places";
  static constexpr uint32_t kKeyFields = 1;
  static constexpr auto Describe() {
    return std::array{REPRISE_FIELD(PlaceRow, object, ""),
                      REPRISE_FIELD(PlaceRow, position, "m"),
                      REPRISE_FIELD(PlaceRow, rotation, "")};
  }
};

// Where an object is carried by its parent: its place in the parent's frame.
struct AttachmentRow {
  ObjectId object;
  Vector3 position;
  Quaternion rotation;

  static constexpr std::string_view kTable = "attachments";
  static constexpr uint32_t kKeyFields = 1;
  static constexpr auto Describe() {
    return std::array{REPRISE_FIELD(AttachmentRow, object, ""),
                      REPRISE_FIELD(AttachmentRow, position, "m"),
                      REPRISE_FIELD(AttachmentRow, rotation, "")};
  }
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_WORLD_COMPONENTS_OBJECT_ROWS_H_
