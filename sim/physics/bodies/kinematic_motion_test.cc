// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves what kinematic bodies do: they are where the game puts them, push what
// is in their way, carry what stands on them, wake what they touch or hold, and
// stand still when they are not moved.

#include "sim/physics/bodies/kinematic_motion.h"

#include <cmath>
#include <cstdint>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "sim/base/math.h"
#include "sim/physics/bodies/touching_pairs.h"
#include "sim/physics/testing/testing_world.h"

namespace reprise::sim {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr double kTickS = 1.0 / 60.0;
// Row 0 is the floor, row 1 the kinematic body.
constexpr uint32_t kMover = 1;
constexpr uint32_t kRider = 2;

// A kinematic platform whose top is at a height of 1, and a box on it.
PhysicsDefinition MakePlatform() {
  PhysicsDefinition definition = MakeFloor();
  AddBody(definition, ShapeOf(BoxPrimitive{{3.0, 0.5, 3.0}}),
          Motion::kKinematic, {0.0, 0.5, 0.0})
      .kind.friction = 0.9;
  AddBody(definition, ShapeOf(BoxPrimitive{{0.25, 0.25, 0.25}}),
          Motion::kDynamic, {1.0, 1.25, 0.0})
      .kind.friction = 0.9;
  return definition;
}

class KinematicMotionTest : public testing::Test {
 protected:
  void MoveTo(TestingWorld& world, Vector3 position,
              Quaternion rotation = {}) const {
    MoveKinematic(world.state(), world.tables(), kMover, position, rotation,
                  kTickS);
  }
};

TEST_F(KinematicMotionTest, IsExactlyWhereItWasPut) {
  TestingWorld world(MakePlatform());
  const Quaternion rotation = FromAxisAngle({0.3, 1.0, 0.2}, 0.1);

  MoveTo(world, {0.1, 0.7, -0.3}, rotation);
  world.Step();

  EXPECT_EQ(world.body(kMover).position, (Vector3{0.1, 0.7, -0.3}));
  EXPECT_EQ(world.body(kMover).basis, ToMatrix3(rotation));
  EXPECT_EQ(world.body(kMover).linear_velocity, Vector3{});
  EXPECT_EQ(world.body(kMover).activation, Activation::kAsleep);
}

TEST_F(KinematicMotionTest, VelocitiesAreThoseOfTheMove) {
  TestingWorld world(MakePlatform());

  MoveTo(world, {0.1, 0.5, 0.0}, FromAxisAngle({0.0, 1.0, 0.0}, 0.05));

  EXPECT_NEAR(world.body(kMover).linear_velocity.x, 6.0, 1e-12);
  EXPECT_NEAR(world.body(kMover).angular_velocity.y, 3.0, 1e-12);
  EXPECT_NEAR(world.body(kMover).angular_velocity.x, 0.0, 1e-12);
}

TEST_F(KinematicMotionTest, MoveToWhereItIsWritesNothing) {
  TestingWorld world(MakePlatform());
  const Quaternion rotation = FromAxisAngle({0.3, 1.0, 0.2}, 0.7);
  MoveTo(world, {0.0, 0.5, 0.0}, rotation);
  world.Step();
  const Digest before = world.digest();

  MoveTo(world, {0.0, 0.5, 0.0}, rotation);

  EXPECT_EQ(world.digest(), before);
}

TEST_F(KinematicMotionTest, CarriesARiderSideways) {
  TestingWorld world(MakePlatform());
  world.Step(30);
  for (int tick = 1; tick <= 120; ++tick) {
    MoveTo(world, {0.01 * tick, 0.5, 0.0});
    world.Step();
  }
  // The rider slips while it gains speed: (0.6 m/s)^2 / (2 * 0.81 g) = 0.02 m.
  EXPECT_NEAR(world.body(kRider).position.x, 1.0 + 1.2, 0.05);
  EXPECT_NEAR(world.body(kRider).position.y, 1.25, 0.03);
}

TEST_F(KinematicMotionTest, LiftsARider) {
  TestingWorld world(MakePlatform());
  world.Step(30);
  for (int tick = 1; tick <= 120; ++tick) {
    MoveTo(world, {0.0, 0.5 + 0.01 * tick, 0.0});
    world.Step();
  }
  EXPECT_NEAR(world.body(kRider).position.y, 1.25 + 1.2, 0.03);
}

TEST_F(KinematicMotionTest, TurnsARiderAround) {
  TestingWorld world(MakePlatform());
  world.Step(30);
  for (int tick = 1; tick <= 180; ++tick) {
    MoveTo(world, {0.0, 0.5, 0.0},
           FromAxisAngle({0.0, 1.0, 0.0}, 0.5 * kPi * tick / 180.0));
    world.Step();
  }
  // A quarter around y takes x to -z; a little is lost in getting going.
  EXPECT_NEAR(world.body(kRider).position.x, 0.0, 0.1);
  EXPECT_NEAR(world.body(kRider).position.z, -1.0, 0.1);
}

TEST_F(KinematicMotionTest, PushesAndIsNotPushedBack) {
  PhysicsDefinition definition = MakeFloor();
  AddBody(definition, ShapeOf(BoxPrimitive{{0.5, 0.5, 0.5}}),
          Motion::kKinematic, {0.0, 0.5, 0.0});
  AddBody(definition, ShapeOf(BoxPrimitive{{0.5, 0.5, 0.5}}), Motion::kDynamic,
          {1.5, 0.5, 0.0})
      .kind.mass_kg = 1e5;
  TestingWorld world(definition);
  for (int tick = 1; tick <= 120; ++tick) {
    MoveTo(world, {0.02 * tick, 0.5, 0.0});
    world.Step();
    ASSERT_EQ(world.body(kMover).position.x, 0.02 * tick);
  }
  EXPECT_GE(world.body(kRider).position.x, 2.4 + 1.0 - 0.05);
}

TEST_F(KinematicMotionTest, WakesARiderThatSleeps) {
  TestingWorld world(MakePlatform());
  world.Step(300);
  ASSERT_EQ(world.body(kRider).activation, Activation::kAsleep);

  MoveTo(world, {0.01, 0.5, 0.0});
  world.Step();

  EXPECT_EQ(world.body(kRider).activation, Activation::kAwake);
}

TEST_F(KinematicMotionTest, LetsRidersSleepWhileItStands) {
  TestingWorld world(MakePlatform());
  MoveTo(world, {0.01, 0.5, 0.0});
  world.Step(300);
  EXPECT_EQ(world.body(kRider).activation, Activation::kAsleep);
}

TEST_F(KinematicMotionTest, WakesWhatItHoldsByAJoint) {
  PhysicsDefinition definition = MakeFloor();
  AddBody(definition, ShapeOf(SpherePrimitive{0.1}), Motion::kKinematic,
          {0.0, 5.0, 0.0});
  AddBody(definition, ShapeOf(SpherePrimitive{0.25}), Motion::kDynamic,
          {0.0, 4.0, 0.0})
      .kind.angular_damping = 0.9;
  JointDefinition joint;
  joint.name = IdOf("rope");
  joint.kind = BallJoint{};
  joint.object_a = {3};
  joint.object_b = {2};
  joint.frame_a.position = {0.0, 1.0, 0.0};
  definition.joints.push_back(joint);
  TestingWorld world(definition);
  world.Step(300);
  ASSERT_EQ(world.body(kRider).activation, Activation::kAsleep);

  MoveTo(world, {0.0, 5.1, 0.0});
  world.Step(30);

  EXPECT_NEAR(world.body(kRider).position.y, 4.1, 0.03);
}

TEST_F(KinematicMotionTest, WrittenVelocityCarriesWithoutMoving) {
  TestingWorld world(MakePlatform());
  world.Step(30);
  for (int tick = 0; tick < 60; ++tick) {
    world.mutable_body(kMover).linear_velocity = {1.0, 0.0, 0.0};
    world.Step();
  }
  EXPECT_EQ(world.body(kMover).position, (Vector3{0.0, 0.5, 0.0}));
  EXPECT_NEAR(world.body(kRider).position.x, 2.0, 0.15);
}

TEST_F(KinematicMotionTest, TriggerNoticesAKinematicVisitor) {
  PhysicsDefinition definition = MakeFloor();
  AddBody(definition, ShapeOf(SpherePrimitive{0.5}), Motion::kKinematic,
          {0.0, 0.4, 0.0});
  AddBody(definition, ShapeOf(SpherePrimitive{0.5}), Motion::kFixed,
          {2.0, 0.4, 0.0})
      .kind.is_trigger = true;
  TestingWorld world(definition);
  const auto touching = [&world] {
    return CollectTouchingPairs(world.state(), world.tables());
  };
  world.Step();
  EXPECT_THAT(touching(), IsEmpty());

  MoveTo(world, {1.5, 0.4, 0.0});
  world.Step();
  EXPECT_THAT(touching(), ElementsAre(TouchingPair{{2}, {3}}));
  world.Step(10);
  EXPECT_THAT(touching(), ElementsAre(TouchingPair{{2}, {3}}));

  MoveTo(world, {0.0, 0.4, 0.0});
  world.Step();
  EXPECT_THAT(touching(), IsEmpty());
}

TEST_F(KinematicMotionTest, NanIsRefusedAndTheLastPoseKept) {
  TestingWorld world(MakePlatform());
  MoveTo(world, {0.5, 0.5, 0.0});
  world.Step();

  world.mutable_body(kMover).position.x = std::nan("");
  world.Step();

  EXPECT_THAT(world.world().refused(), ElementsAre(ObjectId{2}));
  EXPECT_EQ(world.body(kMover).position, (Vector3{0.5, 0.5, 0.0}));
}

TEST_F(KinematicMotionTest, TakesNoForces) {
  TestingWorld world(MakePlatform());
  for (int tick = 0; tick < 10; ++tick) {
    world.mutable_body(kMover).force = {1e6, 1e6, 0.0};
    world.Step();
  }
  EXPECT_EQ(world.body(kMover).position, (Vector3{0.0, 0.5, 0.0}));
  EXPECT_EQ(world.body(kMover).force, Vector3{});
}

}  // namespace
}  // namespace reprise::sim
