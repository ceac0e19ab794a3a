// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/world/objects/object_index.h"

#include <algorithm>
#include <cstring>
#include <tuple>

#include "sim/base/check.h"
#include "sim/base/object_id.h"
#include "sim/state/table.h"
#include "sim/world/components/object_rows.h"

namespace reprise::sim {
namespace {

// Calls `visit(row of the table of objects, row of the component)` for each row
// of a component's table. Both tables are in object order.
template <typename Visit>
void ForEachComponentRow(const Table& objects, const Table& component,
                         const Visit& visit) {
  uint32_t object_row = 0;
  for (uint32_t row = 0; row < component.row_count(); ++row) {
    ObjectId owner;
    std::memcpy(&owner, component.Row(row).data(), sizeof(owner));
    while (object_row < objects.row_count() &&
           objects.Get<ObjectRow>(object_row).object < owner) {
      ++object_row;
    }
    if (object_row == objects.row_count()) return;
    if (objects.Get<ObjectRow>(object_row).object == owner) {
      visit(object_row, row);
    }
  }
}

}  // namespace

ObjectIndex::ObjectIndex(const WorldDefinition& definition)
    : definition_(definition) {
  for (const TypeDefinition& type : definition_.types) {
    std::vector<uint32_t> places(definition_.components.size(), kNoRow);
    for (uint32_t place = 0; place < type.components.size(); ++place) {
      places[type.components[place].component] = place;
    }
    places_in_types_.push_back(std::move(places));
  }
  rows_of_types_.resize(definition_.types.size());
}

void ObjectIndex::Load(const State& state, TableIndex objects_index,
                       TableIndex slots,
                       std::span<const TableIndex> components) {
  const Table& objects = state.table(objects_index);
  types_.clear();
  first_component_rows_.clear();
  named_rows_.clear();
  rows_of_slots_.assign(state.table(slots).row_count(), kNoRow);
  for (std::vector<uint32_t>& rows : rows_of_types_) rows.clear();
  uint32_t component_count = 0;
  for (uint32_t row = 0; row < objects.row_count(); ++row) {
    const auto& object = objects.Get<ObjectRow>(row);
    const uint32_t type = *definition_.FindType(object.type);
    types_.push_back(type);
    rows_of_types_[type].push_back(row);
    rows_of_slots_[object.handle.index] = row;
    if (object.name != kNoId) named_rows_.push_back({object.name, row});
    first_component_rows_.push_back(component_count);
    component_count +=
        static_cast<uint32_t>(definition_.types[type].components.size());
  }
  component_rows_.assign(component_count, kNoRow);
  for (uint32_t i = 0; i < components.size(); ++i) {
    ForEachComponentRow(
        objects, state.table(components[i]),
        [&](uint32_t object_row, uint32_t component_row) {
          const uint32_t place = places_in_types_[types_[object_row]][i];
          component_rows_[first_component_rows_[object_row] + place] =
              component_row;
        });
  }
  // A total order: no two are of one row.
  std::ranges::sort(named_rows_, {}, [](const NamedRow& named) {
    return std::tuple(named.name, named.row);
  });
}

void ObjectIndex::Erase(std::span<const uint32_t> rows) {
  if (rows.empty()) return;
  const uint32_t first = rows.front();
  uint32_t to = first;
  uint32_t component_to = first_component_rows_[first];
  // How many rows of each component have gone so far.
  std::vector<uint32_t> gone(definition_.components.size(), 0);
  moved_rows_.clear();
  for (uint32_t row = first; row < types_.size(); ++row) {
    const uint32_t type = types_[row];
    const uint32_t from = first_component_rows_[row];
    const std::vector<ComponentUse>& uses = definition_.types[type].components;
    if (row - to < rows.size() && rows[row - to] == row) {
      for (const ComponentUse& use : uses) ++gone[use.component];
      moved_rows_.push_back(kNoRow);
      continue;
    }
    types_[to] = type;
    first_component_rows_[to] = component_to;
    for (uint32_t i = 0; i < uses.size(); ++i) {
      component_rows_[component_to++] =
          component_rows_[from + i] - gone[uses[i].component];
    }
    moved_rows_.push_back(to++);
  }
  CHECK(types_.size() - to == rows.size(), "rows that don't ascend");
  types_.resize(to);
  first_component_rows_.resize(to);
  component_rows_.resize(component_to);

  for (uint32_t& row : rows_of_slots_) {
    if (row != kNoRow && row >= first) row = moved_rows_[row - first];
  }
  for (std::vector<uint32_t>& of_type : rows_of_types_) {
    const auto begin = std::ranges::lower_bound(of_type, first);
    for (auto row = begin; row != of_type.end(); ++row) {
      *row = moved_rows_[*row - first];
    }
    of_type.erase(std::remove(begin, of_type.end(), kNoRow), of_type.end());
  }
  for (NamedRow& named : named_rows_) {
    if (named.row >= first) named.row = moved_rows_[named.row - first];
  }
  std::erase_if(named_rows_,
                [](const NamedRow& named) { return named.row == kNoRow; });
}

void ObjectIndex::Append(uint32_t type, uint32_t slot, Id name,
                         std::span<const uint32_t> component_rows) {
  const uint32_t row = object_count();
  types_.push_back(type);
  first_component_rows_.push_back(
      static_cast<uint32_t>(component_rows_.size()));
  component_rows_.insert(component_rows_.end(), component_rows.begin(),
                         component_rows.end());
  rows_of_types_[type].push_back(row);
  if (slot >= rows_of_slots_.size()) rows_of_slots_.resize(slot + 1, kNoRow);
  rows_of_slots_[slot] = row;
  if (name == kNoId) return;
  // Behind the others of the name, which are older.
  named_rows_.insert(
      std::ranges::upper_bound(named_rows_, name, {}, &NamedRow::name),
      {name, row});
}

uint32_t ObjectIndex::RowNamed(Id name) const {
  const auto found =
      std::ranges::lower_bound(named_rows_, name, {}, &NamedRow::name);
  if (found == named_rows_.end() || found->name != name) return kNoRow;
  return found->row;
}

uint32_t ObjectIndex::ComponentRow(uint32_t row, uint32_t component) const {
  const uint32_t place = places_in_types_[types_[row]][component];
  if (place == kNoRow) return kNoRow;
  return component_rows_[first_component_rows_[row] + place];
}

}  // namespace reprise::sim
