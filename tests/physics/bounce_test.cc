// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Bounces against their closed forms: a ball comes back to e^2 of its height,
// whatever the rate, the height and what it bounces off, and never higher; two
// bodies part with the velocities that momentum and restitution give them.

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include "gtest/gtest.h"
#include "sim/physics/testing/testing_world.h"
#include "tests/physics/testing_rates.h"

namespace reprise::sim {
namespace {

class BounceTest : public RateTest {
 protected:
  // Half the height comes back in the second at most.
  static constexpr double kSeconds = 1.6;

  // By mass, m^2/s^2.
  static double EnergyOfMotion(TestingWorld& world, const BodyRow& row) {
    const MassProperties& mass = world.world().mass_properties(row.kind);
    const Vector3 spin = Transposed(row.basis) * row.angular_velocity;
    const double turning = spin.x * spin.x / mass.inverse_inertia.x +
                           spin.y * spin.y / mass.inverse_inertia.y +
                           spin.z * spin.z / mass.inverse_inertia.z;
    return 0.5 * (Dot(row.linear_velocity, row.linear_velocity) +
                  turning * mass.inverse_mass);
  }

  // How high above the ground a thing of `shape` comes after it was let go at
  // `height_m`, as a share of it, `radius_m` being from its middle to its
  // lowest point.
  static double ReturnOf(const ShapeDefinition& ground,
                         const ShapeDefinition& shape, double radius_m,
                         double height_m, double restitution, double mass_kg) {
    PhysicsDefinition definition;
    definition.tick_s = tick_s();
    AddBody(definition, ground, Motion::kFixed, {}).kind.restitution = 1.0;
    BodyKind& kind = AddBody(definition, shape, Motion::kDynamic,
                             {0.01, radius_m + height_m, 0.02})
                         .kind;
    kind.restitution = restitution;
    kind.mass_kg = mass_kg;
    TestingWorld world(definition);
    double energy_before = kGravity * height_m;
    double highest = 0.0;
    bool has_bounced = false;
    for (uint32_t i = 0; i < Ticks(kSeconds); ++i) {
      world.Step();
      const BodyRow& row = world.body(1);
      const double speed = row.linear_velocity.y;
      const double energy =
          kGravity * (row.position.y - radius_m) + EnergyOfMotion(world, row);
      // Contacts may take energy, and nothing gives any: 0.1 % for what bodies
      // are pushed out where they overlap.
      EXPECT_LE(energy, energy_before + 1e-3 * kGravity * height_m) << i;
      energy_before = std::max(energy, kGravity * 1e-3);
      has_bounced = has_bounced || speed > 0.0;
      if (has_bounced && highest == 0.0) {
        highest = row.position.y - radius_m + 0.5 * speed * speed / kGravity;
        // What falls flat parts flat.
        EXPECT_LT(Length(row.angular_velocity), 0.1);
      }
    }
    return highest / height_m;
  }
};

TEST_P(BounceTest, ABallReturnsToTheSquareOfRestitution) {
  const HeightFieldShape field = {.columns = 2,
                                  .rows = 2,
                                  .cell_size_m = 9.0,
                                  .heights_m = {0.0, 0.0, 0.0, 0.0},
                                  .position = {}};
  const MeshShape mesh = {.vertices = {{-9.0, 0.0, -9.0},
                                       {9.0, 0.0, -9.0},
                                       {-9.0, 0.0, 9.0},
                                       {9.0, 0.0, 9.0}},
                          .triangles = {{0, 2, 1}, {1, 2, 3}}};
  const SolidShape block = {{{.solid = BoxPrimitive{{2.0, 0.5, 2.0}},
                              .position = {0.0, -0.5, 0.0},
                              .rotation = {}}}};
  for (const auto& [name, ground] :
       std::vector<std::pair<std::string, ShapeDefinition>>{
           {"plane", PlaneShape{}},
           {"block", block},
           {"mesh", mesh},
           {"field", field}}) {
    for (const double radius_m : {0.15, 0.5}) {
      for (const double height_m : {1.0, 1.07, 1.2}) {
        for (const double restitution : {1.0, 0.8, 0.5}) {
          for (const double mass_kg : {0.1, 100.0}) {
            const double share =
                ReturnOf(ground, ShapeOf(SpherePrimitive{radius_m}), radius_m,
                         height_m, restitution, mass_kg);
            // Of the parts of a step, in which a ball falls too slowly by up to
            // half of one: less than a hundredth.
            EXPECT_NEAR(share / (restitution * restitution), 1.0, 0.01)
                << name << " r " << radius_m << " h " << height_m << " e "
                << restitution << " m " << mass_kg;
          }
        }
      }
    }
  }
}

TEST_P(BounceTest, ABoxThatFallsFlatBouncesFlat) {
  for (const double restitution : {1.0, 0.5}) {
    const double share =
        ReturnOf(PlaneShape{}, ShapeOf(BoxPrimitive{{0.3, 0.2, 0.4}}), 0.2, 1.0,
                 restitution, 5.0);
    EXPECT_NEAR(share / (restitution * restitution), 1.0, 0.02) << restitution;
  }
}

TEST_P(BounceTest, TwoBallsPartAsMomentumAndRestitutionSay) {
  for (const double ratio : {1.0, 3.0, 100.0}) {
    for (const double restitution : {1.0, 0.5, 0.0}) {
      PhysicsDefinition definition;
      definition.tick_s = tick_s();
      definition.gravity_m_s2 = {};
      const double speed_m_s = 4.0;
      for (const double x : {-1.5, 0.0}) {
        const AddedBody ball =
            AddBody(definition, ShapeOf(SpherePrimitive{0.25}),
                    Motion::kDynamic, {x, 0.0, 0.0});
        ball.kind.restitution = restitution;
        ball.kind.restitution_rule = CombinationRule::kMaximum;
        ball.kind.mass_kg = x < 0.0 ? 1.0 : ratio;
        ball.placement.linear_velocity_m_s = {x < 0.0 ? speed_m_s : 0.0, 0.0,
                                              0.0};
      }
      TestingWorld world(definition);
      world.Step(Ticks(0.6));
      const double total = 1.0 + ratio;
      const double first = speed_m_s * (1.0 - restitution * ratio) / total;
      const double second = speed_m_s * (1.0 + restitution) / total;
      const std::string where = " ratio " + std::to_string(ratio) + " e " +
                                std::to_string(restitution);
      EXPECT_NEAR(world.body(0).linear_velocity.x, first, 1e-9) << where;
      EXPECT_NEAR(world.body(1).linear_velocity.x, second, 1e-9) << where;
    }
  }
}

REPRISE_AT_ALL_RATES(BounceTest);

}  // namespace
}  // namespace reprise::sim
