// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/fuzzing/coverage_scope.h"

#include <algorithm>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "reprise/v1/pack.pb.h"
#include "sim/base/state.h"
#include "sim/compiler/checking/pack_report.h"
#include "sim/compiler/manifest.h"
#include "sim/game_description.h"
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

// Whether the pack, too, says of an event of this name where it comes from.
bool IsOfPack(const sim::EventDeclaration& declaration,
              const sim::GameDescription& game) {
  return std::ranges::any_of(
      game.events, [&declaration](const sim::EventDescription& event) {
        return event.name == declaration.name &&
               (event.sender != declaration.sender ||
                event.receiver != declaration.receiver ||
                event.when != declaration.when);
      });
}

void AddForeign(std::span<const sim::EventDeclaration> declarations,
                const sim::GameDescription& game,
                std::set<std::string>& foreign) {
  for (const sim::EventDeclaration& declaration : declarations) {
    if (!IsOfPack(declaration, game)) foreign.emplace(declaration.name);
  }
}

}  // namespace

replays::FuzzCoverageScope CoverageScopeOf(const sim::PackArchive& pack,
                                           const sim::Simulation& start) {
  replays::FuzzCoverageScope scope;
  if (start.info().simulation != kWorldSimulation) return scope;
  const sim::GameDescription& game = start.description();
  AddForeign(sim::kBuiltInEvents, game, scope.foreign_events);
  for (const sim::SystemDeclaration* system :
       sim::RegisteredSystemDeclarations()) {
    if (IsUsed(*system, start)) continue;
    AddForeign(system->events, game, scope.foreign_events);
  }
  sim::PackReport report;
  const std::unique_ptr<const sim::Manifest> manifest =
      sim::ParseManifest(pack, report);
  if (manifest == nullptr) return scope;  // `start` wouldn't be there
  for (const v1::Region& region : manifest->pack.regions()) {
    scope.regions.push_back(region.name());
  }
  return scope;
}

}  // namespace reprise::tools
