// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What a navigation mesh is made of: the settings of its maker, and the fixed
// bodies of a world as triangles of solids and surfaces. Its digest says
// whether a mesh is of this level.

#ifndef REPRISE_SIM_SYSTEMS_NAVIGATION_MESH_SOURCE_H_
#define REPRISE_SIM_SYSTEMS_NAVIGATION_MESH_SOURCE_H_

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "sim/base/digest.h"
#include "sim/geometry/aabb.h"
#include "sim/navigation/navigation_mesh.h"
#include "sim/physics/definition/physics_definition.h"
#include "sim/systems/navigation/solid_triangles.h"

namespace reprise::sim {

struct MeshSettings {
  double agent_radius_m = 0.4;
  double agent_height_m = 1.8;
  double agent_slope_degrees = 45.0;
  double agent_step_m = 0.4;
  MeshScale scale;
  // What is looked at; unset: the box around the bodies, but for planes.
  std::optional<Aabb> bounds;
  // Of areas from 1 on; of those that overlap the last one counts.
  std::vector<Aabb> areas;
};

// Voxels along one axis that a level is seen in: what fits into the 13 bits
// that Recast has for heights, and 16 million columns.
inline constexpr int32_t kMeshColumnsMax = 4096;
inline constexpr int32_t kMeshLayersMax = 8000;
// Triangles that a level is made of.
inline constexpr uint32_t kMeshSourceTrianglesMax = 1u << 22;

struct MeshSource {
  MeshSettings settings;
  // In voxels from the world's origin, and how many.
  std::array<int32_t, 3> origin = {};
  std::array<int32_t, 3> size = {};
  // Of fixed bodies, in the world, m: what is in the bounds.
  std::vector<ShapePart> parts;
  // Of all that; the same whatever the order of bodies.
  Digest digest;
};

// INVALID_ARGUMENT when there are no bounds, or too many voxels or triangles.
// REQUIRES: sizes are above 0.
absl::StatusOr<MeshSource> MakeMeshSource(const MeshSettings& settings,
                                          const PhysicsDefinition& physics);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_NAVIGATION_MESH_SOURCE_H_
