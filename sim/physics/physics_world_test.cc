// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves what a step does: bodies of every shape fall and rest where they
// should, joints hold, triggers report, what the game writes is taken over,
// what can't be is refused, and no island knows of another. Small scenes, and
// where there is one the closed form.

#include "sim/physics/physics_world.h"

#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "sim/base/id.h"
#include "sim/physics/bodies/body_rows.h"
#include "sim/physics/bodies/touching_pairs.h"
#include "sim/physics/testing/pile.h"
#include "sim/physics/testing/testing_world.h"

namespace reprise::sim {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
// Bodies rest a little inside or above each other: the solver's tolerances.
constexpr double kRestToleranceM = 0.03;

// A ball of 1 kg, as object 2, above a floor.
PhysicsDefinition MakeBallAboveFloor(double height_m) {
  PhysicsDefinition definition = MakeFloor();
  AddBody(definition, ShapeOf(SpherePrimitive{0.5}), Motion::kDynamic,
          {0.0, height_m, 0.0});
  return definition;
}

TEST(PhysicsWorldTest, FallsAsGravitySays) {
  TestingWorld world(MakeBallAboveFloor(50.0));

  world.Step(60);

  EXPECT_NEAR(world.body(1).position.y, 50.0 - 0.5 * 9.81, 1e-9);
  EXPECT_NEAR(world.body(1).linear_velocity.y, -9.81, 1e-9);
}

TEST(PhysicsWorldTest, SubstepsDivideTheTick) {
  PhysicsDefinition definition = MakeBallAboveFloor(50.0);
  definition.substeps = 4;
  TestingWorld world(definition);

  world.Step(60);

  EXPECT_NEAR(world.body(1).position.y, 50.0 - 0.5 * 9.81, 1e-9);
}

TEST(PhysicsWorldTest, GravityIsScaledByKind) {
  PhysicsDefinition definition = MakeBallAboveFloor(50.0);
  definition.kinds[1].gravity_scale = -0.5;
  TestingWorld world(definition);

  world.Step(60);

  EXPECT_NEAR(world.body(1).position.y, 50.0 + 0.5 * 0.5 * 9.81, 1e-9);
}

// A ball hits a box at an angle, which would turn and slide away.
TEST(PhysicsWorldTest, LockedAxesHold) {
  PhysicsDefinition definition = MakeFloor();
  AddBody(definition, ShapeOf(BoxPrimitive{}), Motion::kDynamic,
          {0.0, 0.6, 0.0});
  definition.kinds[1].locked_position = {.x = true};
  definition.kinds[1].locked_rotation = {.x = true, .y = true, .z = true};
  AddBody(definition, ShapeOf(SpherePrimitive{0.3}), Motion::kDynamic,
          {0.2, 0.6, -3.0});
  definition.bodies[2].linear_velocity_m_s = {1.0, 0.0, 8.0};
  TestingWorld world(definition);

  world.Step(300);

  EXPECT_EQ(world.body(1).position.x, 0.0);
  EXPECT_EQ(world.body(1).basis, Matrix3{});
  EXPECT_GT(world.body(1).position.z, 0.1);
  EXPECT_NEAR(world.body(1).position.y, 0.5, kRestToleranceM);
}

// Turning freely around one axis only, out of balance: no torque makes it turn
// around another.
TEST(PhysicsWorldTest, LockedRotationTakesNoGyroscopicTorque) {
  PhysicsDefinition definition;
  definition.gravity_m_s2 = {};
  const AddedBody body = AddBody(
      definition, ShapeOf(BoxPrimitive{{1.0, 0.1, 0.3}}), Motion::kDynamic, {});
  body.kind.locked_rotation = {.x = true, .z = true};
  body.placement.rotation = FromAxisAngle({1.0, 0.0, 1.0}, 0.6);
  body.placement.angular_velocity_rad_s = {0.0, 8.0, 0.0};
  TestingWorld world(definition);

  world.Step(300);

  EXPECT_EQ(world.body(0).angular_velocity, (Vector3{0.0, 8.0, 0.0}));
}

struct RestingShape {
  std::string name;
  ShapeDefinition shape;
  double height_m;  // of the centre above what it rests on
};

class RestingShapeTest : public testing::TestWithParam<RestingShape> {};

TEST_P(RestingShapeTest, RestsOnABox) {
  PhysicsDefinition definition = MakeFloor();
  AddBody(definition, GetParam().shape, Motion::kDynamic, {0.0, 1.5, 0.0});
  TestingWorld world(definition);

  world.Step(400);

  EXPECT_NEAR(world.body(1).position.y, GetParam().height_m, kRestToleranceM);
  EXPECT_EQ(world.body(1).activation, Activation::kAsleep);
}

// The plane is the first object of its pairs, where Bullet wants it second.
TEST_P(RestingShapeTest, RestsOnAPlane) {
  PhysicsDefinition definition;
  AddBody(definition, PlaneShape{.normal = {0.0, 1.0, 0.0}, .offset_m = 2.0},
          Motion::kFixed, {});
  AddBody(definition, GetParam().shape, Motion::kDynamic, {0.0, 3.5, 0.0});
  TestingWorld world(definition);

  world.Step(400);

  EXPECT_NEAR(world.body(1).position.y, 2.0 + GetParam().height_m,
              kRestToleranceM);
  EXPECT_GT(world.contact_points().row_count(), 0u);
  const auto& point = world.contact_points().Get<ContactPointRow>(0);
  EXPECT_EQ(point.object_a, (ObjectId{1}));
  EXPECT_NEAR(point.normal.y, -1.0, 1e-3);  // out of object_b
}

SolidShape MakeDumbbell() {
  SolidShape shape;
  shape.primitives.push_back({.solid = SpherePrimitive{0.25},
                              .position = {-0.5, 0.0, 0.0},
                              .rotation = {}});
  shape.primitives.push_back({.solid = BoxPrimitive{{0.25, 0.25, 0.25}},
                              .position = {0.5, 0.0, 0.0},
                              .rotation = {}});
  return shape;
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, RestingShapeTest,
    testing::Values(
        RestingShape{"Sphere", ShapeOf(SpherePrimitive{0.5}), 0.5},
        RestingShape{"Box", ShapeOf(BoxPrimitive{{0.5, 0.25, 0.5}}), 0.25},
        RestingShape{"Capsule", ShapeOf(CapsulePrimitive{0.25, 0.5}), 0.5},
        RestingShape{"Cylinder", ShapeOf(CylinderPrimitive{0.5, 0.6}), 0.3},
        RestingShape{"Compound", MakeDumbbell(), 0.25}),
    [](const auto& info) { return info.param.name; });

TEST(PhysicsWorldTest, LayersThatDontMeetDontTouch) {
  PhysicsDefinition definition = MakeBallAboveFloor(1.0);
  definition.kinds[1].layers = 2;
  definition.kinds[0].collides_with = 1;
  TestingWorld world(definition);

  world.Step(120);

  EXPECT_LT(world.body(1).position.y, -5.0);
}

TEST(PhysicsWorldTest, TriggerReportsAndDoesNotPush) {
  PhysicsDefinition definition;
  AddBody(definition, ShapeOf(BoxPrimitive{}), Motion::kFixed, {})
      .kind.is_trigger = true;
  AddBody(definition, ShapeOf(SpherePrimitive{0.1}), Motion::kDynamic,
          {0.0, 1.0, 0.0});
  TestingWorld world(definition);

  std::vector<size_t> touching_counts;
  for (int i = 0; i < 60; ++i) {
    world.Step();
    touching_counts.push_back(
        CollectTouchingPairs(world.state(), world.tables()).size());
  }

  EXPECT_EQ(touching_counts.front(), 0u);
  EXPECT_EQ(touching_counts[30], 1u);
  EXPECT_EQ(touching_counts.back(), 0u);
  EXPECT_NEAR(world.body(1).linear_velocity.y, -9.81, 1e-9);
}

// The solver mends a part of a joint's error in each step.
constexpr double kJointToleranceM = 0.03;

// A box hanging at the side of an anchor that doesn't move, joined to it
// (object 1) or to the world.
PhysicsDefinition MakePendulum(bool hangs_on_world) {
  PhysicsDefinition definition;
  AddBody(definition, ShapeOf(SpherePrimitive{0.1}), Motion::kFixed,
          {0.0, 10.0, 0.0});
  AddBody(definition, ShapeOf(BoxPrimitive{{0.2, 0.2, 0.2}}), Motion::kDynamic,
          {1.0, 10.0, 0.0});
  JointDefinition joint;
  joint.name = IdOf("arm");
  joint.kind = BallJoint{};
  joint.object_a = {2};
  joint.frame_a.position = {-1.0, 0.0, 0.0};
  if (hangs_on_world) {
    joint.frame_b.position = {0.0, 10.0, 0.0};
  } else {
    joint.object_b = {1};
  }
  definition.joints.push_back(joint);
  return definition;
}

double PendulumLength(const BodyRow& row) {
  return Length(row.position - Vector3{0.0, 10.0, 0.0});
}

// Where it was put before the first tick, and where the trigger comes to it.
TEST(PhysicsWorldTest, TriggersSeeKinematicBodiesThatStand) {
  PhysicsDefinition definition;
  AddBody(definition, ShapeOf(SpherePrimitive{2.0}), Motion::kFixed, {})
      .kind.is_trigger = true;
  for (const double x : {1.0, 10.0}) {
    AddBody(definition, ShapeOf(SpherePrimitive{0.5}), Motion::kKinematic,
            {x, 0.0, 0.0});
  }
  TestingWorld world(definition);
  world.Step(2);
  EXPECT_THAT(CollectTouchingPairs(world.state(), world.tables()),
              ElementsAre(TouchingPair{{1}, {2}}));
  world.mutable_body(0).position.x = 9.0;
  world.Step();
  EXPECT_THAT(CollectTouchingPairs(world.state(), world.tables()),
              ElementsAre(TouchingPair{{1}, {3}}));
}

TEST(PhysicsWorldTest, BallJointHolds) {
  for (const bool hangs_on_world : {false, true}) {
    TestingWorld world(MakePendulum(hangs_on_world));
    world.Step(200);
    EXPECT_NEAR(PendulumLength(world.body(1)), 1.0, kJointToleranceM);
    EXPECT_LT(world.body(1).position.y, 10.0);
  }
}

TEST(PhysicsWorldTest, JointsOfEveryKindHold) {
  for (const auto& kind : std::vector<decltype(JointDefinition::kind)>{
           HingeJoint{}, ConeTwistJoint{}}) {
    PhysicsDefinition definition = MakePendulum(/*hangs_on_world=*/false);
    definition.joints[0].kind = kind;
    TestingWorld world(definition);
    world.Step(200);
    EXPECT_NEAR(PendulumLength(world.body(1)), 1.0, kJointToleranceM);
  }
}

TEST(PhysicsWorldTest, HingeMotorTurns) {
  PhysicsDefinition definition = MakePendulum(/*hangs_on_world=*/false);
  definition.gravity_m_s2 = {};
  definition.joints[0].kind =
      HingeJoint{.motor = {.target = 2.0, .impulse_max = 10.0}};
  TestingWorld world(definition);

  world.Step(60);

  EXPECT_NEAR(std::abs(world.body(1).angular_velocity.z), 2.0, 0.01);
}

TEST(PhysicsWorldTest, OverloadedJointBreaks) {
  PhysicsDefinition definition = MakePendulum(/*hangs_on_world=*/true);
  definition.joints[0].breaking_impulse_n_s = 1e-3;
  TestingWorld world(definition);

  world.Step(120);

  const Table& joints = world.state().table(world.tables().joints);
  EXPECT_EQ(joints.Get<JointRow>(0).is_enabled, 0u);
  EXPECT_GT(PendulumLength(world.body(1)), 5.0);
}

TEST(PhysicsWorldTest, WrittenVelocityAndPoseAreTakenOver) {
  TestingWorld world(MakeBallAboveFloor(50.0));
  world.Step(10);

  world.mutable_body(1).position = {3.0, 60.0, 0.0};
  world.mutable_body(1).linear_velocity = {6.0, 0.0, 0.0};
  world.Step(60);

  EXPECT_NEAR(world.body(1).position.x, 9.0, 1e-9);
  EXPECT_NEAR(world.body(1).position.y, 60.0 - 0.5 * 9.81, 1e-9);
}

TEST(PhysicsWorldTest, WrittenJointIsTakenOver) {
  TestingWorld world(MakePendulum(/*hangs_on_world=*/false));
  world.Step(10);

  world.state()
      .mutable_table(world.tables().joints)
      .Mutable<JointRow>(0)
      .is_enabled = 0;
  world.Step(120);

  EXPECT_GT(PendulumLength(world.body(1)), 5.0);
}

TEST(PhysicsWorldTest, ForceHoldsForOneTickWhateverTheSubsteps) {
  for (const uint32_t substeps : {1u, 5u}) {
    PhysicsDefinition definition = MakeBallAboveFloor(50.0);
    definition.substeps = substeps;
    TestingWorld world(definition);

    world.mutable_body(1).force = {60.0, 0.0, 0.0};
    world.Step(2);

    EXPECT_NEAR(world.body(1).linear_velocity.x, 1.0, 1e-9);
    EXPECT_EQ(world.body(1).force, Vector3{});
  }
}

TEST(PhysicsWorldTest, ForceOfARestoredRowHolds) {
  TestingWorld world(MakeBallAboveFloor(50.0));
  world.mutable_body(1).force = {60.0, 0.0, 0.0};

  ASSERT_EQ(world.world().Load(world.state()), absl::OkStatus());
  world.Step();

  EXPECT_NEAR(world.body(1).linear_velocity.x, 1.0, 1e-9);
}

TEST(PhysicsWorldTest, RestoredRowThatIsTooFastIsRefusedBeforeItMoves) {
  for (const Activation activation :
       {Activation::kAwake, Activation::kAsleep}) {
    TestingWorld world(MakeBallAboveFloor(50.0));
    BodyRow& ball = world.mutable_body(1);
    ball.linear_velocity.x = 1.01 * kSpeedMax;
    ball.activation = activation;

    ASSERT_EQ(world.world().Load(world.state()), absl::OkStatus());
    world.Step();

    EXPECT_THAT(world.world().refused(), ElementsAre(ObjectId{2}));
    EXPECT_EQ(world.body(1).position.x, 0.0);
    EXPECT_EQ(world.body(1).linear_velocity.x, 0.0);
  }
}

TEST(PhysicsWorldTest, FixedBodyKeepsOnlyAWrittenPose) {
  TestingWorld world(MakeBallAboveFloor(50.0));

  BodyRow& floor = world.mutable_body(0);
  floor.position.y = -2.0;
  floor.linear_velocity = {1.0, 0.0, 0.0};
  floor.force = {1.0, 0.0, 0.0};
  world.Step(2);

  EXPECT_EQ(world.body(0).position.y, -2.0);
  EXPECT_EQ(world.body(0).linear_velocity, Vector3{});
  EXPECT_EQ(world.body(0).force, Vector3{});
}

TEST(PhysicsWorldTest, RowsOfSleepersAreNotWritten) {
  TestingWorld world(MakeBallAboveFloor(0.5));
  world.Step(400);
  ASSERT_EQ(world.body(1).activation, Activation::kAsleep);
  const uint64_t body_stamp =
      world.state().table(world.tables().bodies).PageStamp(0);
  const uint64_t contact_stamp = world.contact_points().PageStamp(0);

  world.Step(10);

  EXPECT_EQ(world.state().table(world.tables().bodies).PageStamp(0),
            body_stamp);
  EXPECT_EQ(world.contact_points().PageStamp(0), contact_stamp);
}

TEST(PhysicsWorldTest, WrittenNanIsRefusedAndTheLastPoseKept) {
  TestingWorld world(MakeBallAboveFloor(50.0));
  world.Step(10);
  const double height = world.body(1).position.y;

  world.mutable_body(1).position.x = kNan;
  world.Step();

  EXPECT_THAT(world.world().refused(), ElementsAre(ObjectId{2}));
  EXPECT_EQ(world.body(1).position.x, 0.0);
  EXPECT_NEAR(world.body(1).position.y, height, 0.01);
  world.Step();
  EXPECT_THAT(world.world().refused(), IsEmpty());
}

TEST(PhysicsWorldTest, BodyThatBlowsUpStaysFinite) {
  TestingWorld world(MakeBallAboveFloor(0.5));
  world.Step(60);

  world.mutable_body(1).force = {1e308, 1e308, 1e308};
  world.Step();

  EXPECT_THAT(world.world().refused(), ElementsAre(ObjectId{2}));
  EXPECT_TRUE(IsUsable(world.body(1)));
  EXPECT_EQ(world.body(1).linear_velocity, Vector3{});
  EXPECT_EQ(world.contact_points().row_count(), 0u);
  world.Step(60);
  EXPECT_NEAR(world.body(1).position.y, 0.5, kRestToleranceM);
}

TEST(PhysicsWorldTest, BodyFasterThanTheLimitIsStopped) {
  TestingWorld world(MakeBallAboveFloor(100.0));
  world.mutable_body(1).linear_velocity = {kSpeedMax, 0.0, 0.0};
  world.Step();
  EXPECT_TRUE(world.world().refused().empty());

  // What the game wrote is refused at once, what a step makes after it.
  const Vector3 before = world.body(1).position;
  world.mutable_body(1).angular_velocity = {0.0, 1.01 * kSpeedMax, 0.0};
  world.Step();
  EXPECT_THAT(world.world().refused(), ElementsAre(ObjectId{2}));
  EXPECT_NEAR(world.body(1).position.x, before.x, 1e-9);
  world.mutable_body(1).force = {100.0 * kSpeedMax, 0.0, 0.0};
  world.Step();
  EXPECT_THAT(world.world().refused(), ElementsAre(ObjectId{2}));
  EXPECT_EQ(world.body(1).linear_velocity, Vector3{});
  world.Step(60);
  EXPECT_TRUE(world.world().refused().empty());
}

TEST(PhysicsWorldTest, LoadRefusesRowsThatCannotBe) {
  TestingWorld world(MakeBallAboveFloor(0.5));
  world.Step(60);
  const State good = world.state();
  ASSERT_GT(world.contact_points().row_count(), 0u);
  const PhysicsTables& tables = world.tables();
  const auto contact = [&](State& state) -> ContactPointRow& {
    return state.mutable_table(tables.contact_points)
        .Mutable<ContactPointRow>(0);
  };
  const auto body = [&](State& state) -> BodyRow& {
    return state.mutable_table(tables.bodies).Mutable<BodyRow>(1);
  };
  const std::vector<std::pair<std::string, std::function<void(State&)>>>
      damages = {
          {"contact_points[0]",
           [&](State& s) { s.mutable_table(tables.bodies).Resize(1); }},
          {"bodies[1]", [&](State& s) { body(s).object = {1}; }},
          {"bodies[1]", [&](State& s) { body(s).object = kNoObject; }},
          {"bodies[1]", [&](State& s) { body(s).kind = 2; }},
          {"contact_points[0]", [&](State& s) { body(s).object = {7}; }},
          {"contact_points[0]", [&](State& s) { body(s).kind = 0; }},
          {"bodies has",
           [&](State& s) {
             s.mutable_table(tables.bodies).Resize(kBodiesMax + 1);
           }},
          {"bodies[1]", [&](State& s) { body(s).basis.rows[1].z = kNan; }},
          {"bodies[1]", [&](State& s) { body(s).activation = Activation(9); }},
          {"joints[0]",
           [&](State& s) { s.mutable_table(tables.joints).Resize(1); }},
          {"contact_points[0]", [&](State& s) { contact(s).object_b = {3}; }},
          {"contact_points[0]", [&](State& s) { contact(s).object_a = {2}; }},
          {"contact_points[0]", [&](State& s) { contact(s).primitives = 1; }},
          {"contact_points[0]", [&](State& s) { contact(s).slot = 1; }},
          {"contact_points[0]", [&](State& s) { contact(s).impulse = kNan; }},
      };

  for (const auto& [place, damage] : damages) {
    State damaged = good;
    damage(damaged);
    const absl::Status status = world.world().Load(damaged);
    EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
    EXPECT_THAT(std::string(status.message()), HasSubstr(place));
  }
}

TEST(PhysicsWorldTest, FailedLoadChangesNothing) {
  TestingWorld world(MakePile({.body_count = 20}));
  TestingWorld undisturbed(MakePile({.body_count = 20}));
  world.Step(100);
  undisturbed.Step(100);
  State damaged = world.state();
  damaged.mutable_table(world.tables().bodies).Mutable<BodyRow>(9).position.x =
      kNan;

  ASSERT_EQ(world.world().Load(damaged).code(), absl::StatusCode::kDataLoss);

  world.Step(100);
  undisturbed.Step(100);
  EXPECT_EQ(world.digest(), undisturbed.digest());
}

TEST(PhysicsWorldTest, ForksGoTheirOwnWays) {
  TestingWorld world(MakePile({.body_count = 20}));
  world.Step(100);
  State fork_state = world.state();
  PhysicsWorld fork(world.definition(), world.tables());
  ASSERT_EQ(fork.Load(fork_state), absl::OkStatus());

  fork_state.mutable_table(world.tables().bodies)
      .Mutable<BodyRow>(9)
      .linear_velocity.y += 5.0;
  TestingWorld undisturbed(MakePile({.body_count = 20}));
  undisturbed.Step(150);
  for (int i = 0; i < 50; ++i) {
    fork.Step(fork_state);
    world.Step();
  }

  EXPECT_EQ(world.digest(), undisturbed.digest());
  EXPECT_NE(fork_state.ComputeRootDigest(), world.digest());
}

// Adds the bodies of `other`, moved far away along x, as the objects from
// `first_serial` on. Without joints.
void AddFarAway(const PhysicsDefinition& other, uint64_t first_serial,
                double offset_m, PhysicsDefinition& definition) {
  const auto first_shape = static_cast<uint32_t>(definition.shapes.size());
  for (const ShapeDefinition& shape : other.shapes) {
    definition.shapes.push_back(shape);
  }
  const auto first_kind = static_cast<uint32_t>(definition.kinds.size());
  for (BodyKind kind : other.kinds) {
    kind.shape += first_shape;
    definition.kinds.push_back(kind);
  }
  for (BodyPlacement body : other.bodies) {
    body.object.serial += first_serial - 1;
    body.kind += first_kind;
    body.position.x += offset_m;
    definition.bodies.push_back(body);
  }
}

TEST(PhysicsWorldTest, FarPileDoesNotChangeABit) {
  const PhysicsDefinition pile =
      MakePile({.body_count = 40, .has_joints = false});
  const PhysicsDefinition other =
      MakePile({.body_count = 25, .seed = 2, .has_joints = false});
  PhysicsDefinition alone;
  AddFarAway(pile, 1000, 0.0, alone);
  PhysicsDefinition both;
  AddFarAway(other, 1, 500.0, both);
  AddFarAway(pile, 1000, 0.0, both);
  TestingWorld world_alone(alone);
  TestingWorld world_both(both);

  world_alone.Step(600);
  world_both.Step(600);

  const auto first = static_cast<uint32_t>(other.bodies.size());
  for (uint32_t i = 0; i < alone.bodies.size(); ++i) {
    BodyRow row = world_both.body(first + i);
    row.kind = world_alone.body(i).kind;
    EXPECT_TRUE(SameBits(world_alone.body(i), row)) << "body " << i;
  }
}

TEST(PhysicsWorldTest, WorldWithoutBodiesSteps) {
  TestingWorld world(PhysicsDefinition{});
  const Digest before = world.digest();
  world.Step(3);
  EXPECT_EQ(world.digest(), before);
}

}  // namespace
}  // namespace reprise::sim
