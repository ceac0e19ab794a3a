// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that a change holds for one tick and leaves everything else as it was,
// and that changes which the pack doesn't allow are refused, by asking for the
// frames of a short track tick by tick.

#include "tools/reprise/inputs/changed_input_source.h"

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "replays/tracks/input_track.h"

namespace reprise::tools {
namespace {

using sim::InputFrame;
using testing::ElementsAre;
using testing::IsEmpty;

sim::Action MakeAction(const std::string& name, sim::Action::Kind kind,
                       uint32_t device_index) {
  return {.name = name,
          .id = sim::IdOf(name),
          .kind = kind,
          .device_index = device_index,
          .arguments = {}};
}

InputFrame MakeFrame(uint32_t player, uint64_t buttons, int16_t axis_1) {
  InputFrame frame;
  frame.player = player;
  frame.device.buttons = buttons;
  frame.device.axes[1] = axis_1;
  return frame;
}

class ChangedInputSourceTest : public testing::Test {
 protected:
  ChangedInputSourceTest() {
    grammar_.player_count = 2;
    grammar_.actions = {MakeAction("jump", sim::Action::Kind::kButton, 3),
                        MakeAction("steer", sim::Action::Kind::kAxis, 1),
                        MakeAction("say", sim::Action::Kind::kCommand, 0),
                        MakeAction("chat", sim::Action::Kind::kText, 0),
                        MakeAction("tap", sim::Action::Kind::kTouch, 0)};
    grammar_.actions[3].maximum = 2;
    grammar_.actions[4].maximum = 1;
    track_.tick_count = 10;
    track_.ticks = {{.tick = 2, .frames = {MakeFrame(0, 0, 100)}},
                    {.tick = 5, .frames = {MakeFrame(0, 0, 200)}}};
  }

  absl::Status CreateStatus(const InputChange& change) {
    return ChangedInputSource::Create(&original_, grammar_, {&change, 1})
        .status();
  }

  // The frames of the ticks 0 to 9 with `change`.
  std::vector<std::vector<InputFrame>> Play(const InputChange& change) {
    const auto source =
        ChangedInputSource::Create(&original_, grammar_, {&change, 1});
    EXPECT_TRUE(source.ok()) << source.status();
    std::vector<std::vector<InputFrame>> ticks;
    for (sim::Tick tick = 0; source.ok() && tick < 10; ++tick) {
      const auto frames = (*source)->FramesAt(tick);
      EXPECT_TRUE(frames.ok());
      ticks.emplace_back(frames->begin(), frames->end());
    }
    return ticks;
  }

  sim::InputGrammar grammar_;
  replays::InputTrack track_;
  replays::TrackInputSource original_{&track_};
};

TEST_F(ChangedInputSourceTest, ChangeBetweenFramesHoldsForOneTick) {
  const auto ticks =
      Play({.tick = 3, .player = 0, .action = "steer", .value = "-7"});
  EXPECT_THAT(ticks[2], ElementsAre(MakeFrame(0, 0, 100)));
  EXPECT_THAT(ticks[3], ElementsAre(MakeFrame(0, 0, -7)));
  EXPECT_THAT(ticks[4], ElementsAre(MakeFrame(0, 0, 100)));
  EXPECT_THAT(ticks[5], ElementsAre(MakeFrame(0, 0, 200)));
  EXPECT_THAT(ticks[6], IsEmpty());
}

TEST_F(ChangedInputSourceTest, ChangeOfAFrameKeepsItsOtherValues) {
  const auto ticks =
      Play({.tick = 2, .player = 0, .action = "jump", .value = "1"});
  EXPECT_THAT(ticks[2], ElementsAre(MakeFrame(0, 1 << 3, 100)));
  EXPECT_THAT(ticks[3], ElementsAre(MakeFrame(0, 0, 100)));
}

TEST_F(ChangedInputSourceTest, ChangeJustBeforeAFrameNeedsNoOther) {
  const auto ticks =
      Play({.tick = 4, .player = 0, .action = "steer", .value = "1"});
  EXPECT_THAT(ticks[4], ElementsAre(MakeFrame(0, 0, 1)));
  EXPECT_THAT(ticks[5], ElementsAre(MakeFrame(0, 0, 200)));
}

TEST_F(ChangedInputSourceTest, ACommandComesBesideWhatIsHeld) {
  grammar_.commands_per_tick_max = 1;
  grammar_.actions[2].arguments = {
      {.name = "times", .type = sim::PropertyType::kInt, .maximum = 9}};
  const sim::Command say{.name = grammar_.actions[2].id, .arguments = {4}};
  const auto ticks =
      Play({.tick = 3, .player = 0, .action = "say", .value = "4"});
  InputFrame saying = MakeFrame(0, 0, 100);
  saying.commands = {say};
  EXPECT_THAT(ticks[3], ElementsAre(saying));
  EXPECT_THAT(ticks[4], IsEmpty());
  EXPECT_FALSE(
      CreateStatus({.tick = 3, .player = 0, .action = "say", .value = "10"})
          .ok());
}

TEST_F(ChangedInputSourceTest, SilentPlayerGetsFramesOfItsOwn) {
  const auto ticks =
      Play({.tick = 2, .player = 1, .action = "steer", .value = "9"});
  EXPECT_THAT(ticks[2], ElementsAre(MakeFrame(0, 0, 100), MakeFrame(1, 0, 9)));
  EXPECT_THAT(ticks[3], ElementsAre(MakeFrame(1, 0, 0)));
  EXPECT_THAT(ticks[4], IsEmpty());
}

TEST_F(ChangedInputSourceTest, WhatIsDoneAtOneTickNeedsNoFrameBehindIt) {
  const auto ticks =
      Play({.tick = 3, .player = 1, .action = "chat", .value = "hi"});
  InputFrame chat = MakeFrame(1, 0, 0);
  chat.activity.text = "hi";
  EXPECT_THAT(ticks[3], ElementsAre(chat));
  EXPECT_THAT(ticks[4], IsEmpty());
}

TEST_F(ChangedInputSourceTest, TouchesEndWithTheTick) {
  const auto ticks =
      Play({.tick = 3, .player = 1, .action = "tap", .value = "7,1,2,3"});
  InputFrame tap = MakeFrame(1, 0, 0);
  tap.device.touches = {{.id = 7, .x = 1, .y = 2, .pressure = 3}};
  EXPECT_THAT(ticks[3], ElementsAre(tap));
  EXPECT_THAT(ticks[4], ElementsAre(MakeFrame(1, 0, 0)));
}

TEST_F(ChangedInputSourceTest, ChangesOutsideThePackAreRefused) {
  const std::vector<InputChange> refused = {
      {.tick = 10, .player = 0, .action = "steer", .value = "0"},
      {.tick = 1, .player = 2, .action = "steer", .value = "0"},
      {.tick = 1, .player = 0, .action = "fly", .value = "0"},
      {.tick = 1, .player = 0, .action = "say", .value = "0"},
      {.tick = 1, .player = 0, .action = "jump", .value = "2"},
      {.tick = 1, .player = 0, .action = "steer", .value = "32768"},
      {.tick = 1, .player = 0, .action = "steer", .value = "-32768"},
      {.tick = 1, .player = 0, .action = "steer", .value = "1.5"},
      {.tick = 1, .player = 0, .action = "steer", .value = ""},
      {.tick = 1, .player = 0, .action = "chat", .value = "hey"},
      {.tick = 1, .player = 0, .action = "chat", .value = "\xFF"},
      {.tick = 1, .player = 0, .action = "tap", .value = "0,0,0,0;1,0,0,0"}};
  for (const InputChange& change : refused) {
    EXPECT_EQ(CreateStatus(change).code(), absl::StatusCode::kInvalidArgument)
        << change.action << "=" << change.value;
  }
}

TEST(ParseInputChangeTest, FormIsTickPlayerActionValue) {
  const InputChange expected = {
      .tick = 600, .player = 1, .action = "steer_x", .value = "-12000"};
  EXPECT_EQ(*ParseInputChange("600:1:steer_x=-12000"), expected);
  EXPECT_EQ(ParseInputChange("1:0:say=a=b:c")->value, "a=b:c");
  EXPECT_EQ(ParseInputChange("1:0:say=")->value, "");
}

TEST(ParseInputChangeTest, OtherFormsAreRefused) {
  for (const char* const text :
       {"", "1", "1:0", "1:0:a", "1:0:=1", "x:0:a=1", "1:x:a=1", "-1:0:a=1"}) {
    EXPECT_EQ(ParseInputChange(text).status().code(),
              absl::StatusCode::kInvalidArgument)
        << text;
  }
}

}  // namespace
}  // namespace reprise::tools
