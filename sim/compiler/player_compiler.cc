// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/compiler/player_compiler.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fmt/format.h"
#include "sim/base/id.h"
#include "sim/base/property_type.h"
#include "sim/compiler/checking/property_types.h"
#include "sim/world/command_events.h"
#include "sim/world/events/world_event.h"

namespace reprise::sim {
namespace {

// Fingers of two hands, and a line of text, where a pack says nothing.
constexpr uint32_t kTouchesDefault = 10;
constexpr uint32_t kTextBytesDefault = 64;

// 0 stands for the default.
uint32_t CountOr(std::string_view field, uint32_t value, uint32_t maximum,
                 uint32_t otherwise, const MessageChecker& checker) {
  return value == 0 ? otherwise : checker.Count(field, value, 1, maximum);
}

bool HasNumbers(PropertyType type) {
  return ScalarTypeOf(type) == ScalarType::kDouble;
}

// Reports what is said of an argument that its type has no use for.
void RefuseUnused(const v1::CommandArgument& message, PropertyType type,
                  const MessageChecker& checker) {
  const auto refuse = [&](std::string_view field, bool is_said, bool is_used) {
    if (!is_said || is_used) return;
    checker.Problem(field, fmt::format("an argument of the type {} has none",
                                       std::string(TraitsOf(type).name)));
  };
  const bool is_integer = type == PropertyType::kInt;
  refuse("minimum", message.minimum() != 0, is_integer);
  refuse("maximum", message.maximum() != 0, is_integer);
  // Written so that NaN is said.
  refuse("number_minimum", !(message.number_minimum() == 0), HasNumbers(type));
  refuse("number_maximum", !(message.number_maximum() == 0), HasNumbers(type));
  refuse("choices", message.choices_size() > 0, type == PropertyType::kEnum);
  refuse("bytes_max", message.bytes_max() != 0, type == PropertyType::kText);
}

void CompileNumberBounds(const v1::CommandArgument& message,
                         const MessageChecker& checker,
                         ActionArgument& argument) {
  // The sine of a larger angle says nothing.
  const double limit = argument.type == PropertyType::kQuaternion
                           ? kMagnitudeMax
                           : std::numeric_limits<double>::max();
  argument.number_minimum =
      checker.Number("number_minimum", message.number_minimum(), -limit, limit);
  argument.number_maximum =
      checker.Number("number_maximum", message.number_maximum(),
                     std::max(argument.number_minimum, -limit), limit);
}

void CompileChoices(const v1::CommandArgument& message,
                    const MessageChecker& checker, ActionArgument& argument) {
  for (const std::string& choice : message.choices()) {
    checker.Name("choices", choice);
    if (std::ranges::find(argument.choices, choice) != argument.choices.end()) {
      checker.Problem("choices",
                      fmt::format("'{}' stands there twice", choice));
    }
    argument.choices.push_back(choice);
  }
  if (argument.choices.empty()) {
    checker.Problem("choices", "required for a TYPE_CHOICE");
  }
}

ActionArgument CompileArgument(const v1::CommandArgument& message,
                               const MessageChecker& checker) {
  ActionArgument argument{.name = checker.Name("name", message.name()),
                          .minimum = message.minimum(),
                          .maximum = message.maximum()};
  if (message.type() != v1::Property::TYPE_UNSPECIFIED) {
    const std::optional<PropertyType> type = PropertyTypeOf(message.type());
    if (!type.has_value()) checker.Problem("type", "there is no such type");
    argument.type = type.value_or(PropertyType::kInt);
  }
  RefuseUnused(message, argument.type, checker);
  if (argument.type == PropertyType::kInt &&
      message.maximum() < message.minimum()) {
    checker.Problem(
        "maximum", fmt::format("{} is below the minimum, {}", message.maximum(),
                               message.minimum()));
  }
  if (HasNumbers(argument.type)) {
    CompileNumberBounds(message, checker, argument);
  }
  if (argument.type == PropertyType::kEnum) {
    CompileChoices(message, checker, argument);
  }
  if (argument.type == PropertyType::kText) {
    argument.bytes_max =
        CountOr("bytes_max", message.bytes_max(), kInputTextBytesMax,
                kTextBytesDefault, checker);
  }
  // Where one is too long, the event has no room for it.
  argument.capacity =
      std::min(message.list_max(), uint32_t{kEventArgumentsMax});
  return argument;
}

std::vector<ActionArgument> CompileArguments(const v1::CommandAction& command,
                                             const MessageChecker& checker) {
  std::vector<ActionArgument> arguments;
  std::set<std::string> names;
  // Of the event: its own and those of its values.
  std::set<std::string> taken = {"player"};
  size_t room = kEventArgumentsMax - taken.size();
  if (static_cast<uint32_t>(command.arguments_size()) > kCommandArgumentsMax) {
    checker.Problem(
        "arguments",
        fmt::format("{} arguments; at most {} are possible",
                    command.arguments_size(), kCommandArgumentsMax));
    return arguments;
  }
  for (int i = 0; i < command.arguments_size(); ++i) {
    const v1::CommandArgument& message = command.arguments(i);
    const MessageChecker place = checker.In(message, "arguments", i);
    ActionArgument argument = CompileArgument(message, place);
    const std::vector<std::string> event_names = EventNamesOf(argument);
    if (!names.insert(argument.name).second) {
      place.Problem("name", fmt::format("the command has two arguments '{}'",
                                        argument.name));
    } else {
      for (const std::string& name : event_names) {
        if (taken.insert(name).second) continue;
        place.Problem(
            "name",
            fmt::format("the command's event has two arguments '{}'", name));
      }
    }
    if (event_names.size() > room) {
      place.Problem(
          "type", fmt::format("it takes {} arguments of the "
                              "command's event, which has room for "
                              "{} more of {}",
                              event_names.size(), room, kCommandArgumentsMax));
    }
    room -= std::min(room, event_names.size());
    arguments.push_back(std::move(argument));
  }
  return arguments;
}

void BindDevice(Action::Kind kind, std::string_view field, uint32_t index,
                uint32_t minimum, uint32_t maximum,
                const MessageChecker& checker, Action& action) {
  action.kind = kind;
  action.device_index =
      std::min(checker.Count(field, index, minimum, maximum), maximum);
}

Action CompileAction(const v1::Action& message, const MessageChecker& checker) {
  using Kind = Action::Kind;
  Action action{.name = checker.Name("name", message.name()),
                .id = IdOf(message.name())};
  switch (message.binding_case()) {
    case v1::Action::kButton:
      BindDevice(Kind::kButton, "button", message.button(), 0,
                 kDeviceButtons - 1, checker, action);
      break;
    case v1::Action::kAxis:
      BindDevice(Kind::kAxis, "axis", message.axis(), 0, kDeviceAxes - 1,
                 checker, action);
      break;
    case v1::Action::kCommand:
      action.kind = Kind::kCommand;
      action.arguments = CompileArguments(
          message.command(), checker.In(message.command(), "command"));
      break;
    case v1::Action::kKey:
      BindDevice(Kind::kKey, "key", static_cast<uint32_t>(message.key()),
                 kKeyMin, kKeyMax, checker, action);
      break;
    case v1::Action::kMouseButton:
      BindDevice(Kind::kMouseButton, "mouse_button", message.mouse_button(), 0,
                 kMouseButtons - 1, checker, action);
      break;
    case v1::Action::kPointer:
      action.kind = Kind::kPointer;
      break;
    case v1::Action::kMouseMotion:
      action.kind = Kind::kMouseMotion;
      break;
    case v1::Action::kWheel:
      action.kind = Kind::kWheel;
      break;
    case v1::Action::kTouch:
      action.kind = Kind::kTouch;
      action.maximum =
          CountOr("touches_max", message.touch().touches_max(), kTouchesMax,
                  kTouchesDefault, checker.In(message.touch(), "touch"));
      break;
    case v1::Action::kMotionSensor:
      action.kind = Kind::kMotionSensor;
      break;
    case v1::Action::kText:
      action.kind = Kind::kText;
      action.maximum =
          CountOr("bytes_max", message.text().bytes_max(), kInputTextBytesMax,
                  kTextBytesDefault, checker.In(message.text(), "text"));
      break;
    case v1::Action::kScriptReload:
      action.kind = Kind::kCommand;
      action.arguments = {{.name = "file",
                           .type = PropertyType::kText,
                           .bytes_max = kInputTextBytesMax},
                          {.name = "source",
                           .type = PropertyType::kText,
                           .bytes_max = kCommandTextBytesMax}};
      action.is_for_authors = true;
      break;
    case v1::Action::BINDING_NOT_SET:
      checker.Problem("name", "the action is bound to nothing");
      break;
  }
  return action;
}

}  // namespace

InputGrammar CompilePlayers(const v1::Pack& pack,
                            const MessageChecker& checker) {
  const v1::Players& players = pack.players();
  const MessageChecker place = checker.In(players, "players");
  InputGrammar grammar;
  if (players.count() != 0) {
    // What else is checked asks of each player: no more than there can be.
    grammar.player_count = std::min(
        place.Count("count", players.count(), 1, kPlayersMax), kPlayersMax);
  }
  grammar.commands_per_tick_max =
      place.Count("commands_per_tick_max", players.commands_per_tick_max(), 0,
                  kCommandsPerTickMax);
  for (int i = 0; i < players.actions_size(); ++i) {
    const MessageChecker at = place.In(players.actions(i), "actions", i);
    Action action = CompileAction(players.actions(i), at);
    if (grammar.Find(action.id) != nullptr) {
      at.Problem("name",
                 fmt::format("there are two actions '{}'", action.name));
    }
    grammar.actions.push_back(std::move(action));
  }
  if (grammar.commands_per_tick_max == 0 &&
      grammar.Has(Action::Kind::kCommand)) {
    place.Warning("commands_per_tick_max",
                  "it is 0, so no player can give any of the commands");
  }
  return grammar;
}

}  // namespace reprise::sim
