// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Rows that a system keeps for the objects of some types while these are
// active, one or more for each: the object is the first of one key or two.

#ifndef REPRISE_SIM_WORLD_SYSTEMS_OWNED_ROWS_H_
#define REPRISE_SIM_WORLD_SYSTEMS_OWNED_ROWS_H_

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sim/base/object_id.h"
#include "sim/state/state.h"
#include "sim/state/table.h"
#include "sim/world/components/object_rows.h"
#include "sim/world/objects/objects.h"
#include "sim/world/objects/world_parts.h"

namespace reprise::sim {

// An object that has rows.
struct RowOwner {
  ObjectId object;
  uint32_t type = 0;  // index into WorldDefinition::types
};

// Whose a row is.
ObjectId OwnerOf(const Table& table, uint32_t row);

// The row of an object, or its first one; nullopt when it has none.
std::optional<uint32_t> FindOwnedRow(const Table& table, ObjectId object);

// The index of the type of an object that has rows.
// REQUIRES: the object is there.
uint32_t TypeOfOwner(const WorldParts& parts, ObjectId object);

// Whether each of `owners`, which ascend, has one row, and nobody else any.
bool AreOwnedBy(std::span<const RowOwner> owners, const Table& table);

// Whether every number of a table is one that a tick can leave there: none is
// NaN or so high that reckoning with it overflows.
bool HasUsableNumbers(const Table& table);

// Puts the active objects of the types that is_wanted(index of the type) takes
// into `owners`, in object order. What it held is forgotten, its memory is
// kept: a steady tick allocates nothing.
template <typename IsWanted>
void FindActiveOwners(const WorldParts& parts, const IsWanted& is_wanted,
                      std::vector<RowOwner>& owners) {
  owners.clear();
  const Table& objects = parts.state.table(parts.tables.objects.objects);
  for (uint32_t type = 0; type < parts.definition.types.size(); ++type) {
    if (!is_wanted(type)) continue;
    for (const uint32_t row : parts.objects.RowsOfType(type)) {
      const auto& object = objects.Get<ObjectRow>(row);
      if (object.status != ObjectStatus::kActive) continue;
      owners.push_back({.object = object.object, .type = type});
    }
  }
  // A total order: each object is of one type.
  std::ranges::sort(owners, {}, &RowOwner::object);
}

// The same of a snapshot, whose objects are in order.
template <typename IsWanted>
std::vector<RowOwner> ActiveOwnersIn(const State& snapshot,
                                     const WorldParts& parts,
                                     const IsWanted& is_wanted) {
  std::vector<RowOwner> owners;
  const Table& objects = snapshot.table(parts.tables.objects.objects);
  for (uint32_t row = 0; row < objects.row_count(); ++row) {
    const auto& object = objects.Get<ObjectRow>(row);
    if (object.status != ObjectStatus::kActive) continue;
    const uint32_t type = *parts.definition.FindType(object.type);
    if (!is_wanted(type)) continue;
    owners.push_back({.object = object.object, .type = type});
  }
  return owners;
}

// The objects of a snapshot of the types that is_wanted(index of the type)
// takes, active or not, in object order.
template <typename IsWanted>
std::vector<RowOwner> OwnersIn(const State& snapshot, const WorldParts& parts,
                               const IsWanted& is_wanted) {
  std::vector<RowOwner> owners;
  const Table& objects = snapshot.table(parts.tables.objects.objects);
  for (uint32_t row = 0; row < objects.row_count(); ++row) {
    const auto& object = objects.Get<ObjectRow>(row);
    const uint32_t type = *parts.definition.FindType(object.type);
    if (is_wanted(type))
      owners.push_back({.object = object.object, .type = type});
  }
  return owners;
}

// Whether the rows of a table are those of all objects of the world, active or
// not, of which each has count_of(index of its type). It looks at each object
// and makes nothing: mostly nobody has come or gone, and there is nothing to
// follow. REQUIRES: rows stand in object order, so many for each or none.
template <typename CountOf>
bool FollowsAll(const WorldParts& parts, const Table& table,
                const CountOf& count_of) {
  const Table& objects = parts.state.table(parts.tables.objects.objects);
  uint32_t known = 0;
  for (uint32_t row = 0; row < objects.row_count(); ++row) {
    const uint32_t count = count_of(parts.objects.TypeOf(row));
    if (count == 0) continue;
    if (known >= table.row_count() ||
        OwnerOf(table, known) != objects.Get<ObjectRow>(row).object) {
      return false;
    }
    known += count;
  }
  return known == table.row_count();
}

// Makes the rows of a table those of `owners`, which ascend: takes them from
// all others, and calls add(owner, table) for each that has none yet.
template <typename Add>
void FollowOwners(std::span<const RowOwner> owners, State& state,
                  TableIndex index, const Add& add) {
  const Table& table = state.table(index);
  std::vector<uint32_t> gone;
  for (uint32_t row = 0; row < table.row_count(); ++row) {
    const ObjectId object = OwnerOf(table, row);
    const auto owner =
        std::ranges::lower_bound(owners, object, {}, &RowOwner::object);
    if (owner == owners.end() || owner->object != object) gone.push_back(row);
  }
  if (!gone.empty()) state.mutable_table(index).Erase(gone);
  for (const RowOwner& owner : owners) {
    if (FindOwnedRow(table, owner.object).has_value()) continue;
    add(owner, state.mutable_table(index));
  }
}

}  // namespace reprise::sim

#endif  // REPRISE_SIM_WORLD_SYSTEMS_OWNED_ROWS_H_
