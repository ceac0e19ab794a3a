// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/fuzzing/coverage_scope.h"

#include <algorithm>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "reprise/v1/destructible.pb.h"
#include "reprise/v1/pack.pb.h"
#include "sim/compiler/checking/pack_report.h"
#include "sim/compiler/manifest.h"
#include "sim/game_description.h"
#include "sim/state/state.h"
#include "sim/world/components/built_in_events.h"
#include "sim/world/components/event_declaration.h"
#include "sim/world/definition/system_declaration.h"

namespace reprise::tools {
namespace {

constexpr std::string_view kWorldSimulation = "world";

// A system that a pack uses has its tables in the state, or has given types a
// component.
bool IsUsed(const sim::SystemDeclaration& system,
            const sim::Simulation& start) {
  if (std::ranges::count(start.state().rooms(), system.name,
                         &sim::State::Room::name) > 0) {
    return true;
  }
  return std::ranges::any_of(
      system.components, [&start](const sim::ComponentDefinition& component) {
        return std::ranges::count(start.description().components,
                                  component.name,
                                  &sim::ComponentDescription::name) > 0;
      });
}

// Whether it stands in the description because the program knows it, and not
// because the pack, too, says where an event of this name comes from.
bool IsOneOf(std::span<const sim::EventDeclaration> declarations,
             const sim::EventDescription& event) {
  return std::ranges::any_of(
      declarations, [&event](const sim::EventDeclaration& declaration) {
        return event.name == declaration.name &&
               event.sender == declaration.sender &&
               event.receiver == declaration.receiver &&
               event.when == declaration.when;
      });
}

bool IsOfPack(const sim::EventDescription& event) {
  return !IsOneOf(sim::kBuiltInEvents, event) &&
         std::ranges::none_of(sim::RegisteredSystemDeclarations(),
                              [&event](const sim::SystemDeclaration* system) {
                                return IsOneOf(system->events, event);
                              });
}

void AddNames(std::span<const sim::EventDeclaration> declarations,
              std::set<std::string>& names) {
  for (const sim::EventDeclaration& declaration : declarations) {
    names.emplace(declaration.name);
  }
}

// The events that only the world, and systems that the pack has no use for,
// declare. Several of them may declare one name.
std::set<std::string> ForeignEvents(const sim::Simulation& start) {
  std::set<std::string> foreign;
  std::set<std::string> used;
  AddNames(sim::kBuiltInEvents, foreign);
  for (const sim::SystemDeclaration* system :
       sim::RegisteredSystemDeclarations()) {
    AddNames(system->events, IsUsed(*system, start) ? used : foreign);
  }
  for (const std::string& name : used) foreign.erase(name);
  for (const sim::EventDescription& event : start.description().events) {
    if (foreign.contains(event.name) && IsOfPack(event)) {
      foreign.erase(event.name);
    }
  }
  return foreign;
}

// The types that a pack names nowhere but where a stage of something that
// breaks takes their body.
std::set<std::string> BodyTypes(const sim::PackArchive& archive,
                                const v1::Pack& pack) {
  std::set<std::string> types;
  v1::Pack rest = pack;
  for (v1::Type& type : *rest.mutable_types()) {
    type.clear_name();
    for (v1::DestructionStage& stage :
         *type.mutable_destructible()->mutable_stages()) {
      if (!stage.body_of().empty()) types.insert(stage.body_of());
      stage.clear_body_of();
    }
  }
  const std::string bytes = rest.SerializeAsString();
  std::erase_if(types, [&](const std::string& type) {
    return bytes.find(type) != std::string::npos ||
           std::ranges::any_of(archive.files(), [&](const auto& file) {
             return file.first.ends_with(".lua") &&
                    file.second.find(type) != std::string::npos;
           });
  });
  return types;
}

}  // namespace

replays::FuzzCoverageScope CoverageScopeOf(const sim::PackArchive& pack,
                                           const sim::Simulation& start) {
  replays::FuzzCoverageScope scope;
  if (start.info().simulation != kWorldSimulation) return scope;
  scope.foreign_events = ForeignEvents(start);
  sim::PackReport report;
  const std::unique_ptr<const sim::Manifest> manifest =
      sim::ParseManifest(pack, report);
  if (manifest == nullptr) return scope;  // `start` wouldn't be there
  for (const v1::Region& region : manifest->pack.regions()) {
    scope.regions.push_back(region.name());
  }
  scope.body_types = BodyTypes(pack, manifest->pack);
  return scope;
}

}  // namespace reprise::tools
