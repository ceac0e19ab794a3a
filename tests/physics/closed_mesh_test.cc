// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A closed mesh is solid: what falls onto it ends on it, at the height at which
// it would lie on a box or a height field of the same shape; what is deep
// inside comes out the nearest way; and each tick of that can be begun in
// another world.

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "sim/base/math.h"
#include "sim/physics/testing/closed_meshes.h"
#include "sim/physics/testing/testing_world.h"
#include "tests/physics/testing_ground.h"
#include "tests/physics/testing_rates.h"

namespace reprise::sim {
namespace {

// The hills as a mesh, solid down to 8 m below their lowest place.
MeshShape MakeSolidHills() {
  MeshShape top;
  for (uint32_t row = 0; row < kHillsSide; ++row) {
    for (uint32_t column = 0; column < kHillsSide; ++column) {
      top.vertices.push_back(
          {column - 20.0, HeightOf(column, row), row - 20.0});
    }
  }
  for (uint32_t row = 0; row + 1 < kHillsSide; ++row) {
    for (uint32_t column = 0; column + 1 < kHillsSide; ++column) {
      const uint32_t near = row * kHillsSide + column;
      const uint32_t far = near + kHillsSide;
      top.triangles.push_back({near, far, near + 1});
      top.triangles.push_back({near + 1, far, far + 1});
    }
  }
  return MakeSolidBelow(top, -8.0);
}

constexpr Vector3 kBlock = {6.0, 3.0, 6.0};

class ClosedMeshTest : public RateTest {
 protected:
  // One thing of 1 kg at a place, the ground being the pair's first body or its
  // second.
  static PhysicsDefinition MakeScene(const Thing& thing,
                                     const ShapeDefinition& ground,
                                     Vector3 position, double speed_down,
                                     bool ground_first, Motion motion) {
    PhysicsDefinition definition;
    definition.tick_s = tick_s();
    const auto add_ground = [&] {
      AddBody(definition, ground, motion, {}).kind.friction = 0.7;
    };
    if (ground_first) add_ground();
    const AddedBody body =
        AddBody(definition, ShapeOf(thing.solid), Motion::kDynamic, position);
    body.kind.friction = 0.7;
    body.kind.rolling_friction = 0.01;
    body.placement.linear_velocity_m_s = {0.0, -speed_down, 0.0};
    if (!ground_first) add_ground();
    return definition;
  }
};

TEST_P(ClosedMeshTest, WhatFallsOntoItEndsAboveIt) {
  const MeshShape hills = MakeSolidHills();
  for (const Thing& thing : Things()) {
    for (const double speed : {0.0, 30.0}) {
      for (const bool ground_first : {true, false}) {
        PhysicsDefinition definition =
            MakeScene(thing, hills, {1.3, 10.0, -2.2}, speed, ground_first,
                      Motion::kFixed);
        const uint32_t body = ground_first ? 1 : 0;
        definition.bodies[body].rotation = FromAxisAngle({0.6, 0.0, 0.8}, 0.4);
        TestingWorld world(definition);
        world.Step(Ticks(8.0));
        // What lies on it gives way by a millimetre.
        EXPECT_GT(AboveGround(world.body(body)), -1e-3)
            << thing.name << " at " << speed << (ground_first ? ", first" : "");
      }
    }
  }
}

// On the block's two large triangles per side.
TEST_P(ClosedMeshTest, WhatFallsFromTenMetresEndsOnABlock) {
  for (const Thing& thing : Things()) {
    if (std::holds_alternative<SpherePrimitive>(thing.solid)) continue;
    PhysicsDefinition definition =
        MakeScene(thing, MakeBoxMesh(kBlock), {1.3, 13.0, -2.2}, 0.0, true,
                  Motion::kFixed);
    definition.bodies[1].rotation = FromAxisAngle({0.6, 0.0, 0.8}, 0.4);
    TestingWorld world(definition);
    double lowest = 13.0;
    for (uint32_t i = 0; i < Ticks(8.0); ++i) {
      world.Step();
      lowest = std::min(lowest, world.body(1).position.y);
    }
    EXPECT_GT(world.body(1).position.y, kBlock.y - 1e-3) << thing.name;
    // Nor is it seen below on its way: a tick's way is 0.47 m at most.
    EXPECT_GT(lowest, kBlock.y - 14.1 * tick_s() - 0.05) << thing.name;
  }
}

TEST_P(ClosedMeshTest, WhatLiesOnItLiesAsOnABox) {
  for (const Thing& thing : Things()) {
    double heights[2];
    int index = 0;
    for (const ShapeDefinition& ground :
         {ShapeDefinition(MakeBoxMesh(kBlock)),
          ShapeDefinition(ShapeOf(BoxPrimitive{kBlock}))}) {
      TestingWorld world(MakeScene(thing, ground, {0.7, 6.0, -0.4}, 0.0, true,
                                   Motion::kFixed));
      world.Step(Ticks(8.0));
      heights[index++] = world.body(1).position.y;
    }
    // Contacts give way by 0.07 mm where a thing's weight is on one point.
    EXPECT_NEAR(heights[0], heights[1], 2e-4) << thing.name;
  }
}

// In empty space, towards each of the six sides.
TEST_P(ClosedMeshTest, WhatIsDeepInsideComesOutTheNearestWay) {
  for (const Motion motion : {Motion::kFixed, Motion::kKinematic}) {
    for (const Vector3 side :
         {Vector3{1.0, 0.0, 0.0}, Vector3{-1.0, 0.0, 0.0},
          Vector3{0.0, 1.0, 0.0}, Vector3{0.0, -1.0, 0.0},
          Vector3{0.0, 0.0, 1.0}, Vector3{0.0, 0.0, -1.0}}) {
      for (const Thing& thing : Things()) {
        // Middles are 1.2 m below the side, and more below all others.
        const double depth = 1.2;
        const Vector3 start = {(kBlock.x - depth) * side.x + 0.3,
                               (kBlock.y - depth) * side.y,
                               (kBlock.z - depth) * side.z - 0.2};
        PhysicsDefinition definition =
            MakeScene(thing, MakeBoxMesh(kBlock), start, 0.0, true, motion);
        definition.gravity_m_s2 = {};
        TestingWorld world(definition);
        world.Step(Ticks(4.0));
        const Vector3& place = world.body(1).position;
        const double out =
            Dot(place, side) - Dot(Vector3{kBlock.x, kBlock.y, kBlock.z},
                                   {Abs(side.x), Abs(side.y), Abs(side.z)});
        EXPECT_GT(out, 0.0)
            << thing.name << ' ' << side.x << ' ' << side.y << ' ' << side.z;
        EXPECT_LT(Length(world.body(1).linear_velocity), 0.5) << thing.name;
      }
    }
  }
}

TEST_P(ClosedMeshTest, EachTickCanBeginInAnotherWorld) {
  const MeshShape hills = MakeSolidHills();
  for (const Thing& thing : Things()) {
    ExpectEachTickCanBeginInAnotherWorld(
        MakeScene(thing, hills, {1.3, 3.0, -2.2}, 30.0, false, Motion::kFixed),
        Ticks(0.5), thing.name);
  }
}

REPRISE_AT_ALL_RATES(ClosedMeshTest);

}  // namespace
}  // namespace reprise::sim
