// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What of a convex solid is so deep in a height field or a closed mesh that its
// surface, a sheet, no longer shows the way out.

#ifndef REPRISE_SIM_PHYSICS_COLLISION_BURIED_POINTS_H_
#define REPRISE_SIM_PHYSICS_COLLISION_BURIED_POINTS_H_

#include <cstdint>

#include "LinearMath/btTransform.h"
#include "LinearMath/btVector3.h"
#include "absl/container/inlined_vector.h"
#include "sim/physics/collision/contact_search.h"
#include "sim/physics/shapes/triangle_surface.h"

namespace reprise::sim {

struct BuriedPoint {
  uint32_t triangle = 0;  // through which the way out is
  btVector3 on_solid;     // in the world
  btVector3 out;          // of length 1
  double depth_m = 0.0;   // the way of `on_solid`, above 0
};

using BuriedPoints = absl::InlinedVector<BuriedPoint, FoundPoints::kPointsMax>;

// The middle, where that is inside: pushed there, what is buried comes out
// without turning. Else the deepest corners, or ends, that are deeper inside
// than the solid is thick. So nothing of what lies on the ground, and nothing
// beside it. REQUIRES: the surface is solid,
// the primitive convex.
BuriedPoints FindBuriedPoints(const TriangleSurface& ground,
                              const btTransform& ground_pose,
                              const PlacedShape& primitive);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PHYSICS_COLLISION_BURIED_POINTS_H_
