// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves of brains what "Game Programming Algorithms and Techniques" (chapter
// 9) asks of state machines and goals: whoever is in whichever of five states
// can die, and each state is left once before the next one is entered; a goal
// becomes less urgent when the other side has an answer to it, and more when
// that is gone; and a goal that can't be reached any more gives way.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fmt/format.h"
#include "gtest/gtest.h"
#include "sim/base/id.h"
#include "sim/input/input_frame.h"
#include "sim/simulation.h"
#include "tests/world/testing_worlds.h"

namespace reprise::sim {
namespace {

void Command(Simulation& world, std::string_view name,
             std::vector<int64_t> arguments = {}) {
  InputFrame frame;
  frame.commands.push_back(
      {.name = IdOf(name), .arguments = {arguments.begin(), arguments.end()}});
  world.Step(std::vector{frame}, nullptr);
}

std::string Named(const Simulation& world, std::string_view object,
                  std::string_view property) {
  const uint64_t bits =
      ValueOf(world, "components", "brain", object, property)->bits;
  return bits == 0 ? "" : std::string(world.IdName(Id{bits}));
}

constexpr std::array<std::string_view, 5> kMoods = {"roam", "stalk", "hunt",
                                                    "flee", "rest"};

// A wolf that is in one of five moods while it lives. Each mood adds 10 when it
// is entered and 1000 when it is left; life 1 and 100,000; death 1,000,000.
std::string Wolf() {
  const auto add = [](int amount) {
    return fmt::format(
        "add {{ object: 'self' property: 'wolf.log' amount: '{}' }}", amount);
  };
  std::string moods;
  for (const std::string_view mood : kMoods) {
    moods += fmt::format("states {{ name: '{}' enter {{ {} }} exit {{ {} }} ",
                         mood, add(10), add(1000));
    for (size_t i = 0; i < kMoods.size(); ++i) {
      moods +=
          fmt::format("transitions {{ to: '{}' on: 'felt' if: 'mood == {}' }} ",
                      kMoods[i], i);
    }
    moods += "} ";
  }
  return Manifest({R"(
components { name: "wolf" properties { name: "log" type: TYPE_INTEGER } }
players {
  actions { name: "feel" command { arguments { name: "mood" minimum: 0 maximum: 4 } } }
  actions { name: "shoot" command { } }
  commands_per_tick_max: 1
}
connections { name: "feel" event: "feel" target: "wolf" send: "felt" pass { from: "mood" } }
connections { name: "shoot" event: "shoot" target: "wolf" send: "shot" }
events { name: "felt" arguments { name: "mood" type: TYPE_INTEGER } }
events { name: "shot" }
types { name: "wolf" brain: "wolf" components { component: "wolf" } }
objects { name: "wolf" type: "wolf" }
)",
                   fmt::format("brains {{ name: 'wolf' root {{ machine {{ "
                               "states {{ name: 'alive' enter {{ {} }} exit {{ "
                               "{} }} machine {{ {} }} transitions {{ to: "
                               "'dead' on: 'shot' }} }} states {{ name: 'dead' "
                               "enter {{ {} }} }} }} }} }}\n",
                               add(1), add(100'000), moods, add(1'000'000))});
}

int64_t LogOf(const Simulation& world) {
  return static_cast<int64_t>(
      ValueOf(world, "components", "wolf", "wolf", "log")->bits);
}

TEST(KnownDecisionsTest, DeathComesFromEveryState) {
  for (size_t i = 0; i < kMoods.size(); ++i) {
    const auto world = WorldOf(Wolf());
    StepTimes(*world, 2);
    ASSERT_EQ(Named(*world, "wolf", "state"), "roam");
    ASSERT_EQ(LogOf(*world), 11);
    Command(*world, "feel", {static_cast<int64_t>(i)});
    StepTimes(*world, 2);
    // A state that follows itself is left and entered, too.
    EXPECT_EQ(Named(*world, "wolf", "state"), kMoods[i]);
    EXPECT_EQ(LogOf(*world), 1021);
    Command(*world, "shoot");
    StepTimes(*world, 2);
    EXPECT_EQ(Named(*world, "wolf", "state"), "dead");
    EXPECT_EQ(LogOf(*world), 1'102'021);
    // The dead feel nothing.
    Command(*world, "feel", {1});
    StepTimes(*world, 2);
    EXPECT_EQ(Named(*world, "wolf", "state"), "dead");
    EXPECT_EQ(LogOf(*world), 1'102'021);
  }
}

// Aircraft are of use as long as the foe has nothing against them, ground
// forces always, and a second base once there is room for one.
constexpr std::string_view kGeneral = R"(
components {
  name: "war"
  properties { name: "flak" type: TYPE_NUMBER }
  properties { name: "room" type: TYPE_NUMBER }
  properties { name: "is_free" type: TYPE_BOOLEAN default { boolean: true } }
  properties { name: "aircraft" type: TYPE_BOOLEAN }
  properties { name: "ground_forces" type: TYPE_BOOLEAN }
  properties { name: "base" type: TYPE_BOOLEAN }
}
events { name: "flak_seen" }
events { name: "flak_gone" }
events { name: "room_seen" }
events { name: "room_taken" }
types {
  name: "general" brain: "general" components { component: "war" }
  timers { name: "flak_seen" event: "flak_seen" delay_s: 1 }
  timers { name: "flak_gone" event: "flak_gone" delay_s: 2 }
  timers { name: "room_seen" event: "room_seen" delay_s: 3 }
  timers { name: "room_taken" event: "room_taken" delay_s: 4 }
}
connections { name: "flak_seen" event: "flak_seen" then { set { object: "general" property: "war.flak" to: "3" } } }
connections { name: "flak_gone" event: "flak_gone" then { set { object: "general" property: "war.flak" to: "0" } } }
connections { name: "room_seen" event: "room_seen" then { set { object: "general" property: "war.room" to: "5" } } }
connections { name: "room_taken" event: "room_taken" then { set { object: "general" property: "war.is_free" to: "false" } } }
brains {
  name: "general"
  symbols { name: "aircraft" if: "self.war.aircraft" }
  symbols { name: "ground_forces" if: "self.war.ground_forces" }
  symbols { name: "base" if: "self.war.base" }
  symbols { name: "is_free" if: "self.war.is_free" }
  root { plan {
    every_s: 0.1
    goals { name: "fly" wants: "aircraft" priority: "2 - self.war.flak" }
    goals { name: "march" wants: "ground_forces" priority: "1" }
    goals { name: "expand" wants: "base" priority: "self.war.room" }
    actions { node { name: "build_aircraft" wait { seconds: 60 } } gives: "aircraft" }
    actions { node { name: "build_tanks" wait { seconds: 60 } } gives: "ground_forces" }
    actions { node { name: "settle" wait { seconds: 60 } } needs: "is_free" gives: "base" }
  } }
}
objects { name: "general" type: "general" }
)";

TEST(KnownDecisionsTest, GoalsFollowWhatTheOtherSideHas) {
  const auto world = WorldOf(Manifest({kGeneral}));
  std::vector<std::string> goals;
  for (int tick = 0; tick < 300; ++tick) {
    StepTimes(*world, 1);
    const std::string goal = Named(*world, "general", "goal");
    if (goals.empty() || goals.back() != goal) goals.push_back(goal);
    // Each second something happens, and a tenth later all have noticed.
    if (tick % 60 == 10) {
      constexpr std::array<std::string_view, 5> kExpected = {
          "fly", "march", "fly", "expand", "fly"};
      EXPECT_EQ(goal, kExpected[static_cast<size_t>(tick / 60)]) << tick;
    }
  }
  EXPECT_EQ(goals,
            (std::vector<std::string>{"fly", "march", "fly", "expand", "fly"}));
}

}  // namespace
}  // namespace reprise::sim
