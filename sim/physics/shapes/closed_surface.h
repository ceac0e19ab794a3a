// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The inside of a closed mesh: how deep a place lies in it, and which way is
// out. Built once from the data, so it has no history.
//
// Source: J. A. Baerentzen and H. Aanaes, "Signed Distance Computation Using
// the Angle Weighted Pseudonormal", IEEE TVCG 11(3), 2005.

#ifndef REPRISE_SIM_PHYSICS_SHAPES_CLOSED_SURFACE_H_
#define REPRISE_SIM_PHYSICS_SHAPES_CLOSED_SURFACE_H_

#include <array>
#include <cstdint>
#include <vector>

#include "sim/geometry/shapes.h"
#include "sim/geometry/vector3.h"
#include "sim/physics/definition/shape_definition.h"

namespace reprise::sim {

// The nearest place of a triangle.
struct NearestPlace {
  Vector3 place;
  double squared = 0.0;  // of the distance
  // 0: within the triangle; 1 to 3: on the edge behind corner 0 to 2; 4 to 6:
  // the corner 0 to 2.
  uint32_t feature = 0;
};

NearestPlace NearestOf(const Triangle& triangle, Vector3 place);

class ClosedSurface {
 public:
  // Of nothing.
  ClosedSurface() = default;
  // REQUIRES: FindOpening(mesh) finds none.
  explicit ClosedSurface(const MeshShape& mesh);

  // Whether a place is inside, whose nearest place of the whole mesh is
  // `nearest` of `triangle`.
  bool IsInside(Vector3 place, uint32_t triangle,
                const NearestPlace& nearest) const;

  // Out of a triangle, of length 1.
  Vector3 normal(uint32_t triangle) const { return normals_[triangle][0]; }

 private:
  // Of each triangle, by feature: those of edges and corners are sums of those
  // of the triangles there, of corners weighted by their angles.
  std::vector<std::array<Vector3, 7>> normals_;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PHYSICS_SHAPES_CLOSED_SURFACE_H_
