// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Detour's queries on the polygons of a navigation mesh, for tests and
// benchmarks that hold ours against them.

#ifndef REPRISE_TOOLS_REPRISE_BAKING_TESTING_DETOUR_H_
#define REPRISE_TOOLS_REPRISE_BAKING_TESTING_DETOUR_H_

#include <cstdint>
#include <vector>

#include "recastnavigation/DetourNavMesh.h"
#include "recastnavigation/DetourNavMeshQuery.h"
#include "sim/geometry/vector3.h"
#include "sim/navigation/navigation_mesh.h"

namespace reprise::tools {

class DetourMesh {
 public:
  // Of areas, links and ground within polygons it knows nothing. REQUIRES: the
  // data has polygons, and its origin is that of the world.
  DetourMesh(const sim::NavigationMeshData& data, const sim::MeshScale& scale);
  ~DetourMesh();
  DetourMesh(const DetourMesh&) = delete;
  DetourMesh& operator=(const DetourMesh&) = delete;

  // The length of the path in plan, m; 0 when there is none.
  double FindPath(const sim::Vector3& from, const sim::Vector3& to);

  // The polygons of the path that was found last, from the first to the last.
  std::vector<uint32_t> Corridor() const;

 private:
  dtNavMesh* mesh_ = dtAllocNavMesh();
  dtNavMeshQuery* query_ = dtAllocNavMeshQuery();
  dtQueryFilter filter_;
  int corridor_count_ = 0;
  std::vector<dtPolyRef> corridor_;
  std::vector<float> corners_;
};

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_BAKING_TESTING_DETOUR_H_
