// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that forces and impulses written to rows do what mechanics says, wake
// sleepers, and leave fixed bodies alone.

#include "sim/physics/bodies/body_forces.h"

#include <cstdint>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "sim/physics/testing/testing_world.h"

namespace reprise::sim {
namespace {

// Row 1 is a ball of 2 kg and a radius of half a metre, asleep on the floor; it
// is turned a quarter around z, which must not matter to a ball.
class BodyForcesTest : public testing::Test {
 protected:
  static constexpr uint32_t kFloor = 0;
  static constexpr uint32_t kBall = 1;
  // Of a ball: 2/5 m r^2.
  static constexpr double kInertia = 0.4 * 2.0 * 0.25;

  static PhysicsDefinition MakeDefinition() {
    PhysicsDefinition definition = MakeFloor();
    const AddedBody ball = AddBody(definition, ShapeOf(SpherePrimitive{0.5}),
                                   Motion::kDynamic, {0.0, 0.5, 0.0});
    ball.kind.mass_kg = 2.0;
    ball.placement.rotation = FromAxisAngle({0.0, 0.0, 1.0}, 0.5 * kPi);
    return definition;
  }

  void LetSleep() {
    world_.Step(400);
    ASSERT_EQ(world_.body(kBall).activation, Activation::kAsleep);
  }

  MassProperties MassOf(uint32_t row) const {
    return world_.world().mass_properties(world_.body(row).kind);
  }

  mutable TestingWorld world_{MakeDefinition()};
};

TEST_F(BodyForcesTest, MassPropertiesAreThoseOfTheShape) {
  EXPECT_DOUBLE_EQ(MassOf(kBall).inverse_mass, 0.5);
  EXPECT_DOUBLE_EQ(MassOf(kBall).inverse_inertia.x, 1.0 / kInertia);
  EXPECT_EQ(MassOf(kFloor).inverse_mass, 0.0);
}

TEST_F(BodyForcesTest, FindBodyFindsRowsByObject) {
  EXPECT_EQ(FindBody(world_.state(), world_.tables(), {2}), kBall);
  EXPECT_EQ(FindBody(world_.state(), world_.tables(), {3}), std::nullopt);
  EXPECT_EQ(FindBody(world_.state(), world_.tables(), kNoObject), std::nullopt);
}

TEST_F(BodyForcesTest, ForceWakesAndAccelerates) {
  LetSleep();
  ApplyForce(world_.state(), world_.tables(), kBall, MassOf(kBall),
             {0.0, 100.0, 0.0});
  ApplyForce(world_.state(), world_.tables(), kBall, MassOf(kBall),
             {0.0, 20.0, 0.0});

  world_.Step();

  // (120 N / 2 kg - g) / 60 Hz, as nothing holds it down.
  EXPECT_NEAR(world_.body(kBall).linear_velocity.y, (60.0 - 9.81) / 60.0, 1e-6);
}

TEST_F(BodyForcesTest, TorqueTurns) {
  ApplyTorque(world_.state(), world_.tables(), kBall, MassOf(kBall),
              {0.0, 6.0, 0.0});
  world_.mutable_body(kBall).position.y = 10.0;
  world_.Step();
  EXPECT_NEAR(world_.body(kBall).angular_velocity.y, 6.0 / kInertia / 60.0,
              1e-6);
}

TEST_F(BodyForcesTest, ImpulseOffCentreMovesAndSpins) {
  LetSleep();

  ApplyImpulse(world_.state(), world_.tables(), kBall, MassOf(kBall),
               {1.0, 0.0, 0.0}, {0.0, 0.5, 0.0});

  EXPECT_DOUBLE_EQ(world_.body(kBall).linear_velocity.x, 0.5);
  EXPECT_NEAR(world_.body(kBall).angular_velocity.z, -0.5 / kInertia, 1e-12);
  EXPECT_EQ(world_.body(kBall).activation, Activation::kAwake);
}

TEST_F(BodyForcesTest, ImpulseDoesNotMoveAlongLockedAxes) {
  MassProperties mass = MassOf(kBall);
  mass.linear_factor = {0.0, 1.0, 1.0};
  mass.angular_factor = {1.0, 1.0, 0.0};

  ApplyImpulse(world_.state(), world_.tables(), kBall, mass, {1.0, 1.0, 0.0},
               {0.0, 0.5, 0.0});

  EXPECT_EQ(world_.body(kBall).linear_velocity.x, 0.0);
  EXPECT_DOUBLE_EQ(world_.body(kBall).linear_velocity.y, 0.5);
  EXPECT_EQ(world_.body(kBall).angular_velocity.z, 0.0);
}

// A state with any other could not be restored.
TEST_F(BodyForcesTest, RowsStayFinite) {
  constexpr Vector3 kHuge = {1.7e308, 0.0, 0.0};
  for (int i = 0; i < 3; ++i) {
    ApplyForce(world_.state(), world_.tables(), kBall, MassOf(kBall), kHuge);
    ApplyTorque(world_.state(), world_.tables(), kBall, MassOf(kBall), kHuge);
    ApplyImpulse(world_.state(), world_.tables(), kBall, MassOf(kBall), kHuge,
                 {0.0, 0.0, 10.0});
  }
  EXPECT_EQ(world_.body(kBall).force, kHuge);
  EXPECT_EQ(world_.body(kBall).torque, kHuge);
  EXPECT_EQ(world_.world().Load(world_.state()), absl::OkStatus());
}

TEST_F(BodyForcesTest, WokenBodyFallsAsleepAgain) {
  LetSleep();
  Wake(world_.state(), world_.tables(), kBall, MassOf(kBall));
  world_.Step();
  EXPECT_NE(world_.body(kBall).activation, Activation::kAsleep);
  LetSleep();
}

TEST_F(BodyForcesTest, FixedBodiesAreLeftAlone) {
  const Digest before = world_.digest();
  ApplyForce(world_.state(), world_.tables(), kFloor, MassOf(kFloor),
             {1.0, 1.0, 1.0});
  ApplyTorque(world_.state(), world_.tables(), kFloor, MassOf(kFloor),
              {1.0, 1.0, 1.0});
  ApplyImpulse(world_.state(), world_.tables(), kFloor, MassOf(kFloor),
               {1.0, 1.0, 1.0});
  Wake(world_.state(), world_.tables(), kFloor, MassOf(kFloor));
  EXPECT_EQ(world_.digest(), before);
}

}  // namespace
}  // namespace reprise::sim
