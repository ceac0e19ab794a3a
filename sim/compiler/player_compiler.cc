// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/compiler/player_compiler.h"

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "fmt/format.h"
#include "sim/base/id.h"

namespace reprise::sim {
namespace {

std::vector<ActionArgument> CompileArguments(const v1::CommandAction& command,
                                             const MessageChecker& checker) {
  std::vector<ActionArgument> arguments;
  std::set<std::string> names;
  if (static_cast<uint32_t>(command.arguments_size()) > kCommandArgumentsMax) {
    checker.Problem(
        "arguments",
        fmt::format("{} arguments; at most {} are possible",
                    command.arguments_size(), kCommandArgumentsMax));
    return arguments;
  }
  for (int i = 0; i < command.arguments_size(); ++i) {
    const v1::CommandArgument& argument = command.arguments(i);
    const MessageChecker place = checker.In(argument, "arguments", i);
    if (!names.insert(place.Name("name", argument.name())).second) {
      place.Problem("name", fmt::format("the command has two arguments '{}'",
                                        argument.name()));
    }
    if (argument.maximum() < argument.minimum()) {
      place.Problem("maximum",
                    fmt::format("{} is below the minimum, {}",
                                argument.maximum(), argument.minimum()));
    }
    arguments.push_back({.name = argument.name(),
                         .minimum = argument.minimum(),
                         .maximum = argument.maximum()});
  }
  return arguments;
}

Action CompileAction(const v1::Action& action, const MessageChecker& checker) {
  Action compiled{.name = checker.Name("name", action.name()),
                  .id = IdOf(action.name()),
                  .kind = Action::Kind::kButton,
                  .device_index = 0,
                  .arguments = {}};
  switch (action.binding_case()) {
    case v1::Action::kButton:
      compiled.device_index =
          checker.Count("button", action.button(), 0, kDeviceButtons - 1);
      break;
    case v1::Action::kAxis:
      compiled.kind = Action::Kind::kAxis;
      compiled.device_index =
          checker.Count("axis", action.axis(), 0, kDeviceAxes - 1);
      break;
    case v1::Action::kCommand:
      compiled.kind = Action::Kind::kCommand;
      compiled.arguments = CompileArguments(
          action.command(), checker.In(action.command(), "command"));
      break;
    case v1::Action::BINDING_NOT_SET:
      checker.Problem("name", "the action has no button, axis or command");
      break;
  }
  return compiled;
}

}  // namespace

InputGrammar CompilePlayers(const v1::Pack& pack,
                            const MessageChecker& checker) {
  const v1::Players& players = pack.players();
  const MessageChecker place = checker.In(players, "players");
  InputGrammar grammar;
  if (players.count() != 0) {
    grammar.player_count =
        place.Count("count", players.count(), 1, kPlayersMax);
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
  return grammar;
}

}  // namespace reprise::sim
