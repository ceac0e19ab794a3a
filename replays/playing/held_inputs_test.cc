// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that inputs are compared by what they mean: a frame that repeats the
// held device is no frame, a command counts at its tick, and the first tick
// that differs is named.

#include "replays/playing/held_inputs.h"

#include <optional>
#include <string>

#include "gtest/gtest.h"
#include "replays/tracks/input_track.h"

namespace reprise::replays {
namespace {

std::optional<sim::Tick> Difference(const std::string& expected,
                                    const std::string& actual) {
  const InputTrack left = *ParseInputTrack(expected, "expected");
  const InputTrack right = *ParseInputTrack(actual, "actual");
  TrackInputSource left_inputs(&left);
  TrackInputSource right_inputs(&right);
  return *FindInputDifference(left_inputs, right_inputs, 50);
}

constexpr char kSteer[] =
    "tick_count: 50 ticks { tick: 7 frames { device { axes: 100 } } } ";

TEST(HeldInputsTest, FrameThatRepeatsTheHeldDeviceIsNoDifference) {
  EXPECT_EQ(Difference(kSteer,
                       std::string(kSteer) +
                           "ticks { tick: 8 frames { device { axes: 100 } } }"),
            std::nullopt);
}

TEST(HeldInputsTest, FirstTickWithAnotherDeviceIsNamed) {
  EXPECT_EQ(Difference(kSteer,
                       std::string(kSteer) +
                           "ticks { tick: 30 frames { device { axes: 9 } } }"),
            30u);
  EXPECT_EQ(Difference(kSteer, "tick_count: 50"), 7u);
}

TEST(HeldInputsTest, CommandIsGivenAtItsTickAlone) {
  EXPECT_EQ(Difference("tick_count: 50 ticks { tick: 9 frames { commands { "
                       "name: \"jump\" } } }",
                       "tick_count: 50 ticks { tick: 10 frames { commands { "
                       "name: \"jump\" } } }"),
            9u);
}

TEST(HeldInputsTest, ActivityIsOfItsTickAlone) {
  const std::string turn =
      "tick_count: 50 ticks { tick: 9 frames { activity { wheel_y: 120 } } } ";
  EXPECT_EQ(Difference(turn, turn + "ticks { tick: 10 frames { } }"),
            std::nullopt);
  EXPECT_EQ(Difference(turn, turn + "ticks { tick: 10 frames { activity { "
                                    "wheel_y: 120 } } }"),
            10u);
}

TEST(HeldInputsTest, DevicesOfEachKindAreHeld) {
  for (const char* const device :
       {"keys: KEY_A", "mouse { x: 1 }", "mouse { buttons: 1 }",
        "touches { id: 1 }", "motion_sensor { acceleration_y: 1 }"}) {
    const std::string held =
        std::string("tick_count: 50 ticks { tick: 7 frames { device { ") +
        device + " } } } ";
    EXPECT_EQ(Difference(held, held + "ticks { tick: 8 frames { device { " +
                                   device + " } } }"),
              std::nullopt);
    EXPECT_EQ(Difference(held, held + "ticks { tick: 8 frames { } }"), 8u);
  }
}

TEST(HeldInputsTest, PlayerWhoCannotBeIsLeftOut) {
  HeldInputs held;
  sim::InputFrame frame;
  frame.player = 1'000'000;
  held.Take(std::span(&frame, 1));
  EXPECT_EQ(held, HeldInputs());
}

}  // namespace
}  // namespace reprise::replays
