// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that every solid comes to rest on every ground where its shape says,
// that a mesh which the game moves carries what lies on it, and that such runs
// are the same when each tick begins in a new world.

#include <algorithm>
#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "sim/base/math.h"
#include "sim/physics/bodies/kinematic_motion.h"
#include "sim/physics/definition/convex_hull.h"
#include "sim/physics/testing/shape_scene.h"
#include "sim/physics/testing/testing_world.h"

namespace reprise::sim {
namespace {

HullPrimitive MakeCube(double half) {
  std::vector<Vector3> corners;
  for (const double x : {-half, half}) {
    for (const double y : {-half, half}) {
      for (const double z : {-half, half}) corners.push_back({x, y, z});
    }
  }
  return *MakeHull(corners);
}

// What stands on a level ground, and how high its origin is then.
struct Standing {
  std::string name;
  Solid solid;
  double height_m = 0.0;
};

// A level ground of 40 x 40 m at a height of 0, of cells of a metre.
ShapeDefinition MakeLevel(Ground ground) {
  HeightFieldShape field;
  field.columns = 41;
  field.rows = 41;
  field.heights_m.assign(41u * 41u, 0.0);
  if (ground == Ground::kHeightField) return field;
  if (ground == Ground::kPlane) return PlaneShape{};
  return MeshShape{.vertices = {{-20.0, 0.0, -20.0},
                                {20.0, 0.0, -20.0},
                                {-20.0, 0.0, 20.0},
                                {20.0, 0.0, 20.0}},
                   .triangles = {{0, 2, 1}, {1, 2, 3}}};
}

class SurfaceContactTest
    : public testing::TestWithParam<std::tuple<Ground, Standing>> {};

std::string NameOf(
    const testing::TestParamInfo<std::tuple<Ground, Standing>>& info) {
  const auto& [ground, standing] = info.param;
  constexpr const char* kNames[] = {"Plane", "Mesh", "HeightField"};
  return standing.name + "On" + kNames[static_cast<int>(ground)];
}

INSTANTIATE_TEST_SUITE_P(
    Grounds, SurfaceContactTest,
    testing::Combine(
        testing::Values(Ground::kPlane, Ground::kMesh, Ground::kHeightField),
        testing::Values(Standing{"Sphere", SpherePrimitive{0.3}, 0.3},
                        Standing{"Box", BoxPrimitive{{0.3, 0.2, 0.4}}, 0.2},
                        Standing{"Capsule", CapsulePrimitive{0.2, 0.001}, 0.2},
                        Standing{"Cylinder", CylinderPrimitive{0.3, 0.5}, 0.25},
                        Standing{"Cone", ConePrimitive{0.4, 0.8}, 0.2},
                        // Hulls are rounded outwards by 5 mm.
                        Standing{"Hull", MakeCube(0.3), 0.305})),
    NameOf);

TEST_P(SurfaceContactTest, ItStandsWhereItsShapeSays) {
  const auto& [ground, standing] = GetParam();
  PhysicsDefinition definition;
  AddBody(definition, MakeLevel(ground), Motion::kFixed, {});
  AddedBody body = AddBody(definition, ShapeOf(standing.solid),
                           Motion::kDynamic, {0.3, 1.0, 0.2});
  body.kind.angular_damping = 0.3;
  TestingWorld world(std::move(definition));
  double lowest = 1.0;
  for (int tick = 0; tick < 400; ++tick) {
    world.Step();
    lowest = std::min(lowest, world.body(1).position.y);
  }
  // It falls a metre, and gets 7 cm into the ground in the tick that stops it.
  EXPECT_GT(lowest, 0.0);
  EXPECT_NEAR(world.body(1).position.y, standing.height_m, 0.005);
  EXPECT_EQ(world.body(1).activation, Activation::kAsleep);
}

TEST_P(SurfaceContactTest, MeshesAreTouchedFromBelowToo) {
  const auto& [ground, standing] = GetParam();
  PhysicsDefinition definition;
  definition.gravity_m_s2 = {0.0, 9.81, 0.0};
  AddBody(definition, MakeLevel(ground), Motion::kFixed, {});
  AddBody(definition, ShapeOf(standing.solid), Motion::kDynamic,
          {0.3, -1.0, 0.2});
  TestingWorld world(std::move(definition));
  world.Step(300);
  if (ground != Ground::kMesh) {
    // They have no lower side: what is below is inside, and comes out.
    EXPECT_GT(world.body(1).position.y, 0.0);
    return;
  }
  EXPECT_LT(world.body(1).position.y, 0.0);
  EXPECT_GT(world.body(1).position.y, -1.0);
}

TEST(SurfaceEdgeTest, BallRollsOverEdgesOfLevelCells) {
  PhysicsDefinition definition;
  AddBody(definition, MakeLevel(Ground::kHeightField), Motion::kFixed, {});
  AddedBody ball = AddBody(definition, ShapeOf(SpherePrimitive{0.3}),
                           Motion::kDynamic, {-15.0, 0.3, 0.37});
  ball.placement.linear_velocity_m_s = {8.0, 0.0, 0.0};
  ball.placement.angular_velocity_rad_s = {0.0, 0.0, -8.0 / 0.3};
  TestingWorld world(std::move(definition));
  double highest = 0.0;
  for (int tick = 0; tick < 180; ++tick) {
    world.Step();
    highest = std::max(highest, world.body(1).position.y);
  }
  EXPECT_NEAR(world.body(1).position.x, 9.0, 0.5);
  EXPECT_LT(highest, 0.31);
}

// A bowl that turns and rises under four rocks, stepped for `ticks` with a new
// world for each when `restores`.
Digest RunMovingBowl(bool restores, TestingWorld& world) {
  for (int tick = 0; tick < 240; ++tick) {
    const double time = tick / 60.0;
    MoveKinematic(world.state(), world.tables(), 0,
                  {0.2 * Sin(2.0 * time), 0.3 * time, 0.0},
                  FromAxisAngle({0.0, 1.0, 0.0}, 0.5 * time), 1.0 / 60.0);
    if (!restores) {
      world.Step();
      continue;
    }
    PhysicsWorld fresh(world.definition(), world.tables());
    EXPECT_EQ(fresh.Load(world.state()), absl::OkStatus());
    fresh.Step(world.state());
  }
  return world.digest();
}

TEST(KinematicSurfaceTest, MovingMeshCarriesAndRestores) {
  PhysicsDefinition definition;
  AddBody(definition, MakeBowlMesh(), Motion::kKinematic, {});
  for (int i = 0; i < 4; ++i) {
    AddBody(definition, ShapeOf(MakeRock()), Motion::kDynamic,
            {0.2 * i, 1.0 + 0.8 * i, 0.1 * i});
  }
  TestingWorld plain(definition);
  TestingWorld restored(definition);
  EXPECT_EQ(RunMovingBowl(false, plain), RunMovingBowl(true, restored));
  for (uint32_t i = 1; i < 5; ++i) {
    EXPECT_GT(plain.body(i).position.y, plain.body(0).position.y);
  }
  EXPECT_NEAR(plain.body(0).position.y, 1.2, 0.01);
}

}  // namespace
}  // namespace reprise::sim
