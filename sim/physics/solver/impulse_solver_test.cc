// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that the solver gives the bits of Bullet's own, by giving both each
// task that comes up in piles with all kinds of joints and materials; and, by
// itself, that it keeps momentum, that stacks rest on it and that bodies which
// are in each other part.

#include "sim/physics/solver/impulse_solver.h"

#include <algorithm>
#include <cstdint>

#include "BulletDynamics/ConstraintSolver/btSequentialImpulseConstraintSolver.h"
#include "gtest/gtest.h"
#include "sim/base/id.h"
#include "sim/base/random.h"
#include "sim/physics/solver/solver_trial.h"
#include "sim/physics/testing/pile.h"
#include "sim/physics/testing/testing_world.h"

namespace reprise::sim {
namespace {

// Gives every task to both solvers, and goes on from Bullet's outcome.
class BothSolvers final : public btSequentialImpulseConstraintSolver {
 public:
  btScalar solveGroup(btCollisionObject** bodies, int body_count,
                      btPersistentManifold** manifolds, int manifold_count,
                      btTypedConstraint** joints, int joint_count,
                      const btContactSolverInfo& info, btIDebugDraw* drawer,
                      btDispatcher* dispatcher) override {
    const SolverTask task = {{bodies, static_cast<size_t>(body_count)},
                             {manifolds, static_cast<size_t>(manifold_count)},
                             {joints, static_cast<size_t>(joint_count)},
                             info};
    before_.Save(task);
    task.Give(ours_);
    our_outcome_.Save(task);
    before_.Restore(task);
    const double result = btSequentialImpulseConstraintSolver::solveGroup(
        bodies, body_count, manifolds, manifold_count, joints, joint_count,
        info, drawer, dispatcher);
    outcome_.Save(task);
    if (our_outcome_.CountDifferences(outcome_) != 0) ++different_tasks_;
    if (our_outcome_.CountDifferences(before_) != 0) ++tasks_;
    joints_ += joint_count;
    return result;
  }

  // Those in which anything changed, and joints summed over them.
  int tasks() const { return tasks_; }
  int joints() const { return joints_; }
  int different_tasks() const { return different_tasks_; }

 private:
  ImpulseSolver ours_;
  SolverState before_;
  SolverState our_outcome_;
  SolverState outcome_;
  int tasks_ = 0;
  int joints_ = 0;
  int different_tasks_ = 0;
};

// A pile whose bodies bounce, roll, spin, slide and are held to axes, each in
// its own way, over a platform that turns.
PhysicsDefinition MakeMixedPile(uint64_t seed) {
  PhysicsDefinition pile = MakePile({.body_count = 120, .seed = seed});
  RandomStream random = MakeRandomStream(seed, IdOf("mixed"));
  for (BodyKind& kind : pile.kinds) {
    kind.friction = 1.5 * NextUnit(random);
    kind.restitution = NextUnit(random);
    kind.rolling_friction = 0.2 * NextUnit(random) - 0.1;
    if (kind.rolling_friction < 0.0) kind.rolling_friction = 0.0;
    const double lock = NextUnit(random);
    if (kind.motion != Motion::kDynamic) continue;
    kind.locked_rotation = {lock < 0.1, lock < 0.15, lock < 0.05};
    kind.locked_position = {0.2 < lock && lock < 0.25, false,
                            0.3 < lock && lock < 0.32};
    if (lock > 0.95) kind.locked_position = {true, true, true};
    if (lock > 0.9) kind.friction = 0.0;
  }
  AddBody(pile, ShapeOf(BoxPrimitive{{2.0, 0.25, 2.0}}), Motion::kKinematic,
          {0.0, 0.25, 0.0});
  return pile;
}

// Adds a joint of every kind to the pile's, from body to body.
void AddJointsOfAllKinds(PhysicsDefinition& pile) {
  auto add = [&pile, next = kPenBodies + 1](auto kind,
                                            double strength) mutable {
    JointDefinition joint;
    joint.kind = kind;
    joint.object_a = {next};
    joint.object_b = {next + 1};
    joint.frame_a.position = {0.3, 0.1, 0.0};
    joint.frame_b.position = {-0.3, 0.0, 0.1};
    joint.breaking_impulse_n_s = strength;
    pile.joints.push_back(joint);
    next += 2;
  };
  constexpr double kWeak = 1.0;
  constexpr double kStrong = 1e6;
  for (const double strength : {kWeak, kStrong}) {
    add(BallJoint{}, strength);
    add(HingeJoint{.lower_rad = -0.5, .upper_rad = 0.5}, strength);
    add(ConeTwistJoint{}, strength);
    add(
        SpringJoint{
            .rest_length_m = 0.5, .stiffness_n_m = 200.0, .damping_n_s_m = 3.0},
        strength);
    SixAxisJoint six_axis;
    six_axis.axes[1] = {.lower = -0.2, .upper = 0.2};
    six_axis.axes[4] = {
        .lower = -1.0, .upper = 1.0, .spring = {.stiffness = 20.0}};
    add(six_axis, strength);
  }
}

void Turn(btRigidBody& platform, uint32_t tick) {
  btTransform pose = platform.getWorldTransform();
  pose.setRotation(btQuaternion(btVector3(0.0, 1.0, 0.0), 0.02 * tick));
  platform.setWorldTransform(pose);
  platform.activate(true);
}

class ImpulseSolverTest : public testing::TestWithParam<uint64_t> {};

TEST_P(ImpulseSolverTest, GivesBulletsBitsInAPile) {
  BothSolvers solvers;
  TrialWorld world(MakePile({.body_count = 150, .seed = GetParam()}), solvers);

  for (uint32_t tick = 0; tick < 300; ++tick) world.Step();

  EXPECT_GT(solvers.tasks(), 290);
  EXPECT_GT(solvers.joints(), 290 * 10);
  EXPECT_EQ(solvers.different_tasks(), 0);
}

TEST_P(ImpulseSolverTest, GivesBulletsBitsForAllMaterialsAndJoints) {
  PhysicsDefinition pile = MakeMixedPile(GetParam());
  AddJointsOfAllKinds(pile);
  BothSolvers solvers;
  TrialWorld world(pile, solvers);
  btRigidBody& platform = world.last_body();
  ASSERT_TRUE(platform.isKinematicObject());

  for (uint32_t tick = 0; tick < 300; ++tick) {
    Turn(platform, tick);
    world.Step();
  }

  EXPECT_GT(solvers.tasks(), 290);
  EXPECT_EQ(solvers.different_tasks(), 0);
}

INSTANTIATE_TEST_SUITE_P(Seeds, ImpulseSolverTest,
                         testing::Range<uint64_t>(1, 5));

PhysicsDefinition MakeStack(uint32_t height) {
  PhysicsDefinition definition = MakeFloor();
  for (uint32_t i = 0; i < height; ++i) {
    AddBody(definition, ShapeOf(BoxPrimitive{{0.25, 0.25, 0.25}}),
            Motion::kDynamic, {0.0, 0.25 + 0.5 * i, 0.0});
  }
  return definition;
}

TEST(StackTest, TenBoxesRest) {
  TestingWorld world(MakeStack(10));

  world.Step(600);

  for (uint32_t i = 0; i < 10; ++i) {
    const BodyRow& box = world.body(1 + i);
    EXPECT_NEAR(box.position.x, 0.0, 0.125) << i;
    EXPECT_NEAR(box.position.y, 0.25 + 0.5 * i, 0.05) << i;
    EXPECT_EQ(box.activation, Activation::kAsleep) << i;
  }
}

// Bodies that fly into each other, without gravity, floor and damping.
PhysicsDefinition MakeCollision() {
  PhysicsDefinition definition;
  definition.gravity_m_s2 = {};
  for (int i = 0; i < 8; ++i) {
    const double side = i % 2 == 0 ? -1.0 : 1.0;
    AddedBody body =
        AddBody(definition, ShapeOf(BoxPrimitive{{0.3, 0.2, 0.25}}),
                Motion::kDynamic, {side * (0.5 + 0.3 * i), 0.1 * i, 0.05 * i});
    body.kind.mass_kg = 1.0 + i;
    body.kind.linear_damping = 0.0;
    body.kind.angular_damping = 0.0;
    body.placement.linear_velocity_m_s = {-2.0 * side, 0.1 * i, 0.0};
  }
  return definition;
}

Vector3 MomentumOf(const TestingWorld& world) {
  Vector3 momentum;
  for (uint32_t i = 0; i < 8; ++i) {
    momentum = momentum + (1.0 + i) * world.body(i).linear_velocity;
  }
  return momentum;
}

TEST(CollisionTest, KeepsMomentum) {
  TestingWorld world(MakeCollision());
  const Vector3 before = MomentumOf(world);
  const Vector3 first_velocity = world.body(0).linear_velocity;

  world.Step(120);

  const Vector3 after = MomentumOf(world);
  EXPECT_NE(world.body(0).linear_velocity, first_velocity);
  EXPECT_NEAR(after.x, before.x, 1e-9);
  EXPECT_NEAR(after.y, before.y, 1e-9);
  EXPECT_NEAR(after.z, before.z, 1e-9);
}

TEST(PenetrationTest, BodiesInEachOtherPartWithoutAJump) {
  PhysicsDefinition definition = MakeFloor();
  AddBody(definition, ShapeOf(BoxPrimitive{{0.25, 0.25, 0.25}}),
          Motion::kDynamic, {0.0, 0.05, 0.0});
  TestingWorld world(definition);
  double speed_max_m_s = 0.0;

  for (uint32_t tick = 0; tick < 120; ++tick) {
    world.Step();
    speed_max_m_s = std::max(speed_max_m_s, world.body(1).linear_velocity.y);
  }

  EXPECT_NEAR(world.body(1).position.y, 0.25, 0.05);
  EXPECT_LT(speed_max_m_s, 0.6);
}

}  // namespace
}  // namespace reprise::sim
