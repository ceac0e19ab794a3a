// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that the triangles of each solid are closed, wound outwards and as
// large as the solid: by their volume, against the formulas of geometry.

#include "replays/showing/shape_models.h"

#include <vector>

#include "gtest/gtest.h"
#include "sim/base/math.h"

namespace reprise::replays {
namespace {

using Kind = sim::FrameShape::Kind;
using sim::kPi;
using sim::Vector3;

Vector3 Scaled(const std::array<float, 3>& corner, const Vector3& scale) {
  return {corner[0] * scale.x, corner[1] * scale.y, corner[2] * scale.z};
}

// By the divergence theorem: negative where triangles face inwards.
double VolumeOf(const sim::FrameShape& shape,
                std::span<const sim::FrameMesh> meshes = {}) {
  ShapeModels models(meshes);
  const PlacedGeometry placed = models.Place(shape);
  const auto& corners = models.geometries()[placed.geometry].positions;
  double volume = 0;
  for (size_t i = 0; i < corners.size(); i += 3) {
    volume += sim::Dot(Scaled(corners[i], placed.scale),
                       sim::Cross(Scaled(corners[i + 1], placed.scale),
                                  Scaled(corners[i + 2], placed.scale))) /
              6;
  }
  return volume;
}

TEST(ShapeModelsTest, VolumesAreThoseOfTheSolids) {
  // What is round is a little too small: 24 sides make 98.9 % of a circle.
  const double round = 24 / (2 * kPi) * sim::Sin(2 * kPi / 24);
  EXPECT_NEAR(VolumeOf({.kind = Kind::kBox, .size = {1, 2, 3}}), 48, 1e-5);
  EXPECT_NEAR(VolumeOf({.kind = Kind::kCylinder, .size = {0.5, 2, 0}}),
              round * kPi * 0.25 * 4, 1e-5);
  EXPECT_NEAR(VolumeOf({.kind = Kind::kCone, .size = {0.5, 2, 0}}),
              round * kPi * 0.25 * 4 / 3, 1e-5);
  const double ball = 4.0 / 3 * kPi * 8;
  const double sphere = VolumeOf({.kind = Kind::kSphere, .size = {2, 0, 0}});
  EXPECT_LT(sphere, ball);
  EXPECT_GT(sphere, 0.96 * ball);
  EXPECT_NEAR(VolumeOf({.kind = Kind::kCapsule, .size = {2, 3, 0}}),
              sphere + round * kPi * 4 * 6, 1e-4);
}

TEST(ShapeModelsTest, HullsAreTheirTriangles) {
  // A corner of a cube, against the clock as seen from outside.
  const std::vector<sim::FrameMesh> meshes = {
      {.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
       .triangles = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}}};
  EXPECT_NEAR(VolumeOf({.kind = Kind::kHull, .mesh = 0}, meshes), 1.0 / 6,
              1e-6);
  ShapeModels models(meshes);
  const PlacedGeometry placed = models.Place({.kind = Kind::kHull, .mesh = 9});
  EXPECT_TRUE(models.geometries()[placed.geometry].positions.empty());
}

TEST(ShapeModelsTest, ShapesThatDifferInSizeShareAGeometry) {
  ShapeModels models({});
  const auto place = [&](Kind kind, Vector3 size) {
    return models.Place({.kind = kind, .size = size}).geometry;
  };
  EXPECT_EQ(place(Kind::kBox, {1, 2, 3}), place(Kind::kBox, {4, 5, 6}));
  EXPECT_EQ(place(Kind::kCapsule, {1, 2, 0}), place(Kind::kCapsule, {2, 4, 0}));
  EXPECT_NE(place(Kind::kCapsule, {1, 2, 0}), place(Kind::kCapsule, {1, 3, 0}));
  EXPECT_EQ(models.geometries().size(), 3u);
}

TEST(ShapeModelsTest, APlaneFacesAlongItsNormal) {
  for (const Vector3 normal :
       {Vector3{0, 1, 0}, Vector3{0, -1, 0}, Vector3{0.6, 0, -0.8}}) {
    ShapeModels models({});
    const PlacedGeometry placed =
        models.Place({.kind = Kind::kPlane, .size = normal});
    const Vector3 up = sim::Rotate(placed.rotation, {0, 1, 0});
    EXPECT_LT(sim::Length(up - normal), 1e-12);
  }
}

TEST(ShapeModelsTest, NormalsFaceAsTheirTriangles) {
  ShapeModels models({});
  for (const Kind kind : {Kind::kSphere, Kind::kBox, Kind::kCapsule,
                          Kind::kCylinder, Kind::kCone, Kind::kPlane}) {
    const uint32_t index =
        models.Place({.kind = kind, .size = {1, 1, 0}}).geometry;
    const ShapeGeometry& geometry = models.geometries()[index];
    const Vector3 one = {1, 1, 1};
    for (size_t i = 0; i < geometry.positions.size(); i += 3) {
      const Vector3 a = Scaled(geometry.positions[i], one);
      const Vector3 face =
          sim::Cross(Scaled(geometry.positions[i + 1], one) - a,
                     Scaled(geometry.positions[i + 2], one) - a);
      for (size_t j = i; j < i + 3; ++j) {
        const Vector3 normal = Scaled(geometry.normals[j], one);
        EXPECT_GT(sim::Dot(normal, face), 0) << geometry.name << " " << j;
        EXPECT_NEAR(sim::Length(normal), 1, 1e-6);
      }
    }
  }
}

}  // namespace
}  // namespace reprise::replays
