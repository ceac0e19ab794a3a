// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/systems/commanders/roster.h"

#include <algorithm>

#include "sim/world/components/object_rows.h"
#include "sim/world/definition/world_definition.h"
#include "sim/world/objects/objects.h"
#include "sim/world/systems/system.h"

namespace reprise::sim {

Roster::Roster(const WorldParts& parts,
               std::span<const CommanderDefinition> commanders)
    : parts_(parts),
      definitions_(commanders),
      commander_uses_(PartsOfTypes<CommanderUse>(parts.definition)),
      orders_uses_(PartsOfTypes<OrdersUse>(parts.definition)) {
  const std::vector<TypeDefinition>& types = parts.definition.types;
  covers_.resize(types.size());
  for (size_t i = 0; i < types.size(); ++i) {
    if (commander_uses_[i] == nullptr) continue;
    const CommanderDefinition& definition =
        definitions_[commander_uses_[i]->commander];
    covers_[i].resize(types.size());
    for (size_t k = 0; k < types.size(); ++k) {
      const bool is_unit = std::ranges::any_of(definition.units, [&](Id id) {
        return types[k].id == id ||
               std::ranges::find(types[k].bases, id) != types[k].bases.end();
      });
      covers_[i][k] = is_unit ? 1 : 0;
    }
  }
}

void Roster::Look() {
  commanders_.clear();
  units_.clear();
  const State& state = parts_.state;
  const Table& objects = state.table(parts_.tables.objects.objects);
  for (uint32_t type = 0; type < commander_uses_.size(); ++type) {
    if (commander_uses_[type] == nullptr) continue;
    const uint32_t component = commander_uses_[type]->component;
    const Table& rows =
        state.table(parts_.tables.objects.components[component]);
    for (const uint32_t row : parts_.objects.RowsOfType(type)) {
      const auto& object = objects.Get<ObjectRow>(row);
      const uint32_t own = parts_.objects.ComponentRow(row, component);
      commanders_.push_back(
          {.object = object.object,
           .handle = object.handle,
           .type = type,
           .row = row,
           .component_row = own,
           .is_active = object.status == ObjectStatus::kActive &&
                        rows.Get<CommandRow>(own).is_active != 0});
    }
  }
  // A total order: each object is there once.
  std::ranges::sort(commanders_, {}, &Commander::object);
  FindFirst();
  for (uint32_t type = 0; type < orders_uses_.size(); ++type) {
    if (orders_uses_[type] == nullptr) continue;
    const uint32_t component = orders_uses_[type]->component;
    const Table& rows =
        state.table(parts_.tables.objects.components[component]);
    for (const uint32_t row : parts_.objects.RowsOfType(type)) {
      const auto& object = objects.Get<ObjectRow>(row);
      if (object.status != ObjectStatus::kActive) continue;
      const uint32_t own = parts_.objects.ComponentRow(row, component);
      units_.push_back(
          {.object = object.object,
           .handle = object.handle,
           .row = row,
           .component_row = own,
           .commander = CommanderOf(rows.Get<OrdersRow>(own), type)});
    }
  }
  // A total order: each object is there once.
  std::ranges::sort(units_, {}, &Unit::object);
  counts_.assign(commanders_.size(), 0);
  left_out_.assign(commanders_.size(), 0);
  for (Unit& unit : units_) {
    if (unit.commander == kNobody) continue;
    const uint32_t commander = unit.commander;
    if (counts_[commander] ==
        DefinitionOf(commanders_[commander].type).units_max) {
      unit.commander = kNobody;
      ++left_out_[commander];
    } else {
      ++counts_[commander];
    }
  }
}

void Roster::FindFirst() {
  first_.assign(orders_uses_.size(), kNobody);
  is_seen_.assign(orders_uses_.size(), 0);
  for (uint32_t i = 0; i < commanders_.size(); ++i) {
    const uint32_t type = commanders_[i].type;
    // Those of one type cover the same.
    if (is_seen_[type] != 0) continue;
    is_seen_[type] = 1;
    for (uint32_t unit = 0; unit < first_.size(); ++unit) {
      if (first_[unit] == kNobody && Covers(type, unit)) first_[unit] = i;
    }
  }
}

const Roster::Unit* Roster::Find(ObjectId unit, uint32_t commander) const {
  const auto found = std::ranges::lower_bound(units_, unit, {}, &Unit::object);
  const bool is_there = found != units_.end() && found->object == unit &&
                        found->commander == commander;
  return is_there ? &*found : nullptr;
}

uint32_t Roster::CommanderOf(const OrdersRow& orders, uint32_t type) const {
  if (orders.is_active == 0) return kNobody;
  if (!orders.commander.is_null()) {
    const uint32_t row = parts_.objects.RowOf(parts_.state, orders.commander);
    if (row == kNoRow) return kNobody;
    const ObjectId object = parts_.state.table(parts_.tables.objects.objects)
                                .Get<ObjectRow>(row)
                                .object;
    const auto named =
        std::ranges::lower_bound(commanders_, object, {}, &Commander::object);
    const bool is_its_own = named != commanders_.end() &&
                            named->object == object &&
                            Covers(named->type, type);
    return is_its_own ? static_cast<uint32_t>(named - commanders_.begin())
                      : kNobody;
  }
  return first_[type];
}

}  // namespace reprise::sim
