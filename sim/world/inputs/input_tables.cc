// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/world/inputs/input_tables.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "fmt/format.h"
#include "sim/base/check.h"
#include "sim/state/row_schema.h"
#include "sim/state/table.h"
#include "sim/world/components/sorted_rows.h"
#include "sim/world/inputs/input_rows.h"
#include "sim/world/inputs/input_texts.h"

namespace reprise::sim {
namespace {

absl::Status Contradiction(std::string_view text) {
  return absl::DataLossError(fmt::format("snapshot: {}", text));
}

bool TakesText(const InputGrammar& grammar) {
  return std::ranges::any_of(grammar.actions, [](const Action& action) {
    return action.kind == Action::Kind::kText ||
           std::ranges::any_of(action.arguments,
                               [](const ActionArgument& argument) {
                                 return argument.type == PropertyType::kText ||
                                        argument.type == PropertyType::kName;
                               });
  });
}

// Rows of which each player has one, in the order of players.
template <typename Row>
void AddPlayers(uint32_t count, Table& table) {
  table.Resize(count);
  for (uint32_t player = 0; player < count; ++player) {
    table.Mutable<Row>(player).player = player;
  }
}

// Each player has a row, and behind them whoever of them also does in
// `devices`.
template <typename Row>
absl::Status CheckPlayers(uint32_t count, const Table& devices,
                          const Table& table) {
  bool are_players =
      table.row_count() == devices.row_count() && table.row_count() >= count;
  for (uint32_t row = 0; are_players && row < table.row_count(); ++row) {
    const uint64_t player = table.Get<Row>(row).player;
    are_players = row < count ? player == row
                              : player == devices.Get<DeviceRow>(row).player;
  }
  return are_players ? absl::OkStatus()
                     : Contradiction("the players are not those of the pack");
}

// What waits is of players, each at most once.
absl::Status CheckDevices(uint32_t count, const Table& devices) {
  for (uint32_t row = count; row < devices.row_count(); ++row) {
    const uint64_t player = devices.Get<DeviceRow>(row).player;
    const bool is_player =
        player >= WaitingPlayer(0) && player < WaitingPlayer(count);
    if (!is_player ||
        (row > count && devices.Get<DeviceRow>(row - 1).player >= player)) {
      return Contradiction("what waits for a step is of no player");
    }
  }
  return CheckPlayers<DeviceRow>(count, devices, devices);
}

absl::Status CheckTouches(uint32_t player_count, const Table& devices,
                          const Table& table) {
  for (uint32_t row = 0; row < table.row_count(); ++row) {
    const auto& touch = table.Get<TouchRow>(row);
    const auto key = [&](uint32_t at) {
      const auto& each = table.Get<TouchRow>(at);
      return std::pair(each.player, each.touch);
    };
    const bool is_found = touch.player < player_count;
    const bool is_waiting =
        !is_found && FindRow(devices, std::array{touch.player}).has_value();
    const bool is_phase = touch.phase >= TouchPhase::kBegan &&
                          touch.phase <= (is_found ? TouchPhase::kEnded
                                                   : TouchPhase::kEndedTwice);
    if ((!is_found && !is_waiting) || touch.touch > kViewEdge || !is_phase ||
        std::max({touch.x, touch.y, touch.pressure}) > kViewEdge ||
        (row > 0 && key(row - 1) >= key(row))) {
      return Contradiction("a touch of nobody, out of order or out of range");
    }
  }
  return absl::OkStatus();
}

// Whether a bit is set in a step, and whether it was one step before.
struct ButtonHistory {
  bool now = false;
  bool before = false;
};

ButtonHistory HistoryOf(const State& state, const InputTables& tables,
                        uint32_t player, DeviceButton button) {
  switch (button.kind) {
    case Action::Kind::kButton: {
      const auto& row = state.table(tables.devices).Get<DeviceRow>(player);
      return {.now = (row.buttons >> button.index & 1) != 0,
              .before = (row.buttons_before >> button.index & 1) != 0};
    }
    case Action::Kind::kKey: {
      const auto& row = state.table(*tables.keyboards).Get<KeyboardRow>(player);
      return {.now = row.keys.Has(button.index),
              .before = row.keys_before.Has(button.index)};
    }
    case Action::Kind::kMouseButton: {
      const auto& row = state.table(*tables.mice).Get<MouseRow>(player);
      return {.now = (row.buttons >> button.index & 1) != 0,
              .before = (row.buttons_before >> button.index & 1) != 0};
    }
    default:
      CHECK(false, "{} is no button", static_cast<int>(button.kind));
      return {};
  }
}

}  // namespace

InputTables AddInputTables(const InputGrammar& grammar, bool makes_texts,
                           State& state) {
  using Kind = Action::Kind;
  constexpr char kRoom[] = "input";
  InputTables tables;
  tables.devices = state.AddTable(kRoom, RowSchema::Of<DeviceRow>());
  if (grammar.Has(Kind::kKey)) {
    tables.keyboards = state.AddTable(kRoom, RowSchema::Of<KeyboardRow>());
  }
  if (grammar.Has(Kind::kMouseButton) || grammar.Has(Kind::kPointer) ||
      grammar.Has(Kind::kMouseMotion) || grammar.Has(Kind::kWheel)) {
    tables.mice = state.AddTable(kRoom, RowSchema::Of<MouseRow>());
  }
  if (grammar.Has(Kind::kTouch)) {
    tables.touches = state.AddTable(kRoom, RowSchema::Of<TouchRow>());
  }
  if (grammar.Has(Kind::kMotionSensor)) {
    tables.motion_sensors =
        state.AddTable(kRoom, RowSchema::Of<MotionSensorRow>());
  }
  if (makes_texts || TakesText(grammar)) {
    tables.texts = state.AddTable(kRoom, RowSchema::Of<InputTextRow>());
  }
  return tables;
}

void InitializeInputs(const InputGrammar& grammar, const InputTables& tables,
                      State& state) {
  const uint32_t count = grammar.player_count;
  AddPlayers<DeviceRow>(count, state.mutable_table(tables.devices));
  if (tables.keyboards.has_value()) {
    AddPlayers<KeyboardRow>(count, state.mutable_table(*tables.keyboards));
  }
  if (tables.mice.has_value()) {
    AddPlayers<MouseRow>(count, state.mutable_table(*tables.mice));
  }
  if (tables.motion_sensors.has_value()) {
    AddPlayers<MotionSensorRow>(count,
                                state.mutable_table(*tables.motion_sensors));
  }
}

absl::Status CheckInputRows(const InputGrammar& grammar,
                            const InputTables& tables, const State& snapshot) {
  const uint32_t count = grammar.player_count;
  const Table& devices = snapshot.table(tables.devices);
  absl::Status status = CheckDevices(count, devices);
  if (status.ok() && tables.keyboards.has_value()) {
    status = CheckPlayers<KeyboardRow>(count, devices,
                                       snapshot.table(*tables.keyboards));
  }
  if (status.ok() && tables.mice.has_value()) {
    status =
        CheckPlayers<MouseRow>(count, devices, snapshot.table(*tables.mice));
  }
  if (status.ok() && tables.touches.has_value()) {
    status = CheckTouches(count, devices, snapshot.table(*tables.touches));
  }
  if (status.ok() && tables.motion_sensors.has_value()) {
    status = CheckPlayers<MotionSensorRow>(
        count, devices, snapshot.table(*tables.motion_sensors));
  }
  if (status.ok() && tables.texts.has_value()) {
    status = CheckInputTexts(snapshot.table(*tables.texts));
  }
  return status;
}

bool IsHeld(const State& state, const InputTables& tables, uint32_t player,
            DeviceButton button) {
  return HistoryOf(state, tables, player, button).now;
}

bool IsPressed(const State& state, const InputTables& tables, uint32_t player,
               DeviceButton button) {
  const ButtonHistory history = HistoryOf(state, tables, player, button);
  return history.now && !history.before;
}

}  // namespace reprise::sim
