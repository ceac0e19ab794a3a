// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/plugins/foreign_players.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "sim/state/table.h"
#include "sim/world/inputs/input_rows.h"

namespace reprise::sim {
namespace {

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
          .text = nullptr};
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
  Reset(grammar.player_count, frames);
  for (uint32_t i = 0; i < players_.size(); ++i) {
    AddHeld(tables, state, i, players_[i]);
    const size_t first = touches_.size();
    if (tables.touches.has_value()) {
      AddTouches(state.table(*tables.touches), i);
    }
    players_[i].touches = touches_.From(first);
  }
  for (const InputFrame& frame : frames) {
    reprise_player& player = players_[frame.player];
    player.text = AddText(frame.activity.text);
    player.text_size = static_cast<uint32_t>(frame.activity.text.size());
    AddCommands(grammar, frame, player);
  }
  const reprise_list made = players_.From(0);
  players_.Seal();
  touches_.Seal();
  commands_.Seal();
  values_.Seal();
  texts_.Seal();
  return made;
}

absl::Status ForeignPlayers::Check() const {
  absl::Status status = players_.Check("the players");
  if (status.ok()) status = touches_.Check("the touches");
  if (status.ok()) status = commands_.Check("the commands");
  if (status.ok()) status = values_.Check("the values of commands");
  if (status.ok()) status = texts_.Check("the texts");
  return status;
}

// Nothing moves while pointers into it are made.
void ForeignPlayers::Reset(uint32_t player_count,
                           std::span<const InputFrame> frames) {
  size_t command_count = 0;
  size_t text_size = 0;
  for (const InputFrame& frame : frames) {
    command_count += frame.commands.size();
    text_size += frame.activity.text.size();
    for (const Command& command : frame.commands) {
      for (const InputValue& argument : command.arguments) {
        text_size += argument.values.front().text.size();
      }
    }
  }
  players_.Reset(player_count);
  for (uint32_t i = 0; i < player_count; ++i) players_.Add({});
  touches_.Reset(size_t{player_count} * kTouchesMax);
  commands_.Reset(command_count);
  values_.Reset(command_count * kCommandArgumentsMax);
  texts_.Reset(text_size);
}

const char* ForeignPlayers::AddText(std::string_view text) {
  const char* const begin = texts_.data() + texts_.size();
  for (const char character : text) texts_.Add(character);
  return begin;
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
    touches_.Add({.id = static_cast<uint32_t>(touch.touch),
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
      const SingleValue& value = command.arguments[i].values.front();
      values_.Add(ToForeign(action->arguments[i], value)).text =
          AddText(value.text);
    }
    commands_.Add(
        {.action = static_cast<uint32_t>(action - grammar.actions.data()),
         .values = values_.From(first_value)});
  }
  result.commands = commands_.From(first);
}

}  // namespace reprise::sim
