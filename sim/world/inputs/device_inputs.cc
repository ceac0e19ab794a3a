// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/world/inputs/device_inputs.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "absl/status/status.h"
#include "sim/base/check.h"
#include "sim/base/table.h"
#include "sim/base/tick.h"
#include "sim/world/components/world_names.h"
#include "sim/world/definition/world_definition.h"
#include "sim/world/definition/world_rows.h"
#include "sim/world/events/event_queue.h"
#include "sim/world/events/world_event.h"
#include "sim/world/time/game_clock.h"

namespace reprise::sim {
namespace {

// Has the clock follow the buttons of a player.
void MoveClock(const WorldParts& parts, const DeviceRow& device) {
  const auto is_pressed = [&](const std::optional<uint32_t>& button) {
    const uint64_t pressed = device.buttons & ~device.buttons_before;
    return button.has_value() && (pressed >> *button & 1) != 0;
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

WorldEvent EventOf(const WorldParts& parts, uint32_t player,
                   const Command& command) {
  WorldEvent event{.type = command.name};
  event.arguments = {{kPlayer, FieldValue::OfInt64(player)}};
  const Action& action = *parts.definition.info.inputs.Find(command.name);
  for (size_t i = 0; i < command.arguments.size(); ++i) {
    const absl::Status status =
        event.arguments.Set(IdOf(action.arguments[i].name),
                            FieldValue::OfInt64(command.arguments[i]));
    CHECK(status.ok(), "{}", status.ToString());
  }
  return event;
}

}  // namespace

void TakeInputs(const WorldParts& parts, std::span<const InputFrame> frames) {
  const Tick due =
      parts.state.table(parts.tables.clocks).Get<GameClockRow>(0).game_tick;
  EventQueue queue(parts.state, parts.tables.events,
                   parts.definition.event_limits.queue_capacity);
  Table& devices = parts.state.mutable_table(parts.tables.devices);
  for (uint32_t player = 0; player < devices.row_count(); ++player) {
    const auto frame = std::ranges::find(frames, player, &InputFrame::player);
    const DeviceRow& old = devices.Get<DeviceRow>(player);
    DeviceRow row = old;
    row.buttons_before = row.buttons;
    if (frame != frames.end()) {
      row.buttons = frame->device.buttons;
      row.axes = frame->device.axes;
    }
    if (row != old) devices.Mutable<DeviceRow>(player) = row;
    MoveClock(parts, row);
    if (frame == frames.end()) continue;
    for (const Command& command : frame->commands) {
      queue.Post(EventOf(parts, player, command), due);
    }
  }
}

}  // namespace reprise::sim
