// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// From the polygons that a search has found to the way that is walked: the
// shortest one through them, as a string that is pulled taut.

#ifndef REPRISE_SIM_NAVIGATION_MESH_PATH_H_
#define REPRISE_SIM_NAVIGATION_MESH_PATH_H_

#include <cstdint>
#include <span>
#include <vector>

#include "sim/navigation/navigation_mesh.h"

namespace reprise::sim {

// The edge between two polygons, as it is seen by who goes through.
struct MeshPortal {
  MeshPoint left;
  MeshPoint right;
};

// An end of a portal that a string is bent at.
struct TautCorner {
  MeshPoint point;
  uint32_t portal = 0;  // the first that it is the end of

  friend bool operator==(const TautCorner&, const TautCorner&) = default;
};

// The corners of the shortest way from `start` through all portals to `goal`,
// without these two. Exact, of whole numbers: no corner too many by rounding,
// and none too few. Takes time in proportion to the portals. The portals are
// those between polygons that lie in a row; of others it is some way.
std::vector<TautCorner> PullString(MeshPoint start,
                                   std::span<const MeshPortal> portals,
                                   MeshPoint goal);

// The places to walk to in a straight line each, the start and the goal
// included. Where an area begins there is one in the polygon behind, so that
// every area on the way has a place; and where the ground bends by more than
// the height of a voxel there is one, so that who walks is never farther from
// the polygons than that. `nodes` are those of a search from the start to the
// goal (mesh_space.h), both included. REQUIRES: IsMeshNode of all.
std::vector<MeshPlace> MakeMeshPath(const NavigationMesh& mesh,
                                    std::span<const uint32_t> nodes,
                                    const MeshPlace& start,
                                    const MeshPlace& goal);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_NAVIGATION_MESH_PATH_H_
