// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// How much of a body lies below a level surface, and where its middle is.
// Balls, boxes and hulls are exact but for rounding. Capsules, cylinders and
// cones count as polyhedra of 16 by 8 faces, widened to the true volume. The
// primitives of a compound count each on its own, also where they overlap.

#ifndef REPRISE_SIM_PHYSICS_SHAPES_DISPLACEMENT_H_
#define REPRISE_SIM_PHYSICS_SHAPES_DISPLACEMENT_H_

#include <array>
#include <cstdint>
#include <vector>

#include "sim/geometry/matrix3.h"
#include "sim/geometry/vector3.h"
#include "sim/physics/definition/physics_definition.h"

namespace reprise::sim {

struct SubmergedPart {
  double volume_m3 = 0.0;
  Vector3 centre;  // of the volume, in the world; the body's own when it is 0
};

// Made once for a definition, and never changed.
class Displacement {
 public:
  explicit Displacement(const PhysicsDefinition& definition);

  // The whole of a shape; 0 for a plane.
  double Volume(uint32_t shape) const { return shapes_[shape].volume_m3; }
  // Within which it lies, around the body's origin.
  double Radius(uint32_t shape) const { return shapes_[shape].radius_m; }

  // The part of a body's shape that lies below the height `surface_m`.
  SubmergedPart Below(uint32_t shape, Vector3 position, const Matrix3& basis,
                      double surface_m) const;

 private:
  using Triangle = std::array<Vector3, 3>;

  // A primitive in the body's frame: a ball, or the triangles around it, seen
  // from its middle.
  struct Piece {
    Vector3 centre;
    double radius_m = 0.0;  // of a ball; 0: it is none
    std::vector<Triangle> triangles;
  };
  struct Shape {
    std::vector<Piece> pieces;
    double volume_m3 = 0.0;
    double radius_m = 0.0;
  };

  static Piece PieceOf(const Primitive& primitive);

  std::vector<Shape> shapes_;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PHYSICS_SHAPES_DISPLACEMENT_H_
