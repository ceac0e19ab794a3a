// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/messages/description_conversion.h"

#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "google/protobuf/repeated_ptr_field.h"
#include "sim/base/digest.h"
#include "sim/base/field.h"
#include "sim/base/property_type.h"
#include "sim/bot_description.h"
#include "sim/game_description.h"
#include "sim/input/input_grammar.h"
#include "sim/state/field_value.h"

namespace reprise::replays {
namespace {

using google::protobuf::RepeatedPtrField;

void SetStrings(const std::vector<std::string>& strings,
                RepeatedPtrField<std::string>& messages) {
  messages.Assign(strings.begin(), strings.end());
}

v1::Property::Type TypeOf(sim::PropertyType type) {
  switch (type) {
    case sim::PropertyType::kBool:
      return v1::Property::TYPE_BOOLEAN;
    case sim::PropertyType::kInt:
      return v1::Property::TYPE_INTEGER;
    case sim::PropertyType::kDouble:
      return v1::Property::TYPE_NUMBER;
    case sim::PropertyType::kName:
      return v1::Property::TYPE_NAME;
    case sim::PropertyType::kEnum:
      return v1::Property::TYPE_CHOICE;
    case sim::PropertyType::kText:
      return v1::Property::TYPE_TEXT;
    case sim::PropertyType::kVector2:
      return v1::Property::TYPE_VECTOR2;
    case sim::PropertyType::kVector3:
      return v1::Property::TYPE_VECTOR3;
    case sim::PropertyType::kQuaternion:
      return v1::Property::TYPE_ROTATION;
    case sim::PropertyType::kReference:
      return v1::Property::TYPE_REFERENCE;
  }
  return v1::Property::TYPE_UNSPECIFIED;
}

void SetArgument(const sim::ActionArgument& argument,
                 v1::CommandArgument& message) {
  message.set_name(argument.name);
  message.set_type(TypeOf(argument.type));
  message.set_minimum(argument.minimum);
  message.set_maximum(argument.maximum);
  message.set_number_minimum(argument.number_minimum);
  message.set_number_maximum(argument.number_maximum);
  SetStrings(argument.choices, *message.mutable_choices());
  message.set_bytes_max(argument.bytes_max);
  message.set_list_max(argument.capacity);
}

void SetAction(const sim::Action& action, v1::Action& message) {
  message.set_name(action.name);
  switch (action.kind) {
    case sim::Action::Kind::kButton:
      message.set_button(action.device_index);
      break;
    case sim::Action::Kind::kAxis:
      message.set_axis(action.device_index);
      break;
    case sim::Action::Kind::kCommand: {
      if (action.is_for_authors) {
        message.mutable_script_reload();
        break;
      }
      v1::CommandAction& command = *message.mutable_command();
      for (const sim::ActionArgument& argument : action.arguments) {
        SetArgument(argument, *command.add_arguments());
      }
      break;
    }
    case sim::Action::Kind::kKey:
      message.set_key(static_cast<v1::Key>(action.device_index));
      break;
    case sim::Action::Kind::kMouseButton:
      message.set_mouse_button(action.device_index);
      break;
    case sim::Action::Kind::kPointer:
      message.mutable_pointer();
      break;
    case sim::Action::Kind::kMouseMotion:
      message.mutable_mouse_motion();
      break;
    case sim::Action::Kind::kWheel:
      message.mutable_wheel();
      break;
    case sim::Action::Kind::kTouch:
      message.mutable_touch()->set_touches_max(action.maximum);
      break;
    case sim::Action::Kind::kMotionSensor:
      message.mutable_motion_sensor();
      break;
    case sim::Action::Kind::kText:
      message.mutable_text()->set_bytes_max(action.maximum);
      break;
  }
}

void SetSight(const sim::SightDescription& sight, v1::Sight& message) {
  message.set_type(sight.type);
  SetStrings(sight.properties, *message.mutable_properties());
  message.set_place_only(sight.is_place_only);
  message.set_player_property(sight.player_property);
}

void SetPlayers(const sim::InputGrammar& inputs,
                const sim::PlayerSenses& senses, v1::Players& message) {
  message.set_count(inputs.player_count);
  message.set_commands_per_tick_max(inputs.commands_per_tick_max);
  for (const sim::Action& action : inputs.actions) {
    SetAction(action, *message.add_actions());
  }
  for (const sim::SightDescription& sight : senses.sees) {
    SetSight(sight, *message.add_sees());
  }
  SetStrings(senses.hears, *message.mutable_hears());
}

void SetType(const sim::TypeDescription& type, v1::TypeDescription& message) {
  message.set_name(type.name);
  message.set_extends(type.extends);
  SetStrings(type.components, *message.mutable_components());
  SetStrings(type.behaviours, *message.mutable_behaviours());
  SetStrings(type.archetypes, *message.mutable_archetypes());
  message.set_objects_max(type.objects_max);
}

void SetScalar(sim::FieldValue value, const sim::NameResolver& names,
               v1::ScalarValue& message) {
  switch (value.type) {
    case sim::ScalarType::kBool:
      message.set_bool_value(value.bits != 0);
      break;
    case sim::ScalarType::kInt64:
      message.set_int_value(std::bit_cast<int64_t>(value.bits));
      break;
    case sim::ScalarType::kDouble:
      message.set_double_value(value.AsDouble());
      break;
    default:  // a property of another type has a name
      message.set_name_value(sim::FormatFieldValue(value, names));
      break;
  }
}

void SetProperty(const sim::PropertyDescription& property,
                 const sim::NameResolver& names,
                 v1::PropertyDescription& message) {
  message.set_name(property.name);
  message.set_type(TypeOf(property.type));
  message.set_unit(property.unit);
  message.set_list_max(property.list_max);
  for (const sim::FieldValue value : property.default_value) {
    SetScalar(value, names, *message.add_default_scalars());
  }
  if (property.minimum.has_value()) message.set_minimum(*property.minimum);
  if (property.maximum.has_value()) message.set_maximum(*property.maximum);
  SetStrings(property.choices, *message.mutable_choices());
  message.set_help(property.help);
}

v1::EventArgumentDescription::Type TypeOf(sim::ScalarType type) {
  switch (type) {
    case sim::ScalarType::kBool:
      return v1::EventArgumentDescription::TYPE_BOOLEAN;
    case sim::ScalarType::kInt16:
    case sim::ScalarType::kInt32:
    case sim::ScalarType::kInt64:
    case sim::ScalarType::kUint32:
    case sim::ScalarType::kUint64:
      return v1::EventArgumentDescription::TYPE_INTEGER;
    case sim::ScalarType::kDouble:
      return v1::EventArgumentDescription::TYPE_NUMBER;
    case sim::ScalarType::kId:
      return v1::EventArgumentDescription::TYPE_NAME;
    case sim::ScalarType::kObject:
      return v1::EventArgumentDescription::TYPE_OBJECT;
    case sim::ScalarType::kHandle:
      return v1::EventArgumentDescription::TYPE_REFERENCE;
  }
  return v1::EventArgumentDescription::TYPE_UNSPECIFIED;
}

void SetEvent(const sim::EventDescription& event,
              v1::EventDescription& message) {
  message.set_name(event.name);
  message.set_sender(event.sender);
  message.set_receiver(event.receiver);
  message.set_when(event.when);
  for (const sim::EventArgumentDescription& argument : event.arguments) {
    v1::EventArgumentDescription& added = *message.add_arguments();
    added.set_name(argument.name);
    if (argument.type.has_value()) added.set_type(TypeOf(*argument.type));
    added.set_unit(argument.unit);
    added.set_is_optional(argument.is_optional);
  }
}

void SetBot(const sim::BotDescription& bot, v1::BotDescription& message) {
  message.set_name(bot.name);
  message.set_help(bot.help);
  message.mutable_players()->Assign(bot.players.begin(), bot.players.end());
  message.set_is_reserve(bot.is_reserve);
  message.set_every_ticks(bot.every_ticks);
}

void SetLegend(const sim::Legend& legend, v1::Legend& message) {
  message.set_room(legend.room);
  message.set_table(legend.table);
  message.set_field(legend.field);
  message.set_is_mask(legend.is_mask);
  for (const sim::Legend::Entry& entry : legend.entries) {
    v1::Legend::Entry& added = *message.add_entries();
    added.set_value(entry.value);
    added.set_name(entry.name);
  }
  for (const sim::Legend::Part& part : legend.parts) {
    v1::Legend::Part& added = *message.add_parts();
    added.set_name(part.name);
    added.set_shift(part.shift);
    added.set_bits(part.bits);
    added.set_scale(part.scale);
    added.set_offset(part.offset);
    added.set_unit(part.unit);
  }
  message.set_least(legend.least);
}

}  // namespace

v1::GameDescription DescriptionOf(const sim::Simulation& simulation) {
  const sim::SimulationInfo& info = simulation.info();
  const sim::GameDescription& description = simulation.description();
  const sim::NameResolver names = sim::NamesOf(simulation);
  v1::GameDescription message;
  message.set_pack(info.pack);
  message.set_pack_digest(sim::FormatDigest(info.pack_digest));
  message.set_tick_rate(info.tick_rate.ticks_per_second);
  message.set_simulation(info.simulation);
  message.set_rules_revision(info.rules_revision);
  SetPlayers(info.inputs, description.senses, *message.mutable_players());
  for (const sim::TypeDescription& type : description.types) {
    SetType(type, *message.add_types());
  }
  for (const sim::ComponentDescription& component : description.components) {
    v1::ComponentDescription& added = *message.add_components();
    added.set_name(component.name);
    added.set_help(component.help);
    for (const sim::PropertyDescription& property : component.properties) {
      SetProperty(property, names, *added.add_properties());
    }
  }
  for (const sim::BehaviourDescription& behaviour : description.behaviours) {
    v1::BehaviourDescription& added = *message.add_behaviours();
    added.set_name(behaviour.name);
    added.set_help(behaviour.help);
    for (const sim::PropertyDescription& parameter : behaviour.parameters) {
      SetProperty(parameter, names, *added.add_parameters());
    }
  }
  for (const sim::EventDescription& event : description.events) {
    SetEvent(event, *message.add_events());
  }
  for (const sim::Legend& legend : description.legends) {
    SetLegend(legend, *message.add_legends());
  }
  for (const sim::OutcomeRule& rule : description.outcome_rules) {
    v1::OutcomeRule& added = *message.add_outcome_rules();
    added.set_outcome(rule.is_won ? v1::RunEnd::OUTCOME_WON
                                  : v1::RunEnd::OUTCOME_LOST);
    added.set_when(rule.when);
    added.set_reason(rule.reason);
  }
  for (const sim::BotDescription& bot : description.bots) {
    SetBot(bot, *message.add_bots());
  }
  return message;
}

}  // namespace reprise::replays
