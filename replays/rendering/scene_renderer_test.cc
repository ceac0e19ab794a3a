// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves what a whole picture shows: solids where the projection says, shadows
// where the sun's rays end, the same picture whatever was drawn before. Two
// goldens keep all bits. Where one differs, the picture, and what is different
// in red, lie among the test's outputs; to accept it, copy it over the golden.

#include "replays/rendering/scene_renderer.h"

#include <cstdint>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "replays/rendering/picture.h"
#include "replays/rendering/projection.h"
#include "replays/rendering/shading.h"
#include "replays/rendering/testing_picture.h"
#include "replays/showing/shown_scene.h"
#include "sim/frame.h"
#include "sim/geometry/quaternion.h"
#include "sim/geometry/vector3.h"

namespace reprise::replays {
namespace {

using Kind = sim::FrameShape::Kind;
using sim::Vector3;

class SceneRendererTest : public testing::Test {
 protected:
  SceneRendererTest() {
    // A height field's triangles, and a hull: a wedge.
    meshes_.push_back(
        {.vertices = {{-2, 0, -2}, {2, 0.5, -2}, {-2, 0.3, 2}, {2, 0, 2}},
         .triangles = {{0, 2, 1}, {1, 2, 3}}});
    meshes_.push_back(
        {.vertices = {{-1, 0, -1}, {1, 0, -1}, {0, 0, 1}, {0, 1.2, 0}},
         .triangles = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}}});
  }

  void Add(const std::string& type, sim::FrameShape shape,
           const Vector3& position, const sim::Quaternion& rotation = {}) {
    const auto index = static_cast<uint32_t>(objects_.size());
    objects_.push_back({.name = type, .type = type, .shapes = {shape}});
    frame_.poses.push_back({index, position, rotation});
  }

  void AddGround() {
    Add("ground", {.kind = Kind::kPlane, .size = {0, 1, 0}}, {});
  }

  // One of each kind.
  void AddAll() {
    AddGround();
    const sim::Quaternion turn = sim::FromTurns({20, 35, 10});
    Add("ball", {.kind = Kind::kSphere, .size = {0.7, 0, 0}}, {-2.4, 0.7, 1.5});
    Add("box", {.kind = Kind::kBox, .size = {0.6, 0.4, 0.5}}, {0, 0.9, 2},
        turn);
    Add("capsule", {.kind = Kind::kCapsule, .size = {0.35, 0.6, 0}},
        {2.2, 0.95, 1.4}, sim::FromTurns({0, 0, 25}));
    Add("cylinder", {.kind = Kind::kCylinder, .size = {0.5, 0.6, 0}},
        {-1.2, 0.6, -0.6});
    Add("cone", {.kind = Kind::kCone, .size = {0.6, 0.7, 0}}, {1, 0.35, -0.4});
    Add("hull", {.kind = Kind::kHull, .mesh = 1}, {3, 0, -1});
    Add("field", {.kind = Kind::kMesh, .mesh = 0}, {-3.5, 0.1, -2.5});
  }

  static Camera CameraAt(const Vector3& eye, const Vector3& at) {
    return {.view = LookAt(eye, at, {0, 1, 0})};
  }

  Picture Draw(const Camera& camera, RenderOptions options = {}) {
    SceneRenderer renderer(meshes_, options);
    return renderer.Draw({frame_, objects_, lines_}, camera);
  }

  std::vector<sim::FrameMesh> meshes_;
  std::vector<ShownObject> objects_;
  std::vector<DrawnLine> lines_;
  ShownFrame frame_;
};

// Pixels from a picture's left and upper edge.
struct ScreenPoint {
  double x = 0;
  double y = 0;
};

// Where a point in front of a camera with perspective is seen.
ScreenPoint PointOf(const Projection& projection, const Vector3& world) {
  const Vector3 view = projection.ToView(world);
  const double scale = projection.scale() / view.z;
  return {0.5 * projection.width() + scale * view.x,
          0.5 * projection.height() - scale * view.y};
}

int Brightness(const Picture& picture, const ScreenPoint& point) {
  const PixelColour colour = picture.At(static_cast<uint32_t>(point.x),
                                        static_cast<uint32_t>(point.y));
  return colour[0] + colour[1] + colour[2];
}

TEST_F(SceneRendererTest, SolidsLookAsTheyDid) {
  AddAll();
  lines_.push_back({{-2.4, 0.7, 1.5}, {-2.4, 2.6, 1.5}, {0.8, 0.1, 0.1}, 2});
  ExpectGoldenPicture(
      "replays/rendering/golden/solids.png",
      Draw(CameraAt({3, 5, 8}, {0, 0.3, 0}), {.width = 240, .height = 135}));
}

TEST_F(SceneRendererTest, FromAboveWithoutPerspectiveTheyLookAsTheyDid) {
  AddAll();
  Camera camera = {.view = LookAt({0, 60, 0}, {}, {0, 0, -1})};
  camera.lens.height_m = 8;
  ExpectGoldenPicture("replays/rendering/golden/flat.png",
                      Draw(camera, {.width = 240, .height = 135}));
}

// The frame alone decides, and not what was drawn before.
TEST_F(SceneRendererTest, APictureFollowsFromItsFrameAlone) {
  AddAll();
  const Camera camera = CameraAt({3, 5, 8}, {0, 0.3, 0});
  const Picture alone = Draw(camera);
  SceneRenderer renderer(meshes_, {});
  ShownFrame other = frame_;
  other.poses.resize(3);
  other.poses[1].position = {40, 3, 2};
  renderer.Draw({other, objects_, {}}, CameraAt({0, 9, 1}, {}));
  EXPECT_EQ(renderer.Draw({frame_, objects_, {}}, camera), alone);
}

TEST_F(SceneRendererTest, ABallStandsWhereItsCentreIsProjectedTo) {
  Add("ball", {.kind = Kind::kSphere, .size = {0.2, 0, 0}}, {1.3, 0.4, -2});
  const Camera camera = CameraAt({0, 1, 6}, {0, 0, 0});
  const Picture picture = Draw(camera);
  const ScreenPoint point =
      PointOf(Projection(camera, 640, 360), {1.3, 0.4, -2});
  const PixelColour sky = picture.At(0, 0);
  const auto x = static_cast<uint32_t>(point.x);
  const auto y = static_cast<uint32_t>(point.y);
  EXPECT_NE(picture.At(x, y), sky);
  // Twice its radius away there is nothing.
  const double pixels = 0.4 * Projection(camera, 640, 360).scale() / 8;
  EXPECT_EQ(picture.At(x + static_cast<uint32_t>(pixels), y), sky);
}

// The sun's ray through the ball's middle ends in the middle of its shadow.
TEST_F(SceneRendererTest, AShadowFallsWhereTheSunsRayEnds) {
  AddGround();
  const Vector3 centre = {0.5, 2, -0.5};
  Add("ball", {.kind = Kind::kSphere, .size = {0.5, 0, 0}}, centre);
  const Camera camera = CameraAt({6, 7, 6}, {0, 0, 0});
  const Picture picture = Draw(camera);
  RenderOptions options;
  options.has_shadows = false;
  const Picture bright = Draw(camera, options);
  const Projection projection(camera, 640, 360);
  const Vector3 sun = WorldLamp().sun;
  const Vector3 end = centre - sun * (centre.y / sun.y);
  const ScreenPoint middle = PointOf(projection, end);
  EXPECT_LT(Brightness(picture, middle), Brightness(bright, middle) - 100);
  // The shadow's half axis across the sun is the ball's radius.
  const Vector3 across = sim::Normalized(Vector3{-sun.z, 0, sun.x});
  const ScreenPoint inside = PointOf(projection, end + across * 0.4);
  const ScreenPoint outside = PointOf(projection, end + across * 0.6);
  EXPECT_LT(Brightness(picture, inside), Brightness(bright, inside) - 100);
  EXPECT_EQ(Brightness(picture, outside), Brightness(bright, outside));
}

TEST_F(SceneRendererTest, WhatTheSunShinesOnIsAsBrightAsWithoutShadows) {
  AddGround();
  Add("box", {.kind = Kind::kBox, .size = {1, 1, 1}}, {0, 1, 0});
  const Camera camera = CameraAt({5, 5, 7}, {0, 0.5, 0});
  RenderOptions options;
  const Picture shaded = Draw(camera, options);
  options.has_shadows = false;
  const Picture bright = Draw(camera, options);
  const Projection projection(camera, 640, 360);
  // In the sun: the top, the sides that face it, the ground before them.
  for (const Vector3& place :
       {Vector3{0.1, 2, 0.3}, Vector3{1, 1, 0.2}, Vector3{0.3, 1.2, 1},
        Vector3{1.5, 0, 1.5}, Vector3{2.3, 0, -0.4}}) {
    const ScreenPoint point = PointOf(projection, place);
    EXPECT_EQ(Brightness(shaded, point), Brightness(bright, point));
  }
}

TEST_F(SceneRendererTest, ShapesOfNoSizeAndMissingMeshesAreNotSeen) {
  Add("box", {.kind = Kind::kBox, .size = {1, 0, 1}}, {0, 1, 0});
  Add("ball", {.kind = Kind::kSphere}, {0, 1, 0});
  Add("hull", {.kind = Kind::kHull, .mesh = 9}, {0, 1, 0});
  const Picture picture = Draw(CameraAt({0, 1, 6}, {0, 1, 0}));
  for (uint32_t y = 0; y < picture.height(); ++y) {
    ASSERT_EQ(picture.At(320, y), picture.At(0, 0));
  }
}

// Half a size so small that what is divided by it is no number any more.
TEST_F(SceneRendererTest, ShapesThinnerThanAnyAtomAreNotSeen) {
  constexpr double kThin = 1e-310;
  Add("box", {.kind = Kind::kBox, .size = {1, kThin, 1}}, {0, 1, 0});
  Add("cone", {.kind = Kind::kCone, .size = {1, kThin, 0}}, {0, 1, 0});
  Add("cylinder", {.kind = Kind::kCylinder, .size = {1, kThin, 0}}, {0, 1, 0});
  Add("ball", {.kind = Kind::kSphere, .size = {kThin, 0, 0}}, {0, 1, 0});
  Add("capsule", {.kind = Kind::kCapsule, .size = {kThin, 1, 0}}, {0, 1, 0});
  const Picture picture = Draw(CameraAt({0, 5, 4}, {0, 1, 0}));
  for (uint32_t y = 0; y < picture.height(); ++y) {
    ASSERT_EQ(picture.At(320, y), picture.At(0, 0));
  }
}

}  // namespace
}  // namespace reprise::replays
