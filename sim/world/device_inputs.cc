// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/world/device_inputs.h"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "absl/status/status.h"
#include "sim/base/tick.h"
#include "sim/state/table.h"
#include "sim/world/command_events.h"
#include "sim/world/definition/world_definition.h"
#include "sim/world/events/event_router.h"
#include "sim/world/inputs/held_devices.h"
#include "sim/world/inputs/input_tables.h"
#include "sim/world/systems/systems.h"
#include "sim/world/time/game_clock.h"

namespace reprise::sim {
namespace {

const InputFrame* FrameOf(std::span<const InputFrame> frames, uint32_t player) {
  const auto found = std::ranges::find(frames, player, &InputFrame::player);
  return found == frames.end() ? nullptr : &*found;
}

// Has the clock follow the buttons of a player, from tick to tick: it has to go
// on while the game makes no step. REQUIRES: the frame isn't taken yet.
void MoveClock(const WorldParts& parts, uint32_t player,
               const InputFrame* frame) {
  const auto is_pressed = [&](const std::optional<DeviceButton>& button) {
    return frame != nullptr && button.has_value() && HoldsIn(*frame, *button) &&
           !HoldsByNow(parts.state, parts.tables.input, player, *button);
  };
  const ClockDefinition& definition = parts.definition.clock;
  Table& clocks = parts.state.mutable_table(parts.tables.clocks);
  if (is_pressed(definition.pause_button)) {
    GameClockRow& clock = clocks.Mutable<GameClockRow>(0);
    if (clock.is_paused != 0) {
      Resume(clock);
    } else {
      Pause(clock);
    }
  }
  if (is_pressed(definition.step_button)) {
    // While the clock runs, or has steps enough, the button does nothing.
    SingleStep(clocks.Mutable<GameClockRow>(0)).IgnoreError();
  }
}

}  // namespace

void TakeInputs(const WorldParts& parts, std::span<const InputFrame> frames) {
  const InputGrammar& grammar = parts.definition.info.inputs;
  for (uint32_t player = 0; player < grammar.player_count; ++player) {
    MoveClock(parts, player, FrameOf(frames, player));
  }
  GameClockRow clock =
      parts.state.table(parts.tables.clocks).Get<GameClockRow>(0);
  const Tick due = clock.game_tick;
  const bool has_step = Advance(clock) > 0;
  for (uint32_t player = 0; player < grammar.player_count; ++player) {
    const InputFrame* const frame = FrameOf(frames, player);
    if (has_step) {
      TakeDevices(parts.tables.input, player, frame, parts.state);
    } else if (frame != nullptr) {
      GatherDevices(parts.tables.input, player, *frame, parts.state);
    }
    if (frame == nullptr) continue;
    if (!frame->activity.text.empty()) {
      for (const Action& action : grammar.actions) {
        if (action.kind != Action::Kind::kText) continue;
        parts.router->PostAt(
            EventOfText(parts, player, action.id, frame->activity.text), due);
      }
    }
    for (const Command& command : frame->commands) {
      if (parts.systems->TakeCommand(player, command, due)) continue;
      parts.router->PostAt(EventOfCommand(parts, player, command), due);
    }
  }
  parts.router->Settle();
}

void GoOnWithInputs(const WorldParts& parts) {
  const uint32_t count = parts.definition.info.inputs.player_count;
  for (uint32_t player = 0; player < count; ++player) {
    TakeDevices(parts.tables.input, player, nullptr, parts.state);
  }
}

}  // namespace reprise::sim
