// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/compiler/pack_compiler.h"

#include <algorithm>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fmt/format.h"
#include "sim/base/content_digest.h"
#include "sim/base/float_control.h"
#include "sim/compiler/bot_compiler.h"
#include "sim/compiler/checking/event_catalogue.h"
#include "sim/compiler/checking/event_compiler.h"
#include "sim/compiler/checking/message_checker.h"
#include "sim/compiler/component_compiler.h"
#include "sim/compiler/events/connection_compiler.h"
#include "sim/compiler/events/pack_event_language.h"
#include "sim/compiler/fuzzing_compiler.h"
#include "sim/compiler/idle_components.h"
#include "sim/compiler/manifest.h"
#include "sim/compiler/object_compiler.h"
#include "sim/compiler/placement_bounds.h"
#include "sim/compiler/player_compiler.h"
#include "sim/compiler/system_compilers.h"
#include "sim/compiler/type_compiler.h"
#include "sim/simulation_registry.h"
#include "sim/world/command_events.h"
#include "sim/world/components/built_in_events.h"
#include "sim/world/components/event_declaration.h"
#include "sim/world/definition/behaviour.h"
#include "sim/world/definition/system_declaration.h"
#include "sim/world/rules_revision.h"
#include "sim/world/world.h"
#include "sim/world/world_description.h"

namespace reprise::sim {
namespace {

constexpr std::string_view kSimulationName = "world";
constexpr uint32_t kTickRateDefault = 60;
constexpr Vector3 kGravityDefault = {0.0, -9.81, 0.0};

// More than 16 substeps a tick at 60 Hz is a step of under a millisecond.
constexpr uint32_t kSubstepsPerTickMax = 16;

void CompilePhysics(const v1::Pack& pack, const MessageChecker& checker,
                    WorldDefinition& world) {
  const v1::Physics& physics = pack.physics();
  const MessageChecker place = checker.In(physics, "physics");
  world.physics.gravity_m_s2 =
      physics.has_gravity()
          ? place.Vector("gravity", physics.gravity(), kSpeedMax)
          : kGravityDefault;
  world.physics.tick_s = world.info.tick_rate.dt();
  if (physics.substeps_per_tick() != 0) {
    world.physics.substeps =
        place.Count("substeps_per_tick", physics.substeps_per_tick(), 1,
                    kSubstepsPerTickMax);
  }
}

void CompileLimits(const v1::Pack& pack, const MessageChecker& checker,
                   WorldDefinition& world) {
  CompileEventLimits(pack.limits(), checker.In(pack.limits(), "limits"),
                     world.event_limits);
  const v1::Limits& limits = pack.limits();
  world.objects_max =
      limits.objects_max() == 0
          ? kObjectsMax
          : checker.In(limits, "limits")
                .Count("objects_max", limits.objects_max(), 1, kObjectsMax);
}

// Registers every name that an id in the state or an event may stand for. Two
// names of one id are a problem of the pack.
void CompileNames(const MessageChecker& checker,
                  const std::set<std::string>& words, WorldDefinition& world) {
  const auto add = [&](std::string_view field, const std::string& name) {
    if (name.empty()) return;  // reported as a bad name already
    const absl::Status status = world.names.Add(name);
    if (!status.ok()) checker.Problem(field, std::string(status.message()));
  };
  for (const std::string_view name : WorldNames()) {
    add("name", std::string(name));
  }
  for (const SystemDeclaration* system : RegisteredSystemDeclarations()) {
    for (const EventDeclaration& event : system->events) {
      add("name", std::string(event.name));
      for (const ArgumentDeclaration& argument : event.described_arguments()) {
        add("name", std::string(argument.name));
      }
    }
    for (const std::string_view word : system->words) {
      add("name", std::string(word));
    }
    for (const RequestKind& kind : system->requests) {
      add("name", std::string(kind.name));
    }
  }
  for (const EventDescription& event : RegisteredEvents()) {
    add("name", event.name);
    for (const EventArgumentDescription& argument : event.arguments) {
      add("name", argument.name);
    }
  }
  for (const std::string& word : RegisteredWords()) add("name", word);
  for (const std::string& word : words) add("components", word);
  for (const Action& action : world.info.inputs.actions) {
    add("players", action.name);
    for (const ActionArgument& argument : action.arguments) {
      for (const std::string& name : EventNamesOf(argument)) {
        add("players", name);
      }
      for (const std::string& choice : argument.choices) {
        add("players", choice);
      }
    }
  }
  for (const ArchetypeDefinition& archetype : world.archetypes) {
    add("types", archetype.name);
  }
  for (const ObjectDefinition& object : world.objects) {
    add("objects", object.name);
  }
  for (const ObjectDefinition& object : world.passing_objects) {
    add("objects", object.name);
  }
}

std::set<std::string_view> NamesOfSystems(const WorldDefinition& world) {
  std::set<std::string_view> names;
  for (const auto& system : world.systems) {
    names.insert(system->declaration().name);
  }
  return names;
}

// Whether code of the program may send events that it doesn't tell of.
bool HasBehaviours(const WorldDefinition& world) {
  return std::ranges::any_of(world.types, [](const TypeDefinition& type) {
    return !type.behaviours.empty();
  });
}

// The same of hearing of them.
bool HasHandlers(const WorldDefinition& world) {
  return std::ranges::any_of(world.types, [](const TypeDefinition& type) {
    return std::ranges::any_of(type.behaviours, [](const BehaviourUse& use) {
      return use.behaviour->hooks().on_event;
    });
  });
}

void CompileInfo(const PackArchive& archive, const v1::Pack& pack,
                 const MessageChecker& checker, uint64_t seed,
                 SimulationInfo& info) {
  info.simulation = kSimulationName;
  info.pack = checker.Name("name", pack.name());
  const std::string encoded = archive.Encode();
  const auto bytes = std::as_bytes(std::span(encoded));
  info.pack_digest = ContentDigestOf(bytes);
  info.old_pack_digest = ContentDigestOf(bytes, ContentHash::kXxh3);
  info.seed = seed;
  info.rules_revision = kWorldRulesRevision;
  info.phases = WorldPhaseNames();
  info.tick_rate.ticks_per_second =
      pack.tick_rate() == 0
          ? kTickRateDefault
          : checker.Count("tick_rate", pack.tick_rate(), 1, kTickRateMax);
  if (!ValidateTickRate(info.tick_rate).ok()) info.tick_rate = {};  // reported
  if (!pack.simulation().empty() && pack.simulation() != kSimulationName) {
    checker.Problem(
        "simulation",
        fmt::format("'{}' is not '{}'", pack.simulation(), kSimulationName));
  }
  info.inputs = CompilePlayers(pack, checker);
}

}  // namespace

std::shared_ptr<const WorldDefinition> CompilePack(const PackArchive& archive,
                                                   uint64_t seed,
                                                   PackReport& report) {
  const ScopedFloatControl float_control;
  const std::unique_ptr<const Manifest> manifest =
      ParseManifest(archive, report);
  if (manifest == nullptr) return nullptr;
  const v1::Pack& pack = manifest->pack;
  const MessageChecker checker(pack, PackPlace(manifest->places), report);

  auto world = std::make_shared<WorldDefinition>();
  CompileInfo(archive, pack, checker, seed, world->info);
  CompilePhysics(pack, checker, *world);
  CompileLimits(pack, checker, *world);
  CompileClock(pack, checker, *world);
  std::set<std::string> words;
  EventCatalogue events(pack, world->info.inputs, checker, words);
  const PackEventLanguage language(events, words, *world);
  const SystemCompilers systems(pack, archive, checker, events, language, words,
                                *world);
  world->components =
      CompileComponents(pack, checker, systems.WantedComponents(), words);
  CompileTypes(pack, checker, archive, systems, events, words, *world);
  systems.CompilePack();
  CompileObjects(pack, checker, systems, words, *world);
  CheckPlacements(pack, checker, *world);
  systems.CompileObjects();
  CompileConnections(pack, checker, events, words, *world);
  PlayerSenses senses = CompileSenses(pack, checker, events, *world);
  std::vector<BotDescription> bots =
      CompileBots(pack, archive, checker, report.policy().is_author, *world);
  FuzzingDescription fuzzing =
      CompileFuzzing(pack, checker, world->info.inputs, events);
  events.WarnOfUnused(HasBehaviours(*world), HasHandlers(*world));
  world->declared_events = events.declared();
  CompileNames(checker, words, *world);
  systems.CheckUnread();
  if (!report.ok()) return nullptr;

  // What the checks above let through has to be what physics can simulate.
  const absl::Status status = ValidatePhysicsDefinition(world->physics);
  if (!status.ok()) {
    checker.Problem("physics", std::string(status.message()));
    return nullptr;
  }
  systems.Finish();
  if (!report.ok()) return nullptr;
  WarnOfIdleComponents(pack, checker, *world);
  events.WarnOfAbsentSystems(NamesOfSystems(*world), HasHandlers(*world));
  world->description = DescribeWorld(*world);
  world->description.bots = std::move(bots);
  world->description.fuzzing = std::move(fuzzing);
  world->description.senses = std::move(senses);
  return world;
}

absl::StatusOr<std::unique_ptr<Simulation>> CreateWorld(const PackArchive& pack,
                                                        uint64_t seed) {
  // A world begins with the same numbers however its caller rounds.
  const ScopedFloatControl float_control;
  PackReport report;
  std::shared_ptr<const WorldDefinition> definition =
      CompilePack(pack, seed, report);
  if (definition == nullptr) return report.ToStatus();
  return std::make_unique<World>(std::move(definition));
}

REPRISE_REGISTER_SIMULATION(world, kSimulationName, &CreateWorld);

}  // namespace reprise::sim
