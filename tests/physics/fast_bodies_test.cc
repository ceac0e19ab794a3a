// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Fast bodies against closed forms, at every rate: what is continuous meets
// what it would meet, moving and turning, at the time when it does, and goes on
// for the rest of the tick; nothing passes, and energy never grows.

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "sim/base/math.h"
#include "sim/physics/testing/testing_world.h"
#include "tests/physics/testing_rates.h"

namespace reprise::sim {
namespace {

// Bodies meet a tenth of a millimetre before they touch.
constexpr double kGapM = 1e-4;

class FastBodiesTest : public RateTest {
 protected:
  static PhysicsDefinition MakeSpace() {
    PhysicsDefinition definition;
    definition.tick_s = tick_s();
    definition.gravity_m_s2 = {};
    return definition;
  }

  // A continuous body that bounces off whatever it meets by `restitution`,
  // without friction.
  static AddedBody AddFast(PhysicsDefinition& definition,
                           const ShapeDefinition& shape, Vector3 position,
                           Vector3 velocity, double restitution) {
    const AddedBody body =
        AddBody(definition, shape, Motion::kDynamic, position);
    body.kind.is_continuous = true;
    body.kind.friction = 0.0;
    body.kind.restitution = restitution;
    body.kind.restitution_rule = CombinationRule::kMaximum;
    body.placement.linear_velocity_m_s = velocity;
    return body;
  }

  static double EnergyOfMotion(TestingWorld& world, uint32_t body) {
    const BodyRow& row = world.body(body);
    const MassProperties& mass = world.world().mass_properties(row.kind);
    if (mass.inverse_mass == 0.0) return 0.0;
    const Vector3 spin = Transposed(row.basis) * row.angular_velocity;
    return 0.5 *
           (Dot(row.linear_velocity, row.linear_velocity) / mass.inverse_mass +
            spin.x * spin.x / mass.inverse_inertia.x +
            spin.y * spin.y / mass.inverse_inertia.y +
            spin.z * spin.z / mass.inverse_inertia.z);
  }
  static double EnergyOfMotion(TestingWorld& world) {
    double sum = 0.0;
    for (uint32_t i = 0; i < world.definition()->bodies.size(); ++i) {
      sum += EnergyOfMotion(world, i);
    }
    return sum;
  }
};

// Where a point is that goes back and forth within `width_m`.
double Folded(double way_m, double width_m) {
  const double laps = Floor(way_m / width_m);
  const double rest = way_m - laps * width_m;
  const bool is_back = laps - 2.0 * Floor(0.5 * laps) == 1.0;
  return is_back ? width_m - rest : rest;
}

TEST_P(FastBodiesTest, ABallBetweenWallsIsWhereItsBouncesTakeIt) {
  constexpr double kRadiusM = 0.1;
  constexpr double kWidthM = 2.0;
  for (const double speed : {20.0, 100.0, 300.0}) {
    PhysicsDefinition definition = MakeSpace();
    for (const double side : {-1.0, 1.0}) {
      AddBody(definition, ShapeOf(BoxPrimitive{{0.5, 2.0, 2.0}}),
              Motion::kFixed, {side * (0.5 * kWidthM + kRadiusM + 0.5), 0, 0});
    }
    AddFast(definition, ShapeOf(SpherePrimitive{kRadiusM}),
            {-0.5 * kWidthM, 0.3, 0.1}, {speed, 0.0, 0.0}, 1.0);
    TestingWorld world(definition);
    for (uint32_t tick = 1; tick <= Ticks(0.5); ++tick) {
      world.Step();
      const double way_m = speed * tick * tick_s();
      // Each way is shorter by what is left between them at both ends.
      const double bounces = way_m / kWidthM + 1.0;
      ASSERT_NEAR(world.body(2).position.x + 0.5 * kWidthM,
                  Folded(way_m, kWidthM), 2.0 * bounces * kGapM)
          << speed << " m/s, tick " << tick;
      ASSERT_NEAR(Abs(world.body(2).linear_velocity.x), speed, 1e-9 * speed);
    }
  }
}

// The height of a point that was let go at `height_m` at `time_s`, of whose
// speed the ground gives back a share, and how often it has met it.
std::pair<double, int> BouncingHeight(double height_m, double share,
                                      double time_s) {
  double fall_s = Sqrt(2.0 * height_m / kGravity);
  if (time_s < fall_s) {
    return {height_m - 0.5 * kGravity * time_s * time_s, 0};
  }
  time_s -= fall_s;
  double speed = kGravity * fall_s;
  for (int bounces = 1;; ++bounces) {
    speed *= share;
    const double flight_s = 2.0 * speed / kGravity;
    if (time_s < flight_s) {
      return {speed * time_s - 0.5 * kGravity * time_s * time_s, bounces};
    }
    time_s -= flight_s;
  }
}

TEST_P(FastBodiesTest, ABallThatFallsBouncesOnItsParabolas) {
  constexpr double kRadiusM = 0.05;
  for (const double height_m : {2.0, 20.0}) {
    for (const double restitution : {1.0, 0.8}) {
      PhysicsDefinition definition = MakeLevel();
      AddFast(definition, ShapeOf(SpherePrimitive{kRadiusM}),
              {0.0, kRadiusM + height_m, 0.0}, {}, restitution);
      TestingWorld world(definition);
      for (uint32_t tick = 1; tick <= Ticks(5.0); ++tick) {
        world.Step();
        const auto [height, bounces] =
            BouncingHeight(height_m, restitution, tick * tick_s());
        // The last ones are no longer fast, and the solver's.
        if (bounces > 4) break;
        // Above the ground by half a gap, it is up to a gap early at each.
        ASSERT_NEAR(world.body(1).position.y - kRadiusM, height,
                    (1.0 + 4.0 * bounces) * kGapM)
            << height_m << " m, e " << restitution << ", tick " << tick;
      }
    }
  }
}

struct Head {
  std::string name;
  Solid solid;
  double half_m = 0.0;    // along x
  double turn_rad = 0.0;  // of the second
};

TEST_P(FastBodiesTest, TwoThatComeHeadOnPartAsMomentumAndRestitutionSay) {
  for (const double size : {0.05, 0.5}) {
    const Head heads[] = {
        {"ball", SpherePrimitive{size}, size, 0.0},
        {"box", BoxPrimitive{{size, 0.8 * size, 1.2 * size}}, size, 0.0},
        {"rod", CapsulePrimitive{0.2 * size, 2.0 * size}, 0.2 * size,
         0.5 * kPi},
        {"drum", CylinderPrimitive{size, size}, size, 0.5 * kPi},
    };
    for (const Head& head : heads) {
      for (const double speed : {20.0, 100.0, 600.0}) {
        for (const double ratio : {1.0, 20.0}) {
          for (const double restitution : {1.0, 0.5, 0.0}) {
            for (const bool both : {true, false}) {
              PhysicsDefinition definition = MakeSpace();
              const double far_m = head.half_m + 0.27 * speed * 0.1 + 0.05;
              AddFast(definition, ShapeOf(head.solid), {-far_m, 0.0, 0.0},
                      {speed, 0.0, 0.0}, restitution)
                  .kind.is_continuous = both;
              AddFast(definition, ShapeOf(head.solid), {far_m, 0.0, 0.0},
                      {-0.5 * speed, 0.0, 0.0}, restitution)
                  .kind.mass_kg = ratio;
              // What is long lies across the other, so that they touch in one
              // place.
              definition.bodies.back().rotation =
                  FromAxisAngle({1.0, 0.0, 0.0}, head.turn_rad);
              TestingWorld world(definition);
              for (uint32_t i = 0; i < Ticks(0.2); ++i) {
                world.Step();
                ASSERT_LT(world.body(0).position.x,
                          world.body(1).position.x - 2.0 * head.half_m + kGapM)
                    << head.name << " tick " << i;
              }
              const double both_kg = 1.0 + ratio;
              const double middle =
                  speed * (1.0 - 0.5 * ratio) / both_kg;  // of their centre
              const double apart = restitution * 1.5 * speed;
              const std::string where = head.name + " " + std::to_string(size) +
                                        " m, " + std::to_string(speed) +
                                        " m/s, e " +
                                        std::to_string(restitution) +
                                        " ratio " + std::to_string(ratio);
              EXPECT_NEAR(world.body(0).linear_velocity.x,
                          middle - apart * ratio / both_kg, 1e-6 * speed)
                  << where;
              EXPECT_NEAR(world.body(1).linear_velocity.x,
                          middle + apart / both_kg, 1e-6 * speed)
                  << where;
            }
          }
        }
      }
    }
  }
}

// Two that don't meet in the middle keep momentum and angular momentum, and
// elastic ones energy.
TEST_P(FastBodiesTest, WhatIsHitOffItsMiddleTurns) {
  for (const double restitution : {1.0, 0.3}) {
    PhysicsDefinition definition = MakeSpace();
    AddFast(definition, ShapeOf(BoxPrimitive{{0.3, 0.2, 0.25}}),
            {-3.0, 0.0, 0.1}, {70.0, 0.0, 0.0}, restitution)
        .placement.rotation = FromAxisAngle({0.0, 0.6, 0.8}, 0.4);
    AddFast(definition, ShapeOf(CylinderPrimitive{0.2, 0.5}), {3.0, 0.15, 0.0},
            {-60.0, 1.0, 0.0}, restitution)
        .kind.mass_kg = 3.0;
    TestingWorld world(definition);
    const auto momenta = [&world] {
      Vector3 linear;
      Vector3 angular;
      for (uint32_t i = 0; i < 2; ++i) {
        const BodyRow& row = world.body(i);
        const MassProperties& mass = world.world().mass_properties(row.kind);
        const Vector3 momentum = row.linear_velocity / mass.inverse_mass;
        const Vector3 spin = Transposed(row.basis) * row.angular_velocity;
        linear = linear + momentum;
        angular = angular + Cross(row.position, momentum) +
                  row.basis * Vector3{spin.x / mass.inverse_inertia.x,
                                      spin.y / mass.inverse_inertia.y,
                                      spin.z / mass.inverse_inertia.z};
      }
      return std::pair(linear, angular);
    };
    const auto before = momenta();
    const double energy = EnergyOfMotion(world);
    world.Step(Ticks(0.5));
    const auto after = momenta();
    EXPECT_GT(Length(world.body(0).angular_velocity), 1.0);
    // But for rounding.
    EXPECT_LT(Length(after.first - before.first), 1e-9 * Length(before.first));
    // The bodies are up to a gap apart, and each impulse acts in its middle.
    EXPECT_LT(Length(after.second - before.second), 1e-6 * (70.0 + 3.0 * 60.0));
    // What tumbles keeps its energy to 1e-3.
    EXPECT_LE(EnergyOfMotion(world), energy * (1.0 + 1e-3));
    if (restitution == 1.0) {
      EXPECT_NEAR(EnergyOfMotion(world) / energy, 1.0, 1e-3);
    }
  }
}

REPRISE_AT_ALL_RATES(FastBodiesTest);

}  // namespace
}  // namespace reprise::sim
