// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What is in each other when a run begins comes apart, and keeps no speed of
// that: any two solids in space, what stands half in the ground, and a stack.

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "sim/physics/definition/convex_hull.h"
#include "sim/physics/testing/testing_world.h"
#include "tests/physics/testing_rates.h"

namespace reprise::sim {
namespace {

struct Thing {
  std::string name;
  Solid solid;
};

std::vector<Thing> Things() {
  std::vector<Vector3> corners;
  for (const double x : {-0.4, 0.4}) {
    for (const double z : {-0.3, 0.3}) {
      corners.push_back({x, 0.25, z});
      corners.push_back({0.8 * x, -0.25, 0.8 * z});
    }
  }
  return {{"box", BoxPrimitive{{0.5, 0.4, 0.3}}},
          {"ball", SpherePrimitive{0.5}},
          {"capsule", CapsulePrimitive{0.2, 0.8}},
          {"cylinder", CylinderPrimitive{0.3, 0.6}},
          {"cone", ConePrimitive{0.4, 0.8}},
          {"hull", *MakeHull(corners)},
          {"plate", BoxPrimitive{{0.5, 0.01, 0.5}}},
          {"needle", BoxPrimitive{{0.01, 0.5, 0.01}}}};
}

using OverlapTest = RateTest;

// Deeper than a contact's spring gives way, overlaps are pushed apart; the rest
// goes at 18 of it a second, of which a share stays.
constexpr double kSpeedLeft = 0.1;

TEST_P(OverlapTest, AnyTwoComeApartWithoutSpeed) {
  for (const Thing& a : Things()) {
    for (const Thing& b : Things()) {
      const std::string name = a.name + " and " + b.name;
      PhysicsDefinition definition;
      definition.tick_s = tick_s();
      definition.gravity_m_s2 = {};
      AddBody(definition, ShapeOf(a.solid), Motion::kDynamic, {});
      AddBody(definition, ShapeOf(b.solid), Motion::kDynamic, {0.1, 0.15, 0.05})
          .placement.rotation = FromAxisAngle({0.6, 0.0, 0.8}, 0.3);
      TestingWorld world(definition);
      double fastest = 0.0;
      for (uint32_t i = 0; i < Ticks(2.0); ++i) {
        world.Step();
        fastest = std::max({fastest, Length(world.body(0).linear_velocity),
                            Length(world.body(1).linear_velocity)});
      }
      EXPECT_LT(fastest, kSpeedLeft) << name;
      for (uint32_t i = 0; i < world.contact_points().row_count(); ++i) {
        EXPECT_GT(world.contact_points().Get<ContactPointRow>(i).distance,
                  -0.002)
            << name;
      }
    }
  }
}

TEST_P(OverlapTest, WhatIsHalfInTheGroundRisesAndStays) {
  for (const double depth : {0.05, 0.25, 0.5}) {
    PhysicsDefinition definition = MakeLevel();
    AddBody(definition, ShapeOf(BoxPrimitive{}), Motion::kDynamic,
            {0.0, 0.5 - depth, 0.0});
    TestingWorld world(definition);
    double highest = 0.0;
    for (uint32_t i = 0; i < Ticks(2.0); ++i) {
      world.Step();
      highest = std::max(highest, world.body(1).position.y);
    }
    // It does not jump.
    EXPECT_LT(highest, 0.501) << depth;
    EXPECT_NEAR(world.body(1).position.y, 0.5, 1e-3) << depth;
  }
}

TEST_P(OverlapTest, AStackThatBeginsInItselfRisesAndStands) {
  PhysicsDefinition definition = MakeLevel();
  for (uint32_t i = 0; i < 4; ++i) {
    AddBody(definition, ShapeOf(BoxPrimitive{}), Motion::kDynamic,
            {0.0, 0.4 + 0.8 * i, 0.0});
  }
  TestingWorld world(definition);
  double highest = 0.0;
  for (uint32_t i = 0; i < Ticks(4.0); ++i) {
    world.Step();
    highest = std::max(highest, world.body(4).position.y);
  }
  EXPECT_LT(highest, 3.52);
  for (uint32_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(world.body(i + 1).position.y, 0.5 + i, 5e-3) << i;
    EXPECT_LT(Length(world.body(i + 1).linear_velocity), 0.05) << i;
  }
}

REPRISE_AT_ALL_RATES(OverlapTest);

}  // namespace
}  // namespace reprise::sim
