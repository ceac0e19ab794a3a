// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that what is picked is what is drawn: without the object the pixel is
// another one, and without any other it is the same. And that rays lead back to
// where points were projected from.

#include "replays/rendering/scene_picking.h"

#include <cstdint>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "replays/rendering/picture.h"
#include "replays/showing/shown_scene.h"
#include "sim/geometry/quaternion.h"

namespace reprise::replays {
namespace {

using Kind = sim::FrameShape::Kind;
using sim::Vector3;

constexpr uint32_t kWidth = 160;
constexpr uint32_t kHeight = 90;

class ScenePickingTest : public testing::Test {
 protected:
  ScenePickingTest() {
    meshes_.push_back(
        {.vertices = {{-1, 0, -1}, {1, 0, -1}, {0, 0, 1}, {0, 1.2, 0}},
         .triangles = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}}});
    Add("ground", {.kind = Kind::kPlane, .size = {0, 1, 0}}, {});
    Add("ball", {.kind = Kind::kSphere, .size = {0.7, 0, 0}}, {-2.4, 0.7, 1.5});
    Add("box",
        {.kind = Kind::kBox,
         .position = {0.2, 0, 0},
         .rotation = sim::FromTurns({0, 45, 0}),
         .size = {0.6, 0.4, 0.5}},
        {0, 0.9, 2}, sim::FromTurns({20, 35, 10}));
    Add("capsule", {.kind = Kind::kCapsule, .size = {0.35, 0.6, 0}},
        {2.2, 0.95, 1.4}, sim::FromTurns({0, 0, 25}));
    Add("cylinder", {.kind = Kind::kCylinder, .size = {0.5, 0.6, 0}},
        {-1.2, 0.6, -0.6});
    Add("cone", {.kind = Kind::kCone, .size = {0.6, 0.7, 0}}, {1, 0.35, -0.4});
    Add("hull", {.kind = Kind::kHull, .mesh = 0}, {3, 0.1, -1});
  }

  void Add(const std::string& type, const sim::FrameShape& shape,
           const Vector3& position, const sim::Quaternion& rotation = {}) {
    const auto index = static_cast<uint32_t>(objects_.size());
    objects_.push_back({.name = type, .type = type, .shapes = {shape}});
    frame_.poses.push_back({index, position, rotation});
  }

  // One sample a pixel, in its middle, and no shadow of anything else.
  Picture Draw(const ShownFrame& frame, const Camera& camera) {
    SceneRenderer renderer(meshes_, {.width = kWidth,
                                     .height = kHeight,
                                     .samples = 1,
                                     .has_shadows = false});
    return renderer.Draw({frame, objects_, {}}, camera);
  }

  // How many pixels each object is picked at, of those of a picture.
  std::vector<size_t> CheckPixels(const Camera& camera) {
    const Picture whole = Draw(frame_, camera);
    const Projection projection(camera, kWidth, kHeight);
    ScenePicker picker(meshes_);
    std::vector<size_t> seen(objects_.size());
    size_t wrong = 0;
    for (uint32_t object = 0; object < objects_.size(); ++object) {
      ShownFrame without = frame_;
      without.poses.erase(without.poses.begin() + object);
      const Picture other = Draw(without, camera);
      for (uint32_t y = 0; y < kHeight; ++y) {
        for (uint32_t x = 0; x < kWidth; ++x) {
          const auto picked =
              picker.Pick({frame_, objects_, {}}, projection, x + 0.5, y + 0.5);
          const bool is_it = picked && picked->object == object;
          seen[object] += is_it ? 1 : 0;
          wrong += is_it == (whole.At(x, y) != other.At(x, y)) ? 0 : 1;
        }
      }
    }
    // Corners of a picture are rounded to parts of a pixel: an edge may lie on
    // the other side of a middle.
    EXPECT_LT(wrong, 40u);
    return seen;
  }

  std::vector<sim::FrameMesh> meshes_;
  std::vector<ShownObject> objects_;
  ShownFrame frame_;
};

TEST_F(ScenePickingTest, WhatIsPickedIsWhatIsSeen) {
  for (const size_t pixels :
       CheckPixels({.view = LookAt({3, 5, 8}, {0, 0.3, 0}, {0, 1, 0})})) {
    EXPECT_GT(pixels, 50u);
  }
}

TEST_F(ScenePickingTest, WithoutPerspectiveToo) {
  Camera camera = {.view = LookAt({0, 60, 0}, {}, {0, 0, -1})};
  camera.lens.height_m = 8;
  for (const size_t pixels : CheckPixels(camera)) EXPECT_GT(pixels, 50u);
}

TEST_F(ScenePickingTest, ThePointLiesOnTheThing) {
  const Camera camera = {.view =
                             LookAt({-2.4, 0.7, 9}, {-2.4, 0.7, 0}, {0, 1, 0})};
  ScenePicker picker(meshes_);
  const auto picked = picker.Pick({frame_, objects_, {}},
                                  Projection(camera, kWidth, kHeight), 80, 45);
  ASSERT_TRUE(picked);
  EXPECT_EQ(objects_[picked->object].name, "ball");
  EXPECT_LT(sim::Length(picked->point - Vector3{-2.4, 0.7, 2.2}), 1e-9);
}

// The sky, what is drawn by lines, and solids seen from within.
TEST_F(ScenePickingTest, WhatIsNotDrawnIsNotPicked) {
  ScenePicker picker(meshes_);
  const Camera up = {.view = LookAt({0, 5, 0}, {0, 9, 0}, {0, 0, 1})};
  const Projection sky(up, kWidth, kHeight);
  EXPECT_FALSE(picker.Pick({frame_, objects_, {}}, sky, 80, 45));
  const Camera inside = {
      .view = LookAt({-2.4, 0.7, 1.5}, {-2.4, 9, 1.5}, {0, 0, 1})};
  EXPECT_FALSE(picker.Pick({frame_, objects_, {}},
                           Projection(inside, kWidth, kHeight), 80, 45));
  const Camera down = {.view =
                           LookAt({-2.4, 9, 1.5}, {-2.4, 0, 1.5}, {0, 0, 1})};
  const Projection above(down, kWidth, kHeight);
  const std::vector<uint32_t> ball = {1};
  const auto behind = picker.Pick({frame_, objects_, {}, ball}, above, 80, 45);
  ASSERT_TRUE(behind);
  EXPECT_EQ(objects_[behind->object].name, "ground");
}

// There and back, at any depth.
TEST_F(ScenePickingTest, RaysLeadBackToWherePointsAre) {
  Camera camera = {.view = LookAt({3, 5, 8}, {0, 0.3, 0}, {0, 1, 0})};
  for (const double height_m : {0.0, 12.0}) {
    camera.lens.height_m = height_m;
    const Projection projection(camera, kWidth, kHeight);
    for (const Vector3& point :
         {Vector3{1, 2, 3}, Vector3{-4, 0, 1}, Vector3{0, 1, -7}}) {
      const Vector3 view = projection.ToView(point);
      const double scale =
          projection.scale() / (projection.is_perspective() ? view.z : 1);
      const PictureRay ray = projection.RayThrough(
          0.5 * kWidth + scale * view.x, 0.5 * kHeight - scale * view.y);
      EXPECT_LT(sim::Length(ray.start + ray.direction * view.z - point), 1e-9);
    }
  }
}

}  // namespace
}  // namespace reprise::replays
