// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that random inputs always pass the grammar they are drawn from, that
// they use all of it, and that the seed alone decides them.

#include "sim/input/random_input_source.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "fmt/format.h"
#include "gtest/gtest.h"
#include "sim/input/testing_grammar.h"

namespace reprise::sim {
namespace {

TEST(RandomInputSourceTest, EveryDrawnInputPasses) {
  const InputGrammar grammar = EveryInputGrammar();
  RandomInputSource source(grammar, 7);
  for (int tick = 0; tick < 5000; ++tick) {
    const absl::Status status = ValidateInputs(grammar, source.Next());
    ASSERT_TRUE(status.ok()) << tick << ": " << status;
  }
}

TEST(RandomInputSourceTest, SeedAloneDecides) {
  const InputGrammar grammar = EveryInputGrammar();
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

// What is drawn of a frame, in words.
std::set<std::string> UsedBy(const InputFrame& frame,
                             const InputGrammar& grammar) {
  std::set<std::string> used;
  const DeviceState& device = frame.device;
  const DeviceActivity& activity = frame.activity;
  if (device.buttons != 0) used.insert("jump");
  if (device.axes[1] != 0) used.insert("lean");
  if (device.keys.Has(224)) used.insert("crouch");
  if (device.mouse.buttons != 0) used.insert("fire");
  if (device.mouse.x != 0 && device.mouse.y != 0) used.insert("aim");
  if (activity.mouse_x != 0 && activity.mouse_y != 0) used.insert("look");
  if (activity.wheel_x != 0 && activity.wheel_y != 0) used.insert("zoom");
  if (device.touches.size() == 3) used.insert("tap");
  if (device.motion_sensor.angular_velocity_mrad_s[2] != 0) used.insert("tilt");
  if (activity.text.size() == 12) used.insert("chat");
  for (const Command& command : frame.commands) {
    used.insert(grammar.Find(command.name)->name);
  }
  return used;
}

TEST(RandomInputSourceTest, EveryActionIsUsed) {
  const InputGrammar grammar = EveryInputGrammar();
  RandomInputSource source(grammar, 7);
  std::set<std::string> used;
  for (int tick = 0; tick < 5000; ++tick) {
    for (const InputFrame& frame : source.Next()) {
      used.merge(UsedBy(frame, grammar));
    }
  }
  for (const Action& action : grammar.actions) {
    EXPECT_TRUE(used.contains(action.name)) << action.name;
  }
}

TEST(RandomInputSourceTest, ActivityIsOfOneTickAndNothingIsRepeated) {
  const InputGrammar grammar = EveryInputGrammar();
  RandomInputSource source(grammar, 7);
  std::vector<DeviceState> held(grammar.player_count);
  for (int tick = 0; tick < 500; ++tick) {
    for (const InputFrame& frame : source.Next()) {
      EXPECT_FALSE(frame.Repeats(held[frame.player])) << tick;
      held[frame.player] = frame.device;
    }
  }
}

// The draws of a grammar with buttons, axes and commands of whole numbers are
// what goldens were made of.
TEST(RandomInputSourceTest, DrawsOfTheFirstKindsStayAsTheyWere) {
  InputGrammar grammar = EveryInputGrammar();
  grammar.actions.resize(3);
  RandomInputSource source(grammar, 7);
  std::string drawn;
  for (int tick = 0; tick < 40; ++tick) {
    for (const InputFrame& frame : source.Next()) {
      drawn += fmt::format("{}:{} {} {}", tick, frame.player,
                           frame.device.buttons, frame.device.axes[1]);
      for (const Command& command : frame.commands) {
        drawn += " " + FormatInputValue(command.arguments[0]);
      }
      drawn += "\n";
    }
  }
  EXPECT_EQ(drawn, R"(0:0 8 18996 3
0:1 0 12320 2
1:0 8 18996 4
23:1 0 12320 3
26:0 8 18996 2
34:1 8 12320
38:0 8 18996 2
)");
}

}  // namespace
}  // namespace reprise::sim
