// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Shapes of frames as triangles. Shapes that differ in size alone share a
// geometry, which each places, turns and scales.

#ifndef REPRISE_REPLAYS_SHOWING_SHAPE_MODELS_H_
#define REPRISE_REPLAYS_SHOWING_SHAPE_MODELS_H_

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "sim/frame.h"
#include "sim/geometry/quaternion.h"
#include "sim/geometry/vector3.h"

namespace reprise::replays {

// A plane has no end; what is drawn of it reaches so far from its origin.
inline constexpr double kPlaneReachM = 200;

// Three corners make a triangle, against the clock as seen from outside.
struct ShapeGeometry {
  std::string name;                             // "sphere", "mesh 3"
  std::vector<std::array<float, 3>> positions;  // m, before it is scaled
  std::vector<std::array<float, 3>> normals;    // unit, one for each position
};

// A geometry in the space of an object: scaled, then turned, then moved.
struct PlacedGeometry {
  uint32_t geometry = 0;
  sim::Vector3 position;
  sim::Quaternion rotation;
  sim::Vector3 scale = {1, 1, 1};
};

class ShapeModels {
 public:
  // `meshes`, which shapes refer to, must remain live.
  explicit ShapeModels(std::span<const sim::FrameMesh> meshes)
      : meshes_(meshes) {}

  // Makes the shape's geometry where no shape had it before. A shape whose mesh
  // isn't there is an empty geometry.
  PlacedGeometry Place(const sim::FrameShape& shape);

  std::span<const ShapeGeometry> geometries() const { return geometries_; }

 private:
  // Kind, mesh, and of a capsule its straight part by its radius.
  using Key = std::tuple<sim::FrameShape::Kind, uint32_t, double>;

  const std::span<const sim::FrameMesh> meshes_;
  std::vector<ShapeGeometry> geometries_;
  std::map<Key, uint32_t> geometry_of_;
};

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_SHOWING_SHAPE_MODELS_H_
