// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Fuzzes what devices report, through bindings of every kind: whatever a world
// accepts it steps, to the same state in each order of arrival, and to one that
// it can be restored from and go on as it would have. The input is a line of
// frames; what a frame leaves out stays as its player held it.

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "sim/base/check.h"
#include "sim/base/digest.h"
#include "sim/base/id.h"
#include "sim/compiler/testing_packs.h"
#include "sim/input/input_frame.h"
#include "sim/input/key_set.h"
#include "sim/simulation.h"

namespace reprise::sim {
namespace {

constexpr std::string_view kDesk = R"(
events { name: "done" }
players {
  count: 3 commands_per_tick_max: 2
  actions { name: "button_a" button: 0 }
  actions { name: "button_b" button: 1 }
  actions { name: "space" key: KEY_SPACE }
  actions { name: "click" mouse_button: 0 }
  actions { name: "stick_x" axis: 0 }
  actions { name: "stick_y" axis: 1 }
  actions { name: "aim" pointer {} }
  actions { name: "look" mouse_motion {} }
  actions { name: "zoom" wheel {} }
  actions { name: "finger" touch { touches_max: 3 } }
  actions { name: "tilt" motion_sensor {} }
  actions { name: "chat" text { bytes_max: 8 } }
  actions { name: "rebind" command {
    arguments { name: "binding" type: TYPE_NAME }
    arguments { name: "action" type: TYPE_NAME }
    arguments { name: "slot" minimum: -1 maximum: 9 } } }
  actions { name: "menu" command {} }
  actions { name: "resume" command {} }
}
controls {
  controls { name: "jump" pressed_event: "done" released_event: "done" }
  controls { name: "punch" pressed_event: "done" }
  controls { name: "move" kind: KIND_STICK }
  controls { name: "lean" kind: KIND_AXIS }
  controls { name: "size" kind: KIND_AXIS }
  controls { name: "swiped" pressed_event: "done" }
  controls { name: "circled" pressed_event: "done" }
  controls { name: "confirm" pressed_event: "done" }
  controls { name: "charge" pressed_event: "done" hold { control: "punch" for_s: 0.1 } }
  controls { name: "flick" pressed_event: "done" tap { control: "punch" within_s: 0.1 } }
  controls { name: "dash" pressed_event: "done" double_tap { control: "jump" within_s: 0.2 } }
  controls { name: "both" pressed_event: "done" chord { controls: "jump" controls: "punch" within_s: 0.05 } }
  controls { name: "fireball" pressed_event: "done" sequence { stick: "move"
    steps { direction: DIRECTION_DOWN } steps { direction: DIRECTION_DOWN_RIGHT within_s: 0.3 }
    steps { direction: DIRECTION_RIGHT press: "punch" within_s: 0.3 } } }
  contexts { name: "play"
    bindings { name: "jump" control: "jump" button { action: "button_a" } }
    bindings { name: "jump_key" control: "jump" button { action: "space" } }
    bindings { name: "punch" control: "punch" button { action: "button_b" } }
    bindings { name: "punch_axis" control: "punch" axis { action: "stick_y" threshold: 0.8 } }
    bindings { name: "punch_mouse" control: "punch" button { action: "click" } }
    bindings { name: "move" control: "move" stick { action_x: "stick_x" action_y: "stick_y" dead_zone: 0.2 smoothing_s: 0.05 } }
    bindings { name: "move_keys" control: "move" button_stick { left: "button_a" right: "button_b" down: "click" up: "space" } }
    bindings { name: "move_finger" control: "move" touch_stick { radius: 0.2 dead_zone: 0.1 } }
    bindings { name: "move_mouse" control: "move" mouse { counts: 200 } }
    bindings { name: "lean" control: "lean" axis { action: "stick_x" dead_zone: 0.1 reach: 0.9 inverted: true smoothing_s: 0.1 } }
    bindings { name: "lean_keys" control: "lean" buttons { negative: "button_a" positive: "space" } }
    bindings { name: "lean_tilt" control: "lean" tilt { axis: AXIS_X full_degrees: 30 } }
    bindings { name: "size" control: "size" pinch { } }
    bindings { name: "swipe" control: "swiped" swipe { direction: DIRECTION_LEFT length: 0.05 within_s: 0.6 } }
    bindings { name: "circle" control: "circled" stroke { stroke: "circle" } }
  }
  contexts { name: "menu" priority: 5 disabled: true captures: true
    enabled_by: "menu" disabled_by: "resume"
    bindings { name: "confirm" control: "confirm" button { action: "button_a" } }
  }
  strokes {
    name: "circle"
    examples {
      points { x: 0.7 y: 0.5 } points { x: 0.64 y: 0.64 } points { x: 0.5 y: 0.7 } points { x: 0.36 y: 0.64 }
      points { x: 0.3 y: 0.5 } points { x: 0.36 y: 0.36 } points { x: 0.5 y: 0.3 } points { x: 0.64 y: 0.36 } points { x: 0.7 y: 0.49 }
    }
    examples {
      points { x: 0.8 y: 0.5 } points { x: 0.71 y: 0.7 } points { x: 0.5 y: 0.79 } points { x: 0.3 y: 0.71 }
      points { x: 0.21 y: 0.5 } points { x: 0.29 y: 0.3 } points { x: 0.5 y: 0.22 } points { x: 0.7 y: 0.29 } points { x: 0.79 y: 0.51 }
    }
  }
  strokes {
    name: "line"
    examples { points { x: 0.2 y: 0.5 } points { x: 0.4 y: 0.51 } points { x: 0.6 y: 0.5 } points { x: 0.8 y: 0.49 } }
    examples { points { x: 0.1 y: 0.4 } points { x: 0.35 y: 0.4 } points { x: 0.6 y: 0.42 } points { x: 0.85 y: 0.4 } }
  }
  rebind: "rebind"
}
)";

// Two seconds: longer than each window of the patterns above.
constexpr int kTicksMax = 120;

// The last is no player.
constexpr uint32_t kPlayers = 4;

// More than the pack allows, so that refusals are tried, too.
constexpr uint32_t kTouchCounts = 5;

// What bindings and actions a command names, right and wrong.
constexpr auto kWords = std::to_array<const char*>(
    {"jump", "jump_key", "move", "move_keys", "lean_keys", "swipe", "button_a",
     "stick_x", "finger", "space", "nobody", ""});

// The parts of a frame that are told, each by a bit.
enum Part : uint8_t {
  kButtons = 1,
  kAxes = 2,
  kKeys = 4,
  kMouse = 8,
  kTouches = 16,
  kMotionSensor = 32,
  kActivity = 64,
  kCommand = 128,
};

// Reads numbers as they lie in memory; zeros behind the end.
class ByteReader {
 public:
  explicit ByteReader(std::span<const uint8_t> bytes) : bytes_(bytes) {}

  bool is_at_end() const { return bytes_.empty(); }

  template <typename Number>
  Number Take() {
    static_assert(std::endian::native == std::endian::little);
    Number number = 0;
    const size_t size = std::min(sizeof(number), bytes_.size());
    if (size > 0) std::memcpy(&number, bytes_.data(), size);
    bytes_ = bytes_.subspan(size);
    return number;
  }

  std::string TakeText(size_t size_max) {
    const size_t size = std::min(size_max, bytes_.size());
    std::string text(bytes_.begin(),
                     bytes_.begin() + static_cast<ptrdiff_t>(size));
    bytes_ = bytes_.subspan(size);
    return text;
  }

 private:
  std::span<const uint8_t> bytes_;
};

void ReadHeld(uint8_t parts, ByteReader& reader, DeviceState& device) {
  if (parts & kButtons) device.buttons = reader.Take<uint8_t>();
  if (parts & kAxes) {
    device.axes[0] = reader.Take<int16_t>();
    device.axes[1] = reader.Take<int16_t>();
  }
  if (parts & kKeys) {
    const uint32_t key = reader.Take<uint8_t>() % (kKeyMax + 1);
    device.keys.Has(key) ? device.keys.Remove(key) : device.keys.Add(key);
  }
  if (parts & kMouse) {
    device.mouse.buttons = reader.Take<uint8_t>();
    device.mouse.x = reader.Take<uint16_t>();
    device.mouse.y = reader.Take<uint16_t>();
  }
  if (parts & kTouches) {
    device.touches.resize(reader.Take<uint8_t>() % kTouchCounts);
    for (Touch& touch : device.touches) {
      touch.id = reader.Take<uint8_t>();
      touch.x = reader.Take<uint16_t>();
      touch.y = reader.Take<uint16_t>();
      touch.pressure = reader.Take<uint16_t>();
    }
  }
  if (parts & kMotionSensor) {
    for (int32_t& each : device.motion_sensor.acceleration_mm_s2) {
      each = reader.Take<int32_t>();
    }
    for (int32_t& each : device.motion_sensor.angular_velocity_mrad_s) {
      each = reader.Take<int32_t>();
    }
  }
}

void ReadActivity(ByteReader& reader, DeviceActivity& activity) {
  activity.mouse_x = reader.Take<int16_t>();
  activity.mouse_y = reader.Take<int16_t>();
  activity.wheel_x = reader.Take<int16_t>();
  activity.wheel_y = reader.Take<int16_t>();
  activity.text = reader.TakeText(reader.Take<uint8_t>() % 16);
}

Command ReadCommand(ByteReader& reader) {
  switch (reader.Take<uint8_t>() % 3) {
    case 0:
      return {.name = IdOf("menu"), .arguments = {}};
    case 1:
      return {.name = IdOf("resume"), .arguments = {}};
    default:
      break;
  }
  const char* const binding = kWords[reader.Take<uint8_t>() % kWords.size()];
  const char* const action = kWords[reader.Take<uint8_t>() % kWords.size()];
  const int64_t slot = reader.Take<int8_t>();
  return {.name = IdOf("rebind"), .arguments = {binding, action, slot}};
}

// The frames up to the end of a tick, of players who hold `held`.
std::vector<InputFrame> ReadTick(const std::array<DeviceState, kPlayers>& held,
                                 ByteReader& reader) {
  std::vector<InputFrame> frames;
  for (bool is_last = false; !is_last && !reader.is_at_end();) {
    const auto head = reader.Take<uint8_t>();
    is_last = (head & 0x80) != 0;
    const uint32_t player = head % kPlayers;
    const auto parts = reader.Take<uint8_t>();
    InputFrame frame = {.player = player, .device = held[player]};
    ReadHeld(parts, reader, frame.device);
    if (parts & kActivity) ReadActivity(reader, frame.activity);
    if (parts & kCommand) frame.commands.push_back(ReadCommand(reader));
    frames.push_back(std::move(frame));
  }
  return frames;
}

void Play(std::span<const uint8_t> bytes) {
  static const Simulation* const start = WorldOf(Manifest({kDesk})).release();
  const std::unique_ptr<Simulation> world = start->Fork();
  const std::unique_ptr<Simulation> reversed = start->Fork();
  const std::unique_ptr<Simulation> restored = start->Fork();
  std::array<DeviceState, kPlayers> held;
  ByteReader reader(bytes);
  for (int tick = 0; tick < kTicksMax && !reader.is_at_end(); ++tick) {
    std::vector<InputFrame> frames = ReadTick(held, reader);
    if (!world->Validate(frames).ok()) frames.clear();
    for (const InputFrame& frame : frames) held[frame.player] = frame.device;

    const absl::Status status = restored->Restore(world->state());
    CHECK(status.ok(), "tick {}: {}", tick, status.ToString());
    world->Step(frames, nullptr);
    restored->Step(frames, nullptr);
    std::ranges::reverse(frames);
    reversed->Step(frames, nullptr);
    const Digest digest = world->state().ComputeRootDigest();
    CHECK(restored->state().ComputeRootDigest() == digest, "tick {}", tick);
    CHECK(reversed->state().ComputeRootDigest() == digest, "tick {}", tick);
  }
}

}  // namespace
}  // namespace reprise::sim

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  reprise::sim::Play({data, size});
  return 0;
}
