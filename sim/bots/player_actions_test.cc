// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that every kind of action can be said by its name, to the exact
// numbers of a device, that what is held stays held, and that nothing comes of
// what is refused.

#include "sim/bots/player_actions.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "sim/input/testing_grammar.h"

namespace reprise::sim {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

class PlayerActionsTest : public testing::Test {
 protected:
  PlayerActionsTest() { actions_.Begin({}); }

  InputFrame Finish() {
    auto frame = actions_.Finish();
    EXPECT_TRUE(frame.ok()) << frame.status();
    return frame.ok() ? *frame : InputFrame{};
  }

  InputGrammar grammar_ = EveryInputGrammar();
  PlayerActions actions_ = PlayerActions(&grammar_, 1);
};

TEST_F(PlayerActionsTest, EveryDeviceIsSaidByItsActionsNames) {
  ASSERT_TRUE(actions_.Hold("jump", true).ok());
  ASSERT_TRUE(actions_.Hold("crouch", true).ok());
  ASSERT_TRUE(actions_.Hold("fire", true).ok());
  ASSERT_TRUE(actions_.SetAxis("lean", -1.0).ok());
  ASSERT_TRUE(actions_.Point("aim", 0.5, 1.0).ok());
  ASSERT_TRUE(actions_.MoveMouse("look", -5, 6).ok());
  ASSERT_TRUE(actions_.TurnWheel("zoom", 0, 120).ok());
  ASSERT_TRUE(actions_.Touch("tap", 4, 0.0, 1.0, 0.25).ok());
  ASSERT_TRUE(actions_.Touch("tap", 2, 1.0, 0.0, 1.0).ok());
  ASSERT_TRUE(actions_.Touch("tap", 4, 1.0, 1.0, 1.0).ok());
  ASSERT_TRUE(
      actions_.Tilt("tilt", {0.0, 9.8066, -1000.0}, {0.0005, 0.0, -1.0}).ok());
  ASSERT_TRUE(actions_.Say("chat", "hi ").ok());
  ASSERT_TRUE(actions_.Say("chat", "you").ok());

  InputFrame expected{.player = 1};
  expected.device.buttons = uint64_t{1} << 3;
  expected.device.keys.Add(224);
  expected.device.axes[1] = -kAxisMax;
  expected.device.mouse = {
      .buttons = uint32_t{1} << 31, .x = 32768, .y = kViewEdge};
  expected.device.touches = {
      {.id = 2, .x = kViewEdge, .y = 0, .pressure = kViewEdge},
      {.id = 4, .x = kViewEdge, .y = kViewEdge, .pressure = kViewEdge}};
  expected.device.motion_sensor = {.acceleration_mm_s2 = {0, 9807, -kMotionMax},
                                   .angular_velocity_mrad_s = {1, 0, -1000}};
  expected.activity = {.mouse_x = -5,
                       .mouse_y = 6,
                       .wheel_x = 0,
                       .wheel_y = 120,
                       .text = "hi you"};
  EXPECT_EQ(Finish(), expected);
}

TEST_F(PlayerActionsTest, WhatIsHeldStaysUntilItIsLetGo) {
  ASSERT_TRUE(actions_.Hold("jump", true).ok());
  ASSERT_TRUE(actions_.Touch("tap", 1, 0.0, 0.0, 1.0).ok());
  ASSERT_TRUE(actions_.Say("chat", "once").ok());
  actions_.Begin(Finish().device);
  const InputFrame second = Finish();
  EXPECT_EQ(second.device.buttons, uint64_t{1} << 3);
  EXPECT_EQ(second.device.touches.size(), 1);
  EXPECT_THAT(second.activity.text, IsEmpty());
  ASSERT_TRUE(actions_.Lift("tap", 1).ok());
  ASSERT_TRUE(actions_.Hold("jump", false).ok());
  EXPECT_EQ(Finish(), InputFrame{.player = 1});
  ASSERT_TRUE(actions_.Hold("crouch", true).ok());
  actions_.ReleaseAll();
  EXPECT_EQ(Finish(), InputFrame{.player = 1});
}

TEST_F(PlayerActionsTest, CommandsTakeArgumentsOfEveryType) {
  const InputFrame every = EveryInputFrame();
  for (const Command& command : every.commands) {
    const Action& action = *grammar_.Find(command.name);
    ASSERT_TRUE(actions_.Command(action.name).ok());
    for (size_t i = 0; i < command.arguments.size(); ++i) {
      for (const SingleValue& value : command.arguments[i].values) {
        ASSERT_TRUE(actions_.Give(action.arguments[i].name, value).ok());
      }
    }
  }
  EXPECT_EQ(Finish().commands, every.commands);
}

TEST_F(PlayerActionsTest, NothingComesOfWhatIsRefused) {
  EXPECT_EQ(actions_.SetAxis("jump", 0.0).message(),
            "the action 'jump' is a button, not an axis");
  EXPECT_EQ(actions_.Hold("lean", true).message(),
            "the action 'lean' is an axis, and can't be held");
  EXPECT_THAT(std::string(actions_.Hold("jmp", true).message()),
              HasSubstr("there is no action 'jmp'; did you mean 'jump'?"));
  EXPECT_FALSE(actions_.SetAxis("lean", 1.0001).ok());
  EXPECT_FALSE(actions_.Point("aim", -0.1, 0.0).ok());
  EXPECT_FALSE(actions_.MoveMouse("look", 32768, 0).ok());
  EXPECT_FALSE(actions_.Touch("tap", 65536, 0.0, 0.0, 0.0).ok());
  EXPECT_FALSE(actions_.Tilt("tilt", {1000.1, 0.0, 0.0}, {}).ok());
  EXPECT_FALSE(actions_.Say("chat", "thirteen bytes").ok());
  for (const int finger : {1, 2, 3}) {
    EXPECT_TRUE(actions_.Touch("tap", finger, 0.0, 0.0, 0.0).ok());
  }
  EXPECT_FALSE(actions_.Touch("tap", 4, 0.0, 0.0, 0.0).ok());
  actions_.ReleaseAll();
  EXPECT_EQ(Finish(), InputFrame{.player = 1});
  ASSERT_TRUE(actions_.Command("build").ok());
  EXPECT_FALSE(actions_.Give("tower", 6).ok());
  EXPECT_EQ(actions_.Finish().status().message(),
            "the command build was not given 'tower'");
}

}  // namespace
}  // namespace reprise::sim
