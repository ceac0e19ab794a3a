// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Lines and solids in space, as plain structs. All are closed: their surfaces
// belong to them, so what touches intersects. All may be degenerate: radii and
// extents may be 0 and ends may coincide.

#ifndef REPRISE_SIM_GEOMETRY_SHAPES_H_
#define REPRISE_SIM_GEOMETRY_SHAPES_H_

#include <array>
#include <vector>

#include "sim/geometry/aabb.h"
#include "sim/geometry/plane.h"
#include "sim/geometry/quaternion.h"
#include "sim/geometry/vector2.h"
#include "sim/geometry/vector3.h"

namespace reprise::sim {

// All points origin + t direction with t >= 0. The direction may have any
// length, and t counts in it.
struct Ray {
  Vector3 origin;
  Vector3 direction;
};

constexpr Vector3 PointAt(const Ray& ray, double t) {
  return ray.origin + ray.direction * t;
}

// All points start + t (end - start) with t in [0, 1].
struct Segment {
  Vector3 start;
  Vector3 end;
};

// Exactly the end itself at t = 1.
constexpr Vector3 PointAt(const Segment& segment, double t) {
  if (t == 1.0) return segment.end;
  return segment.start + (segment.end - segment.start) * t;
}

struct Sphere {
  Vector3 center;
  double radius = 0.0;
};

// A box of any orientation.
struct OrientedBox {
  Vector3 center;
  Vector3 half_extents;  // along its own axes
  Quaternion rotation;   // from its own axes to the world's; length 1
};

// All points within `radius` of the segment from start to end.
struct Capsule {
  Vector3 start;
  Vector3 end;
  double radius = 0.0;
};

// Its front is where its corners are seen counter-clockwise; both sides count.
struct Triangle {
  Vector3 a;
  Vector3 b;
  Vector3 c;
};

// All points up to `length` from the apex along the axis that lie within
// `half_angle_rad` of it: flat at its far end.
struct Cone {
  Vector3 apex;
  Vector3 axis;                 // length 1
  double half_angle_rad = 0.0;  // in [0, pi/2)
  double length = 0.0;
};

// Flat and convex: at least 3 corners in one plane, in order, either way round.
struct ConvexPolygon {
  std::vector<Vector3> corners;
};

// What lies behind all of its planes, whose normals point outwards. A hull may
// be unbounded; without a plane it is all of space.
struct ConvexHull {
  std::vector<Plane> planes;
};

// A convex polygon in plan, corners as (x, z), in order, either way round, that
// stands between two heights.
struct ConvexPrism {
  std::vector<Vector2> plan;
  double bottom = 0.0;
  double top = 0.0;  // >= bottom
};

// The axes of a box in the world, of length 1: its own x, y and z.
std::array<Vector3, 3> AxesOf(const OrientedBox& box);

constexpr OrientedBox ToOrientedBox(const Aabb& box) {
  return {.center = Center(box), .half_extents = HalfExtents(box)};
}

// Returns the hull of six planes: +x, -x, +y, -y, +z, -z in the box's own axes.
ConvexHull ToConvexHull(const OrientedBox& box);

// Returns the hull of the sides in the order of corners, then top and bottom.
// REQUIRES: Validate(prism) is OK (sim/geometry/containment.h).
ConvexHull ToConvexHull(const ConvexPrism& prism);

// The smallest axis-aligned boxes around them.
Aabb BoundsOf(const Sphere& sphere);
Aabb BoundsOf(const Capsule& capsule);
Aabb BoundsOf(const Triangle& triangle);
Aabb BoundsOf(const OrientedBox& box);
Aabb BoundsOf(const Segment& segment);
Aabb BoundsOf(const ConvexPrism& prism);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_GEOMETRY_SHAPES_H_
