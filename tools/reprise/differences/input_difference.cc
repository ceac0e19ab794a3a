// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/differences/input_difference.h"

#include "fmt/format.h"
#include "sim/input/input_frame.h"
#include "sim/input/input_value.h"
#include "tools/reprise/inputs/action_text.h"

namespace reprise::tools {
namespace {

// What each player holds at one tick, and what is done and commanded at it.
using PlayerInputs = std::vector<sim::InputFrame>;

absl::StatusOr<PlayerInputs> InputsAt(replays::InputSource& source,
                                      sim::Tick tick, uint32_t player_count) {
  PlayerInputs inputs(player_count);
  for (sim::Tick now = 0; now <= tick; ++now) {
    const auto frames = source.FramesAt(now);
    if (!frames.ok()) return frames.status();
    for (sim::InputFrame& input : inputs) {
      input.activity = {};
      input.commands.clear();
    }
    for (const sim::InputFrame& frame : *frames) {
      // Of a player that the pack lacks there is nothing to say.
      if (frame.player < player_count) inputs[frame.player] = frame;
    }
  }
  return inputs;
}

std::string FormatCommands(const std::vector<sim::Command>& commands,
                           const sim::InputGrammar& grammar) {
  if (commands.empty()) return "none";
  std::string text;
  for (const sim::Command& command : commands) {
    const sim::Action* const action = grammar.Find(command.name);
    std::vector<std::string> arguments;
    for (const sim::InputValue& argument : command.arguments) {
      arguments.push_back(sim::FormatInputValue(argument));
    }
    text += fmt::format("{}{}({})", text.empty() ? "" : ", ",
                        action == nullptr ? "unknown" : action->name,
                        fmt::join(arguments, ", "));
  }
  return text;
}

}  // namespace

absl::StatusOr<std::vector<InputDifference>> DescribeInputs(
    replays::InputSource& expected, replays::InputSource& actual,
    sim::Tick tick, const sim::InputGrammar& grammar) {
  const auto left = InputsAt(expected, tick, grammar.player_count);
  if (!left.ok()) return left.status();
  const auto right = InputsAt(actual, tick, grammar.player_count);
  if (!right.ok()) return right.status();

  std::vector<InputDifference> differences;
  for (uint32_t player = 0; player < grammar.player_count; ++player) {
    const sim::InputFrame& a = (*left)[player];
    const sim::InputFrame& b = (*right)[player];
    const auto compare = [&](const std::string& action,
                             const std::string& expected_text,
                             const std::string& actual_text) {
      if (expected_text == actual_text) return;
      differences.push_back({player, action, expected_text, actual_text});
    };
    for (const sim::Action& action : grammar.actions) {
      if (action.kind == sim::Action::Kind::kCommand) continue;
      compare(action.name, FormatAction(action, a), FormatAction(action, b));
    }
    compare("commands", FormatCommands(a.commands, grammar),
            FormatCommands(b.commands, grammar));
  }
  return differences;
}

}  // namespace reprise::tools
