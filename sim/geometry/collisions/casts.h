// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Where a ray or a segment first meets a shape.
//
// Shapes are closed: grazing a surface is a hit. A cast that begins on or
// inside a shape hits at once, whichever way it goes: t is 0, the point is the
// start, and the normal is opposite to the cast's direction. Without a
// direction a cast hits what it begins in, with the zero vector for a normal.
// No result is NaN as long as coordinates are finite and below 1e60.

#ifndef REPRISE_SIM_GEOMETRY_COLLISIONS_CASTS_H_
#define REPRISE_SIM_GEOMETRY_COLLISIONS_CASTS_H_

#include <limits>
#include <optional>

#include "sim/geometry/aabb.h"
#include "sim/geometry/plane.h"
#include "sim/geometry/shapes.h"
#include "sim/geometry/vector3.h"

namespace reprise::sim {

struct Hit {
  double t = 0.0;  // along the cast, as PointAt counts; of a sweep, in [0, 1]
  Vector3 point;   // in the world, on the surface that was hit
  Vector3 normal;  // length 1, away from what was hit
};

// Finite, so that a ray parallel to a plane up to rounding doesn't hit it at
// infinity.
inline constexpr double kNoLimit = std::numeric_limits<double>::max();

// Return the first hit with t <= t_max, or nullopt.
//
// Planes, triangles and polygons have two sides; the normal is the one of the
// side that was hit. In the plane itself a cast hits at once; polygons and
// triangles are then hit where it comes in over a side, with that side's
// normal. A ray through a side that two triangles share hits one of them at
// least. A triangle without area is never hit.
//
// REQUIRES: t_max >= 0, and for polygons and prisms that Validate is OK.
std::optional<Hit> Cast(const Ray& ray, const Plane& plane,
                        double t_max = kNoLimit);
std::optional<Hit> Cast(const Ray& ray, const Sphere& sphere,
                        double t_max = kNoLimit);
std::optional<Hit> Cast(const Ray& ray, const Aabb& box,
                        double t_max = kNoLimit);
std::optional<Hit> Cast(const Ray& ray, const OrientedBox& box,
                        double t_max = kNoLimit);
std::optional<Hit> Cast(const Ray& ray, const Capsule& capsule,
                        double t_max = kNoLimit);
std::optional<Hit> Cast(const Ray& ray, const Triangle& triangle,
                        double t_max = kNoLimit);
std::optional<Hit> Cast(const Ray& ray, const ConvexPolygon& polygon,
                        double t_max = kNoLimit);
std::optional<Hit> Cast(const Ray& ray, const ConvexHull& hull,
                        double t_max = kNoLimit);
std::optional<Hit> Cast(const Ray& ray, const ConvexPrism& prism,
                        double t_max = kNoLimit);

// Returns the first hit of the segment: t in [0, 1].
template <typename Shape>
std::optional<Hit> Cast(const Segment& segment, const Shape& shape) {
  return Cast(Ray{segment.start, segment.end - segment.start}, shape, 1.0);
}

}  // namespace reprise::sim

#endif  // REPRISE_SIM_GEOMETRY_COLLISIONS_CASTS_H_
