// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The nearest points of shapes, and so all distances. Of several that are as
// near, the one that comes first along the segment or in the order of corners.

#ifndef REPRISE_SIM_GEOMETRY_CLOSEST_POINTS_H_
#define REPRISE_SIM_GEOMETRY_CLOSEST_POINTS_H_

#include "sim/geometry/aabb.h"
#include "sim/geometry/shapes.h"
#include "sim/geometry/vector3.h"

namespace reprise::sim {

// The t of PointAt for the nearest point. A segment without length, or a ray
// without a direction, has 0.
double ClosestTime(const Segment& segment, Vector3 point);
double ClosestTime(const Ray& ray, Vector3 point);

// The t of the segment's point that is nearest to the solid box; where the
// segment passes through it, the first within.
double ClosestTime(const Segment& segment, const Aabb& box);

Vector3 ClosestPoint(const Segment& segment, Vector3 point);
Vector3 ClosestPoint(const Ray& ray, Vector3 point);

// Of the solid: a point inside is its own closest point.
Vector3 ClosestPoint(const Aabb& box, Vector3 point);
Vector3 ClosestPoint(const OrientedBox& box, Vector3 point);

// Also of a triangle that is only a line or a point.
Vector3 ClosestPoint(const Triangle& triangle, Vector3 point);

// From a point to the nearest point of a shape that has a ClosestPoint.
template <typename Shape>
double DistanceSquared(const Shape& shape, Vector3 point) {
  const Vector3 apart = ClosestPoint(shape, point) - point;
  return Dot(apart, apart);
}
template <typename Shape>
double Distance(const Shape& shape, Vector3 point) {
  return Length(ClosestPoint(shape, point) - point);
}

// A point of each of two lines, as t of PointAt and in space.
struct ClosestPair {
  double t_a = 0.0;
  double t_b = 0.0;
  Vector3 point_a;
  Vector3 point_b;
};

// Of two segments. Where parallel ones run side by side, the pair is the first
// along `a`.
ClosestPair ClosestPoints(const Segment& a, const Segment& b);

// Of the two lines without ends on which the segments lie. A segment without
// length stands for its point. Of parallel lines, the pair at a's start.
ClosestPair ClosestPointsOfLines(const Segment& a, const Segment& b);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_GEOMETRY_CLOSEST_POINTS_H_
