// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/world/inputs/held_devices.h"

#include <algorithm>
#include <array>
#include <vector>

#include "sim/state/table.h"
#include "sim/world/inputs/input_rows.h"

namespace reprise::sim {
namespace {

// Changes the row of a player where it changes: a page that isn't written keeps
// its digest.
template <typename Row, typename Change>
void ChangeRow(uint32_t player, const Change& change, Table& table) {
  const Row& old = table.Get<Row>(player);
  Row row = old;
  change(row);
  if (row != old) table.Mutable<Row>(player) = row;
}

// Each takes what a player's frame says from this tick on; without a frame
// (null) what is held stays, and what was done at the last tick is over.

void TakeDevice(uint32_t player, const InputFrame* frame, Table& devices) {
  const auto take = [frame](DeviceRow& row) {
    row.buttons_before = row.buttons;
    if (frame == nullptr) return;
    row.buttons = frame->device.buttons;
    row.axes = frame->device.axes;
  };
  ChangeRow<DeviceRow>(player, take, devices);
}

void TakeKeyboard(uint32_t player, const InputFrame* frame, Table& keyboards) {
  const auto take = [frame](KeyboardRow& row) {
    row.keys_before = row.keys;
    if (frame != nullptr) row.keys = frame->device.keys;
  };
  ChangeRow<KeyboardRow>(player, take, keyboards);
}

void TakeMouse(uint32_t player, const InputFrame* frame, Table& mice) {
  const auto take = [frame](MouseRow& row) {
    row.buttons_before = row.buttons;
    if (frame != nullptr) {
      row.buttons = frame->device.mouse.buttons;
      row.x = frame->device.mouse.x;
      row.y = frame->device.mouse.y;
    }
    const DeviceActivity activity =
        frame == nullptr ? DeviceActivity{} : frame->activity;
    row.moved_x = activity.mouse_x;
    row.moved_y = activity.mouse_y;
    row.wheel_x = activity.wheel_x;
    row.wheel_y = activity.wheel_y;
  };
  ChangeRow<MouseRow>(player, take, mice);
}

void TakeMotion(uint32_t player, const InputFrame* frame, Table& sensors) {
  if (frame == nullptr) return;
  const auto take = [frame](MotionSensorRow& row) {
    row.acceleration = frame->device.motion_sensor.acceleration_mm_s2;
    row.angular_velocity = frame->device.motion_sensor.angular_velocity_mrad_s;
  };
  ChangeRow<MotionSensorRow>(player, take, sensors);
}

// The rows of a player's touches after `held`, those that had not ended; null:
// they stay.
std::vector<TouchRow> NextTouches(uint32_t player,
                                  const std::vector<TouchRow>& held,
                                  const std::vector<Touch>* touches) {
  std::vector<TouchRow> rows = held;
  for (TouchRow& row : rows) {
    row.phase = touches == nullptr ? TouchPhase::kHeld : TouchPhase::kEnded;
  }
  if (touches == nullptr) return rows;
  for (const Touch& touch : *touches) {
    const auto row = std::ranges::lower_bound(rows, uint64_t{touch.id}, {},
                                              &TouchRow::touch);
    const bool is_held = row != rows.end() && row->touch == touch.id;
    const TouchRow next = {
        .player = player,
        .touch = touch.id,
        .phase = is_held ? TouchPhase::kHeld : TouchPhase::kBegan,
        .x = touch.x,
        .y = touch.y,
        .pressure = touch.pressure};
    if (is_held) {
      *row = next;
    } else {
      rows.insert(row, next);
    }
  }
  return rows;
}

void TakeTouches(uint32_t player, const InputFrame* frame, Table& touches) {
  const uint32_t first =
      touches.LowerBound(std::array{uint64_t{player}, uint64_t{0}});
  const uint32_t end =
      touches.LowerBound(std::array{uint64_t{player} + 1, uint64_t{0}});
  std::vector<TouchRow> old;
  std::vector<TouchRow> held;
  for (uint32_t row = first; row < end; ++row) {
    old.push_back(touches.Get<TouchRow>(row));
    if (old.back().phase != TouchPhase::kEnded) held.push_back(old.back());
  }
  const std::vector<TouchRow> rows = NextTouches(
      player, held, frame == nullptr ? nullptr : &frame->device.touches);
  if (rows == old) return;
  touches.EraseRange(first, end - first);
  for (uint32_t i = 0; i < rows.size(); ++i) {
    touches.Insert(first + i);
    touches.Mutable<TouchRow>(first + i) = rows[i];
  }
}

}  // namespace

void TakeDevices(const InputTables& tables, uint32_t player,
                 const InputFrame* frame, State& state) {
  TakeDevice(player, frame, state.mutable_table(tables.devices));
  if (tables.keyboards.has_value()) {
    TakeKeyboard(player, frame, state.mutable_table(*tables.keyboards));
  }
  if (tables.mice.has_value()) {
    TakeMouse(player, frame, state.mutable_table(*tables.mice));
  }
  if (tables.touches.has_value()) {
    TakeTouches(player, frame, state.mutable_table(*tables.touches));
  }
  if (tables.motion_sensors.has_value()) {
    TakeMotion(player, frame, state.mutable_table(*tables.motion_sensors));
  }
}

}  // namespace reprise::sim
