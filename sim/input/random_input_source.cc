// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/input/random_input_source.h"

#include <utility>

namespace reprise::sim {
namespace {

// A second at the usual rate: long enough to get somewhere, short enough to try
// much.
constexpr uint64_t kHoldTicksMax = 60;

}  // namespace

RandomInputSource::RandomInputSource(const InputGrammar& grammar, uint64_t seed)
    : grammar_(grammar) {
  for (uint32_t player = 0; player < grammar.player_count; ++player) {
    // Players are told apart by the stream's object number.
    players_.push_back(
        {.stream = MakeRandomStream(seed, IdOf("random inputs"),
                                    ObjectId{uint64_t{player} + 1}),
         .device = {},
         .ticks_left = std::vector<uint64_t>(grammar.actions.size(), 0)});
  }
}

std::vector<InputFrame> RandomInputSource::Next() {
  std::vector<InputFrame> frames;
  for (uint32_t index = 0; index < players_.size(); ++index) {
    Player& player = players_[index];
    const DeviceState held = player.device;
    InputFrame frame{.player = index, .device = {}, .commands = {}};
    for (size_t action = 0; action < grammar_.actions.size(); ++action) {
      uint64_t& ticks_left = player.ticks_left[action];
      if (ticks_left == 0) {
        Choose(grammar_.actions[action], player, frame);
        ticks_left = 1 + NextBelow(player.stream, kHoldTicksMax);
      }
      --ticks_left;
    }
    frame.device = player.device;
    if (frame.device != held || !frame.commands.empty()) {
      frames.push_back(std::move(frame));
    }
  }
  return frames;
}

void RandomInputSource::Choose(const Action& action, Player& player,
                               InputFrame& frame) {
  switch (action.kind) {
    case Action::Kind::kButton: {
      const uint64_t bit = uint64_t{1} << action.device_index;
      const bool is_held = NextBelow(player.stream, 2) == 1;
      player.device.buttons &= ~bit;
      if (is_held) player.device.buttons |= bit;
      break;
    }
    case Action::Kind::kAxis:
      // One time in four the stick is let go.
      player.device.axes[action.device_index] =
          NextBelow(player.stream, 4) == 0
              ? int16_t{0}
              : static_cast<int16_t>(
                    NextInRange(player.stream, -kAxisMax, kAxisMax));
      break;
    case Action::Kind::kCommand: {
      if (frame.commands.size() >= grammar_.commands_per_tick_max) break;
      Command command{.name = action.id, .arguments = {}};
      for (const ActionArgument& argument : action.arguments) {
        command.arguments.push_back(
            NextInRange(player.stream, argument.minimum, argument.maximum));
      }
      frame.commands.push_back(std::move(command));
      break;
    }
  }
}

}  // namespace reprise::sim
