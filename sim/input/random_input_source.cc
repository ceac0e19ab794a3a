// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/input/random_input_source.h"

#include <utility>

#include "sim/input/random_values.h"

namespace reprise::sim {
namespace {

// A second at the usual rate: long enough to get somewhere, short enough to try
// much.
constexpr uint64_t kHoldTicksMax = 60;

bool NextButton(RandomStream& stream) { return NextBelow(stream, 2) == 1; }

int16_t NextSigned(RandomStream& stream) {
  return static_cast<int16_t>(NextInRange(stream, -kAxisMax, kAxisMax));
}

uint16_t NextUint16(RandomStream& stream) {
  return static_cast<uint16_t>(NextBelow(stream, uint64_t{kViewEdge} + 1));
}

// Some of the fingers that there can be, each with the id of its place.
std::vector<Touch> NextTouches(RandomStream& stream, uint32_t touches_max) {
  std::vector<Touch> touches;
  for (uint32_t finger = 0; finger < touches_max; ++finger) {
    if (!NextButton(stream)) continue;
    Touch touch{.id = static_cast<uint16_t>(finger)};
    touch.x = NextUint16(stream);
    touch.y = NextUint16(stream);
    touch.pressure = NextUint16(stream);
    touches.push_back(touch);
  }
  return touches;
}

}  // namespace

RandomInputSource::RandomInputSource(const InputGrammar& grammar, uint64_t seed)
    : grammar_(grammar) {
  for (uint32_t player = 0; player < grammar.player_count; ++player) {
    // Players are told apart by the stream's object number.
    players_.push_back(
        {.stream = MakeRandomStream(seed, IdOf("random inputs"),
                                    ObjectId{uint64_t{player} + 1}),
         .device = {},
         .ticks_left = std::vector<uint64_t>(grammar.actions.size(), 0)});
  }
}

std::vector<InputFrame> RandomInputSource::Next() {
  std::vector<InputFrame> frames;
  for (uint32_t index = 0; index < players_.size(); ++index) {
    Player& player = players_[index];
    const DeviceState held = player.device;
    InputFrame frame{.player = index};
    for (size_t action = 0; action < grammar_.actions.size(); ++action) {
      uint64_t& ticks_left = player.ticks_left[action];
      if (ticks_left == 0) {
        Choose(grammar_.actions[action], player, frame);
        ticks_left = 1 + NextBelow(player.stream, kHoldTicksMax);
      }
      --ticks_left;
    }
    frame.device = player.device;
    if (!frame.Repeats(held)) frames.push_back(std::move(frame));
  }
  return frames;
}

void RandomInputSource::Choose(const Action& action, Player& player,
                               InputFrame& frame) {
  if (action.is_for_authors) return;
  switch (action.kind) {
    case Action::Kind::kButton: {
      const uint64_t bit = uint64_t{1} << action.device_index;
      const bool is_held = NextButton(player.stream);
      player.device.buttons &= ~bit;
      if (is_held) player.device.buttons |= bit;
      break;
    }
    case Action::Kind::kAxis:
      // One time in four the stick is let go.
      player.device.axes[action.device_index] = NextBelow(player.stream, 4) == 0
                                                    ? int16_t{0}
                                                    : NextSigned(player.stream);
      break;
    case Action::Kind::kCommand: {
      if (frame.commands.size() >= grammar_.commands_per_tick_max) break;
      Command command{.name = action.id, .arguments = {}};
      for (const ActionArgument& argument : action.arguments) {
        command.arguments.push_back(NextArgument(player.stream, argument));
      }
      frame.commands.push_back(std::move(command));
      break;
    }
    case Action::Kind::kKey: {
      KeySet& keys = player.device.keys;
      keys.Remove(action.device_index);
      if (NextButton(player.stream)) keys.Add(action.device_index);
      break;
    }
    case Action::Kind::kMouseButton: {
      const uint32_t bit = uint32_t{1} << action.device_index;
      player.device.mouse.buttons &= ~bit;
      if (NextButton(player.stream)) player.device.mouse.buttons |= bit;
      break;
    }
    case Action::Kind::kPointer:
      player.device.mouse.x = NextUint16(player.stream);
      player.device.mouse.y = NextUint16(player.stream);
      break;
    case Action::Kind::kMouseMotion:
      frame.activity.mouse_x = NextSigned(player.stream);
      frame.activity.mouse_y = NextSigned(player.stream);
      break;
    case Action::Kind::kWheel:
      frame.activity.wheel_x = NextSigned(player.stream);
      frame.activity.wheel_y = NextSigned(player.stream);
      break;
    case Action::Kind::kTouch:
      player.device.touches = NextTouches(player.stream, action.maximum);
      break;
    case Action::Kind::kMotionSensor: {
      MotionSensorState& motion = player.device.motion_sensor;
      for (int32_t& value : motion.acceleration_mm_s2) {
        value = static_cast<int32_t>(
            NextInRange(player.stream, -kMotionMax, kMotionMax));
      }
      for (int32_t& value : motion.angular_velocity_mrad_s) {
        value = static_cast<int32_t>(
            NextInRange(player.stream, -kMotionMax, kMotionMax));
      }
      break;
    }
    case Action::Kind::kText:
      frame.activity.text = NextText(player.stream, action.maximum);
      break;
  }
}

}  // namespace reprise::sim
