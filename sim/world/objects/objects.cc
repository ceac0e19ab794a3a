// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/world/objects/objects.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "fmt/format.h"
#include "sim/base/check.h"
#include "sim/base/math.h"
#include "sim/state/field_value.h"
#include "sim/world/components/built_in_events.h"
#include "sim/world/components/slots.h"

namespace reprise::sim {
namespace {

absl::Status Contradiction(std::string text) {
  return absl::DataLossError(fmt::format("snapshot: {}", text));
}

// The object that a component's row belongs to.
ObjectId OwnerOf(const Table& table, uint32_t row) {
  ObjectId owner;
  std::memcpy(&owner, table.Row(row).data(), sizeof(owner));
  return owner;
}

// Whether the owners of `table`'s rows ascend.
bool OwnersAscend(const Table& table) {
  for (uint32_t row = 1; row < table.row_count(); ++row) {
    if (OwnerOf(table, row - 1) >= OwnerOf(table, row)) return false;
  }
  return true;
}

// Appends a row to a table in object order. REQUIRES: its owner is the newest.
template <typename Row>
void Append(const Row& row, Table& table) {
  table.Resize(table.row_count() + 1);
  table.Mutable<Row>(table.row_count() - 1) = row;
}

ObjectStatus StatusAtStart(const ObjectDefinition& object) {
  if (object.presence.is_away) {
    return object.is_dormant ? ObjectStatus::kAwayDormant : ObjectStatus::kAway;
  }
  return object.is_dormant ? ObjectStatus::kDormant : ObjectStatus::kActive;
}

// Drops the rows of `owners`, which ascend, from a table in object order.
void EraseRowsOf(std::span<const ObjectId> owners, Table& table) {
  std::vector<uint32_t> rows;
  for (const ObjectId owner : owners) {
    const uint32_t row = table.LowerBound(std::array{owner.serial});
    if (row < table.row_count() && OwnerOf(table, row) == owner) {
      rows.push_back(row);
    }
  }
  table.Erase(rows);
}

// What others read as a number is one.
bool HasNan(const Table& table) {
  const RowSchema& schema = table.schema();
  for (uint32_t field = 0; field < schema.fields().size(); ++field) {
    if (schema.fields()[field].scalar != ScalarType::kDouble) continue;
    for (uint32_t row = 0; row < table.row_count(); ++row) {
      for (uint32_t i = 0; i < schema.fields()[field].count; ++i) {
        const FieldValue value =
            ReadScalar(schema, table.Row(row), {.field = field, .index = i});
        if (IsNan(value.AsDouble())) return true;
      }
    }
  }
  return false;
}

}  // namespace

bool IsPlace(const Transform& place) {
  const Quaternion& q = place.rotation;
  const double length_squared = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
  return IsFinite(place.position.x) && IsFinite(place.position.y) &&
         IsFinite(place.position.z) && Abs(length_squared - 1.0) < 1e-3;
}

Id ReasonOf(SpawnRefusal refusal) {
  switch (refusal) {
    case SpawnRefusal::kNone:
      break;
    case SpawnRefusal::kTypeIsFull:
      return WordIdOf("type_is_full");
    case SpawnRefusal::kWorldIsFull:
      return WordIdOf("world_is_full");
    case SpawnRefusal::kNoBucket:
      return WordIdOf("no_bucket");
    case SpawnRefusal::kTooLate:
      return WordIdOf("too_late");
  }
  CHECK(false, "it isn't refused");
}

ObjectTables Objects::AddTables(const WorldDefinition& definition,
                                State& state) {
  ObjectTables tables;
  tables.objects = state.AddTable("world", RowSchema::Of<ObjectRow>());
  tables.slots = state.AddTable("world", RowSchema::Of<SlotRow>());
  tables.allocation = state.AddTable("world", RowSchema::Of<AllocationRow>());
  tables.places = state.AddTable("world", RowSchema::Of<PlaceRow>());
  tables.attachments = state.AddTable("world", RowSchema::Of<AttachmentRow>());
  for (const ComponentDefinition& component : definition.components) {
    tables.components.push_back(state.AddTable("components", component.schema));
  }
  return tables;
}

Objects::Objects(const WorldDefinition& definition, ObjectTables tables)
    : definition_(definition), tables_(std::move(tables)), index_(definition) {
  pending_of_types_.resize(definition_.types.size());
}

AllocationRow& Objects::allocation(State& state) const {
  return state.mutable_table(tables_.allocation).Mutable<AllocationRow>(0);
}

void Objects::Initialize(State& state) {
  state.mutable_table(tables_.allocation).Resize(1);
  state.mutable_table(tables_.allocation).Mutable<AllocationRow>(0) = {};
  for (const TableIndex table :
       {tables_.objects, tables_.slots, tables_.places}) {
    state.mutable_table(table).Reserve(definition_.objects_max);
  }
  Load(state);
  // An object's slot is its number, so a reference to it is known beforehand.
  for (const ObjectDefinition& object : definition_.objects) {
    Handle parent;
    if (object.parent.has_value()) {
      parent = {.index = *object.parent, .generation = 1};
    }
    const SpawnResult result = RequestSpawn(
        state, {.archetype = object.archetype,
                .name = object.name_id,
                .chunk = object.presence.chunk,
                .parent = parent,
                .is_attached = object.is_attached,
                .status = StatusAtStart(object),
                .bucket_min = object.bucket,
                .place = object.place,
                .linear_velocity_m_s = object.linear_velocity_m_s,
                .angular_velocity_rad_s = object.angular_velocity_rad_s,
                .rows = object.rows});
    CHECK(result.refusal == SpawnRefusal::kNone, "no room for {}", object.name);
  }
  Commit(0, state);
}

absl::Status Objects::CheckRows(const State& state) const {
  const Table& objects = state.table(tables_.objects);
  const Table& slots = state.table(tables_.slots);
  const Table& allocations = state.table(tables_.allocation);
  if (allocations.row_count() != 1) {
    return Contradiction("the table of allocation has not one row");
  }
  const auto& allocation = allocations.Get<AllocationRow>(0);
  if (objects.row_count() > definition_.objects_max ||
      slots.row_count() > definition_.objects_max) {
    return Contradiction("more objects than the pack allows");
  }
  if (!OwnersAscend(objects)) {
    return Contradiction("the objects are not in order");
  }
  absl::Status status = CheckSlots(slots, allocation);
  if (!status.ok()) return status;

  uint32_t place_count = 0;
  std::vector<uint32_t> component_counts(definition_.components.size());
  for (uint32_t row = 0; row < objects.row_count(); ++row) {
    const auto& object = objects.Get<ObjectRow>(row);
    const std::optional<uint32_t> type = definition_.FindType(object.type);
    if (!type.has_value()) return Contradiction("an object of no known type");
    const std::optional<uint32_t> archetype =
        definition_.FindArchetype(object.archetype);
    if (!archetype.has_value() ||
        definition_.archetypes[*archetype].type != *type) {
      return Contradiction("an object of no known archetype");
    }
    if (object.object == kNoObject ||
        object.object.serial >= allocation.next_serial ||
        ObjectInSlot(slots, object.handle) != object.object) {
      return Contradiction("an object that isn't in its slot");
    }
    const auto number = static_cast<int64_t>(object.status);
    if (number < 1 || number > static_cast<int64_t>(ObjectStatus::kAwayInert)) {
      return Contradiction("an object with an unknown status");
    }
    if (object.bucket >= kBucketsMax) {
      return Contradiction("an object in a bucket too high");
    }
    if (object.updated_at > kTickMax ||
        object.active_from > UpdateNumber(kTickMax, Hook::kAfterPhysics)) {
      return Contradiction("an object that was updated at no tick");
    }
    const TypeDefinition& definition = definition_.types[*type];
    if (!definition.body_kind.has_value() || !IsEmbodied(object.status)) {
      const Table& places = state.table(tables_.places);
      if (place_count >= places.row_count() ||
          places.Get<PlaceRow>(place_count).object != object.object) {
        return Contradiction("an object that stands nowhere");
      }
      const auto& place = places.Get<PlaceRow>(place_count);
      if (!IsPlace({.position = place.position, .rotation = place.rotation})) {
        return Contradiction("an object at no place");
      }
      ++place_count;
    }
    for (const ComponentUse& use : definition.components) {
      const Table& table = state.table(tables_.components[use.component]);
      uint32_t& count = component_counts[use.component];
      if (count >= table.row_count() ||
          OwnerOf(table, count) != object.object) {
        return Contradiction("an object without one of its components");
      }
      ++count;
    }
  }
  uint32_t tenant_count = 0;
  for (uint32_t slot = 0; slot < slots.row_count(); ++slot) {
    if (slots.Get<SlotRow>(slot).object != kNoObject) ++tenant_count;
  }
  if (tenant_count != objects.row_count() ||
      place_count != state.table(tables_.places).row_count()) {
    return Contradiction("rows of objects that don't exist");
  }
  for (uint32_t i = 0; i < component_counts.size(); ++i) {
    if (component_counts[i] != state.table(tables_.components[i]).row_count()) {
      return Contradiction("components of objects that don't exist");
    }
    if (HasNan(state.table(tables_.components[i]))) {
      return Contradiction("a property that is no number");
    }
  }
  const Table& attachments = state.table(tables_.attachments);
  if (!OwnersAscend(attachments)) {
    return Contradiction("the attachments are not in order");
  }
  for (uint32_t row = 0; row < attachments.row_count(); ++row) {
    if (RowOf(state, OwnerOf(attachments, row)) == kNoRow) {
      return Contradiction("an attachment of an object that doesn't exist");
    }
  }
  return absl::OkStatus();
}

void Objects::Load(const State& state) {
  ++generation_;
  Forget();
  index_.Load(state, tables_.objects, tables_.slots, tables_.components);
}

void Objects::Forget() {
  pending_spawns_.clear();
  pending_destroys_.clear();
  std::ranges::fill(pending_of_types_, 0);
}

uint32_t Objects::RowOf(const State& snapshot, ObjectId object) const {
  const Table& objects = snapshot.table(tables_.objects);
  const uint32_t row = objects.LowerBound(std::array{object.serial});
  if (row == objects.row_count()) return kNoRow;
  return objects.Get<ObjectRow>(row).object == object ? row : kNoRow;
}

uint32_t Objects::RowOf(const State& state, Handle handle) const {
  const Table& slots = state.table(tables_.slots);
  if (ObjectInSlot(slots, handle) == kNoObject) return kNoRow;
  return index_.RowInSlot(handle.index);
}

uint32_t Objects::RowIn(const State& snapshot, Handle handle) const {
  return RowOf(snapshot, ObjectInSlot(snapshot.table(tables_.slots), handle));
}

Objects::SpawnResult Objects::RequestSpawn(State& state,
                                           const SpawnRequest& request) {
  if (is_late_) return {.handle = {}, .refusal = SpawnRefusal::kTooLate};
  const uint32_t type = definition_.archetypes[request.archetype].type;
  if (RowsOfType(type).size() + pending_of_types_[type] >=
      definition_.types[type].objects_max) {
    return {.handle = {}, .refusal = SpawnRefusal::kTypeIsFull};
  }
  const uint64_t bucket =
      std::max(request.bucket_min, BucketBehind(state, request.parent));
  if (bucket >= kBucketsMax) {
    return {.handle = {}, .refusal = SpawnRefusal::kNoBucket};
  }
  const std::optional<Handle> handle =
      ReserveSlot(definition_.objects_max, state.mutable_table(tables_.slots),
                  allocation(state));
  if (!handle.has_value()) {
    return {.handle = {}, .refusal = SpawnRefusal::kWorldIsFull};
  }
  ++pending_of_types_[type];
  pending_spawns_.push_back({.request = request,
                             .handle = *handle,
                             .rows = {request.rows.begin(), request.rows.end()},
                             .bucket = bucket,
                             .is_cancelled = false});
  if (handle->index >= pending_by_slot_.size()) {
    pending_by_slot_.resize(handle->index + 1);
  }
  pending_by_slot_[handle->index] =
      static_cast<uint32_t>(pending_spawns_.size());
  return {.handle = *handle, .refusal = SpawnRefusal::kNone};
}

bool Objects::RequestDestroy(const State& state, Handle handle) {
  if (RowOf(state, handle) != kNoRow) {
    pending_destroys_.push_back(handle);
    return true;
  }
  if (handle.index >= pending_by_slot_.size()) return false;
  const uint32_t place = pending_by_slot_[handle.index];
  if (place == 0 || place > pending_spawns_.size()) return false;
  PendingSpawn& pending = pending_spawns_[place - 1];
  if (pending.handle != handle || pending.is_cancelled) return false;
  pending.is_cancelled = true;
  return true;
}

void Objects::Commit(Tick tick, State& state) {
  spawned_.clear();
  destroyed_.clear();
  if (pending_spawns_.empty() && pending_destroys_.empty()) return;
  const bool is_anew = ChangesMost();
  EraseDestroyed(is_anew, state);
  for (const PendingSpawn& spawn : pending_spawns_) {
    if (spawn.is_cancelled) {
      FreeSlot(spawn.handle, state.mutable_table(tables_.slots),
               allocation(state));
    } else {
      AppendObject(tick, spawn, is_anew, state);
    }
  }
  if (is_anew) {
    Load(state);
  } else {
    ++generation_;
    Forget();
  }
  // Only now is every parent where its handle leads.
  Table& objects = state.mutable_table(tables_.objects);
  for (Change& change : spawned_) {
    const uint32_t row = RowOf(state, change.handle);
    const uint32_t parent = RowOf(state, change.request.parent);
    if (parent == kNoRow) continue;
    ObjectRow& object = objects.Mutable<ObjectRow>(row);
    object.parent = change.request.parent;
    object.bucket =
        std::max(object.bucket, objects.Get<ObjectRow>(parent).bucket + 1);
  }
}

uint64_t Objects::BucketBehind(const State& state, Handle parent) const {
  if (parent.is_null()) return 0;
  if (const uint32_t row = RowOf(state, parent); row != kNoRow) {
    return state.table(tables_.objects).Get<ObjectRow>(row).bucket + 1;
  }
  if (parent.index >= pending_by_slot_.size()) return 0;
  const uint32_t place = pending_by_slot_[parent.index];
  if (place == 0 || place > pending_spawns_.size()) return 0;
  const PendingSpawn& pending = pending_spawns_[place - 1];
  return pending.handle == parent ? pending.bucket + 1 : 0;
}

void Objects::EraseDestroyed(bool is_anew, State& state) {
  std::vector<uint32_t> rows;
  for (const Handle handle : pending_destroys_) {
    const ObjectId object = ObjectInSlot(state.table(tables_.slots), handle);
    if (object == kNoObject) continue;  // asked for twice
    const uint32_t row = RowOf(state, handle);
    rows.push_back(row);
    const Id archetype =
        state.table(tables_.objects).Get<ObjectRow>(row).archetype;
    destroyed_.push_back(
        {.object = object,
         .handle = handle,
         .type = TypeOf(row),
         .request = {.archetype = *definition_.FindArchetype(archetype)}});
    FreeSlot(handle, state.mutable_table(tables_.slots), allocation(state));
    ++allocation(state).destroyed;
  }
  if (destroyed_.empty()) return;
  std::ranges::sort(rows);  // a total order
  if (!is_anew) index_.Erase(rows);
  std::vector<ObjectId> gone;
  for (const Change& change : destroyed_) gone.push_back(change.object);
  std::ranges::sort(gone);  // a total order
  state.mutable_table(tables_.objects).Erase(rows);
  EraseRowsOf(gone, state.mutable_table(tables_.places));
  EraseRowsOf(gone, state.mutable_table(tables_.attachments));
  for (const TableIndex component : tables_.components) {
    EraseRowsOf(gone, state.mutable_table(component));
  }
  // Children stay, and belong to nobody.
  Table& objects = state.mutable_table(tables_.objects);
  const Table& slots = state.table(tables_.slots);
  std::vector<ObjectId> detached;
  rows.clear();
  for (uint32_t page = 0; page < objects.page_count(); ++page) {
    uint32_t row = page * objects.rows_per_page();
    for (const ObjectRow& object : objects.PageRows<ObjectRow>(page)) {
      if (!object.parent.is_null() &&
          ObjectInSlot(slots, object.parent) == kNoObject) {
        detached.push_back(object.object);
        rows.push_back(row);
      }
      ++row;
    }
  }
  for (const uint32_t row : rows) objects.Mutable<ObjectRow>(row).parent = {};
  EraseRowsOf(detached, state.mutable_table(tables_.attachments));
}

void Objects::AppendObject(Tick tick, const PendingSpawn& spawn, bool is_anew,
                           State& state) {
  std::vector<uint32_t> component_rows;
  const SpawnRequest& request = spawn.request;
  const ArchetypeDefinition& archetype =
      definition_.archetypes[request.archetype];
  const TypeDefinition& type = definition_.types[archetype.type];
  AllocationRow& counters = allocation(state);
  const ObjectId object{counters.next_serial++};
  ++counters.spawned;
  SettleSlot(spawn.handle, object, state.mutable_table(tables_.slots));
  Append(ObjectRow{.object = object,
                   .name = request.name,
                   .type = type.id,
                   .archetype = archetype.id,
                   .chunk = request.chunk,
                   .handle = spawn.handle,
                   .parent = {},
                   .bucket = request.bucket_min,
                   .status = request.status,
                   .spawned_at = tick,
                   .active_from = request.status == ObjectStatus::kActive
                                      ? progress_.next()
                                      : 0,
                   .updated_at = tick},
         state.mutable_table(tables_.objects));
  if (!type.body_kind.has_value() || !IsEmbodied(request.status)) {
    Append(PlaceRow{object, request.place.position, request.place.rotation},
           state.mutable_table(tables_.places));
  }
  for (uint32_t i = 0; i < type.components.size(); ++i) {
    const std::vector<std::byte>& bytes =
        spawn.rows.empty() ? archetype.rows[i] : spawn.rows[i];
    Table& table =
        state.mutable_table(tables_.components[type.components[i].component]);
    table.Resize(table.row_count() + 1);
    const std::span<std::byte> row = table.MutableRow(table.row_count() - 1);
    std::copy_n(bytes.data(), bytes.size(), row.data());
    std::memcpy(row.data(), &object, sizeof(object));
    component_rows.push_back(table.row_count() - 1);
  }
  if (!is_anew) {
    index_.Append(archetype.type, spawn.handle.index, request.name,
                  component_rows);
  }
  spawned_.push_back({.object = object,
                      .handle = spawn.handle,
                      .type = archetype.type,
                      .request = request});
  spawned_.back().request.rows = {};
}

void Objects::SetStatus(State& state, uint32_t row, ObjectStatus status) {
  auto& object = state.mutable_table(tables_.objects).Mutable<ObjectRow>(row);
  if (status == ObjectStatus::kActive) {
    object.active_from = progress_.next();
  } else {
    object.updated_at = LastUpdateOf(definition_.types[TypeOf(row)], object,
                                     progress_.DoneOf(object.bucket));
  }
  object.status = status;
  ++generation_;
}

}  // namespace reprise::sim
