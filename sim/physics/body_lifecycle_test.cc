// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that bodies and joints come and go by their rows alone: what is added
// is simulated, what is removed takes its contacts and joints along and wakes
// its neighbours, the order of changes decides nothing, and what can't be is
// refused and changes nothing.

#include "sim/physics/bodies/body_lifecycle.h"

#include <cstdint>
#include <limits>
#include <vector>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "sim/base/id.h"
#include "sim/physics/bodies/body_forces.h"
#include "sim/physics/bodies/body_rows.h"
#include "sim/physics/physics_world.h"
#include "sim/physics/testing/pile.h"
#include "sim/physics/testing/testing_world.h"

namespace reprise::sim {
namespace {

constexpr Id kRope = IdOf("rope");
constexpr uint32_t kBoxKind = 1;

// A floor (object 1), a tower of three boxes (2 to 4), and a ball (5) that
// hangs on the top one by a rope.
PhysicsDefinition MakeTower() {
  PhysicsDefinition definition = MakeFloor();
  for (int i = 0; i < 3; ++i) {
    AddBody(definition, ShapeOf(BoxPrimitive{}), Motion::kDynamic,
            {0.0, 0.5 + i, 0.0});
    definition.bodies.back().kind = kBoxKind;
  }
  AddBody(definition, ShapeOf(SpherePrimitive{0.1}), Motion::kDynamic,
          {0.0, 3.5, 0.0});
  JointDefinition joint;
  joint.name = kRope;
  joint.kind = BallJoint{};
  joint.object_a = {5};
  joint.object_b = {4};
  joint.frame_a.position = {0.0, -0.5, 0.0};
  joint.frame_b.position = {0.0, 0.5, 0.0};
  definition.joints.push_back(joint);
  return definition;
}

class BodyLifecycleTest : public testing::Test {
 protected:
  absl::Status Add(TestingWorld& world, uint64_t serial, Vector3 position) {
    return AddBody(
        world.state(), world.tables(), *world.definition(),
        {.object = {serial}, .kind = kBoxKind, .position = position});
  }
  absl::Status Remove(TestingWorld& world, uint64_t serial) {
    return RemoveBody(world.state(), world.tables(), *world.definition(),
                      {serial});
  }
  absl::Status Join(TestingWorld& world, Id name) {
    return AddJoint(world.state(), world.tables(), *world.definition(), name);
  }

  static const BodyRow& BodyOf(const TestingWorld& world, uint64_t serial) {
    return world.body(*FindBody(world.state(), world.tables(), {serial}));
  }
  static uint32_t JointCount(const TestingWorld& world) {
    return world.state().table(world.tables().joints).row_count();
  }

  TestingWorld world_{MakeTower()};
};

TEST_F(BodyLifecycleTest, AddedBodyFalls) {
  world_.Step(10);
  ASSERT_EQ(Add(world_, 100, {5.0, 20.0, 0.0}), absl::OkStatus());

  world_.Step(60);

  // For a second.
  EXPECT_NEAR(BodyOf(world_, 100).position.y, 20.0 - 0.5 * 9.81, 1e-9);
}

TEST_F(BodyLifecycleTest, BodiesAroundAnAddedOneGoOn) {
  ASSERT_EQ(Remove(world_, 3), absl::OkStatus());
  world_.Step(10);
  const Vector3 ball = BodyOf(world_, 5).position;
  const Vector3 box = BodyOf(world_, 2).position;

  ASSERT_EQ(Add(world_, 3, {9.0, 0.5, 0.0}), absl::OkStatus());

  EXPECT_EQ(BodyOf(world_, 5).position, ball);
  EXPECT_EQ(BodyOf(world_, 2).position, box);
  world_.Step();
  EXPECT_NEAR(BodyOf(world_, 3).position.x, 9.0, 1e-6);
}

TEST_F(BodyLifecycleTest, WhatStoodOnARemovedBodyFalls) {
  ASSERT_EQ(Remove(world_, 5), absl::OkStatus());
  world_.Step(400);
  ASSERT_EQ(BodyOf(world_, 3).activation, Activation::kAsleep);

  ASSERT_EQ(Remove(world_, 2), absl::OkStatus());
  world_.Step(120);

  EXPECT_NEAR(BodyOf(world_, 3).position.y, 0.5, 0.03);
}

TEST_F(BodyLifecycleTest, AddedFixedBodyWakesWhatItTouchesAndNobodyElse) {
  ASSERT_EQ(Remove(world_, 5), absl::OkStatus());
  world_.Step(400);
  const auto add_slab = [&](uint64_t serial, double x) {
    return AddBody(world_.state(), world_.tables(), *world_.definition(),
                   {.object = {serial}, .kind = 0, .position = {x, 2.5, 0.0}});
  };

  // It reaches 20 m to either side, and from 1.5 m up to 3.5 m.
  ASSERT_EQ(add_slab(100, 60.0), absl::OkStatus());
  EXPECT_EQ(BodyOf(world_, 4).activation, Activation::kAsleep);
  ASSERT_EQ(add_slab(101, 20.4), absl::OkStatus());

  EXPECT_EQ(BodyOf(world_, 4).activation, Activation::kAwake);
  EXPECT_EQ(BodyOf(world_, 3).activation, Activation::kAwake);
  EXPECT_EQ(BodyOf(world_, 2).activation, Activation::kAsleep);
  world_.Step(60);
  EXPECT_LT(BodyOf(world_, 4).position.x, -0.05);
}

TEST_F(BodyLifecycleTest, ChangedBodyGoesOnAsAnotherKindFromAnySnapshot) {
  constexpr uint32_t kBallKind = 4;
  world_.Step(400);
  const BodyRow before = BodyOf(world_, 4);
  const auto change = [&](uint64_t serial, uint32_t kind) {
    return ChangeBodyKind(world_.state(), world_.tables(), *world_.definition(),
                          {serial}, kind);
  };
  EXPECT_EQ(change(99, kBallKind).code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(change(4, 0).code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(change(4, 77).code(), absl::StatusCode::kInvalidArgument);

  ASSERT_EQ(change(4, kBallKind), absl::OkStatus());

  EXPECT_EQ(BodyOf(world_, 4).position, before.position);
  EXPECT_EQ(BodyOf(world_, 4).linear_velocity, before.linear_velocity);
  EXPECT_EQ(BodyOf(world_, 3).activation, Activation::kAwake);
  EXPECT_EQ(JointCount(world_), 1u);
  State copy = world_.state();
  PhysicsWorld other(world_.definition(), world_.tables());
  ASSERT_EQ(other.Load(copy), absl::OkStatus());
  for (int tick = 0; tick < 300; ++tick) {
    world_.Step();
    other.Step(copy);
    ASSERT_EQ(copy.ComputeRootDigest(), world_.digest()) << "tick " << tick;
  }
  // A ball of 0.1 m in a box's place: it came down.
  EXPECT_LT(BodyOf(world_, 4).position.y, 2.2);
  EXPECT_EQ(JointCount(world_), 1u);
}

TEST_F(BodyLifecycleTest, RemovedBodyTakesContactsAndJointsAlong) {
  world_.Step(60);
  ASSERT_GT(world_.contact_points().row_count(), 0u);

  ASSERT_EQ(Remove(world_, 4), absl::OkStatus());

  EXPECT_EQ(JointCount(world_), 0u);
  const Table& points = world_.contact_points();
  for (uint32_t row = 0; row < points.row_count(); ++row) {
    const auto& point = points.Get<ContactPointRow>(row);
    EXPECT_NE(point.object_a, (ObjectId{4}));
    EXPECT_NE(point.object_b, (ObjectId{4}));
  }
  EXPECT_EQ(world_.world().Load(world_.state()), absl::OkStatus());
}

TEST_F(BodyLifecycleTest, JointComesBackWithItsBodies) {
  ASSERT_EQ(Remove(world_, 5), absl::OkStatus());
  world_.Step(10);
  EXPECT_EQ(Join(world_, kRope).code(), absl::StatusCode::kFailedPrecondition);

  ASSERT_EQ(AddBody(world_.state(), world_.tables(), *world_.definition(),
                    world_.definition()->bodies[4]),
            absl::OkStatus());
  ASSERT_EQ(Join(world_, kRope), absl::OkStatus());
  world_.Step(200);

  // The rope's end, on a box that the ball pulls to and fro.
  const BodyRow& box = BodyOf(world_, 4);
  const Vector3 end = box.position + box.basis * Vector3{0.0, 0.5, 0.0};
  EXPECT_NEAR(Length(BodyOf(world_, 5).position - end), 0.5, 0.01);
}

TEST_F(BodyLifecycleTest, RemovedJointLetsGo) {
  TestingWorld held(MakeTower());
  ASSERT_EQ(
      RemoveJoint(world_.state(), world_.tables(), *world_.definition(), kRope),
      absl::OkStatus());
  // Joined bodies don't collide; these two do again.
  ASSERT_TRUE(FindBody(world_.state(), world_.tables(), {5}).has_value());
  world_.mutable_body(4).linear_velocity = {0.0, 3.0, 0.0};
  held.mutable_body(4).linear_velocity = {0.0, 3.0, 0.0};
  world_.Step(15);
  held.Step(15);

  EXPECT_GT(BodyOf(world_, 5).position.y, 3.8);
  EXPECT_LT(BodyOf(held, 5).position.y, 3.7);
}

TEST_F(BodyLifecycleTest, OrderOfChangesDecidesNothing) {
  TestingWorld other(MakeTower());
  world_.Step(30);
  other.Step(30);

  for (const uint64_t serial : {7, 8, 9}) {
    const double x = static_cast<double>(serial);
    ASSERT_EQ(Add(world_, serial, {0.1 * x, x, 0.0}), absl::OkStatus());
  }
  ASSERT_EQ(Remove(world_, 3), absl::OkStatus());
  ASSERT_EQ(Remove(other, 3), absl::OkStatus());
  for (const uint64_t serial : {9, 7, 8}) {
    const double x = static_cast<double>(serial);
    ASSERT_EQ(Add(other, serial, {0.1 * x, x, 0.0}), absl::OkStatus());
  }

  for (int tick = 0; tick < 200; ++tick) {
    ASSERT_EQ(world_.digest(), other.digest()) << "tick " << tick;
    world_.Step();
    other.Step();
  }
}

TEST_F(BodyLifecycleTest, BodyThatCameAndWentChangesNothing) {
  TestingWorld undisturbed(MakeTower());
  world_.Step(30);
  undisturbed.Step(30);

  ASSERT_EQ(Add(world_, 3000, {0.0, 1.0, 0.0}), absl::OkStatus());
  ASSERT_EQ(Remove(world_, 3000), absl::OkStatus());
  world_.Step(200);
  undisturbed.Step(200);

  EXPECT_EQ(world_.digest(), undisturbed.digest());
}

TEST_F(BodyLifecycleTest, ContactsForgottenTogetherWithABodyAreForgotten) {
  world_.Step(60);
  ASSERT_EQ(Remove(world_, 5), absl::OkStatus());
  world_.state().mutable_table(world_.tables().contact_points).Resize(0);
  State state = world_.state();
  PhysicsWorld fresh(world_.definition(), world_.tables());
  ASSERT_EQ(fresh.Load(state), absl::OkStatus());

  for (int tick = 0; tick < 20; ++tick) {
    world_.Step();
    fresh.Step(state);
    ASSERT_EQ(world_.digest(), state.ComputeRootDigest()) << "tick " << tick;
  }
}

// The body's shape, and with it contacts and joint, are those of the new kind.
TEST_F(BodyLifecycleTest, WrittenKindIsAnotherBody) {
  world_.Step(60);
  world_.mutable_body(3).kind = world_.definition()->bodies[4].kind;
  State state = world_.state();
  PhysicsWorld fresh(world_.definition(), world_.tables());
  ASSERT_EQ(fresh.Load(state), absl::OkStatus());

  for (int tick = 0; tick < 100; ++tick) {
    world_.Step();
    fresh.Step(state);
    ASSERT_EQ(world_.digest(), state.ComputeRootDigest()) << "tick " << tick;
  }
  EXPECT_LT(BodyOf(world_, 4).position.y, 2.2);
}

TEST_F(BodyLifecycleTest, WorldIsEmptiedAndFilledAgain) {
  for (const uint64_t serial : {1, 2, 3, 4, 5}) {
    ASSERT_EQ(Remove(world_, serial), absl::OkStatus());
  }
  world_.Step(2);
  EXPECT_EQ(world_.contact_points().row_count(), 0u);
  for (const BodyPlacement& body : world_.definition()->bodies) {
    ASSERT_EQ(
        AddBody(world_.state(), world_.tables(), *world_.definition(), body),
        absl::OkStatus());
  }
  ASSERT_EQ(Join(world_, kRope), absl::OkStatus());
  TestingWorld first_time(MakeTower());

  world_.Step(100);
  first_time.Step(100);

  EXPECT_EQ(world_.digest(), first_time.digest());
}

TEST_F(BodyLifecycleTest, WhatCannotBeIsRefusedAndChangesNothing) {
  using Code = absl::StatusCode;
  const Digest before = world_.digest();
  const double nan = std::numeric_limits<double>::quiet_NaN();

  EXPECT_EQ(Add(world_, 2, {}).code(), Code::kAlreadyExists);
  EXPECT_EQ(Add(world_, 0, {}).code(), Code::kInvalidArgument);
  EXPECT_EQ(Add(world_, 9, {0.0, nan, 0.0}).code(), Code::kInvalidArgument);
  EXPECT_EQ(AddBody(world_.state(), world_.tables(), *world_.definition(),
                    {.object = {9}, .kind = 99})
                .code(),
            Code::kInvalidArgument);
  EXPECT_EQ(Remove(world_, 9).code(), Code::kNotFound);
  EXPECT_EQ(Join(world_, kRope).code(), Code::kAlreadyExists);
  EXPECT_EQ(Join(world_, IdOf("chain")).code(), Code::kNotFound);
  EXPECT_EQ(RemoveJoint(world_.state(), world_.tables(), *world_.definition(),
                        IdOf("chain"))
                .code(),
            Code::kNotFound);

  EXPECT_EQ(world_.digest(), before);
}

TEST_F(BodyLifecycleTest, TooManyBodiesAreExhaustion) {
  State state;
  const PhysicsTables tables = PhysicsWorld::AddTables(state);
  Table& bodies = state.mutable_table(tables.bodies);
  bodies.Resize(kBodiesMax);
  for (uint32_t row = 0; row < kBodiesMax; ++row) {
    bodies.Mutable<BodyRow>(row).object = {row + 1};
  }
  EXPECT_EQ(AddBody(state, tables, *world_.definition(),
                    {.object = {kBodiesMax + 1}, .kind = kBoxKind})
                .code(),
            absl::StatusCode::kResourceExhausted);
}

TEST_F(BodyLifecycleTest, LoadRefusesJointsWithoutBodies) {
  State state = world_.state();
  state.mutable_table(world_.tables().bodies).Resize(4);
  EXPECT_EQ(world_.world().Load(state).code(), absl::StatusCode::kDataLoss);
}

TEST_F(BodyLifecycleTest, FixedBodiesAreNotWoken) {
  world_.Step(60);
  ASSERT_EQ(Remove(world_, 2), absl::OkStatus());
  EXPECT_EQ(BodyOf(world_, 1).activation, Activation::kAsleep);
  EXPECT_EQ(BodyOf(world_, 3).activation, Activation::kAwake);
}

}  // namespace
}  // namespace reprise::sim
