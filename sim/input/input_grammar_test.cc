// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that only inputs which the pack declares pass: for every kind of input
// and every type of argument what is undeclared, and what is out of bounds, is
// refused by player, action and bound.

#include "sim/input/input_grammar.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "fmt/format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "sim/input/testing_grammar.h"

namespace reprise::sim {
namespace {

using ::testing::HasSubstr;

constexpr int16_t kLowest = std::numeric_limits<int16_t>::min();

absl::Status Validate(const std::vector<InputFrame>& frames) {
  return ValidateInputs(EveryInputGrammar(), frames);
}

// A frame that passes but for what `change` does to it is refused with
// `message`.
void ExpectRefused(const std::function<void(InputFrame&)>& change,
                   const std::string& message) {
  InputFrame frame = EveryInputFrame(1);
  change(frame);
  const absl::Status status = Validate({frame});
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << message;
  EXPECT_THAT(std::string(status.message()), HasSubstr("player 1: " + message));
}

TEST(InputGrammarTest, DeclaredInputsPass) {
  const absl::Status status = Validate({EveryInputFrame(1), EveryInputFrame()});
  EXPECT_TRUE(status.ok()) << status;
}

TEST(InputGrammarTest, UnknownPlayerIsRefused) {
  EXPECT_EQ(Validate({EveryInputFrame(2)}).code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(InputGrammarTest, TwoFramesOfOnePlayerAreRefused) {
  EXPECT_EQ(Validate({EveryInputFrame(0), EveryInputFrame(0)}).code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(InputGrammarTest, UndeclaredInputOfEachKindIsRefused) {
  ExpectRefused([](InputFrame& frame) { frame.device.buttons = 1; },
                "button 0 is held, which no action of the pack uses");
  ExpectRefused([](InputFrame& frame) { frame.device.axes[0] = 1; },
                "axis 0 is not used");
  ExpectRefused([](InputFrame& frame) { frame.device.keys.Add(225); },
                "key 225 is held");
  ExpectRefused([](InputFrame& frame) { frame.device.keys.Add(255); },
                "key 255 is held");
  ExpectRefused([](InputFrame& frame) { frame.device.mouse.buttons = 1; },
                "mouse button 0 is held, which no action of the pack uses");
}

TEST(InputGrammarTest, WithoutActionsOnlyRestPasses) {
  const InputGrammar nothing;
  const InputFrame rest;
  EXPECT_TRUE(ValidateInputs(nothing, std::span(&rest, 1)).ok());
  const InputFrame every = EveryInputFrame();
  for (const auto& give : std::vector<std::function<void(InputFrame&)>>{
           [&](InputFrame& f) { f.device.buttons = every.device.buttons; },
           [&](InputFrame& f) { f.device.axes = every.device.axes; },
           [&](InputFrame& f) { f.device.keys = every.device.keys; },
           [&](InputFrame& f) { f.device.mouse.buttons = 1; },
           [&](InputFrame& f) { f.device.mouse.y = 1; },
           [&](InputFrame& f) { f.device.touches = {{.id = 0}}; },
           [&](InputFrame& f) {
             f.device.motion_sensor = every.device.motion_sensor;
           },
           [&](InputFrame& f) { f.activity.mouse_x = 1; },
           [&](InputFrame& f) { f.activity.wheel_y = 1; },
           [&](InputFrame& f) { f.activity.text = "a"; }}) {
    InputFrame frame;
    give(frame);
    EXPECT_EQ(ValidateInputs(nothing, std::span(&frame, 1)).code(),
              absl::StatusCode::kInvalidArgument);
  }
}

TEST(InputGrammarTest, NumbersOfDevicesAreBounded) {
  ExpectRefused([](InputFrame& frame) { frame.device.axes[1] = kLowest; },
                "axis 1 is -32768, below");
  ExpectRefused([](InputFrame& frame) { frame.activity.mouse_y = kLowest; },
                "mouse_y is -32768, below");
  ExpectRefused([](InputFrame& frame) { frame.activity.wheel_x = kLowest; },
                "wheel_x is -32768, below");
  ExpectRefused(
      [](InputFrame& frame) {
        frame.device.motion_sensor.acceleration_mm_s2[2] = kMotionMax + 1;
      },
      "acceleration 1000001 is outside");
  ExpectRefused(
      [](InputFrame& frame) {
        frame.device.motion_sensor.angular_velocity_mrad_s[0] = -kMotionMax - 1;
      },
      "angular velocity -1000001 is outside");
}

TEST(InputGrammarTest, TouchesAreCountedAndInOrder) {
  ExpectRefused(
      [](InputFrame& frame) {
        frame.device.touches = {{.id = 1}, {.id = 2}, {.id = 3}, {.id = 4}};
      },
      "4 touches; the pack allows 3");
  ExpectRefused(
      [](InputFrame& frame) {
        frame.device.touches = {{.id = 7}, {.id = 7}};
      },
      "touch 7 follows touch 7");
}

TEST(InputGrammarTest, TextIsBoundedAndUtf8) {
  ExpectRefused(
      [](InputFrame& frame) { frame.activity.text = std::string(13, 'a'); },
      "13 bytes of text; the pack allows 12");
  ExpectRefused([](InputFrame& frame) { frame.activity.text = "\xC3"; },
                "the text is no UTF-8");
}

TEST(InputGrammarTest, UnknownCommandAndButtonAsCommandAreRefused) {
  ExpectRefused(
      [](InputFrame& frame) { frame.commands[0].name = IdOf("fly"); },
      fmt::format("the pack declares no command #{:016x}", IdOf("fly").value));
  for (const std::string name : {"jump", "chat"}) {
    ExpectRefused(
        [&](InputFrame& frame) { frame.commands[0].name = IdOf(name); },
        "the pack declares no command '" + name +
            "': the action of that name is another input");
  }
}

TEST(InputGrammarTest, ArgumentsAreCounted) {
  ExpectRefused([](InputFrame& frame) { frame.commands[0].arguments = {}; },
                "command build takes 1 arguments, not 0");
  ExpectRefused(
      [](InputFrame& frame) {
        frame.commands[0].arguments = {3, 3};
      },
      "command build takes 1 arguments, not 2");
}

// The argument `index` of the command `order`, or of `plan`.
void ExpectArgumentRefused(size_t command, size_t index, InputValue value,
                           const std::string& message) {
  ExpectRefused(
      [&](InputFrame& frame) {
        frame.commands[command].arguments[index] = std::move(value);
      },
      "command " + message);
}

TEST(InputGrammarTest, ArgumentOfEachTypeIsOfItsType) {
  ExpectArgumentRefused(1, 0, 1, "order, argument loud: 1 is no boolean");
  ExpectArgumentRefused(1, 1, 1.0, "order, argument count: 1 is no integer");
  ExpectArgumentRefused(1, 2, "1", "order, argument share: \"1\" is no number");
  ExpectArgumentRefused(1, 3, 5, "order, argument who: 5 is no reference");
  ExpectArgumentRefused(1, 4, 5, "order, argument word: 5 is no name");
  ExpectArgumentRefused(1, 5, true, "order, argument mood: true is no choice");
  ExpectArgumentRefused(1, 6, Vector2{}, "order, argument speech: (0, 0) is");
  ExpectArgumentRefused(2, 0, Vector2{}, "plan, argument at: (0, 0) is no");
  ExpectArgumentRefused(2, 1, Vector3{}, "plan, argument turn: (0, 0, 0) is");
}

TEST(InputGrammarTest, ArgumentsAreBounded) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  ExpectArgumentRefused(0, 0, 1, "build, argument tower: 1 is not in 2..5");
  ExpectArgumentRefused(0, 0, 6, "build, argument tower: 6 is not in 2..5");
  ExpectArgumentRefused(1, 2, 2.51, "order, argument share: 2.51 is not in");
  ExpectArgumentRefused(1, 2, 3,
                        "order, argument share: 3 is not in -0.5..2.5");
  ExpectArgumentRefused(1, 2, nan, "order, argument share: nan is not in");
  ExpectArgumentRefused(1, 3, std::string(257, 'a'),
                        "order, argument who: 257");
  ExpectArgumentRefused(1, 4, "Red", "order, argument word: 'Red' is not a");
  ExpectArgumentRefused(1, 5, "glad",
                        "order, argument mood: 'glad' is none of "
                        "the choices calm, mad");
  ExpectArgumentRefused(1, 6, "0123456789", "order, argument speech: 10 bytes");
  ExpectArgumentRefused(1, 6, "\xFF", "order, argument speech: the text is no");
  ExpectArgumentRefused(2, 0, Vector3{0, 0, nan}, "plan, argument at: nan");
  ExpectArgumentRefused(2, 1, Turns{{0, -0.6, 0}}, "plan, argument turn: -0.6");
}

TEST(InputGrammarTest, ListsAreCountedAndTheirValuesBounded) {
  using List = std::vector<SingleValue>;
  const Vector2 in;
  const Vector2 out = {3.0, 0.0};
  ExpectArgumentRefused(2, 2, List{in, in, in, in},
                        "plan, argument path: 4 va");
  ExpectArgumentRefused(2, 2, List{in, out},
                        "plan, argument path: 3 is not in");
  ExpectArgumentRefused(2, 2, List{5}, "plan, argument path: 5 is no vector2");
  ExpectArgumentRefused(2, 2, in, "plan, argument path: (0, 0) is no list");
  ExpectArgumentRefused(2, 0, List{Vector3{}},
                        "plan, argument at: [(0, 0, 0)]");
}

TEST(InputGrammarTest, WholeNumberDoesForANumberAndNothingForAName) {
  InputFrame frame = EveryInputFrame();
  frame.commands[1].arguments[2] = 2;
  frame.commands[1].arguments[3] = "";
  frame.commands[1].arguments[4] = "";
  frame.commands[1].arguments[6] = "";
  frame.commands[2].arguments[2] = std::vector<SingleValue>();
  const absl::Status status = Validate({frame});
  EXPECT_TRUE(status.ok()) << status;
}

TEST(InputGrammarTest, TooManyCommandsAreRefused) {
  InputFrame frame = EveryInputFrame();
  frame.commands.push_back(frame.commands[0]);
  EXPECT_EQ(Validate({frame}).code(), absl::StatusCode::kResourceExhausted);
}

TEST(InputFrameTest, ActivityAndCommandsAreNeverRepeated) {
  const InputFrame every = EveryInputFrame();
  InputFrame frame{.player = 0, .device = every.device};
  EXPECT_TRUE(frame.Repeats(every.device));
  EXPECT_FALSE(frame.Repeats({}));
  frame.activity.wheel_y = 1;
  EXPECT_FALSE(frame.Repeats(every.device));
  frame.activity = {};
  frame.commands = {every.commands[0]};
  EXPECT_FALSE(frame.Repeats(every.device));
}

}  // namespace
}  // namespace reprise::sim
