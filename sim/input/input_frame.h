// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What one player gives a simulation at one tick: the state of a device and the
// commands of that tick.

#ifndef REPRISE_SIM_INPUT_INPUT_FRAME_H_
#define REPRISE_SIM_INPUT_INPUT_FRAME_H_

#include <array>
#include <cstdint>
#include <vector>

#include "sim/base/id.h"

namespace reprise::sim {

inline constexpr uint32_t kDeviceButtons = 64;
inline constexpr uint32_t kDeviceAxes = 8;

// A device's axis is a signed 16-bit number, as game pads report it; -32768 is
// not used, so that both directions reach equally far.
inline constexpr int16_t kAxisMax = 32767;

struct DeviceState {
  // Bit i is set while button i is held.
  uint64_t buttons = 0;
  // -kAxisMax..kAxisMax, 0 at rest.
  std::array<int16_t, kDeviceAxes> axes = {};

  friend bool operator==(const DeviceState&, const DeviceState&) = default;
};

// An abstract order to the game ("build", "say"), independent of devices.
struct Command {
  Id name;
  // As many, and within the bounds, as the pack's action declares.
  std::vector<int64_t> arguments;

  friend bool operator==(const Command&, const Command&) = default;
};

// A player who gives no frame at a tick holds the device as it was at the frame
// before and gives no command: a frame that repeats the device state without
// commands is the same as none.
struct InputFrame {
  uint32_t player = 0;  // 0..player_count-1
  DeviceState device;
  std::vector<Command> commands;

  friend bool operator==(const InputFrame&, const InputFrame&) = default;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_INPUT_INPUT_FRAME_H_
