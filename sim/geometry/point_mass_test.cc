// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that forces act for one step and are summed, and that an impulse is a
// change of velocity: a jump that gravity brings back.

#include "sim/geometry/motion/point_mass.h"

#include "gtest/gtest.h"
#include "sim/geometry/vector2.h"
#include "sim/geometry/vector3.h"

namespace reprise::sim {
namespace {

TEST(PointMassTest, ForcesAddUpAndActOnce) {
  PointMass<Vector3> mass = {.mass = 2.0};
  AddForce(mass, {4.0, 0.0, 0.0});
  AddForce(mass, {0.0, -8.0, 0.0});
  Advance(mass, 0.5);
  EXPECT_EQ(mass.point.velocity, (Vector3{1.0, -2.0, 0.0}));
  EXPECT_EQ(mass.point.position, (Vector3{0.5, -1.0, 0.0}));
  Advance(mass, 0.5);
  EXPECT_EQ(mass.point.velocity, (Vector3{1.0, -2.0, 0.0}));
  EXPECT_EQ(mass.force, Vector3{});
}

TEST(PointMassTest, AnImpulseChangesTheVelocityByItsPartOfTheMass) {
  PointMass<Vector2> mass = {.mass = 4.0};
  AddImpulse(mass, {2.0, 6.0});
  EXPECT_EQ(mass.point.velocity, (Vector2{0.5, 1.5}));
}

TEST(PointMassTest, GravityBringsAJumpBack) {
  PointMass<double> mass = {.mass = 70.0};
  AddImpulse(mass, 700.0);
  double apex = 0.0;
  for (int tick = 0; tick < 120; ++tick) {
    AddForce(mass, -10.0 * mass.mass);
    Advance(mass, 1.0 / 60);
    if (mass.point.position > apex) apex = mass.point.position;
  }
  EXPECT_NEAR(apex, 4.91667, 5e-6);
  EXPECT_NEAR(mass.point.position, -0.16667, 5e-6);
}

TEST(PointMassDeathTest, NothingHasNoMass) {
  PointMass<double> mass = {.mass = 0.0};
  EXPECT_DEATH(AddImpulse(mass, 1.0), "0 kg");
}

}  // namespace
}  // namespace reprise::sim
