// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves what a character does against what mechanics and its definition say:
// how high it jumps, what it climbs and what it slides down, what carries it,
// what it pushes, and that nothing brings it into a wall. Each test is a small
// world with one character in it.

#include "sim/physics/characters/character.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "gtest/gtest.h"
#include "sim/base/math.h"
#include "sim/base/random.h"
#include "sim/physics/bodies/kinematic_motion.h"
#include "sim/physics/queries/physics_queries.h"
#include "sim/physics/testing/testing_world.h"

namespace reprise::sim {
namespace {

constexpr double kTickS = 1.0 / 60.0;
constexpr double kGravity = 9.81;
constexpr CapsulePrimitive kCapsule = {.radius_m = 0.3, .height_m = 1.2};
// From the centre to the foot.
constexpr double kHalfM = 0.9;

CharacterDefinition Walker() {
  return {.capsule = kCapsule,
          .acceleration_m_s2 = 60.0,
          .air_acceleration_m_s2 = 10.0,
          .jump_speed_m_s = 5.0,
          .coyote_ticks = 0,
          .jump_buffer_ticks = 0,
          .step_height_m = 0.3,
          .slope_cosine = Cos(kPi / 4.0),
          .fall_speed_max_m_s = 50.0,
          .mass_kg = 80.0,
          .push_force_n = 400.0};
}

// A world whose last body is a character, with its foot at a place.
class CharacterWorld {
 public:
  CharacterWorld(PhysicsDefinition definition, Vector3 foot,
                 CharacterDefinition character = Walker())
      : character_(character),
        world_(WithCharacter(std::move(definition), foot)),
        queries_(world_.definition(), world_.tables()),
        body_(world_.state().table(world_.tables().bodies).row_count() - 1),
        row_(InitialCharacter(world_.body(body_).object)) {}

  CharacterTick Step() {
    queries_.Look(world_.state());
    const CharacterTick tick =
        MoveCharacter(character_,
                      {.physics = world_.world(),
                       .queries = queries_,
                       .gravity_m_s2 = world_.definition()->gravity_m_s2},
                      world_.state(), body_, row_);
    world_.Step();
    return tick;
  }
  void Step(int ticks) {
    for (int i = 0; i < ticks; ++i) Step();
  }

  // Moves a kinematic body by a way and a turn around y, then makes a tick.
  CharacterTick StepWith(uint32_t body, Vector3 way, double turn_rad = 0.0) {
    const BodyRow& row = world_.body(body);
    MoveKinematic(
        world_.state(), world_.tables(), body, row.position + way,
        FromAxisAngle({0.0, 1.0, 0.0}, turn_rad) * ToQuaternion(row.basis),
        kTickS);
    return Step();
  }

  // Lets it come to the ground.
  void Settle() {
    for (int i = 0; i < 120 && row_.ground == kNoObject; ++i) Step();
    ASSERT_NE(row_.ground, kNoObject);
    Step(2);
  }

  void Walk(Vector3 velocity) { row_.wanted_velocity = velocity; }
  void AskToJump() { row_.wants_jump = 1; }

  TestingWorld& world() { return world_; }
  CharacterRow& row() { return row_; }
  const BodyRow& body() const { return world_.body(body_); }
  const BodyRow& body(uint32_t row) const { return world_.body(row); }
  Vector3 foot() const { return body().position - Vector3{0.0, kHalfM, 0.0}; }

  // How deep the capsule is in the deepest body; below 0: how far from it.
  double Depth() {
    queries_.Look(world_.state());
    double depth = -1.0;
    for (const NearPrimitive& near : queries_.FindNear(
             {.solid = kCapsule, .position = body().position, .rotation = {}},
             1.0, {.ignored = body().object})) {
      depth = std::max(depth, -near.distance_m);
    }
    return depth;
  }

 private:
  static PhysicsDefinition WithCharacter(PhysicsDefinition definition,
                                         Vector3 foot) {
    AddBody(definition, ShapeOf(kCapsule), Motion::kKinematic,
            foot + Vector3{0.0, kHalfM, 0.0});
    return definition;
  }

  CharacterDefinition character_;
  TestingWorld world_;
  PhysicsQueries queries_;
  uint32_t body_;
  CharacterRow row_;
};

// Adds a box by its lowest and highest corner.
AddedBody AddBox(PhysicsDefinition& definition, Vector3 low, Vector3 high,
                 Motion motion = Motion::kFixed) {
  return AddBody(definition, ShapeOf(BoxPrimitive{0.5 * (high - low)}), motion,
                 0.5 * (low + high));
}

// A floor with a slope that begins at x = 0 and rises towards +x.
PhysicsDefinition MakeSlope(double degrees) {
  PhysicsDefinition definition = MakeFloor();
  const double angle = degrees * kPi / 180.0;
  // The upper face goes through the origin.
  const AddedBody slope = AddBody(
      definition, ShapeOf(BoxPrimitive{{10.0, 1.0, 5.0}}), Motion::kFixed,
      {10.0 * Cos(angle) + Sin(angle), 10.0 * Sin(angle) - Cos(angle), 0.0});
  slope.placement.rotation = FromAxisAngle({0.0, 0.0, 1.0}, angle);
  return definition;
}

TEST(CharacterTest, StandingStillWritesNothing) {
  CharacterWorld world(MakeFloor(), {0.0, 0.5, 0.0});
  world.Settle();
  EXPECT_NEAR(world.foot().y, kCharacterSkinM, 0.002);
  const Digest before = world.world().digest();
  world.Step(300);
  EXPECT_EQ(world.world().digest(), before);
}

TEST(CharacterTest, FallsAndLandsOnce) {
  CharacterWorld world(MakeFloor(), {0.0, 2.0, 0.0});
  int landed = 0;
  int ticks = 0;
  for (int i = 0; i < 120; ++i) {
    if (world.row().ground == kNoObject) ++ticks;
    const CharacterTick tick = world.Step();
    landed += tick.has_landed ? 1 : 0;
    EXPECT_FALSE(tick.has_left_ground);
  }
  EXPECT_EQ(landed, 1);
  EXPECT_EQ(world.row().ground, ObjectId{1});
  EXPECT_NEAR(ticks * kTickS, Sqrt(2.0 * 2.0 / kGravity), 2.0 * kTickS);
}

TEST(CharacterTest, WalksAtTheWantedSpeedAndFacesWhereItGoes) {
  CharacterWorld world(MakeFloor(), {0.0, 0.02, 0.0});
  world.Settle();
  world.Walk({3.0, 0.0, 4.0});
  world.Step(10);  // 5 m/s at 60 m/s^2 take 5 ticks
  const Vector3 from = world.foot();
  world.Step(60);
  EXPECT_NEAR(world.foot().x - from.x, 3.0, 1e-9);
  EXPECT_NEAR(world.foot().z - from.z, 4.0, 1e-9);
  EXPECT_NEAR(world.body().basis.rows[0].z, 0.6, 1e-12);
  EXPECT_NEAR(world.body().basis.rows[2].z, 0.8, 1e-12);
  EXPECT_EQ(world.body().basis.rows[1], (Vector3{0.0, 1.0, 0.0}));
}

TEST(CharacterTest, SpeedsUpAndBrakesByItsAcceleration) {
  CharacterWorld world(MakeFloor(), {0.0, 0.02, 0.0});
  world.Settle();
  world.Walk({4.0, 0.0, 0.0});
  world.Step();
  EXPECT_NEAR(world.row().velocity.x, 60.0 * kTickS, 1e-12);
  world.Step(10);
  world.Walk({});
  world.Step();
  EXPECT_NEAR(world.row().velocity.x, 4.0 - 60.0 * kTickS, 1e-9);
}

TEST(CharacterTest, WalksUpSlopesWithoutSlowingDownUpToItsAngle) {
  for (const double degrees : {10.0, 30.0, 44.0}) {
    CharacterWorld world(MakeSlope(degrees), {-1.0, 0.02, 0.0});
    world.Settle();
    world.Walk({3.0, 0.0, 0.0});
    world.Step(60);
    const Vector3 from = world.foot();
    world.Step(60);
    const Vector3 way = world.foot() - from;
    EXPECT_NEAR(way.x, 3.0, 0.02) << degrees;
    EXPECT_NEAR(way.y, 3.0 * Tan(degrees * kPi / 180.0), 0.05) << degrees;
    EXPECT_LT(world.Depth(), 0.0) << degrees;
  }
}

TEST(CharacterTest, WalksDownSlopesOnTheGround) {
  CharacterWorld world(MakeSlope(40.0), {3.0, 3.0, 0.0});
  world.Settle();
  world.Walk({-3.0, 0.0, 0.0});
  for (int i = 0; i < 50; ++i) {
    EXPECT_FALSE(world.Step().has_left_ground) << i;
  }
}

TEST(CharacterTest, StandsStillOnSlopes) {
  CharacterWorld world(MakeSlope(40.0), {3.0, 3.0, 0.0});
  world.Settle();
  const Vector3 from = world.foot();
  world.Step(120);
  EXPECT_EQ(world.foot(), from);
}

TEST(CharacterTest, SteeperSlopesAreWalls) {
  CharacterWorld world(MakeSlope(46.0), {-1.0, 0.02, 0.0});
  world.Settle();
  world.Walk({3.0, 0.0, 0.0});
  world.Step(240);
  EXPECT_NEAR(world.foot().y, kCharacterSkinM, 0.01);
}

TEST(CharacterTest, SlidesDownSteeperSlopes) {
  CharacterWorld world(MakeSlope(60.0), {2.0, 3.85, 0.0});
  for (int i = 0; i < 20; ++i) EXPECT_FALSE(world.Step().has_landed);
  const double speed = world.row().velocity.y;
  world.Step(30);
  // g sin^2 along y; contact takes the rest, within a tick of falling: it
  // touches the slope every few ticks.
  const double sine = Sin(kPi / 3.0);
  EXPECT_NEAR(world.row().velocity.y - speed,
              -kGravity * sine * sine * 30.0 * kTickS,
              1.01 * kGravity * kTickS);
  EXPECT_LT(world.row().velocity.x, -0.5);
  world.Settle();
  EXPECT_NEAR(world.foot().y, kCharacterSkinM, 0.01);
}

// A stair of steps that are half a metre deep, towards +x.
PhysicsDefinition MakeStair(double height_m) {
  PhysicsDefinition definition = MakeFloor();
  for (int i = 0; i < 6; ++i) {
    AddBox(definition, {0.5 * i, 0.0, -2.0}, {5.0, height_m * (i + 1.0), 2.0});
  }
  return definition;
}

TEST(CharacterTest, WalksUpAndDownStairs) {
  for (const double height_m : {0.05, 0.15, 0.29}) {
    CharacterWorld world(MakeStair(height_m), {-1.0, 0.02, 0.0});
    world.Settle();
    for (const double way : {1.0, -1.0}) {
      world.Walk({2.0 * way, 0.0, 0.0});
      for (int i = 0; i < 150; ++i) {
        EXPECT_FALSE(world.Step().has_left_ground) << height_m << ' ' << i;
      }
      EXPECT_NEAR(world.foot().y, way > 0.0 ? 6.0 * height_m : 0.0, 0.03)
          << height_m;
      EXPECT_LT(world.Depth(), 0.0);
    }
  }
}

TEST(CharacterTest, HigherStepsAreWalls) {
  for (const double height_m : {0.33, 0.6, 2.0}) {
    CharacterWorld world(MakeStair(height_m), {-1.0, 0.02, 0.0});
    world.Settle();
    world.Walk({2.0, 0.0, 0.0});
    world.Step(200);
    EXPECT_NEAR(world.foot().y, kCharacterSkinM, 0.01) << height_m;
  }
}

TEST(CharacterTest, JumpsToTheHeightOfMechanics) {
  CharacterWorld world(MakeFloor(), {0.0, 0.02, 0.0});
  world.Settle();
  const double from = world.foot().y;
  world.AskToJump();
  const CharacterTick tick = world.Step();
  EXPECT_TRUE(tick.has_jumped);
  EXPECT_TRUE(tick.has_left_ground);
  EXPECT_EQ(tick.ground_left, ObjectId{1});
  double top = from;
  for (int i = 0; i < 70; ++i) {
    top = std::max(top, world.foot().y);
    world.Step();
  }
  // The parabola's top lies up to half a tick from one.
  EXPECT_NEAR(top - from, 25.0 / (2.0 * kGravity),
              kGravity * kTickS * kTickS / 8.0 + 1e-9);
  EXPECT_EQ(world.row().ground, ObjectId{1});
}

TEST(CharacterTest, JumpsOnlyOnceInTheAir) {
  CharacterWorld world(MakeFloor(), {0.0, 0.02, 0.0});
  world.Settle();
  int jumps = 0;
  for (int i = 0; i < 20; ++i) {
    world.AskToJump();
    jumps += world.Step().has_jumped ? 1 : 0;
  }
  EXPECT_EQ(jumps, 1);
}

TEST(CharacterTest, CeilingEndsAJump) {
  PhysicsDefinition definition = MakeFloor();
  AddBox(definition, {-5.0, 2.2, -5.0}, {5.0, 3.0, 5.0});
  CharacterWorld world(definition, {0.0, 0.02, 0.0});
  world.Settle();
  world.AskToJump();
  double top = 0.0;
  for (int i = 0; i < 60; ++i) {
    world.Step();
    top = std::max(top, world.foot().y + 2.0 * kHalfM);
    EXPECT_LE(world.Depth(), 0.0);
  }
  EXPECT_NEAR(top, 2.2 - kCharacterSkinM, 0.003);
  EXPECT_EQ(world.row().ground, ObjectId{1});
}

TEST(CharacterTest, CoyoteTimeLetsItJumpOffAnEdgeThatItHasPassed) {
  for (const uint32_t coyote_ticks : {0u, 6u}) {
    PhysicsDefinition definition;
    AddBox(definition, {-4.0, -1.0, -2.0}, {0.0, 0.0, 2.0});
    CharacterDefinition character = Walker();
    character.coyote_ticks = coyote_ticks;
    CharacterWorld world(definition, {-1.0, 0.02, 0.0}, character);
    world.Settle();
    world.Walk({4.0, 0.0, 0.0});
    while (!world.Step().has_left_ground) ASSERT_LT(world.foot().x, 1.0);
    world.Step(3);
    world.AskToJump();
    EXPECT_EQ(world.Step().has_jumped, coyote_ticks > 0);
    world.Step(10);
    world.AskToJump();
    EXPECT_FALSE(world.Step().has_jumped);
  }
}

TEST(CharacterTest, JumpThatIsAskedForEarlyComesWithTheGround) {
  CharacterDefinition character = Walker();
  character.jump_buffer_ticks = 8;
  CharacterWorld world(MakeFloor(), {0.0, 0.5, 0.0}, character);
  while (world.foot().y > 0.15) world.Step();
  world.AskToJump();
  EXPECT_FALSE(world.Step().has_jumped);
  int jumps = 0;
  for (int i = 0; i < 8; ++i) jumps += world.Step().has_jumped ? 1 : 0;
  EXPECT_EQ(jumps, 1);
}

TEST(CharacterTest, SlidesAlongWalls) {
  PhysicsDefinition definition = MakeFloor();
  AddBox(definition, {1.0, 0.0, -20.0}, {2.0, 3.0, 20.0});
  CharacterWorld world(definition, {0.0, 0.02, 0.0});
  world.Settle();
  world.Walk({3.0, 0.0, 3.0});
  world.Step(60);
  const Vector3 from = world.foot();
  world.Step(60);
  EXPECT_NEAR(world.foot().z - from.z, 3.0, 0.1);
  EXPECT_NEAR(world.foot().x, 1.0 - 0.3 - kCharacterSkinM, 0.005);
}

TEST(CharacterTest, CornersStopIt) {
  PhysicsDefinition definition = MakeFloor();
  AddBox(definition, {1.0, 0.0, -5.0}, {2.0, 3.0, 5.0});
  AddBox(definition, {-5.0, 0.0, 1.0}, {2.0, 3.0, 2.0});
  CharacterWorld world(definition, {0.0, 0.02, 0.0});
  world.Settle();
  world.Walk({3.0, 0.0, 2.0});
  world.Step(120);
  const Vector3 from = world.foot();
  world.Step(60);
  EXPECT_NEAR(Length(world.foot() - from), 0.0, 0.002);
  EXPECT_LT(world.Depth(), 0.0);
}

TEST(CharacterTest, PushesByItsForceAndNoFasterThanItGoes) {
  PhysicsDefinition definition = MakeFloor();
  const AddedBody crate =
      AddBox(definition, {0.5, 0.01, -0.5}, {1.5, 1.01, 0.5}, Motion::kDynamic);
  crate.kind.mass_kg = 100.0;
  crate.kind.friction = 0.0;
  CharacterWorld world(definition, {-1.0, 0.02, 0.0});
  world.Settle();
  world.Walk({3.0, 0.0, 0.0});
  double before = 0.0;
  double speed_max = 0.0;
  for (int i = 0; i < 180; ++i) {
    world.Step();
    const double speed = world.body(1).linear_velocity.x;
    EXPECT_LE(speed - before, 400.0 / 100.0 * kTickS + 1e-5);
    before = speed;
    speed_max = std::max(speed_max, speed);
  }
  EXPECT_NEAR(speed_max, 3.0, 0.05);
}

TEST(CharacterTest, WhatIsTooHeavyStays) {
  PhysicsDefinition definition = MakeFloor();
  const AddedBody crate =
      AddBox(definition, {0.5, 0.0, -0.5}, {1.5, 1.0, 0.5}, Motion::kDynamic);
  crate.kind.mass_kg = 1000.0;  // friction holds 0.25 of its weight: 2450 N
  CharacterWorld world(definition, {-1.0, 0.02, 0.0});
  world.Settle();
  world.Walk({3.0, 0.0, 0.0});
  world.Step(180);
  EXPECT_NEAR(world.body(1).position.x, 1.0, 0.01);
  EXPECT_LT(world.Depth(), 0.001);
}

TEST(CharacterTest, WeighsOnWhatItStandsOn) {
  PhysicsDefinition definition;
  const AddedBody raft =
      AddBox(definition, {-1.0, -1.0, -1.0}, {1.0, 0.0, 1.0}, Motion::kDynamic);
  raft.kind.mass_kg = 400.0;
  raft.kind.gravity_scale = 0.0;
  CharacterWorld world(definition, {0.0, 0.02, 0.0});
  world.Settle();
  const double before = world.body(0).linear_velocity.y;
  world.Step();
  EXPECT_NEAR(world.body(0).linear_velocity.y - before,
              -80.0 * kGravity * kTickS / 400.0, 1e-6);
}

// A floor far below, and as object 2 a kinematic platform 4 m wide.
PhysicsDefinition MakePlatform() {
  PhysicsDefinition definition = MakeFloor();
  AddBox(definition, {-2.0, 4.5, -2.0}, {2.0, 5.0, 2.0}, Motion::kKinematic);
  return definition;
}

TEST(CharacterTest, RidesALiftToTheBit) {
  CharacterWorld world(MakePlatform(), {0.7, 5.02, -0.3});
  world.Settle();
  ASSERT_EQ(world.row().ground, ObjectId{2});
  world.StepWith(1, {0.0, 0.01, 0.0});
  const Vector3 hold = world.row().ground_point;
  for (int i = 0; i < 600; ++i) {
    const double up = 0.05 * Sin(0.02 * i);
    EXPECT_FALSE(world.StepWith(1, {0.01 * up, up, 0.02}).has_left_ground);
    ASSERT_EQ(world.row().ground_point, hold) << i;
    ASSERT_EQ(world.body().position, world.body(1).position + hold) << i;
  }
}

TEST(CharacterTest, TurnsWithATurningPlatform) {
  CharacterWorld world(MakePlatform(), {1.5, 5.02, 0.0});
  world.Settle();
  world.StepWith(1, {}, kPi / 240.0);
  const Vector3 hold = world.row().ground_point;
  const double radius = Length(Vector3{hold.x, 0.0, hold.z});
  for (int i = 1; i < 120; ++i) world.StepWith(1, {}, kPi / 240.0);
  // A half turn and more: it is on the other side, and looks there, too.
  EXPECT_EQ(world.row().ground_point, hold);
  EXPECT_NEAR(world.foot().x, 1.5 * Cos(kPi / 2.0), 1e-9);
  EXPECT_NEAR(world.foot().z, -1.5 * Sin(kPi / 2.0), 1e-9);
  EXPECT_NEAR(radius, 1.5, 1e-9);
  EXPECT_NEAR(world.body().basis.rows[0].z, Sin(kPi / 2.0), 1e-9);
}

TEST(CharacterTest, WalksAgainstAMovingPlatform) {
  CharacterWorld world(MakePlatform(), {0.0, 5.02, 0.0});
  world.Settle();
  world.Walk({-1.2, 0.0, 0.0});
  for (int i = 0; i < 10; ++i) world.StepWith(1, {0.02, 0.0, 0.0});
  const double from = world.foot().x;
  for (int i = 0; i < 60; ++i) world.StepWith(1, {0.02, 0.0, 0.0});
  EXPECT_NEAR(world.foot().x, from, 1e-9);  // 1.2 m/s both
}

TEST(CharacterTest, JumpKeepsThePlatformsVelocity) {
  CharacterWorld world(MakePlatform(), {0.0, 5.02, 0.0});
  world.Settle();
  for (int i = 0; i < 5; ++i) world.StepWith(1, {0.05, 0.02, 0.0});
  world.AskToJump();
  world.StepWith(1, {0.05, 0.02, 0.0});
  EXPECT_NEAR(world.row().velocity.x, 3.0, 1e-9);
  EXPECT_NEAR(world.row().velocity.y, 5.0 + 1.2 - kGravity * kTickS, 1e-9);
}

TEST(CharacterTest, MovingWallsPushIt) {
  PhysicsDefinition definition = MakeFloor();
  AddBox(definition, {-3.0, 0.1, -1.0}, {-2.0, 2.0, 1.0}, Motion::kKinematic);
  CharacterWorld world(definition, {0.0, 0.02, 0.0});
  world.Settle();
  for (int i = 0; i < 60; ++i) {
    world.StepWith(1, {0.1, 0.0, 0.0});
    EXPECT_LT(world.Depth(), 1e-6) << i;
  }
  EXPECT_NEAR(world.foot().x, -2.0 + 6.0 + 0.3 + kCharacterSkinM, 0.003);
}

TEST(CharacterTest, CrushedItStaysInFrontOfTheWall) {
  PhysicsDefinition definition = MakeFloor();
  AddBox(definition, {-3.0, 0.1, -1.0}, {-2.0, 2.0, 1.0}, Motion::kKinematic);
  AddBox(definition, {1.0, 0.0, -3.0}, {2.0, 3.0, 3.0});
  CharacterWorld world(definition, {0.0, 0.02, 0.0});
  world.Settle();
  for (int i = 0; i < 60; ++i) {
    world.StepWith(1, {0.1, 0.0, 0.0});
    EXPECT_LE(world.foot().x, 1.0 - 0.3);
  }
}

TEST(CharacterTest, LeavesWhatItBeganInsideOf) {
  PhysicsDefinition definition = MakeFloor();
  AddBox(definition, {0.0, 0.0, -3.0}, {5.0, 3.0, 3.0});
  CharacterWorld world(definition,
                       {-0.05, 0.5, 0.0});  // a quarter of it inside
  EXPECT_GT(world.Depth(), 0.2);
  world.Step();
  EXPECT_LT(world.Depth(), 0.0);
  EXPECT_NEAR(world.foot().x, -0.3 - kCharacterSkinM, 0.002);
}

TEST(CharacterTest, DoesNotStandOnWhatIsGone) {
  CharacterWorld world(MakePlatform(), {0.0, 5.02, 0.0});
  world.Settle();
  MoveKinematic(world.world().state(), world.world().tables(), 1,
                {0.0, 2.0, 30.0}, {}, kTickS);
  const double height = world.foot().y;
  world.Step(30);
  EXPECT_LT(world.foot().y, height - 0.5);
}

TEST(CharacterTest, OutOfReachItStaysWhereItWasPut) {
  CharacterWorld world(MakeFloor(), {0.0, 0.02, 0.0});
  world.Settle();
  const uint32_t body = 1;
  world.world().mutable_body(body).position.x = 3.0 * kPositionMaxM;
  world.Walk({3.0, 0.0, 0.0});
  world.Step(3);
  EXPECT_EQ(world.body().position.x, 3.0 * kPositionMaxM);
}

TEST(CharacterTest, NothingBringsItIntoAWall) {
  RandomStream random = MakeRandomStream(7, IdOf("walls"), {1});
  for (int round = 0; round < 10; ++round) {
    PhysicsDefinition definition = MakeFloor();
    const auto draw = [&](double low, double high) {
      return low + (high - low) * NextUnit(random);
    };
    for (int i = 0; i < 40; ++i) {
      const double x = draw(-6.0, 6.0);
      const double z = draw(-6.0, 6.0);
      const double y = draw(-0.5, 2.5);
      const double size = draw(0.1, 1.0);
      const double angle = draw(0.0, kPi);
      const AddedBody box =
          AddBody(definition, ShapeOf(BoxPrimitive{{size, 0.3, 0.5}}),
                  Motion::kFixed, {x, y, z});
      box.placement.rotation =
          FromAxisAngle(Normalized(Vector3{x, 1.0, z}), angle);
    }
    CharacterWorld world(definition, {0.0, 6.0, 0.0});
    for (int i = 0; i < 600; ++i) {
      if (i % 20 == 0) {
        const double x = draw(-6.0, 6.0);
        const double z = draw(-6.0, 6.0);
        world.Walk({x, 0.0, z});
        world.AskToJump();
      }
      world.Step();
      ASSERT_LT(world.Depth(), 0.001) << round << ' ' << i;
    }
  }
}

}  // namespace
}  // namespace reprise::sim
