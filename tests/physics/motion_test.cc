// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Motion without contacts against its closed forms: free fall and throws are
// exact at every rate, a pendulum has its period, moments of inertia are those
// of the solids.

#include <numbers>

#include "gtest/gtest.h"
#include "sim/base/math.h"
#include "sim/physics/testing/testing_world.h"
#include "tests/physics/testing_rates.h"

namespace reprise::sim {
namespace {

using MotionTest = RateTest;

TEST_P(MotionTest, AThrowIsAParabola) {
  PhysicsDefinition definition;
  definition.tick_s = tick_s();
  const AddedBody ball = AddBody(definition, ShapeOf(SpherePrimitive{0.1}),
                                 Motion::kDynamic, {1.0, 100.0, -2.0});
  ball.placement.linear_velocity_m_s = {3.0, 12.0, -1.0};
  TestingWorld world(definition);
  world.Step(Ticks(4.0));
  const BodyRow& row = world.body(0);
  EXPECT_NEAR(row.position.x, 1.0 + 3.0 * 4.0, 1e-9);
  EXPECT_NEAR(row.position.y, 100.0 + 12.0 * 4.0 - 0.5 * kGravity * 16.0, 1e-9);
  EXPECT_NEAR(row.position.z, -2.0 - 4.0, 1e-9);
  EXPECT_NEAR(row.linear_velocity.y, 12.0 - 4.0 * kGravity, 1e-9);
}

TEST_P(MotionTest, APendulumHasItsPeriod) {
  // A ball on a light arm of a metre, let go at 0.1 rad. Around the pivot its
  // inertia is m (l^2 + 2/5 r^2).
  constexpr double kRadius = 0.1;
  constexpr double kAngle = 0.1;
  PhysicsDefinition definition;
  definition.tick_s = tick_s();
  const AddedBody ball =
      AddBody(definition, ShapeOf(SpherePrimitive{kRadius}), Motion::kDynamic,
              {Sin(kAngle), -Cos(kAngle), 0.0});
  ball.placement.rotation = FromAxisAngle({0.0, 0.0, 1.0}, kAngle);
  JointDefinition joint;
  joint.name = {1};
  joint.object_a = definition.bodies[0].object;
  joint.frame_a.position = {0.0, 1.0, 0.0};
  joint.kind = HingeJoint{};
  definition.joints.push_back(joint);
  TestingWorld world(definition);
  // Passages of the lowest point, each found between two ticks.
  double first_s = 0.0;
  double last_s = 0.0;
  int passages = 0;
  double before = world.body(0).position.x;
  for (uint32_t i = 1; i <= Ticks(20.0); ++i) {
    world.Step();
    const double after = world.body(0).position.x;
    if (before * after < 0.0) {
      last_s = tick_s() * (i - 1 + before / (before - after));
      if (passages++ == 0) first_s = last_s;
    }
    before = after;
    // It hangs by its arm: half a millimetre of give.
    EXPECT_NEAR(Length(world.body(0).position), 1.0, 5e-4) << i;
  }
  const double period_s = 2.0 * (last_s - first_s) / (passages - 1);
  const double length_m = 1.0 + 0.4 * kRadius * kRadius;
  // For small swings, and the first term of the series in the amplitude.
  const double expected_s =
      2.0 * kPi * Sqrt(length_m / kGravity) * (1.0 + kAngle * kAngle / 16.0);
  EXPECT_NEAR(period_s / expected_s, 1.0, 2e-3);
}

TEST_P(MotionTest, MomentsOfInertiaAreThoseOfTheSolids) {
  // A torque around an axis for a second, and the speed that it gives.
  const auto inertia = [&](const ShapeDefinition& shape, Vector3 axis) {
    PhysicsDefinition definition;
    definition.tick_s = tick_s();
    definition.gravity_m_s2 = {};
    AddBody(definition, shape, Motion::kDynamic, {});
    TestingWorld world(definition);
    world.mutable_body(0).torque = axis * 0.01;
    world.Step();
    return 0.01 * tick_s() / Dot(world.body(0).angular_velocity, axis);
  };
  const Vector3 x = {1.0, 0.0, 0.0};
  const Vector3 y = {0.0, 1.0, 0.0};
  // Of a mass of 1 kg. Balls of 0.1 m, a metre apart.
  const SolidShape dumb_bell = {{{.solid = SpherePrimitive{0.1},
                                  .position = {0.5, 0.0, 0.0},
                                  .rotation = {}},
                                 {.solid = SpherePrimitive{0.1},
                                  .position = {-0.5, 0.0, 0.0},
                                  .rotation = {}}}};
  EXPECT_NEAR(inertia(dumb_bell, x), 0.4 * 0.01, 1e-9);
  EXPECT_NEAR(inertia(dumb_bell, y), 0.4 * 0.01 + 0.25, 1e-9);
  // A capsule of radius 1 and height 2: cylinder and half balls by volume,
  // 2 pi and 4/3 pi.
  const ShapeDefinition capsule = ShapeOf(CapsulePrimitive{1.0, 2.0});
  EXPECT_NEAR(inertia(capsule, y), (3.0 * 0.5 + 2.0 * 0.4) / 5.0, 1e-9);
  const double ends = 0.4 + 1.0 + 2.0 * 3.0 / 8.0;
  EXPECT_NEAR(inertia(capsule, x),
              (3.0 * (0.25 + 4.0 / 12.0) + 2.0 * ends) / 5.0, 1e-9);
  EXPECT_NEAR(inertia(ShapeOf(CylinderPrimitive{0.5, 3.0}), x),
              0.25 / 4.0 + 9.0 / 12.0, 1e-9);
}

REPRISE_AT_ALL_RATES(MotionTest);

}  // namespace
}  // namespace reprise::sim
