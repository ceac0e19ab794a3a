// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that rollers go where their player pushes them and jump from what they
// stand on, and that goals and hazards decide the run: in the tick in which a
// steered visitor comes in, once, and told behind the visit.

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "fmt/format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "sim/input/input_frame.h"
#include "tests/world/testing_worlds.h"

namespace reprise::sim {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// A ball that a player rolls along x, one that nobody does, and two doors.
constexpr std::string_view kCourse = R"(
players { actions { name: "x" axis: 0 } actions { name: "z" axis: 1 } actions { name: "jump" button: 0 } }
types {
  name: "stone"
  body { motion: MOTION_DYNAMIC mass_kg: 1 gravity_scale: 0 shapes { sphere { radius: 0.5 } } }
}
types {
  name: "marble" extends: "stone"
  roller { action_x: "x" action_z: "z" force_n: 10 action_jump: "jump" jump_impulse_ns: 2 }
}
types {
  name: "home" body { motion: MOTION_TRIGGER shapes { box { half_extents { x: 0.5 y: 1 z: 1 } } } }
  goal {}
}
types {
  name: "pit" body { motion: MOTION_TRIGGER shapes { box { half_extents { x: 0.5 y: 1 z: 1 } } } }
  hazard { reason: "fell into the pit" }
}
)";

std::unique_ptr<Simulation> CourseWith(std::string_view objects) {
  return WorldOf(Manifest({kCourse, objects}));
}

// Steps with the stick held along x, and tells of triggers and the outcome.
std::string StoryOf(Simulation& world, int ticks, uint64_t buttons = 0) {
  InputFrame frame;
  frame.device.axes[0] = kAxisMax;
  frame.device.buttons = buttons;
  std::string story;
  for (int i = 0; i < ticks; ++i) {
    world.Step(std::span(&frame, 1), nullptr);
    for (const Event& event : world.DrainEvents()) {
      story +=
          fmt::format("{} {} {}", event.tick, world.ObjectName(event.object),
                      world.IdName(event.type));
      for (const EventArgument& argument : event.arguments) {
        story += fmt::format(" {}={}", world.IdName(argument.name),
                             world.ObjectName({argument.value.bits}));
      }
      story += '\n';
    }
  }
  return story;
}

TEST(PlayersTest, OutcomeIsToldBehindTheVisitThatDecides) {
  const auto world = CourseWith(R"(
objects { name: "marble" type: "marble" }
objects { name: "home" type: "home" position { x: 1.5 } }
)");
  const std::string story = StoryOf(*world, 60);
  EXPECT_EQ(world->outcome(),
            (Outcome{.status = Outcome::Status::kWon, .reason = "home"}));
  const std::string tick = story.substr(0, story.find(' '));
  EXPECT_THAT(story, testing::StartsWith(
                         fmt::format("{0} home trigger_entered visitor=marble\n"
                                     "{0} home game_won visitor=marble\n",
                                     tick)));
}

TEST(PlayersTest, WhoIsNotSteeredDecidesNothing) {
  const auto world = CourseWith(R"(
objects { name: "stone" type: "stone" linear_velocity { x: 3 } }
objects { name: "home" type: "home" position { x: 1.5 } }
)");
  EXPECT_THAT(StoryOf(*world, 60), HasSubstr("home trigger_entered"));
  EXPECT_EQ(world->outcome().status, Outcome::Status::kRunning);
}

TEST(PlayersTest, FirstDecisionStays) {
  const auto world = CourseWith(R"(
objects { name: "marble" type: "marble" }
objects { name: "pit" type: "pit" position { x: 1.5 } }
objects { name: "home" type: "home" position { x: 4 } }
)");
  const std::string story = StoryOf(*world, 120);
  EXPECT_THAT(story, HasSubstr("pit game_lost visitor=marble\n"));
  EXPECT_THAT(story, HasSubstr("home trigger_entered visitor=marble\n"));
  EXPECT_EQ(story.find("game_won"), std::string::npos) << story;
  EXPECT_EQ(world->outcome(), (Outcome{.status = Outcome::Status::kLost,
                                       .reason = "fell into the pit"}));
}

TEST(PlayersTest, RollerJumpsFromWhatItStandsOnAndTellsOfIt) {
  const auto world = CourseWith(R"(
types { name: "ground" body { motion: MOTION_FIXED shapes { plane { normal { y: 1 } } } } }
types { name: "heavy" extends: "marble"
  body { motion: MOTION_DYNAMIC mass_kg: 1 shapes { sphere { radius: 0.5 } } } }
objects { name: "ground" type: "ground" }
objects { name: "ball" type: "heavy" position { y: 0.5 } }
)");
  EXPECT_EQ(StoryOf(*world, 30).find("jumped"), std::string::npos);
  const std::string story = StoryOf(*world, 10, /*buttons=*/1);
  EXPECT_THAT(story, HasSubstr("ball jumped\n"));
  // Once: in the air the button that is still held does nothing.
  EXPECT_EQ(story.find("jumped"), story.rfind("jumped"));
}

TEST(PlayersTest, PacksWithoutThemHaveNoSuchRoom) {
  const auto world = WorldOf(Manifest({kMarker}));
  for (uint32_t i = 0; i < world->state().table_count(); ++i) {
    const std::string& room = world->state().room_of({i}).name;
    EXPECT_NE(room, "players");
    EXPECT_NE(room, "contacts");
    EXPECT_NE(room, "objectives");
  }
}

TEST(PlayersTest, MistakesAreReported) {
  EXPECT_THAT(Problems(Manifest({"types { name: \"t\" goal {} }\n"})),
              ElementsAre(HasSubstr("goal: needs a body with MOTION_TRIGGER")));
  EXPECT_THAT(Problems(Manifest({kCourse,
                                 "types { name: \"t\" extends: \"home\" "
                                 "hazard {} goal {} }\n"})),
              ElementsAre(HasSubstr("hazard: the type is a goal, too")));
  EXPECT_THAT(
      Problems(Manifest({kCourse,
                         "types { name: \"t\" extends: \"home\" roller { "
                         "action_x: \"x\" action_z: \"z\" force_n: 1 "
                         "jump_impulse_ns: 1 } }\n"})),
      ElementsAre(HasSubstr("jump_impulse_ns: without action_jump"),
                  HasSubstr("roller: needs a dynamic body")));
}

}  // namespace
}  // namespace reprise::sim
