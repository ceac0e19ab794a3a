// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The rows of the room "input": what players hold and do, as the last step of
// the game found it, and the texts that they gave. What a player has done since
// then waits in rows behind those of all players until a step finds it; at the
// end of a tick in which the game made a step there mostly is none.

#ifndef REPRISE_SIM_WORLD_INPUTS_INPUT_ROWS_H_
#define REPRISE_SIM_WORLD_INPUTS_INPUT_ROWS_H_

#include <array>
#include <cstdint>
#include <string_view>

#include "sim/base/field.h"
#include "sim/base/id.h"
#include "sim/base/value_name.h"
#include "sim/input/input_frame.h"
#include "sim/input/input_grammar.h"

namespace reprise::sim {

// What waits of player i has this number in place of theirs, and then each
// table has such a row. In them buttons are as the player holds them by now,
// and `before` those that also went to the other side and back
// (waiting_buttons.h); motion is the sum of all that no step has found.
constexpr uint64_t WaitingPlayer(uint32_t player) {
  return uint64_t{kPlayersMax} + player;
}

// A player's device: as held in a step, and the buttons a step before, so that
// a press can be told from a hold.
struct DeviceRow {
  uint64_t player = 0;
  uint64_t buttons = 0;
  uint64_t buttons_before = 0;
  std::array<int16_t, kDeviceAxes> axes = {};

  friend bool operator==(const DeviceRow&, const DeviceRow&) = default;

  static constexpr std::string_view kTable = "devices";
  static constexpr uint32_t kKeyFields = 1;
  static constexpr auto Describe() {
    return std::array{REPRISE_FIELD(DeviceRow, player, ""),
                      REPRISE_FIELD(DeviceRow, buttons, ""),
                      REPRISE_FIELD(DeviceRow, buttons_before, ""),
                      REPRISE_FIELD(DeviceRow, axes, "1/32767")};
  }
};

// How far an axis is pushed, -1 to 1.
inline double AxisOf(const DeviceRow& device, uint32_t axis) {
  return static_cast<double>(device.axes[axis]) / kAxisMax;
}

// A player's keyboard, as above.
struct KeyboardRow {
  uint64_t player = 0;
  KeySet keys;
  KeySet keys_before;

  friend bool operator==(const KeyboardRow&, const KeyboardRow&) = default;

  static constexpr std::string_view kTable = "keyboards";
  static constexpr uint32_t kKeyFields = 1;
  static constexpr auto Describe() {
    return std::array{REPRISE_FIELD(KeyboardRow, player, ""),
                      REPRISE_FIELD(KeyboardRow, keys, ""),
                      REPRISE_FIELD(KeyboardRow, keys_before, "")};
  }
};

// A player's mouse: what is held, and how far it and its wheel were moved since
// the step before.
struct MouseRow {
  uint64_t player = 0;
  uint32_t buttons = 0;
  uint32_t buttons_before = 0;
  uint32_t x = 0;
  uint32_t y = 0;
  int32_t moved_x = 0;
  int32_t moved_y = 0;
  int32_t wheel_x = 0;
  int32_t wheel_y = 0;

  friend bool operator==(const MouseRow&, const MouseRow&) = default;

  static constexpr std::string_view kTable = "mice";
  static constexpr uint32_t kKeyFields = 1;
  static constexpr auto Describe() {
    return std::array{REPRISE_FIELD(MouseRow, player, ""),
                      REPRISE_FIELD(MouseRow, buttons, ""),
                      REPRISE_FIELD(MouseRow, buttons_before, ""),
                      REPRISE_FIELD(MouseRow, x, "1/65535"),
                      REPRISE_FIELD(MouseRow, y, "1/65535"),
                      REPRISE_FIELD(MouseRow, moved_x, ""),
                      REPRISE_FIELD(MouseRow, moved_y, ""),
                      REPRISE_FIELD(MouseRow, wheel_x, "1/120"),
                      REPRISE_FIELD(MouseRow, wheel_y, "1/120")};
  }
};

enum class TouchPhase : uint32_t {
  kBegan = 1,  // in this step
  kHeld = 2,
  kEnded = 3,       // in this step, where it was last
  kEndedTwice = 4,  // only of what waits (waiting_touches.h)
};
inline constexpr auto kTouchPhaseNames = std::to_array<ValueName>({
    {TouchPhase::kBegan, "began"},
    {TouchPhase::kHeld, "held"},
    {TouchPhase::kEnded, "ended"},
    {TouchPhase::kEndedTwice, "ended_twice"},
});

template <>
struct FieldTraits<TouchPhase> : ScalarTraits<ScalarType::kUint32> {};

// A finger on a player's view.
struct TouchRow {
  uint64_t player = 0;
  uint64_t touch = 0;
  TouchPhase phase = TouchPhase::kBegan;
  uint32_t x = 0;
  uint32_t y = 0;
  uint32_t pressure = 0;

  friend bool operator==(const TouchRow&, const TouchRow&) = default;

  static constexpr std::string_view kTable = "touches";
  static constexpr uint32_t kKeyFields = 2;
  static constexpr auto Describe() {
    return std::array{REPRISE_FIELD(TouchRow, player, ""),
                      REPRISE_FIELD(TouchRow, touch, ""),
                      REPRISE_FIELD(TouchRow, phase, ""),
                      REPRISE_FIELD(TouchRow, x, "1/65535"),
                      REPRISE_FIELD(TouchRow, y, "1/65535"),
                      REPRISE_FIELD(TouchRow, pressure, "1/65535")};
  }
};

// A player's motion sensor.
struct MotionSensorRow {
  uint64_t player = 0;
  std::array<int32_t, 3> acceleration = {};
  std::array<int32_t, 3> angular_velocity = {};

  friend bool operator==(const MotionSensorRow&,
                         const MotionSensorRow&) = default;

  static constexpr std::string_view kTable = "motion_sensors";
  static constexpr uint32_t kKeyFields = 1;
  static constexpr auto Describe() {
    return std::array{
        REPRISE_FIELD(MotionSensorRow, player, ""),
        REPRISE_FIELD(MotionSensorRow, acceleration, "mm/s^2"),
        REPRISE_FIELD(MotionSensorRow, angular_velocity, "mrad/s")};
  }
};

// A text that a player gave and the pack doesn't have: what its id stands for.
struct InputTextRow {
  uint64_t sequence = 0;  // grows with each that comes
  Id text;
  uint64_t size = 0;                                        // in bytes
  std::array<uint64_t, kInputTextBytesMax / 8> bytes = {};  // zeros behind it

  static constexpr std::string_view kTable = "input_texts";
  static constexpr uint32_t kKeyFields = 1;
  static constexpr auto Describe() {
    return std::array{REPRISE_FIELD(InputTextRow, sequence, ""),
                      REPRISE_FIELD(InputTextRow, text, ""),
                      REPRISE_FIELD(InputTextRow, size, ""),
                      REPRISE_FIELD(InputTextRow, bytes, "")};
  }
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_WORLD_INPUTS_INPUT_ROWS_H_
