// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Stacks stand: towers of twenty boxes or hulls and of ten cylinders, for 14
// seconds, with the overlap that the contacts' spring has.

#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "sim/physics/definition/convex_hull.h"
#include "sim/physics/testing/testing_world.h"
#include "tests/physics/testing_rates.h"

namespace reprise::sim {
namespace {

class StackTest : public RateTest {
 protected:
  // Builds a tower of `count`, lets it come to rest within eight seconds, and
  // expects it to stand for six more.
  static void ExpectStands(uint32_t count, const Solid& solid, double height_m,
                           double sag_max_m, const std::string& name) {
    PhysicsDefinition definition = MakeLevel();
    for (uint32_t i = 0; i < count; ++i) {
      BodyKind& kind = AddBody(definition, ShapeOf(solid), Motion::kDynamic,
                               {0.0, (i + 0.5) * height_m, 0.0})
                           .kind;
      kind.friction = 0.7;
    }
    TestingWorld world(definition);
    // Slabs at 240 Hz swing longest.
    world.Step(Ticks(8.0));
    std::vector<double> heights;
    for (uint32_t i = 0; i < count; ++i) {
      heights.push_back(world.body(i + 1).position.y);
    }
    world.Step(Ticks(6.0));
    for (uint32_t i = 0; i < count; ++i) {
      const Vector3& place = world.body(i + 1).position;
      EXPECT_NEAR(place.y, heights[i], 1e-3) << name << ' ' << i;
      if (sag_max_m > 0.0) {
        EXPECT_NEAR(place.y, (i + 0.5) * height_m, sag_max_m)
            << name << ' ' << i;
      }
      EXPECT_LT(Length(Vector3{place.x, 0.0, place.z}), 0.02 * (i + 1))
          << name << ' ' << i;
      EXPECT_LT(Length(world.body(i + 1).linear_velocity), 0.05)
          << name << ' ' << i;
    }
  }
};

TEST_P(StackTest, TowersOfBoxesStand) {
  // Under k bodies of weight m g a contact gives way by k m g / (m' omega^2),
  // m' being half the mass between equal bodies and omega 2 pi 60 Hz: in sum
  // 2 * (19 * 20 / 2) * 0.07 mm, and twice that while it swings.
  constexpr double kSag = 0.06;
  ExpectStands(20, BoxPrimitive{{0.5, 0.5, 0.5}}, 1.0, kSag, "boxes");
  ExpectStands(20, BoxPrimitive{{0.5, 0.1, 0.5}}, 0.2, kSag, "slabs");
}

// Bricks of a wall that is not quite regular, awake: in ten seconds after they
// have settled none of them moves by a millimetre, nor aside by a centimetre in
// all. (Towers sway on their springs, slowly, so they are not held to that.)
TEST_P(StackTest, WallsDoNotCreep) {
  PhysicsDefinition definition = MakeLevel();
  for (uint32_t row = 0; row < 8; ++row) {
    for (uint32_t i = 0; i < 6; ++i) {
      const double x = 0.51 * i + (row % 2 == 0 ? 0.0 : 0.2);
      BodyKind& kind =
          AddBody(definition, ShapeOf(BoxPrimitive{{0.25, 0.125, 0.125}}),
                  Motion::kDynamic, {x, 0.25 * row + 0.125, 0.0})
              .kind;
      kind.friction = 0.7;
      kind.mass_kg = 4.0;
      kind.sleep.never = true;
    }
  }
  TestingWorld world(definition);
  world.Step(Ticks(2.0));
  std::vector<Vector3> settled;
  for (uint32_t i = 1; i < definition.bodies.size(); ++i) {
    settled.push_back(world.body(i).position);
  }
  world.Step(Ticks(10.0));
  for (uint32_t i = 1; i < definition.bodies.size(); ++i) {
    const Vector3& place = world.body(i).position;
    EXPECT_LT(Length(place - settled[i - 1]), 1e-3) << i;
    Vector3 aside = place - definition.bodies[i].position;
    aside.y = 0.0;
    EXPECT_LT(Length(aside), 0.01) << i;
  }
}

TEST_P(StackTest, TowersOfHullsAndCylindersStand) {
  std::vector<Vector3> corners;
  for (const double x : {-0.5, 0.5}) {
    for (const double z : {-0.5, 0.5}) {
      corners.push_back({x, 0.25, z});
      corners.push_back({x, -0.25, z});
    }
  }
  ExpectStands(20, *MakeHull(corners), 0.5, 0.0, "hulls");
  // A hull is rounded by some millimetres, and stands as much higher.
  ExpectStands(10, CylinderPrimitive{0.5, 0.5}, 0.5, 0.06, "cylinders");
}

REPRISE_AT_ALL_RATES(StackTest);

}  // namespace
}  // namespace reprise::sim
