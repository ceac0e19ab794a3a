// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Whether a cone meets a sphere or a box: what a guard can see. As with all
// shapes, touching counts.

#ifndef REPRISE_SIM_GEOMETRY_SPATIAL_SPATIAL_CONE_H_
#define REPRISE_SIM_GEOMETRY_SPATIAL_SPATIAL_CONE_H_

#include "sim/geometry/aabb.h"
#include "sim/geometry/shapes.h"
#include "sim/geometry/vector3.h"

namespace reprise::sim {

// The point of the solid cone that is nearest to `point`.
Vector3 ClosestPoint(const Cone& cone, Vector3 point);

bool Overlaps(const Cone& cone, const Sphere& sphere);

// Boxes that the side of the cone misses by less than 1e-14 of their distance
// may be said to touch.
bool Overlaps(const Cone& cone, const OrientedBox& box);
bool Overlaps(const Cone& cone, const Aabb& box);

// The smallest axis-aligned box around the cone.
Aabb BoundsOf(const Cone& cone);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_GEOMETRY_SPATIAL_SPATIAL_CONE_H_
