// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/reports/described_game.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>
#include <utility>

#include "fmt/format.h"
#include "sim/base/field.h"
#include "sim/base/property_type.h"
#include "tools/reprise/terminal/flags.h"

namespace reprise::tools {
namespace {

// Where texts begin: longer names than this are rare.
constexpr size_t kTextColumn = 26;

template <typename Items, typename Test>
Items Filtered(const Items& items, const Test& test) {
  Items kept;
  std::ranges::copy_if(items, std::back_inserter(kept), test);
  return kept;
}

std::string PathOf(const sim::Legend& legend) {
  return fmt::format("{}.{}.{}", legend.room, legend.table, legend.field);
}

// Whether `path` is `word` or ends in it, from a dot on.
bool EndsIn(std::string_view path, std::string_view word) {
  return path.ends_with(word) && (path.size() == word.size() ||
                                  path[path.size() - word.size() - 1] == '.');
}

// A component of that name, or the properties of one.
std::optional<sim::ComponentDescription> SelectNamed(
    const sim::ComponentDescription& component, std::string_view word) {
  if (component.name == word) return component;
  sim::ComponentDescription selected = component;
  selected.properties = Filtered(
      component.properties, [&](const sim::PropertyDescription& property) {
        return EndsIn(fmt::format("{}.{}", component.name, property.name),
                      word);
      });
  if (selected.properties.empty()) return std::nullopt;
  return selected;
}

// A behaviour of that name, or the parameters of one.
std::optional<sim::BehaviourDescription> SelectNamed(
    const sim::BehaviourDescription& behaviour, std::string_view word) {
  if (behaviour.name == word) return behaviour;
  sim::BehaviourDescription selected = behaviour;
  selected.parameters = Filtered(
      behaviour.parameters, [&](const sim::PropertyDescription& parameter) {
        return EndsIn(fmt::format("{}.{}", behaviour.name, parameter.name),
                      word);
      });
  if (selected.parameters.empty()) return std::nullopt;
  return selected;
}

std::string_view KindName(sim::Action::Kind kind) {
  switch (kind) {
    case sim::Action::Kind::kButton:
      return "button";
    case sim::Action::Kind::kAxis:
      return "axis";
    case sim::Action::Kind::kCommand:
      return "command";
    case sim::Action::Kind::kKey:
      return "key";
    case sim::Action::Kind::kMouseButton:
      return "mouse_button";
    case sim::Action::Kind::kPointer:
      return "pointer";
    case sim::Action::Kind::kMouseMotion:
      return "mouse_motion";
    case sim::Action::Kind::kWheel:
      return "wheel";
    case sim::Action::Kind::kTouch:
      return "touch";
    case sim::Action::Kind::kMotionSensor:
      return "motion_sensor";
    case sim::Action::Kind::kText:
      return "text";
  }
  return "";
}

bool HasNumbers(const sim::ActionArgument& argument) {
  return sim::ScalarTypeOf(argument.type) == sim::ScalarType::kDouble;
}

std::string_view TypeName(sim::PropertyType type) {
  return sim::TraitsOf(type).name;
}

std::string TypeName(const std::optional<sim::ScalarType>& type) {
  return std::string(type.has_value() ? sim::EventValueTypeName(*type)
                                      : "as given");
}

// " [m/s]"; nothing for a pure number.
std::string UnitText(std::string_view unit) {
  return unit.empty() ? "" : fmt::format(" [{}]", unit);
}

// " 0 to 5", " from 0", " to 5".
std::string BoundsText(const sim::PropertyDescription& property) {
  if (property.minimum.has_value() && property.maximum.has_value()) {
    return fmt::format(" {} to {}", *property.minimum, *property.maximum);
  }
  if (property.minimum.has_value()) {
    return fmt::format(" from {}", *property.minimum);
  }
  if (property.maximum.has_value()) {
    return fmt::format(" to {}", *property.maximum);
  }
  return "";
}

std::string DefaultText(const sim::PropertyDescription& property,
                        const sim::NameResolver& names) {
  std::string text;
  for (const sim::FieldValue value : property.default_value) {
    text += ' ' + sim::FormatFieldValue(value, names);
  }
  return text.empty() ? " empty" : text;
}

std::string PropertyText(const sim::PropertyDescription& property,
                         const sim::NameResolver& names) {
  std::string text(sim::TraitsOf(property.type).name);
  if (property.list_max > 0) {
    text = fmt::format("list of up to {} of {}", property.list_max, text);
  }
  if (!property.choices.empty()) {
    text += fmt::format(" of {}", fmt::join(property.choices, ", "));
  }
  text += UnitText(property.unit) + BoundsText(property) + "; at first" +
          DefaultText(property, names);
  if (!property.help.empty()) text += "; " + property.help;
  return text;
}

// "shift integer 1 to 2", "mood choice of calm, angry", "path vector2 -5 to 5,
// list of up to 3".
std::string ArgumentText(const sim::ActionArgument& argument) {
  std::string text =
      fmt::format("{} {}", argument.name, std::string(TypeName(argument.type)));
  if (argument.type == sim::PropertyType::kInt) {
    text += fmt::format(" {} to {}", argument.minimum, argument.maximum);
  } else if (HasNumbers(argument)) {
    text += fmt::format(" {} to {}", argument.number_minimum,
                        argument.number_maximum);
  } else if (!argument.choices.empty()) {
    text += fmt::format(" of {}", fmt::join(argument.choices, ", "));
  } else if (argument.bytes_max > 0) {
    text += fmt::format(" of up to {} bytes", argument.bytes_max);
  }
  if (argument.capacity > 0) {
    text += fmt::format(", list of up to {}", argument.capacity);
  }
  return text;
}

std::string ActionText(const sim::Action& action) {
  const std::string kind(KindName(action.kind));
  switch (action.kind) {
    case sim::Action::Kind::kButton:
    case sim::Action::Kind::kAxis:
    case sim::Action::Kind::kKey:
    case sim::Action::Kind::kMouseButton:
      return fmt::format("{} {}", kind, action.device_index);
    case sim::Action::Kind::kTouch:
      return fmt::format("{}, up to {} at a time", kind, action.maximum);
    case sim::Action::Kind::kText:
      return fmt::format("{} of up to {} bytes a tick", kind, action.maximum);
    case sim::Action::Kind::kCommand:
      break;
    default:  // where a device is moved
      return kind;
  }
  std::string text = kind;
  for (const sim::ActionArgument& argument : action.arguments) {
    text += (&argument == action.arguments.data() ? ": " : "; ") +
            ArgumentText(argument);
  }
  return text;
}

std::string TypeText(const sim::TypeDescription& type) {
  std::string text = fmt::format("at most {}", type.objects_max);
  if (!type.extends.empty()) text += "; extends " + type.extends;
  const auto add = [&](std::string_view label,
                       const std::vector<std::string>& names) {
    if (names.empty()) return;
    text += fmt::format("; {} {}", label, fmt::join(names, ", "));
  };
  add("components", type.components);
  add("behaviours", type.behaviours);
  add("archetypes", type.archetypes);
  return text;
}

// "with object (object), impulse (number [N s]), chunk (name, or none)".
std::string ArgumentsText(const sim::EventDescription& event) {
  std::string text;
  for (const sim::EventArgumentDescription& argument : event.arguments) {
    text += fmt::format("{}{} ({}{}{})", text.empty() ? "with " : ", ",
                        argument.name, TypeName(argument.type),
                        UnitText(argument.unit),
                        argument.is_optional ? ", or none" : "");
  }
  return text;
}

std::string FormatEvent(const sim::EventDescription& event) {
  std::string text = WrapBeside(
      "  " + event.name, fmt::format("{} -> {}", event.sender, event.receiver),
      kTextColumn);
  text += WrapText(event.when, kTextColumn);
  if (!event.arguments.empty()) {
    text += WrapText(ArgumentsText(event), kTextColumn);
  }
  return text;
}

std::string BotText(const sim::BotDescription& bot) {
  std::string text =
      bot.players.empty()
          ? std::string("plays anybody")
          : fmt::format("plays {}", fmt::join(bot.players, " or "));
  if (bot.is_reserve) text += ", in reserve";
  text += fmt::format("; {}, each {} tick{}",
                      bot.native.empty() ? bot.script : bot.native,
                      bot.every_ticks, bot.every_ticks == 1 ? "" : "s");
  if (!bot.help.empty()) text += "; " + bot.help;
  return text;
}

std::string LegendText(const sim::Legend& legend) {
  std::string text;
  for (const sim::Legend::Entry& entry : legend.entries) {
    text += fmt::format("{}{}{} {}", text.empty() ? "" : ", ",
                        legend.is_mask ? "bit " : "", entry.value, entry.name);
  }
  for (const sim::Legend::Part& part : legend.parts) {
    text += fmt::format("{}bits {} to {} {}", text.empty() ? "" : ", ",
                        part.shift, part.shift + part.bits - 1, part.name);
  }
  return text;
}

// The heading of a kind, where there is any of it.
std::string Section(std::string_view heading, std::string_view entries) {
  if (entries.empty()) return "";
  return fmt::format("{}\n{}", heading, entries);
}

// Integers of 64 bits are strings, as everywhere in JSON.
Json ToJson(sim::FieldValue value, const sim::NameResolver& names) {
  switch (value.type) {
    case sim::ScalarType::kBool:
      return value.bits != 0;
    case sim::ScalarType::kDouble:
      return value.AsDouble();
    default:
      return sim::FormatFieldValue(value, names);
  }
}

Json ToJson(const std::optional<double>& number) {
  return number.has_value() ? Json(*number) : Json(nullptr);
}

Json ToJson(const sim::PropertyDescription& property,
            const sim::NameResolver& names) {
  Json defaults = Json::array();
  for (const sim::FieldValue value : property.default_value) {
    defaults.push_back(ToJson(value, names));
  }
  return {{"name", property.name},
          {"type", sim::TraitsOf(property.type).name},
          {"unit", property.unit},
          {"list_max", property.list_max},
          {"default", std::move(defaults)},
          {"minimum", ToJson(property.minimum)},
          {"maximum", ToJson(property.maximum)},
          {"choices", property.choices},
          {"help", property.help}};
}

Json ToJson(const sim::ComponentDescription& component,
            const sim::NameResolver& names) {
  Json properties = Json::array();
  for (const sim::PropertyDescription& property : component.properties) {
    properties.push_back(ToJson(property, names));
  }
  return {{"name", component.name},
          {"help", component.help},
          {"properties", std::move(properties)}};
}

Json ToJson(const sim::BehaviourDescription& behaviour,
            const sim::NameResolver& names) {
  Json parameters = Json::array();
  for (const sim::PropertyDescription& parameter : behaviour.parameters) {
    parameters.push_back(ToJson(parameter, names));
  }
  return {{"name", behaviour.name},
          {"help", behaviour.help},
          {"parameters", std::move(parameters)}};
}

// Bounds are those of its type: integers of 64 bits, or numbers.
Json ToJson(const sim::ActionArgument& argument) {
  Json minimum;
  Json maximum;
  if (argument.type == sim::PropertyType::kInt) {
    minimum = std::to_string(argument.minimum);
    maximum = std::to_string(argument.maximum);
  } else if (HasNumbers(argument)) {
    minimum = argument.number_minimum;
    maximum = argument.number_maximum;
  }
  return {{"name", argument.name},         {"type", TypeName(argument.type)},
          {"minimum", std::move(minimum)}, {"maximum", std::move(maximum)},
          {"choices", argument.choices},   {"bytes_max", argument.bytes_max},
          {"list_max", argument.capacity}};
}

Json ToJson(const sim::Action& action) {
  Json arguments = Json::array();
  for (const sim::ActionArgument& argument : action.arguments) {
    arguments.push_back(ToJson(argument));
  }
  return {{"name", action.name},
          {"kind", KindName(action.kind)},
          {"device_index", action.device_index},
          {"maximum", action.maximum},
          {"arguments", std::move(arguments)}};
}

Json ToJson(const sim::TypeDescription& type) {
  return {{"name", type.name},
          {"extends", type.extends},
          {"components", type.components},
          {"behaviours", type.behaviours},
          {"archetypes", type.archetypes},
          {"objects_max", type.objects_max}};
}

Json ToJson(const sim::EventDescription& event) {
  Json arguments = Json::array();
  for (const sim::EventArgumentDescription& argument : event.arguments) {
    arguments.push_back(
        {{"name", argument.name},
         {"type", argument.type.has_value()
                      ? Json(sim::EventValueTypeName(*argument.type))
                      : Json(nullptr)},
         {"unit", argument.unit},
         {"is_optional", argument.is_optional}});
  }
  return {{"name", event.name},
          {"sender", event.sender},
          {"receiver", event.receiver},
          {"when", event.when},
          {"arguments", std::move(arguments)}};
}

Json ToJson(const sim::BotDescription& bot) {
  return {{"name", bot.name},
          {"help", bot.help},
          {"players", bot.players},
          {"reserve", bot.is_reserve},
          {"native", bot.native},
          {"file", bot.script},
          {"every_ticks", bot.every_ticks}};
}

std::string_view OutcomeName(const sim::OutcomeRule& rule) {
  return rule.is_won ? "won" : "lost";
}

Json ToJson(const sim::OutcomeRule& rule) {
  return {{"outcome", OutcomeName(rule)},
          {"when", rule.when},
          {"reason", rule.reason}};
}

Json ToJson(const sim::Legend& legend) {
  Json entries = Json::array();
  for (const sim::Legend::Entry& entry : legend.entries) {
    entries.push_back(
        {{"value", std::to_string(entry.value)}, {"name", entry.name}});
  }
  return {{"room", legend.room},
          {"table", legend.table},
          {"field", legend.field},
          {"is_mask", legend.is_mask},
          {"entries", std::move(entries)}};
}

template <typename Items>
Json ListToJson(const Items& items) {
  Json list = Json::array();
  for (const auto& item : items) list.push_back(ToJson(item));
  return list;
}

}  // namespace

bool DescribedGame::empty() const {
  return inputs.actions.empty() && description.types.empty() &&
         description.components.empty() && description.behaviours.empty() &&
         description.events.empty() && description.legends.empty() &&
         description.bots.empty();
}

DescribedGame SelectNamed(const DescribedGame& game, std::string_view word) {
  const sim::GameDescription& all = game.description;
  const auto is_called = [&](const auto& item) { return item.name == word; };
  DescribedGame selected{
      .description = {}, .inputs = game.inputs, .names = game.names};
  selected.inputs.actions = Filtered(game.inputs.actions, is_called);
  selected.description.types =
      Filtered(all.types, [&](const sim::TypeDescription& type) {
        return type.name == word ||
               std::ranges::count(type.archetypes, word) > 0;
      });
  for (const sim::ComponentDescription& component : all.components) {
    std::optional<sim::ComponentDescription> found =
        SelectNamed(component, word);
    if (found) selected.description.components.push_back(*std::move(found));
  }
  for (const sim::BehaviourDescription& behaviour : all.behaviours) {
    std::optional<sim::BehaviourDescription> found =
        SelectNamed(behaviour, word);
    if (found) selected.description.behaviours.push_back(*std::move(found));
  }
  selected.description.events = Filtered(all.events, is_called);
  selected.description.bots = Filtered(all.bots, is_called);
  selected.description.legends = Filtered(
      all.legends,
      [&](const sim::Legend& legend) { return EndsIn(PathOf(legend), word); });
  return selected;
}

std::vector<std::string> NamesIn(const DescribedGame& game) {
  std::vector<std::string> names;
  for (const sim::Action& action : game.inputs.actions) {
    names.push_back(action.name);
  }
  for (const sim::TypeDescription& type : game.description.types) {
    names.push_back(type.name);
    names.insert(names.end(), type.archetypes.begin(), type.archetypes.end());
  }
  for (const sim::ComponentDescription& component :
       game.description.components) {
    names.push_back(component.name);
    for (const sim::PropertyDescription& property : component.properties) {
      names.push_back(property.name);
      names.push_back(fmt::format("{}.{}", component.name, property.name));
    }
  }
  for (const sim::BehaviourDescription& behaviour :
       game.description.behaviours) {
    names.push_back(behaviour.name);
    for (const sim::PropertyDescription& parameter : behaviour.parameters) {
      names.push_back(parameter.name);
      names.push_back(fmt::format("{}.{}", behaviour.name, parameter.name));
    }
  }
  for (const sim::EventDescription& event : game.description.events) {
    names.push_back(event.name);
  }
  for (const sim::Legend& legend : game.description.legends) {
    names.push_back(legend.field);
  }
  for (const sim::BotDescription& bot : game.description.bots) {
    names.push_back(bot.name);
  }
  return names;
}

std::string FormatDescribedGame(const DescribedGame& game) {
  const auto entry = [](std::string_view name, std::string_view text) {
    return WrapBeside(fmt::format("  {}", name), text, kTextColumn);
  };
  std::string actions;
  for (const sim::Action& action : game.inputs.actions) {
    actions += entry(action.name, ActionText(action));
  }
  std::string types;
  for (const sim::TypeDescription& type : game.description.types) {
    types += entry(type.name, TypeText(type));
  }
  std::string components;
  for (const sim::ComponentDescription& component :
       game.description.components) {
    components += entry(component.name, component.help);
    for (const sim::PropertyDescription& property : component.properties) {
      components +=
          entry("  " + property.name, PropertyText(property, game.names));
    }
  }
  std::string behaviours;
  for (const sim::BehaviourDescription& behaviour :
       game.description.behaviours) {
    behaviours += entry(behaviour.name, behaviour.help);
    for (const sim::PropertyDescription& parameter : behaviour.parameters) {
      behaviours +=
          entry("  " + parameter.name, PropertyText(parameter, game.names));
    }
  }
  std::string events;
  for (const sim::EventDescription& event : game.description.events) {
    events += FormatEvent(event);
  }
  std::string outcomes;
  for (const sim::OutcomeRule& rule : game.description.outcome_rules) {
    outcomes += entry(OutcomeName(rule), rule.when);
  }
  std::string bots;
  for (const sim::BotDescription& bot : game.description.bots) {
    bots += entry(bot.name, BotText(bot));
  }
  std::string legends;
  for (const sim::Legend& legend : game.description.legends) {
    legends += entry(PathOf(legend), LegendText(legend));
  }
  return Section("actions", actions) + Section("bots", bots) +
         Section("types", types) + Section("components", components) +
         Section("behaviours", behaviours) + Section("events", events) +
         Section("outcomes", outcomes) + Section("legends", legends);
}

Json DescribedGameToJson(const DescribedGame& game) {
  Json components = Json::array();
  for (const sim::ComponentDescription& component :
       game.description.components) {
    components.push_back(ToJson(component, game.names));
  }
  Json behaviours = Json::array();
  for (const sim::BehaviourDescription& behaviour :
       game.description.behaviours) {
    behaviours.push_back(ToJson(behaviour, game.names));
  }
  return {{"player_count", game.inputs.player_count},
          {"commands_per_tick_max", game.inputs.commands_per_tick_max},
          {"actions", ListToJson(game.inputs.actions)},
          {"bots", ListToJson(game.description.bots)},
          {"types", ListToJson(game.description.types)},
          {"components", std::move(components)},
          {"behaviours", std::move(behaviours)},
          {"events", ListToJson(game.description.events)},
          {"outcome_rules", ListToJson(game.description.outcome_rules)},
          {"legends", ListToJson(game.description.legends)}};
}

}  // namespace reprise::tools
