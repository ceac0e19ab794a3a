// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves what two materials make of a contact, by the rule and by what bodies
// do, and that primitives of several levels touch by level.

#include "sim/physics/collision/contact_material.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "gtest/gtest.h"
#include "sim/physics/testing/testing_world.h"

namespace reprise::sim {
namespace {

using enum CombinationRule;

TEST(ContactMaterialTest, RulesCombineTwoValues) {
  EXPECT_EQ(Combine(0.5, kMultiply, 0.25, kMultiply), 0.125);
  EXPECT_EQ(Combine(0.5, kAverage, 0.25, kAverage), 0.375);
  EXPECT_EQ(Combine(0.5, kMinimum, 0.25, kMinimum), 0.25);
  EXPECT_EQ(Combine(0.5, kMaximum, 0.25, kMaximum), 0.5);
}

TEST(ContactMaterialTest, LaterRuleCountsOnWhicheverSide) {
  EXPECT_EQ(Combine(0.5, kMultiply, 0.25, kAverage), 0.375);
  EXPECT_EQ(Combine(0.5, kAverage, 0.25, kMinimum), 0.25);
  EXPECT_EQ(Combine(0.5, kMaximum, 0.25, kMinimum), 0.5);
}

// How far a box slides in a second that starts at 3 m/s on a floor.
double SlideOn(CombinationRule rule, double friction, double floor_friction) {
  PhysicsDefinition definition = MakeFloor();
  definition.kinds[0].friction = floor_friction;
  AddedBody box = AddBody(definition, ShapeOf(BoxPrimitive{{0.5, 0.2, 0.5}}),
                          Motion::kDynamic, {0.0, 0.2, 0.0});
  box.kind.friction = friction;
  box.kind.friction_rule = rule;
  box.placement.linear_velocity_m_s = {3.0, 0.0, 0.0};
  TestingWorld world(std::move(definition));
  world.Step(60);
  return world.body(1).position.x;
}

TEST(ContactMaterialTest, FrictionFollowsTheRule) {
  // Without friction it would be 3 m; with a coefficient of 0.9, v^2 / 2 a.
  EXPECT_GT(SlideOn(kMinimum, 0.0, 0.9), 2.9);
  EXPECT_GT(SlideOn(kMultiply, 0.0, 0.9), 2.9);
  EXPECT_NEAR(SlideOn(kMaximum, 0.0, 0.9), 9.0 / (2.0 * 0.9 * 9.81), 0.1);
  EXPECT_NEAR(SlideOn(kAverage, 0.0, 1.8), 9.0 / (2.0 * 0.9 * 9.81), 0.1);
}

// How far a ball rolls in five seconds that begins at 1 m/s, without slipping,
// on a floor.
double RollOn(CombinationRule rule, double friction, double floor_friction) {
  constexpr double kRadius = 0.5;
  PhysicsDefinition definition = MakeFloor();
  definition.kinds[0].friction = 0.25;
  definition.kinds[0].rolling_friction = floor_friction;
  AddedBody ball = AddBody(definition, ShapeOf(SpherePrimitive{kRadius}),
                           Motion::kDynamic, {0.0, kRadius, 0.0});
  ball.kind.friction = 0.5;
  ball.kind.rolling_friction = friction;
  ball.kind.rolling_friction_rule = rule;
  ball.placement.linear_velocity_m_s = {1.0, 0.0, 0.0};
  ball.placement.angular_velocity_rad_s = {0.0, 0.0, -1.0 / kRadius};
  TestingWorld world(std::move(definition));
  world.Step(300);
  return world.body(1).position.x;
}

TEST(ContactMaterialTest, RollingFrictionStopsABallByTheRule) {
  // The torque c m g slows a ball that rolls by c g / (r + 2/5 r).
  constexpr double kCoefficient = 0.05;
  constexpr double kStop = 0.5 * (1.4 * 0.5) / (kCoefficient * 9.81);
  EXPECT_NEAR(RollOn(kMultiply, 0.0, 0.0), 5.0, 0.01);
  EXPECT_NEAR(RollOn(kMinimum, kCoefficient, 0.0), 5.0, 0.01);
  EXPECT_NEAR(RollOn(kMaximum, kCoefficient, 0.0), kStop, 0.02);
  EXPECT_NEAR(RollOn(kAverage, kCoefficient, kCoefficient), kStop, 0.02);
  EXPECT_NEAR(RollOn(kAverage, 0.0, 2.0 * kCoefficient), kStop, 0.02);
  // Each one's counts times the other's friction.
  EXPECT_NEAR(RollOn(kMultiply, 4.0 * kCoefficient, 0.0), kStop, 0.02);
  EXPECT_NEAR(RollOn(kMultiply, 0.0, 2.0 * kCoefficient), kStop, 0.02);
}

// How high a ball jumps that falls from 1 m on a floor of restitution 0.
double BounceBy(CombinationRule rule) {
  PhysicsDefinition definition = MakeFloor();
  definition.kinds[0].restitution = 0.0;
  AddedBody ball = AddBody(definition, ShapeOf(SpherePrimitive{0.2}),
                           Motion::kDynamic, {0.0, 1.2, 0.0});
  ball.kind.restitution = 0.8;
  ball.kind.restitution_rule = rule;
  TestingWorld world(std::move(definition));
  world.Step(30);
  double highest = 0.0;
  for (int tick = 0; tick < 60; ++tick) {
    world.Step();
    highest = std::max(highest, world.body(1).position.y);
  }
  return highest;
}

TEST(ContactMaterialTest, RestitutionFollowsTheRule) {
  EXPECT_LT(BounceBy(kMultiply), 0.3);
  EXPECT_LT(BounceBy(kMinimum), 0.3);
  EXPECT_GT(BounceBy(kMaximum), 0.6);
  EXPECT_GT(BounceBy(kAverage), BounceBy(kMultiply));
}

// A body of two levels: a small box that moves on layer 1, and around it a
// large one that is hit on layer 2.
PhysicsDefinition MakeLevels(uint32_t floor_layer) {
  PhysicsDefinition definition = MakeFloor();
  definition.kinds[0].layers = floor_layer;
  SolidShape levels;
  levels.primitives.push_back({.solid = BoxPrimitive{{0.2, 0.2, 0.2}},
                               .position = {},
                               .rotation = {},
                               .filter = CollisionFilter{1, 1}});
  levels.primitives.push_back({.solid = BoxPrimitive{{0.5, 0.5, 0.5}},
                               .position = {},
                               .rotation = {},
                               .filter = CollisionFilter{2, 2}});
  AddBody(definition, levels, Motion::kDynamic, {0.0, 1.0, 0.0});
  return definition;
}

TEST(CollisionLevelTest, FloorHoldsThePrimitiveOfItsLevel) {
  for (const auto& [layer, height] :
       {std::pair{1u, 0.2}, std::pair{2u, 0.5}, std::pair{3u, 0.5}}) {
    TestingWorld world(MakeLevels(layer));
    world.Step(120);
    EXPECT_NEAR(world.body(1).position.y, height, 0.01) << layer;
  }
  TestingWorld world(MakeLevels(4));
  world.Step(120);
  EXPECT_LT(world.body(1).position.y, -5.0);
}

}  // namespace
}  // namespace reprise::sim
