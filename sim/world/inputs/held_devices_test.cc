// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves what steps find of devices: with one step a tick the frame of that
// tick and the one before, to the byte; with any other number of steps each
// press, finger and motion once, and what waits is a snapshot that is accepted.

#include "sim/world/inputs/held_devices.h"

#include <array>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "sim/input/input_grammar.h"
#include "sim/input/random_input_source.h"
#include "sim/input/testing_grammar.h"
#include "sim/state/table.h"
#include "sim/world/inputs/input_rows.h"

namespace reprise::sim {
namespace {

// Of player 1 of two.
class HeldDevicesTest : public testing::Test {
 protected:
  HeldDevicesTest() { InitializeInputs(grammar_, tables_, state_); }

  // A tick in which the game makes as many steps.
  void Tick(const InputFrame* frame, int steps) {
    if (steps == 0 && frame != nullptr) {
      GatherDevices(tables_, 1, *frame, state_);
    }
    for (int step = 0; step < steps; ++step) {
      TakeDevices(tables_, 1, step == 0 ? frame : nullptr, state_);
      Look();
    }
    const absl::Status status = CheckInputRows(grammar_, tables_, state_);
    ASSERT_TRUE(status.ok()) << status;
  }

  // Adds up what a step finds.
  void Look() {
    presses_ += IsPressed(state_, tables_, 1, kJump) ? 1 : 0;
    presses_ += IsPressed(state_, tables_, 1, kCrouch) ? 1 : 0;
    presses_ += IsPressed(state_, tables_, 1, kFire) ? 1 : 0;
    moved_x_ += Mouse().moved_x;
    wheel_y_ += Mouse().wheel_y;
    for (const TouchRow& row : Touches(1)) {
      came_ += row.phase == TouchPhase::kBegan ? 1 : 0;
      went_ += row.phase == TouchPhase::kEnded ? 1 : 0;
    }
  }

  const DeviceRow& Device() const {
    return state_.table(tables_.devices).Get<DeviceRow>(1);
  }
  const KeyboardRow& Keyboard() const {
    return state_.table(*tables_.keyboards).Get<KeyboardRow>(1);
  }
  const MouseRow& Mouse() const {
    return state_.table(*tables_.mice).Get<MouseRow>(1);
  }
  const MotionSensorRow& MotionSensor() const {
    return state_.table(*tables_.motion_sensors).Get<MotionSensorRow>(1);
  }
  std::vector<TouchRow> Touches(uint64_t player) const {
    std::vector<TouchRow> touches;
    const Table& table = state_.table(*tables_.touches);
    for (uint32_t row = 0; row < table.row_count(); ++row) {
      const auto& touch = table.Get<TouchRow>(row);
      if (touch.player == player) touches.push_back(touch);
    }
    return touches;
  }
  bool Waits() const {
    return state_.table(tables_.devices).row_count() > 2 ||
           state_.table(*tables_.mice).row_count() > 2 ||
           !Touches(WaitingPlayer(1)).empty();
  }

  static constexpr DeviceButton kJump = {.kind = Action::Kind::kButton,
                                         .index = 3};
  static constexpr DeviceButton kCrouch = {.kind = Action::Kind::kKey,
                                           .index = 224};
  static constexpr DeviceButton kFire = {.kind = Action::Kind::kMouseButton,
                                         .index = 31};

  InputGrammar grammar_ = EveryInputGrammar();
  State state_;
  InputTables tables_ = AddInputTables(grammar_, false, state_);
  int64_t presses_ = 0;
  int64_t moved_x_ = 0;
  int64_t wheel_y_ = 0;
  int64_t came_ = 0;
  int64_t went_ = 0;
};

// The phases of touches from the fingers of two ticks.
std::vector<TouchRow> TouchesBetween(const DeviceState& before,
                                     const DeviceState& now) {
  std::vector<TouchRow> rows;
  const auto add = [&](const Touch& touch, TouchPhase phase) {
    rows.push_back({.player = 1,
                    .touch = touch.id,
                    .phase = phase,
                    .x = touch.x,
                    .y = touch.y,
                    .pressure = touch.pressure});
  };
  size_t i = 0;
  for (const Touch& touch : now.touches) {
    while (i < before.touches.size() && before.touches[i].id < touch.id) {
      add(before.touches[i++], TouchPhase::kEnded);
    }
    const bool was_there =
        i < before.touches.size() && before.touches[i].id == touch.id;
    if (was_there) ++i;
    add(touch, was_there ? TouchPhase::kHeld : TouchPhase::kBegan);
  }
  while (i < before.touches.size()) {
    add(before.touches[i++], TouchPhase::kEnded);
  }
  return rows;
}

TEST_F(HeldDevicesTest, OneStepATickFindsItsFrameAndTheOneBefore) {
  RandomInputSource source(grammar_, /*seed=*/7);
  DeviceState before;
  DeviceState now;
  for (int tick = 0; tick < 5000; ++tick) {
    before = now;
    std::optional<InputFrame> given;
    for (const InputFrame& frame : source.Next()) {
      if (frame.player == 1) given = frame;
    }
    if (given.has_value()) now = given->device;
    const DeviceActivity activity =
        given.has_value() ? given->activity : DeviceActivity{};
    Tick(given.has_value() ? &*given : nullptr, 1);
    ASSERT_EQ(Device(), (DeviceRow{.player = 1,
                                   .buttons = now.buttons,
                                   .buttons_before = before.buttons,
                                   .axes = now.axes}));
    ASSERT_EQ(Keyboard(),
              (KeyboardRow{
                  .player = 1, .keys = now.keys, .keys_before = before.keys}));
    ASSERT_EQ(Mouse(), (MouseRow{.player = 1,
                                 .buttons = now.mouse.buttons,
                                 .buttons_before = before.mouse.buttons,
                                 .x = now.mouse.x,
                                 .y = now.mouse.y,
                                 .moved_x = activity.mouse_x,
                                 .moved_y = activity.mouse_y,
                                 .wheel_x = activity.wheel_x,
                                 .wheel_y = activity.wheel_y}));
    ASSERT_EQ(
        MotionSensor(),
        (MotionSensorRow{
            .player = 1,
            .acceleration = now.motion_sensor.acceleration_mm_s2,
            .angular_velocity = now.motion_sensor.angular_velocity_mrad_s}));
    ASSERT_EQ(Touches(1), TouchesBetween(before, now)) << tick;
    ASSERT_FALSE(Waits());
  }
}

TEST_F(HeldDevicesTest, TicksWithoutStepsLeaveWhatTheLastOneFound) {
  const InputFrame every = EveryInputFrame(1);
  Tick(&every, 0);
  EXPECT_EQ(Device(), DeviceRow{.player = 1});
  EXPECT_EQ(Mouse(), MouseRow{.player = 1});
  EXPECT_TRUE(Touches(1).empty());
  EXPECT_TRUE(Waits());
  for (const DeviceButton button : {kJump, kCrouch, kFire}) {
    EXPECT_TRUE(HoldsIn(every, button));
    EXPECT_TRUE(HoldsByNow(state_, tables_, 1, button));
    EXPECT_FALSE(IsHeld(state_, tables_, 1, button));
    EXPECT_FALSE(HoldsByNow(state_, tables_, 0, button)) << "another player";
  }
  Tick(nullptr, 1);
  EXPECT_EQ(presses_, 3);
  EXPECT_EQ(moved_x_, -kAxisMax);
  EXPECT_EQ(Device().axes[1], -kAxisMax);
  EXPECT_EQ(MotionSensor().acceleration[1], 9807);
  EXPECT_EQ(came_, 2);
  EXPECT_FALSE(Waits());
}

TEST_F(HeldDevicesTest, WhatIsHeldOnIsFoundAgainAndNotWritten) {
  InputFrame frame = EveryInputFrame(1);
  frame.device.touches.clear();
  Tick(&frame, 1);
  EXPECT_EQ(presses_, 3);
  Tick(nullptr, 1);  // presses and motion are over
  EXPECT_EQ(presses_, 3);
  EXPECT_EQ(Device().buttons_before, frame.device.buttons);
  EXPECT_EQ(Keyboard().keys_before, frame.device.keys);
  EXPECT_EQ(Mouse().buttons_before, frame.device.mouse.buttons);
  EXPECT_EQ(Mouse().moved_x, 0);
  const auto stamps = [&] {
    return std::array{state_.table(tables_.devices).PageStamp(0),
                      state_.table(*tables_.keyboards).PageStamp(0),
                      state_.table(*tables_.mice).PageStamp(0),
                      state_.table(*tables_.motion_sensors).PageStamp(0)};
  };
  const auto before = stamps();
  Tick(nullptr, 2);
  EXPECT_EQ(stamps(), before);
  EXPECT_TRUE(IsHeld(state_, tables_, 1, kJump));
  EXPECT_FALSE(IsPressed(state_, tables_, 1, kJump));
  // One that waits is found, whatever was held on before.
  const InputFrame released = {.player = 1};
  Tick(&released, 0);
  Tick(nullptr, 1);
  EXPECT_FALSE(IsHeld(state_, tables_, 1, kJump));
  EXPECT_FALSE(IsHeld(state_, tables_, 1, kCrouch));
}

TEST_F(HeldDevicesTest, WhatWasDoneAndUndoneIsNothingThatWaits) {
  InputFrame frame = {.player = 1};
  frame.activity.mouse_x = 5;
  Tick(&frame, 0);
  EXPECT_TRUE(Waits());
  frame.activity.mouse_x = -5;
  Tick(&frame, 0);
  EXPECT_FALSE(Waits());
}

TEST_F(HeldDevicesTest, MotionWaitsUpToWhatARowCanSay) {
  InputFrame frame = {.player = 1};
  frame.activity = {.mouse_x = kAxisMax, .mouse_y = -kAxisMax};
  for (int tick = 0; tick < 70'000; ++tick) Tick(&frame, 0);
  Tick(nullptr, 1);
  EXPECT_EQ(Mouse().moved_x, INT32_MAX);
  EXPECT_EQ(Mouse().moved_y, -INT32_MAX);
}

// What a player did, and how many changes of each of three buttons and of two
// fingers no step has found yet.
struct Restless {
  int64_t presses = 0;
  int64_t moved_x = 0;
  int64_t wheel_y = 0;
  int64_t came = 0;
  std::array<int, 5> waiting = {};
  std::array<bool, 5> held = {};
};

// Changes what it may: as many changes as can wait.
InputFrame Play(std::minstd_rand& random, Restless& player) {
  for (size_t i = 0; i < player.held.size(); ++i) {
    if (player.waiting[i] == 3 || random() % 3 != 0) continue;
    player.held[i] = !player.held[i];
    ++player.waiting[i];
    if (!player.held[i]) continue;
    ++(i < 3 ? player.presses : player.came);
  }
  InputFrame frame = {.player = 1};
  frame.device.buttons = player.held[0] ? 1 << 3 : 0;
  if (player.held[1]) frame.device.keys.Add(224);
  frame.device.mouse.buttons = player.held[2] ? uint32_t{1} << 31 : 0;
  for (const size_t finger : {3, 4}) {
    if (player.held[finger]) {
      frame.device.touches.push_back({.id = static_cast<uint16_t>(finger)});
    }
  }
  if (random() % 2 == 0) {
    frame.activity.mouse_x = static_cast<int16_t>(random() % 201 - 100);
    frame.activity.wheel_y = static_cast<int16_t>(random() % 241 - 120);
  }
  player.moved_x += frame.activity.mouse_x;
  player.wheel_y += frame.activity.wheel_y;
  return frame;
}

TEST_F(HeldDevicesTest, EachPressFingerAndMotionIsFoundOnceAtAnyRate) {
  for (uint32_t seed = 0; seed < 200; ++seed) {
    std::minstd_rand random(seed + 1);
    Restless player;
    presses_ = moved_x_ = wheel_y_ = came_ = went_ = 0;
    // Steps a tick, in sixths: none to three, and changed now and then.
    int rate = static_cast<int>(random() % 19);
    int part = 0;
    for (int tick = 0; tick < 300; ++tick) {
      if (random() % 50 == 0) rate = static_cast<int>(random() % 19);
      part += rate;
      const int steps = part / 6;
      part %= 6;
      if (random() % 4 == 0) {
        Tick(nullptr, steps);
      } else {
        const InputFrame frame = Play(random, player);
        Tick(&frame, steps);
      }
      for (int& waiting : player.waiting) {
        waiting = waiting > steps ? waiting - steps : 0;
      }
    }
    // All that waits is found, and then that all is let go.
    const InputFrame rest = {.player = 1};
    Tick(nullptr, 3);
    Tick(&rest, 0);
    Tick(nullptr, 1);
    EXPECT_EQ(presses_, player.presses) << seed;
    EXPECT_EQ(moved_x_, player.moved_x) << seed;
    EXPECT_EQ(wheel_y_, player.wheel_y) << seed;
    EXPECT_EQ(came_, player.came) << seed;
    EXPECT_EQ(went_, player.came) << seed;
    EXPECT_FALSE(Waits());
    EXPECT_EQ(Device().buttons, 0u);
  }
}

TEST_F(HeldDevicesTest, RowsThatNobodyWaitsInAreRefused) {
  const InputFrame every = EveryInputFrame(1);
  Tick(&every, 0);
  const State waiting = state_;
  const auto expect_refused = [&](const auto& forge, const std::string& why) {
    State forged = waiting;
    forge(forged);
    const absl::Status status = CheckInputRows(grammar_, tables_, forged);
    EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss) << why;
  };
  const auto touch = [&](State& state, uint32_t row) -> TouchRow& {
    return state.mutable_table(*tables_.touches).Mutable<TouchRow>(row);
  };
  expect_refused(
      [&](State& state) {
        state.mutable_table(tables_.devices).Mutable<DeviceRow>(2).player = 2;
      },
      "a third player");
  expect_refused(
      [&](State& state) {
        state.mutable_table(tables_.devices).Mutable<DeviceRow>(2).player =
            WaitingPlayer(2);
      },
      "what waits of a third player");
  expect_refused(
      [&](State& state) {
        Table& devices = state.mutable_table(tables_.devices);
        devices.Insert(3);
        devices.Mutable<DeviceRow>(3).player = WaitingPlayer(1);
      },
      "what waits twice");
  expect_refused(
      [&](State& state) { state.mutable_table(*tables_.mice).Resize(2); },
      "a mouse of which nothing waits");
  expect_refused(
      [&](State& state) {
        state.mutable_table(*tables_.keyboards).Mutable<KeyboardRow>(2).player =
            WaitingPlayer(0);
      },
      "a keyboard of another player");
  expect_refused(
      [&](State& state) { touch(state, 0).player = WaitingPlayer(0); },
      "a touch of whom nothing waits");
  expect_refused([&](State& state) { touch(state, 0).phase = TouchPhase{5}; },
                 "no phase");
  expect_refused(
      [&](State& state) {
        touch(state, 0).player = 1;
        touch(state, 0).phase = TouchPhase::kEndedTwice;
      },
      "a phase of what waits");
  EXPECT_TRUE(CheckInputRows(grammar_, tables_, waiting).ok());
}

}  // namespace
}  // namespace reprise::sim
