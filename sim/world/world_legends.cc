// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/world/world_legends.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>

#include "fmt/format.h"
#include "sim/physics/definition/physics_rows.h"
#include "sim/physics/vehicles/vehicle_rows.h"
#include "sim/systems/chunks/air_locks.h"
#include "sim/systems/chunks/chunks.h"
#include "sim/systems/objectives/objectives.h"
#include "sim/world/components/object_rows.h"
#include "sim/world/definition/world_rows.h"
#include "sim/world/events/event_rows.h"
#include "sim/world/events/world_event.h"
#include "sim/world/inputs/input_rows.h"
#include "sim/world/objects/body_kinds.h"
#include "sim/world/time/timeline.h"

namespace reprise::sim {
namespace {

constexpr std::string_view kComponentsRoom = "components";

void AddEnumerations(std::vector<Legend>& legends) {
  legends.push_back(
      MakeLegend("chunks", ChunkRow::kTable, "status", kChunkStatusNames));
  legends.push_back(
      MakeLegend("input", TouchRow::kTable, "phase", kTouchPhaseNames));
  legends.push_back(
      MakeLegend("movers", DrivetrainRow::kTable, "gear", kGearNames));
  legends.push_back(
      MakeLegend("physics", BodyRow::kTable, "activation", kActivationNames));
  legends.push_back(
      MakeLegend("time", TimelineRow::kTable, "mode", kTimelineModeNames));
  legends.push_back(
      MakeLegend("world", AirLockRow::kTable, "status", kAirLockStatusNames));
  legends.push_back(
      MakeLegend("world", AirLockRow::kTable, "side", kAirLockSideNames));
  legends.push_back(
      MakeLegend("world", AirLockRow::kTable, "asked_side", kAirLockSideNames));
  legends.push_back(
      MakeLegend("world", ObjectRow::kTable, "status", kObjectStatusNames));
  legends.push_back(MakeLegend("world", ObjectiveRow::kTable, "status",
                               kObjectiveStatusNames));
  legends.push_back(
      MakeLegend("world", RunRow::kTable, "outcome", kOutcomeNames));
}

// The types that arguments of events have; 0 lies behind the last argument.
Legend ArgumentTypes() {
  Legend legend = MakeLegend("events", QueuedEventRow::kTable, "types", {});
  for (const ScalarType type :
       {ScalarType::kBool, ScalarType::kInt64, ScalarType::kUint64,
        ScalarType::kDouble, ScalarType::kId, ScalarType::kObject,
        ScalarType::kHandle}) {
    legend.entries.push_back({.value = static_cast<int64_t>(type),
                              .name = std::string(EventValueTypeName(type))});
  }
  return legend;
}

// The buttons of a device by the actions of a kind that they are.
Legend Buttons(const InputGrammar& inputs, Action::Kind kind,
               std::string_view table, std::string_view field) {
  Legend legend = MakeLegend("input", table, field, {});
  legend.is_mask = true;
  for (const Action& action : inputs.actions) {
    if (action.kind != kind) continue;
    legend.entries.push_back(
        {.value = action.device_index, .name = action.name});
  }
  std::ranges::stable_sort(legend.entries, {}, &Legend::Entry::value);
  return legend;
}

// Bit p of `overridden` is property p.
Legend Overridden(const ComponentDefinition& component) {
  Legend legend =
      MakeLegend(kComponentsRoom, component.name,
                 component.schema->fields()[kComponentOverriddenField].name,
                 /*names=*/{});
  legend.is_mask = true;
  for (size_t i = 0; i < component.properties.size(); ++i) {
    legend.entries.push_back({.value = static_cast<int64_t>(i),
                              .name = component.properties[i].name});
  }
  return legend;
}

void AddComponents(const WorldDefinition& definition,
                   std::vector<Legend>& legends) {
  for (const ComponentDefinition& component : definition.components) {
    legends.push_back(Overridden(component));
    for (const PropertyDefinition& property : component.properties) {
      if (property.value_names.empty()) continue;
      legends.push_back(MakeLegend(kComponentsRoom, component.name,
                                   property.name, property.value_names));
    }
    // A pack may have a component of this name, too.
    if (component.schema == RowSchema::Of<DestructibleRow>()) {
      legends.push_back(MakeLegend(kComponentsRoom, component.name, "stage",
                                   kDestructionStageNames));
    }
  }
}

// The kinds of bodies by the types that have them: one that is inherited by the
// type that it comes from, that of a stage as "vase.cracked".
Legend BodyKinds(const WorldDefinition& definition) {
  std::map<uint32_t, const TypeDefinition*> owners;
  Legend legend = MakeLegend("physics", BodyRow::kTable, "kind", {});
  const auto take = [&](uint32_t kind, const TypeDefinition& type) {
    const TypeDefinition*& owner = owners[kind];
    if (owner == nullptr || type.bases.size() < owner->bases.size()) {
      owner = &type;
    }
  };
  for (const TypeDefinition& type : definition.types) {
    if (type.body_kind.has_value()) take(*type.body_kind, type);
    if (!type.destructible.has_value()) continue;
    for (const DestructionStage& stage : type.destructible->stages) {
      take(stage.body_kind, type);
    }
  }
  for (const auto& [kind, type] : owners) {
    std::string name = type->name;
    if (kind != type->body_kind && type->destructible.has_value()) {
      const auto stage = std::ranges::find(type->destructible->stages, kind,
                                           &DestructionStage::body_kind);
      name = fmt::format("{}.{}", name, definition.names.NameOf(stage->name));
    }
    legend.entries.push_back({.value = kind, .name = std::move(name)});
  }
  return legend;
}

}  // namespace

std::vector<Legend> WorldLegends(const WorldDefinition& definition) {
  std::vector<Legend> legends;
  AddEnumerations(legends);
  AddComponents(definition, legends);
  legends.push_back(ArgumentTypes());
  for (const std::string_view field : {"buttons", "buttons_before"}) {
    const InputGrammar& inputs = definition.info.inputs;
    legends.push_back(
        Buttons(inputs, Action::Kind::kButton, DeviceRow::kTable, field));
    legends.push_back(
        Buttons(inputs, Action::Kind::kMouseButton, MouseRow::kTable, field));
  }
  legends.push_back(BodyKinds(definition));
  std::erase_if(legends,
                [](const Legend& legend) { return legend.entries.empty(); });
  // A total order: a field has one legend.
  std::ranges::sort(legends, {}, [](const Legend& legend) {
    return std::tie(legend.room, legend.table, legend.field);
  });
  return legends;
}

}  // namespace reprise::sim
