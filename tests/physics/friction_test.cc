// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Friction and rolling against their closed forms: a slope holds up to
// atan(mu), in every direction; what slides stops after v^2 / (2 mu g); balls
// and cylinders roll down with 5/7 and 2/3 of g sin a; rolling friction brakes
// all masses alike.

#include <string>

#include "gtest/gtest.h"
#include "sim/base/math.h"
#include "sim/physics/testing/testing_world.h"
#include "tests/physics/testing_rates.h"

namespace reprise::sim {
namespace {

constexpr double kDegree = kPi / 180.0;

class FrictionTest : public RateTest {
 protected:
  // Has a body of `shape` with `friction` lie on `definition`'s floor, its
  // middle at `height_m`.
  static AddedBody Lay(PhysicsDefinition& definition,
                       const ShapeDefinition& shape, double height_m,
                       double friction) {
    for (BodyKind& kind : definition.kinds) kind.friction = 1.0;
    const AddedBody added =
        AddBody(definition, shape, Motion::kDynamic, {0.0, height_m, 0.0});
    added.kind.friction = friction;
    return added;
  }

  static double Across(const Vector3& v) { return Sqrt(v.x * v.x + v.z * v.z); }
};

TEST_P(FrictionTest, ASlopeHoldsUpToTheAngleOfFriction) {
  for (const double friction : {0.3, 0.7}) {
    const double angle = Atan2(friction, 1.0);
    // Headings of none of the axes that the solver may take.
    for (const double heading : {0.0, 0.5 * kPi, 0.25 * kPi, 4.0}) {
      const std::string where =
          std::to_string(friction) + " towards " + std::to_string(heading);
      const auto slide = [&](double degrees) {
        PhysicsDefinition definition =
            MakeSlope(angle + degrees * kDegree, heading);
        Lay(definition, ShapeOf(BoxPrimitive{{0.5, 0.25, 0.5}}), 0.25,
            friction);
        TestingWorld world(definition);
        // While it settles it slips by some millimetres.
        world.Step(Ticks(1.0));
        const Vector3 place = world.body(1).position;
        const Vector3 velocity = world.body(1).linear_velocity;
        world.Step(Ticks(2.0));
        return Across(world.body(1).position - place - 2.0 * velocity);
      };
      EXPECT_LT(slide(-0.5), 1e-4) << where;
      const double acceleration =
          kGravity *
          (Sin(angle + 0.5 * kDegree) - friction * Cos(angle + 0.5 * kDegree));
      EXPECT_NEAR(slide(0.5) / (0.5 * acceleration * 4.0), 1.0, 0.05) << where;
    }
  }
}

// Nor does it creep. Until its weight presses it slips: half a degree below the
// angle, by what is left of friction to stop it, some millimetres.
TEST_P(FrictionTest, ASlopeHoldsForLong) {
  for (const double friction : {0.3, 0.7}) {
    for (const double degrees_below : {0.5, 5.0}) {
      const double angle = Atan2(friction, 1.0) - degrees_below * kDegree;
      PhysicsDefinition definition = MakeSlope(angle, 0.7);
      const AddedBody box = Lay(
          definition, ShapeOf(BoxPrimitive{{0.5, 0.25, 0.5}}), 0.25, friction);
      // What sleeps doesn't creep.
      box.kind.sleep.never = true;
      TestingWorld world(definition);
      world.Step(Ticks(1.0));
      const Vector3 settled = world.body(1).position;
      EXPECT_LT(Across(settled), degrees_below < 1.0 ? 3e-3 : 1e-3)
          << friction << " at " << degrees_below;
      world.Step(Ticks(10.0));
      EXPECT_LT(Across(world.body(1).position - settled), 1e-6)
          << friction << " at " << degrees_below;
    }
  }
}

TEST_P(FrictionTest, WhatSlidesStopsWhereItShould) {
  for (const double mass_kg : {0.1, 1000.0}) {
    constexpr double kFriction = 0.4;
    constexpr double kSpeed = 3.0;
    PhysicsDefinition definition = MakeLevel();
    const AddedBody box =
        Lay(definition, ShapeOf(BoxPrimitive{{0.5, 0.1, 0.5}}), 0.1, kFriction);
    box.kind.mass_kg = mass_kg;
    box.placement.linear_velocity_m_s = {kSpeed * 0.6, 0.0, kSpeed * 0.8};
    TestingWorld world(definition);
    world.Step(Ticks(2.0));
    const double way = kSpeed * kSpeed / (2.0 * kFriction * kGravity);
    EXPECT_NEAR(Across(world.body(1).position) / way, 1.0, 0.02) << mass_kg;
    EXPECT_NEAR(world.body(1).position.x / world.body(1).position.z, 0.75,
                0.01);
    EXPECT_LT(Length(world.body(1).linear_velocity), 1e-3);
  }
}

TEST_P(FrictionTest, BallsAndCylindersRollDownWithoutSlipping) {
  const double angle = 10.0 * kDegree;
  for (const bool is_ball : {true, false}) {
    // Standing cylinders would slide: these lie along z.
    const SolidShape cylinder = {
        {{.solid = CylinderPrimitive{0.3, 0.5},
          .position = {},
          .rotation = FromAxisAngle({1.0, 0.0, 0.0}, 0.5 * kPi)}}};
    PhysicsDefinition definition = MakeSlope(angle, 0.0);
    Lay(definition,
        is_ball ? ShapeOf(SpherePrimitive{0.3}) : ShapeDefinition(cylinder),
        0.3, 0.8);
    TestingWorld world(definition);
    world.Step(Ticks(2.0));
    const double share = is_ball ? 5.0 / 7.0 : 2.0 / 3.0;
    const double speed = share * kGravity * Sin(angle) * 2.0;
    EXPECT_NEAR(world.body(1).linear_velocity.x / speed, 1.0, 2e-3) << is_ball;
    EXPECT_NEAR(world.body(1).angular_velocity.z * -0.3 / speed, 1.0, 2e-3)
        << is_ball;
  }
}

TEST_P(FrictionTest, RollingFrictionBrakesAllMassesAlike) {
  // Of a ball that rolls with v over ground with a coefficient of c metres the
  // deceleration is c g / (r (1 + 2/5)).
  constexpr double kRadius = 0.25;
  constexpr double kCoefficient = 0.02;
  constexpr double kSpeed = 2.0;
  for (const double mass_kg : {0.5, 10.0, 1000.0}) {
    PhysicsDefinition definition = MakeLevel();
    for (BodyKind& kind : definition.kinds) kind.rolling_friction = 0.0;
    const AddedBody ball =
        Lay(definition, ShapeOf(SpherePrimitive{kRadius}), kRadius, 1.0);
    ball.kind.mass_kg = mass_kg;
    ball.kind.rolling_friction = kCoefficient;
    ball.placement.linear_velocity_m_s = {kSpeed, 0.0, 0.0};
    ball.placement.angular_velocity_rad_s = {0.0, 0.0, -kSpeed / kRadius};
    TestingWorld world(definition);
    world.Step(Ticks(1.0));
    const double braked =
        kCoefficient * kGravity / (kRadius * (1.0 + 2.0 / 5.0));
    EXPECT_NEAR(world.body(1).linear_velocity.x, kSpeed - braked, 0.01 * braked)
        << mass_kg;
  }
}

REPRISE_AT_ALL_RATES(FrictionTest);

}  // namespace
}  // namespace reprise::sim
