// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Compiles how the objects of types break.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fmt/format.h"
#include "fmt/ranges.h"
#include "reprise/v1/destructible.pb.h"
#include "reprise/v1/pack.pb.h"
#include "sim/base/math.h"
#include "sim/compiler/checking/message_checker.h"
#include "sim/compiler/checking/system_compiler.h"
#include "sim/geometry/vector3.h"
#include "sim/systems/characters/character_use.h"
#include "sim/systems/destructibles/destructible_definition.h"
#include "sim/systems/destructibles/destructible_rows.h"
#include "sim/systems/destructibles/destructible_system.h"
#include "sim/systems/vehicles/vehicle_use.h"
#include "sim/world/components/component.h"
#include "sim/world/definition/world_definition.h"

namespace reprise::sim {
namespace {

// Whether the type has a body that contacts can push.
bool HasPushedBody(const WorldDefinition& world, const TypeDefinition& type) {
  return type.body_kind.has_value() &&
         !world.physics.kinds[*type.body_kind].is_trigger;
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
  std::set<std::string> names = {std::string(kDestroyedStageName)};
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

class DestructibleCompiler final : public SystemCompiler {
 public:
  using SystemCompiler::SystemCompiler;

  bool WantsComponents(const v1::Type& type) override {
    return type.has_destructible();
  }

  void CompileType(const v1::Type& message, const MessageChecker& checker,
                   TypeDefinition& type) override {
    if (!message.has_destructible()) return;
    const v1::Destructible& destructible = message.destructible();
    const MessageChecker place = checker.In(destructible, "destructible");
    // Nothing of an inherited one is left, whatever is reported.
    type.parts.Set(DestructibleDefinition{});
    if (!HasPushedBody(world(), type)) {
      checker.Problem("destructible", "needs a body that isn't a trigger");
      return;
    }
    const std::optional<uint32_t> component =
        world().FindComponent(IdOf(DestructibleRow::kTable));
    // A component of the pack's with this name is reported.
    if (!component.has_value()) return;
    DestructibleDefinition compiled{.component = *component};
    compiled.impulse_min_n_s = place.Number(
        "impulse_min_ns", destructible.impulse_min_ns(), 0.0, kMagnitudeMax);
    if (destructible.damage_per_ns() != 0.0) {
      compiled.damage_per_n_s =
          place.Positive("damage_per_ns", destructible.damage_per_ns());
    }
    CompileStages(destructible, place, words(), compiled);
    CompileDebris(destructible, place, compiled);
    UseComponent(place.Positive("health", destructible.health()), world(), type,
                 *component);
    type.parts.Set(std::move(compiled));
    definition_ = std::make_shared<DestructiblesDefinition>();
  }

  // Finds the bodies of stages and the archetypes of debris.
  void CompilePack() override {
    std::map<std::string, int> indexes;
    for (int i = 0; i < pack().types_size(); ++i) {
      indexes.emplace(pack().types(i).name(), i);
    }
    for (TypeDefinition& type : world().types) {
      if (const auto* part = type.parts.Find<DestructibleDefinition>()) {
        FinishType(*part, indexes, type);
      }
    }
  }

  void Finish() override {
    for (int i = 0; i < pack().types_size(); ++i) {
      WarnOfWeight(pack().types(i), checker().In(pack().types(i), "types", i));
    }
    WarnOfRings();
  }

  std::shared_ptr<const SystemDefinition> definition() const override {
    return definition_;
  }

 private:
  // Goes from type to type by their debris; each is looked at once.
  void WarnOfRings() const {
    enum class Seen { kNot, kOpen, kDone };
    std::vector<Seen> seen(world().types.size(), Seen::kNot);
    struct Step {
      uint32_t type;
      size_t next = 0;  // of its debris
    };
    std::vector<Step> way;
    std::set<std::string_view> told;
    for (uint32_t first = 0; first < seen.size(); ++first) {
      if (seen[first] == Seen::kNot) way.push_back({.type = first});
      while (!way.empty()) {
        Step& step = way.back();
        seen[step.type] = Seen::kOpen;
        const auto* const part =
            world().types[step.type].parts.Find<DestructibleDefinition>();
        if (part == nullptr || step.next == part->debris.size()) {
          seen[step.type] = Seen::kDone;
          way.pop_back();
          continue;
        }
        const std::optional<uint32_t> archetype =
            world().FindArchetype(part->debris[step.next++].archetype);
        if (!archetype.has_value()) continue;  // reported
        const uint32_t type = world().archetypes[*archetype].type;
        if (seen[type] == Seen::kNot) {
          way.push_back({.type = type});
        } else if (seen[type] == Seen::kOpen) {
          const auto from = std::ranges::find(way, type, &Step::type);
          std::vector<std::string_view> names;
          for (auto each = from; each != way.end(); ++each) {
            names.push_back(world().types[each->type].name);
          }
          names.push_back(world().types[type].name);
          WarnOfRing(names, told);
        }
      }
    }
  }

  // At the type of the ring that says first of all how it breaks, once for
  // each.
  void WarnOfRing(std::span<const std::string_view> names,
                  std::set<std::string_view>& told) const {
    for (int i = 0; i < pack().types_size(); ++i) {
      const v1::Type& message = pack().types(i);
      if (!message.has_destructible() ||
          std::ranges::find(names, message.name()) == names.end()) {
        continue;
      }
      if (!told.insert(message.name()).second) return;
      checker()
          .In(message, "types", i)
          .In(message.destructible(), "destructible")
          .Warning("debris", fmt::format("debris breaks into debris without "
                                         "end: {}",
                                         fmt::join(names, " -> ")));
      return;
    }
  }

  // What lies on something is pressed against it by its own weight, tick by
  // tick.
  void WarnOfWeight(const v1::Type& message,
                    const MessageChecker& place) const {
    const TypeDefinition& type =
        world().types[*world().FindType(IdOf(message.name()))];
    const auto* const part = type.parts.Find<DestructibleDefinition>();
    if (part == nullptr || !type.body_kind.has_value()) return;
    if (!message.has_destructible() && !message.has_body()) return;  // its base
    const BodyKind& kind = world().physics.kinds[*type.body_kind];
    if (kind.motion != Motion::kDynamic) return;
    const double weight_n = kind.mass_kg * Abs(kind.gravity_scale) *
                            Length(world().physics.gravity_m_s2);
    const double impulse_n_s = weight_n * world().physics.tick_s;
    if (impulse_n_s <= part->impulse_min_n_s) return;
    const MessageChecker at =
        message.has_destructible()
            ? place.In(message.destructible(), "destructible")
            : place;
    at.Warning(
        message.has_destructible() ? "impulse_min_ns" : "body",
        fmt::format("its own weight of {:.3g} N breaks it wherever it lies: at "
                    "{} ticks a second that is {:.3g} N s in each tick, and "
                    "{:.3g} N s do no damage",
                    weight_n, world().info.tick_rate.ticks_per_second,
                    impulse_n_s, part->impulse_min_n_s));
  }

  void FinishType(const DestructibleDefinition& destructible,
                  const std::map<std::string, int>& indexes,
                  TypeDefinition& type) const {
    if (!type.body_kind.has_value()) return;  // reported
    // The type itself, or the nearest that it extends, says how it breaks.
    std::string name = type.name;
    for (size_t i = 0; i <= type.bases.size(); ++i) {
      const auto found = indexes.find(name);
      if (found == indexes.end()) return;  // reported as a bad name
      const v1::Type& message = pack().types(found->second);
      if (message.has_destructible()) {
        const MessageChecker place =
            checker()
                .In(message, "types", found->second)
                .In(message.destructible(), "destructible");
        ChooseBodies(destructible, message.destructible(), place, type);
        CheckDebris(destructible, message.destructible(), place);
        return;
      }
      name = message.extends();
    }
  }

  void ChooseBodies(const DestructibleDefinition& destructible,
                    const v1::Destructible& message,
                    const MessageChecker& place, TypeDefinition& type) const {
    BodyChoice choice{.component = destructible.component,
                      .offset = offsetof(DestructibleRow, stage)};
    uint32_t kind = *type.body_kind;
    for (size_t i = 0; i < destructible.stages.size(); ++i) {
      const v1::DestructionStage& stage = message.stages(static_cast<int>(i));
      if (!stage.body_of().empty()) {
        kind = KindOf(stage.body_of(), type,
                      place.In(stage, "stages", static_cast<int>(i)));
      }
      choice.kinds.push_back(kind);
      choice.names.push_back(destructible.stages[i].name);
    }
    type.body_choice = std::move(choice);
  }

  void CheckDebris(const DestructibleDefinition& destructible,
                   const v1::Destructible& message,
                   const MessageChecker& place) const {
    for (size_t i = 0; i < destructible.debris.size(); ++i) {
      if (world().FindArchetype(destructible.debris[i].archetype)) continue;
      const v1::Debris& debris = message.debris(static_cast<int>(i));
      place.In(debris, "debris", static_cast<int>(i))
          .NoSuch("archetype", "type or archetype", debris.archetype());
    }
  }

  // The kind of body of the type `name`, which one of `type` becomes.
  uint32_t KindOf(const std::string& name, const TypeDefinition& type,
                  const MessageChecker& place) const {
    const std::optional<uint32_t> other = world().FindType(IdOf(name));
    if (!other.has_value() || !world().types[*other].body_kind.has_value()) {
      place.Problem("body_of",
                    fmt::format("there is no type '{}' with a body", name));
      return *type.body_kind;
    }
    const uint32_t kind = *world().types[*other].body_kind;
    const BodyKind& before = world().physics.kinds[*type.body_kind];
    const BodyKind& after = world().physics.kinds[kind];
    if (type.parts.Find<CharacterUse>() != nullptr ||
        type.parts.Find<VehicleUse>() != nullptr) {
      place.Problem("body_of", "characters and vehicles keep their bodies");
    }
    if (before.motion != after.motion || before.is_trigger ||
        after.is_trigger) {
      place.Problem("body_of",
                    fmt::format("the body of '{}' has another motion", name));
    }
    return kind;
  }

  std::shared_ptr<const DestructiblesDefinition> definition_;
};

}  // namespace

REPRISE_REGISTER_SYSTEM(destructibles,
                        MakeSystemModule<DestructibleCompiler>(
                            DestructiblesDeclaration(), {"Type.destructible"}));

}  // namespace reprise::sim
