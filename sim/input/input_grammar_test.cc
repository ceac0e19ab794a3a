// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that only inputs which the pack declares pass, and that random inputs
// always do.

#include "sim/input/input_grammar.h"

#include <cstdint>
#include <limits>
#include <vector>

#include "gtest/gtest.h"
#include "sim/input/random_input_source.h"

namespace reprise::sim {
namespace {

// Two players, button 3, axis 1 and a command with one argument of 2..5.
InputGrammar MakeGrammar() {
  InputGrammar grammar{.player_count = 2, .commands_per_tick_max = 1};
  grammar.actions = {
      {.name = "jump",
       .id = IdOf("jump"),
       .kind = Action::Kind::kButton,
       .device_index = 3},
      {.name = "steer",
       .id = IdOf("steer"),
       .kind = Action::Kind::kAxis,
       .device_index = 1},
      {.name = "build",
       .id = IdOf("build"),
       .kind = Action::Kind::kCommand,
       .arguments = {{.name = "tower", .minimum = 2, .maximum = 5}}}};
  return grammar;
}

InputFrame FrameOf(uint32_t player) {
  InputFrame frame{.player = player};
  frame.device.buttons = uint64_t{1} << 3;
  frame.device.axes[1] = -kAxisMax;
  frame.commands = {{.name = IdOf("build"), .arguments = {5}}};
  return frame;
}

absl::StatusCode Validate(const std::vector<InputFrame>& frames) {
  return ValidateInputs(MakeGrammar(), frames).code();
}

TEST(InputGrammarTest, DeclaredInputsPass) {
  EXPECT_EQ(Validate({FrameOf(1), FrameOf(0)}), absl::StatusCode::kOk);
}

TEST(InputGrammarTest, UnknownPlayerIsRefused) {
  EXPECT_EQ(Validate({FrameOf(2)}), absl::StatusCode::kInvalidArgument);
}

TEST(InputGrammarTest, TwoFramesOfOnePlayerAreRefused) {
  EXPECT_EQ(Validate({FrameOf(0), FrameOf(0)}),
            absl::StatusCode::kInvalidArgument);
}

TEST(InputGrammarTest, UndeclaredButtonIsRefused) {
  InputFrame frame = FrameOf(0);
  frame.device.buttons = 1;
  EXPECT_EQ(Validate({frame}), absl::StatusCode::kInvalidArgument);
}

TEST(InputGrammarTest, UndeclaredAxisAndLowestNumberAreRefused) {
  InputFrame undeclared = FrameOf(0);
  undeclared.device.axes[0] = 1;
  InputFrame lowest = FrameOf(0);
  lowest.device.axes[1] = std::numeric_limits<int16_t>::min();
  EXPECT_EQ(Validate({undeclared}), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(Validate({lowest}), absl::StatusCode::kInvalidArgument);
}

TEST(InputGrammarTest, UnknownCommandAndButtonAsCommandAreRefused) {
  InputFrame unknown = FrameOf(0);
  unknown.commands[0].name = IdOf("fly");
  InputFrame button = FrameOf(0);
  button.commands[0].name = IdOf("jump");
  EXPECT_EQ(Validate({unknown}), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(Validate({button}), absl::StatusCode::kInvalidArgument);
}

TEST(InputGrammarTest, ArgumentsAreCountedAndBounded) {
  InputFrame frame = FrameOf(0);
  for (const std::vector<int64_t>& arguments :
       {std::vector<int64_t>{}, {1}, {6}, {3, 3}}) {
    frame.commands[0].arguments = arguments;
    EXPECT_EQ(Validate({frame}), absl::StatusCode::kInvalidArgument);
  }
}

TEST(InputGrammarTest, TooManyCommandsAreRefused) {
  InputFrame frame = FrameOf(0);
  frame.commands.push_back(frame.commands[0]);
  EXPECT_EQ(Validate({frame}), absl::StatusCode::kResourceExhausted);
}

TEST(RandomInputSourceTest, EveryDrawnInputPasses) {
  const InputGrammar grammar = MakeGrammar();
  RandomInputSource source(grammar, 7);
  for (int tick = 0; tick < 5000; ++tick) {
    const std::vector<InputFrame> frames = source.Next();
    ASSERT_TRUE(ValidateInputs(grammar, frames).ok()) << tick;
  }
}

TEST(RandomInputSourceTest, SeedAloneDecides) {
  const InputGrammar grammar = MakeGrammar();
  RandomInputSource source(grammar, 7);
  RandomInputSource same(grammar, 7);
  RandomInputSource other(grammar, 8);
  int differing = 0;
  for (int tick = 0; tick < 500; ++tick) {
    const std::vector<InputFrame> frames = source.Next();
    EXPECT_EQ(frames, same.Next());
    if (frames != other.Next()) ++differing;
  }
  EXPECT_GT(differing, 0);
}

TEST(RandomInputSourceTest, EveryActionIsUsed) {
  const InputGrammar grammar = MakeGrammar();
  RandomInputSource source(grammar, 7);
  int presses = 0;
  int deflections = 0;
  int commands = 0;
  for (int tick = 0; tick < 2000; ++tick) {
    for (const InputFrame& frame : source.Next()) {
      presses += frame.device.buttons != 0 ? 1 : 0;
      deflections += frame.device.axes[1] != 0 ? 1 : 0;
      commands += static_cast<int>(frame.commands.size());
    }
  }
  EXPECT_GT(presses, 0);
  EXPECT_GT(deflections, 0);
  EXPECT_GT(commands, 0);
}

}  // namespace
}  // namespace reprise::sim
