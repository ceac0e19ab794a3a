// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Whether a point lies in a shape. Surfaces belong to shapes: a point on one is
// inside, as exactly as doubles can say.

#ifndef REPRISE_SIM_GEOMETRY_CONTAINMENT_H_
#define REPRISE_SIM_GEOMETRY_CONTAINMENT_H_

#include <span>

#include "absl/status/status.h"
#include "sim/geometry/shapes.h"
#include "sim/geometry/vector2.h"
#include "sim/geometry/vector3.h"

namespace reprise::sim {

bool Contains(const Sphere& sphere, Vector3 point);
bool Contains(const OrientedBox& box, Vector3 point);
bool Contains(const Capsule& capsule, Vector3 point);
bool Contains(const Cone& cone, Vector3 point);
bool Contains(const ConvexHull& hull, Vector3 point);

// REQUIRES: Validate(prism) is OK.
bool Contains(const ConvexPrism& prism, Vector3 point);

// Whether the line through the point along the polygon's normal meets the
// polygon: for points of its plane, whether they lie in it.
// REQUIRES: Validate(polygon) is OK.
bool Contains(const ConvexPolygon& polygon, Vector3 point);

// The same of a triangle. One that is only a line or a point contains the
// points of that line whose closest point they are, and no others.
bool Contains(const Triangle& triangle, Vector3 point);

// Whether a convex polygon in a plane, either way round, contains the point.
// REQUIRES: ValidateConvex(corners) is OK.
bool ConvexContains(std::span<const Vector2> corners, Vector2 point);

// InvalidArgument naming the corner unless there are at least 3 corners, all
// finite, that make a convex polygon with an area; corners may lie on the line
// between their neighbours.
absl::Status ValidateConvex(std::span<const Vector2> corners);

// InvalidArgument unless the polygon is convex, has an area, and is flat: no
// corner is farther from the plane than 1e-9 of the polygon's size.
absl::Status Validate(const ConvexPolygon& polygon);

// InvalidArgument unless the plan is convex and bottom <= top.
absl::Status Validate(const ConvexPrism& prism);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_GEOMETRY_CONTAINMENT_H_
