// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/systems/scripts/unheard_event_compiler.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "fmt/format.h"
#include "sim/base/id.h"
#include "sim/systems/scripts/script_behaviour.h"
#include "sim/world/components/world_names.h"
#include "sim/world/definition/system_declaration.h"

namespace reprise::sim {
namespace {

// Whether the world or a system does something for such an event itself.
bool IsHandledByAll(Id event) {
  if (event == kDestroy || event == kSleep || event == kWake) return true;
  return std::ranges::any_of(
      RegisteredSystemDeclarations(), [&](const SystemDeclaration* system) {
        return std::ranges::find(system->handles, event) !=
               system->handles.end();
      });
}

// Whether objects of a type have scripts, and they alone would handle an event,
// and none does.
bool IsUnheard(const TypeDefinition& type, std::string_view event) {
  if (type.behaviours.empty() || IsHandledByAll(IdOf(event))) return false;
  return std::ranges::all_of(type.behaviours, [&](const BehaviourUse& use) {
    const auto* const script =
        dynamic_cast<const ScriptBehaviour*>(use.behaviour.get());
    return script != nullptr && !script->Handles(event);
  });
}

// What the pack has beside its types and events: connections, objectives,
// contexts. They hear of what a timer sends as of any event that they name.
std::string BytesOfTheRest(const v1::Pack& pack) {
  v1::Pack rest = pack;
  rest.clear_types();
  rest.clear_events();
  return rest.SerializeAsString();
}

}  // namespace

void WarnOfUnheardEvents(const v1::Pack& pack, const WorldDefinition& world,
                         const MessageChecker& checker) {
  std::optional<std::string> rest;  // made for whoever asks first
  const auto is_named_elsewhere = [&](const std::string& event) {
    if (!rest.has_value()) rest = BytesOfTheRest(pack);
    return rest->find(event) != std::string::npos;
  };
  for (int i = 0; i < pack.types_size(); ++i) {
    const v1::Type& message = pack.types(i);
    const std::optional<uint32_t> index = world.FindType(IdOf(message.name()));
    if (!index.has_value()) continue;
    const TypeDefinition& type = world.types[*index];
    const MessageChecker place = checker.In(message, "types", i);
    for (int k = 0; k < message.interests_size(); ++k) {
      const std::string& event = message.interests(k).event();
      if (!IsUnheard(type, event)) continue;
      place.In(message.interests(k), "interests", k)
          .Warning("event", fmt::format("no script of '{}' has on.{}",
                                        type.name, event));
    }
    for (int k = 0; k < message.timers_size(); ++k) {
      const std::string& event = message.timers(k).event();
      if (!IsUnheard(type, event) || is_named_elsewhere(event)) continue;
      place.In(message.timers(k), "timers", k)
          .Warning("event", fmt::format("no script of '{}' has on.{}",
                                        type.name, event));
    }
  }
}

}  // namespace reprise::sim
