// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The faces of a hull as polygons, of its surface of triangles.

#ifndef REPRISE_SIM_PHYSICS_SHAPES_HULL_FACES_H_
#define REPRISE_SIM_PHYSICS_SHAPES_HULL_FACES_H_

#include <cstdint>
#include <vector>

#include "sim/geometry/vector3.h"
#include "sim/physics/definition/shape_definition.h"

namespace reprise::sim {

struct HullFace {
  Vector3 normal;  // of length 1
  // Indexes of vertices, against the clock as seen from outside. The corners of
  // a face of more than 16 are thinned out.
  std::vector<uint32_t> corners;
};

// Triangles in one plane make one face.
std::vector<HullFace> MakeHullFaces(const HullPrimitive& hull);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PHYSICS_SHAPES_HULL_FACES_H_
