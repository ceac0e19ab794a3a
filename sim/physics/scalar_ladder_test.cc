// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves of every scalar of the rows of physics what becomes of a run that goes
// on from a snapshot without it: it parts, at a scalar that is named, or the
// scalar is only told, or never set here. Whatever is added to a row has to be
// put into one of these. Bodies that the game moves, continuous ones, and
// contact points on meshes and height fields have a ladder each.

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "sim/base/id.h"
#include "sim/geometry/quaternion.h"
#include "sim/physics/bodies/body_forces.h"
#include "sim/physics/bodies/body_lifecycle.h"
#include "sim/physics/bodies/joint_motors.h"
#include "sim/physics/bodies/kinematic_motion.h"
#include "sim/physics/definition/physics_rows.h"
#include "sim/physics/physics_world.h"
#include "sim/physics/testing/pile.h"
#include "sim/physics/testing/shape_scene.h"
#include "sim/physics/testing/testing_ladder.h"
#include "sim/physics/testing/testing_world.h"
#include "sim/state/state.h"

namespace reprise::sim {
namespace {

constexpr uint32_t kPileBodies = 30;
constexpr ObjectId kPaddle = {kPenBodies + kPileBodies + 1};
constexpr ObjectId kArm = {kPaddle.serial + 1};
constexpr ObjectId kForearm = {kPaddle.serial + 2};
constexpr Id kElbow = IdOf("elbow");

// A pile with a paddle in it, and an arm whose elbow comes later.
PhysicsDefinition MakeScene() {
  PhysicsDefinition definition = MakePile({.body_count = kPileBodies});
  AddBody(definition, ShapeOf(BoxPrimitive{{2.5, 0.2, 0.2}}),
          Motion::kKinematic, {0.0, 0.5, 0.0});
  for (const double x : {19.6, 20.4}) {
    AddBody(definition, ShapeOf(BoxPrimitive{{0.3, 0.1, 0.1}}),
            Motion::kDynamic, {x, 0.5, 0.0});
  }
  definition.joint_templates.push_back(
      {.name = kElbow,
       .kind = HingeJoint{.lower_rad = -1.0,
                          .upper_rad = 1.0,
                          .motor = {.target = 3.0, .impulse_max = 0.02}},
       .object_a = kNoObject,
       .object_b = kNoObject,
       .frame_a = {.position = {0.4, 0.0, 0.0}, .rotation = {}},
       .frame_b = {.position = {-0.4, 0.0, 0.0}, .rotation = {}}});
  return definition;
}

// Row of `object` among the bodies.
uint32_t RowOf(const State& state, const PhysicsTables& tables,
               ObjectId object) {
  return *FindBody(state, tables, object);
}

// What the game does before a tick, as a function of state and tick alone.
using Game = void (*)(uint32_t tick, const TestingWorld& world, State& state);

void LeaveAlone(uint32_t /*tick*/, const TestingWorld& /*world*/,
                State& /*state*/) {}

// The paddle swings for a while; bodies are pushed and change their kind; the
// elbow comes, motors are turned round, and joints break.
void Play(uint32_t tick, const TestingWorld& world, State& state) {
  const PhysicsTables& tables = world.tables();
  const PhysicsDefinition& definition = *world.definition();
  if (tick > 0 && tick < 200) {
    const double t = world.definition()->tick_s * tick;
    const Quaternion turn = FromAxisAngle({0.0, 1.0, 0.0}, 1.5 * t);
    const Quaternion tilt = FromAxisAngle({1.0, 0.0, 0.0}, 0.2 * t);
    const Quaternion roll = FromAxisAngle({0.0, 0.0, 1.0}, 0.1 * t);
    MoveKinematic(state, tables, RowOf(state, tables, kPaddle),
                  {0.1 * t, 0.5 + 0.05 * t, 0.2 * t}, turn * tilt * roll,
                  definition.tick_s);
  }
  if (tick > 0 && tick % 30 == 0) {
    Table& bodies = state.mutable_table(tables.bodies);
    for (uint32_t i = kPenBodies; i < bodies.row_count(); i += 9) {
      BodyRow& row = bodies.Mutable<BodyRow>(i);
      if (row.activation != Activation::kAwake) continue;
      row.force = {3.0, 1.0, 2.0};
      row.torque = {0.1, 0.3, 0.2};
    }
  }
  if (tick == 20) {
    EXPECT_TRUE(AddSpawnedJoint(state, tables, definition,
                                {.owner = kArm,
                                 .joint = kElbow,
                                 .object_a = kArm,
                                 .object_b = kForearm})
                    .ok());
  }
  if (tick == 40) {
    const auto& body =
        state.table(tables.bodies).Get<BodyRow>(kPenBodies + kPileBodies / 2);
    EXPECT_TRUE(ChangeBodyKind(state, tables, definition, body.object,
                               static_cast<uint32_t>(body.kind) + 1)
                    .ok());
  }
  if (tick == 50) {
    const MotorChange change = {.target = -1.0, .impulse_max = 0.04};
    EXPECT_TRUE(
        ChangeMotors(state, tables, definition, kArm, kElbow, change).ok());
    // The hinge of the first two bodies that hang together.
    EXPECT_TRUE(
        ChangeMotors(state, tables, definition, {kPenBodies + 7}, kNoId, change)
            .ok());
  }
  if (tick == 120) {
    state.mutable_table(tables.joints).Mutable<JointRow>(1).is_enabled = 0;
  }
}

class Scene {
 public:
  Scene(PhysicsDefinition definition, Game game, std::vector<uint32_t> saves,
        uint32_t ticks_after)
      : world_(std::move(definition)), game_(game) {
    run_.saves = std::move(saves);
    run_.ticks_after = ticks_after;
    for (uint32_t tick = 0; tick <= run_.saves.back() + ticks_after; ++tick) {
      game_(tick, world_, world_.state());
      run_.states.push_back(world_.state());
      world_.Step();
    }
    run_.go_on = [this](const State& save, uint32_t tick,
                        const LadderRun::AtTick& at_tick) {
      return GoOn(save, tick, at_tick);
    };
  }
  Scene(const Scene&) = delete;
  Scene& operator=(const Scene&) = delete;

  const LadderRun& run() const { return run_; }
  const PhysicsTables& tables() const { return world_.tables(); }
  const BodyKind& KindOf(const BodyRow& row) const {
    return world_.definition()->kinds[row.kind];
  }

 private:
  absl::Status GoOn(const State& save, uint32_t tick,
                    const LadderRun::AtTick& at_tick) {
    State state = save;
    PhysicsWorld world(world_.definition(), world_.tables());
    if (absl::Status status = world.Load(state); !status.ok()) return status;
    do {
      world.Step(state);
      game_(++tick, world_, state);
    } while (at_tick(tick, state));
    return absl::OkStatus();
  }

  TestingWorld world_;
  Game game_;
  LadderRun run_;
};

TEST(AreFatesTest, WhatIsNotSaidOfAScalarFails) {
  const Fates fates = {{"a.x", "a.y"}, {"a.y", kOnlyTold}};
  EXPECT_TRUE(AreFates(fates, fates));
  EXPECT_FALSE(AreFates(fates, {{"a.x", "a.y"}}));
  EXPECT_FALSE(AreFates(fates, {{"a.x", "a.y"}, {"a.y", "b.x"}}));
  EXPECT_FALSE(AreFates({{"a.x", "a.y"}}, fates));
}

// Wherever they are.
const Fates& FatesOfContactPoints() {
  static const Fates* const kFates = new Fates{
      {"contact_points", "bodies.position.x"},
      {"contact_points.distance", kOnlyTold},
      {"contact_points.friction.x", "bodies.position.x"},
      {"contact_points.friction.y", "bodies.position.x"},
      {"contact_points.friction.z", "bodies.position.x"},
      {"contact_points.impulse", "bodies.position.x"},
      {"contact_points.local_a.x", "bodies.position.x"},
      {"contact_points.local_a.y", "bodies.position.x"},
      {"contact_points.local_a.z", "bodies.position.x"},
      {"contact_points.local_b.x", "bodies.position.x"},
      {"contact_points.local_b.y", "bodies.position.x"},
      {"contact_points.local_b.z", "bodies.position.x"},
      {"contact_points.normal.x", "bodies.basis.xx"},
      {"contact_points.normal.y", "bodies.position.x"},
      {"contact_points.normal.z", "bodies.basis.xz"},
  };
  return *kFates;
}

TEST(ScalarLadderTest, OfBodiesAndJoints) {
  const Scene scene(MakeScene(), Play,
                    {15, 30, 60, 90, 150, 240, 330, 420, 600}, 200);
  const PhysicsTables& tables = scene.tables();
  EXPECT_TRUE(
      AreFates(FatesOf(scene.run(),
                       {tables.bodies, tables.joints, tables.spawned_joints}),
               {
                   {"bodies", kNeverSet},
                   {"bodies.activation", "bodies.position.x"},
                   {"bodies.angular_velocity.x", "bodies.position.x"},
                   {"bodies.angular_velocity.y", "bodies.position.x"},
                   {"bodies.angular_velocity.z", "bodies.position.x"},
                   {"bodies.basis", "bodies.position.x"},
                   {"bodies.force.x", "bodies.position.x"},
                   {"bodies.force.y", "bodies.position.y"},
                   {"bodies.force.z", "bodies.position.z"},
                   {"bodies.kind", "bodies.position.x"},
                   {"bodies.linear_velocity.x", "bodies.position.x"},
                   {"bodies.linear_velocity.y", "bodies.position.x"},
                   {"bodies.linear_velocity.z", "bodies.position.x"},
                   {"bodies.position.x", "bodies.position.y"},
                   {"bodies.position.y", "bodies.position.x"},
                   {"bodies.position.z", "bodies.position.x"},
                   {"bodies.slow_time", "bodies.activation"},
                   {"bodies.torque.x", "bodies.basis.xx"},
                   {"bodies.torque.y", "bodies.basis.xx"},
                   {"bodies.torque.z", "bodies.basis.xx"},
                   {"joints", kNeverSet},
                   {"joints.impulse", kOnlyTold},
                   {"joints.is_enabled", "bodies.position.x"},
                   {"joints.motor_impulse_max", "bodies.position.x"},
                   {"joints.motor_target", "bodies.position.x"},
                   {"spawned_joints", "bodies.position.x"},
                   {"spawned_joints.impulse", kOnlyTold},
                   {"spawned_joints.is_enabled", "bodies.position.x"},
                   {"spawned_joints.motor_impulse_max", "bodies.position.x"},
                   {"spawned_joints.motor_target", "bodies.position.x"},
                   {"spawned_joints.object_a", kRefused},
                   {"spawned_joints.object_b", "bodies.position.x"},
               }));
}

TEST(ScalarLadderTest, OfContactPoints) {
  const Scene scene(MakeScene(), Play, {60, 150, 330}, 100);
  EXPECT_TRUE(AreFates(FatesOf(scene.run(), {scene.tables().contact_points}),
                       FatesOfContactPoints()));
}

// The ticks are those in which they move. By their velocities they push.
TEST(ScalarLadderTest, OfKinematicBodies) {
  const Scene scene(MakeScene(), Play, {60, 150}, 100);
  EXPECT_TRUE(
      AreFates(FatesOf(scene.run(), {scene.tables().bodies},
                       [&](const Table& bodies, uint32_t row) {
                         return scene.KindOf(bodies.Get<BodyRow>(row)).motion ==
                                Motion::kKinematic;
                       }),
               {
                   {"bodies", kNeverSet},
                   {"bodies.activation", kOnlyTold},
                   {"bodies.angular_velocity.x", "bodies.position.x"},
                   {"bodies.angular_velocity.y", "bodies.position.x"},
                   {"bodies.angular_velocity.z", "bodies.position.x"},
                   {"bodies.basis", "bodies.position.y"},
                   {"bodies.force.x", kNeverSet},
                   {"bodies.force.y", kNeverSet},
                   {"bodies.force.z", kNeverSet},
                   {"bodies.kind", kNeverSet},
                   {"bodies.linear_velocity.x", "bodies.position.x"},
                   {"bodies.linear_velocity.y", "bodies.position.x"},
                   {"bodies.linear_velocity.z", "bodies.position.x"},
                   {"bodies.position.x", "bodies.position.y"},
                   {"bodies.position.y", "bodies.position.x"},
                   {"bodies.position.z", "bodies.position.x"},
                   {"bodies.slow_time", kNeverSet},
                   {"bodies.torque.x", kNeverSet},
                   {"bodies.torque.y", kNeverSet},
                   {"bodies.torque.z", kNeverSet},
               }));
}

Fates FatesOfPointsOn(Ground ground) {
  const Scene scene(MakeShapeScene(ground), LeaveAlone, {50, 100, 300}, 100);
  return FatesOf(scene.run(), {scene.tables().contact_points},
                 [](const Table& points, uint32_t row) {
                   return points.Get<ContactPointRow>(row).object_a ==
                          ObjectId{1};
                 });
}

// A surface gives all points of a contact anew, with their distances: where a
// point was decides which of them go on, before it moves anything.
Fates FatesOfContactPointsOnSurfaces() {
  Fates fates = FatesOfContactPoints();
  for (const char* const place : {"local_a.x", "local_a.y", "local_a.z",
                                  "local_b.x", "local_b.y", "local_b.z"}) {
    fates[std::string("contact_points.") + place] = "contact_points";
  }
  for (const char* const component : {"x", "y", "z"}) {
    fates[std::string("contact_points.normal.") + component] =
        "bodies.position.y";
  }
  return fates;
}

TEST(ScalarLadderTest, OfContactPointsOnMeshes) {
  EXPECT_TRUE(AreFates(FatesOfPointsOn(Ground::kMesh),
                       FatesOfContactPointsOnSurfaces()));
}

TEST(ScalarLadderTest, OfContactPointsOnHeightFields) {
  EXPECT_TRUE(AreFates(FatesOfPointsOn(Ground::kHeightField),
                       FatesOfContactPointsOnSurfaces()));
}

// A continuous ball that shoots into the bowl and rolls there among the others.
TEST(ScalarLadderTest, OfContinuousBodies) {
  PhysicsDefinition definition = MakeShapeScene(Ground::kMesh, /*rounds=*/1);
  const AddedBody added = AddBody(definition, ShapeOf(SpherePrimitive{0.15}),
                                  Motion::kDynamic, {0.5, 6.0, 0.2});
  added.kind.is_continuous = true;
  added.placement.linear_velocity_m_s = {2.0, -40.0, -1.0};
  const ObjectId ball = added.placement.object;
  const Scene scene(std::move(definition), LeaveAlone,
                    {4, 20, 30, 40, 50, 60, 80, 120, 160, 300}, 100);
  EXPECT_TRUE(AreFates(FatesOf(scene.run(), {scene.tables().bodies},
                               [&](const Table& bodies, uint32_t row) {
                                 return bodies.Get<BodyRow>(row).object == ball;
                               }),
                       {
                           {"bodies", kNeverSet},
                           {"bodies.activation", kNeverSet},
                           {"bodies.angular_velocity.x", "bodies.position.x"},
                           {"bodies.angular_velocity.y", "bodies.position.x"},
                           {"bodies.angular_velocity.z", "bodies.position.x"},
                           {"bodies.basis", "contact_points.local_b.x"},
                           {"bodies.force.x", kNeverSet},
                           {"bodies.force.y", kNeverSet},
                           {"bodies.force.z", kNeverSet},
                           {"bodies.kind", kNeverSet},
                           {"bodies.linear_velocity.x", "bodies.position.x"},
                           {"bodies.linear_velocity.y", "bodies.position.y"},
                           {"bodies.linear_velocity.z", "bodies.position.x"},
                           {"bodies.position.x", "bodies.position.y"},
                           {"bodies.position.y", "bodies.position.x"},
                           {"bodies.position.z", "bodies.position.x"},
                           {"bodies.slow_time", kNeverSet},
                           {"bodies.torque.x", kNeverSet},
                           {"bodies.torque.y", kNeverSet},
                           {"bodies.torque.z", kNeverSet},
                       }));
  EXPECT_TRUE(AreFates(
      FatesOf(scene.run(), {scene.tables().contact_points},
              [&](const Table& points, uint32_t row) {
                const auto& point = points.Get<ContactPointRow>(row);
                return point.object_a == ball || point.object_b == ball;
              }),
      {
          {"contact_points", "contact_points.normal.x"},
          {"contact_points.distance", kOnlyTold},
          {"contact_points.friction.x", "bodies.basis.xy"},
          {"contact_points.friction.y", "bodies.basis.xy"},
          {"contact_points.friction.z", "bodies.linear_velocity.x"},
          {"contact_points.impulse", "bodies.position.x"},
          {"contact_points.local_a.x", kOnlyTold},
          {"contact_points.local_a.y", kOnlyTold},
          {"contact_points.local_a.z", kOnlyTold},
          {"contact_points.local_b.x", "bodies.position.x"},
          {"contact_points.local_b.y", "bodies.position.x"},
          {"contact_points.local_b.z", "bodies.position.x"},
          {"contact_points.normal.x", "bodies.position.x"},
          {"contact_points.normal.y", "contact_points.local_a.x"},
          {"contact_points.normal.z", "bodies.position.x"},
      }));
}

}  // namespace
}  // namespace reprise::sim
