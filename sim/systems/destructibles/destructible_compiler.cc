// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/systems/destructibles/destructible_compiler.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <span>

#include "fmt/format.h"
#include "sim/compiler/checking/event_compiler.h"
#include "sim/world/components/component.h"

namespace reprise::sim {
namespace {

constexpr std::string_view kComponent = "destructible";
constexpr std::string_view kDestroyed = "destroyed";

// The body of a type that contacts can push; null, and a problem, without one.
const BodyKind* PushedBody(std::string_view field,
                           const MessageChecker& checker,
                           const WorldDefinition& world,
                           const TypeDefinition& type) {
  const BodyKind* const body = type.body_kind.has_value()
                                   ? &world.physics.kinds[*type.body_kind]
                                   : nullptr;
  if (body == nullptr || body->is_trigger) {
    checker.Problem(field, "needs a body that isn't a trigger");
    return nullptr;
  }
  return body;
}

// Gives the type the component, with the health that it begins with.
void UseComponent(double health, const WorldDefinition& world,
                  TypeDefinition& type, uint32_t component) {
  const ComponentDefinition& definition = world.components[component];
  auto found = std::ranges::lower_bound(type.components, component, {},
                                        &ComponentUse::component);
  if (found == type.components.end() || found->component != component) {
    found = type.components.insert(
        found, {.component = component, .row = DefaultRow(definition)});
  }
  WriteProperty(definition, *definition.Find("health"),
                std::array{FieldValue::OfDouble(health)}, found->row);
}

void CompileStages(const v1::Destructible& message,
                   const MessageChecker& checker, std::set<std::string>& words,
                   DestructibleDefinition& compiled) {
  if (static_cast<size_t>(message.stages_size()) > kDestructionStagesMax) {
    checker.Problem("stages",
                    fmt::format("{}, and at most {} are possible",
                                message.stages_size(), kDestructionStagesMax));
    return;
  }
  double health = message.health();
  std::set<std::string> names = {std::string(kDestroyed)};
  for (int i = 0; i < message.stages_size(); ++i) {
    const v1::DestructionStage& stage = message.stages(i);
    const MessageChecker place = checker.In(stage, "stages", i);
    const std::string& name = place.Name("name", stage.name());
    if (!names.insert(name).second) {
      place.Problem("name", fmt::format("there is a stage '{}' already", name));
    }
    words.insert(name);
    const double health_max = place.Positive("health_max", stage.health_max());
    if (health_max >= health) {
      place.Problem("health_max", "has to be less than before");
    }
    health = health_max;
    compiled.stages.push_back({.name = IdOf(name), .health_max = health_max});
  }
}

void CompileDebris(const v1::Destructible& message,
                   const MessageChecker& checker,
                   DestructibleDefinition& compiled) {
  if (static_cast<size_t>(message.debris_size()) > kDebrisMax) {
    checker.Problem("debris",
                    fmt::format("{} pieces, and at most {} are possible",
                                message.debris_size(), kDebrisMax));
    return;
  }
  for (int i = 0; i < message.debris_size(); ++i) {
    const v1::Debris& debris = message.debris(i);
    const MessageChecker place = checker.In(debris, "debris", i);
    compiled.debris.push_back(
        {.archetype = IdOf(debris.archetype()),
         .place = {.position = place.Vector("position", debris.position(),
                                            kPositionMaxM),
                   .rotation = place.Rotation("rotation_degrees",
                                              debris.rotation_degrees())},
         .linear_velocity_m_s =
             place.Vector("velocity", debris.velocity(), kSpeedMax)});
  }
}

// What is known once all types are.
class Finisher {
 public:
  Finisher(const v1::Pack& pack, const MessageChecker& checker,
           WorldDefinition& world)
      : pack_(pack), checker_(checker), world_(world) {
    for (int i = 0; i < pack.types_size(); ++i) {
      indexes_.emplace(pack.types(i).name(), i);
    }
  }

  void Finish(TypeDefinition& type) {
    // The type itself, or the nearest that it extends, says how it breaks.
    std::string name = type.name;
    for (size_t i = 0; i <= type.bases.size(); ++i) {
      const auto found = indexes_.find(name);
      if (found == indexes_.end()) return;  // reported as a bad name
      const v1::Type& message = pack_.types(found->second);
      if (message.has_destructible()) {
        FinishAs(message.destructible(),
                 checker_.In(message, "types", found->second)
                     .In(message.destructible(), "destructible"),
                 type);
        return;
      }
      name = message.extends();
    }
  }

 private:
  void FinishAs(const v1::Destructible& message, const MessageChecker& checker,
                TypeDefinition& type) {
    DestructibleDefinition& destructible = *type.destructible;
    if (!type.body_kind.has_value()) return;  // reported
    uint32_t kind = *type.body_kind;
    for (size_t i = 0; i < destructible.stages.size(); ++i) {
      const v1::DestructionStage& stage = message.stages(static_cast<int>(i));
      if (!stage.body_of().empty()) {
        kind = KindOf(stage.body_of(), type,
                      checker.In(stage, "stages", static_cast<int>(i)));
      }
      destructible.stages[i].body_kind = kind;
    }
    for (size_t i = 0; i < destructible.debris.size(); ++i) {
      if (world_.FindArchetype(destructible.debris[i].archetype)) continue;
      const v1::Debris& debris = message.debris(static_cast<int>(i));
      checker.In(debris, "debris", static_cast<int>(i))
          .NoSuch("archetype", "type or archetype", debris.archetype());
    }
  }

  uint32_t KindOf(const std::string& name, const TypeDefinition& type,
                  const MessageChecker& checker) const {
    const std::optional<uint32_t> other = world_.FindType(IdOf(name));
    if (!other.has_value() || !world_.types[*other].body_kind.has_value()) {
      checker.Problem("body_of",
                      fmt::format("there is no type '{}' with a body", name));
      return *type.body_kind;
    }
    const uint32_t kind = *world_.types[*other].body_kind;
    const BodyKind& before = world_.physics.kinds[*type.body_kind];
    const BodyKind& after = world_.physics.kinds[kind];
    if (type.character.has_value() || type.vehicle.has_value()) {
      checker.Problem("body_of", "characters and vehicles keep their bodies");
    }
    if (before.motion != after.motion || before.is_trigger ||
        after.is_trigger) {
      checker.Problem("body_of",
                      fmt::format("the body of '{}' has another motion", name));
    }
    return kind;
  }

  const v1::Pack& pack_;
  const MessageChecker& checker_;
  WorldDefinition& world_;
  std::map<std::string, int> indexes_;
};

// Whether a body of that kind could have contacts.
bool CanBeTouched(const BodyKind& kind, const PhysicsDefinition& physics) {
  if (kind.motion == Motion::kDynamic) return true;
  const auto filter_of = [&](const BodyKind& each) {
    return UnionFilter(each, physics.shapes[each.shape]);
  };
  const CollisionFilter filter = filter_of(kind);
  // A body without shapes is on no layer, and was reported.
  if (filter.layers == 0) return true;
  return std::ranges::any_of(physics.kinds, [&](const BodyKind& other) {
    return other.motion == Motion::kDynamic &&
           CanMeet(filter, filter_of(other));
  });
}

// Reports types that want to hear of contacts though no body can have one with
// theirs, whatever stage it is in.
void CheckContactEvents(const v1::Pack& pack, const MessageChecker& checker,
                        const WorldDefinition& world) {
  const PhysicsDefinition& physics = world.physics;
  for (int i = 0; i < pack.types_size(); ++i) {
    const v1::Type& message = pack.types(i);
    const std::optional<uint32_t> index = world.FindType(IdOf(message.name()));
    if (!index.has_value()) continue;
    const TypeDefinition& type = world.types[*index];
    // Others were reported, or ask for none.
    if (!type.contact_events.has_value() || !type.body_kind.has_value()) {
      continue;
    }
    std::vector<uint32_t> kinds = {*type.body_kind};
    if (type.destructible.has_value()) {
      for (const DestructionStage& stage : type.destructible->stages) {
        kinds.push_back(stage.body_kind);
      }
    }
    const auto can_hear = [&](uint32_t kind) {
      return CanBeTouched(physics.kinds[kind], physics);
    };
    if (std::ranges::any_of(kinds, can_hear)) continue;
    checker.In(message, "types", i)
        .Problem("contact_events",
                 "the pack has no dynamic body that could touch it");
  }
}

}  // namespace

void CompileDestructible(const v1::Type& message, const MessageChecker& checker,
                         const WorldDefinition& world,
                         std::set<std::string>& words, TypeDefinition& type) {
  if (!message.has_destructible()) return;
  const v1::Destructible& destructible = message.destructible();
  const MessageChecker place = checker.In(destructible, "destructible");
  if (PushedBody("destructible", checker, world, type) == nullptr) return;
  const std::optional<uint32_t> component =
      world.FindComponent(IdOf(kComponent));
  if (!component.has_value()) return;  // a component of this name is reported
  DestructibleDefinition& compiled = type.destructible.emplace();
  compiled.component = *component;
  compiled.impulse_min_n_s = place.Number(
      "impulse_min_ns", destructible.impulse_min_ns(), 0.0, kMagnitudeMax);
  if (destructible.damage_per_ns() != 0.0) {
    compiled.damage_per_n_s =
        place.Positive("damage_per_ns", destructible.damage_per_ns());
  }
  CompileStages(destructible, place, words, compiled);
  CompileDebris(destructible, place, compiled);
  UseComponent(place.Positive("health", destructible.health()), world, type,
               *component);
}

void CompileContactEvents(const v1::Type& message,
                          const MessageChecker& checker,
                          const WorldDefinition& world, TypeDefinition& type) {
  if (!message.has_contact_events()) return;
  const v1::ContactEvents& events = message.contact_events();
  const MessageChecker place = checker.In(events, "contact_events");
  if (PushedBody("contact_events", checker, world, type) == nullptr) return;
  ContactEventsDefinition& compiled = type.contact_events.emplace();
  compiled.begin = events.begin();
  compiled.end = events.end();
  const Tick period = CompileSeconds("stay_period_s", events.stay_period_s(),
                                     world.info.tick_rate, place);
  if (events.stay_period_s() != 0.0) {
    compiled.stay_period = std::max(period, Tick{1});
  }
  compiled.impulse_min_n_s = place.Number(
      "impulse_min_ns", events.impulse_min_ns(), 0.0, kMagnitudeMax);
}

void FinishDestructibles(const v1::Pack& pack, const MessageChecker& checker,
                         WorldDefinition& world) {
  Finisher finisher(pack, checker, world);
  for (TypeDefinition& type : world.types) {
    if (type.destructible.has_value()) finisher.Finish(type);
    world.follows_contacts |=
        type.contact_events.has_value() || type.destructible.has_value();
  }
  CheckContactEvents(pack, checker, world);
}

}  // namespace reprise::sim
