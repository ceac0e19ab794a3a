// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A level as Recast sees it: columns of voxels, with solids filled.

#ifndef REPRISE_TOOLS_REPRISE_BAKING_LEVEL_VOXELS_H_
#define REPRISE_TOOLS_REPRISE_BAKING_LEVEL_VOXELS_H_

#include <array>
#include <memory>

#include "recastnavigation/Recast.h"
#include "sim/geometry/vector3.h"
#include "sim/systems/navigation/mesh_source.h"

namespace reprise::tools {

struct Freer {
  void operator()(rcHeightfield* field) const { rcFreeHeightField(field); }
  void operator()(rcCompactHeightfield* field) const {
    rcFreeCompactHeightfield(field);
  }
  void operator()(rcContourSet* contours) const { rcFreeContourSet(contours); }
  void operator()(rcPolyMesh* mesh) const { rcFreePolyMesh(mesh); }
  void operator()(rcPolyMeshDetail* mesh) const { rcFreePolyMeshDetail(mesh); }
};
template <typename Held>
using Owned = std::unique_ptr<Held, Freer>;

// The settings in voxels.
struct VoxelSettings {
  int radius = 0;
  int height = 0;
  int step = 0;
  float cell_size = 0.0f;
  float cell_height = 0.0f;
};

VoxelSettings SettingsOf(const sim::MeshSettings& settings);

// A place of the world from the origin of the mesh, so that floats are as exact
// far out.
std::array<float, 3> Local(const sim::MeshSource& source,
                           const sim::Vector3& place);

// Makes the field of a level, and marks what is walked on in it. False when
// Recast fails, which tells the context why.
bool Rasterize(const sim::MeshSource& source, const VoxelSettings& settings,
               rcContext& context, rcHeightfield& field);

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_BAKING_LEVEL_VOXELS_H_
