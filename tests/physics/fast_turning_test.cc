// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Fast bodies that turn, at every rate: the end of a long rod that comes to
// something within a tick strikes it as its closed form says; and rooms full of
// fast things of all shapes, whose energy never grows and out of which nothing
// gets.

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "sim/base/id.h"
#include "sim/base/math.h"
#include "sim/base/random.h"
#include "sim/physics/testing/testing_world.h"
#include "tests/physics/testing_rates.h"

namespace reprise::sim {
namespace {

constexpr double kThickM = 0.02;
constexpr double kPostM = 0.01;
constexpr double kLengthM = 1.0;  // from the rod's middle to its end

// Lies along x.
const Quaternion kAlongX = FromAxisAngle({0.0, 0.0, 1.0}, 0.5 * kPi);

class FastTurningTest : public RateTest {
 protected:
  static PhysicsDefinition MakeSpace() {
    PhysicsDefinition definition;
    definition.tick_s = tick_s();
    definition.gravity_m_s2 = {};
    return definition;
  }
  static void MakeBouncing(double restitution, BodyKind& kind) {
    kind.is_continuous = true;
    kind.friction = 0.0;
    kind.restitution = restitution;
    kind.restitution_rule = CombinationRule::kMaximum;
  }
};

// Where the post is that a rod, which turns around y, comes to by a turn of a
// radian; and how far from the rod's middle it touches it then.
Vector3 PostAt(double distance_m) {
  return {distance_m * Cos(1.0), 0.0, -distance_m * Sin(1.0)};
}
double Lever(double distance_m) {
  const double apart = kThickM + kPostM;
  return Sqrt(distance_m * distance_m - apart * apart);
}

TEST_P(FastTurningTest, ARodThatSpinsStrikesAPost) {
  for (const double spin : {20.0, 60.0, 200.0}) {
    for (const double distance_m : {0.5, 0.8, 0.97}) {
      for (const double restitution : {1.0, 0.5, 0.0}) {
        // A fixed one, and one that flies off.
        for (const double post_kg : {0.0, 0.5}) {
          PhysicsDefinition definition = MakeSpace();
          AddedBody rod = AddBody(
              definition, ShapeOf(CapsulePrimitive{kThickM, 2.0 * kLengthM}),
              Motion::kDynamic, {});
          MakeBouncing(restitution, rod.kind);
          rod.placement.rotation = kAlongX;
          rod.placement.angular_velocity_rad_s = {0.0, spin, 0.0};
          AddedBody post =
              AddBody(definition, ShapeOf(CapsulePrimitive{kPostM, 1.0}),
                      post_kg == 0.0 ? Motion::kFixed : Motion::kDynamic,
                      PostAt(distance_m));
          post.kind.friction = 0.0;
          if (post_kg > 0.0) post.kind.mass_kg = post_kg;
          TestingWorld world(definition);
          // Until it is struck, and not twice.
          uint32_t ticks = 0;
          while (Abs(world.body(0).angular_velocity.y - spin) < 1e-6 * spin) {
            world.Step();
            ASSERT_LT(++ticks, Ticks(1.2 / spin) + 2) << spin;
          }
          const MassProperties& mass = world.world().mass_properties(0);
          const double lever_m = Lever(distance_m);
          const double inverse = mass.inverse_mass +
                                 lever_m * lever_m * mass.inverse_inertia.x +
                                 (post_kg == 0.0 ? 0.0 : 1.0 / post_kg);
          const double impulse = (1.0 + restitution) * spin * lever_m / inverse;
          const std::string where = std::to_string(spin) + " rad/s, " +
                                    std::to_string(distance_m) + " m, e " +
                                    std::to_string(restitution) + ", post " +
                                    std::to_string(post_kg);
          // They meet up to a gap early: by a ten thousandth of the lever. What
          // doesn't bounce stays on and is pushed for the rest of the tick.
          const double share = restitution > 0.0 ? 1e-3 : 1e-2;
          EXPECT_NEAR(world.body(0).angular_velocity.y,
                      spin - impulse * lever_m * mass.inverse_inertia.x,
                      share * spin)
              << where;
          EXPECT_NEAR(Length(world.body(0).linear_velocity),
                      impulse * mass.inverse_mass, share * spin)
              << where;
          if (post_kg == 0.0) continue;
          EXPECT_NEAR(Length(world.body(1).linear_velocity), impulse / post_kg,
                      share * spin / post_kg)
              << where;
        }
      }
    }
  }
}

// Where the post stands beside the rod: how far from its axis, and on which
// side; 0 beyond its ends.
double SideOf(const BodyRow& rod, Vector3 post) {
  const Vector3 along = rod.basis * Vector3{0.0, 1.0, 0.0};
  const Vector3 apart = post - rod.position;
  if (Abs(Dot(apart, along)) > kLengthM) return 0.0;
  return Dot(apart, Cross(along, {0.0, 1.0, 0.0}));
}

// All that can be in the way of a rod, as a post.
std::vector<std::pair<std::string, ShapeDefinition>> Posts() {
  const std::vector<Vector3> vertices = {
      {-0.01, -0.5, -0.01}, {0.01, -0.5, -0.01}, {0.01, -0.5, 0.01},
      {-0.01, -0.5, 0.01},  {-0.01, 0.5, -0.01}, {0.01, 0.5, -0.01},
      {0.01, 0.5, 0.01},    {-0.01, 0.5, 0.01}};
  const std::vector<TriangleCorners> faces = {
      {0, 1, 2}, {0, 2, 3}, {4, 6, 5}, {4, 7, 6}, {0, 4, 5}, {0, 5, 1},
      {1, 5, 6}, {1, 6, 2}, {2, 6, 7}, {2, 7, 3}, {3, 7, 4}, {3, 4, 0}};
  return {
      {"capsule", ShapeOf(CapsulePrimitive{kPostM, 1.0})},
      {"cylinder", ShapeOf(CylinderPrimitive{kPostM, 1.0})},
      {"box", ShapeOf(BoxPrimitive{{kPostM, 0.5, kPostM}})},
      {"ball", ShapeOf(SpherePrimitive{kPostM})},
      {"mesh", MeshShape{.vertices = vertices, .triangles = faces}},
      {"solid mesh",
       MeshShape{.vertices = vertices, .triangles = faces, .is_closed = true}},
  };
}

TEST_P(FastTurningTest, NoPostPassesThroughARod) {
  const SolidShape rods[] = {
      {{{.solid = CapsulePrimitive{kThickM, 2.0 * kLengthM},
         .position = {},
         .rotation = {}}}},
      {{{.solid = BoxPrimitive{{kThickM, kLengthM, kThickM}},
         .position = {},
         .rotation = {}}}},
      {{{.solid = CylinderPrimitive{kThickM, 2.0 * kLengthM},
         .position = {},
         .rotation = {}}}},
      // A hammer in three pieces.
      {{{.solid = BoxPrimitive{{kThickM, 0.5 * kLengthM, kThickM}},
         .position = {0.0, -0.5 * kLengthM, 0.0},
         .rotation = {}},
        {.solid = CapsulePrimitive{kThickM, kLengthM},
         .position = {0.0, 0.5 * kLengthM, 0.0},
         .rotation = {}},
        {.solid = SpherePrimitive{0.05},
         .position = {0.0, kLengthM, 0.0},
         .rotation = {}}}}};
  const Vector3 post = PostAt(0.7);
  for (const auto& [name, shape] : Posts()) {
    for (const SolidShape& rod_shape : rods) {
      for (const double spin : {30.0, 100.0}) {
        PhysicsDefinition definition = MakeSpace();
        AddedBody rod = AddBody(definition, rod_shape, Motion::kDynamic, {});
        MakeBouncing(0.3, rod.kind);
        rod.kind.friction = 0.5;
        rod.placement.rotation = kAlongX;
        rod.placement.angular_velocity_rad_s = {0.0, spin, 0.0};
        AddBody(definition, shape, Motion::kFixed, post);
        TestingWorld world(definition);
        const double before = SideOf(world.body(0), post);
        ASSERT_NE(before, 0.0);
        for (uint32_t tick = 0; tick < Ticks(0.3); ++tick) {
          world.Step();
          const double side = SideOf(world.body(0), post);
          if (side == 0.0) break;  // it has got away
          ASSERT_GT(side * before, 0.0)
              << name << " " << spin << " rad/s, tick " << tick;
        }
        EXPECT_LT(world.body(0).angular_velocity.y, 0.9 * spin) << name;
      }
    }
  }
}

// Twenty-four things of all shapes in a room of 4 m.
class Room {
 public:
  static constexpr uint32_t kWalls = 6;
  static constexpr uint32_t kThings = 24;
  static constexpr double kHalfM = 2.0;

  Room(double tick_s, double restitution, double friction, double speed) {
    definition_.tick_s = tick_s;
    definition_.gravity_m_s2 = {};
    for (int axis = 0; axis < 3; ++axis) {
      for (const double side : {-1.0, 1.0}) {
        Vector3 half = {3.0, 3.0, 3.0};
        Vector3 place;
        (&half.x)[axis] = 0.05;
        (&place.x)[axis] = side * (kHalfM + 0.05);
        AddBody(definition_, ShapeOf(BoxPrimitive{half}), Motion::kFixed,
                place);
      }
    }
    const SolidShape bell = {{{.solid = SpherePrimitive{0.1},
                               .position = {0.0, 0.25, 0.0},
                               .rotation = {}},
                              {.solid = SpherePrimitive{0.1},
                               .position = {0.0, -0.25, 0.0},
                               .rotation = {}}}};
    const ShapeDefinition shapes[] = {ShapeOf(SpherePrimitive{0.12}),
                                      ShapeOf(BoxPrimitive{{0.3, 0.05, 0.1}}),
                                      ShapeOf(CapsulePrimitive{0.04, 0.6}),
                                      ShapeOf(CylinderPrimitive{0.12, 0.3}),
                                      ShapeOf(ConePrimitive{0.15, 0.3}),
                                      bell};
    RandomStream random = MakeRandomStream(1, IdOf("room"));
    const auto next = [&random](double most) {
      return most * (2.0 * NextUnit(random) - 1.0);
    };
    for (uint32_t i = 0; i < kThings; ++i) {
      const uint32_t layer = i / 12;
      const uint32_t row = i / 4 % 3;
      const Vector3 place = {-1.5 + i % 4, -1.0 + row, -0.5 + layer};
      const AddedBody thing =
          AddBody(definition_, shapes[i % 6], Motion::kDynamic, place);
      thing.kind.is_continuous = true;
      thing.kind.restitution = restitution;
      thing.kind.restitution_rule = CombinationRule::kMaximum;
      thing.kind.friction = friction;
      thing.kind.friction_rule = CombinationRule::kMinimum;
      thing.kind.mass_kg = 1.0 + i % 5;
      Vector3& velocity = thing.placement.linear_velocity_m_s;
      velocity.x = next(speed);
      velocity.y = next(speed);
      velocity.z = next(speed);
      Vector3& spin = thing.placement.angular_velocity_rad_s;
      spin.x = next(10.0);
      spin.y = next(10.0);
      spin.z = next(10.0);
    }
  }

  const PhysicsDefinition& definition() const { return definition_; }

  static double EnergyOf(TestingWorld& world) {
    double sum = 0.0;
    for (uint32_t i = kWalls; i < kWalls + kThings; ++i) {
      const BodyRow& row = world.body(i);
      const MassProperties& mass = world.world().mass_properties(row.kind);
      const Vector3 spin = Transposed(row.basis) * row.angular_velocity;
      sum += 0.5 * (Dot(row.linear_velocity, row.linear_velocity) /
                        mass.inverse_mass +
                    spin.x * spin.x / mass.inverse_inertia.x +
                    spin.y * spin.y / mass.inverse_inertia.y +
                    spin.z * spin.z / mass.inverse_inertia.z);
    }
    return sum;
  }
  static bool IsInside(Vector3 place) {
    return Abs(place.x) < kHalfM && Abs(place.y) < kHalfM &&
           Abs(place.z) < kHalfM;
  }

 private:
  PhysicsDefinition definition_;
};

TEST_P(FastTurningTest, NothingGetsOutOfARoom) {
  for (const double restitution : {1.0, 0.7}) {
    const Room room(tick_s(), restitution, 0.5, 100.0);
    TestingWorld world(room.definition());
    for (uint32_t tick = 0; tick < Ticks(0.5); ++tick) {
      world.Step();
      for (uint32_t i = Room::kWalls; i < Room::kWalls + Room::kThings; ++i) {
        ASSERT_TRUE(Room::IsInside(world.body(i).position))
            << "body " << i << " tick " << tick << " e " << restitution;
      }
    }
  }
}

// As fast as it turns by no more than half a turn in a tick, beyond which what
// tumbles keeps its momentum alone.
TEST_P(FastTurningTest, EnergyNeverGrows) {
  for (const double restitution : {1.0, 0.7}) {
    const Room room(tick_s(), restitution, restitution == 1.0 ? 0.0 : 0.5, 6.0);
    TestingWorld world(room.definition());
    const double first = Room::EnergyOf(world);
    double before = first;
    for (uint32_t tick = 0; tick < Ticks(1.0); ++tick) {
      world.Step();
      const double energy = Room::EnergyOf(world);
      // What tumbles swings by 1e-3 of the energy of turning.
      ASSERT_LE(energy, before * (1.0 + 1e-3)) << tick << " e " << restitution;
      ASSERT_LE(energy, first * (1.0 + 1e-3)) << tick;
      before = energy;
    }
    if (restitution < 1.0) {
      EXPECT_LT(before, 0.8 * first);
    }
  }
}

// What is met on the way is no state.
TEST_P(FastTurningTest, RestoredAtEachTickItGoesOnTheSame) {
  const Room room(tick_s(), 0.7, 0.5, 100.0);
  TestingWorld plain(room.definition());
  TestingWorld restored(room.definition());
  for (uint32_t tick = 0; tick < 20; ++tick) {
    PhysicsWorld fresh(restored.definition(), restored.tables());
    ASSERT_EQ(fresh.Load(restored.state()), absl::OkStatus());
    fresh.Step(restored.state());
    plain.Step();
    ASSERT_EQ(plain.digest(), restored.digest()) << "tick " << tick;
  }
}

REPRISE_AT_ALL_RATES(FastTurningTest);

}  // namespace
}  // namespace reprise::sim
