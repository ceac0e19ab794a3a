// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/plugins/foreign_players.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "sim/base/table.h"
#include "sim/world/inputs/input_rows.h"

namespace reprise::sim {
namespace {

// The lists of plug-ins are taken into memory that doesn't move.
template <typename Item>
reprise_list SliceOf(const std::vector<Item>& items, size_t first) {
  return {.items = items.data() + first,
          .count = static_cast<uint32_t>(items.size() - first),
          .item_size = sizeof(Item)};
}

reprise_value ToForeign(const SingleValue& value) {
  // In the order of SingleValue::Kind; turns are no argument of plug-ins.
  constexpr std::array<uint32_t, 7> kKinds = {
      REPRISE_VALUE_BOOL,   REPRISE_VALUE_INTEGER, REPRISE_VALUE_NUMBER,
      REPRISE_VALUE_TEXT,   REPRISE_VALUE_VECTOR2, REPRISE_VALUE_VECTOR3,
      REPRISE_VALUE_VECTOR3};
  return {.kind = kKinds[static_cast<size_t>(value.kind)],
          .text_size = static_cast<uint32_t>(value.text.size()),
          .integer = value.integer,
          .numbers = {value.numbers.x, value.numbers.y, value.numbers.z},
          .text = value.text.data()};
}

// A whole number does for a number: plug-ins are given what they asked for.
reprise_value ToForeign(const ActionArgument& argument,
                        const SingleValue& value) {
  reprise_value result = ToForeign(value);
  if (argument.type == PropertyType::kDouble &&
      result.kind == REPRISE_VALUE_INTEGER) {
    result.kind = REPRISE_VALUE_NUMBER;
    result.numbers[0] = static_cast<double>(value.integer);
  }
  return result;
}

}  // namespace

reprise_list ForeignPlayers::Make(const InputGrammar& grammar,
                                  const InputTables& tables, const State& state,
                                  std::span<const InputFrame> frames) {
  players_.assign(grammar.player_count, reprise_player{});
  touches_.clear();
  commands_.clear();
  values_.clear();
  // Nothing moves while lists into it are made.
  touches_.reserve(size_t{grammar.player_count} * kTouchesMax);
  size_t command_count = 0;
  for (const InputFrame& frame : frames) command_count += frame.commands.size();
  commands_.reserve(command_count);
  values_.reserve(command_count * kCommandArgumentsMax);
  for (uint32_t i = 0; i < players_.size(); ++i) {
    AddHeld(tables, state, i, players_[i]);
    const size_t first = touches_.size();
    if (tables.touches.has_value()) {
      AddTouches(state.table(*tables.touches), i);
    }
    players_[i].touches = SliceOf(touches_, first);
  }
  for (const InputFrame& frame : frames) {
    reprise_player& player = players_[frame.player];
    player.text = frame.activity.text.data();
    player.text_size = static_cast<uint32_t>(frame.activity.text.size());
    AddCommands(grammar, frame, player);
  }
  return SliceOf(players_, 0);
}

void ForeignPlayers::AddHeld(const InputTables& tables, const State& state,
                             uint32_t player, reprise_player& result) const {
  const auto& device = state.table(tables.devices).Get<DeviceRow>(player);
  result.buttons = device.buttons;
  std::ranges::copy(device.axes, result.axes);
  if (tables.keyboards.has_value()) {
    const auto& keyboard =
        state.table(*tables.keyboards).Get<KeyboardRow>(player);
    std::ranges::copy(keyboard.keys.bits, result.keys);
  }
  if (tables.mice.has_value()) {
    const auto& mouse = state.table(*tables.mice).Get<MouseRow>(player);
    result.mouse_buttons = mouse.buttons;
    result.mouse_x = mouse.x;
    result.mouse_y = mouse.y;
    result.mouse_moved_x = mouse.moved_x;
    result.mouse_moved_y = mouse.moved_y;
    result.wheel_x = mouse.wheel_x;
    result.wheel_y = mouse.wheel_y;
  }
  if (tables.motion_sensors.has_value()) {
    const auto& sensor =
        state.table(*tables.motion_sensors).Get<MotionSensorRow>(player);
    std::ranges::copy(sensor.acceleration, result.acceleration_mm_s2);
    std::ranges::copy(sensor.angular_velocity, result.angular_velocity_mrad_s);
  }
}

void ForeignPlayers::AddTouches(const Table& touches, uint32_t player) {
  const uint32_t first =
      touches.LowerBound(std::array{uint64_t{player}, uint64_t{0}});
  for (uint32_t row = first; row < touches.row_count(); ++row) {
    const auto& touch = touches.Get<TouchRow>(row);
    if (touch.player != player) break;
    if (touch.phase == TouchPhase::kEnded) continue;
    touches_.push_back({.id = static_cast<uint32_t>(touch.touch),
                        .x = touch.x,
                        .y = touch.y,
                        .pressure = touch.pressure});
  }
}

void ForeignPlayers::AddCommands(const InputGrammar& grammar,
                                 const InputFrame& frame,
                                 reprise_player& result) {
  const size_t first = commands_.size();
  for (const Command& command : frame.commands) {
    const Action* const action = grammar.Find(command.name);
    const size_t first_value = values_.size();
    for (size_t i = 0; i < command.arguments.size(); ++i) {
      values_.push_back(
          ToForeign(action->arguments[i], command.arguments[i].values.front()));
    }
    commands_.push_back(
        {.action = static_cast<uint32_t>(action - grammar.actions.data()),
         .values = SliceOf(values_, first_value)});
  }
  result.commands = SliceOf(commands_, first);
}

}  // namespace reprise::sim
