// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/fuzzing/inputs/action_changes.h"

#include <algorithm>
#include <utility>

#include "fmt/format.h"
#include "sim/base/check.h"

namespace reprise::replays {
namespace {

using Kind = sim::Action::Kind;

// What the action comes to on a device; of what is over after its tick nothing.
ActionValue ValueOn(const sim::Action& action, const sim::DeviceState& device) {
  ActionValue value;
  switch (action.kind) {
    case Kind::kButton:
      value.numbers[0] =
          static_cast<int32_t>(device.buttons >> action.device_index & 1);
      break;
    case Kind::kAxis:
      value.numbers[0] = device.axes[action.device_index];
      break;
    case Kind::kKey:
      value.numbers[0] = device.keys.Has(action.device_index) ? 1 : 0;
      break;
    case Kind::kMouseButton:
      value.numbers[0] =
          static_cast<int32_t>(device.mouse.buttons >> action.device_index & 1);
      break;
    case Kind::kPointer:
      value.numbers[0] = device.mouse.x;
      value.numbers[1] = device.mouse.y;
      break;
    case Kind::kTouch:
      value.touches = device.touches;
      break;
    case Kind::kMotionSensor:
      for (size_t i = 0; i < 3; ++i) {
        value.numbers[i] = device.motion_sensor.acceleration_mm_s2[i];
        value.numbers[i + 3] = device.motion_sensor.angular_velocity_mrad_s[i];
      }
      break;
    case Kind::kCommand:
    case Kind::kMouseMotion:
    case Kind::kWheel:
    case Kind::kText:
      break;
  }
  return value;
}

template <typename Bits>
void SetBit(Bits& bits, uint32_t index, bool is_set) {
  const Bits bit = Bits{1} << index;
  bits = is_set ? bits | bit : bits & ~bit;
}

// REQUIRES: IsHeld(action).
void Hold(const sim::Action& action, const ActionValue& value,
          sim::DeviceState& device) {
  const bool is_down = value.numbers[0] != 0;
  switch (action.kind) {
    case Kind::kButton:
      SetBit(device.buttons, action.device_index, is_down);
      break;
    case Kind::kAxis:
      device.axes[action.device_index] = static_cast<int16_t>(value.numbers[0]);
      break;
    case Kind::kKey:
      if (is_down) {
        device.keys.Add(action.device_index);
      } else {
        device.keys.Remove(action.device_index);
      }
      break;
    case Kind::kMouseButton:
      SetBit(device.mouse.buttons, action.device_index, is_down);
      break;
    case Kind::kPointer:
      device.mouse.x = static_cast<uint16_t>(value.numbers[0]);
      device.mouse.y = static_cast<uint16_t>(value.numbers[1]);
      break;
    case Kind::kTouch:
      device.touches = value.touches;
      break;
    case Kind::kMotionSensor:
      for (size_t i = 0; i < 3; ++i) {
        device.motion_sensor.acceleration_mm_s2[i] = value.numbers[i];
        device.motion_sensor.angular_velocity_mrad_s[i] = value.numbers[i + 3];
      }
      break;
    default:
      break;
  }
}

void Do(const sim::InputGrammar& grammar, const sim::Action& action,
        const ActionValue& value, sim::InputFrame& frame) {
  switch (action.kind) {
    case Kind::kMouseMotion:
      frame.activity.mouse_x = static_cast<int16_t>(value.numbers[0]);
      frame.activity.mouse_y = static_cast<int16_t>(value.numbers[1]);
      break;
    case Kind::kWheel:
      frame.activity.wheel_x = static_cast<int16_t>(value.numbers[0]);
      frame.activity.wheel_y = static_cast<int16_t>(value.numbers[1]);
      break;
    case Kind::kText:
      if (frame.activity.text.empty()) frame.activity.text = value.text;
      break;
    case Kind::kCommand:
      if (frame.commands.size() < grammar.commands_per_tick_max) {
        frame.commands.push_back(
            {.name = action.id, .arguments = value.arguments});
      }
      break;
    default:
      Hold(action, value, frame.device);
      break;
  }
}

// Appends what one frame does that isn't held.
void AddActivity(const sim::InputGrammar& grammar, const sim::InputFrame& frame,
                 sim::Tick tick, std::vector<ActionChange>& changes) {
  const auto add = [&](size_t action, ActionValue value) {
    changes.push_back({.tick = tick,
                       .player = frame.player,
                       .action = static_cast<uint32_t>(action),
                       .value = std::move(value)});
  };
  for (size_t i = 0; i < grammar.actions.size(); ++i) {
    const sim::DeviceActivity& activity = frame.activity;
    switch (grammar.actions[i].kind) {
      case Kind::kMouseMotion:
        if (activity.mouse_x != 0 || activity.mouse_y != 0) {
          add(i, {.numbers = {activity.mouse_x, activity.mouse_y}});
        }
        break;
      case Kind::kWheel:
        if (activity.wheel_x != 0 || activity.wheel_y != 0) {
          add(i, {.numbers = {activity.wheel_x, activity.wheel_y}});
        }
        break;
      case Kind::kText:
        if (!activity.text.empty()) add(i, {.text = activity.text});
        break;
      default:
        break;
    }
  }
  // In their order, which may matter.
  for (const sim::Command& command : frame.commands) {
    for (size_t i = 0; i < grammar.actions.size(); ++i) {
      if (grammar.actions[i].kind == Kind::kCommand &&
          grammar.actions[i].id == command.name) {
        add(i, {.arguments = command.arguments});
        break;
      }
    }
  }
}

}  // namespace

bool IsHeld(const sim::Action& action) {
  switch (action.kind) {
    case Kind::kCommand:
    case Kind::kMouseMotion:
    case Kind::kWheel:
    case Kind::kText:
      return false;
    default:
      return true;
  }
}

bool IsAtRest(const ActionValue& value) { return value == ActionValue{}; }

std::vector<ActionChange> ToChanges(const sim::InputGrammar& grammar,
                                    std::span<const TickInputs> ticks,
                                    HeldDevices& held) {
  CHECK(held.size() == grammar.player_count);
  std::vector<ActionChange> changes;
  for (const TickInputs& inputs : ticks) {
    for (const sim::InputFrame& frame : inputs.frames) {
      sim::DeviceState& device = held[frame.player];
      for (size_t i = 0; i < grammar.actions.size(); ++i) {
        const sim::Action& action = grammar.actions[i];
        if (!IsHeld(action)) continue;
        ActionValue value = ValueOn(action, frame.device);
        if (value == ValueOn(action, device)) continue;
        changes.push_back({.tick = inputs.tick,
                           .player = frame.player,
                           .action = static_cast<uint32_t>(i),
                           .value = std::move(value)});
      }
      device = frame.device;
      AddActivity(grammar, frame, inputs.tick, changes);
    }
  }
  return changes;
}

std::vector<TickInputs> ToTickInputs(const sim::InputGrammar& grammar,
                                     std::span<const ActionChange> changes,
                                     HeldDevices& held) {
  CHECK(held.size() == grammar.player_count);
  std::vector<TickInputs> ticks;
  for (size_t begin = 0; begin < changes.size();) {
    const sim::Tick tick = changes[begin].tick;
    // By player, so that frames ascend.
    std::vector<sim::InputFrame> frames(grammar.player_count);
    for (uint32_t player = 0; player < grammar.player_count; ++player) {
      frames[player].player = player;
      frames[player].device = held[player];
    }
    for (; begin < changes.size() && changes[begin].tick == tick; ++begin) {
      const ActionChange& change = changes[begin];
      Do(grammar, grammar.actions[change.action], change.value,
         frames[change.player]);
    }
    CHECK(begin == changes.size() || changes[begin].tick > tick);
    TickInputs inputs{.tick = tick};
    for (sim::InputFrame& frame : frames) {
      if (frame.Repeats(held[frame.player])) continue;
      held[frame.player] = frame.device;
      inputs.frames.push_back(std::move(frame));
    }
    if (!inputs.frames.empty()) ticks.push_back(std::move(inputs));
  }
  return ticks;
}

std::string FormatChange(const sim::InputGrammar& grammar,
                         const ActionChange& change) {
  const sim::Action& action = grammar.actions[change.action];
  std::string value;
  const auto numbers = [&change](size_t count) {
    return fmt::format("{}",
                       fmt::join(change.value.numbers.begin(),
                                 change.value.numbers.begin() + count, ","));
  };
  switch (action.kind) {
    case Kind::kCommand: {
      std::vector<std::string> arguments;
      for (const sim::InputValue& argument : change.value.arguments) {
        arguments.push_back(sim::FormatInputValue(argument));
      }
      return fmt::format("tick {}, player {}: {}({})", change.tick,
                         change.player, action.name,
                         fmt::join(arguments, ", "));
    }
    case Kind::kText:
      value = fmt::format("\"{}\"", change.value.text);
      break;
    case Kind::kTouch:
      for (const sim::Touch& touch : change.value.touches) {
        value += fmt::format("{}{},{},{},{}", value.empty() ? "" : ";",
                             touch.id, touch.x, touch.y, touch.pressure);
      }
      break;
    case Kind::kPointer:
    case Kind::kMouseMotion:
    case Kind::kWheel:
      value = numbers(2);
      break;
    case Kind::kMotionSensor:
      value = numbers(6);
      break;
    default:
      value = numbers(1);
      break;
  }
  return fmt::format("tick {}, player {}: {} = {}", change.tick, change.player,
                     action.name, value);
}

}  // namespace reprise::replays
