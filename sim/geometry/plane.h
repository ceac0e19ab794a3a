// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A plane, and on which side of it things lie. What touches it intersects it.

#ifndef REPRISE_SIM_GEOMETRY_PLANE_H_
#define REPRISE_SIM_GEOMETRY_PLANE_H_

#include <optional>

#include "sim/geometry/directions.h"
#include "sim/geometry/vector3.h"

namespace reprise::sim {

// All points p with Dot(normal, p) + offset == 0. The normal has length 1, so
// the offset is the plane's distance from the origin, above 0 when the origin
// lies on the side that the normal points to.
struct Plane {
  Vector3 normal = {0.0, 1.0, 0.0};
  double offset = 0.0;

  friend bool operator==(const Plane&, const Plane&) = default;
};

// REQUIRES: normal has length 1.
constexpr Plane PlaneThrough(Vector3 point, Vector3 normal) {
  return {.normal = normal, .offset = -Dot(normal, point)};
}

// Returns the plane of three points; its normal points at the eye that sees
// them counter-clockwise. Nullopt where they lie on one line.
inline std::optional<Plane> PlaneThrough(Vector3 a, Vector3 b, Vector3 c) {
  const std::optional<Vector3> normal = NormalOf(a, b, c);
  if (!normal.has_value()) return std::nullopt;
  return PlaneThrough(a, *normal);
}

// Above 0 on the side that the normal points to.
constexpr double SignedDistance(const Plane& plane, Vector3 point) {
  return Dot(plane.normal, point) + plane.offset;
}

constexpr Vector3 ClosestPoint(const Plane& plane, Vector3 point) {
  return point - plane.normal * SignedDistance(plane, point);
}

}  // namespace reprise::sim

#endif  // REPRISE_SIM_GEOMETRY_PLANE_H_
