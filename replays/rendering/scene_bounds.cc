// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/rendering/scene_bounds.h"

#include <algorithm>

#include "sim/geometry/quaternion.h"

namespace reprise::replays {
namespace {

using Kind = sim::FrameShape::Kind;
using sim::Vector3;

constexpr double kGroundM = 6;

// Rounding of poses that were in one plane once.
constexpr double kSamePlaneM = 1e-6;

Vector3 Least(const Vector3& a, const Vector3& b) {
  return {std::min(a.x, b.x), std::min(a.y, b.y), std::min(a.z, b.z)};
}

Vector3 Most(const Vector3& a, const Vector3& b) {
  return {std::max(a.x, b.x), std::max(a.y, b.y), std::max(a.z, b.z)};
}

ShapeReach ReachOfMesh(const sim::FrameMesh& mesh) {
  if (mesh.vertices.empty()) return {};
  Vector3 least = mesh.vertices.front();
  Vector3 most = least;
  for (const Vector3& vertex : mesh.vertices) {
    least = Least(least, vertex);
    most = Most(most, vertex);
  }
  return {(least + most) * 0.5, (most - least) * 0.5};
}

// Of a box that is turned, along the axes of the world.
Vector3 Turned(const sim::Quaternion& rotation, const Vector3& half) {
  const Vector3 x = sim::Rotate(rotation, Vector3{half.x, 0, 0});
  const Vector3 y = sim::Rotate(rotation, Vector3{0, half.y, 0});
  const Vector3 z = sim::Rotate(rotation, Vector3{0, 0, half.z});
  return {sim::Abs(x.x) + sim::Abs(y.x) + sim::Abs(z.x),
          sim::Abs(x.y) + sim::Abs(y.y) + sim::Abs(z.y),
          sim::Abs(x.z) + sim::Abs(y.z) + sim::Abs(z.z)};
}

struct Scene {
  const ShownFrame& frame;
  std::span<const ShownObject> objects;
  std::span<const sim::FrameMesh> meshes;
};

void AddShapes(const Scene& scene, bool is_ground, SceneBounds& bounds) {
  for (const auto& [index, position, rotation] : scene.frame.poses) {
    for (const sim::FrameShape& shape : scene.objects[index].shapes) {
      const std::optional<ShapeReach> reach = ReachOf(shape, scene.meshes);
      if (!reach || IsGround(shape) != is_ground) continue;
      const sim::Quaternion turn = rotation * shape.rotation;
      const Vector3 middle = position + sim::Rotate(rotation, shape.position) +
                             sim::Rotate(turn, reach->middle);
      const Vector3 half = Turned(turn, reach->half);
      bounds.least =
          bounds.is_empty ? middle - half : Least(bounds.least, middle - half);
      bounds.most =
          bounds.is_empty ? middle + half : Most(bounds.most, middle + half);
      bounds.is_empty = false;
    }
  }
}

char FlatAxisOf(const ShownFrame& frame, std::span<const ShownObject> objects) {
  std::optional<Vector3> least;
  Vector3 most;
  size_t count = 0;
  for (const auto& [index, position, rotation] : frame.poses) {
    if (objects[index].shapes.empty()) continue;
    most = least ? Most(most, position) : position;
    least = least ? Least(*least, position) : position;
    ++count;
  }
  if (count < 2) return 0;
  const Vector3 apart = most - *least;
  if (apart.z < kSamePlaneM) return 'z';
  if (apart.x < kSamePlaneM) return 'x';
  return apart.y < kSamePlaneM ? 'y' : 0;
}

}  // namespace

std::optional<ShapeReach> ReachOf(const sim::FrameShape& shape,
                                  std::span<const sim::FrameMesh> meshes) {
  const Vector3& size = shape.size;
  switch (shape.kind) {
    case Kind::kPlane:
      return std::nullopt;
    case Kind::kSphere:
      return ShapeReach{{}, {size.x, size.x, size.x}};
    case Kind::kBox:
      return ShapeReach{{}, size};
    case Kind::kCapsule:
      return ShapeReach{{}, {size.x, size.x + size.y, size.x}};
    case Kind::kCylinder:
      return ShapeReach{{}, {size.x, size.y, size.x}};
    case Kind::kCone:
      return ShapeReach{{0, 0.5 * size.y, 0}, {size.x, size.y, size.x}};
    case Kind::kHull:
    case Kind::kMesh:
      break;
  }
  return shape.mesh < meshes.size() ? ReachOfMesh(meshes[shape.mesh])
                                    : ShapeReach{};
}

bool IsGround(const sim::FrameShape& shape) {
  if (shape.kind == Kind::kPlane) return true;
  return shape.kind == Kind::kBox && shape.size.x > kGroundM &&
         shape.size.z > kGroundM;
}

SceneBounds BoundsOf(const ShownFrame& frame,
                     std::span<const ShownObject> objects,
                     std::span<const sim::FrameMesh> meshes) {
  SceneBounds bounds;
  AddShapes({frame, objects, meshes}, /*is_ground=*/false, bounds);
  if (bounds.is_empty) {
    AddShapes({frame, objects, meshes}, /*is_ground=*/true, bounds);
  }
  bounds.flat_axis = FlatAxisOf(frame, objects);
  return bounds;
}

}  // namespace reprise::replays
