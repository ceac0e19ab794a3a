// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves what objects see and hear by places for which it is known on paper:
// range, angle, bodies in between; that memories age and go; that budgets make
// looks late and nothing else; and that snapshots go on to the same bits.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fmt/format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "sim/base/digest.h"
#include "sim/state/state_codec.h"
#include "sim/systems/senses/senses_rows.h"
#include "tests/world/testing_worlds.h"

namespace reprise::sim {
namespace {

using ::testing::IsEmpty;

constexpr std::string_view kFox =
    "types { name: 'fox' senses { vision { of: 'hare' range: 10 "
    "angle_degrees: 90 near: 1 } memory_s: 0.5 } }\n"
    "objects { name: 'fox' type: 'fox' }\n";

// A hare at a place, that behaviours of nobody move: commands do.
constexpr std::string_view kHare = R"(
types { name: "hare" navigator { space: "meadow" speed: 600 } }
types { name: "wall" body { motion: MOTION_FIXED shapes { box { half_extents { x: 0.1 y: 1 z: 1 } } } } }
navigation { grids { name: "meadow" origin { x: -20 z: -20 } columns: 40 row_count: 40 neighbours: NEIGHBOURS_EIGHT } }
players {
  actions { name: "move" command { arguments { name: "x" minimum: -20 maximum: 20 } arguments { name: "z" minimum: -20 maximum: 20 } } }
  actions { name: "kill" command { } }
  actions { name: "bang" command { arguments { name: "loudness" minimum: 0 maximum: 100 } } }
  commands_per_tick_max: 1
}
connections { name: "move" event: "move" target: "hare" send: "navigate" pass { from: "x" } pass { from: "z" } }
connections { name: "kill" event: "kill" target: "hare" send: "destroy" }
connections { name: "bang" event: "bang" then { send { event: "make_noise" object: "hare" with { argument: "loudness" to: "8" } with { argument: "sound" to: "bang" } } } }
)";

std::string HareAt(double x, double z) {
  return fmt::format(
      "objects {{ name: 'hare' type: 'hare' position {{ x: {} z: {} }} }}\n", x,
      z);
}

uint64_t Sees(const Simulation& world) {
  return ValueOf(world, "components", "senses", "fox", "sees")->bits;
}
int64_t Age(const Simulation& world, std::string_view what) {
  return static_cast<int64_t>(
      ValueOf(world, "components", "senses", "fox", what)->bits);
}

void Command(Simulation& world, std::string_view name,
             std::vector<int64_t> arguments = {}) {
  InputFrame frame;
  frame.commands.push_back(
      {.name = IdOf(name), .arguments = {arguments.begin(), arguments.end()}});
  world.Step(std::vector{frame}, nullptr);
}

bool SeesAt(double x, double z, std::string_view more = "") {
  const auto world = WorldOf(Manifest({kFox, kHare, HareAt(x, z), more}));
  StepTimes(*world, 1);
  return Sees(*world) == 1;
}

TEST(SensesTest, SeesWithinRangeAndAngle) {
  EXPECT_TRUE(SeesAt(9.99, 0));
  EXPECT_FALSE(SeesAt(10.01, 0));
  // 45 degrees either way.
  EXPECT_TRUE(SeesAt(5, 4.99));
  EXPECT_FALSE(SeesAt(5, 5.01));
  EXPECT_TRUE(SeesAt(5, -4.99));
  EXPECT_FALSE(SeesAt(-5, 0));
  // Near it notices all around.
  EXPECT_TRUE(SeesAt(-0.99, 0));
  EXPECT_FALSE(SeesAt(-1.01, 0));
  EXPECT_TRUE(SeesAt(0, 0));
}

TEST(SensesTest, BodiesBreakLinesOfSight) {
  constexpr std::string_view kWall =
      "objects { name: 'wall' type: 'wall' position { x: 3 } }\n";
  EXPECT_FALSE(SeesAt(6, 0, kWall));
  EXPECT_TRUE(SeesAt(2, 0, kWall));
  // Past its edge at z = 1, 3.1 m away.
  EXPECT_TRUE(SeesAt(6, 2.2, kWall));
  EXPECT_FALSE(SeesAt(6, 1.8, kWall));
}

TEST(SensesTest, ConesTurnWithTheirObjects) {
  const auto sees = [](std::string_view rotation, double x, double z) {
    const auto world = WorldOf(Manifest(
        {"types { name: 'fox' senses { vision { of: 'hare' range: 10 "
         "angle_degrees: 60 forward { z: 1 } eyes { y: 2 } } } }\nobjects { "
         "name: 'fox' type: 'fox' rotation_degrees { ",
         rotation, " } }\n", kHare, HareAt(x, z)}));
    StepTimes(*world, 1);
    return Sees(*world) == 1;
  };
  EXPECT_TRUE(sees("", 0, 6));
  EXPECT_FALSE(sees("", 6, 0));
  // A quarter about y takes z to x.
  EXPECT_TRUE(sees("y: 90", 6, 0));
  EXPECT_FALSE(sees("y: 90", 0, 6));
}

TEST(SensesTest, SeeingIsToldOnceAndForgottenInTime) {
  const auto world = WorldOf(Manifest({kFox, kHare, HareAt(5, 0)}));
  StepTimes(*world, 3);
  EXPECT_EQ(EventsOf(*world, "saw").size(), 1u);
  EXPECT_EQ(Age(*world, "seen_age"), 0);
  Command(*world, "move", {-10, 0});
  StepTimes(*world, 10);
  const std::vector<Event> told = world->DrainEvents();
  EXPECT_EQ(Sees(*world), 0u);
  const int64_t age = Age(*world, "seen_age");
  EXPECT_GT(age, 2);
  StepTimes(*world, 5);
  EXPECT_EQ(Age(*world, "seen_age"), age + 5);
  // It remembers where that was, not where it is.
  EXPECT_GT(
      ValueOf(*world, "components", "senses", "fox", "seen_at.x")->AsDouble(),
      -2.0);
  StepTimes(*world, 30);
  EXPECT_EQ(Age(*world, "seen_age"), kNeverNoticed);
  EXPECT_EQ(EventsOf(*world, "forgot").size(), 1u);
}

TEST(SensesTest, WhoIsGoneIsForgotten) {
  const auto world = WorldOf(Manifest({kFox, kHare, HareAt(5, 0)}));
  StepTimes(*world, 2);
  Command(*world, "kill");
  StepTimes(*world, 2);
  EXPECT_EQ(Sees(*world), 0u);
  EXPECT_EQ(Age(*world, "seen_age"), kNeverNoticed);
  EXPECT_EQ(EventsOf(*world, "lost_sight_of").size(), 1u);
}

// Whom it hasn't seen for longest makes room; whom it sees stays.
TEST(SensesTest, MemoriesAreBounded) {
  const auto world = WorldOf(Manifest(
      {"types { name: 'fox' senses { vision { of: 'hare' range: 10 } "
       "memories_max: 3 } }\nobjects { name: 'fox' type: 'fox' }\n",
       kHare,
       "objects { name: 'hares' type: 'hare' position { x: 1 } grid { count_x: "
       "5 spacing { x: 1 } } }\nobjects { name: 'hare' type: 'hare' position { "
       "x: 15 } }\n"}));
  StepTimes(*world, 5);
  EXPECT_EQ(Sees(*world), 3u);
  EXPECT_EQ(EventsOf(*world, "saw").size(), 3u);
  EXPECT_EQ(RowCount(*world, "senses", "memories"), 3u);
}

std::vector<std::string> HeardBy(std::string_view hearing, double x,
                                 std::string_view more = "") {
  const auto world =
      WorldOf(Manifest({"types { name: 'fox' senses { hearing { ", hearing,
                        " } } }\nobjects { name: 'fox' type: 'fox' }\n", kHare,
                        HareAt(x, 0), more}));
  Command(*world, "bang", {1});
  std::vector<std::string> heard;
  for (const Event& event : EventsOf(*world, "heard_noise")) {
    for (const EventArgument& argument : event.arguments) {
      if (argument.name == IdOf("sound")) {
        heard.push_back(std::string(world->IdName(Id{argument.value.bits})));
      }
      if (argument.name == IdOf("distance")) {
        heard.push_back(fmt::format("{}", argument.value.AsDouble()));
      }
    }
  }
  EXPECT_EQ(heard.empty(), Age(*world, "heard_age") == kNeverNoticed);
  return heard;
}

TEST(SensesTest, NoisesAreHeardUpToTheirLoudness) {
  using ::testing::UnorderedElementsAre;
  EXPECT_THAT(HeardBy("", 8), UnorderedElementsAre("bang", "8"));
  EXPECT_THAT(HeardBy("", 8.1), IsEmpty());
  EXPECT_THAT(HeardBy("acuity: 2", 16), UnorderedElementsAre("bang", "16"));
  EXPECT_THAT(HeardBy("acuity: 0.5", 4.1), IsEmpty());
  constexpr std::string_view kWall =
      "objects { name: 'wall' type: 'wall' position { x: 3 } }\n";
  EXPECT_THAT(HeardBy("", 8, kWall), UnorderedElementsAre("bang", "8"));
  EXPECT_THAT(HeardBy("through_bodies: 0.5", 8, kWall), IsEmpty());
  EXPECT_THAT(HeardBy("through_bodies: 0.5", 8),
              UnorderedElementsAre("bang", "8"));
  EXPECT_THAT(HeardBy("through_bodies: 0.5", 4, kWall),
              UnorderedElementsAre("bang", "4"));
}

// Ten foxes of whom two may look in a tick: all have looked after five.
TEST(SensesTest, BudgetsMakeLooksLate) {
  const auto world = WorldOf(Manifest(
      {"senses_budget { lines_per_tick: 2 }\ntypes { name: 'fox' senses { "
       "vision { of: 'hare' range: 100 } } }\nobjects { name: 'fox' type: "
       "'fox' grid { count_z: 10 spacing { z: 1 } } }\n",
       kHare, HareAt(5, 0)}));
  const auto looked = [&] {
    int count = 0;
    for (int i = 0; i < 10; ++i) {
      count += ValueOf(*world, "components", "senses", fmt::format("fox_{}", i),
                       "sees")
                           ->bits == 1
                   ? 1
                   : 0;
    }
    return count;
  };
  for (int tick = 1; tick <= 5; ++tick) {
    StepTimes(*world, 1);
    EXPECT_EQ(looked(), 2 * tick);
  }
  EXPECT_FALSE(EventsOf(*world, "sight_budget_passed").empty());
}

// Whoever shouts is asked after by all who hear: 1,048,576 pairs in a tick, and
// no more; that is told once a tick.
TEST(SensesTest, NoisesOfATickAreBounded) {
  const auto passed = [](int count) {
    const auto world = WorldOf(Manifest(
        {"types { name: 'ear' senses { hearing { } } brain: 'shout' }\n"
         "brains { name: 'shout' root { repeat { node { enter { send { object: "
         "'self' event: 'make_noise' with { argument: 'loudness' to: '0.01' } "
         "} } } } } }\n",
         fmt::format("objects {{ name: 'ear' type: 'ear' grid {{ count_x: {} "
                     "spacing {{ x: 1 }} }} }}\n",
                     count)}));
    StepTimes(*world, 5);
    return EventsOf(*world, "noise_budget_passed").size();
  };
  EXPECT_EQ(passed(1000), 0u);
  const size_t times = passed(1100);
  EXPECT_GE(times, 1u);
  EXPECT_LE(times, 5u);
}

// Lines of sight of noises are bounded as those of looks are.
TEST(SensesTest, LinesOfNoisesAreBounded) {
  const auto heard = [](int lines) {
    const auto world = WorldOf(Manifest(
        {fmt::format("senses_budget {{ lines_per_tick: {} }}\n", lines),
         "types { name: 'fox' senses { hearing { through_bodies: 0.5 } } }\n"
         "objects { name: 'fox' type: 'fox' grid { count_z: 10 spacing { z: "
         "0.1 } } }\n",
         kHare, HareAt(6, 0)}));
    Command(*world, "bang", {1});
    const std::vector<Event> told = world->DrainEvents();
    EXPECT_EQ(
        std::ranges::count(told, IdOf("noise_budget_passed"), &Event::type),
        lines < 10 ? 1 : 0);
    return std::ranges::count(told, IdOf("heard_noise"), &Event::type);
  };
  EXPECT_EQ(heard(100), 10);
  EXPECT_EQ(heard(3), 3);
}

TEST(SensesTest, SnapshotsGoOnToTheSameBits) {
  const std::string pack = Manifest({kFox, kHare, HareAt(5, 0)});
  const auto world = WorldOf(pack);
  const auto other = WorldOf(pack);
  for (int tick = 0; tick < 100; ++tick) {
    const std::string bytes = EncodeState(world->state());
    const auto state =
        DecodeState(std::as_bytes(std::span(bytes)), other->state());
    ASSERT_TRUE(state.ok()) << state.status();
    ASSERT_TRUE(other->Restore(*state).ok()) << tick;
    for (Simulation* const each : {world.get(), other.get()}) {
      if (tick % 10 == 0) {
        Command(*each, "move", {tick % 20 == 0 ? -10 : 5, 0});
      } else {
        StepTimes(*each, 1);
      }
    }
    ASSERT_EQ(other->state().ComputeRootDigest(),
              world->state().ComputeRootDigest());
  }
}

TEST(SensesTest, MemoriesThatNobodyCanHaveAreRefused) {
  const std::string pack = Manifest({kFox, kHare, HareAt(5, 0)});
  const auto world = WorldOf(pack);
  StepTimes(*world, 3);
  const TableIndex memories = *world->state().Find("senses", "memories");
  const auto refuses = [&](auto change) {
    State state = world->state();
    change(state.mutable_table(memories));
    return WorldOf(pack)->Restore(state).code() == absl::StatusCode::kDataLoss;
  };
  EXPECT_FALSE(refuses([](Table&) {}));
  EXPECT_TRUE(refuses([](Table& rows) { rows.Resize(3); }));
  EXPECT_TRUE(
      refuses([](Table& rows) { rows.Mutable<MemoryRow>(0).number = 5; }));
  EXPECT_TRUE(
      refuses([](Table& rows) { rows.Mutable<MemoryRow>(0).is_seen = 2; }));
  EXPECT_TRUE(
      refuses([](Table& rows) { rows.Mutable<MemoryRow>(1).place.x = 1e300; }));
}

}  // namespace
}  // namespace reprise::sim
