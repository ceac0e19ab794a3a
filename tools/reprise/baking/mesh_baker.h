// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Makes navigation meshes of levels, by Recast. What it makes is data of a
// pack, and nothing that runs a pack depends on it: its floats decide nothing
// once the file is written.

#ifndef REPRISE_TOOLS_REPRISE_BAKING_MESH_BAKER_H_
#define REPRISE_TOOLS_REPRISE_BAKING_MESH_BAKER_H_

#include "absl/status/statusor.h"
#include "sim/navigation/navigation_mesh.h"
#include "sim/systems/navigation/mesh_source.h"

namespace reprise::tools {

// The polygons on which the agent of the source can walk; none where it can
// nowhere. Their edges are up to a voxel off the line that keeps the agent's
// radius away from walls, and where ground ends a voxel more; heights are up to
// a voxel too high, on slopes by what they climb across one besides, and within
// another voxel's height of that between corners. Places where there is no room
// for the agent to turn around, and from which it gets nowhere else, are left
// out. INVALID_ARGUMENT when the agent is 255 voxels or more wide, or there are
// too many polygons; INTERNAL when Recast fails, or makes what is no mesh.
absl::StatusOr<sim::NavigationMeshData> BakeMesh(const sim::MeshSource& source);

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_BAKING_MESH_BAKER_H_
