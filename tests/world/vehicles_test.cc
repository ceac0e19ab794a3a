// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that vehicles of a pack drive as players steer them, shift gears, are
// drawn, and come and go like all else.

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "sim/base/digest.h"
#include "sim/base/tick.h"
#include "sim/frame.h"
#include "sim/physics/vehicles/vehicle_rows.h"
#include "sim/state/state.h"
#include "tests/world/testing_steering.h"
#include "tests/world/testing_worlds.h"

namespace reprise::sim {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

constexpr std::string_view kCar = R"(
types {
  name: "kart"
  body { motion: MOTION_DYNAMIC mass_kg: 200 shapes { box { half_extents { x: 0.5 y: 0.2 z: 0.8 } } } }
  vehicle {
    engine_force_n: 600
    brake_force_n: 1500
    steering_max_degrees: 30
    wheels { position { x: 0.5 y: -0.1 z: 0.6 } radius: 0.2 travel: 0.2 stiffness: 8000 damping_compression: 300 damping_rebound: 400 force_max_n: 9000 steered: true braked: true }
    wheels { position { x: -0.5 y: -0.1 z: 0.6 } radius: 0.2 travel: 0.2 stiffness: 8000 damping_compression: 300 damping_rebound: 400 force_max_n: 9000 steered: true braked: true }
    wheels { position { x: 0.5 y: -0.1 z: -0.6 } radius: 0.2 travel: 0.2 stiffness: 8000 damping_compression: 300 damping_rebound: 400 force_max_n: 9000 driven: true braked: true }
    wheels { position { x: -0.5 y: -0.1 z: -0.6 } radius: 0.2 travel: 0.2 stiffness: 8000 damping_compression: 300 damping_rebound: 400 force_max_n: 9000 driven: true braked: true }
    control { action_throttle: "z" action_steer: "x" action_brake: "jump" }
  }
}
)";

TEST(VehiclesTest, PlayerDrivesAndBrakes) {
  const auto world = WorldOf(Manifest(
      {kSteeredGround, kCar,
       "objects { name: \"kart\" type: \"kart\" position { y: 0.5 } }"}));
  StepTimes(*world, 60);
  Hold(*world, 60, 0, kAxisMax, false);
  EXPECT_NEAR(BodyOf(*world, "kart", "linear_velocity.z"), 3.0, 0.3);
  Hold(*world, 120, 0, 0, true);
  EXPECT_NEAR(BodyOf(*world, "kart", "linear_velocity.z"), 0.0, 0.02);
}

// The kart with an engine that shifts, as long as half a second.
std::string GearedKart(std::string_view drivetrain) {
  std::string kart(kCar);
  constexpr std::string_view kEngine = "engine_force_n: 600";
  kart.replace(kart.find(kEngine), kEngine.size(), drivetrain);
  return kart;
}

constexpr std::string_view kGears = R"(drivetrain {
      torque_curve { rpm: 0 torque_nm: 8 }
      torque_curve { rpm: 3000 torque_nm: 10 }
      torque_curve { rpm: 6000 torque_nm: 6 }
      gear_ratios: [ 3, 2, 1.4 ] reverse_ratio: 3 final_drive: 5 efficiency: 0.9
      idle_rpm: 800 shift_up_rpm: 5000 shift_down_rpm: 2000 shift_s: 0.5 braking_torque_nm: 1
    })";

TEST(VehiclesTest, SnapshotInTheMiddleOfAShiftGoesOnToTheBit) {
  const std::string pack = Manifest(
      {kSteeredGround, GearedKart(kGears),
       "objects { name: \"kart\" type: \"kart\" position { y: 0.5 } }"});
  const auto world = WorldOf(pack);
  const auto drivetrain = [&](std::string_view scalar) {
    return ValueOf(*world, "vehicles", "drivetrains", "kart", scalar)
        ->AsNumber();
  };
  StepTimes(*world, 60);
  EXPECT_EQ(drivetrain("gear"), 1.0);
  std::vector<State> shifts;
  std::vector<Tick> ticks;
  std::vector<Digest> digests;
  double shift_before = 0.0;
  for (int i = 0; i < 900; ++i) {
    // Up through the gears, then down to the first.
    Hold(*world, 1, 0, i < 600 ? kAxisMax : 0, i >= 600);
    digests.push_back(world->state().ComputeRootDigest());
    const double shift = drivetrain("shift_ticks");
    if (shift == 15.0 && shift_before != shift) {
      shifts.push_back(world->state());
      ticks.push_back(i);
    }
    shift_before = shift;
  }
  ASSERT_EQ(shifts.size(), 4u);
  EXPECT_EQ(drivetrain("gear"), 1.0);
  for (size_t k = 0; k < shifts.size(); ++k) {
    const auto other = WorldOf(pack);
    ASSERT_TRUE(other->Restore(shifts[k]).ok());
    for (Tick i = ticks[k] + 1; i < 900; ++i) {
      Hold(*other, 1, 0, i < 600 ? kAxisMax : 0, i >= 600);
      ASSERT_EQ(other->state().ComputeRootDigest(), digests[i])
          << k << ' ' << i;
    }
  }
}

TEST(VehiclesTest, GearsThatCannotBeAreRefusedWithTheirPlace) {
  const auto problems = [](std::string_view drivetrain) {
    return Problems(Manifest({kSteeredGround, GearedKart(drivetrain)}));
  };
  EXPECT_THAT(problems(kGears), IsEmpty());
  EXPECT_THAT(
      problems("drivetrain { torque_curve { rpm: -1 torque_nm: nan } "
               "gear_ratios: [ 3, 0 ] final_drive: 1 efficiency: 2 idle_rpm: "
               "inf shift_s: 11 braking_torque_nm: -1 }"),
      UnorderedElementsAre(
          HasSubstr("drivetrain.torque_curve: 1 is not"),
          HasSubstr("torque_curve[0].rpm"),
          HasSubstr("torque_curve[0].torque_nm"),
          HasSubstr("drivetrain.gear_ratios: gear 2: 0 is not"),
          HasSubstr("drivetrain.efficiency"), HasSubstr("drivetrain.idle_rpm"),
          HasSubstr("drivetrain.shift_s"),
          HasSubstr("drivetrain.braking_torque_nm")));
  EXPECT_THAT(
      problems("engine_force_n: 1 drivetrain { torque_curve { } torque_curve { "
               "rpm: 1 } gear_ratios: 1 final_drive: 1 }"),
      ElementsAre(HasSubstr("takes the place of engine_force_n")));
  EXPECT_THAT(
      problems("drivetrain { torque_curve { } torque_curve { rpm: 5000 } "
               "gear_ratios: [ 4, 1 ] final_drive: 1 shift_up_rpm: 4000 "
               "shift_down_rpm: 2000 }"),
      ElementsAre(
          HasSubstr("types[1].vehicle: a shift up at 4000 rpm from gear "
                    "1 comes out at 1000 rpm")));
}

TEST(VehiclesTest, GearsThatContradictTheVehicleAreRefused) {
  const auto world = WorldOf(Manifest(
      {kSteeredGround, GearedKart(kGears),
       "objects { name: \"kart\" type: \"kart\" position { y: 0.5 } }"}));
  const TableIndex drivetrains =
      *world->state().Find("vehicles", "drivetrains");
  for (const int64_t gear : {0, 4, -2}) {
    State other = world->state();
    other.mutable_table(drivetrains).Mutable<DrivetrainRow>(0).gear = gear;
    EXPECT_EQ(world->Restore(other).code(), absl::StatusCode::kDataLoss);
  }
  State without = world->state();
  without.mutable_table(drivetrains).Resize(0);
  EXPECT_EQ(world->Restore(without).code(), absl::StatusCode::kDataLoss);
  State long_shift = world->state();
  long_shift.mutable_table(drivetrains).Mutable<DrivetrainRow>(0).shift_ticks =
      31;
  EXPECT_EQ(world->Restore(long_shift).code(), absl::StatusCode::kDataLoss);
}

TEST(VehiclesTest, OnlyThoseWithGearsHaveARowForThem) {
  const auto world = WorldOf(Manifest(
      {kSteeredGround, kCar,
       "objects { name: \"kart\" type: \"kart\" position { y: 0.5 } }"}));
  EXPECT_EQ(RowCount(*world, "vehicles", "vehicles"), 1u);
  EXPECT_EQ(RowCount(*world, "vehicles", "drivetrains"), 0u);
}

TEST(VehiclesTest, WorldsWithoutAnyHaveNoRoomForThem) {
  const auto world = WorldOf(Manifest({kSteeredGround}));
  EXPECT_EQ(world->state().Find("vehicles", "vehicles"), std::nullopt);
}

TEST(VehiclesTest, WheelsAreDrawnWhereTheyAre) {
  const auto world = WorldOf(Manifest(
      {kSteeredGround, kCar,
       "objects { name: \"kart\" type: \"kart\" position { y: 0.5 } }"}));
  StepTimes(*world, 120);
  for (const FrameObject& object : world->ProduceFrame().objects) {
    if (object.name != "kart") continue;
    ASSERT_EQ(object.shapes.size(), 5u);
    const FrameShape& wheel = object.shapes[1];
    EXPECT_EQ(wheel.kind, FrameShape::Kind::kCylinder);
    EXPECT_EQ(wheel.size.x, 0.2);
    // It stands on the ground.
    EXPECT_NEAR(object.position.y + wheel.position.y, 0.2, 0.001);
  }
}

// A wheel hangs 0.3 m above the head of somebody who falls.
TEST(VehiclesTest, SeeTheWorldAsItIsBeforeCharactersMove) {
  const auto world = WorldOf(Manifest({kSteeredGround, kCar, R"(
types {
  name: "faller"
  body { motion: MOTION_KINEMATIC shapes { capsule { radius: 0.3 half_length: 0.6 } } }
  character { speed: 3 acceleration: 60 }
}
objects { name: "faller" type: "faller" position { x: 0.5 y: 3.7 z: 0.6 } }
objects { name: "kart" type: "kart" position { y: 5 } }
)"}));
  world->Step({}, nullptr);
  EXPECT_LT(BodyOf(*world, "faller", "position.y"), 3.699);
  EXPECT_NEAR(
      ValueOf(*world, "vehicles", "wheels", "kart", "suspension")->AsNumber(),
      0.1, 1e-9);
}

TEST(VehiclesTest, RowsComeAndGoWithTheirObjects) {
  const auto world = WorldOf(Manifest({kSteeredGround, GearedKart(kGears), R"(
types { name: "guest" extends: "kart" timers { name: "nap" event: "sleep" delay_s: 0.1 } }
types { name: "clock" timers { name: "dawn" event: "dawn" delay_s: 0.2 } timers { name: "end" event: "end" delay_s: 0.3 } }
connections { name: "wakes" event: "dawn" target: "guest" send: "wake" }
connections { name: "ends" event: "end" target: "guest" send: "destroy" }
objects { name: "clock" type: "clock" position { y: 50 } }
objects { name: "guest" type: "guest" position { x: 5 y: 0.5 } }
objects { name: "kart" type: "kart" position { x: -5 y: 0.5 } }
)"}));
  const auto expect_karts = [&](uint32_t count) {
    EXPECT_EQ(RowCount(*world, "vehicles", "vehicles"), count);
    EXPECT_EQ(RowCount(*world, "vehicles", "wheels"), 4 * count);
    EXPECT_EQ(RowCount(*world, "vehicles", "drivetrains"), count);
    const State snapshot = world->state();
    EXPECT_TRUE(world->Restore(snapshot).ok());
  };
  expect_karts(2);
  StepTimes(*world, 9);
  expect_karts(1);  // one naps
  StepTimes(*world, 6);
  expect_karts(2);
  StepTimes(*world, 6);
  expect_karts(1);
}

TEST(VehiclesTest, RowsThatContradictTheObjectsAreRefused) {
  const auto world = WorldOf(Manifest(
      {kSteeredGround, kCar,
       "objects { name: \"kart\" type: \"kart\" position { y: 0.5 } }"}));
  StepTimes(*world, 5);
  for (const std::string_view name : {"vehicles", "wheels"}) {
    const TableIndex table = *world->state().Find("vehicles", name);
    State without = world->state();
    without.mutable_table(table).Resize(without.table(table).row_count() - 1);
    EXPECT_EQ(world->Restore(without).code(), absl::StatusCode::kDataLoss);
  }
  State infinite = world->state();
  infinite.mutable_table(*infinite.Find("vehicles", "wheels"))
      .Mutable<WheelRow>(2)
      .spin = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(world->Restore(infinite).code(), absl::StatusCode::kDataLoss);
}

}  // namespace
}  // namespace reprise::sim
