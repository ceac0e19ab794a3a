// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/input/input_grammar.h"

#include <array>
#include <bitset>
#include <limits>

#include "fmt/format.h"

namespace reprise::sim {
namespace {

// What of a device the actions of a grammar use.
struct DeclaredDevice {
  uint64_t buttons = 0;
  std::array<bool, kDeviceAxes> axes = {};
};

DeclaredDevice DeclaredBy(const InputGrammar& grammar) {
  DeclaredDevice declared;
  for (const Action& action : grammar.actions) {
    if (action.kind == Action::Kind::kButton) {
      declared.buttons |= uint64_t{1} << action.device_index;
    } else if (action.kind == Action::Kind::kAxis) {
      declared.axes[action.device_index] = true;
    }
  }
  return declared;
}

absl::Status ValidateDevice(const DeclaredDevice& declared,
                            const InputFrame& frame) {
  if ((frame.device.buttons & ~declared.buttons) != 0) {
    return absl::InvalidArgumentError(fmt::format(
        "player {}: a button is held that no action of the pack uses",
        frame.player));
  }
  for (uint32_t axis = 0; axis < kDeviceAxes; ++axis) {
    const int16_t value = frame.device.axes[axis];
    if (value != 0 && !declared.axes[axis]) {
      return absl::InvalidArgumentError(fmt::format(
          "player {}: axis {} is not used by any action of the pack",
          frame.player, axis));
    }
    if (value == std::numeric_limits<int16_t>::min()) {
      return absl::InvalidArgumentError(fmt::format(
          "player {}: axis {} is -32768, below the lowest value -32767",
          frame.player, axis));
    }
  }
  return absl::OkStatus();
}

absl::Status ValidateCommand(const InputGrammar& grammar, uint32_t player,
                             const Command& command) {
  const Action* const action = grammar.Find(command.name);
  if (action == nullptr || action->kind != Action::Kind::kCommand) {
    return absl::InvalidArgumentError(
        fmt::format("player {}: the pack declares no such command", player));
  }
  if (command.arguments.size() != action->arguments.size()) {
    return absl::InvalidArgumentError(fmt::format(
        "player {}: command {} takes {} arguments, not {}", player,
        action->name, action->arguments.size(), command.arguments.size()));
  }
  for (size_t i = 0; i < command.arguments.size(); ++i) {
    const ActionArgument& argument = action->arguments[i];
    const int64_t value = command.arguments[i];
    if (value < argument.minimum || value > argument.maximum) {
      return absl::InvalidArgumentError(
          fmt::format("player {}: command {}, argument {}: {} is not in {}..{}",
                      player, action->name, argument.name, value,
                      argument.minimum, argument.maximum));
    }
  }
  return absl::OkStatus();
}

}  // namespace

const Action* InputGrammar::Find(Id id) const {
  for (const Action& action : actions) {
    if (action.id == id) return &action;
  }
  return nullptr;
}

absl::Status ValidateInputs(const InputGrammar& grammar,
                            std::span<const InputFrame> frames) {
  const DeclaredDevice declared = DeclaredBy(grammar);
  std::bitset<kPlayersMax> seen;
  for (const InputFrame& frame : frames) {
    if (frame.player >= grammar.player_count) {
      return absl::InvalidArgumentError(
          fmt::format("player {} is not one of the pack's {}", frame.player,
                      grammar.player_count));
    }
    if (seen[frame.player]) {
      return absl::InvalidArgumentError(
          fmt::format("player {} gives two frames at one tick", frame.player));
    }
    seen.set(frame.player);
    if (absl::Status status = ValidateDevice(declared, frame); !status.ok()) {
      return status;
    }
    if (frame.commands.size() > grammar.commands_per_tick_max) {
      return absl::ResourceExhaustedError(fmt::format(
          "player {} gives {} commands at one tick; the pack allows {}",
          frame.player, frame.commands.size(), grammar.commands_per_tick_max));
    }
    for (const Command& command : frame.commands) {
      absl::Status status = ValidateCommand(grammar, frame.player, command);
      if (!status.ok()) return status;
    }
  }
  return absl::OkStatus();
}

}  // namespace reprise::sim
