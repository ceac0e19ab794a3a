// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that a frame's bounds are those of its shapes, by their formulas, as
// they lie and as they are turned; that ground doesn't count beside things; and
// that scenes in one plane are known as such.

#include "replays/rendering/scene_bounds.h"

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "replays/showing/shown_scene.h"
#include "sim/frame.h"
#include "sim/geometry/quaternion.h"
#include "sim/geometry/vector3.h"

namespace reprise::replays {
namespace {

using Kind = sim::FrameShape::Kind;
using sim::Vector3;

class SceneBoundsTest : public testing::Test {
 protected:
  void Add(sim::FrameShape shape, const Vector3& position,
           const sim::Quaternion& rotation = {}) {
    const auto index = static_cast<uint32_t>(objects_.size());
    objects_.push_back({.name = "a", .type = "a", .shapes = {shape}});
    frame_.poses.push_back({index, position, rotation});
  }

  SceneBounds Bounds() const { return BoundsOf(frame_, objects_, meshes_); }

  static void ExpectNear(const Vector3& actual, const Vector3& expected) {
    EXPECT_NEAR(actual.x, expected.x, 1e-12);
    EXPECT_NEAR(actual.y, expected.y, 1e-12);
    EXPECT_NEAR(actual.z, expected.z, 1e-12);
  }

  void Expect(const Vector3& least, const Vector3& most) const {
    const SceneBounds bounds = Bounds();
    EXPECT_FALSE(bounds.is_empty);
    ExpectNear(bounds.least, least);
    ExpectNear(bounds.most, most);
  }

  ShownFrame frame_;
  std::vector<ShownObject> objects_;
  std::vector<sim::FrameMesh> meshes_;
};

TEST_F(SceneBoundsTest, NothingIsEmpty) {
  EXPECT_TRUE(Bounds().is_empty);
  EXPECT_EQ(Bounds().flat_axis, 0);
}

TEST_F(SceneBoundsTest, ABallReachesItsRadius) {
  Add({.kind = Kind::kSphere, .size = {2, 0, 0}}, {1, 2, 3});
  Expect({-1, 0, 1}, {3, 4, 5});
  EXPECT_DOUBLE_EQ(Bounds().radius(), std::sqrt(12.0));
}

// Half a turn of 45 degrees around z makes a square of sqrt(2) of it.
TEST_F(SceneBoundsTest, ATurnedBoxReachesFurther) {
  Add({.kind = Kind::kBox, .size = {1, 1, 3}}, {}, sim::FromTurns({0, 0, 45}));
  const double reach = std::sqrt(2.0);
  Expect({-reach, -reach, -3}, {reach, reach, 3});
}

TEST_F(SceneBoundsTest, CapsulesAndCylindersStandAlongY) {
  Add({.kind = Kind::kCapsule, .size = {0.5, 1, 0}}, {});
  Expect({-0.5, -1.5, -0.5}, {0.5, 1.5, 0.5});
  Add({.kind = Kind::kCylinder, .size = {2, 1.75, 0}}, {});
  Expect({-2, -1.75, -2}, {2, 1.75, 2});
}

// Its base lies a quarter of its height below.
TEST_F(SceneBoundsTest, AConeStandsOnItsBase) {
  Add({.kind = Kind::kCone, .size = {1, 2, 0}}, {});
  Expect({-1, -1, -1}, {1, 3, 1});
}

TEST_F(SceneBoundsTest, AMeshReachesItsVertices) {
  meshes_.push_back({.vertices = {{-1, 0, 2}, {4, 1, 2}, {0, -3, 7}},
                     .triangles = {{0, 1, 2}}});
  Add({.kind = Kind::kMesh, .mesh = 0}, {10, 0, 0});
  Expect({9, -3, 2}, {14, 1, 7});
}

TEST_F(SceneBoundsTest, AMeshThatIsNotThereIsAPoint) {
  Add({.kind = Kind::kHull, .mesh = 3}, {1, 2, 3});
  Expect({1, 2, 3}, {1, 2, 3});
}

// The object is turned by 90 degrees around y, which takes its x to -z.
TEST_F(SceneBoundsTest, AShapesPlaceTurnsWithItsObject) {
  Add({.kind = Kind::kBox, .position = {5, 0, 0}, .size = {2, 1, 1}}, {0, 1, 0},
      sim::FromTurns({0, 90, 0}));
  Expect({-1, 0, -7}, {1, 2, -3});
}

TEST_F(SceneBoundsTest, GroundCountsOnlyAlone) {
  Add({.kind = Kind::kBox, .size = {50, 1, 50}}, {0, -1, 0});
  Expect({-50, -2, -50}, {50, 0, 50});
  Add({.kind = Kind::kPlane, .size = {0, 1, 0}}, {});
  Add({.kind = Kind::kSphere, .size = {1, 0, 0}}, {0, 1, 0});
  Expect({-1, 0, -1}, {1, 2, 1});
}

TEST_F(SceneBoundsTest, OnlyWhatIsWideBothWaysIsGround) {
  EXPECT_TRUE(IsGround({.kind = Kind::kPlane}));
  EXPECT_TRUE(IsGround({.kind = Kind::kBox, .size = {7, 0.1, 7}}));
  EXPECT_FALSE(IsGround({.kind = Kind::kBox, .size = {7, 7, 6}}));
  EXPECT_FALSE(IsGround({.kind = Kind::kSphere, .size = {100, 0, 0}}));
  EXPECT_FALSE(ReachOf({.kind = Kind::kPlane}, {}).has_value());
}

TEST_F(SceneBoundsTest, AFlatSceneIsToldByTheMiddlesOfItsObjects) {
  const sim::FrameShape ball = {.kind = Kind::kSphere, .size = {1, 0, 0}};
  Add(ball, {0, 0, 4});
  EXPECT_EQ(Bounds().flat_axis, 0);
  Add(ball, {3, 5, 4});
  EXPECT_EQ(Bounds().flat_axis, 'z');
  Add(ball, {3, 5, 4 + 1e-3});
  EXPECT_EQ(Bounds().flat_axis, 0);
}

TEST_F(SceneBoundsTest, WhatIsNotSeenMakesNoSceneDeep) {
  const sim::FrameShape ball = {.kind = Kind::kSphere, .size = {1, 0, 0}};
  Add(ball, {0, 2, 1});
  Add(ball, {5, 2, 3});
  EXPECT_EQ(Bounds().flat_axis, 'y');
  objects_.push_back({.name = "unseen", .type = "b", .shapes = {}});
  frame_.poses.push_back({2, {0, 100, 0}, {}});
  EXPECT_EQ(Bounds().flat_axis, 'y');
}

}  // namespace
}  // namespace reprise::replays
