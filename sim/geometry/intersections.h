// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Whether two shapes have a point in common. Shapes are closed, so touching is
// enough.

#ifndef REPRISE_SIM_GEOMETRY_INTERSECTIONS_H_
#define REPRISE_SIM_GEOMETRY_INTERSECTIONS_H_

#include "sim/geometry/aabb.h"
#include "sim/geometry/plane.h"
#include "sim/geometry/shapes.h"

namespace reprise::sim {

bool Overlaps(const Sphere& a, const Sphere& b);
bool Overlaps(const Sphere& sphere, const Aabb& box);
bool Overlaps(const Sphere& sphere, const OrientedBox& box);
bool Overlaps(const Sphere& sphere, const Capsule& capsule);
bool Overlaps(const Sphere& sphere, const Triangle& triangle);

bool Overlaps(const Capsule& a, const Capsule& b);
bool Overlaps(const Capsule& capsule, const Aabb& box);
bool Overlaps(const Capsule& capsule, const OrientedBox& box);

// By the separating axis theorem. Boxes that are apart by less than some 1e-13
// of their size and distance may be said to touch; boxes that do touch are
// never said to be apart.
bool Overlaps(const OrientedBox& a, const OrientedBox& b);
bool Overlaps(const Aabb& a, const OrientedBox& b);

// A plane has two sides: a shape behind it overlaps no more than one in front.
bool Overlaps(const Plane& plane, const Sphere& sphere);
bool Overlaps(const Plane& plane, const Capsule& capsule);
bool Overlaps(const Plane& plane, const Aabb& box);
bool Overlaps(const Plane& plane, const OrientedBox& box);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_GEOMETRY_INTERSECTIONS_H_
