// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that a vehicle does what its springs, tyres, engine and brakes say by
// mechanics: how deep it stands, how fast it speeds up, how soon it stops, when
// it holds and when it slides; and that what is under a wheel feels it.

#include "sim/physics/vehicles/vehicle.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "sim/base/math.h"
#include "sim/geometry/matrix3.h"
#include "sim/physics/bodies/kinematic_motion.h"
#include "sim/physics/testing/testing_world.h"
#include "sim/physics/vehicles/testing_vehicle.h"

namespace reprise::sim {
namespace {

TEST(VehicleTest, SettlesAtTheDepthOfItsWeight) {
  VehicleWorld world(MakeGround());
  world.Step(300);
  for (const WheelRow& wheel : world.wheels()) {
    EXPECT_NEAR(kTravelM - wheel.suspension,
                kMassKg * kGravity / (4.0 * kStiffness), 1e-4);
    EXPECT_NEAR(wheel.load, kMassKg * kGravity / 4.0, 5.0);
    EXPECT_EQ(wheel.ground, ObjectId{1});
  }
  EXPECT_NEAR(Length(world.body().linear_velocity), 0.0, 1e-3);
}

TEST(VehicleTest, FallsAsleepAndWakesToDrive) {
  VehicleWorld world(MakeGround());
  world.Step(600);
  ASSERT_EQ(world.body().activation, Activation::kAsleep);
  const Digest before = world.world().digest();
  world.Step(60);
  EXPECT_EQ(world.world().digest(), before);
  world.row().throttle = 1.0;
  world.Step(10);
  EXPECT_GT(world.speed(), 0.3);
}

TEST(VehicleTest, SpeedsUpByItsEngine) {
  VehicleWorld world(MakeGround());
  world.Step(120);
  world.row().throttle = 0.5;
  world.Step(60);
  EXPECT_NEAR(world.speed(), 0.5 * 4800.0 / kMassKg, 0.05);
  // As the last tick began.
  EXPECT_NEAR(world.wheels()[0].spin, world.speed() / kRadiusM, 0.1);
}

TEST(VehicleTest, PowerBoundsTheForceWithSpeed) {
  VehicleDefinition car = Car();
  car.engine_power_w = 24000.0;
  VehicleWorld world(MakeGround(), {}, car);
  world.Step(120);
  world.row().throttle = 1.0;
  world.Step(600);
  // From the speed at which power takes over: m v^2 / 2 = P t.
  const double switch_speed = 24000.0 / 4800.0;
  const double switch_s = switch_speed * kMassKg / 4800.0;
  const double expected = Sqrt(switch_speed * switch_speed +
                               2.0 * 24000.0 * (10.0 - switch_s) / kMassKg);
  EXPECT_NEAR(world.speed(), expected, 0.02 * expected);
}

TEST(VehicleTest, BrakesInTheDistanceOfItsForceAndStands) {
  VehicleWorld world(MakeGround());
  world.Step(120);
  world.mutable_body().linear_velocity.z = 10.0;
  const double from = world.body().position.z;
  // No more than the rear wheels hold while it dips.
  world.row().brake = 0.5;
  world.Step(180);
  // v^2 / 2a with a = 4800 N / 1200 kg.
  EXPECT_NEAR(world.body().position.z - from, 100.0 / 8.0, 0.3);
  const double stood = world.body().position.z;
  world.Step(120);
  EXPECT_NEAR(world.body().position.z, stood, 1e-3);
}

TEST(VehicleTest, ThrottleBackBrakesAndThenReverses) {
  VehicleWorld world(MakeGround());
  world.Step(120);
  world.mutable_body().linear_velocity.z = 4.0;
  world.row().throttle = -0.5;
  world.Step(20);
  EXPECT_NEAR(world.speed(), 4.0 - 4.0 * 20.0 * kTickS, 0.1);
  world.Step(120);
  EXPECT_LT(world.speed(), -1.0);
}

TEST(VehicleTest, TyresLimitWhatTheBrakesDo) {
  VehicleDefinition car = Car();
  car.brake_force_n = 1e6;
  VehicleWorld world(MakeGround(), {}, car);
  world.Step(120);
  world.mutable_body().linear_velocity.z = 10.0;
  world.row().brake = 1.0;
  world.Step(30);
  EXPECT_NEAR(world.speed(), 10.0 - kFriction * kGravity * 0.5, 0.4);
  EXPECT_EQ(world.wheels()[0].spin, 0.0);  // locked
}

TEST(VehicleTest, RollingResistanceStopsIt) {
  VehicleDefinition car = Car();
  for (WheelDefinition& wheel : car.wheels) wheel.rolling_resistance = 0.1;
  VehicleWorld world(MakeGround(), {}, car);
  world.Step(120);
  world.mutable_body().linear_velocity.z = 2.0;
  world.Step(60);
  EXPECT_NEAR(world.speed(), 2.0 - 0.1 * kGravity, 0.05);
  world.Step(120);
  EXPECT_NEAR(world.speed(), 0.0, 1e-2);
}

TEST(VehicleTest, TurnsOnTheCircleOfItsSteering) {
  VehicleWorld world(MakeGround());
  world.Step(120);
  world.mutable_body().linear_velocity.z = 3.0;
  world.row().steer = 0.5;
  world.row().throttle = 0.05;
  world.Step(60);
  // Towards +x, about the axle: v tan(angle) / wheelbase.
  const double expected = world.speed() * Tan(kPi / 12.0) / 2.8;
  EXPECT_NEAR(world.body().angular_velocity.y, expected, 0.1 * expected);
  EXPECT_GT(world.body().position.x, 0.1);
  // Slow as it is, it stays flat.
  EXPECT_GT(world.up().y, 0.999);
}

TEST(VehicleTest, SteeringTakesItsTime) {
  VehicleDefinition car = Car();
  car.steering_rate_rad_s = 0.6;
  VehicleWorld world(MakeGround(), {}, car);
  world.row().steer = -1.0;
  world.Step(30);
  EXPECT_NEAR(world.row().steering_angle, -0.3, 1e-12);
  world.Step(60);
  EXPECT_EQ(world.row().steering_angle, -kPi / 6.0);
}

TEST(VehicleTest, TyresHoldToTheSideUpToTheirFriction) {
  for (const double friction : {2.0, 0.4}) {
    VehicleDefinition car = Car();
    for (WheelDefinition& wheel : car.wheels) wheel.friction = friction;
    VehicleWorld world(MakeGround(), {}, car);
    world.Step(120);
    world.mutable_body().linear_velocity.x = 3.0;
    world.Step(6);
    const double slowed = 3.0 - 0.5 * friction * kGravity * 6.0 * kTickS;
    EXPECT_NEAR(world.body().linear_velocity.x, slowed, 0.25) << friction;
    world.Step(180);
    EXPECT_NEAR(world.body().linear_velocity.x, 0.0, 0.01) << friction;
  }
}

// A slope that falls towards +z, with a car on it that looks down.
struct Slope {
  PhysicsDefinition definition;
  Quaternion rotation;
};
Slope MakeSlope(double degrees) {
  Slope slope;
  slope.rotation = FromAxisAngle({1.0, 0.0, 0.0}, degrees * kPi / 180.0);
  AddBody(slope.definition,
          PlaneShape{.normal = Rotate(slope.rotation, {0.0, 1.0, 0.0})},
          Motion::kFixed, {});
  return slope;
}

TEST(VehicleTest, BrakedItStandsStillOnASlope) {
  const Slope slope = MakeSlope(20.0);
  VehicleWorld world(slope.definition, {}, Car(), slope.rotation);
  world.row().brake = 1.0;
  world.Step(180);
  const Vector3 from = world.body().position;
  world.Step(600);
  EXPECT_LT(Length(world.body().position - from), 0.005);
}

TEST(VehicleTest, UnbrakedItRollsDownASlope) {
  const Slope slope = MakeSlope(10.0);
  VehicleWorld world(slope.definition, {}, Car(), slope.rotation);
  world.Step(60);
  const double before = world.speed();
  world.Step(60);
  EXPECT_NEAR(world.speed() - before, kGravity * Sin(kPi / 18.0), 0.05);
}

TEST(VehicleTest, HandbrakeLetsTheRearSlide) {
  const auto yaw_of = [](double handbrake) {
    VehicleWorld world(MakeGround());
    world.Step(120);
    world.mutable_body().linear_velocity.z = 12.0;
    world.row().steer = 0.5;
    world.row().handbrake = handbrake;
    world.Step(45);
    return std::pair(world.body().angular_velocity.y, world.wheels()[3].spin);
  };
  const auto [grip, rolling] = yaw_of(0.0);
  const auto [slide, locked] = yaw_of(1.0);
  EXPECT_GT(slide, 1.1 * grip);
  EXPECT_GT(rolling, 10.0);
  EXPECT_EQ(locked, 0.0);
}

TEST(VehicleTest, WheelsHangInTheAir) {
  VehicleWorld world(MakeGround(), {0.0, 5.0, 0.0});
  world.row().throttle = 1.0;
  world.row().steer = 1.0;
  world.Step(30);
  for (const WheelRow& wheel : world.wheels()) {
    EXPECT_EQ(wheel.suspension, kTravelM);
    EXPECT_EQ(wheel.load, 0.0);
    EXPECT_EQ(wheel.ground, kNoObject);
  }
  EXPECT_NEAR(world.body().linear_velocity.y, -kGravity * 0.5, 1e-6);
  EXPECT_EQ(world.body().linear_velocity.z, 0.0);
}

TEST(VehicleTest, LandsOnItsWheels) {
  VehicleWorld world(MakeGround(), {0.0, 1.0, 0.0});
  world.Step(240);
  EXPECT_GT(world.up().y, 0.9999);
  EXPECT_NEAR(world.wheels()[2].load, kMassKg * kGravity / 4.0, 20.0);
}

TEST(VehicleTest, AntiRollBarsKeepItFlatter) {
  const auto lean_of = [](double stiffness) {
    VehicleDefinition car = Car();
    if (stiffness > 0.0) {
      car.anti_roll_bars = {
          {.wheel_a = 0, .wheel_b = 1, .stiffness_n_m = stiffness},
          {.wheel_a = 2, .wheel_b = 3, .stiffness_n_m = stiffness}};
    }
    VehicleWorld world(MakeGround(), {}, car);
    world.Step(120);
    world.mutable_body().linear_velocity.z = 8.0;
    world.row().steer = 0.4;
    world.Step(60);
    const auto& wheels = world.wheels();
    return Abs(wheels[0].suspension - wheels[1].suspension);
  };
  const double without = lean_of(0.0);
  EXPECT_GT(without, 0.01);
  EXPECT_LT(lean_of(15000.0), 0.8 * without);
}

TEST(VehicleTest, WhatIsUnderAWheelBearsIt) {
  PhysicsDefinition definition;
  const AddedBody raft =
      AddBody(definition, ShapeOf(BoxPrimitive{{5.0, 0.5, 5.0}}),
              Motion::kDynamic, {0.0, -0.5, 0.0});
  raft.kind.mass_kg = 10000.0;
  raft.kind.gravity_scale = 0.0;
  VehicleWorld world(definition);
  world.Step(30);
  const auto momentum = [&] {
    return 10000.0 * world.body(0).linear_velocity +
           kMassKg * world.body().linear_velocity;
  };
  // Whatever goes on between the two, only gravity adds to them.
  EXPECT_NEAR(momentum().y, -kMassKg * kGravity * 0.5, 1.0);
  world.row().throttle = 1.0;
  world.Step(30);
  EXPECT_LT(world.body(0).linear_velocity.z, -0.05);
  EXPECT_NEAR(momentum().z, 0.0, 1.0);
}

TEST(VehicleTest, RidesAMovingBridge) {
  PhysicsDefinition definition;
  AddBody(definition, ShapeOf(BoxPrimitive{{5.0, 0.5, 10.0}}),
          Motion::kKinematic, {0.0, -0.5, 0.0});
  VehicleWorld world(definition);
  world.Step(120);
  world.row().brake = 1.0;
  for (int i = 0; i < 180; ++i) {
    const BodyRow& bridge = world.body(0);
    MoveKinematic(world.world().state(), world.world().tables(), 0,
                  bridge.position + Vector3{0.01, 0.005, 0.02}, {}, kTickS);
    world.Step();
  }
  EXPECT_NEAR(world.body().linear_velocity.x, 0.6, 0.02);
  EXPECT_NEAR(world.body().linear_velocity.y, 0.3, 0.02);
  EXPECT_NEAR(world.body().linear_velocity.z, 1.2, 0.02);
}

TEST(VehicleTest, GroundThatLeavesWakesIt) {
  PhysicsDefinition definition;
  AddBody(definition, ShapeOf(BoxPrimitive{{5.0, 0.5, 10.0}}),
          Motion::kKinematic, {0.0, -0.5, 0.0});
  VehicleWorld world(definition);
  world.Step(600);
  ASSERT_EQ(world.body().activation, Activation::kAsleep);
  MoveKinematic(world.world().state(), world.world().tables(), 0,
                {0.0, -5.0, 0.0}, {}, kTickS);
  world.Step(30);
  EXPECT_LT(world.body().linear_velocity.y, -3.0);
}

TEST(VehicleTest, TooFastForPhysicsItIsLeftAlone) {
  VehicleWorld world(MakeGround());
  world.Step(120);
  const std::vector<WheelRow> before = world.wheels();
  world.mutable_body().angular_velocity = {1e300, 0.0, 1e300};
  world.row().throttle = 1.0;
  world.Step();
  EXPECT_EQ(world.wheels()[0].spin, before[0].spin);
  EXPECT_EQ(world.wheels()[0].load, before[0].load);
}

TEST(VehicleTest, StiffnessIsBoundedByTheTick) {
  VehicleWorld world(MakeGround());
  const MassProperties mass = world.mass();
  EXPECT_TRUE(ValidateVehicle(Car(), mass, kGravity, kTickS).ok());
  EXPECT_FALSE(ValidateVehicle(Car(), mass, kGravity, 0.1).ok());
  VehicleDefinition soft = Car();
  for (WheelDefinition& wheel : soft.wheels) wheel.stiffness_n_m = 9000.0;
  // Carries 10,800 N of 11,772.
  EXPECT_EQ(ValidateVehicle(soft, mass, kGravity, kTickS).code(),
            absl::StatusCode::kInvalidArgument);
}

// At the very bound the springs still come to rest.
TEST(VehicleTest, StandsAtTheBoundOfStiffness) {
  VehicleDefinition car = Car();
  VehicleWorld probe(MakeGround());
  const double figure = SuspensionFigure(car, probe.mass(), kTickS);
  for (WheelDefinition& wheel : car.wheels) {
    const double factor = kSuspensionFigureMax / figure;
    wheel.stiffness_n_m *= factor;
    wheel.damping_compression_n_s_m *= factor;
    wheel.damping_rebound_n_s_m *= factor;
  }
  VehicleWorld world(MakeGround(), {0.0, 0.5, 0.0}, car);
  world.Step(300);
  EXPECT_LT(Length(world.body().linear_velocity), 0.01);
}

}  // namespace
}  // namespace reprise::sim
