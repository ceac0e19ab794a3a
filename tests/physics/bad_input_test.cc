// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What no pack should ask for, and is allowed to: extremes of size, mass, place
// and rate leave numbers finite and give no energy that was not there.

#include <algorithm>
#include <string>

#include "gtest/gtest.h"
#include "sim/base/id.h"
#include "sim/base/math.h"
#include "sim/base/random.h"
#include "sim/physics/testing/testing_world.h"
#include "tests/physics/experiment.h"

namespace reprise::sim {
namespace {

// Runs a scene and expects its energy to stay below what it was, and above
// nothing, plus `given_j`, what pushing overlaps apart may give.
void ExpectBounded(const PhysicsDefinition& definition, uint32_t ticks,
                   double given_j, const std::string& name) {
  const auto engine = MakeOurEngine(definition);
  const double before = EnergyOf(definition, *engine);
  double most = before;
  for (uint32_t i = 0; i < ticks; ++i) {
    engine->Step();
    const double energy = EnergyOf(definition, *engine);
    ASSERT_TRUE(IsFinite(energy)) << name << ' ' << i;
    most = std::max(most, energy);
  }
  EXPECT_LE(most - before, given_j) << name;
}

TEST(BadInputTest, AMillimetreAndTenKilometres) {
  PhysicsDefinition definition = MakeFloor();
  AddBody(definition, ShapeOf(BoxPrimitive{{1e4, 1e4, 1e4}}), Motion::kDynamic,
          {0.0, 1e4, 0.0})
      .kind.mass_kg = 1e9;
  AddBody(definition, ShapeOf(SpherePrimitive{1e-3}), Motion::kDynamic,
          {0.0, 2e4 + 0.1, 0.0})
      .kind.mass_kg = 1e-6;
  // A millionth of what it weighs, 1 m up.
  ExpectBounded(definition, 300, 1e-6 * 1e9 * 9.81, "sizes");
}

TEST(BadInputTest, AMillionTimesTheMass) {
  for (const double rate : {1.0, 60.0, 1000.0}) {
    PhysicsDefinition definition = MakeFloor();
    definition.tick_s = 1.0 / rate;
    AddBody(definition, ShapeOf(BoxPrimitive{}), Motion::kDynamic,
            {0.0, 0.5, 0.0});
    AddBody(definition, ShapeOf(BoxPrimitive{}), Motion::kDynamic,
            {0.0, 1.5, 0.0})
        .kind.mass_kg = 1e6;
    // What is pushed out of the other by 0.1 m.
    ExpectBounded(definition, 300, 1e6 * 9.81 * 0.1, std::to_string(rate));
  }
}

TEST(BadInputTest, SpeedsNearTheBound) {
  PhysicsDefinition definition;
  definition.gravity_m_s2 = {};
  for (const double side : {-1.0, 1.0}) {
    const AddedBody box = AddBody(definition, ShapeOf(BoxPrimitive{}),
                                  Motion::kDynamic, {side * 50.0, 0.0, 0.0});
    box.placement.linear_velocity_m_s = {-side * 9000.0, 0.0, 0.0};
    box.placement.angular_velocity_rad_s = {1000.0, 9000.0, side};
  }
  // A millionth of that of the two.
  ExpectBounded(definition, 100, 1e-6 * 9000.0 * 9000.0, "fast");
}

// Twenty of 1 kg that fall on each other: needles of 2 mm by 1 m, plates of 2
// mm by a square metre, or both in turns.
PhysicsDefinition MakeThinThings(double rate, bool has_needles,
                                 bool has_plates) {
  PhysicsDefinition definition = MakeFloor();
  definition.tick_s = 1.0 / rate;
  RandomStream random = MakeRandomStream(1, IdOf("thin"));
  for (uint32_t i = 0; i < 20; ++i) {
    const bool is_plate = has_plates && (!has_needles || i % 2 == 1);
    const Vector3 half =
        is_plate ? Vector3{0.5, 0.001, 0.5} : Vector3{0.001, 0.5, 0.001};
    const double x = NextUnit(random) - 0.5;
    const double z = NextUnit(random) - 0.5;
    const double lean = NextUnit(random);
    const double heading = NextUnit(random);
    AddBody(definition, ShapeOf(BoxPrimitive{half}), Motion::kDynamic,
            {x, 1.0 + 0.15 * i, z})
        .placement.rotation = FromAxisAngle(
        Normalized(Vector3{lean, 0.3, heading}), 3.0 * lean + 0.5);
  }
  return definition;
}

TEST(BadInputTest, NeedlesAndPlates) {
  // What lifts all of them by half a centimetre.
  constexpr double kLifted = 20.0 * kGravity * 0.005;
  for (const double rate : {1.0, 30.0, 60.0, 120.0, 240.0, 1000.0}) {
    const auto ticks = static_cast<uint32_t>(2.0 * rate);
    const std::string name = std::to_string(rate);
    ExpectBounded(MakeThinThings(rate, true, false), ticks, kLifted,
                  "needles " + name);
    ExpectBounded(MakeThinThings(rate, false, true), ticks, kLifted,
                  "plates " + name);
    ExpectBounded(MakeThinThings(rate, true, true), ticks, kLifted,
                  "both " + name);
  }
}

TEST(BadInputTest, FiftyInOnePlace) {
  // What it takes to make a tower of them, which is the highest they can come
  // to stand.
  constexpr double kTower = kGravity * 50.0 * 49.0 / 2.0;
  for (const double rate : {1.0, 30.0, 120.0, 1000.0}) {
    PhysicsDefinition definition = MakeFloor();
    definition.tick_s = 1.0 / rate;
    for (uint32_t i = 0; i < 50; ++i) {
      AddBody(definition, ShapeOf(BoxPrimitive{}), Motion::kDynamic,
              {0.0, 0.5, 0.0});
    }
    ExpectBounded(definition, static_cast<uint32_t>(rate), kTower,
                  std::to_string(rate));
  }
}

}  // namespace
}  // namespace reprise::sim
