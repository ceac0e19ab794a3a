// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that what breaks does so by contacts, blasts and events, gets another
// body with each stage where it is and as fast, leaves debris that moves on as
// it did, and does the same from any snapshot.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "fmt/format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "sim/physics/definition/physics_rows.h"
#include "tests/world/testing_worlds.h"

namespace reprise::sim {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// A vase of 4 kg that breaks at impulses above 5 N s, and a bell whose event
// hurts it twice: by all that is left the second time.
constexpr std::string_view kVase = R"(
types { name: "floor" body { motion: MOTION_FIXED shapes { plane { normal { y: 1 } } } } }
types {
  name: "vase"
  body { motion: MOTION_DYNAMIC mass_kg: 4 shapes { box { half_extents { x: 0.2 y: 0.4 z: 0.2 } } } }
  destructible {
    health: 100
    impulse_min_ns: 5
    damage_per_ns: 10
    stages { name: "chipped" health_max: 90 }
    stages { name: "cracked" health_max: 50 body_of: "cracked" }
    debris { archetype: "shard" position { x: 1 } velocity { y: 2 } }
    debris { archetype: "shard" position { x: -1 } rotation_degrees { z: 90 } }
  }
}
types { name: "cracked" body { motion: MOTION_DYNAMIC mass_kg: 3 shapes { box { half_extents { x: 0.2 y: 0.3 z: 0.2 } } } } }
types { name: "shard" body { motion: MOTION_DYNAMIC mass_kg: 1 shapes { sphere { radius: 0.1 } } } }
objects { name: "floor" type: "floor" }
)";

std::string VaseAt(double height) {
  return fmt::format(
      "objects {{ name: \"vase\" type: \"vase\" position {{ y: {} }} }}\n",
      height);
}

std::vector<std::string> StagesOf(Simulation& world, int ticks) {
  std::vector<std::string> stages;
  for (int i = 0; i < ticks; ++i) {
    world.Step({}, nullptr);
    for (const Event& event : EventsOf(world, "stage_changed")) {
      for (const EventArgument& argument : event.arguments) {
        if (argument.name != IdOf("stage")) continue;
        stages.push_back(world.IdName(Id{argument.value.bits}));
      }
    }
  }
  return stages;
}

uint64_t KindOf(const Simulation& world, std::string_view object) {
  return ValueOf(world, "physics", "bodies", object, "kind")->bits;
}

double Value(const Simulation& world, std::string_view object,
             std::string_view scalar) {
  return ValueOf(world, "physics", "bodies", object, scalar)->AsDouble();
}

TEST(DestructibleTest, BreaksByHowHardItFalls) {
  const auto stages_from = [](double height) {
    auto world = WorldOf(Manifest({kVase, VaseAt(height)}));
    return StagesOf(*world, 150);
  };
  // Standing 0.4 m above its foot, it meets the floor with m sqrt(2 g h): 7.9,
  // 12.5 and 52 N s.
  EXPECT_THAT(stages_from(0.4), IsEmpty());
  EXPECT_THAT(stages_from(0.6), ElementsAre("chipped"));
  EXPECT_THAT(stages_from(0.9), ElementsAre("cracked"));
  EXPECT_THAT(stages_from(9.0), ElementsAre("destroyed"));
}

// A player's command hurts the vase.
std::string Hurt() {
  return R"(
players { actions { name: "hit" command { arguments { name: "amount" minimum: 0 maximum: 1000 } } } commands_per_tick_max: 1 }
connections { name: "hit" event: "hit" target: "vase" send: "damage" pass { from: "amount" } }
)";
}

void Hit(Simulation& world, int64_t amount) {
  InputFrame frame;
  frame.commands.push_back({.name = IdOf("hit"), .arguments = {amount}});
  world.Step(std::vector{frame}, nullptr);
}

TEST(DestructibleTest, StageKeepsPoseAndVelocity) {
  auto world = WorldOf(Manifest(
      {kVase, Hurt(), "physics { gravity {} }\n",
       "objects { name: \"vase\" type: \"vase\" position { y: 9 } "
       "linear_velocity { x: 6 } angular_velocity_degrees { y: 90 } }\n"}));
  StepTimes(*world, 10);
  const uint64_t intact = KindOf(*world, "vase");
  const double x = Value(*world, "vase", "position.x");
  const double spin = Value(*world, "vase", "angular_velocity.y");
  Hit(*world, 55);
  EXPECT_NE(KindOf(*world, "vase"), intact);
  EXPECT_NEAR(Value(*world, "vase", "position.x"), x + 0.1, 1e-12);
  EXPECT_NEAR(Value(*world, "vase", "linear_velocity.x"), 6.0, 1e-12);
  EXPECT_NEAR(Value(*world, "vase", "angular_velocity.y"), spin, 1e-9);
  StepTimes(*world, 1);
  EXPECT_NEAR(Value(*world, "vase", "position.x"), x + 0.2, 1e-12);
}

TEST(DestructibleTest, DebrisMovesOnAsTheDestroyedBodyDid) {
  auto world = WorldOf(Manifest(
      {kVase, Hurt(), "physics { gravity {} }\n",
       "objects { name: \"vase\" type: \"vase\" position { y: 9 } "
       "linear_velocity { z: 6 } angular_velocity_degrees { y: 90 } }\n"}));
  const double spin = Value(*world, "vase", "angular_velocity.y");
  Hit(*world, 100);
  EXPECT_THAT(StagesOf(*world, 1), ElementsAre("destroyed"));
  ASSERT_FALSE(
      ValueOf(*world, "physics", "bodies", "vase", "kind").has_value());
  // The vase had turned by a tick: the first shard is at +x of it, nearly.
  const TableIndex index = *world->state().Find("physics", "bodies");
  const Table& bodies = world->state().table(index);
  ASSERT_EQ(bodies.row_count(), 3u);
  const auto& first = bodies.Get<BodyRow>(1);
  const auto& second = bodies.Get<BodyRow>(2);
  EXPECT_NEAR(first.linear_velocity.y, 2.0, 1e-9);
  EXPECT_NEAR(first.linear_velocity.z, 6.0 - spin, 0.01);
  EXPECT_NEAR(second.linear_velocity.z, 6.0 + spin, 0.01);
  EXPECT_NEAR(first.angular_velocity.y, spin, 1e-9);
}

TEST(DestructibleTest, WhatTwoLeaveInOneTickComesInOrderOfObjects) {
  auto world = WorldOf(Manifest({kVase, R"(
physics { gravity {} }
players { actions { name: "hit" command {} } commands_per_tick_max: 1 }
connections { name: "first" event: "hit" target: "vase_b" send: "damage" }
connections { name: "second" event: "hit" target: "vase_a" send: "damage" }
objects { name: "vase_b" type: "vase" position { x: 10 y: 9 } }
objects { name: "vase_a" type: "vase" position { y: 9 } }
)"}));
  InputFrame frame;
  frame.commands.push_back({.name = IdOf("hit"), .arguments = {}});
  world->Step(std::vector{frame}, nullptr);
  const Table& bodies =
      world->state().table(*world->state().Find("physics", "bodies"));
  ASSERT_EQ(bodies.row_count(), 5u);
  EXPECT_EQ(bodies.Get<BodyRow>(1).position.x, 1.0);
  EXPECT_EQ(bodies.Get<BodyRow>(2).position.x, -1.0);
  EXPECT_EQ(bodies.Get<BodyRow>(3).position.x, 11.0);
  EXPECT_EQ(bodies.Get<BodyRow>(4).position.x, 9.0);
}

TEST(DestructibleTest, PackCanSetHealthOfOne) {
  auto world = WorldOf(Manifest(
      {kVase, Hurt(),
       "objects { name: \"vase\" type: \"vase\" position { y: 0.4 } components "
       "{ component: \"destructible\" set { property: \"health\" value { "
       "number: 500 } } } }\n"}));
  Hit(*world, 400);
  EXPECT_EQ(ValueOf(*world, "components", "destructible", "vase", "health")
                ->AsDouble(),
            100.0);
}

TEST(DestructibleTest, AsleepItHearsOfNoDamage) {
  for (const bool is_dormant : {false, true}) {
    auto world = WorldOf(Manifest(
        {kVase, Hurt(),
         fmt::format("objects {{ name: \"vase\" type: \"vase\" position {{ y: "
                     "0.4 }} dormant: {} }}\n",
                     is_dormant)}));
    Hit(*world, 60);
    EXPECT_EQ(ValueOf(*world, "components", "destructible", "vase", "health")
                  ->AsDouble(),
              is_dormant ? 100.0 : 40.0);
  }
}

TEST(DestructibleTest, BlastHurtsFixedOnesToo) {
  auto world = WorldOf(Manifest({R"(
types {
  name: "pillar"
  body { motion: MOTION_FIXED shapes { box { half_extents { x: 0.5 y: 2 z: 0.5 } } } }
  destructible { health: 10 impulse_min_ns: 5 }
}
types { name: "charge" explosive { radius: 2 impulse_ns: 30 } timers { name: "fuse" event: "explode" delay_s: 0.1 } }
types { name: "ball" body { motion: MOTION_DYNAMIC mass_kg: 1 shapes { sphere { radius: 0.5 } } } }
objects { name: "pillar" type: "pillar" }
objects { name: "charge" type: "charge" position { x: 1 } }
objects { name: "ball" type: "ball" position { y: 2.5 } }
)"}));
  StepTimes(*world, 5);
  EXPECT_TRUE(ValueOf(*world, "world", "objects", "pillar", "name"));
  StepTimes(*world, 60);
  EXPECT_FALSE(ValueOf(*world, "world", "objects", "pillar", "name"));
  // What stood on it falls.
  EXPECT_LT(Value(*world, "ball", "position.y"), 2.0);
}

TEST(DestructibleTest, RestoredAtAnyTickItGoesOnTheSame) {
  const std::string manifest =
      Manifest({kVase, VaseAt(1.2),
                "objects { name: \"more\" type: \"vase\" position { x: 0.1 y: "
                "3 } grid { count_y: 3 spacing { x: 0 y: 1.5 } } }\n"});
  auto plain = WorldOf(manifest);
  auto moved = WorldOf(manifest);
  for (int tick = 0; tick < 200; ++tick) {
    auto next = WorldOf(manifest);
    ASSERT_TRUE(next->Restore(moved->state()).ok());
    moved = std::move(next);
    StepTimes(*plain, 1);
    StepTimes(*moved, 1);
    ASSERT_EQ(moved->state().ComputeRootDigest(),
              plain->state().ComputeRootDigest())
        << "tick " << tick;
  }
}

TEST(DestructibleTest, MistakesAreReported) {
  EXPECT_THAT(
      Problems(Manifest({"types { name: \"t\" destructible { health: 1 } }"})),
      ElementsAre(HasSubstr("needs a body that isn't a trigger")));
  EXPECT_THAT(Problems(Manifest({R"(
types {
  name: "t"
  body { motion: MOTION_DYNAMIC mass_kg: 1 shapes { sphere { radius: 1 } } }
  destructible {
    health: 10
    stages { name: "destroyed" health_max: 5 }
    stages { name: "late" health_max: 6 body_of: "fixed" }
    debris { archetype: "nothing" }
  }
}
types { name: "fixed" body { motion: MOTION_FIXED shapes { sphere { radius: 1 } } } }
)"})),
              ElementsAre(HasSubstr("there is a stage 'destroyed' already"),
                          HasSubstr("has to be less than before"),
                          HasSubstr("has another motion"),
                          HasSubstr("no type or archetype 'nothing'")));
  // What it would have broken into without its own is not looked for in it.
  EXPECT_THAT(
      Problems(Manifest(
          {kVase,
           "types { name: \"ghost\" extends: \"vase\" body { motion: "
           "MOTION_TRIGGER shapes { sphere { radius: 1 } } } destructible { "
           "health: 1 } }"})),
      // The mass is the vase's, whose body this is but for what it says.
      ElementsAre(HasSubstr("only a dynamic body has a mass"),
                  HasSubstr("needs a body that isn't a trigger")));
}

// A vase of 2 kg that falls 1.25 m onto the floor, with 10 N s, or lies in a
// stack of three that press the lowest one with 6 kg.
double HealthAfter(int tick_rate, std::string_view impulse_min,
                   std::string_view objects) {
  const auto world =
      WorldOf(Manifest({fmt::format("tick_rate: {}\n", tick_rate), R"(
physics { gravity { y: -10 } }
types { name: "floor" body { motion: MOTION_FIXED shapes { plane { normal { y: 1 } } } } }
types {
  name: "vase"
  body { motion: MOTION_DYNAMIC mass_kg: 2 shapes { box { half_extents { x: 0.5 y: 0.25 z: 0.5 } } } }
  destructible { health: 100 impulse_min_ns: )",
                        impulse_min, R"( }
}
objects { name: "floor" type: "floor" }
)",
                        objects}));
  StepTimes(*world, tick_rate);
  return ValueOf(*world, "components", "destructible", "vase", "health")
      ->AsDouble();
}

// docs/packs.md says so.
TEST(DestructiblesTest, BlowIsTheSameAtEveryTickRateAndALoadIsNot) {
  constexpr std::string_view kFalling =
      "objects { name: \"vase\" type: \"vase\" position { y: 1.5 } }\n";
  constexpr std::string_view kStack = R"(
objects { name: "vase" type: "vase" position { y: 0.25 } }
objects { name: "vase_b" type: "vase" position { y: 0.75 } }
objects { name: "vase_c" type: "vase" position { y: 1.25 } }
)";
  for (const int rate : {30, 60, 120, 240}) {
    EXPECT_NEAR(HealthAfter(rate, "5", kFalling), 95.0, 0.8) << rate;
  }
  // 60 N are 2 N s at 30 ticks a second, 1 N s at 60.
  EXPECT_LT(HealthAfter(30, "1.5", kStack), 95.0);
  EXPECT_EQ(HealthAfter(60, "1.5", kStack), 100.0);
  EXPECT_EQ(HealthAfter(30, "2.5", kStack), 100.0);
}

}  // namespace
}  // namespace reprise::sim
