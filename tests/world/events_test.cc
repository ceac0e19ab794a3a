// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves, on worlds made from data, how events reach objects: by target and up
// the chain of parents, by registered interest, by data pathways and timers;
// and that storms are bounded, told of, and the same each time.

#include <memory>
#include <string>
#include <string_view>

#include "gtest/gtest.h"
#include "tests/world/testing_worlds.h"

namespace reprise::sim {
namespace {

constexpr std::string_view kTypes = R"(
players { actions { name: "alarm" command { arguments { name: "level" minimum: 0 maximum: 9 } } }
          actions { name: "pause" button: 0 } actions { name: "step" button: 1 }
          commands_per_tick_max: 4 }
types { name: "ear" components { component: "marker" }
        behaviours { behaviour: "testing_hear" } }
types { name: "listener" extends: "ear" interests { event: "alarm" } }
types { name: "beeper" extends: "ear"
        timers { name: "beep" event: "beeped" delay_s: 0.5 period_s: 0.25 firings: 3 } }
)";

InputFrame Alarm() {
  return {.player = 0, .commands = {{.name = IdOf("alarm"), .arguments = {7}}}};
}

InputFrame Press(uint64_t buttons) {
  InputFrame frame{.player = 0};
  frame.device.buttons = buttons;
  return frame;
}

TEST(WorldEventsTest, CommandReachesThoseWithInterestInTheSameTick) {
  const auto world = WorldOf(
      Manifest({kMarker, kTypes, "objects { name: \"a\" type: \"listener\" }\n",
                "objects { name: \"b\" type: \"ear\" }\n"}));
  world->Step(std::vector{Alarm()}, nullptr);
  EXPECT_EQ(HitsOf(*world, "a"), 1);
  EXPECT_EQ(HitsOf(*world, "b"), 0);
  const std::vector<Event> alarms = EventsOf(*world, "alarm");
  ASSERT_EQ(alarms.size(), 1u);
  EXPECT_EQ(alarms[0].arguments.size(), 2u);
}

// There is one queue, and whatever it refuses is accounted for.
TEST(WorldEventsTest, CommandsThatFindNoRoomAreToldOneByOne) {
  const auto world =
      WorldOf(Manifest({kMarker, kTypes, "limits { queued_events_max: 1 }\n",
                        "objects { name: \"a\" type: \"listener\" }\n"}));
  InputFrame frame = Alarm();
  frame.commands.push_back(frame.commands[0]);
  frame.commands.push_back(frame.commands[0]);
  world->Step(std::vector{frame}, nullptr);
  EXPECT_EQ(HitsOf(*world, "a"), 1);
  const std::vector<Event> dropped = EventsOf(*world, "event_dropped");
  ASSERT_EQ(dropped.size(), 2u);
  EXPECT_EQ(world->IdName(Id{dropped[0].arguments[0].value.bits}), "alarm");
  EXPECT_EQ(world->IdName(Id{dropped[0].arguments[1].value.bits}),
            "event_queue_full");
}

TEST(WorldEventsTest, TimerFiresAtItsTicksAndThenNoMore) {
  const auto world = WorldOf(Manifest(
      {kMarker, kTypes, "objects { name: \"a\" type: \"beeper\" }\n"}));
  std::vector<Tick> ticks;
  for (int tick = 0; tick < 120; ++tick) {
    StepTimes(*world, 1);
    for (const Event& event : EventsOf(*world, "beeped")) {
      ticks.push_back(event.tick);
    }
  }
  EXPECT_EQ(ticks, (std::vector<Tick>{30, 45, 60}));
  EXPECT_EQ(HitsOf(*world, "a"), 3);
}

TEST(WorldEventsTest, PathwaySendsAnotherEventAfterItsDelay) {
  const auto world = WorldOf(Manifest(
      {kMarker, kTypes, "objects { name: \"bell\" type: \"beeper\" }\n",
       "objects { name: \"door\" type: \"ear\" }\n",
       "connections { name: \"ring\" source: \"bell\" event: \"beeped\" "
       "target: \"door\" send: \"open\" delay_s: 0.1 pass { from: \"timer\" "
       "to: \"why\" } }\n"}));
  std::vector<Tick> ticks;
  for (int tick = 0; tick < 80; ++tick) {
    StepTimes(*world, 1);
    for (const Event& event : EventsOf(*world, "open")) {
      ticks.push_back(event.tick);
      EXPECT_EQ(event.arguments[0].name, IdOf("why"));
      EXPECT_EQ(event.arguments[0].value, FieldValue::OfId(IdOf("beep")));
    }
  }
  EXPECT_EQ(ticks, (std::vector<Tick>{36, 51, 66}));
  EXPECT_EQ(HitsOf(*world, "door"), 3);
}

TEST(WorldEventsTest, UnhandledEventGoesUpTheChainOfParents) {
  const auto world = WorldOf(Manifest(
      {kMarker, kTypes, "objects { name: \"ship\" type: \"ear\" }\n",
       "objects { name: \"rider\" type: \"beeper\" parent: \"ship\" }\n",
       "objects { name: \"deaf_rider\" type: \"beeper\" parent: \"ship\" "
       "components { component: \"marker\" set { property: \"speed\" value { "
       "integer: 1 } } } }\n"}));
  StepTimes(*world, 31);
  EXPECT_EQ(HitsOf(*world, "rider"), 1);
  EXPECT_EQ(HitsOf(*world, "deaf_rider"), 1);
  EXPECT_EQ(HitsOf(*world, "ship"), 1);
}

TEST(WorldEventsTest, DestroySleepAndWakeNeedNoBehaviour) {
  const auto world = WorldOf(Manifest({kMarker, kTypes, R"(
types { name: "clock" components { component: "marker" }
        behaviours { behaviour: "testing_count" } }
types { name: "bomb" timers { name: "fuse" event: "destroy" delay_s: 0.5 } }
types { name: "napper" extends: "clock" timers { name: "nap" event: "sleep" delay_s: 0.1 } }
types { name: "waker" timers { name: "call" event: "called" delay_s: 0.2 } }
connections { name: "wake_up" source: "waker" event: "called" target: "napper" send: "wake" }
objects { name: "bomb" type: "bomb" }
objects { name: "napper" type: "napper" }
objects { name: "waker" type: "waker" }
)"}));
  StepTimes(*world, 12);
  EXPECT_EQ(HitsOf(*world, "napper"), 6);
  StepTimes(*world, 20);
  EXPECT_EQ(HitsOf(*world, "napper"), 26);
  EXPECT_EQ(EventsOf(*world, "object_destroyed").size(), 1u);
  EXPECT_EQ(RowCount(*world, "world", "objects"), 2u);
}

TEST(WorldEventsTest, StormIsBoundedToldAndTheSameEachTime) {
  const auto run = [] {
    auto world = WorldOf(Manifest({kMarker, R"(
limits { queued_events_max: 1000 }
types { name: "storm" components { component: "marker" set { property: "hits" value { integer: 100000 } } }
        behaviours { behaviour: "testing_storm" } }
objects { name: "storm" type: "storm" }
)"}));
    StepTimes(*world, 2);
    return world;
  };
  const auto world = run();
  const std::vector<Event> full = EventsOf(*world, "event_queue_full");
  ASSERT_EQ(full.size(), 2u);
  EXPECT_EQ(full[0].arguments[0].value, FieldValue::OfInt64(99000));
  EXPECT_EQ(world->IdName(full[0].type), "event_queue_full");
  EXPECT_EQ(world->state().ComputeRootDigest(),
            run()->state().ComputeRootDigest());
}

TEST(WorldEventsTest, ImmediateEventsWithinEachOtherAreBoundedAndTold) {
  const auto world = WorldOf(Manifest({kMarker, R"(
limits { event_depth_max: 8 }
types { name: "player" components { component: "marker" }
        behaviours { behaviour: "testing_ping_pong" } }
types { name: "server" extends: "player" timers { name: "serve" event: "ball" } }
objects { name: "a" type: "server" components { component: "marker" set { property: "friend" value { text: "b" } } } }
objects { name: "b" type: "player" components { component: "marker" set { property: "friend" value { text: "a" } } } }
)"}));
  StepTimes(*world, 3);
  EXPECT_EQ(HitsOf(*world, "a") + HitsOf(*world, "b"), 8);
  EXPECT_EQ(EventsOf(*world, "event_depth_bounded").size(), 1u);
}

TEST(WorldEventsTest, RestoredWorldDeliversWhatWasWaiting) {
  const auto world = WorldOf(Manifest(
      {kMarker, kTypes, "objects { name: \"bell\" type: \"beeper\" }\n",
       "objects { name: \"door\" type: \"ear\" }\n",
       "connections { name: \"ring\" source: \"bell\" event: \"beeped\" "
       "target: \"door\" send: \"open\" delay_s: 0.2 }\n"}));
  StepTimes(*world, 40);  // one event waits, and two beeps are to come
  const auto fork = world->Fork();
  StepTimes(*world, 60);
  StepTimes(*fork, 60);
  EXPECT_EQ(HitsOf(*fork, "door"), 3);
  EXPECT_EQ(fork->state().ComputeRootDigest(),
            world->state().ComputeRootDigest());
}

constexpr std::string_view kClockPack = R"(
types { name: "clock" components { component: "marker" }
        behaviours { behaviour: "testing_count" } }
objects { name: "clock" type: "clock" }
)";

TEST(GameClockWorldTest, RateGivesTheExactNumberOfSteps) {
  const auto hits = [](std::string_view rate, int ticks) {
    const auto world = WorldOf(Manifest({kMarker, kClockPack, rate}));
    StepTimes(*world, ticks);
    EXPECT_EQ(world->tick(), static_cast<Tick>(ticks));
    return HitsOf(*world, "clock");
  };
  EXPECT_EQ(hits("", 90), 90);
  EXPECT_EQ(hits("clock { rate { numerator: 1 denominator: 3 } }", 90), 30);
  EXPECT_EQ(hits("clock { rate { numerator: 5 denominator: 2 } }", 90), 225);
  EXPECT_EQ(hits("clock { rate { numerator: 0 denominator: 1 } }", 90), 0);
}

TEST(GameClockWorldTest, PauseAndSingleStepAreButtons) {
  const auto world = WorldOf(
      Manifest({kMarker, kTypes, kClockPack,
                "clock { action_pause: \"pause\" action_step: \"step\" }\n"}));
  StepTimes(*world, 5);
  world->Step(std::vector{Press(1)}, nullptr);
  world->Step(std::vector{Press(0)}, nullptr);
  StepTimes(*world, 10);
  EXPECT_EQ(HitsOf(*world, "clock"), 5);
  world->Step(std::vector{Press(2)}, nullptr);
  StepTimes(*world, 10);
  EXPECT_EQ(HitsOf(*world, "clock"), 6);
  world->Step(std::vector{Press(1)}, nullptr);
  EXPECT_EQ(HitsOf(*world, "clock"), 7);
}

TEST(EventCompilerTest, MistakesAreReportedWithTheirPlace) {
  const auto problem = [](std::string_view part) {
    const std::vector<std::string> problems =
        Problems(Manifest({kMarker, kTypes, part}));
    EXPECT_EQ(problems.size(), 1u) << part;
    return problems.empty() ? "" : problems[0];
  };
  const auto expect = [&](std::string_view part, std::string_view field) {
    EXPECT_NE(problem(part).find(field), std::string::npos) << part << "\n"
                                                            << problem(part);
  };
  expect("connections { name: \"c\" event: \"e\" send: \"s\" source: \"x\" }",
         "connections[0].source: there is no object 'x'");
  expect("connections { name: \"c\" event: \"e\" send: \"s\" delay_s: -1 }",
         "connections[0].delay_s");
  expect("clock { rate { numerator: 9 denominator: 1 } }", "clock.rate");
  expect("clock { action_pause: \"nothing\" }", "clock.action_pause");
  expect("types { name: \"t\" timers { name: \"n\" event: \"e\" firings: 3 } }",
         "types[3].timers[0].firings");
  expect("types { name: \"t\" interests { event: \"E\" } }",
         "types[3].interests[0].event");
  expect("limits { event_depth_max: 1000 }", "limits.event_depth_max");
}

}  // namespace
}  // namespace reprise::sim
