// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that each kind of joint does what its definition says: what it locks
// stays, what it limits ends where it says, motors, servos and springs reach
// what mechanics says they do, and what is overloaded breaks and is told. All
// by a box of 1 kg that hangs on a fixed one 10 m up, the joint between them.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "sim/physics/bodies/body_lifecycle.h"
#include "sim/physics/bodies/joint_motors.h"
#include "sim/physics/physics_world.h"
#include "sim/physics/testing/testing_world.h"

namespace reprise::sim {
namespace {

constexpr Id kJoint = IdOf("joint");
constexpr ObjectId kBase = {1};
constexpr ObjectId kBox = {2};
constexpr Vector3 kPlace = {0.0, 10.0, 0.0};
constexpr double kGravity = 9.81;

using Kind = decltype(JointDefinition::kind);

// The frames of both bodies coincide where the box begins.
PhysicsDefinition MakeScene(const Kind& kind) {
  PhysicsDefinition definition;
  AddBody(definition, ShapeOf(BoxPrimitive{{0.1, 0.1, 0.1}}), Motion::kFixed,
          kPlace + Vector3{0.0, 1.0, 0.0});
  AddBody(definition, ShapeOf(BoxPrimitive{{0.2, 0.2, 0.2}}), Motion::kDynamic,
          kPlace);
  JointDefinition joint;
  joint.name = kJoint;
  joint.kind = kind;
  joint.object_a = kBox;
  joint.object_b = kBase;
  joint.frame_b.position = {0.0, -1.0, 0.0};
  definition.joints.push_back(joint);
  return definition;
}

PhysicsDefinition WithoutGravity(PhysicsDefinition definition) {
  definition.gravity_m_s2 = {};
  return definition;
}

// Where the box is along the joint's axes and turned about them; the turn as a
// vector, which for one axis is its angle.
std::array<double, kJointAxes> AxesOf(const TestingWorld& world) {
  const BodyRow& row = world.body(1);
  const Vector3 way = row.position - kPlace;
  const Quaternion turn = ToQuaternion(row.basis);
  const Vector3 axis = {turn.x, turn.y, turn.z};
  const double sine = Length(axis);
  const double angle = 2.0 * std::atan2(sine, turn.w);
  const Vector3 angles = sine > 0.0 ? (angle / sine) * axis : Vector3{};
  return {way.x, way.y, way.z, angles.x, angles.y, angles.z};
}

// Pushes the box along or around one axis, with the same size for all.
void Push(TestingWorld& world, uint32_t axis, double force) {
  BodyRow& row = world.mutable_body(1);
  row.activation = Activation::kAwake;
  Vector3 along = {};
  (axis % 3 == 0 ? along.x : axis % 3 == 1 ? along.y : along.z) = force;
  (axis < kFirstTurningAxis ? row.force : row.torque) = along;
}

const JointRow& JointOf(const TestingWorld& world) {
  return world.state().table(world.tables().joints).Get<JointRow>(0);
}

constexpr JointAxis kFree = {.lower = 1.0, .upper = -1.0, .spring = {}};

class SixAxisTest : public testing::TestWithParam<uint32_t> {};

INSTANTIATE_TEST_SUITE_P(Axes, SixAxisTest, testing::Range(0u, kJointAxes));

TEST_P(SixAxisTest, OnlyTheFreeAxisMoves) {
  SixAxisJoint joint;
  joint.axes[GetParam()] = kFree;
  TestingWorld world(WithoutGravity(MakeScene(joint)));
  for (uint32_t axis = 0; axis < kJointAxes; ++axis) {
    for (uint32_t tick = 0; tick < 20; ++tick) {
      Push(world, axis, 0.05);
      world.Step();
    }
  }
  for (uint32_t axis = 0; axis < kJointAxes; ++axis) {
    if (axis == GetParam()) {
      EXPECT_GT(AxesOf(world)[axis], 0.01);
    } else {
      EXPECT_NEAR(AxesOf(world)[axis], 0.0, 1e-3) << axis;
    }
  }
}

TEST_P(SixAxisTest, LimitsHoldAtBothEnds) {
  SixAxisJoint joint;
  joint.axes[GetParam()].lower = -0.2;
  joint.axes[GetParam()].upper = 0.3;
  TestingWorld world(WithoutGravity(MakeScene(joint)));
  for (const double end : {0.3, -0.2}) {
    for (uint32_t tick = 0; tick < 300; ++tick) {
      Push(world, GetParam(), end > 0.0 ? 0.5 : -0.5);
      world.Step();
    }
    EXPECT_NEAR(AxesOf(world)[GetParam()], end, 0.01);
  }
}

TEST_P(SixAxisTest, MotorReachesItsVelocity) {
  SixAxisJoint joint;
  joint.axes[GetParam()] = kFree;
  joint.motor_axis = GetParam();
  joint.motor = {.target = 0.5, .impulse_max = 1.0};
  TestingWorld world(WithoutGravity(MakeScene(joint)));
  world.Step(60);
  EXPECT_NEAR(AxesOf(world)[GetParam()], 0.5, 0.01);
}

TEST_P(SixAxisTest, ServoGoesToItsPlaceAndHolds) {
  SixAxisJoint joint;
  joint.axes[GetParam()] = kFree;
  joint.motor_axis = GetParam();
  joint.motor = {
      .is_servo = true, .target = -0.4, .speed_max = 1.0, .impulse_max = 1.0};
  TestingWorld world(MakeScene(joint));
  world.Step(200);
  EXPECT_NEAR(AxesOf(world)[GetParam()], -0.4, 0.01);
}

TEST_P(SixAxisTest, SpringRestsWhereItSays) {
  SixAxisJoint joint;
  joint.axes[GetParam()] = {
      .lower = 1.0,
      .upper = -1.0,
      .spring = {.rest = 0.25, .stiffness = 20.0, .damping = 2.0}};
  TestingWorld world(WithoutGravity(MakeScene(joint)));
  world.mutable_body(1).activation = Activation::kNeverSleeps;
  world.Step(600);
  EXPECT_NEAR(AxesOf(world)[GetParam()], 0.25, 0.01);
}

// Also of angles that Bullet would take for a lock.
TEST(JointsTest, ConeIsAsWideAsItSaysHoweverNarrow) {
  constexpr double kDegree = kPi / 180.0;
  for (const double degrees : {0.2, 1.0, 2.8, 2.9, 10.0}) {
    const double swing = degrees * kDegree;
    for (const uint32_t axis : {4u, 5u}) {
      TestingWorld world(
          WithoutGravity(MakeScene(ConeTwistJoint{.swing_span_z_rad = swing,
                                                  .swing_span_y_rad = swing,
                                                  .twist_span_rad = 1.0})));
      for (uint32_t tick = 0; tick < 120; ++tick) {
        Push(world, axis, 0.05);
        world.Step();
      }
      EXPECT_NEAR(AxesOf(world)[axis], swing, 0.02 * swing + 1e-3) << degrees;
    }
  }
}

// Pushes the box around an axis one way and then the other, and asks for where
// it ends.
void ExpectEnds(const Kind& kind, uint32_t axis, double lower, double upper) {
  TestingWorld world(WithoutGravity(MakeScene(kind)));
  for (const double end : {upper, lower}) {
    for (uint32_t tick = 0; tick < 300; ++tick) {
      Push(world, axis, end > 0.0 ? 0.05 : -0.05);
      world.Step();
    }
    EXPECT_NEAR(AxesOf(world)[axis], end, 0.01);
  }
}

TEST(JointsTest, HingeStopsAtEachOfItsLimits) {
  ExpectEnds(HingeJoint{.lower_rad = -0.5, .upper_rad = 1.0, .motor = {}},
             /*axis=*/5, -0.5, 1.0);
}

TEST(JointsTest, ConeTwistStopsTwistingBothWays) {
  ExpectEnds(ConeTwistJoint{.swing_span_z_rad = 0.3,
                            .swing_span_y_rad = 0.3,
                            .twist_span_rad = 0.6},
             kFirstTurningAxis, -0.6, 0.6);
}

TEST(JointsTest, AtARightAngleSixAxisJointsStayFinite) {
  SixAxisJoint joint;
  joint.axes[4] = kFree;
  PhysicsDefinition definition = MakeScene(joint);
  definition.bodies[1].rotation = {0.0, std::sqrt(0.5), 0.0, std::sqrt(0.5)};
  TestingWorld world(definition);
  for (uint32_t tick = 0; tick < 100; ++tick) {
    world.Step();
    ASSERT_TRUE(world.world().refused().empty()) << "tick " << tick;
  }
  EXPECT_NEAR(Length(world.body(1).position - kPlace), 0.0, 0.01);
}

TEST(JointsTest, FixedJointCarriesItsLoad) {
  PhysicsDefinition definition = MakeScene(SixAxisJoint{});
  definition.joints[0].frame_a.position = {-1.0, 0.0, 0.0};
  definition.bodies[1].position.x += 1.0;
  TestingWorld world(definition);
  world.Step(300);
  // Ten iterations of the solver let an arm of a metre droop by this much.
  EXPECT_NEAR(Length(world.body(1).position - definition.bodies[1].position),
              0.0, 0.06);
  EXPECT_NEAR(world.body(1).basis.rows[0].x, 1.0, 2e-3);
}

TEST(JointsTest, HingeServoTurnsToItsAngleAgainstALoad) {
  for (const double target : {0.7, -0.7}) {
    HingeJoint hinge;
    hinge.motor = {
        .is_servo = true, .target = target, .speed_max = 2.0, .impulse_max = 5};
    PhysicsDefinition definition = MakeScene(hinge);
    definition.joints[0].frame_a.position = {-0.5, 0.0, 0.0};
    definition.bodies[1].position.x += 0.5;
    TestingWorld world(definition);
    world.Step(200);
    EXPECT_NEAR(AxesOf(world)[5], target, 0.02);
  }
}

TEST(JointsTest, SpringHangsAtItsStaticLength) {
  TestingWorld world(MakeScene(SpringJoint{
      .rest_length_m = 0.5, .stiffness_n_m = 50.0, .damping_n_s_m = 5.0}));
  world.mutable_body(1).activation = Activation::kNeverSleeps;
  world.Step(600);
  EXPECT_NEAR(Length(world.body(1).position - kPlace), 0.5 + kGravity / 50.0,
              1e-3);
}

TEST(JointsTest, SpringSwingsAtItsFrequency) {
  // One swing a second, from a pull of 0.1 m.
  constexpr double kStiffness = 4.0 * 3.14159265358979 * 3.14159265358979;
  PhysicsDefinition definition = WithoutGravity(MakeScene(SpringJoint{
      .rest_length_m = 0.5, .stiffness_n_m = kStiffness, .damping_n_s_m = 0}));
  definition.bodies[1].position.y -= 0.6;
  definition.tick_s = 1.0 / 1000.0;
  TestingWorld world(definition);
  uint32_t crossing = 0;
  while (kPlace.y - world.body(1).position.y > 0.5) {
    world.Step();
    ASSERT_LT(++crossing, 1000u);
  }
  EXPECT_NEAR(crossing, 250.0, 5.0);
}

TEST(JointsTest, NoSpringIsTooStiff) {
  PhysicsDefinition definition = MakeScene(SpringJoint{
      .rest_length_m = 0.5, .stiffness_n_m = 1e12, .damping_n_s_m = 0.0});
  definition.bodies[1].position.y -= 0.6;
  TestingWorld world(definition);
  for (uint32_t tick = 0; tick < 300; ++tick) {
    world.Step();
    ASSERT_LT(Length(world.body(1).position - kPlace), 0.7) << "tick " << tick;
  }
  EXPECT_NEAR(Length(world.body(1).position - kPlace), 0.5, 0.01);
}

TEST(JointsTest, OverloadedJointsOfEachKindBreakAndAreToldOnce) {
  const SpringJoint spring = {.rest_length_m = 0.0};
  for (const Kind& kind :
       {Kind(BallJoint{}), Kind(HingeJoint{}), Kind(ConeTwistJoint{}),
        Kind(spring), Kind(SixAxisJoint{})}) {
    PhysicsDefinition definition = MakeScene(kind);
    definition.joints[0].breaking_impulse_n_s = 1e-2;
    TestingWorld world(definition);
    uint32_t told = 0;
    for (uint32_t tick = 0; tick < 60; ++tick) {
      world.Step();
      for (const PhysicsWorld::BrokenJoint& broken :
           world.world().broken_joints()) {
        EXPECT_EQ(broken.name, kJoint);
        EXPECT_EQ(broken.object_a, kBox);
        EXPECT_EQ(broken.object_b, kBase);
        ++told;
      }
    }
    EXPECT_EQ(told, 1u) << "kind " << kind.index();
    EXPECT_EQ(JointOf(world).is_enabled, 0u);
    EXPECT_LT(world.body(1).position.y, 9.0);
  }
}

TEST(JointsTest, JoinedBodiesTouchOnlyWhenAsked) {
  for (const bool bodies_collide : {false, true}) {
    SixAxisJoint joint;
    joint.axes[1] = kFree;
    PhysicsDefinition definition = MakeScene(joint);
    definition.gravity_m_s2.y = kGravity;  // up, to the fixed box
    definition.joints[0].bodies_collide = bodies_collide;
    TestingWorld world(definition);
    world.Step(120);
    EXPECT_EQ(world.contact_points().row_count() > 0, bodies_collide);
    EXPECT_EQ(world.body(1).position.y < 11.0, bodies_collide);
  }
}

TEST(JointsTest, JointBetweenTouchingBodiesEndsTheirContact) {
  SixAxisJoint joint;
  joint.axes[1] = kFree;
  PhysicsDefinition definition = MakeScene(joint);
  definition.gravity_m_s2.y = kGravity;  // up, to the fixed box
  TestingWorld world(definition);
  ASSERT_EQ(RemoveJoint(world.state(), world.tables(), definition, kJoint),
            absl::OkStatus());
  world.Step(120);
  ASSERT_GT(world.contact_points().row_count(), 0u);
  ASSERT_EQ(AddJoint(world.state(), world.tables(), definition, kJoint),
            absl::OkStatus());
  world.Step(60);
  EXPECT_EQ(world.contact_points().row_count(), 0u);
  EXPECT_GT(world.body(1).position.y, 11.0);
}

// A box that falls up to the fixed one, which it reaches at 0.7 m, on a joint
// that slows it down towards its end at 0.3 m and breaks by that.
PhysicsDefinition MakeBreaking(bool stay_apart) {
  SixAxisJoint joint;
  joint.axes[1].lower = -5.0;
  joint.axes[1].upper = 0.3;
  PhysicsDefinition definition = MakeScene(joint);
  definition.gravity_m_s2.y = kGravity;
  definition.joints[0].breaking_impulse_n_s = 0.3;
  definition.joints[0].stay_apart = stay_apart;
  return definition;
}

// The same with a second joint that lets it go up and down as it likes, and
// doesn't break.
constexpr Id kRail = IdOf("rail");
PhysicsDefinition MakeBreakingOnRail() {
  PhysicsDefinition definition = MakeBreaking(/*stay_apart=*/false);
  SixAxisJoint rail;
  rail.axes[1] = kFree;
  JointDefinition other = definition.joints[0];
  other.name = kRail;
  other.kind = rail;
  other.breaking_impulse_n_s = 1e6;
  definition.joints.push_back(other);
  std::ranges::sort(definition.joints, {}, &JointDefinition::name);
  return definition;
}

void SetEnabled(TestingWorld& world, Id joint, bool is_enabled) {
  Table& joints = world.state().mutable_table(world.tables().joints);
  for (uint32_t i = 0; i < joints.row_count(); ++i) {
    if (joints.Get<JointRow>(i).name != joint) continue;
    joints.Mutable<JointRow>(i).is_enabled = is_enabled ? 1 : 0;
  }
  world.mutable_body(1).activation = Activation::kAwake;
}

TEST(JointsTest, BodiesOfABrokenJointTouchUnlessTheyStayApart) {
  for (const bool stay_apart : {false, true}) {
    TestingWorld world(MakeBreaking(stay_apart));
    world.Step(120);
    ASSERT_EQ(JointOf(world).is_enabled, 0u);
    EXPECT_EQ(world.contact_points().row_count() > 0, !stay_apart);
    EXPECT_EQ(world.body(1).position.y < kPlace.y + 0.75, !stay_apart);
  }
}

TEST(JointsTest, BodiesOfAMendedJointTouchNoMore) {
  TestingWorld world(MakeBreaking(/*stay_apart=*/false));
  world.Step(120);
  ASSERT_GT(world.contact_points().row_count(), 0u);
  SetEnabled(world, kJoint, true);
  world.Step();
  EXPECT_EQ(world.contact_points().row_count(), 0u);
}

// Two joints of the same bodies: each keeps them apart as long as it holds.
TEST(JointsTest, TheOtherJointOfABrokenOneKeepsItsBodiesApart) {
  TestingWorld world(MakeBreakingOnRail());
  world.Step(120);
  EXPECT_EQ(world.contact_points().row_count(), 0u);
  EXPECT_GT(world.body(1).position.y, kPlace.y + 1.0);
}

// One joint breaks, the other is let go, mended while the bodies touch, and let
// go again while they overlap: whoever comes in at any tick goes on with the
// same bits.
TEST(JointsTest, RestoredAtAnyTickItKeepsBodiesApartAsItDid) {
  constexpr uint32_t kTicks = 150;
  const auto play = [](TestingWorld& world, uint32_t tick) {
    if (tick == 5) SetEnabled(world, kRail, false);
    if (tick == 80) SetEnabled(world, kRail, true);
    if (tick == 92) SetEnabled(world, kRail, false);
    world.Step();
  };
  TestingWorld live(MakeBreakingOnRail());
  std::vector<State> states;
  std::vector<Digest> digests;
  uint32_t touching = 0;
  for (uint32_t tick = 0; tick < kTicks; ++tick) {
    states.push_back(live.state());
    play(live, tick);
    digests.push_back(live.digest());
    touching += live.contact_points().row_count() > 0 ? 1 : 0;
  }
  ASSERT_GT(touching, 20u);
  ASSERT_LT(touching, kTicks - 20);
  for (uint32_t from = 0; from < kTicks; from += 3) {
    TestingWorld restored(MakeBreakingOnRail());
    restored.state() = states[from];
    ASSERT_EQ(restored.world().Load(restored.state()), absl::OkStatus());
    for (uint32_t tick = from; tick < kTicks; ++tick) {
      play(restored, tick);
      ASSERT_EQ(restored.digest(), digests[tick]) << from << ", " << tick;
    }
  }
}

TEST(JointsTest, ChangedMotorWakesWhatItMoves) {
  SixAxisJoint slider;
  slider.axes[0] = kFree;
  slider.motor_axis = 0;
  slider.motor = {.target = 0.0, .impulse_max = 1.0};
  TestingWorld world(MakeScene(slider));
  world.Step(200);
  ASSERT_EQ(world.body(1).activation, Activation::kAsleep);

  EXPECT_EQ(
      ChangeMotors(world.state(), world.tables(), *world.definition(), kBox,
                   kJoint, {.target = 1.0, .impulse_max = std::nullopt}),
      absl::OkStatus());
  world.Step(60);

  EXPECT_NEAR(AxesOf(world)[0], 1.0, 0.01);
}

TEST(JointsTest, SlowMotorsGoOnToTheEnd) {
  SixAxisJoint slider;
  slider.axes[0] = kFree;
  slider.motor_axis = 0;
  // For ten seconds slower than what falls asleep.
  slider.motor = {
      .is_servo = true, .target = 1.0, .speed_max = 0.1, .impulse_max = 1.0};
  TestingWorld servo(MakeScene(slider));
  slider.motor = {.target = 0.1, .impulse_max = 1.0};
  TestingWorld motor(MakeScene(slider));
  servo.Step(900);
  motor.Step(900);
  EXPECT_NEAR(AxesOf(servo)[0], 1.0, 1e-3);
  EXPECT_EQ(servo.body(1).activation, Activation::kAsleep);
  EXPECT_NEAR(AxesOf(motor)[0], 1.5, 0.01);
}

TEST(JointsTest, MotorsThatCannotBeAreRefused) {
  TestingWorld world(MakeScene(HingeJoint{}));
  const auto change = [&](ObjectId object, Id joint, double target) {
    return ChangeMotors(world.state(), world.tables(), *world.definition(),
                        object, joint,
                        {.target = target, .impulse_max = std::nullopt})
        .code();
  };
  EXPECT_EQ(change(kBox, kJoint, 1.0), absl::StatusCode::kOk);
  EXPECT_EQ(change(kBox, kNoId, 1.0), absl::StatusCode::kOk);
  EXPECT_EQ(change(kBox, IdOf("other"), 1.0), absl::StatusCode::kNotFound);
  EXPECT_EQ(change({9}, kNoId, 1.0), absl::StatusCode::kNotFound);
  EXPECT_EQ(change(kBox, kJoint, std::numeric_limits<double>::quiet_NaN()),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(JointOf(world).motor_target, 1.0);
}

}  // namespace
}  // namespace reprise::sim
