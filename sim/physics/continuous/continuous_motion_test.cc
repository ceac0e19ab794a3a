// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that a bullet of 500 m/s passes through nothing solid, however thin,
// and through all that it should; that the same bullet without continuous
// motion does pass; and that a run restored at every tick of it is the same.

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "sim/base/math.h"
#include "sim/physics/testing/shape_scene.h"
#include "sim/physics/testing/testing_world.h"

namespace reprise::sim {
namespace {

struct NamedWall {
  std::string name;
  ShapeDefinition shape;
  Vector3 position = {};
  Motion motion = Motion::kFixed;
};

// What stops a bullet that comes from y = 10.3 straight down to y = 0.
const NamedWall kWalls[] = {
    {"Box", ShapeOf(BoxPrimitive{{2.0, 0.005, 2.0}})},
    {"KinematicBox",
     ShapeOf(BoxPrimitive{{2.0, 0.005, 2.0}}),
     {},
     Motion::kKinematic},
    {"HeavyBox",
     ShapeOf(BoxPrimitive{{2.0, 0.005, 2.0}}),
     {},
     Motion::kDynamic},
    {"Plane", PlaneShape{}},
    {"Sphere", ShapeOf(SpherePrimitive{0.1})},
    {"Cylinder", ShapeOf(CylinderPrimitive{1.0, 0.01})},
    {"Capsule", ShapeOf(CapsulePrimitive{0.02, 1.0})},
    {"Cone", ShapeOf(ConePrimitive{1.0, 0.05})},
    {"Hull", ShapeOf(MakeRock())},
    {"Compound",
     SolidShape{{{.solid = SpherePrimitive{0.1},
                  .position = {3.0, 0.0, 0.0},
                  .rotation = {}},
                 {.solid = BoxPrimitive{{1.0, 0.005, 1.0}},
                  .position = {},
                  .rotation = FromAxisAngle({0.0, 0.0, 1.0}, 0.3)}}}},
    {"Mesh", MakeBowlMesh(), {0.1, 0.0, 0.2}},
    {"HeightField", MakeBowlField(), {0.1, 0.0, 0.2}},
};

class ContinuousMotionTest : public testing::TestWithParam<NamedWall> {
 protected:
  // A wall (body 0) and a bullet (body 1) on its way.
  static PhysicsDefinition MakeShot(bool is_continuous) {
    PhysicsDefinition definition;
    definition.gravity_m_s2 = {};
    const AddedBody wall = AddBody(definition, GetParam().shape,
                                   GetParam().motion, GetParam().position);
    wall.kind.mass_kg = 1e5;
    const AddedBody bullet =
        AddBody(definition, sim::ShapeOf(SpherePrimitive{0.03}),
                Motion::kDynamic, {0.011, 10.3, 0.007});
    bullet.kind.mass_kg = 0.01;
    bullet.kind.is_continuous = is_continuous;
    bullet.placement.linear_velocity_m_s = {0.0, -500.0, 0.0};
    return definition;
  }

  // Whether the bullet is at the wall after the second tick, in which it gets
  // there; without it, it would be 6 m farther.
  static bool IsAtWall(const TestingWorld& world) {
    return world.body(1).position.y > -0.02;
  }

  // Whether it has been stopped, or turned to where it glances off.
  static bool IsStopped(PhysicsDefinition definition) {
    TestingWorld world(std::move(definition));
    world.Step(2);
    const bool is_near = world.body(1).position.y > -3.0;
    world.Step(2);
    const Vector3 velocity = world.body(1).linear_velocity;
    return is_near && Length(velocity - Vector3{0.0, -500.0, 0.0}) > 100.0;
  }
};

INSTANTIATE_TEST_SUITE_P(Walls, ContinuousMotionTest, testing::ValuesIn(kWalls),
                         [](const auto& info) { return info.param.name; });

TEST_P(ContinuousMotionTest, BulletStopsAtTheWall) {
  EXPECT_TRUE(IsStopped(MakeShot(/*is_continuous=*/true)));
}

TEST_P(ContinuousMotionTest, OtherwiseItPasses) {
  EXPECT_FALSE(IsStopped(MakeShot(/*is_continuous=*/false)));
}

TEST_P(ContinuousMotionTest, TurnedBulletStopsToo) {
  PhysicsDefinition definition = MakeShot(/*is_continuous=*/true);
  definition.shapes[1] = sim::ShapeOf(BoxPrimitive{{0.03, 0.1, 0.03}});
  definition.bodies[1].rotation = FromAxisAngle({0.6, 0.0, 0.8}, 0.4);
  TestingWorld world(std::move(definition));
  world.Step(2);
  EXPECT_TRUE(IsAtWall(world));
}

TEST_P(ContinuousMotionTest, OtherLayersAreNoObstacle) {
  PhysicsDefinition definition = MakeShot(/*is_continuous=*/true);
  definition.kinds[0].layers = 2;
  definition.kinds[1].collides_with = 1;
  EXPECT_FALSE(IsStopped(definition));
}

TEST_P(ContinuousMotionTest, RestoringEveryTickChangesNothing) {
  const PhysicsDefinition definition = MakeShot(/*is_continuous=*/true);
  TestingWorld plain(definition);
  TestingWorld restored(definition);
  for (int tick = 0; tick < 60; ++tick) {
    PhysicsWorld fresh(restored.definition(), restored.tables());
    ASSERT_EQ(fresh.Load(restored.state()), absl::OkStatus());
    fresh.Step(restored.state());
    plain.Step();
    ASSERT_EQ(plain.digest(), restored.digest()) << "tick " << tick;
  }
}

TEST(ContinuousMotionRuleTest, TriggersAreNoObstacle) {
  PhysicsDefinition definition;
  AddBody(definition, ShapeOf(BoxPrimitive{{1.0, 0.1, 1.0}}), Motion::kFixed,
          {})
      .kind.is_trigger = true;
  AddedBody bullet = AddBody(definition, ShapeOf(SpherePrimitive{0.05}),
                             Motion::kDynamic, {0.0, 10.0, 0.0});
  bullet.kind.is_continuous = true;
  bullet.placement.linear_velocity_m_s = {0.0, -500.0, 0.0};
  TestingWorld world(definition);
  world.Step(10);
  EXPECT_LT(world.body(1).position.y, -10.0);
}

// A ball that makes 10 m in a tick, and the end of a rod that turns by half a
// radian; seen in the tick of it alone.
TEST(ContinuousMotionRuleTest, TriggersSeeWhatPassesThem) {
  PhysicsDefinition definition;
  definition.gravity_m_s2 = {};
  AddBody(definition, ShapeOf(BoxPrimitive{{0.3, 0.3, 0.01}}), Motion::kFixed,
          {})
      .kind.is_trigger = true;
  AddBody(definition, ShapeOf(SpherePrimitive{0.02}), Motion::kFixed,
          {0.86, 5.0, -0.266})
      .kind.is_trigger = true;
  AddedBody ball = AddBody(definition, ShapeOf(SpherePrimitive{0.05}),
                           Motion::kDynamic, {0.0, 0.0, -3.0});
  ball.kind.is_continuous = true;
  ball.placement.linear_velocity_m_s = {0.0, 0.0, 600.0};
  AddedBody rod = AddBody(definition, ShapeOf(CapsulePrimitive{0.02, 2.0}),
                          Motion::kDynamic, {0.0, 5.0, 0.0});
  rod.kind.is_continuous = true;
  rod.placement.rotation = FromAxisAngle({0.0, 0.0, 1.0}, 0.5 * kPi);
  rod.placement.angular_velocity_rad_s = {0.0, 35.0, 0.0};
  TestingWorld world(definition);
  world.Step();
  using Passage = PhysicsWorld::TriggerPassage;
  EXPECT_THAT(world.world().trigger_passages(),
              testing::ElementsAre(Passage{.trigger = {1}, .object = {3}},
                                   Passage{.trigger = {2}, .object = {4}}));
  EXPECT_EQ(world.body(2).linear_velocity.z, 600.0);
  world.Step();
  EXPECT_TRUE(world.world().trigger_passages().empty());
}

TEST(ContinuousMotionRuleTest, FastBodySlidesAlongAFloor) {
  for (const bool is_continuous : {false, true}) {
    PhysicsDefinition definition = MakeFloor();
    definition.kinds[0].friction = 0.0;
    AddedBody ball = AddBody(definition, ShapeOf(SpherePrimitive{0.1}),
                             Motion::kDynamic, {-15.0, 0.1, 0.0});
    ball.kind.is_continuous = is_continuous;
    ball.placement.linear_velocity_m_s = {30.0, 0.0, 0.0};
    TestingWorld world(definition);
    world.Step(60);
    EXPECT_NEAR(world.body(1).position.x, 15.0, 0.1);
  }
}

}  // namespace
}  // namespace reprise::sim
