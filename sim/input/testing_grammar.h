// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A grammar with every kind of action and a command with arguments of every
// type, for tests, and a frame with something of each.

#ifndef REPRISE_SIM_INPUT_TESTING_GRAMMAR_H_
#define REPRISE_SIM_INPUT_TESTING_GRAMMAR_H_

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "sim/input/input_grammar.h"

namespace reprise::sim {

inline Action ActionOf(const std::string& name, Action::Kind kind,
                       uint32_t device_index = 0, uint32_t maximum = 0) {
  return {.name = name,
          .id = IdOf(name),
          .kind = kind,
          .device_index = device_index,
          .maximum = maximum};
}

// Two players. The commands `build` (a whole number of 2 to 5), `order` (a
// value of each type) and `plan` (a list of up to three vectors).
inline InputGrammar EveryInputGrammar() {
  using Kind = Action::Kind;
  InputGrammar grammar{
      .player_count = 2, .commands_per_tick_max = 3, .actions = {}};
  grammar.actions = {ActionOf("jump", Kind::kButton, 3),
                     ActionOf("lean", Kind::kAxis, 1),
                     ActionOf("build", Kind::kCommand),
                     ActionOf("crouch", Kind::kKey, 224),
                     ActionOf("fire", Kind::kMouseButton, 31),
                     ActionOf("aim", Kind::kPointer),
                     ActionOf("look", Kind::kMouseMotion),
                     ActionOf("zoom", Kind::kWheel),
                     ActionOf("tap", Kind::kTouch, 0, 3),
                     ActionOf("tilt", Kind::kMotionSensor),
                     ActionOf("chat", Kind::kText, 0, 12),
                     ActionOf("order", Kind::kCommand),
                     ActionOf("plan", Kind::kCommand)};
  grammar.actions[2].arguments = {
      {.name = "tower", .minimum = 2, .maximum = 5}};
  const ActionArgument number = {.name = "share",
                                 .type = PropertyType::kDouble,
                                 .number_minimum = -0.5,
                                 .number_maximum = 2.5};
  const auto vector_of = [&](std::string name, PropertyType type) {
    ActionArgument argument = number;
    argument.name = std::move(name);
    argument.type = type;
    return argument;
  };
  grammar.actions[11].arguments = {
      {.name = "loud", .type = PropertyType::kBool},
      {.name = "count",
       .minimum = std::numeric_limits<int64_t>::min(),
       .maximum = std::numeric_limits<int64_t>::max()},
      number,
      {.name = "who", .type = PropertyType::kReference},
      {.name = "word", .type = PropertyType::kName},
      {.name = "mood", .type = PropertyType::kEnum, .choices = {"calm", "mad"}},
      {.name = "speech", .type = PropertyType::kText, .bytes_max = 9}};
  ActionArgument path = vector_of("path", PropertyType::kVector2);
  path.capacity = 3;
  grammar.actions[12].arguments = {vector_of("at", PropertyType::kVector3),
                                   vector_of("turn", PropertyType::kQuaternion),
                                   path};
  return grammar;
}

// Passes with that grammar: nothing of it is at rest.
inline InputFrame EveryInputFrame(uint32_t player = 0) {
  InputFrame frame{.player = player};
  frame.device.buttons = uint64_t{1} << 3;
  frame.device.axes[1] = -kAxisMax;
  frame.device.keys.Add(224);
  frame.device.mouse = {.buttons = uint32_t{1} << 31, .x = 1, .y = kViewEdge};
  frame.device.touches = {
      {.id = 0, .x = 5, .y = 6, .pressure = 7},
      {.id = 65535, .x = kViewEdge, .y = 0, .pressure = kViewEdge}};
  frame.device.motion_sensor = {.acceleration_mm_s2 = {-kMotionMax, 9807, 1},
                                .angular_velocity_mrad_s = {kMotionMax, -2, 3}};
  frame.activity = {.mouse_x = -kAxisMax,
                    .mouse_y = kAxisMax,
                    .wheel_x = 1,
                    .wheel_y = -kWheelStep,
                    .text = "\xC3\xA9\n\"\xF0\x9F\x98\x80\""};
  frame.commands = {
      {.name = IdOf("build"), .arguments = {5}},
      {.name = IdOf("order"),
       .arguments = {true, std::numeric_limits<int64_t>::min(), 0.1, "crate_7",
                     "red", "mad", "\xC3\xA9t\xC3\xA9"}},
      {.name = IdOf("plan"),
       .arguments = {
           Vector3{0.1, -0.5, 2.5}, Turns{{0.25, 0.0, 1e-300}},
           std::vector<SingleValue>{Vector2{0.0, 1.0}, Vector2{2.0, 0.3}}}}};
  return frame;
}

}  // namespace reprise::sim

#endif  // REPRISE_SIM_INPUT_TESTING_GRAMMAR_H_
