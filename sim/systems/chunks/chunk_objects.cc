// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/systems/chunks/chunk_objects.h"

#include <algorithm>
#include <map>
#include <vector>

#include "sim/base/check.h"
#include "sim/geometry/transform.h"
#include "sim/world/components/object_rows.h"
#include "sim/world/components/world_names.h"

namespace reprise::sim {
namespace {

const ObjectRow& RowAt(const WorldParts& parts, uint32_t row) {
  return parts.state.table(parts.tables.objects.objects).Get<ObjectRow>(row);
}

// The row of a chunk's object; kNoRow when the game has destroyed it.
uint32_t RowOfChunkObject(const WorldParts& parts,
                          const PresenceChange& change) {
  const uint32_t row = parts.objects.RowNamed(change.object);
  if (row == kNoRow || RowAt(parts, row).chunk != change.chunk) return kNoRow;
  return row;
}

// Who an object belongs to, while it is there.
struct Parent {
  Handle handle;
  Transform place;
};

// Parents that are there already or came a moment ago.
class ParentFinder {
 public:
  explicit ParentFinder(const WorldParts& parts) : parts_(parts) {}

  void Add(Id name, const Parent& parent) { new_[name] = parent; }

  // A null handle where there is none.
  Parent Find(Id name) const {
    if (name == kNoId) return {};
    if (const auto found = new_.find(name); found != new_.end()) {
      return found->second;
    }
    const uint32_t row = parts_.objects.RowNamed(name);
    if (row == kNoRow) return {};
    return {RowAt(parts_, row).handle, PlaceOf(parts_, parts_.state, row)};
  }

 private:
  const WorldParts& parts_;
  std::map<Id, Parent> new_;
};

void TellRefusal(const WorldParts& parts, const PresenceChange& change,
                 const ObjectDefinition& object) {
  const Id archetype = parts.definition.archetypes[object.archetype].id;
  TellListeners(parts, kSpawnRefused, kNoObject,
                {{kType, FieldValue::OfId(archetype)},
                 {kChunk, FieldValue::OfId(change.chunk)}});
}

struct Arrival {
  const PresenceChange* change = nullptr;
  const ObjectDefinition* object = nullptr;
};

std::vector<Arrival> FindArrivals(const WorldParts& parts,
                                  std::span<const PresenceChange> changes) {
  std::vector<Arrival> arrivals;
  for (const PresenceChange& change : changes) {
    if (change.from != Presence::kAbsent ||
        parts.objects.RowNamed(change.object) != kNoRow) {
      continue;
    }
    const ObjectDefinition* const object =
        parts.definition.FindPassingObject(change.object);
    CHECK(object != nullptr, "no object {:016x}", change.object.value);
    arrivals.push_back({&change, object});
  }
  // A parent is in a lower bucket than its children.
  std::ranges::stable_sort(arrivals, {}, [](const Arrival& arrival) {
    return arrival.object->bucket;
  });
  return arrivals;
}

}  // namespace

bool SendAway(const WorldParts& parts,
              std::span<const PresenceChange> changes) {
  bool goes = false;
  for (const PresenceChange& change : changes) {
    if (change.from == Presence::kAbsent) continue;
    const uint32_t row = RowOfChunkObject(parts, change);
    if (row == kNoRow) continue;
    const ObjectRow& object = RowAt(parts, row);
    if (change.to == Presence::kAbsent) {
      goes |= parts.objects.RequestDestroy(parts.state, object.handle);
    } else {
      SetStatus(parts, row,
                change.to == Presence::kDormant ? PutAway(object.status)
                                                : BroughtBack(object.status));
    }
  }
  return goes;
}

bool BringIn(const WorldParts& parts, std::span<const PresenceChange> changes) {
  ParentFinder parents(parts);
  bool comes = false;
  for (const auto& [change, object] : FindArrivals(parts, changes)) {
    const Parent parent = parents.Find(object->parent_name);
    const bool is_attached = object->is_attached && !parent.handle.is_null();
    const ObjectStatus status =
        object->is_dormant ? ObjectStatus::kDormant : ObjectStatus::kActive;
    const Transform place =
        is_attached ? parent.place * object->place_on_parent : object->place;
    const Objects::SpawnResult result = parts.objects.RequestSpawn(
        parts.state,
        {.archetype = object->archetype,
         .name = object->name_id,
         .chunk = change->chunk,
         .parent = parent.handle,
         .is_attached = is_attached,
         .status = change->to == Presence::kDormant ? PutAway(status) : status,
         .bucket_min = object->bucket,
         .place = place,
         .linear_velocity_m_s = object->linear_velocity_m_s,
         .angular_velocity_rad_s = object->angular_velocity_rad_s,
         .rows = object->rows});
    if (result.refusal != SpawnRefusal::kNone) {
      TellRefusal(parts, *change, *object);
      continue;
    }
    parents.Add(object->name_id, {result.handle, place});
    comes = true;
  }
  return comes;
}

}  // namespace reprise::sim
