// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Whether the triangles of a mesh enclose something, and from which side.

#ifndef REPRISE_SIM_PHYSICS_DEFINITION_CLOSED_MESH_H_
#define REPRISE_SIM_PHYSICS_DEFINITION_CLOSED_MESH_H_

#include <cstdint>
#include <string>
#include <vector>

#include "sim/geometry/vector3.h"
#include "sim/physics/definition/shape_definition.h"

namespace reprise::sim {

// Of each vertex the index of the first that stands in the same place: files
// often say a place once for each triangle.
std::vector<uint32_t> FirstInPlace(const std::vector<Vector3>& vertices);

// An edge that keeps a mesh from being closed, or that all together do.
struct OpenMesh {
  std::string problem;  // empty: it is closed
  // Of the edge, when one is to blame.
  bool has_edge = false;
  uint32_t from = 0;  // vertices
  uint32_t to = 0;
};

// Whether each edge is of two triangles that run along it in opposite
// directions, and the volume within is positive.
// REQUIRES: MeshProblem(mesh) is empty.
OpenMesh FindOpening(const MeshShape& mesh);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PHYSICS_DEFINITION_CLOSED_MESH_H_
