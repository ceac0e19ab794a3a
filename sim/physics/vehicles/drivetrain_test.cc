// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that an engine gives the torque of its curve, that gears shift where
// their definition says and nowhere else, and that gears which would shift
// forth and back are refused.

#include "sim/physics/vehicles/drivetrain.h"

#include <cstdint>
#include <string>

#include "gtest/gtest.h"
#include "sim/physics/vehicles/drivetrain_definition.h"

namespace reprise::sim {
namespace {

constexpr ObjectId kCar = {1};
constexpr uint64_t kShiftTicks = 3;

// Three gears: the engine turns 12, 6 and 4 times for one turn of the wheels.
DrivetrainDefinition ThreeGears() {
  return {.torque_curve = {{.speed_rad_s = 100.0, .torque_n_m = 80.0},
                           {.speed_rad_s = 300.0, .torque_n_m = 120.0},
                           {.speed_rad_s = 600.0, .torque_n_m = 60.0}},
          .gear_ratios = {3.0, 1.5, 1.0},
          .reverse_ratio = 2.5,
          .final_drive = 4.0,
          .efficiency = 0.9,
          .idle_rad_s = 90.0,
          .shift_up_rad_s = 500.0,
          .shift_down_rad_s = 200.0,
          .shift_ticks = kShiftTicks,
          .braking_torque_n_m = 10.0};
}

// A drivetrain that is driven at one throttle.
class Driven {
 public:
  explicit Driven(int64_t gear = 1)
      : row_(InitialDrivetrain(definition_, kCar)) {
    row_.gear = gear;
  }

  // Makes ticks, and returns the gear.
  int64_t Turn(double throttle, double wheels_rad_s, int ticks = 1) {
    for (int i = 0; i < ticks; ++i) {
      TurnEngine(definition_,
                 {.throttle = throttle,
                  .wheels_rad_s = wheels_rad_s,
                  .is_standstill = wheels_rad_s == 0.0},
                 row_);
    }
    return row_.gear;
  }
  double Torque(double throttle) const {
    return DriveTorque(definition_, throttle, row_);
  }
  double Braking(double throttle) const {
    return BrakingTorque(definition_, throttle, row_);
  }
  const DrivetrainRow& row() const { return row_; }

 private:
  DrivetrainDefinition definition_ = ThreeGears();
  DrivetrainRow row_;
};

TEST(DrivetrainTest, TorqueFollowsItsCurve) {
  const DrivetrainDefinition definition = ThreeGears();
  EXPECT_EQ(EngineTorque(definition, 0.0), 80.0);
  EXPECT_EQ(EngineTorque(definition, 100.0), 80.0);
  EXPECT_EQ(EngineTorque(definition, 200.0), 100.0);
  EXPECT_EQ(EngineTorque(definition, 300.0), 120.0);
  EXPECT_EQ(EngineTorque(definition, 450.0), 90.0);
  EXPECT_EQ(EngineTorque(definition, 600.0), 60.0);
  EXPECT_EQ(EngineTorque(definition, 600.1), 0.0);
}

TEST(DrivetrainTest, GearMultipliesTorque) {
  Driven driven;
  driven.Turn(1.0, 25.0);  // 300 rad/s in first gear
  EXPECT_DOUBLE_EQ(driven.row().engine_speed, 300.0);
  EXPECT_DOUBLE_EQ(driven.Torque(1.0), 0.9 * 120.0 * 12.0);
  EXPECT_DOUBLE_EQ(driven.Torque(0.25), 0.25 * 0.9 * 120.0 * 12.0);
}

TEST(DrivetrainTest, IdlesWhereTheWheelsStand) {
  Driven driven;
  driven.Turn(1.0, 0.0);
  EXPECT_EQ(driven.row().engine_speed, 90.0);
  EXPECT_DOUBLE_EQ(driven.Torque(1.0), 0.9 * 80.0 * 12.0);
}

TEST(DrivetrainTest, ShiftsUpByOneGearAtATime) {
  Driven driven;
  EXPECT_EQ(driven.Turn(1.0, 41.0), 1);  // 492 rad/s
  EXPECT_EQ(driven.Turn(1.0, 42.0), 2);  // 504 rad/s
  // So fast that it goes on to the third as soon as the second is in.
  EXPECT_EQ(driven.Turn(1.0, 90.0, kShiftTicks), 2);
  EXPECT_EQ(driven.Turn(1.0, 90.0), 3);
  EXPECT_EQ(driven.Turn(1.0, 200.0, 20), 3);
}

TEST(DrivetrainTest, ShiftsDownByOneGearAtATime) {
  Driven driven(3);
  EXPECT_EQ(driven.Turn(0.0, 51.0), 3);  // 204 rad/s
  EXPECT_EQ(driven.Turn(0.0, 49.0), 2);  // 196 rad/s
  EXPECT_EQ(driven.Turn(0.0, 30.0, kShiftTicks), 2);
  EXPECT_EQ(driven.Turn(0.0, 30.0), 1);
  EXPECT_EQ(driven.Turn(0.0, 1.0, 20), 1);
}

TEST(DrivetrainTest, NothingDrivesWhileAGearShifts) {
  Driven driven;
  driven.Turn(1.0, 42.0);
  for (uint64_t left = kShiftTicks; left > 0; --left) {
    EXPECT_EQ(driven.row().shift_ticks, left);
    EXPECT_EQ(driven.Torque(1.0), 0.0);
    EXPECT_EQ(driven.Braking(0.0), 0.0);
    driven.Turn(1.0, 42.0);
  }
  EXPECT_EQ(driven.row().shift_ticks, 0u);
  EXPECT_GT(driven.Torque(1.0), 0.0);
}

TEST(DrivetrainTest, ReversesAtAStandstillAlone) {
  Driven driven;
  EXPECT_EQ(driven.Turn(-1.0, 10.0, 10), 1);
  EXPECT_EQ(driven.Torque(-1.0), 0.0);
  EXPECT_EQ(driven.Turn(-1.0, 0.0), -1);
  driven.Turn(-1.0, 0.0, kShiftTicks);
  EXPECT_DOUBLE_EQ(driven.Torque(-1.0), -0.9 * 80.0 * 10.0);
  EXPECT_EQ(driven.Torque(1.0), 0.0);
  EXPECT_EQ(driven.Turn(1.0, -10.0, 10), -1);
  EXPECT_EQ(driven.Turn(1.0, 0.0), 1);
}

TEST(DrivetrainTest, EngineSpeedIsBounded) {
  Driven driven(3);
  driven.Turn(1.0, 1e12);
  EXPECT_EQ(driven.row().engine_speed, 1e6);
  EXPECT_EQ(driven.Torque(1.0), 0.0);
}

TEST(DrivetrainTest, ResistsWithoutThrottleAlone) {
  Driven driven(2);
  driven.Turn(0.0, 50.0);
  EXPECT_DOUBLE_EQ(driven.Braking(0.0), 10.0 * 6.0);
  EXPECT_EQ(driven.Braking(0.1), 0.0);
}

TEST(DrivetrainTest, KnowsItsGears) {
  DrivetrainDefinition definition = ThreeGears();
  for (const int64_t gear : {-1, 1, 2, 3}) {
    EXPECT_TRUE(IsGear(definition, gear)) << gear;
  }
  for (const int64_t gear : {-2, 0, 4}) {
    EXPECT_FALSE(IsGear(definition, gear)) << gear;
  }
  definition.reverse_ratio = 0.0;
  EXPECT_FALSE(IsGear(definition, -1));
}

TEST(DrivetrainTest, GearsThatWouldNotShiftAsToldAreRefused) {
  const auto problem = [](auto change) {
    DrivetrainDefinition definition = ThreeGears();
    change(definition);
    return std::string(ValidateDrivetrain(definition).message());
  };
  EXPECT_EQ(problem([](auto&) {}), "");
  EXPECT_EQ(
      problem([](auto& d) { d.shift_down_rad_s = 260.0; }),
      "a shift up at 4775 rpm from gear 1 comes out at 2387 rpm, where it "
      "would shift down again");
  EXPECT_EQ(problem([](auto& d) { d.shift_down_rad_s = 500.0; }),
            "shift_down_rpm is 4775, not below shift_up_rpm, 4775");
  EXPECT_EQ(problem([](auto& d) { d.shift_up_rad_s = 601.0; }),
            "shift_up_rpm is 5739, which the engine, up to 5730, doesn't pass");
  EXPECT_EQ(problem([](auto& d) { d.idle_rad_s = 200.0; }),
            "idle_rpm is 1910, not below shift_down_rpm, 1910");
  EXPECT_EQ(problem([](auto& d) { d.gear_ratios[2] = 1.5; }),
            "gear_ratios[2] is 1.5, not less than the one before");
  EXPECT_EQ(problem([](auto& d) { d.torque_curve[1].speed_rad_s = 100.0; }),
            "torque_curve[1] is not at a higher speed than the one before");
  // One gear alone never shifts.
  EXPECT_EQ(problem([](auto& d) {
              d.gear_ratios = {3.0};
              d.shift_up_rad_s = 0.0;
            }),
            "");
}

}  // namespace
}  // namespace reprise::sim
