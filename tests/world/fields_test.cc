// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves fluids, gravity zones and explosions by closed forms: what floats
// floats as deep as Archimedes says, falls as fast as its drag lets it, and is
// blown as far away as its distance says. Sleepers wake when a field changes,
// and not before.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "fmt/format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "sim/base/math.h"
#include "sim/physics/definition/physics_rows.h"
#include "sim/systems/vehicles/driving.h"
#include "sim/world/definition/behaviour.h"
#include "sim/world/updates/update_context.h"
#include "tests/world/testing_worlds.h"

namespace reprise::sim {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr double kGravity = 9.81;
constexpr double kTickS = 1.0 / 60.0;

// Cubes of 1 m with this mass.
std::string Cube(double mass_kg, std::string_view more = "") {
  return fmt::format(
      "types {{ name: \"cube\" body {{ motion: MOTION_DYNAMIC mass_kg: {} "
      "shapes {{ box {{ half_extents {{ x: 0.5 y: 0.5 z: 0.5 }} }} }} {} }} "
      "}}\n",
      mass_kg, more);
}

std::string CubeAt(std::string_view place) {
  return fmt::format(
      "objects {{ name: \"cube\" type: \"cube\" position {{ {} }} }}\n", place);
}

std::string Sea(std::string_view fluid) {
  return fmt::format(
      "regions {{ name: \"sea\" volume {{ box {{ half_extents {{ x: 90 y: 50 "
      "z: 90 }} }} }} }}\n"
      "fluids {{ region: \"sea\" density: 1000 surface_height: 0 {} }}\n",
      fluid);
}

double Value(const Simulation& world, std::string_view object,
             std::string_view scalar) {
  return ValueOf(world, "physics", "bodies", object, scalar)->AsDouble();
}

bool IsAsleep(const Simulation& world, std::string_view object) {
  return ValueOf(world, "physics", "bodies", object, "activation")->bits ==
         static_cast<uint64_t>(Activation::kAsleep);
}

TEST(FluidTest, FloatsAsDeepAsItsDensitySays) {
  auto world = WorldOf(Manifest(
      {Sea("linear_drag: 60 angular_drag: 60"), Cube(300), CubeAt("y: 0.6")}));
  StepTimes(*world, 1200);
  // Three tenths of it are under water.
  EXPECT_NEAR(Value(*world, "cube", "position.y"), 0.2, 1e-3);
  EXPECT_TRUE(IsAsleep(*world, "cube"));
}

TEST(FluidTest, SinksAsFastAsDragLetsIt) {
  auto world =
      WorldOf(Manifest({Sea("linear_drag: 2"), Cube(2000), CubeAt("y: -1")}));
  StepTimes(*world, 300);
  // The rate acts over whole ticks: 2 / (1 + 2 / 60).
  const double rate = 2.0 / (1.0 + 2.0 * kTickS);
  EXPECT_NEAR(Value(*world, "cube", "linear_velocity.y"),
              -kGravity * (1.0 - 1000.0 / 2000.0) / rate, 1e-3);
}

TEST(FluidTest, FlowCarries) {
  auto world = WorldOf(Manifest(
      {Sea("linear_drag: 1000 flow { x: 1.5 }"), Cube(1000), CubeAt("y: -5")}));
  StepTimes(*world, 120);
  EXPECT_NEAR(Value(*world, "cube", "linear_velocity.x"), 1.5, 1e-6);
  EXPECT_NEAR(Value(*world, "cube", "position.y"), -5.0, 1e-3);
}

TEST(FluidTest, OnlyWhatIsInTheVolumeFloats) {
  auto world = WorldOf(Manifest({Sea(""), Cube(300), CubeAt("x: 200 y: -5")}));
  StepTimes(*world, 60);
  EXPECT_LT(Value(*world, "cube", "linear_velocity.y"), -9.0);
}

// Holds the handbrake of its vehicles.
class Handbrake final : public Behaviour {
 public:
  absl::Status Bind(const BehaviourBinder& /*binder*/) override {
    return absl::OkStatus();
  }
  void UpdateBeforePhysics(UpdateContext& context) const override {
    for (uint32_t i = 0; i < context.object_count(); ++i) {
      EXPECT_TRUE(Drive(context, i, {.handbrake = 1.0}));
    }
  }
  Hooks hooks() const override { return {.before_physics = true}; }
};
REPRISE_REGISTER_BEHAVIOUR(testing_handbrake, "testing_handbrake", Handbrake);

// A region around the origin with one or more zones.
std::string Zone(std::string_view zones) {
  return fmt::format(
      "regions {{ name: \"near\" volume {{ sphere {{ radius: 10 }} }} }}\n"
      "regions {{ name: \"far\" volume {{ sphere {{ radius: 100 }} }} }}\n{}\n",
      zones);
}

// How a cube's velocity changes in its first tick, per second.
Vector3 AccelerationAt(std::string_view zones, std::string_view place,
                       std::string_view body = "") {
  auto world = WorldOf(Manifest({Zone(zones), Cube(3, body), CubeAt(place)}));
  world->Step({}, nullptr);
  return Vector3{Value(*world, "cube", "linear_velocity.x"),
                 Value(*world, "cube", "linear_velocity.y"),
                 Value(*world, "cube", "linear_velocity.z")} /
         kTickS;
}

void ExpectNear(Vector3 actual, Vector3 expected) {
  EXPECT_NEAR(actual.x, expected.x, 1e-9);
  EXPECT_NEAR(actual.y, expected.y, 1e-9);
  EXPECT_NEAR(actual.z, expected.z, 1e-9);
}

TEST(GravityZoneTest, StandsInForThePacksGravity) {
  constexpr std::string_view kMoon =
      "gravity_zones { region: \"near\" uniform { x: 1 y: -1.62 } }";
  ExpectNear(AccelerationAt(kMoon, "x: 3"), {1.0, -1.62, 0.0});
  ExpectNear(AccelerationAt(kMoon, "x: 11"), {0.0, -kGravity, 0.0});
}

TEST(GravityZoneTest, HighestPriorityWinsAndAddedOnesAdd) {
  constexpr std::string_view kZones =
      "gravity_zones { region: \"far\" uniform { y: 1 } priority: 1 }\n"
      "gravity_zones { region: \"near\" uniform { y: 2 } priority: 2 }\n"
      "gravity_zones { region: \"near\" uniform { y: 4 } priority: 1 }\n"
      "gravity_zones { region: \"far\" uniform { x: 8 } adds: true }\n"
      "gravity_zones { region: \"near\" uniform { z: 16 } adds: true }\n";
  ExpectNear(AccelerationAt(kZones, "x: 3"), {8.0, 2.0, 16.0});
  ExpectNear(AccelerationAt(kZones, "x: 30"), {8.0, 1.0, 0.0});
  ExpectNear(AccelerationAt(kZones, "x: 300"), {0.0, -kGravity, 0.0});
}

TEST(GravityZoneTest, PointPullsByItsFalloff) {
  constexpr std::string_view kPlanet =
      "gravity_zones { region: \"far\" point { centre { x: 1 } acceleration: 8 "
      "radius: 4 falloff: 2 } }";
  ExpectNear(AccelerationAt(kPlanet, "x: 9"), {-2.0, 0.0, 0.0});
  ExpectNear(AccelerationAt(kPlanet, "x: 1 y: 4"), {0.0, -8.0, 0.0});
  // Inside as in a planet, down to nothing at the centre.
  ExpectNear(AccelerationAt(kPlanet, "x: 2"), {-2.0, 0.0, 0.0});
  ExpectNear(AccelerationAt(kPlanet, "x: 1"), {});
}

// Gravity that pulls along the floor, too, and a cart on it with its brake on.
TEST(GravityZoneTest, BrakedVehicleHoldsAgainstIt) {
  constexpr std::string_view kWheel =
      "radius: 0.2 travel: 0.2 stiffness: 8000 damping_compression: 300 "
      "damping_rebound: 400 force_max_n: 9000 handbraked: true";
  std::string wheels;
  for (const double x : {0.5, -0.5}) {
    for (const double z : {0.6, -0.6}) {
      wheels += fmt::format(
          "wheels {{ position {{ x: {} y: -0.1 z: {} }} {} }}\n", x, z, kWheel);
    }
  }
  auto world = WorldOf(Manifest(
      {"types { name: \"floor\" body { motion: MOTION_FIXED shapes { plane { "
       "normal { y: 1 } } } } }\nobjects { name: \"floor\" type: \"floor\" }\n",
       Zone("gravity_zones { region: \"far\" uniform { x: 2 y: -9 z: 3 } }"),
       "types { name: \"cart\" behaviours { behaviour: \"testing_handbrake\" } "
       "body { motion: MOTION_DYNAMIC mass_kg: 200 "
       "shapes { box { half_extents { x: 0.5 y: 0.2 z: 0.8 } } } } vehicle { "
       "handbrake_force_n: 4000\n",
       wheels,
       "} }\nobjects { name: \"cart\" type: \"cart\" position { y: 0.5 } "
       "}\n"}));
  StepTimes(*world, 180);
  const double x = Value(*world, "cart", "position.x");
  const double z = Value(*world, "cart", "position.z");
  StepTimes(*world, 300);
  EXPECT_NEAR(Value(*world, "cart", "position.x"), x, 0.005);
  EXPECT_NEAR(Value(*world, "cart", "position.z"), z, 0.005);
}

TEST(GravityZoneTest, CharactersFallByIt) {
  constexpr std::string_view kWalker = R"(
types {
  name: "walker"
  body { motion: MOTION_KINEMATIC shapes { capsule { radius: 0.3 half_length: 0.6 } } }
  character { speed: 3 acceleration: 60 }
}
objects { name: "inside" type: "walker" position { y: 5 } }
objects { name: "outside" type: "walker" position { x: 20 y: 50 } }
)";
  auto world = WorldOf(
      Manifest({Zone("gravity_zones { region: \"near\" uniform { y: -1.62 } }"),
                kWalker}));
  StepTimes(*world, 60);
  EXPECT_NEAR(Value(*world, "inside", "position.y"), 5.0 - 0.81, 1e-9);
  EXPECT_NEAR(Value(*world, "outside", "position.y"), 50.0 - 0.5 * kGravity,
              1e-9);
}

constexpr std::string_view kFloor = R"(
types { name: "floor" body { motion: MOTION_FIXED shapes { plane { normal { y: 1 } } } } }
objects { name: "floor" type: "floor" position { y: -0.5 } }
)";

// A zone that lifts, switched on after six seconds.
constexpr std::string_view kLift = R"(
layers { name: "on" disabled: true }
regions { name: "here" volume { sphere { radius: 20 } } layer: "on" }
gravity_zones { region: "here" uniform { y: 5 } }
objectives { name: "wait" condition { elapsed_s: 6 } gates: "on" }
)";

TEST(FieldSleeperTest, SleepsUntilItsFieldChanges) {
  auto world = WorldOf(Manifest({kFloor, kLift, Cube(3), CubeAt("")}));
  StepTimes(*world, 355);
  EXPECT_TRUE(IsAsleep(*world, "cube"));
  EXPECT_EQ(RowCount(*world, "fields", "field_sleepers"), 1u);
  StepTimes(*world, 60);
  EXPECT_FALSE(IsAsleep(*world, "cube"));
  EXPECT_GT(Value(*world, "cube", "position.y"), 0.5);
  EXPECT_EQ(RowCount(*world, "fields", "field_sleepers"), 0u);
}

TEST(FieldSleeperTest, RestoredAtAnyTickItGoesOnTheSame) {
  const std::string manifest = Manifest({kFloor, kLift, Cube(3), CubeAt("")});
  auto plain = WorldOf(manifest);
  auto moved = WorldOf(manifest);
  for (int tick = 0; tick < 420; ++tick) {
    auto next = WorldOf(manifest);
    ASSERT_TRUE(next->Restore(moved->state()).ok());
    moved = std::move(next);
    StepTimes(*plain, 1);
    StepTimes(*moved, 1);
    ASSERT_EQ(moved->state().ComputeRootDigest(),
              plain->state().ComputeRootDigest())
        << "tick " << tick;
  }
}

// A charge at the origin that blows in the first tick after 0.1 s.
std::string Charge(std::string_view explosive) {
  return fmt::format(
      "physics {{ gravity {{}} }}\n"
      "types {{ name: \"charge\" explosive {{ {} }} timers {{ name: \"fuse\" "
      "event: \"explode\" delay_s: 0.1 }} }}\n"
      "objects {{ name: \"charge\" type: \"charge\" }}\n",
      explosive);
}

TEST(ExplosionTest, WeakensWithTheDistanceOfTheClosestPoint) {
  auto world = WorldOf(Manifest(
      {Charge("radius: 4 impulse_ns: 100 falloff: 2"), Cube(10),
       "objects { name: \"near\" type: \"cube\" position { x: 1.5 } }\n"
       "objects { name: \"up\" type: \"cube\" position { y: 3.5 } }\n"
       "objects { name: \"far\" type: \"cube\" position { z: -5 } }\n"
       "objects { name: \"off\" type: \"cube\" position { x: -1.5 "
       "z: 0.25 } }\n"}));
  StepTimes(*world, 10);
  EXPECT_NEAR(Value(*world, "near", "linear_velocity.x"), 10.0 * 0.5625, 1e-9);
  EXPECT_NEAR(Value(*world, "up", "linear_velocity.y"), 10.0 * 0.0625, 1e-9);
  EXPECT_EQ(Value(*world, "far", "linear_velocity.z"), 0.0);
  // Beside its middle it spins as well.
  EXPECT_LT(Value(*world, "off", "linear_velocity.x"), -5.0);
  EXPECT_NE(Value(*world, "off", "angular_velocity.y"), 0.0);
  std::vector<std::string> told;
  for (const Event& event : EventsOf(*world, "blast")) {
    told.push_back(world->ObjectName(event.object));
  }
  EXPECT_THAT(told, ElementsAre("near", "off", "up"));
}

TEST(ExplosionTest, SparesWhatIsBehindAWallWhereSightIsNeeded) {
  constexpr std::string_view kBehindWall = R"(
types { name: "wall" body { motion: MOTION_FIXED shapes { box { half_extents { x: 0.1 y: 2 z: 2 } } } } }
objects { name: "wall" type: "wall" position { x: 0.7 } }
objects { name: "hidden" type: "cube" position { x: 1.5 } }
objects { name: "seen" type: "cube" position { x: -1.5 } }
)";
  for (const bool needs_sight : {false, true}) {
    auto world = WorldOf(Manifest(
        {Charge(fmt::format("radius: 4 impulse_ns: 100 needs_sight: {}",
                            needs_sight)),
         Cube(10), kBehindWall}));
    StepTimes(*world, 10);
    EXPECT_LT(Value(*world, "seen", "linear_velocity.x"), -1.0);
    EXPECT_EQ(Value(*world, "hidden", "linear_velocity.x") == 0.0, needs_sight);
  }
}

// Glass of every shape that isn't made of solids.
TEST(ExplosionTest, ReachesMeshesPlanesAndHeightFieldsThatBreak) {
  constexpr std::string_view kGlass = R"(
types { name: "pane" destructible { health: 50 } body { motion: MOTION_FIXED shapes { mesh {
  vertices { x: 2 y: -1 z: -1 } vertices { x: 2 y: -1 z: 1 } vertices { x: 2 y: 2 }
  indices: 0 indices: 1 indices: 2 } } } }
types { name: "floor" destructible { health: 50 } body { motion: MOTION_FIXED shapes { plane { normal { y: 1 } } } } }
types { name: "roof" destructible { health: 50 } body { motion: MOTION_FIXED shapes { height_field { columns: 2 rows: 2 cell_size: 4 heights: [ 0, 0, 0, 0 ] } } } }
objects { name: "pane" type: "pane" }
objects { name: "pane_far" type: "pane" position { x: 2.5 } }
objects { name: "floor" type: "floor" position { y: -1 } }
objects { name: "roof" type: "roof" position { y: 3 } }
)";
  auto world = WorldOf(
      Manifest({Charge("radius: 4 impulse_ns: 100 falloff: 1"), kGlass}));
  StepTimes(*world, 10);
  std::vector<std::string> told;
  for (const Event& event : EventsOf(*world, "blast")) {
    told.push_back(fmt::format("{} {:g}", world->ObjectName(event.object),
                               event.arguments[1].value.AsDouble()));
  }
  EXPECT_THAT(told, ElementsAre("floor 75", "pane 50", "roof 25"));
}

// Every charge of a tick sees what was blown before it where it is.
TEST(ExplosionTest, ManyInATickAddUp) {
  constexpr std::string_view kCharges = R"(
objects { name: "charge_b" type: "charge" position { x: 1 } }
objects { name: "charge_c" type: "charge" position { x: -1 } }
objects { name: "up" type: "cube" position { y: 2.5 } }
)";
  auto world = WorldOf(Manifest(
      {Charge("radius: 4 impulse_ns: 100 falloff: 1"), Cube(10), kCharges}));
  StepTimes(*world, 10);
  EXPECT_EQ(EventsOf(*world, "blast").size(), 3u);
  // From below by all of them; their sideways parts meet.
  const double slant = Sqrt(4.25);
  EXPECT_NEAR(Value(*world, "up", "linear_velocity.y"),
              10.0 * (0.5 + 2.0 * (1.0 - slant / 4.0) * 2.0 / slant), 1e-9);
  EXPECT_NEAR(Value(*world, "up", "linear_velocity.x"), 0.0, 1e-9);
}

TEST(FieldCompilerTest, MistakesAreReported) {
  EXPECT_THAT(
      Problems(Manifest({"fluids { region: \"x\" density: -1 }\n",
                         "gravity_zones { region: \"y\" }\n"})),
      ElementsAre(HasSubstr("there is no region 'x'"), HasSubstr("density"),
                  HasSubstr("there is no region 'y'"),
                  HasSubstr("required: uniform or point")));
  EXPECT_THAT(Problems(Manifest({Zone(
                  "gravity_zones { region: \"near\" adds: true priority: 2 "
                  "point { acceleration: nan radius: 0 falloff: 9 } }")})),
              ElementsAre(HasSubstr("priority"), HasSubstr("acceleration"),
                          HasSubstr("radius"), HasSubstr("falloff")));
  EXPECT_THAT(Problems(Manifest({"types { name: \"t\" explosive { radius: inf "
                                 "impulse_ns: 0 falloff: 5 } }\n"})),
              ElementsAre(HasSubstr("radius"), HasSubstr("impulse_ns"),
                          HasSubstr("falloff")));
}

// However many there are, no memory is taken for what will be refused.
TEST(BodyLimitTest, AMillionBodiesAreRefused) {
  std::string manifest = Manifest({Cube(1)});
  for (int i = 0; i < 100; ++i) {
    manifest += fmt::format(
        "objects {{ name: \"g{}\" type: \"cube\" grid {{ count_x: 100 count_y: "
        "100 spacing {{ x: 2 y: 2 }} }} }}\n",
        i);
  }
  EXPECT_THAT(Problems(manifest), testing::Contains(HasSubstr("60000")));
}

}  // namespace
}  // namespace reprise::sim
