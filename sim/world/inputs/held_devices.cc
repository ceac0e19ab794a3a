// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/world/inputs/held_devices.h"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "sim/base/check.h"
#include "sim/state/table.h"
#include "sim/world/components/sorted_rows.h"
#include "sim/world/inputs/input_rows.h"
#include "sim/world/inputs/waiting_buttons.h"
#include "sim/world/inputs/waiting_touches.h"

namespace reprise::sim {
namespace {

// Each of these is for one kind of row, of which `found` is as the last step
// found it and `waiting` what waits:
// - Quiet(found) is what waits when nothing does;
// - Gather(found, frame, waiting) adds a frame;
// - Find(waiting, found) goes on by a step.

DeviceRow Quiet(const DeviceRow& found) {
  DeviceRow waiting = found;
  waiting.buttons_before = 0;
  return waiting;
}

KeyboardRow Quiet(const KeyboardRow& found) {
  KeyboardRow waiting = found;
  waiting.keys_before = {};
  return waiting;
}

MouseRow Quiet(const MouseRow& found) {
  return {.player = found.player,
          .buttons = found.buttons,
          .x = found.x,
          .y = found.y};
}

MotionSensorRow Quiet(const MotionSensorRow& found) { return found; }

template <typename Word>
void GatherWord(Word found, Word held, Word& waiting, Word& again) {
  WaitingButtons<Word> buttons = {.held = waiting, .again = again};
  GatherButtons({.now = found}, held, buttons);
  waiting = buttons.held;
  again = buttons.again;
}

template <typename Word>
void FindWord(Word waiting, Word& again, Word& now, Word& before) {
  WaitingButtons<Word> buttons = {.held = waiting, .again = again};
  FoundButtons<Word> found = {.now = now, .before = before};
  FindButtons(buttons, found);
  again = buttons.again;
  now = found.now;
  before = found.before;
}

void Gather(const DeviceRow& found, const InputFrame& frame,
            DeviceRow& waiting) {
  GatherWord(found.buttons, frame.device.buttons, waiting.buttons,
             waiting.buttons_before);
  waiting.axes = frame.device.axes;
}

void Find(DeviceRow& waiting, DeviceRow& found) {
  FindWord(waiting.buttons, waiting.buttons_before, found.buttons,
           found.buttons_before);
  found.axes = waiting.axes;
}

void Gather(const KeyboardRow& found, const InputFrame& frame,
            KeyboardRow& waiting) {
  for (size_t i = 0; i < found.keys.bits.size(); ++i) {
    GatherWord(found.keys.bits[i], frame.device.keys.bits[i],
               waiting.keys.bits[i], waiting.keys_before.bits[i]);
  }
}

void Find(KeyboardRow& waiting, KeyboardRow& found) {
  for (size_t i = 0; i < found.keys.bits.size(); ++i) {
    FindWord(waiting.keys.bits[i], waiting.keys_before.bits[i],
             found.keys.bits[i], found.keys_before.bits[i]);
  }
}

// As far as a row can say: what moves on behind that is at its end.
int32_t Sum(int32_t moved, int16_t by) {
  return static_cast<int32_t>(
      std::clamp<int64_t>(int64_t{moved} + by, -INT32_MAX, INT32_MAX));
}

void Gather(const MouseRow& found, const InputFrame& frame, MouseRow& waiting) {
  const MouseState& mouse = frame.device.mouse;
  const DeviceActivity& activity = frame.activity;
  GatherWord(found.buttons, mouse.buttons, waiting.buttons,
             waiting.buttons_before);
  waiting.x = mouse.x;
  waiting.y = mouse.y;
  waiting.moved_x = Sum(waiting.moved_x, activity.mouse_x);
  waiting.moved_y = Sum(waiting.moved_y, activity.mouse_y);
  waiting.wheel_x = Sum(waiting.wheel_x, activity.wheel_x);
  waiting.wheel_y = Sum(waiting.wheel_y, activity.wheel_y);
}

void Find(MouseRow& waiting, MouseRow& found) {
  MouseRow next = waiting;
  next.player = found.player;
  next.buttons = found.buttons;
  next.buttons_before = found.buttons_before;
  FindWord(waiting.buttons, waiting.buttons_before, next.buttons,
           next.buttons_before);
  found = next;
  waiting.moved_x = 0;
  waiting.moved_y = 0;
  waiting.wheel_x = 0;
  waiting.wheel_y = 0;
}

void Gather(const MotionSensorRow& /*found*/, const InputFrame& frame,
            MotionSensorRow& waiting) {
  const MotionSensorState& sensor = frame.device.motion_sensor;
  waiting.acceleration = sensor.acceleration_mm_s2;
  waiting.angular_velocity = sensor.angular_velocity_mrad_s;
}

void Find(MotionSensorRow& waiting, MotionSensorRow& found) {
  found.acceleration = waiting.acceleration;
  found.angular_velocity = waiting.angular_velocity;
}

// Changes a row where it changes: a page that isn't written keeps its digest.
template <typename Row>
void KeepRow(const Row& value, uint32_t row, Table& table) {
  if (table.Get<Row>(row) != value) table.Mutable<Row>(row) = value;
}

// The row of what waits of a player; nullopt where nothing does.
std::optional<uint32_t> WaitingRow(const Table& table, uint32_t player) {
  const uint32_t count = table.row_count();
  // Mostly nobody's does. Players are the only key.
  if (count == 0 || table.Get<DeviceRow>(count - 1).player < kPlayersMax) {
    return std::nullopt;
  }
  return FindRow(table, std::array{WaitingPlayer(player)});
}

// What a step found of one kind of row, and what waits of it.
template <typename Row>
class RowPair {
 public:
  RowPair(Table* table, uint32_t player, std::optional<uint32_t> waiting_row)
      : table_(table), player_(player) {
    if (table == nullptr) return;
    found_ = table->Get<Row>(player);
    has_waiting_row_ = waiting_row.has_value();
    waiting_ = has_waiting_row_ ? table->Get<Row>(*waiting_row) : Quiet(found_);
    waiting_.player = player;
  }

  void GatherFrame(const InputFrame& frame) {
    if (table_ != nullptr) Gather(found_, frame, waiting_);
  }
  void FindStep() {
    if (table_ != nullptr) Find(waiting_, found_);
  }
  bool waits() const { return table_ != nullptr && waiting_ != Quiet(found_); }

  void Keep(bool waits) {
    if (table_ == nullptr) return;
    KeepRow(found_, player_, *table_);
    if (!waits && !has_waiting_row_) return;
    waiting_.player = WaitingPlayer(player_);
    const uint32_t row = table_->LowerBound(std::array{waiting_.player});
    if (!waits) {
      table_->EraseRange(row, 1);
      return;
    }
    if (!has_waiting_row_) table_->Insert(row);
    KeepRow(waiting_, row, *table_);
  }

 private:
  Table* table_;  // null: the pack has none
  uint32_t player_;
  Row found_;
  Row waiting_;
  bool has_waiting_row_ = false;
};

// The same of touches, of which there are several.
class TouchPair {
 public:
  TouchPair(Table* table, uint32_t player, bool has_waiting)
      : table_(table), player_(player) {
    if (table == nullptr || table->row_count() == 0) return;
    found_ = Rows(player);
    waiting_ =
        has_waiting ? Rows(WaitingPlayer(player)) : WaitingTouchesOf(found_);
  }

  void GatherFrame(const InputFrame& frame) {
    if (table_ == nullptr) return;
    if (!waiting_.empty() || !frame.device.touches.empty()) {
      GatherTouches(found_, frame.device.touches, waiting_);
    }
  }
  void FindStep() {
    if (!waiting_.empty() || !found_.empty()) FindTouches(waiting_, found_);
  }
  bool waits() {
    SetPlayer(player_, waiting_);
    SetPlayer(player_, found_);
    return waiting_ != WaitingTouchesOf(found_);
  }

  void Keep(bool waits) {
    if (table_ == nullptr) return;
    SetPlayer(player_, found_);
    KeepRows(player_, found_);
    if (!waits) waiting_.clear();
    SetPlayer(WaitingPlayer(player_), waiting_);
    KeepRows(WaitingPlayer(player_), waiting_);
  }

 private:
  static void SetPlayer(uint64_t player, std::vector<TouchRow>& rows) {
    for (TouchRow& row : rows) row.player = player;
  }

  uint32_t First(uint64_t player) const {
    return table_->LowerBound(std::array{player, uint64_t{0}});
  }
  std::vector<TouchRow> Rows(uint64_t player) const {
    std::vector<TouchRow> rows;
    const uint32_t end = First(player + 1);
    for (uint32_t row = First(player); row < end; ++row) {
      rows.push_back(table_->Get<TouchRow>(row));
    }
    return rows;
  }
  void KeepRows(uint64_t player, const std::vector<TouchRow>& rows) {
    if (rows.empty() && table_->row_count() == 0) return;
    const std::vector<TouchRow> old = Rows(player);
    if (rows == old) return;
    const uint32_t first = First(player);
    table_->EraseRange(first, static_cast<uint32_t>(old.size()));
    for (uint32_t i = 0; i < rows.size(); ++i) {
      table_->Insert(first + i);
      table_->Mutable<TouchRow>(first + i) = rows[i];
    }
  }

  Table* table_;  // null: the pack has none
  uint32_t player_;
  std::vector<TouchRow> found_;
  std::vector<TouchRow> waiting_;
};

// Whether a step finds a player who gives nothing as the one before did.
// REQUIRES: nothing of the player waits.
template <typename Row>
bool IsFoundAgain(std::optional<TableIndex> table, uint32_t player,
                  const State& state) {
  if (!table.has_value()) return true;
  const auto& found = state.table(*table).Get<Row>(player);
  Row waiting = Quiet(found);
  Row next = found;
  Find(waiting, next);
  return next == found && waiting == Quiet(next);
}

// Most players hold what they held, and then there is nothing to be written.
bool AreFoundAgain(const InputTables& tables, uint32_t player,
                   const State& state) {
  return !WaitingRow(state.table(tables.devices), player).has_value() &&
         IsFoundAgain<DeviceRow>(tables.devices, player, state) &&
         IsFoundAgain<KeyboardRow>(tables.keyboards, player, state) &&
         IsFoundAgain<MouseRow>(tables.mice, player, state) &&
         IsFoundAgain<MotionSensorRow>(tables.motion_sensors, player, state) &&
         (!tables.touches.has_value() ||
          state.table(*tables.touches).row_count() == 0);
}

// All devices of a player. Either all of them have rows of what waits, or none.
class PlayerDevices {
 public:
  PlayerDevices(const InputTables& tables, uint32_t player, State& state)
      : waiting_row_(WaitingRow(state.table(tables.devices), player)),
        devices_(&state.mutable_table(tables.devices), player, waiting_row_),
        keyboard_(TableOf(tables.keyboards, state), player, waiting_row_),
        mouse_(TableOf(tables.mice, state), player, waiting_row_),
        motion_sensor_(TableOf(tables.motion_sensors, state), player,
                       waiting_row_),
        touches_(TableOf(tables.touches, state), player,
                 waiting_row_.has_value()) {}

  void GatherFrame(const InputFrame& frame) {
    ForEach([&](auto& pair) { pair.GatherFrame(frame); });
  }

  void FindStep() {
    ForEach([](auto& pair) { pair.FindStep(); });
  }

  void Keep() {
    bool waits = false;
    ForEach([&](auto& pair) { waits |= pair.waits(); });
    ForEach([&](auto& pair) { pair.Keep(waits); });
  }

 private:
  static Table* TableOf(std::optional<TableIndex> table, State& state) {
    return table.has_value() ? &state.mutable_table(*table) : nullptr;
  }

  template <typename Visit>
  void ForEach(const Visit& visit) {
    visit(devices_);
    visit(keyboard_);
    visit(mouse_);
    visit(motion_sensor_);
    visit(touches_);
  }

  std::optional<uint32_t> waiting_row_;
  RowPair<DeviceRow> devices_;
  RowPair<KeyboardRow> keyboard_;
  RowPair<MouseRow> mouse_;
  RowPair<MotionSensorRow> motion_sensor_;
  TouchPair touches_;
};

}  // namespace

void TakeDevices(const InputTables& tables, uint32_t player,
                 const InputFrame* frame, State& state) {
  if (frame == nullptr && AreFoundAgain(tables, player, state)) return;
  PlayerDevices devices(tables, player, state);
  if (frame != nullptr) devices.GatherFrame(*frame);
  devices.FindStep();
  devices.Keep();
}

void GatherDevices(const InputTables& tables, uint32_t player,
                   const InputFrame& frame, State& state) {
  PlayerDevices devices(tables, player, state);
  devices.GatherFrame(frame);
  devices.Keep();
}

bool HoldsByNow(const State& state, const InputTables& tables, uint32_t player,
                DeviceButton button) {
  const uint32_t row =
      WaitingRow(state.table(tables.devices), player).value_or(player);
  switch (button.kind) {
    case Action::Kind::kButton: {
      const auto& device = state.table(tables.devices).Get<DeviceRow>(row);
      return (device.buttons >> button.index & 1) != 0;
    }
    case Action::Kind::kKey:
      return state.table(*tables.keyboards)
          .Get<KeyboardRow>(row)
          .keys.Has(button.index);
    case Action::Kind::kMouseButton: {
      const auto& mouse = state.table(*tables.mice).Get<MouseRow>(row);
      return (mouse.buttons >> button.index & 1) != 0;
    }
    default:
      CHECK(false, "{} is no button", static_cast<int>(button.kind));
      return false;
  }
}

bool HoldsIn(const InputFrame& frame, DeviceButton button) {
  switch (button.kind) {
    case Action::Kind::kButton:
      return (frame.device.buttons >> button.index & 1) != 0;
    case Action::Kind::kKey:
      return frame.device.keys.Has(button.index);
    case Action::Kind::kMouseButton:
      return (frame.device.mouse.buttons >> button.index & 1) != 0;
    default:
      CHECK(false, "{} is no button", static_cast<int>(button.kind));
      return false;
  }
}

}  // namespace reprise::sim
