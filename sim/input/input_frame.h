// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What one player gives a simulation at one tick: what is held of devices, what
// happens to them at that tick alone, and its commands. All numbers of devices
// are whole ones, so that every recording gives them back to the bit.

#ifndef REPRISE_SIM_INPUT_INPUT_FRAME_H_
#define REPRISE_SIM_INPUT_INPUT_FRAME_H_

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/base/id.h"
#include "sim/input/input_value.h"
#include "sim/input/key_set.h"

namespace reprise::sim {

inline constexpr uint32_t kDeviceButtons = 64;
inline constexpr uint32_t kDeviceAxes = 8;
inline constexpr uint32_t kMouseButtons = 32;

// A device's axis is a signed 16-bit number, as game pads report it; -32768 is
// not used, so that both directions reach equally far. The same holds for how
// far a mouse and its wheel are moved.
inline constexpr int16_t kAxisMax = 32767;

// The far edge of a player's view, where the near one is 0, and full pressure.
inline constexpr uint16_t kViewEdge = 65535;

// Far above what fingers a screen tells apart.
inline constexpr uint32_t kTouchesMax = 16;

// A hundred times what falls, and what no hand turns: 1,000 rad/s.
inline constexpr int32_t kMotionMax = 1'000'000;

// Of a wheel's step, as Windows and Linux report it.
inline constexpr int16_t kWheelStep = 120;

// Of text that a player enters at a tick, or gives to a command.
inline constexpr uint32_t kInputTextBytesMax = 256;

// Bytes of any text of a command: of what isn't kept as a text, but a source.
inline constexpr uint32_t kCommandTextBytesMax = 1 << 16;

struct MouseState {
  uint32_t buttons = 0;  // bit i is set while button i is held
  // Where it points in the player's view, from its left upper corner.
  uint16_t x = 0;
  uint16_t y = 0;

  friend bool operator==(const MouseState&, const MouseState&) = default;
};

// A finger on the player's view.
struct Touch {
  uint16_t id = 0;  // the same from where it comes down until it is lifted
  uint16_t x = 0;   // as the mouse's
  uint16_t y = 0;
  uint16_t pressure = 0;

  friend bool operator==(const Touch&, const Touch&) = default;
};

// -kMotionMax..kMotionMax, in the device's frame: x to the right of its face, y
// up along it, z out of it.
struct MotionSensorState {
  std::array<int32_t, 3> acceleration_mm_s2 = {};
  std::array<int32_t, 3> angular_velocity_mrad_s = {};

  friend bool operator==(const MotionSensorState&,
                         const MotionSensorState&) = default;
};

// What is held until it changes.
struct DeviceState {
  // Bit i is set while button i is held.
  uint64_t buttons = 0;
  // -kAxisMax..kAxisMax, 0 at rest.
  std::array<int16_t, kDeviceAxes> axes = {};
  KeySet keys;
  MouseState mouse;
  std::vector<Touch> touches = {};  // ascending by id
  MotionSensorState motion_sensor;

  friend bool operator==(const DeviceState&, const DeviceState&) = default;
};

// What happens at one tick and is over.
struct DeviceActivity {
  // How far the mouse is moved, in its counts, to the right and downwards, and
  // its wheel turned, in 120ths of a step, to the right and away from the
  // player: -kAxisMax..kAxisMax.
  int16_t mouse_x = 0;
  int16_t mouse_y = 0;
  int16_t wheel_x = 0;
  int16_t wheel_y = 0;
  std::string text = {};  // UTF-8

  friend bool operator==(const DeviceActivity&,
                         const DeviceActivity&) = default;
};

// An abstract order to the game ("build", "say"), independent of devices.
struct Command {
  Id name;
  // As many, of the types and within the bounds, as the pack's action declares.
  std::vector<InputValue> arguments;

  friend bool operator==(const Command&, const Command&) = default;
};

// A player who gives no frame at a tick holds the device as it was at the frame
// before, does nothing else with it and gives no command: a frame that repeats
// the device state without activity and commands is the same as none.
struct InputFrame {
  uint32_t player = 0;  // 0..player_count-1
  DeviceState device = {};
  DeviceActivity activity = {};
  std::vector<Command> commands = {};

  // Whether it is the same as none for a player who holds `held`.
  bool Repeats(const DeviceState& held) const {
    return device == held && activity == DeviceActivity{} && commands.empty();
  }

  friend bool operator==(const InputFrame&, const InputFrame&) = default;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_INPUT_INPUT_FRAME_H_
