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
#include "sim/world/components/object_rows.h"
#include "sim/world/definition/system_declaration.h"
#include "sim/world/definition/world_rows.h"
#include "sim/world/events/event_rows.h"
#include "sim/world/events/world_event.h"
#include "sim/world/inputs/input_rows.h"
#include "sim/world/time/timeline.h"

namespace reprise::sim {
namespace {

constexpr std::string_view kComponentsRoom = "components";

void AddEnumerations(std::vector<Legend>& legends) {
  legends.push_back(
      MakeLegend("input", TouchRow::kTable, "phase", kTouchPhaseNames));
  legends.push_back(
      MakeLegend("physics", BodyRow::kTable, "activation", kActivationNames));
  legends.push_back(
      MakeLegend("time", TimelineRow::kTable, "mode", kTimelineModeNames));
  legends.push_back(
      MakeLegend("world", ObjectRow::kTable, "status", kObjectStatusNames));
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

// The keys that actions are bound to, by these; a legend for each word of the
// field that has some. What no action has, nobody can hold.
void AddKeys(const InputGrammar& inputs, std::string_view field,
             std::vector<Legend>& legends) {
  constexpr uint32_t kBits = 64;
  std::map<uint32_t, Legend> by_word;
  for (const Action& action : inputs.actions) {
    if (action.kind != Action::Kind::kKey) continue;
    const uint32_t word = action.device_index / kBits;
    Legend& legend = by_word[word];
    legend.entries.push_back(
        {.value = action.device_index % kBits, .name = action.name});
  }
  for (auto& [word, legend] : by_word) {
    legend.room = "input";
    legend.table = KeyboardRow::kTable;
    legend.field = fmt::format("{}[{}]", field, word);
    legend.is_mask = true;
    std::ranges::stable_sort(legend.entries, {}, &Legend::Entry::value);
    legends.push_back(std::move(legend));
  }
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
  }
}

// The kinds of bodies by the types that have them: one that is inherited by the
// type that it comes from, one that a property chooses as "vase.cracked".
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
    if (!type.body_choice.has_value()) continue;
    for (const uint32_t kind : type.body_choice->kinds) take(kind, type);
  }
  for (const auto& [kind, type] : owners) {
    std::string name = type->name;
    if (kind != type->body_kind && type->body_choice.has_value()) {
      const BodyChoice& choice = *type->body_choice;
      const auto chosen = std::ranges::find(choice.kinds, kind);
      name =
          fmt::format("{}.{}", name,
                      definition.names.NameOf(choice.names[static_cast<size_t>(
                          chosen - choice.kinds.begin())]));
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
  for (const std::string_view field : {"keys", "keys_before"}) {
    AddKeys(definition.info.inputs, field, legends);
  }
  legends.push_back(BodyKinds(definition));
  for (const SystemDeclaration* system : RegisteredSystemDeclarations()) {
    legends.insert(legends.end(), system->legends.begin(),
                   system->legends.end());
  }
  std::erase_if(legends,
                [](const Legend& legend) { return legend.entries.empty(); });
  // A total order: a field has one legend.
  std::ranges::sort(legends, {}, [](const Legend& legend) {
    return std::tie(legend.room, legend.table, legend.field);
  });
  return legends;
}

}  // namespace reprise::sim
