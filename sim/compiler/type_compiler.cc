// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/compiler/type_compiler.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "fmt/format.h"
#include "sim/compiler/bodies/body_compiler.h"
#include "sim/compiler/checking/event_compiler.h"
#include "sim/compiler/component_compiler.h"
#include "sim/compiler/object_compiler.h"
#include "sim/compiler/reading/value_text.h"
#include "sim/compiler/type_inheritance.h"
#include "sim/world/components/component.h"
#include "sim/world/components/property_value.h"
#include "sim/world/definition/behaviour.h"

namespace reprise::sim {
namespace {

// Four and a half hours at 60 Hz: more is a timer's business.
constexpr uint32_t kEveryTicksMax = 1000000;

// Adds the components that a type names to those that it inherits.
void CompileComponentUses(const v1::Type& message,
                          const MessageChecker& checker,
                          const WorldDefinition& world,
                          std::set<std::string>& words, TypeDefinition& type) {
  std::set<std::string> names;
  for (int i = 0; i < message.components_size(); ++i) {
    const v1::ComponentUse& use = message.components(i);
    const MessageChecker place = checker.In(use, "components", i);
    const std::optional<uint32_t> component =
        world.FindComponent(IdOf(use.component()));
    if (!component.has_value()) {
      place.NoSuch("component", "component", use.component());
      continue;
    }
    if (!names.insert(use.component()).second) {
      place.Problem("component",
                    fmt::format("'{}' stands there twice", use.component()));
      continue;
    }
    auto found = std::ranges::lower_bound(type.components, *component, {},
                                          &ComponentUse::component);
    if (found == type.components.end() || found->component != *component) {
      found = type.components.insert(
          found, {.component = *component,
                  .row = DefaultRow(world.components[*component])});
    }
    CompileSettings(
        use, world.components[*component], place,
        {.components = world.components, .find_object = {}, .words = &words},
        /*mark_overridden=*/false, found->row);
  }
}

// The value that a setting gives a parameter; nullopt after reporting why it
// gives none.
std::optional<PropertyValue> CompileParameter(
    const v1::ParameterSetting& setting, const PropertyDefinition& definition,
    const MessageChecker& checker, std::set<std::string>& words) {
  v1::Value value = setting.value();
  std::string_view field = "value";
  if (setting.has_value() && setting.to_size() > 0) {
    checker.Problem("to", "a value stands there, too");
    return std::nullopt;
  }
  const bool is_list = definition.capacity > 0;
  if (!setting.has_value()) {
    field = "to";
    const std::vector<std::string> texts(setting.to().begin(),
                                         setting.to().end());
    absl::StatusOr<v1::Value> parsed =
        ParseValueTexts(definition.type, is_list, texts);
    if (!parsed.ok()) {
      checker.Problem("to",
                      fmt::format("'{}': {}", setting.name(),
                                  std::string(parsed.status().message())));
      return std::nullopt;
    }
    value = *std::move(parsed);
  }
  const std::vector<FieldValue> scalars =
      CompileValue(definition, value, field, checker,
                   {.components = {}, .find_object = {}, .words = &words});
  const bool is_empty_list =
      is_list && value.has_list() && value.list().values().empty();
  if (scalars.empty() && !is_empty_list) return std::nullopt;  // reported
  return PropertyValue::OfScalars(definition.type, is_list, scalars);
}

// Of each parameter that a behaviour declares what the type sets it to, or its
// default.
std::vector<ParameterValue> CompileParameters(
    const v1::BehaviourUse& use,
    std::span<const ParameterDeclaration> declarations,
    const MessageChecker& checker, std::set<std::string>& words) {
  std::vector<ParameterValue> values;
  std::vector<std::string> names;
  for (const ParameterDeclaration& declaration : declarations) {
    values.push_back(
        {.name = declaration.name, .value = declaration.default_value});
    names.emplace_back(declaration.name);
    words.insert(declaration.choices.begin(), declaration.choices.end());
  }
  std::set<std::string> seen;
  for (int i = 0; i < use.parameters_size(); ++i) {
    const v1::ParameterSetting& setting = use.parameters(i);
    const MessageChecker place = checker.In(setting, "parameters", i);
    const auto found = std::ranges::find(declarations, setting.name(),
                                         &ParameterDeclaration::name);
    if (found == declarations.end()) {
      place.Problem(
          "name", fmt::format("'{}' has no parameter '{}'{}",
                              use.file().empty() ? use.behaviour() : use.file(),
                              setting.name(),
                              place.SuggestionFor(setting.name(), names)));
      continue;
    }
    if (!seen.insert(setting.name()).second) {
      place.Problem("name", fmt::format("'{}' is set twice", setting.name()));
      continue;
    }
    std::optional<PropertyValue> value =
        CompileParameter(setting, DefinitionOf(*found), place, words);
    if (!value.has_value()) continue;
    values[found - declarations.begin()].value = *std::move(value);
  }
  return values;
}

// The behaviour that a type uses: one of the program, or a file of the pack.
// Null after a problem.
std::unique_ptr<Behaviour> MakeUsed(const v1::BehaviourUse& use,
                                    const SystemCompilers& systems,
                                    const MessageChecker& checker) {
  if (!use.file().empty()) {
    if (!use.behaviour().empty()) {
      checker.Problem("file", "a behaviour stands there, too");
      return nullptr;
    }
    return systems.MakeBehaviour(use, checker);
  }
  if (use.modules_size() > 0) {
    checker.Problem("modules", "a behaviour of the program has none");
  }
  std::unique_ptr<Behaviour> behaviour = MakeBehaviour(use.behaviour());
  if (behaviour == nullptr) {
    checker.NoSuch("behaviour", "behaviour", use.behaviour());
  }
  return behaviour;
}

// Adds the behaviours that a type names to those that it inherits; one of the
// same name takes the place of the inherited one.
void CompileBehaviourUses(const v1::Type& message,
                          const MessageChecker& checker,
                          const WorldDefinition& world,
                          const SystemCompilers& systems,
                          std::set<std::string>& words, TypeDefinition& type) {
  std::vector<uint32_t> components;
  for (const ComponentUse& use : type.components) {
    components.push_back(use.component);
  }
  std::set<std::string> names;
  for (int i = 0; i < message.behaviours_size(); ++i) {
    const v1::BehaviourUse& use = message.behaviours(i);
    const MessageChecker place = checker.In(use, "behaviours", i);
    const bool is_file = !use.file().empty();
    const std::string& name = is_file ? use.file() : use.behaviour();
    const std::string_view field = is_file ? "file" : "behaviour";
    if (!names.insert(name).second) {
      place.Problem(field, fmt::format("'{}' stands there twice", name));
      continue;
    }
    std::unique_ptr<Behaviour> behaviour = MakeUsed(use, systems, place);
    if (behaviour == nullptr) continue;
    const std::vector<ParameterDeclaration> declarations =
        behaviour->parameters();
    const std::vector<ParameterValue> parameters =
        CompileParameters(use, declarations, place, words);
    const BehaviourBinder binder(world.components, components, parameters);
    if (absl::Status status = behaviour->Bind(binder); !status.ok()) {
      place.Problem(field, std::string(status.message()));
      continue;
    }
    BehaviourUse compiled{.name = name,
                          .behaviour = std::move(behaviour),
                          .is_spread = use.spread()};
    if (use.every_ticks() != 0) {
      compiled.every_ticks =
          place.Count("every_ticks", use.every_ticks(), 1, kEveryTicksMax);
    }
    compiled.offset =
        place.Count("offset_ticks", use.offset_ticks(), 0,
                    static_cast<uint32_t>(compiled.every_ticks - 1));
    const auto inherited =
        std::ranges::find(type.behaviours, compiled.name, &BehaviourUse::name);
    if (inherited != type.behaviours.end()) {
      *inherited = std::move(compiled);
    } else {
      type.behaviours.push_back(std::move(compiled));
    }
  }
}

// Compiles types in an order in which each comes after the one that it extends.
class TypeCompiler {
 public:
  TypeCompiler(const v1::Pack& pack, const MessageChecker& checker,
               const PackArchive& archive, const SystemCompilers& systems,
               EventCatalogue& events, std::set<std::string>& words,
               WorldDefinition& world)
      : pack_(pack),
        checker_(checker),
        bodies_(pack, checker, archive),
        systems_(systems),
        events_(events),
        words_(words),
        world_(world) {
    for (int i = 0; i < pack.types_size(); ++i) {
      const std::string& name = pack.types(i).name();
      if (!indexes_.emplace(name, i).second) {
        Place(i).Problem("name", fmt::format("there are two types '{}'", name));
      }
    }
  }

  void Compile() {
    std::map<std::string, TypeDefinition> types;
    std::vector<std::string> extending;
    for (const auto& [name, index] : indexes_) {
      CompileType(index, extending, types);
    }
    for (auto& [name, type] : types) world_.types.push_back(std::move(type));
  }

 private:
  MessageChecker Place(int index) const {
    return checker_.In(pack_.types(index), "types", index);
  }

  // The type of the manifest's `index`; nullptr when its ancestors make a ring,
  // or are too many. `extending` are the names of those that wait for it.
  const TypeDefinition* CompileType(
      int index, std::vector<std::string>& extending,
      std::map<std::string, TypeDefinition>& types) {
    const v1::Type& message = pack_.types(index);
    if (const auto done = types.find(message.name()); done != types.end()) {
      return &done->second;
    }
    const MessageChecker place = Place(index);
    const bool is_ring =
        std::ranges::find(extending, message.name()) != extending.end();
    if (is_ring) {
      place.Problem("extends",
                    fmt::format("a type can't extend itself: {} -> {}",
                                fmt::join(extending, " -> "), message.name()));
      return nullptr;
    }
    if (extending.size() > kBasesMax) {
      ReportBases(place);
      return nullptr;
    }
    TypeDefinition type;
    if (!message.extends().empty()) {
      const auto base = indexes_.find(message.extends());
      if (base == indexes_.end()) {
        place.NoSuch("extends", "type", message.extends());
      } else {
        extending.push_back(message.name());
        const TypeDefinition* const compiled =
            CompileType(base->second, extending, types);
        extending.pop_back();
        if (compiled != nullptr) Inherit(*compiled, place, type);
      }
    }
    type.name = place.Name("name", message.name());
    type.id = IdOf(type.name);
    CompileBody(message, place, type);
    systems_.CompileType(message, place, type);
    CompileComponentUses(message, place, world_, words_, type);
    CompileBehaviourUses(message, place, world_, systems_, words_, type);
    CompileInterests(message, place, events_, type);
    CompileTimers(message, place, world_.info.tick_rate, events_, words_, type);
    if (message.objects_max() != 0) {
      type.objects_max =
          place.Count("objects_max", message.objects_max(), 1, kObjectsMax);
    } else if (type.bases.empty()) {
      type.objects_max = world_.objects_max;
    }
    return &types.emplace(message.name(), std::move(type)).first->second;
  }

  // A body of its own takes the place of what the type inherits.
  void CompileBody(const v1::Type& message, const MessageChecker& place,
                   TypeDefinition& type) {
    if (!message.has_body()) return;
    world_.physics.kinds.push_back(
        bodies_.Compile(message.body(), place.In(message.body(), "body"),
                        world_.physics.shapes));
    type.body_kind = static_cast<uint32_t>(world_.physics.kinds.size() - 1);
  }

  static void ReportBases(const MessageChecker& place) {
    place.Problem("extends", fmt::format("more than {} types extend each other "
                                         "in a row",
                                         kBasesMax));
  }

  // Lets a type begin as the one that it extends.
  static void Inherit(const TypeDefinition& base, const MessageChecker& place,
                      TypeDefinition& type) {
    if (base.bases.size() >= kBasesMax) {
      ReportBases(place);
      return;
    }
    type = base;
    type.bases.insert(type.bases.begin(), base.id);
  }

  const v1::Pack& pack_;
  const MessageChecker& checker_;
  BodyCompiler bodies_;
  const SystemCompilers& systems_;
  EventCatalogue& events_;
  std::set<std::string>& words_;
  WorldDefinition& world_;
  std::map<std::string, int> indexes_;
};

// The rows that a type's objects begin with.
std::vector<std::vector<std::byte>> RowsOf(const TypeDefinition& type) {
  std::vector<std::vector<std::byte>> rows;
  for (const ComponentUse& use : type.components) rows.push_back(use.row);
  return rows;
}

// The archetypes of a pack, each after the one that it is made from.
class ArchetypeCompiler {
 public:
  ArchetypeCompiler(const v1::Pack& pack, const MessageChecker& checker,
                    std::set<std::string>& words, const WorldDefinition& world)
      : pack_(pack), checker_(checker), words_(words), world_(world) {}

  std::map<std::string, ArchetypeDefinition> Compile() {
    for (uint32_t i = 0; i < world_.types.size(); ++i) {
      const TypeDefinition& type = world_.types[i];
      archetypes_[type.name] = {
          .name = type.name, .id = type.id, .type = i, .rows = RowsOf(type)};
    }
    // One that is made from an archetype can come before it in the manifest:
    // each is compiled behind its origin, and looked at once.
    std::map<std::string, std::vector<int>> made_from;
    std::vector<int> ready;
    for (int i = 0; i < pack_.archetypes_size(); ++i) {
      const std::string& of = pack_.archetypes(i).of();
      if (archetypes_.contains(of)) {
        ready.push_back(i);
      } else {
        made_from[of].push_back(i);
      }
    }
    std::vector<bool> is_done(pack_.archetypes_size());
    for (size_t next = 0; next < ready.size(); ++next) {
      const int index = ready[next];
      CompileArchetype(index);
      is_done[index] = true;
      const auto waiting = made_from.find(pack_.archetypes(index).name());
      if (waiting == made_from.end()) continue;
      ready.insert(ready.end(), waiting->second.begin(), waiting->second.end());
      made_from.erase(waiting);
    }
    ReportRoots(is_done);
    return std::move(archetypes_);
  }

 private:
  MessageChecker Place(int index) const {
    return checker_.In(pack_.archetypes(index), "archetypes", index);
  }

  // Reports where those come from nowhere that aren't compiled: one that is
  // made from nothing, or all of a ring. What is made from these isn't to
  // blame.
  void ReportRoots(const std::vector<bool>& is_done) const {
    std::map<std::string_view, int> indexes;
    for (int i = 0; i < pack_.archetypes_size(); ++i) {
      if (!is_done[i]) indexes.emplace(pack_.archetypes(i).name(), i);
    }
    std::vector<int> seen_from(pack_.archetypes_size(), -1);
    std::vector<bool> is_root(pack_.archetypes_size());
    for (int i = 0; i < pack_.archetypes_size(); ++i) {
      if (is_done[i] || seen_from[i] >= 0) continue;
      int last = i;
      for (;;) {
        seen_from[last] = i;
        const auto origin = indexes.find(pack_.archetypes(last).of());
        if (origin == indexes.end()) {
          is_root[last] = true;
          break;
        }
        last = origin->second;
        if (seen_from[last] < 0) continue;
        // One from before leads to a root that is known.
        if (seen_from[last] == i) MarkRing(last, indexes, is_root);
        break;
      }
    }
    for (int i = 0; i < pack_.archetypes_size(); ++i) {
      if (!is_root[i]) continue;
      const std::string& of = pack_.archetypes(i).of();
      Place(i).Problem(
          "of",
          fmt::format("there is no type or archetype '{}' that isn't "
                      "made from this one{}",
                      of, Place(i).SuggestionFor(of, "type or archetype")));
    }
  }

  void MarkRing(int first, const std::map<std::string_view, int>& indexes,
                std::vector<bool>& is_root) const {
    int each = first;
    do {
      is_root[each] = true;
      each = indexes.at(pack_.archetypes(each).of());
    } while (each != first);
  }

  void CompileArchetype(int index) {
    const v1::Archetype& message = pack_.archetypes(index);
    const MessageChecker place = Place(index);
    ArchetypeDefinition archetype = archetypes_[message.of()];
    archetype.name = place.Name("name", message.name());
    archetype.id = IdOf(archetype.name);
    CompileOverrides(
        message.components(), world_.types[archetype.type].components, place,
        {.components = world_.components, .find_object = {}, .words = &words_},
        /*mark_overridden=*/false, archetype.rows);
    if (!archetypes_.emplace(archetype.name, std::move(archetype)).second) {
      place.Problem("name",
                    fmt::format("there is a type or archetype '{}' already",
                                message.name()));
    }
  }

  const v1::Pack& pack_;
  const MessageChecker& checker_;
  std::set<std::string>& words_;
  const WorldDefinition& world_;
  std::map<std::string, ArchetypeDefinition> archetypes_;
};

}  // namespace

void CompileTypes(const v1::Pack& pack, const MessageChecker& checker,
                  const PackArchive& archive, const SystemCompilers& systems,
                  EventCatalogue& events, std::set<std::string>& words,
                  WorldDefinition& world) {
  TypeCompiler(pack, checker, archive, systems, events, words, world).Compile();
  for (auto& [name, archetype] :
       ArchetypeCompiler(pack, checker, words, world).Compile()) {
    world.archetypes.push_back(std::move(archetype));
  }
  world.IndexTypes();
  for (const TypeDefinition& type : world.types) {
    for (const BehaviourUse& use : type.behaviours) {
      world.reads_others |= use.behaviour->hooks().reads_others;
      world.queries |= use.behaviour->hooks().queries;
      world.marks_timelines |= use.behaviour->hooks().marks_timelines;
    }
  }
}

}  // namespace reprise::sim
