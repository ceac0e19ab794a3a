// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// An axis-aligned box. It is closed: its faces belong to it, so boxes that
// touch overlap, and a box may be a point.

#ifndef REPRISE_SIM_GEOMETRY_AABB_H_
#define REPRISE_SIM_GEOMETRY_AABB_H_

#include <span>

#include "sim/base/check.h"
#include "sim/geometry/vector3.h"

namespace reprise::sim {

// Corners in the units of the world. A valid box has minimum <= maximum in each
// component; the point at the origin unless set otherwise.
struct Aabb {
  Vector3 minimum;
  Vector3 maximum;

  friend bool operator==(const Aabb&, const Aabb&) = default;
};

constexpr bool IsValid(const Aabb& box) {
  return box.minimum.x <= box.maximum.x && box.minimum.y <= box.maximum.y &&
         box.minimum.z <= box.maximum.z;
}

// Each component by itself.
constexpr Vector3 Minimum(Vector3 a, Vector3 b) {
  return {a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y, a.z < b.z ? a.z : b.z};
}
constexpr Vector3 Maximum(Vector3 a, Vector3 b) {
  return {a.x > b.x ? a.x : b.x, a.y > b.y ? a.y : b.y, a.z > b.z ? a.z : b.z};
}

constexpr bool Overlaps(const Aabb& a, const Aabb& b) {
  return a.minimum.x <= b.maximum.x && b.minimum.x <= a.maximum.x &&
         a.minimum.y <= b.maximum.y && b.minimum.y <= a.maximum.y &&
         a.minimum.z <= b.maximum.z && b.minimum.z <= a.maximum.z;
}

constexpr bool Contains(const Aabb& box, Vector3 point) {
  return Overlaps(box, Aabb{point, point});
}

constexpr bool Contains(const Aabb& outer, const Aabb& inner) {
  return Contains(outer, inner.minimum) && Contains(outer, inner.maximum);
}

constexpr Vector3 Center(const Aabb& box) {
  return 0.5 * box.minimum + 0.5 * box.maximum;
}

constexpr Vector3 HalfExtents(const Aabb& box) {
  return 0.5 * box.maximum - 0.5 * box.minimum;
}

// Returns the smallest box around both.
constexpr Aabb Union(const Aabb& a, const Aabb& b) {
  return {Minimum(a.minimum, b.minimum), Maximum(a.maximum, b.maximum)};
}

// Returns the box with every face moved outwards by `margin`.
// REQUIRES: margin >= 0.
constexpr Aabb Expanded(const Aabb& box, double margin) {
  const Vector3 outwards = {margin, margin, margin};
  return {box.minimum - outwards, box.maximum + outwards};
}

// Returns the smallest box around the points. REQUIRES: there is a point.
inline Aabb FromPoints(std::span<const Vector3> points) {
  CHECK(!points.empty());
  Aabb box = {points.front(), points.front()};
  for (const Vector3 point : points) box = Union(box, Aabb{point, point});
  return box;
}

}  // namespace reprise::sim

#endif  // REPRISE_SIM_GEOMETRY_AABB_H_
