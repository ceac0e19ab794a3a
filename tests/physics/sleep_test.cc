// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Who sleeps: what rests on something, together with all that it touches, and
// never what coasts; when, by rules of its own: against closed forms of how
// bodies slow down, in one substep a tick and in several.

#include <cstdint>
#include <utility>

#include "gtest/gtest.h"
#include "sim/base/math.h"
#include "sim/physics/bodies/kinematic_motion.h"
#include "sim/physics/physics_world.h"
#include "sim/physics/testing/testing_world.h"
#include "sim/state/state.h"
#include "tests/physics/testing_rates.h"

namespace reprise::sim {
namespace {

using SleepTest = RateTest;

TEST_P(SleepTest, WhatCoastsDoesNotFreeze) {
  for (const double speed : {0.02, 0.5}) {
    PhysicsDefinition definition;
    definition.tick_s = tick_s();
    definition.gravity_m_s2 = {};
    const AddedBody box =
        AddBody(definition, ShapeOf(BoxPrimitive{}), Motion::kDynamic, {});
    box.placement.linear_velocity_m_s = {speed, 0.0, 0.0};
    box.placement.angular_velocity_rad_s = {0.0, 0.02, 0.0};
    TestingWorld world(definition);
    world.Step(Ticks(20.0));
    EXPECT_NEAR(world.body(0).position.x, 20.0 * speed, 1e-9) << speed;
    EXPECT_NEAR(world.body(0).angular_velocity.y, 0.02, 1e-12) << speed;
  }
}

TEST_P(SleepTest, ATowerSleepsAndWakesAsOne) {
  PhysicsDefinition definition = MakeLevel();
  for (int i = 0; i < 3; ++i) {
    AddBody(definition, ShapeOf(BoxPrimitive{}), Motion::kDynamic,
            {0.0, 0.5 + i, 0.0});
  }
  // Comes down on the tower after four seconds.
  AddBody(definition, ShapeOf(SpherePrimitive{0.3}), Motion::kDynamic,
          {0.0, 3.3 + 0.5 * kGravity * 16.0, 0.0});
  TestingWorld world(definition);
  world.Step(Ticks(3.8));
  for (uint32_t i = 1; i <= 3; ++i) {
    EXPECT_EQ(world.body(i).activation, Activation::kAsleep) << i;
    EXPECT_EQ(Length(world.body(i).linear_velocity), 0.0) << i;
  }
  world.Step(Ticks(0.4));
  for (uint32_t i = 1; i <= 3; ++i) {
    EXPECT_NE(world.body(i).activation, Activation::kAsleep) << i;
  }
}

// A box on a floor without friction, which lets it slide and spin.
AddedBody AddSlider(PhysicsDefinition& definition) {
  definition.kinds[0].friction = 0.0;
  return AddBody(definition, ShapeOf(BoxPrimitive{}), Motion::kDynamic,
                 {0.0, 0.5, 0.0});
}

// The first tick after which the body sleeps, or `ticks_max`.
uint32_t TicksUntilAsleep(TestingWorld& world, uint32_t body,
                          uint32_t ticks_max) {
  for (uint32_t tick = 1; tick < ticks_max; ++tick) {
    world.Step();
    if (world.body(body).activation == Activation::kAsleep) return tick;
  }
  return ticks_max;
}

// A body that loses half of its speed a second is at an eighth of it after
// three, has been slower than that for 0.75 s after that, and is asleep in the
// substep behind the one that found so: two ticks for rounding and for that.
TEST_P(SleepTest, SlidersSleepWhenTheirRuleSays) {
  for (const uint32_t substeps : {1u, 4u}) {
    PhysicsDefinition definition = MakeLevel();
    definition.substeps = substeps;
    const AddedBody box = AddSlider(definition);
    box.kind.linear_damping = 0.5;
    box.kind.sleep.linear_speed_m_s = 0.25;
    box.kind.sleep.seconds = 0.75;
    box.placement.linear_velocity_m_s = {2.0, 0.0, 0.0};
    TestingWorld world(definition);
    const uint32_t ticks = TicksUntilAsleep(world, 1, Ticks(10.0));
    EXPECT_GE(ticks, Ticks(3.75)) << substeps;
    EXPECT_LE(ticks, Ticks(3.75) + 2) << substeps;
    // How far it has come by then, give or take a tick at the end's speed.
    const double asleep_s = ticks * tick_s();
    EXPECT_NEAR(world.body(1).position.x,
                2.0 / Log(2.0) * (1.0 - Pow(0.5, asleep_s)), 2.0 * tick_s())
        << substeps;
  }
}

TEST_P(SleepTest, SpinnersSleepWhenTheirRuleSays) {
  PhysicsDefinition definition = MakeLevel();
  const AddedBody box = AddSlider(definition);
  box.kind.angular_damping = 0.5;
  box.kind.sleep.angular_speed_rad_s = 0.5;
  box.kind.sleep.seconds = 0.75;
  box.placement.angular_velocity_rad_s = {0.0, 4.0, 0.0};
  TestingWorld world(definition);
  const uint32_t ticks = TicksUntilAsleep(world, 1, Ticks(10.0));
  EXPECT_GE(ticks, Ticks(3.75));
  EXPECT_LE(ticks, Ticks(3.75) + 2);
}

// Two boxes, the upper one's rule being slower: alone the lower one sleeps
// after half a second, below the other one with it after three.
TEST_P(SleepTest, AnIslandWaitsForTheSlowestRule) {
  for (const bool is_alone : {true, false}) {
    PhysicsDefinition definition = MakeLevel();
    AddBody(definition, ShapeOf(BoxPrimitive{}), Motion::kDynamic,
            {0.0, 0.5, 0.0})
        .kind.sleep.seconds = 0.5;
    AddBody(definition, ShapeOf(BoxPrimitive{}), Motion::kDynamic,
            {is_alone ? 3.0 : 0.0, is_alone ? 0.5 : 1.5, 0.0})
        .kind.sleep.seconds = 3.0;
    TestingWorld world(definition);
    const uint32_t ticks = TicksUntilAsleep(world, 1, Ticks(10.0));
    const double expected_s = is_alone ? 0.5 : 3.0;
    EXPECT_GE(ticks, Ticks(expected_s));
    // It takes a moment until the boxes have settled on each other.
    EXPECT_LE(ticks, Ticks(expected_s + 0.1) + 2);
    EXPECT_EQ(world.body(2).activation == Activation::kAsleep, !is_alone);
  }
}

TEST_P(SleepTest, WhoNeverSleepsKeepsAwakeWhatItTouches) {
  PhysicsDefinition definition = MakeLevel();
  for (const double x : {0.0, 0.0, 3.0}) {
    AddBody(definition, ShapeOf(BoxPrimitive{}), Motion::kDynamic,
            {x, definition.bodies.size() == 2 ? 1.5 : 0.5, 0.0});
  }
  definition.kinds[2].sleep.never = true;  // the upper one of two
  TestingWorld world(definition);
  world.Step(Ticks(10.0));
  EXPECT_NE(world.body(1).activation, Activation::kAsleep);
  EXPECT_EQ(world.body(2).activation, Activation::kAwake);
  EXPECT_EQ(world.body(2).slow_time, 0.0);
  EXPECT_EQ(world.body(3).activation, Activation::kAsleep);
}

// Nor where the rule leaves no time: it falls as far as one that never sleeps.
TEST_P(SleepTest, NobodySleepsInTheAir) {
  for (const uint32_t substeps : {1u, 16u}) {
    PhysicsDefinition definition = MakeLevel();
    definition.substeps = substeps;
    const AddedBody box = AddBody(definition, ShapeOf(BoxPrimitive{}),
                                  Motion::kDynamic, {0.0, 3.5, 0.0});
    box.kind.sleep = {
        .linear_speed_m_s = 10.0, .angular_speed_rad_s = 10.0, .seconds = 0.0};
    TestingWorld world(definition);
    // 3 m take 0.782 s.
    world.Step(Ticks(0.7));
    EXPECT_NEAR(world.body(1).position.y, 3.5 - 0.5 * kGravity * 0.49, 0.3);
    world.Step(Ticks(0.3));
    EXPECT_EQ(world.body(1).activation, Activation::kAsleep);
    EXPECT_NEAR(world.body(1).position.y, 0.5, 0.05);
  }
}

// Nor at the top of a flight where next to nothing pulls it down: it is slow
// there for longer than a tick. It comes back as it went.
TEST_P(SleepTest, NobodySleepsAtTheTopOfAFlight) {
  for (const double gravity : {0.01, 0.1, 1.6}) {
    PhysicsDefinition definition;
    definition.tick_s = tick_s();
    definition.gravity_m_s2 = {0.0, -gravity, 0.0};
    const AddedBody box =
        AddBody(definition, ShapeOf(BoxPrimitive{}), Motion::kDynamic, {});
    box.kind.sleep.seconds = 0.0;
    box.placement.linear_velocity_m_s = {0.0, gravity, 0.0};
    TestingWorld world(definition);
    world.Step(Ticks(2.0));
    // Up for a second and down for another.
    EXPECT_NEAR(world.body(0).position.y, 0.0, 1e-9) << gravity;
    EXPECT_NEAR(world.body(0).linear_velocity.y, -gravity, 1e-9) << gravity;
  }
}

// A lift of 1 m at 4.5 m, and a box that has come to rest on it and sleeps.
TestingWorld MakeLift(PhysicsDefinition definition) {
  AddBody(definition, ShapeOf(BoxPrimitive{}), Motion::kKinematic,
          {0.0, 4.5, 0.0});
  AddBody(definition, ShapeOf(BoxPrimitive{{0.3, 0.3, 0.3}}), Motion::kDynamic,
          {0.0, 5.3, 0.0});
  return TestingWorld(std::move(definition));
}

// Moves the lift by `velocity_m_s` for so many ticks, each of which goes on
// equally from the state that it begins with.
void MoveLift(Vector3 velocity_m_s, double tick_s, uint32_t ticks,
              TestingWorld& world) {
  for (uint32_t i = 0; i < ticks; ++i) {
    MoveKinematic(world.state(), world.tables(), 1,
                  world.body(1).position + tick_s * velocity_m_s, {}, tick_s);
    State state = world.state();
    PhysicsWorld restored(world.definition(), world.tables());
    ASSERT_TRUE(restored.Load(state).ok());
    world.Step();
    restored.Step(state);
    ASSERT_EQ(state.ComputeRootDigest(), world.digest()) << i;
  }
}

// Contacts are looked for 2 cm away, and a lift may go further in a tick. The
// box falls where the lift is faster than it, and is on top of it in the end.
TEST_P(SleepTest, WhoSleepsOnALiftGoesDownWithIt) {
  for (const double speed : {0.25, 0.5, 1.0, 3.0, 30.0, 4.0 * GetParam()}) {
    TestingWorld world = MakeLift(MakeLevel());
    world.Step(Ticks(4.0));
    ASSERT_EQ(world.body(2).activation, Activation::kAsleep);
    const auto ticks = static_cast<uint32_t>(4.0 / speed / tick_s() + 0.5);
    MoveLift({0.0, -speed, 0.0}, tick_s(), ticks, world);
    EXPECT_NEAR(world.body(1).position.y, 0.5, 1e-6) << speed;
    world.Step(Ticks(2.0));
    // As deep as contacts rest.
    EXPECT_NEAR(world.body(2).position.y, 1.3, 0.01) << speed;
  }
}

// What is drawn away from under it, too: it falls on the floor.
TEST_P(SleepTest, WhoSleepsOnWhatIsDrawnAwayFalls) {
  for (const double speed : {60.0, 120.0, 600.0}) {
    TestingWorld world = MakeLift(MakeLevel());
    world.Step(Ticks(4.0));
    ASSERT_EQ(world.body(2).activation, Activation::kAsleep);
    const auto ticks = static_cast<uint32_t>(2.0 / speed / tick_s()) + 1;
    MoveLift({speed, 0.0, 0.0}, tick_s(), ticks, world);
    world.Step(Ticks(3.0));
    EXPECT_LT(world.body(2).position.y, 0.6) << speed;
  }
}

// How long bodies have been slow, and who waits for whom, is in the rows.
TEST_P(SleepTest, RestoredSleepersGoOnAsTheyWere) {
  PhysicsDefinition definition = MakeLevel();
  for (int i = 0; i < 3; ++i) {
    AddBody(definition, ShapeOf(BoxPrimitive{}), Motion::kDynamic,
            {0.1 * i, 0.5 + i, 0.0})
        .kind.sleep.seconds = 0.4 + 0.5 * i;
  }
  AddBody(definition, ShapeOf(SpherePrimitive{0.3}), Motion::kDynamic,
          {-0.2, 3.3 + 0.5 * kGravity * 4.0, 0.0})
      .kind.sleep.never = true;
  for (const double save_s : {0.3, 0.6, 1.6, 2.1}) {
    TestingWorld run(definition);
    run.Step(Ticks(save_s));
    State state = run.state();
    PhysicsWorld restored(run.definition(), run.tables());
    ASSERT_TRUE(restored.Load(state).ok());
    for (uint32_t tick = 0; tick < Ticks(2.0); ++tick) {
      run.Step();
      restored.Step(state);
      ASSERT_EQ(state.ComputeRootDigest(), run.digest()) << save_s << tick;
    }
  }
}

REPRISE_AT_ALL_RATES(SleepTest);

}  // namespace
}  // namespace reprise::sim
