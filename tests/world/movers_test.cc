// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that characters and vehicles of a pack go where players and behaviours
// steer them, tell what happens to them, are drawn, and come and go like all
// else.

#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "sim/physics/vehicles/vehicle_rows.h"
#include "sim/world/definition/behaviour.h"
#include "sim/world/updates/update_context.h"
#include "tests/world/testing_worlds.h"

namespace reprise::sim {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

constexpr std::string_view kTypes = R"(
players {
  actions { name: "x" axis: 0 }
  actions { name: "z" axis: 1 }
  actions { name: "jump" button: 3 }
}
types { name: "ground" body { motion: MOTION_FIXED shapes { plane { normal { y: 1 } } } } }
objects { name: "ground" type: "ground" }
types {
  name: "walker"
  body { motion: MOTION_KINEMATIC shapes { capsule { radius: 0.3 half_length: 0.6 } } }
  character { speed: 3 acceleration: 60 air_acceleration: 20 jump_speed: 4 step_height: 0.3 }
}
types {
  name: "hero"
  extends: "walker"
  character { control { action_x: "x" action_z: "z" action_jump: "jump" } speed: 3 acceleration: 60 air_acceleration: 20 jump_speed: 4 step_height: 0.3 }
}
types { name: "robot" extends: "walker" behaviours { behaviour: "testing_pace" } }
)";

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

// Walks along x, and jumps when it stands; refuses to be driven.
class Pace final : public Behaviour {
 public:
  absl::Status Bind(const BehaviourBinder& /*binder*/) override {
    return absl::OkStatus();
  }
  void UpdateBeforePhysics(UpdateContext& context) const override {
    for (uint32_t i = 0; i < context.object_count(); ++i) {
      EXPECT_TRUE(context.Walk(i, {2.0, 7.0, 0.0}));
      EXPECT_FALSE(context.Walk(i, {kInfinity, 0.0, 0.0}));
      EXPECT_FALSE(context.Drive(i, {.throttle = 1.0}));
      EXPECT_FALSE(context.Vehicle(i).has_value());
      const std::optional<CharacterRow> row = context.Character(i);
      ASSERT_TRUE(row.has_value());
      if (row->ground != kNoObject) context.Jump(i);
    }
  }
  Hooks hooks() const override { return {.before_physics = true}; }

 private:
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();
};
REPRISE_REGISTER_BEHAVIOUR(testing_pace, "testing_pace", Pace);

double BodyOf(const Simulation& world, std::string_view object,
              std::string_view scalar) {
  const auto value = ValueOf(world, "physics", "bodies", object, scalar);
  EXPECT_TRUE(value.has_value()) << object;
  return value.has_value() ? value->AsNumber() : 0.0;
}

// Steps with a device held in one way.
void Hold(Simulation& world, int ticks, int16_t x, int16_t z, bool button) {
  InputFrame frame;
  frame.device.axes[0] = x;
  frame.device.axes[1] = z;
  frame.device.buttons = button ? 1u << 3 : 0;
  for (int i = 0; i < ticks; ++i) {
    world.Step(std::span(&frame, 1), nullptr);
  }
}

TEST(MoversTest, PlayerWalksAndJumps) {
  const auto world = WorldOf(Manifest(
      {kTypes, "objects { name: \"hero\" type: \"hero\" position { y: 1 } }"}));
  StepTimes(*world, 20);
  EXPECT_EQ(EventsOf(*world, "landed").size(), 1u);
  Hold(*world, 60, kAxisMax, 0, false);
  EXPECT_NEAR(BodyOf(*world, "hero", "position.x"), 3.0, 0.1);
  // The stick all the way to two sides is no faster.
  Hold(*world, 60, -kAxisMax, kAxisMax, false);
  EXPECT_NEAR(BodyOf(*world, "hero", "position.z"), 3.0 / std::sqrt(2.0), 0.1);
  Hold(*world, 5, 0, 0, true);
  EXPECT_GT(BodyOf(*world, "hero", "position.y"), 1.05);
  const std::vector<Event> events = world->DrainEvents();
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].type, IdOf("jumped"));
  EXPECT_EQ(events[1].type, IdOf("left_ground"));
  // Held, the button doesn't jump again.
  Hold(*world, 120, 0, 0, true);
  EXPECT_EQ(EventsOf(*world, "jumped").size(), 0u);
}

TEST(MoversTest, BehavioursWalkAndJump) {
  const auto world = WorldOf(Manifest(
      {kTypes,
       "objects { name: \"robot\" type: \"robot\" position { y: 0.92 } }"}));
  StepTimes(*world, 120);
  EXPECT_NEAR(BodyOf(*world, "robot", "position.x"), 4.0, 0.3);
  EXPECT_GE(EventsOf(*world, "jumped").size(), 2u);
}

TEST(MoversTest, PlayerDrivesAndBrakes) {
  const auto world = WorldOf(Manifest(
      {kTypes, kCar,
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

TEST(MoversTest, SnapshotInTheMiddleOfAShiftGoesOnToTheBit) {
  const std::string pack = Manifest(
      {kTypes, GearedKart(kGears),
       "objects { name: \"kart\" type: \"kart\" position { y: 0.5 } }"});
  const auto world = WorldOf(pack);
  const auto drivetrain = [&](std::string_view scalar) {
    return ValueOf(*world, "movers", "drivetrains", "kart", scalar)->AsNumber();
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

TEST(MoversTest, GearsThatCannotBeAreRefusedWithTheirPlace) {
  const auto problems = [](std::string_view drivetrain) {
    return Problems(Manifest({kTypes, GearedKart(drivetrain)}));
  };
  EXPECT_THAT(problems(kGears), IsEmpty());
  EXPECT_THAT(
      problems("drivetrain { torque_curve { rpm: -1 torque_nm: nan } "
               "gear_ratios: [ 3, 0 ] final_drive: 1 efficiency: 2 idle_rpm: "
               "inf shift_s: 11 braking_torque_nm: -1 }"),
      UnorderedElementsAre(HasSubstr("drivetrain.torque_curve: 1 is not"),
                           HasSubstr("torque_curve[0].rpm"),
                           HasSubstr("torque_curve[0].torque_nm"),
                           HasSubstr("drivetrain.gear_ratios"),
                           HasSubstr("drivetrain.efficiency"),
                           HasSubstr("drivetrain.idle_rpm"),
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
          HasSubstr("types[4].vehicle: a shift up at 4000 rpm from gear "
                    "1 comes out at 1000 rpm")));
}

TEST(MoversTest, GearsThatContradictTheVehicleAreRefused) {
  const auto world = WorldOf(Manifest(
      {kTypes, GearedKart(kGears),
       "objects { name: \"kart\" type: \"kart\" position { y: 0.5 } }"}));
  const TableIndex drivetrains = *world->state().Find("movers", "drivetrains");
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

TEST(MoversTest, OnlyVehiclesWithGearsHaveARowForThem) {
  const auto world = WorldOf(Manifest(
      {kTypes, kCar,
       "objects { name: \"kart\" type: \"kart\" position { y: 0.5 } }"}));
  EXPECT_EQ(world->state().Find("movers", "drivetrains"), std::nullopt);
}

TEST(MoversTest, WheelsAreDrawnWhereTheyAre) {
  const auto world = WorldOf(Manifest(
      {kTypes, kCar,
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

TEST(MoversTest, RowsComeAndGoWithTheirObjects) {
  constexpr std::string_view kComings = R"(
types { name: "nest" components { component: "spawner" set { property: "archetype" value { text: "walker" } } set { property: "every_ticks" value { integer: 10 } } set { property: "count_max" value { integer: 3 } } } behaviours { behaviour: "spawn" } }
objects { name: "nest" type: "nest" position { y: 2 } }
types { name: "guest" extends: "walker" timers { name: "nap" event: "sleep" delay_s: 0.5 } timers { name: "end" event: "destroy" delay_s: 2 } }
objects { name: "guest" type: "guest" position { x: 5 y: 1 } }
objects { name: "kart" type: "kart" position { x: -5 y: 0.5 } }
)";
  const auto world = WorldOf(Manifest({kTypes, kCar, kComings}));
  EXPECT_EQ(RowCount(*world, "movers", "characters"), 1u);
  EXPECT_EQ(RowCount(*world, "movers", "wheels"), 4u);
  StepTimes(*world, 29);
  EXPECT_EQ(RowCount(*world, "movers", "characters"), 4u);
  StepTimes(*world, 5);
  EXPECT_EQ(RowCount(*world, "movers", "characters"), 3u);  // one naps
  EXPECT_EQ(RowCount(*world, "movers", "vehicles"), 1u);
  const State snapshot = world->state();
  EXPECT_TRUE(world->Restore(snapshot).ok());
}

TEST(MoversTest, WorldsWithoutMoversHaveNoRoomForThem) {
  const auto world = WorldOf(Manifest({R"(
types { name: "ground" body { motion: MOTION_FIXED shapes { plane { normal { y: 1 } } } } }
objects { name: "ground" type: "ground" }
)"}));
  EXPECT_EQ(world->state().Find("movers", "characters"), std::nullopt);
}

TEST(MoversTest, RowsThatContradictTheObjectsAreRefused) {
  const auto world = WorldOf(Manifest(
      {kTypes, "objects { name: \"hero\" type: \"hero\" position { y: 1 } }"}));
  StepTimes(*world, 5);
  const TableIndex characters = *world->state().Find("movers", "characters");
  State without = world->state();
  without.mutable_table(characters).Resize(0);
  EXPECT_EQ(world->Restore(without).code(), absl::StatusCode::kDataLoss);
  State infinite = world->state();
  infinite.mutable_table(characters).Mutable<CharacterRow>(0).velocity.x =
      std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(world->Restore(infinite).code(), absl::StatusCode::kDataLoss);
}

TEST(MoversTest, CharactersThatPlayersSteerReachGoals) {
  const auto world = WorldOf(Manifest({kTypes, R"(
types { name: "door" body { motion: MOTION_TRIGGER shapes { box { half_extents { x: 0.5 y: 2 z: 2 } } } } goal { reason: "home" } }
objects { name: "door" type: "door" position { x: 3 } }
objects { name: "hero" type: "hero" position { y: 0.92 } }
)"}));
  Hold(*world, 90, kAxisMax, 0, false);
  EXPECT_EQ(world->outcome().status, Outcome::Status::kWon);
  EXPECT_EQ(world->outcome().reason, "home");
}

}  // namespace
}  // namespace reprise::sim
