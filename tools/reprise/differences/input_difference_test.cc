// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that inputs are compared by what is held and given at a tick, not by
// what was said, and are named as the pack names them, on two short tracks.

#include "tools/reprise/differences/input_difference.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "replays/tracks/input_track.h"
#include "sim/input/testing_grammar.h"

namespace reprise::tools {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class InputDifferenceTest : public testing::Test {
 protected:
  InputDifferenceTest() {
    grammar_.player_count = 2;
    grammar_.commands_per_tick_max = 2;
    Declare("jump", sim::Action::Kind::kButton, 3);
    Declare("steer", sim::Action::Kind::kAxis, 1);
    Declare("build", sim::Action::Kind::kCommand, 0);
  }

  void Declare(const std::string& name, sim::Action::Kind kind,
               uint32_t device_index) {
    grammar_.actions.push_back({.name = name,
                                .id = sim::IdOf(name),
                                .kind = kind,
                                .device_index = device_index,
                                .arguments = {}});
  }

  static sim::InputFrame Steer(uint32_t player, int16_t value) {
    sim::InputFrame frame = {.player = player, .device = {}, .commands = {}};
    frame.device.axes[1] = value;
    return frame;
  }

  std::vector<InputDifference> Compare(
      const std::vector<replays::TickInputs>& expected,
      const std::vector<replays::TickInputs>& actual, sim::Tick tick) {
    const replays::InputTrack a = {
        .pack = "", .tick_count = 10, .ticks = expected};
    const replays::InputTrack b = {
        .pack = "", .tick_count = 10, .ticks = actual};
    replays::TrackInputSource left(&a);
    replays::TrackInputSource right(&b);
    auto differences = DescribeInputs(left, right, tick, grammar_);
    EXPECT_TRUE(differences.ok()) << differences.status();
    return *std::move(differences);
  }

  sim::InputGrammar grammar_;
};

TEST_F(InputDifferenceTest, WhatIsStillHeldIsEqual) {
  EXPECT_THAT(Compare({{0, {Steer(0, 5)}}},
                      {{0, {Steer(0, 5)}}, {3, {Steer(0, 5)}}}, 3),
              IsEmpty());
}

TEST_F(InputDifferenceTest, AxisIsNamedWithBothValues) {
  EXPECT_THAT(Compare({{0, {Steer(1, 5)}}}, {{2, {Steer(1, -7)}}}, 2),
              ElementsAre(InputDifference{1, "steer", "5", "-7"}));
}

TEST_F(InputDifferenceTest, ButtonIsHeldOrReleased) {
  sim::InputFrame jump = Steer(0, 0);
  jump.device.buttons = 1 << 3;
  EXPECT_THAT(Compare({{1, {jump}}}, {}, 4),
              ElementsAre(InputDifference{0, "jump", "held", "released"}));
}

TEST_F(InputDifferenceTest, CommandsAreOfOneTick) {
  sim::InputFrame build = Steer(0, 0);
  build.commands = {{.name = sim::IdOf("build"), .arguments = {4, -2}}};
  EXPECT_THAT(
      Compare({{1, {build}}}, {}, 1),
      ElementsAre(InputDifference{0, "commands", "build(4, -2)", "none"}));
  EXPECT_THAT(Compare({{1, {build}}}, {}, 2), IsEmpty());
}

TEST_F(InputDifferenceTest, EveryKindIsNamed) {
  grammar_ = sim::EveryInputGrammar();
  std::vector<std::string> actions;
  for (const InputDifference& difference :
       Compare({{1, {sim::EveryInputFrame(1)}}}, {}, 1)) {
    EXPECT_EQ(difference.player, 1u);
    actions.push_back(difference.action);
  }
  EXPECT_THAT(actions,
              ElementsAre("jump", "lean", "crouch", "fire", "aim", "look",
                          "zoom", "tap", "tilt", "chat", "commands"));
}

TEST_F(InputDifferenceTest, WhatIsDoneIsOfOneTick) {
  grammar_ = sim::EveryInputGrammar();
  sim::InputFrame turn;
  turn.activity.wheel_y = 120;
  EXPECT_THAT(Compare({{1, {turn}}}, {}, 1),
              ElementsAre(InputDifference{0, "zoom", "0,120", "0,0"}));
  EXPECT_THAT(Compare({{1, {turn}}}, {}, 2), IsEmpty());
}

}  // namespace
}  // namespace reprise::tools
