// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that a vehicle with gears pulls by the ratio of the one that is in,
// ends at the speed of it, shifts up and down on its way, and reverses.

#include <cstdint>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "sim/physics/vehicles/testing_vehicle.h"

namespace reprise::sim {
namespace {

// A car with an engine of 100 N m up to 600 rad/s and these gears.
VehicleDefinition GearedCar(std::vector<double> ratios) {
  VehicleDefinition car = Car();
  car.engine_force_n = 0.0;
  car.drivetrain = {
      .torque_curve = {{.speed_rad_s = 0.0, .torque_n_m = 100.0},
                       {.speed_rad_s = 600.0, .torque_n_m = 100.0}},
      .gear_ratios = std::move(ratios),
      .reverse_ratio = 3.0,
      .final_drive = 4.0,
      .idle_rad_s = 80.0,
      .shift_up_rad_s = 500.0,
      .shift_down_rad_s = 150.0,
      .shift_ticks = 12,
      .braking_torque_n_m = 40.0};
  return car;
}

// How fast a gear lets it go.
double TopSpeed(double ratio) { return 600.0 * kRadiusM / (4.0 * ratio); }

TEST(VehicleGearsTest, EachGearPullsByItsRatioAndEndsAtItsSpeed) {
  for (const double ratio : {4.0, 2.0}) {
    VehicleWorld world(MakeGround(), {}, GearedCar({ratio}));
    world.Step(120);
    world.row().throttle = 1.0;
    world.Step(60);
    // 100 N m times the gears, over the radius and the mass, for a second.
    EXPECT_NEAR(world.speed(), 100.0 * 4.0 * ratio / kRadiusM / kMassKg, 0.1)
        << ratio;
    world.Step(900);
    EXPECT_NEAR(world.speed(), TopSpeed(ratio), 0.2) << ratio;
  }
}

TEST(VehicleGearsTest, ShiftsThroughItsGearsAndBack) {
  VehicleWorld world(MakeGround(), {}, GearedCar({4.0, 2.5, 1.6}));
  world.Step(120);
  world.row().throttle = 1.0;
  std::vector<int64_t> gears = {world.drivetrain().gear};
  const auto drive = [&](int ticks) {
    for (int i = 0; i < ticks; ++i) {
      world.Step();
      if (world.drivetrain().gear != gears.back()) {
        gears.push_back(world.drivetrain().gear);
      }
    }
  };
  drive(1500);
  EXPECT_NEAR(world.speed(), TopSpeed(1.6), 0.3);
  world.row().throttle = 0.0;
  world.row().brake = 0.5;
  drive(600);
  EXPECT_NEAR(world.speed(), 0.0, 0.01);
  EXPECT_EQ(gears, (std::vector<int64_t>{1, 2, 3, 2, 1}));
}

TEST(VehicleGearsTest, CoastsWhileAGearShifts) {
  VehicleWorld world(MakeGround(), {}, GearedCar({4.0, 2.0}));
  world.Step(120);
  world.row().throttle = 1.0;
  while (world.drivetrain().gear == 1) world.Step();
  const double before = world.speed();
  world.Step(10);
  EXPECT_GT(world.drivetrain().shift_ticks, 0u);
  EXPECT_NEAR(world.speed(), before, 0.05);
  world.Step(30);
  EXPECT_GT(world.speed(), before + 0.5);
}

TEST(VehicleGearsTest, ReverseGearDrivesBack) {
  VehicleWorld world(MakeGround(), {}, GearedCar({4.0, 2.0}));
  world.Step(120);
  world.row().throttle = -1.0;
  world.Step(600);
  EXPECT_EQ(world.drivetrain().gear, -1);
  EXPECT_NEAR(world.speed(), -TopSpeed(3.0), 0.2);
  // Throttle forward brakes first.
  world.row().throttle = 1.0;
  world.Step(30);
  EXPECT_EQ(world.drivetrain().gear, -1);
  EXPECT_GT(world.speed(), -TopSpeed(3.0) + 2.0);
  world.Step(240);
  EXPECT_GE(world.drivetrain().gear, 1);
  EXPECT_GT(world.speed(), 1.0);
}

TEST(VehicleGearsTest, EngineBrakesInGear) {
  VehicleWorld world(MakeGround(), {}, GearedCar({4.0, 2.0}));
  world.Step(120);
  world.mutable_body().linear_velocity.z = 15.0;
  world.Step(30);  // on to second gear
  ASSERT_EQ(world.drivetrain().gear, 2);
  const double before = world.speed();
  world.Step(30);
  // 40 N m times the gears.
  EXPECT_NEAR(before - world.speed(),
              40.0 * 4.0 * 2.0 / kRadiusM / kMassKg * 0.5, 0.05);
}

}  // namespace
}  // namespace reprise::sim
