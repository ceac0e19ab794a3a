// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Who sleeps: what rests on something, together with all that it touches, and
// never what coasts.

#include "gtest/gtest.h"
#include "sim/physics/testing/testing_world.h"
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

REPRISE_AT_ALL_RATES(SleepTest);

}  // namespace
}  // namespace reprise::sim
