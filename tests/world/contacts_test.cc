// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves what objects are told of contacts: when they begin, stay and end, to
// whom and in which order, with impulses that are those by which velocities
// changed; and that a world restored at any tick tells the same.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "fmt/format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "sim/physics/definition/physics_rows.h"
#include "sim/systems/contacts/contact_rows.h"
#include "tests/world/testing_worlds.h"

namespace reprise::sim {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr double kGravity = 9.81;
constexpr double kTickS = 1.0 / 60.0;

constexpr std::string_view kGround = R"(
types { name: "ground" body { motion: MOTION_FIXED restitution: 1 shapes { plane { normal { y: 1 } } } } }
objects { name: "a_ground" type: "ground" }
)";

// A ball of 2 kg that hears of everything.
std::string Ball(std::string_view body, std::string_view events) {
  return fmt::format(
      "types {{ name: \"ball\" body {{ motion: MOTION_DYNAMIC mass_kg: 2 "
      "shapes {{ sphere {{ radius: 0.5 }} }} {} }} contact_events {{ {} }} "
      "}}\n",
      body, events);
}

constexpr std::string_view kEverything =
    "begin: true end: true stay_period_s: 0.5";

// "12 ball contact_began a_ground", a line for each event of a contact.
std::string StoryOf(Simulation& world, int ticks) {
  std::string story;
  for (int i = 0; i < ticks; ++i) {
    world.Step({}, nullptr);
    for (const Event& event : world.DrainEvents()) {
      const std::string type = world.IdName(event.type);
      if (!type.starts_with("contact_")) continue;
      ObjectId other;
      for (const EventArgument& argument : event.arguments) {
        if (argument.name == IdOf("object")) other = {argument.value.bits};
      }
      story += fmt::format("{} {} {} {}\n", event.tick,
                           world.ObjectName(event.object), type,
                           world.ObjectName(other));
    }
  }
  return story;
}

double Argument(const Event& event, std::string_view name) {
  for (const EventArgument& argument : event.arguments) {
    if (argument.name == IdOf(name)) return argument.value.AsDouble();
  }
  ADD_FAILURE() << "no " << name;
  return 0.0;
}

double SpeedOf(const Simulation& world, std::string_view object) {
  return ValueOf(world, "physics", "bodies", object, "linear_velocity.y")
      ->AsDouble();
}

class BouncingBallTest : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Substeps, BouncingBallTest, testing::Values(1, 4));

TEST_P(BouncingBallTest, ImpulseIsThatByWhichTheVelocityChanged) {
  auto world = WorldOf(Manifest(
      {fmt::format("physics {{ substeps_per_tick: {} }}\n", GetParam()),
       kGround, Ball("restitution: 0.8", "begin: true stay_period_s: 0.001"),
       "objects { name: \"ball\" type: \"ball\" position { y: 2 } }\n"}));
  double heard = 0.0;
  double felt = 0.0;
  int begun = 0;
  for (int tick = 0; tick < 100; ++tick) {
    const double before = SpeedOf(*world, "ball");
    world->Step({}, nullptr);
    felt += 2.0 * (SpeedOf(*world, "ball") - before + kGravity * kTickS);
    for (const Event& event : world->DrainEvents()) {
      if (!world->IdName(event.type).starts_with("contact_")) continue;
      heard += Argument(event, "impulse");
      EXPECT_NEAR(Argument(event, "normal_y"), 1.0, 1e-9);
      // It is as deep as it came in a tick.
      EXPECT_NEAR(Argument(event, "y"), 0.0, 0.12);
      if (event.type == IdOf("contact_began")) ++begun;
    }
  }
  EXPECT_GE(begun, 2);
  EXPECT_NEAR(heard, felt, 1e-9 * felt);
  EXPECT_GT(heard, 10.0);
}

TEST(ContactEventsTest, EachBounceBeginsAndEnds) {
  auto world = WorldOf(Manifest(
      {kGround, Ball("restitution: 0.8", kEverything),
       "objects { name: \"ball\" type: \"ball\" position { y: 2 } }\n"}));
  const std::string story = StoryOf(*world, 100);
  const size_t began = story.find("ball contact_began a_ground");
  const size_t ended = story.find("ball contact_ended a_ground");
  const size_t again = story.find("ball contact_began a_ground", began + 1);
  ASSERT_NE(again, std::string::npos) << story;
  EXPECT_LT(began, ended);
  EXPECT_LT(ended, again);
}

TEST(ContactEventsTest, BothAreToldInOrderOfObjects) {
  auto world = WorldOf(Manifest(
      {"physics { gravity {} }\n", Ball("", kEverything),
       "objects { name: \"left\" type: \"ball\" position { x: -1 } "
       "linear_velocity { x: 2 } }\n"
       "objects { name: \"right\" type: \"ball\" position { x: 1 } }\n"}));
  std::vector<Event> events;
  for (int tick = 0; tick < 60 && events.empty(); ++tick) {
    world->Step({}, nullptr);
    events = EventsOf(*world, "contact_began");
  }
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(world->ObjectName(events[0].object), "left");
  EXPECT_EQ(world->ObjectName(events[1].object), "right");
  EXPECT_NEAR(Argument(events[0], "normal_x"), -1.0, 1e-9);
  EXPECT_NEAR(Argument(events[1], "normal_x"), 1.0, 1e-9);
  EXPECT_EQ(Argument(events[0], "impulse"), Argument(events[1], "impulse"));
}

TEST(ContactEventsTest, SleepersStayInContact) {
  auto world = WorldOf(Manifest(
      {kGround, Ball("angular_damping: 0.5", kEverything),
       "objects { name: \"ball\" type: \"ball\" position { y: 0.5 } }\n"}));
  const std::string settling = StoryOf(*world, 300);
  EXPECT_THAT(settling, HasSubstr("ball contact_began a_ground"));
  ASSERT_EQ(ValueOf(*world, "physics", "bodies", "ball", "activation")->bits,
            static_cast<uint64_t>(Activation::kAsleep));
  const std::string asleep = StoryOf(*world, 60);
  EXPECT_THAT(asleep, HasSubstr("ball contact_stayed a_ground"));
  EXPECT_EQ(asleep.find("contact_ended"), std::string::npos);
  EXPECT_EQ(asleep.find("contact_began"), std::string::npos);
}

TEST(ContactEventsTest, SmallImpulsesAreNotTold) {
  auto world = WorldOf(Manifest(
      {kGround, Ball("", "begin: true stay_period_s: 0.01 impulse_min_ns: 4"),
       "objects { name: \"falling\" type: \"ball\" position { y: 2 } }\n"
       "objects { name: \"lying\" type: \"ball\" position { x: 3 y: 0.5 } }"}));
  const std::string story = StoryOf(*world, 120);
  EXPECT_THAT(story, HasSubstr("falling contact_began a_ground"));
  EXPECT_EQ(story.find("lying"), std::string::npos) << story;
  EXPECT_EQ(story.find("contact_ended"), std::string::npos);
}

TEST(ContactEventsTest, ContactWithWhatVanishesEnds) {
  auto world = WorldOf(Manifest({Ball("", kEverything), R"(
types {
  name: "shelf"
  body { motion: MOTION_FIXED shapes { box { half_extents { x: 2 y: 0.5 z: 2 } } } }
  contact_events { begin: true end: true }
  timers { name: "gone" event: "destroy" delay_s: 0.5 }
}
objects { name: "ball" type: "ball" position { y: 1 } }
objects { name: "shelf" type: "shelf" }
)"}));
  const std::string story = StoryOf(*world, 60);
  EXPECT_THAT(story, HasSubstr("ball contact_ended shelf"));
  EXPECT_THAT(story, HasSubstr("shelf contact_began ball"));
  EXPECT_EQ(story.find("shelf contact_ended"), std::string::npos) << story;
  EXPECT_EQ(RowCount(*world, "contacts", "contacts"), 0u);
}

TEST(ContactEventsTest, RestoredAtAnyTickItTellsTheSame) {
  const std::string manifest = Manifest(
      {kGround, Ball("restitution: 0.6", kEverything),
       "objects { name: \"ball\" type: \"ball\" position { y: 2 } grid { "
       "count_x: 2 count_y: 3 spacing { x: 0.9 y: 1.1 } } }\n"});
  auto plain = WorldOf(manifest);
  auto moved = WorldOf(manifest);
  for (int tick = 0; tick < 200; ++tick) {
    const std::string expected = StoryOf(*plain, 1);
    auto next = WorldOf(manifest);
    ASSERT_TRUE(next->Restore(moved->state()).ok());
    moved = std::move(next);
    ASSERT_EQ(StoryOf(*moved, 1), expected) << "tick " << tick;
  }
  EXPECT_EQ(moved->state().ComputeRootDigest(),
            plain->state().ComputeRootDigest());
}

TEST(ContactEventsTest, ImpossibleRowsAreRefused) {
  auto world = WorldOf(Manifest(
      {kGround, Ball("", kEverything),
       "objects { name: \"ball\" type: \"ball\" position { y: 0.5 } }\n"}));
  StepTimes(*world, 10);
  ASSERT_EQ(RowCount(*world, "contacts", "contacts"), 1u);
  State snapshot = world->state();
  Table& rows = snapshot.mutable_table(*snapshot.Find("contacts", "contacts"));
  rows.Mutable<ContactRow>(0).object_b = rows.Get<ContactRow>(0).object_a;
  EXPECT_EQ(world->Restore(snapshot).code(), absl::StatusCode::kDataLoss);
}

TEST(ContactEventsTest, PacksWithoutThemHaveNoTable) {
  auto world = WorldOf(Manifest({kGround}));
  EXPECT_FALSE(world->state().Find("contacts", "contacts").has_value());
}

TEST(ContactEventsTest, MistakesAreReported) {
  EXPECT_THAT(Problems(Manifest({"types { name: \"t\" contact_events {} }\n"})),
              ElementsAre(HasSubstr("needs a body that isn't a trigger")));
  EXPECT_THAT(
      Problems(Manifest({Ball("", "stay_period_s: -1 impulse_min_ns: -2")})),
      ElementsAre(HasSubstr("stay_period_s"), HasSubstr("impulse_min_ns")));
  EXPECT_THAT(Problems(Manifest({Ball("", kEverything)})), IsEmpty());
}

TEST(ContactEventsTest, WhatNothingCanTouchIsReported) {
  constexpr std::string_view kShelf = R"(
collision_layers { name: "a" collides_with: "a" }
collision_layers { name: "b" collides_with: "b" }
types { name: "shelf" body { motion: MOTION_FIXED layers: "a" shapes { sphere { radius: 1 } } } contact_events { begin: true } }
)";
  const auto ball = [](std::string_view motion, std::string_view layer) {
    return fmt::format(
        "types {{ name: \"ball\" body {{ motion: MOTION_{} layers: \"{}\" "
        "shapes {{ sphere {{ radius: 1 }} }} }} }}\n",
        motion, layer);
  };
  const auto is_reported = ElementsAre(
      HasSubstr("types[0].contact_events: the pack has no dynamic body"));
  EXPECT_THAT(Problems(Manifest({kShelf})), is_reported);
  EXPECT_THAT(Problems(Manifest({kShelf, ball("KINEMATIC", "a")})),
              is_reported);
  EXPECT_THAT(Problems(Manifest({kShelf, ball("DYNAMIC mass_kg: 1", "b")})),
              is_reported);
  EXPECT_THAT(Problems(Manifest({kShelf, ball("DYNAMIC mass_kg: 1", "a")})),
              IsEmpty());
}

}  // namespace
}  // namespace reprise::sim
