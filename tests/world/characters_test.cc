// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that characters of a pack go where players and behaviours steer them,
// tell what happens to them, and come and go like all else.

#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "sim/base/id.h"
#include "sim/physics/characters/character_rows.h"
#include "sim/systems/characters/walking.h"
#include "sim/systems/vehicles/driving.h"
#include "sim/world/definition/behaviour.h"
#include "sim/world/updates/update_context.h"
#include "tests/world/testing_steering.h"
#include "tests/world/testing_worlds.h"

namespace reprise::sim {
namespace {

constexpr std::string_view kWalkers = R"(
types {
  name: "walker"
  body { motion: MOTION_KINEMATIC shapes { capsule { radius: 0.3 half_length: 0.6 } } }
  character { speed: 3 acceleration: 60 air_acceleration: 20 jump_speed: 4 step_height: 0.3 }
}
types {
  name: "hero"
  extends: "walker"
  character { control { action_x: "x" action_z: "z" action_jump: "jump" } speed: 3 acceleration: 60 air_acceleration: 20 jump_speed: 4 step_height: 0.3 }
}
types { name: "robot" extends: "walker" behaviours { behaviour: "testing_pace" } }
)";

// Walks along x, and jumps when it stands; refuses to be driven.
class Pace final : public Behaviour {
 public:
  absl::Status Bind(const BehaviourBinder& /*binder*/) override {
    return absl::OkStatus();
  }
  void UpdateBeforePhysics(UpdateContext& context) const override {
    for (uint32_t i = 0; i < context.object_count(); ++i) {
      EXPECT_TRUE(Walk(context, i, {2.0, 7.0, 0.0}));
      EXPECT_FALSE(Walk(context, i, {kInfinity, 0.0, 0.0}));
      EXPECT_FALSE(Drive(context, i, {.throttle = 1.0}));
      EXPECT_FALSE(VehicleOf(context, i).has_value());
      const std::optional<CharacterRow> row = CharacterOf(context, i);
      ASSERT_TRUE(row.has_value());
      if (row->ground != kNoObject) Jump(context, i);
    }
  }
  Hooks hooks() const override { return {.before_physics = true}; }

 private:
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();
};
REPRISE_REGISTER_BEHAVIOUR(testing_pace, "testing_pace", Pace);

TEST(CharactersTest, PlayerWalksAndJumps) {
  const auto world = WorldOf(Manifest(
      {kSteeredGround, kWalkers,
       "objects { name: \"hero\" type: \"hero\" position { y: 1 } }"}));
  StepTimes(*world, 20);
  EXPECT_EQ(EventsOf(*world, "landed").size(), 1u);
  Hold(*world, 60, kAxisMax, 0, false);
  EXPECT_NEAR(BodyOf(*world, "hero", "position.x"), 3.0, 0.1);
  // The stick all the way to two sides is no faster.
  Hold(*world, 60, -kAxisMax, kAxisMax, false);
  EXPECT_NEAR(BodyOf(*world, "hero", "position.z"), 3.0 / std::sqrt(2.0), 0.1);
  Hold(*world, 5, 0, 0, true);
  EXPECT_GT(BodyOf(*world, "hero", "position.y"), 1.05);
  const std::vector<Event> events = world->DrainEvents();
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].type, IdOf("jumped"));
  EXPECT_EQ(events[1].type, IdOf("left_ground"));
  // Held, the button doesn't jump again.
  Hold(*world, 120, 0, 0, true);
  EXPECT_EQ(EventsOf(*world, "jumped").size(), 0u);
}

TEST(CharactersTest, BehavioursWalkAndJump) {
  const auto world = WorldOf(Manifest(
      {kSteeredGround, kWalkers,
       "objects { name: \"robot\" type: \"robot\" position { y: 0.92 } }"}));
  StepTimes(*world, 120);
  EXPECT_NEAR(BodyOf(*world, "robot", "position.x"), 4.0, 0.3);
  EXPECT_GE(EventsOf(*world, "jumped").size(), 2u);
}

TEST(CharactersTest, RowsComeAndGoWithTheirObjects) {
  constexpr std::string_view kComings = R"(
types { name: "nest" components { component: "spawner" set { property: "archetype" value { text: "walker" } } set { property: "every_ticks" value { integer: 10 } } set { property: "count_max" value { integer: 3 } } } behaviours { behaviour: "spawn" } }
objects { name: "nest" type: "nest" position { y: 2 } }
types { name: "guest" extends: "walker" timers { name: "nap" event: "sleep" delay_s: 0.5 } timers { name: "end" event: "destroy" delay_s: 2 } }
objects { name: "guest" type: "guest" position { x: 5 y: 1 } }
)";
  const auto world = WorldOf(Manifest({kSteeredGround, kWalkers, kComings}));
  EXPECT_EQ(RowCount(*world, "characters", "characters"), 1u);
  StepTimes(*world, 29);
  EXPECT_EQ(RowCount(*world, "characters", "characters"), 4u);
  StepTimes(*world, 5);
  EXPECT_EQ(RowCount(*world, "characters", "characters"), 3u);  // one naps
  const State snapshot = world->state();
  EXPECT_TRUE(world->Restore(snapshot).ok());
}

TEST(CharactersTest, WorldsWithoutAnyHaveNoRoomForThem) {
  const auto world = WorldOf(Manifest({kSteeredGround}));
  EXPECT_EQ(world->state().Find("characters", "characters"), std::nullopt);
}

TEST(CharactersTest, RowsThatContradictTheObjectsAreRefused) {
  const auto world = WorldOf(Manifest(
      {kSteeredGround, kWalkers,
       "objects { name: \"hero\" type: \"hero\" position { y: 1 } }"}));
  StepTimes(*world, 5);
  const TableIndex characters =
      *world->state().Find("characters", "characters");
  State without = world->state();
  without.mutable_table(characters).Resize(0);
  EXPECT_EQ(world->Restore(without).code(), absl::StatusCode::kDataLoss);
  State infinite = world->state();
  infinite.mutable_table(characters).Mutable<CharacterRow>(0).velocity.x =
      std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(world->Restore(infinite).code(), absl::StatusCode::kDataLoss);
}

TEST(CharactersTest, ThoseThatPlayersSteerReachGoals) {
  const auto world = WorldOf(Manifest({kSteeredGround, kWalkers, R"(
types { name: "door" body { motion: MOTION_TRIGGER shapes { box { half_extents { x: 0.5 y: 2 z: 2 } } } } goal { reason: "home" } }
objects { name: "door" type: "door" position { x: 3 } }
objects { name: "hero" type: "hero" position { y: 0.92 } }
)"}));
  Hold(*world, 90, kAxisMax, 0, false);
  EXPECT_EQ(world->outcome().status, Outcome::Status::kWon);
  EXPECT_EQ(world->outcome().reason, "home");
}

}  // namespace
}  // namespace reprise::sim
