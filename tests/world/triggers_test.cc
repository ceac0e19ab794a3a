// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves what triggers are told: who came in and who left, in the tick of it,
// to nobody but the trigger, of bodies of every kind that moves, also when one
// of the two ends in the middle of a visit; and that a world restored at any
// tick tells the same.

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "sim/input/input_frame.h"
#include "sim/physics/definition/physics_rows.h"
#include "tests/world/testing_worlds.h"

namespace reprise::sim {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// A gate of 2 m at the origin, and what can come through it. Balls count what
// they hear: they would of anything that isn't for the gate alone.
constexpr std::string_view kTypes = R"(
players { actions { name: "x" axis: 0 } actions { name: "z" axis: 1 } }
paths { name: "through" points { x: -2.95 } points { x: 3.05 } }
types {
  name: "gate"
  components { component: "marker" }
  behaviours { behaviour: "testing_hear" }
  body { motion: MOTION_TRIGGER shapes { box { half_extents { x: 1 y: 1 z: 1 } } } }
}
types {
  name: "ball"
  components { component: "marker" }
  behaviours { behaviour: "testing_hear" }
  interests { event: "trigger_entered" }
  interests { event: "trigger_left" }
  body { motion: MOTION_DYNAMIC mass_kg: 1 gravity_scale: 0 shapes { sphere { radius: 0.5 } } }
}
types {
  name: "tram"
  components { component: "path_follower" set { property: "path" value { text: "through" } } set { property: "speed" value { number: 6 } } }
  behaviours { behaviour: "follow_path" }
  body { motion: MOTION_KINEMATIC shapes { box { half_extents { x: 0.5 y: 0.5 z: 0.5 } } } }
}
types {
  name: "walker"
  body { motion: MOTION_KINEMATIC shapes { capsule { radius: 0.5 half_length: 0.3 } } }
  character { control { action_x: "x" action_z: "z" } speed: 6 acceleration: 1000 air_acceleration: 1000 }
}
types { name: "ground" body { motion: MOTION_FIXED shapes { plane { normal { y: 1 } } } } }
objects { name: "ground" type: "ground" position { y: -0.81 } }
)";

constexpr std::string_view kGate =
    "objects { name: \"gate\" type: \"gate\" }\n";
// Is in the gate from its 15th to its 44th tick.
constexpr std::string_view kBall =
    "objects { name: \"ball\" type: \"ball\" position { x: -2.95 } "
    "linear_velocity { x: 6 } }\n";
constexpr std::string_view kBallInside =
    "objects { name: \"ball\" type: \"ball\" }\n";

// Steps with the stick held along x. "15 gate trigger_entered visitor=ball", a
// line for each event of a trigger.
std::string StoryOf(Simulation& world, int ticks) {
  InputFrame frame;
  frame.device.axes[0] = kAxisMax;
  std::string story;
  for (int i = 0; i < ticks; ++i) {
    world.Step(std::span(&frame, 1), nullptr);
    for (const Event& event : world.DrainEvents()) {
      const std::string type = world.IdName(event.type);
      if (!type.starts_with("trigger_")) continue;
      story += fmt::format("{} {} {}", event.tick,
                           world.ObjectName(event.object), type);
      for (const EventArgument& argument : event.arguments) {
        story += fmt::format(" {}={}", world.IdName(argument.name),
                             world.ObjectName({argument.value.bits}));
      }
      story += '\n';
    }
  }
  return story;
}

TEST(TriggersTest, TriggerAloneIsToldWhoEntersAndLeavesAndWhen) {
  auto world = WorldOf(Manifest({kMarker, kTypes, kGate, kBall}));
  EXPECT_EQ(StoryOf(*world, 100),
            "15 gate trigger_entered visitor=ball\n"
            "45 gate trigger_left visitor=ball\n");
  EXPECT_EQ(HitsOf(*world, "gate"), 2);
  EXPECT_EQ(HitsOf(*world, "ball"), 0);
}

// A bullet that makes 10 m in a tick, and the end of a stick that turns by half
// a radian.
TEST(TriggersTest, WhatContinuousBodiesPassWithinATickIsTold) {
  constexpr std::string_view kFast = R"(
types {
  name: "beam"
  body { motion: MOTION_TRIGGER shapes { box { half_extents { x: 0.01 y: 0.3 z: 0.3 } } } }
}
types {
  name: "button"
  body { motion: MOTION_TRIGGER shapes { sphere { radius: 0.02 } } }
}
types {
  name: "bullet"
  body { motion: MOTION_DYNAMIC mass_kg: 1 gravity_scale: 0 continuous: true shapes { sphere { radius: 0.05 } } }
}
types {
  name: "stick"
  body { motion: MOTION_DYNAMIC mass_kg: 1 gravity_scale: 0 continuous: true shapes { capsule { radius: 0.02 half_length: 1 } rotation_degrees { z: 90 } } }
}
objects { name: "beam" type: "beam" }
objects { name: "bullet" type: "bullet" position { x: -3 } linear_velocity { x: 600 } }
objects { name: "button" type: "button" position { x: 0.86 y: 5 z: -0.266 } }
objects { name: "stick" type: "stick" position { y: 5 } angular_velocity_degrees { y: 2000 } }
)";
  auto world = WorldOf(Manifest({kMarker, kTypes, kFast}));
  EXPECT_EQ(StoryOf(*world, 4),
            "0 beam trigger_entered visitor=bullet\n"
            "0 button trigger_entered visitor=stick\n"
            "1 beam trigger_left visitor=bullet\n"
            "1 button trigger_left visitor=stick\n");
}

// What the game moves has moved before physics looks: it is a tick ahead of a
// ball that flies.
TEST(TriggersTest, PathFollowersAreVisitors) {
  auto world = WorldOf(
      Manifest({kMarker, kTypes, kGate,
                "objects { name: \"tram\" type: \"tram\" position { x: -2.95 } "
                "}\n"}));
  EXPECT_EQ(StoryOf(*world, 100),
            "14 gate trigger_entered visitor=tram\n"
            "44 gate trigger_left visitor=tram\n");
}

TEST(TriggersTest, CharactersAreVisitors) {
  auto world = WorldOf(Manifest(
      {kMarker, kTypes, kGate,
       "objects { name: \"walker\" type: \"walker\" position { x: -2.95 } "
       "}\n"}));
  EXPECT_EQ(StoryOf(*world, 100),
            "14 gate trigger_entered visitor=walker\n"
            "44 gate trigger_left visitor=walker\n");
}

TEST(TriggersTest, EachVisitIsToldAndKeptForItself) {
  auto world = WorldOf(Manifest({kMarker, kTypes, kGate, R"(
objects { name: "ball" type: "ball" position { x: -3.9 z: 1.2 } linear_velocity { x: 6 } }
objects { name: "shuttle" type: "tram" position { x: -2.95 } components { component: "path_follower" set { property: "mode" value { integer: 2 } } } }
)"}));
  EXPECT_EQ(StoryOf(*world, 50),
            "14 gate trigger_entered visitor=shuttle\n"
            "25 gate trigger_entered visitor=ball\n"
            "44 gate trigger_left visitor=shuttle\n");
  EXPECT_EQ(ValueOf(*world, "contacts", "overlaps", "gate", "entered_at")->bits,
            25u);
  EXPECT_EQ(StoryOf(*world, 70),
            "54 gate trigger_left visitor=ball\n"
            "76 gate trigger_entered visitor=shuttle\n"
            "106 gate trigger_left visitor=shuttle\n");
}

TEST(TriggersTest, SleepersStayInside) {
  auto world = WorldOf(Manifest({kMarker, kTypes, kGate, kBallInside}));
  EXPECT_EQ(StoryOf(*world, 200), "0 gate trigger_entered visitor=ball\n");
  EXPECT_EQ(ValueOf(*world, "physics", "bodies", "ball", "activation")->bits,
            static_cast<uint64_t>(Activation::kAsleep));
}

// An object that sleeps has no body, and one that wakes comes back inside.
TEST(TriggersTest, BodiesThatGoLeaveAndEnterWhenTheyComeBack) {
  auto world = WorldOf(Manifest({kMarker, kTypes, kGate, kBallInside, R"(
types { name: "bell" timers { name: "nap" event: "rung" delay_s: 0.1 } timers { name: "day" event: "rung_again" delay_s: 0.2 } }
objects { name: "bell" type: "bell" }
connections { name: "nap" event: "rung" source: "bell" target: "ball" send: "sleep" }
connections { name: "day" event: "rung_again" source: "bell" target: "ball" send: "wake" }
)"}));
  EXPECT_EQ(StoryOf(*world, 60),
            "0 gate trigger_entered visitor=ball\n"
            "6 gate trigger_left visitor=ball\n"
            "12 gate trigger_entered visitor=ball\n");
}

TEST(TriggersTest, VisitorThatEndsInsideLeaves) {
  auto world = WorldOf(Manifest(
      {kMarker, kTypes, kGate,
       "types { name: \"bubble\" extends: \"ball\" timers { name: \"burst\" "
       "event: \"destroy\" delay_s: 0.5 } }\n"
       "objects { name: \"bubble\" type: \"bubble\" }\n"}));
  EXPECT_EQ(StoryOf(*world, 60),
            "0 gate trigger_entered visitor=bubble\n"
            "31 gate trigger_left visitor=bubble\n");
  EXPECT_EQ(RowCount(*world, "contacts", "overlaps"), 0u);
}

TEST(TriggersTest, NobodyIsToldOfTriggersThatEnd) {
  auto world = WorldOf(Manifest(
      {kMarker, kTypes, kBallInside,
       "types { name: \"flash\" extends: \"gate\" timers { name: \"over\" "
       "event: \"destroy\" delay_s: 0.5 } }\n"
       "objects { name: \"flash\" type: \"flash\" }\n"}));
  EXPECT_EQ(StoryOf(*world, 60), "0 flash trigger_entered visitor=ball\n");
  EXPECT_EQ(HitsOf(*world, "ball"), 0);
  EXPECT_EQ(RowCount(*world, "contacts", "overlaps"), 0u);
}

// All that can come through; one bursts inside, and one gate of two ends with
// the tram in it.
constexpr std::string_view kTraffic = R"(
types { name: "bubble" extends: "ball" timers { name: "burst" event: "destroy" delay_s: 0.7 } }
types { name: "flash" extends: "gate" timers { name: "over" event: "destroy" delay_s: 0.9 } }
objects { name: "bubble" type: "bubble" position { x: 0.5 y: 1.2 } }
objects { name: "flash" type: "flash" position { z: 1 } }
objects { name: "tram" type: "tram" position { x: -4 z: 1.2 } }
objects { name: "walker" type: "walker" position { x: -5 z: -1.2 } }
)";

TEST(TriggersTest, RestoredAtAnyTickItTellsTheSame) {
  constexpr int kTicks = 120;
  const std::string manifest =
      Manifest({kMarker, kTypes, kGate, kBall, kTraffic});
  auto plain = WorldOf(manifest);
  std::vector<State> states;
  std::vector<std::string> stories;
  for (int tick = 0; tick < kTicks; ++tick) {
    states.push_back(plain->state());
    stories.push_back(StoryOf(*plain, 1));
  }
  std::string rest;
  for (int from = kTicks - 1; from >= 0; --from) {
    rest.insert(0, stories[from]);
    auto restored = WorldOf(manifest);
    ASSERT_EQ(restored->Restore(states[from]), absl::OkStatus());
    ASSERT_EQ(StoryOf(*restored, kTicks - from), rest) << "from " << from;
    ASSERT_EQ(restored->state().ComputeRootDigest(),
              plain->state().ComputeRootDigest());
  }
  for (const char* const visitor : {"ball", "bubble", "tram", "walker"}) {
    for (const char* const event : {"entered", "left"}) {
      EXPECT_THAT(rest, HasSubstr(fmt::format("gate trigger_{} visitor={}\n",
                                              event, visitor)));
    }
  }
  EXPECT_THAT(rest, HasSubstr("flash trigger_entered visitor=tram"));
  EXPECT_THAT(rest, Not(HasSubstr("flash trigger_left visitor=tram")));
}

}  // namespace
}  // namespace reprise::sim
