// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/world/world_description.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "fmt/format.h"
#include "sim/world/command_events.h"
#include "sim/world/components/built_in_events.h"
#include "sim/world/components/component.h"
#include "sim/world/definition/behaviour.h"
#include "sim/world/definition/system_declaration.h"
#include "sim/world/events/event_connections.h"
#include "sim/world/events/event_effect.h"
#include "sim/world/events/participant.h"
#include "sim/world/systems/system.h"
#include "sim/world/world_legends.h"

namespace reprise::sim {
namespace {

PropertyDescription DescribeProperty(const PropertyDefinition& property,
                                     const NameTable& names) {
  PropertyDescription description{.name = property.name,
                                  .type = property.type,
                                  .unit = property.unit,
                                  .list_max = property.capacity,
                                  .default_value = property.default_value,
                                  .minimum = property.minimum,
                                  .maximum = property.maximum,
                                  .choices = {},
                                  .help = property.help};
  for (const Id choice : property.choices) {
    description.choices.emplace_back(names.NameOf(choice));
  }
  return description;
}

ComponentDescription DescribeComponent(const ComponentDefinition& component,
                                       const NameTable& names) {
  ComponentDescription description{
      .name = component.name, .help = component.help, .properties = {}};
  for (const PropertyDefinition& property : component.properties) {
    description.properties.push_back(DescribeProperty(property, names));
  }
  return description;
}

// `archetypes` are the names of those of the type.
std::vector<BehaviourDescription> DescribeBehaviours() {
  std::vector<BehaviourDescription> descriptions;
  for (const std::string& name : BehaviourNames()) {
    const std::unique_ptr<Behaviour> behaviour = MakeBehaviour(name);
    BehaviourDescription description{
        .name = name, .help = std::string(behaviour->help()), .parameters = {}};
    for (const ParameterDeclaration& parameter : behaviour->parameters()) {
      // Its choices are named here and not by the pack.
      PropertyDescription property =
          DescribeProperty(DefinitionOf(parameter), {});
      property.choices.assign(parameter.choices.begin(),
                              parameter.choices.end());
      description.parameters.push_back(std::move(property));
    }
    descriptions.push_back(std::move(description));
  }
  return descriptions;
}

TypeDescription DescribeType(const WorldDefinition& definition, uint32_t index,
                             std::vector<std::string> archetypes) {
  const TypeDefinition& type = definition.types[index];
  TypeDescription description{.name = type.name,
                              .extends = "",
                              .components = {},
                              .behaviours = {},
                              .archetypes = std::move(archetypes),
                              .objects_max = type.objects_max};
  if (!type.bases.empty()) {
    const auto base = definition.FindType(type.bases.front());
    description.extends = definition.types[*base].name;
  }
  for (const ComponentUse& use : type.components) {
    description.components.push_back(definition.components[use.component].name);
  }
  for (const BehaviourUse& use : type.behaviours) {
    description.behaviours.push_back(use.name);
  }
  return description;
}

EventDescription DescribeDeclared(const EventDeclaration& event) {
  EventDescription description{.name = std::string(event.name),
                               .sender = std::string(event.sender),
                               .receiver = std::string(event.receiver),
                               .when = std::string(event.when),
                               .arguments = {}};
  for (const ArgumentDeclaration& argument : event.described_arguments()) {
    description.arguments.push_back({.name = std::string(argument.name),
                                     .type = argument.type,
                                     .unit = std::string(argument.unit),
                                     .is_optional = argument.is_optional});
  }
  return description;
}

// The events that a pack declares by what it says elsewhere.
class PackEvents {
 public:
  explicit PackEvents(const WorldDefinition& definition)
      : definition_(definition) {}

  std::vector<EventDescription> Describe() const {
    std::vector<EventDescription> events;
    AddCommands(events);
    AddTimers(events);
    AddConnections(events);
    return events;
  }

 private:
  std::string NameOf(Id id) const {
    return std::string(definition_.names.NameOf(id));
  }

  // The commands of players, and text that they enter.
  void AddCommands(std::vector<EventDescription>& events) const {
    for (const Action& action : definition_.info.inputs.actions) {
      const bool is_text = action.kind == Action::Kind::kText;
      if (!is_text && action.kind != Action::Kind::kCommand) continue;
      if (action.is_for_authors) continue;  // it becomes no event
      EventDescription event{
          .name = action.name,
          .sender = "a player",
          .receiver = std::string(kToInterested),
          .when =
              is_text ? "a player enters text" : "a player gives the command",
          .arguments = {
              {.name = "player", .type = ScalarType::kInt64, .unit = ""}}};
      if (is_text) {
        event.arguments.push_back(
            {.name = "text", .type = ScalarType::kId, .unit = ""});
      }
      for (const ActionArgument& argument : action.arguments) {
        AddArgument(argument, event);
      }
      events.push_back(std::move(event));
    }
  }

  // Of which types they are is for the action to say. Of a list, the length is
  // always there, and as many values as are given.
  static void AddArgument(const ActionArgument& argument,
                          EventDescription& event) {
    bool is_optional = false;
    for (const std::string& name : EventNamesOf(argument)) {
      event.arguments.push_back({.name = name,
                                 .type = std::nullopt,
                                 .unit = "",
                                 .is_optional = is_optional});
      is_optional = argument.capacity > 0;
    }
  }

  // One for each name: many types may have such timers.
  void AddTimers(std::vector<EventDescription>& events) const {
    struct Use {
      std::set<std::string> types;
      std::set<std::string> timers;
    };
    std::map<std::string, Use> uses;
    for (const TypeDefinition& type : definition_.types) {
      for (const TimerStart& timer : type.timers) {
        Use& use = uses[NameOf(timer.event)];
        use.types.insert(type.name);
        use.timers.insert(NameOf(timer.name));
      }
    }
    for (const EventConnection& connection : definition_.connections.all()) {
      for (const EventEffect& effect : connection.effects) {
        const auto* const start = std::get_if<StartTimerEffect>(&effect.kind);
        if (start == nullptr) continue;
        Use& use = uses[NameOf(start->timer.event)];
        use.types.insert(
            fmt::format("the connection {}", NameOf(connection.name)));
        use.timers.insert(NameOf(start->timer.name));
      }
    }
    for (const auto& [name, use] : uses) {
      events.push_back(
          {.name = name,
           .sender = fmt::format("an object of {}", ListNames(use.types)),
           .receiver = std::string(kToItself),
           .when = fmt::format("its timer {} fires", ListNames(use.timers)),
           .arguments = {
               {.name = "timer", .type = ScalarType::kId, .unit = ""}}});
    }
  }

  // One for each name: many connections may send such events.
  void AddConnections(std::vector<EventDescription>& events) const {
    struct Use {
      std::set<std::string> connections;
      std::set<std::string> targets;
      std::set<std::string> causes;
      std::map<std::string, std::optional<ScalarType>> arguments;
    };
    std::map<std::string, Use> uses;
    const auto add_constants = [&](const std::vector<EventArgument>& constants,
                                   Use& use) {
      for (const EventArgument& constant : constants) {
        use.arguments.emplace(NameOf(constant.name), constant.value.type);
      }
    };
    for (const EventConnection& connection : definition_.connections.all()) {
      for (const EventEffect& effect : connection.effects) {
        const auto* const send = std::get_if<SendEffect>(&effect.kind);
        if (send == nullptr) continue;
        Use& use = uses[NameOf(send->event)];
        use.connections.insert(NameOf(connection.name));
        use.targets.insert(ParticipantName(*effect.object));
        use.causes.insert(NameOf(connection.type));
        add_constants(send->arguments, use);
      }
      if (connection.posted_type == kNoId) continue;
      Use& use = uses[NameOf(connection.posted_type)];
      use.connections.insert(NameOf(connection.name));
      AddTargets(connection, use.targets);
      use.causes.insert(NameOf(connection.type));
      for (const EventConnection::Mapping& mapping : connection.mappings) {
        use.arguments[NameOf(mapping.input)] = std::nullopt;
      }
      add_constants(connection.constants, use);
    }
    for (const auto& [name, use] : uses) {
      EventDescription event{
          .name = name,
          .sender = "who sent the event before",
          .receiver = ListNames(use.targets),
          .when =
              fmt::format("after {}, by the connection {}",
                          ListNames(use.causes), ListNames(use.connections)),
          .arguments = {}};
      for (const auto& [argument, type] : use.arguments) {
        event.arguments.push_back(
            {.name = argument, .type = type, .unit = "", .is_optional = true});
      }
      events.push_back(std::move(event));
    }
  }

  void AddTargets(const EventConnection& connection,
                  std::set<std::string>& targets) const {
    if (connection.participant.has_value()) {
      targets.insert(ParticipantName(*connection.participant));
    } else if (!connection.target_types.empty()) {
      for (const Id type : connection.target_types) {
        targets.insert(fmt::format("all of {}", NameOf(type)));
      }
    } else {
      targets.insert(ObjectName(connection.target));
    }
  }

  std::string ParticipantName(const Participant& participant) const {
    switch (participant.kind) {
      case Participant::Kind::kSender:
        return "its sender";
      case Participant::Kind::kTarget:
        return "its target";
      case Participant::Kind::kArgument:
        return fmt::format("its {}", NameOf(participant.id));
      case Participant::Kind::kNamed:
        return NameOf(participant.id);
      case Participant::Kind::kObject:
        break;
    }
    return ObjectName(participant.object);
  }

  // Of objects that are always there, numbered from 1.
  std::string ObjectName(ObjectId object) const {
    return object == kNoObject ? std::string(kToInterested)
                               : definition_.objects[object.serial - 1].name;
  }

  const WorldDefinition& definition_;
};

// What connections decide.
void AddOutcomeRules(const WorldDefinition& definition,
                     std::vector<OutcomeRule>& rules) {
  for (const EventConnection& connection : definition.connections.all()) {
    for (const EventEffect& effect : connection.effects) {
      const auto* const outcome = std::get_if<OutcomeEffect>(&effect.kind);
      if (outcome == nullptr) continue;
      rules.push_back(
          {.is_won = outcome->is_won,
           .when = fmt::format("after {}, by the connection {}",
                               definition.names.NameOf(connection.type),
                               definition.names.NameOf(connection.name)),
           .reason =
               outcome->reason == kNoId
                   ? ""
                   : std::string(definition.names.NameOf(outcome->reason))});
    }
  }
}

}  // namespace

GameDescription DescribeWorld(const WorldDefinition& definition) {
  GameDescription description;
  std::vector<std::vector<std::string>> archetypes(definition.types.size());
  for (const ArchetypeDefinition& archetype : definition.archetypes) {
    // Each type is the archetype of its own name.
    if (archetype.id == definition.types[archetype.type].id) continue;
    archetypes[archetype.type].push_back(archetype.name);
  }
  for (uint32_t i = 0; i < definition.types.size(); ++i) {
    description.types.push_back(
        DescribeType(definition, i, std::move(archetypes[i])));
  }
  for (const ComponentDefinition& component : definition.components) {
    description.components.push_back(
        DescribeComponent(component, definition.names));
  }
  description.behaviours = DescribeBehaviours();
  for (const EventDeclaration& event : kBuiltInEvents) {
    description.events.push_back(DescribeDeclared(event));
  }
  for (const SystemDeclaration* system : RegisteredSystemDeclarations()) {
    for (const EventDeclaration& event : system->events) {
      description.events.push_back(DescribeDeclared(event));
    }
  }
  for (EventDescription& event : RegisteredEvents()) {
    description.events.push_back(std::move(event));
  }
  for (const EventDescription& event : definition.declared_events) {
    description.events.push_back(event);
  }
  for (EventDescription& event : PackEvents(definition).Describe()) {
    description.events.push_back(std::move(event));
  }
  AddOutcomeRules(definition, description.outcome_rules);
  description.legends = WorldLegends(definition);
  for (const auto& system : definition.systems) {
    system->Describe(definition, description);
  }
  std::ranges::stable_sort(description.legends, {}, [](const Legend& legend) {
    return std::tie(legend.room, legend.table, legend.field);
  });
  std::ranges::stable_sort(description.outcome_rules, {}, &OutcomeRule::when);
  // What the program says of a name comes before what the pack makes of it.
  std::ranges::stable_sort(description.events, {}, &EventDescription::name);
  return description;
}

GameDescription DescribeBuiltIns() {
  WorldDefinition bare;
  bare.info.inputs.player_count = 0;
  bare.components = RegisteredComponents();
  for (const SystemDeclaration* system : RegisteredSystemDeclarations()) {
    bare.components.insert(bare.components.end(), system->components.begin(),
                           system->components.end());
  }
  // A total order: names are unique.
  std::ranges::sort(bare.components, {}, &ComponentDefinition::name);
  return DescribeWorld(bare);
}

}  // namespace reprise::sim
