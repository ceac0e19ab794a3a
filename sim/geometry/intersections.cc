// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/geometry/intersections.h"

#include <array>

#include "sim/base/math.h"
#include "sim/geometry/closest_points.h"

namespace reprise::sim {
namespace {

bool AreWithin(Vector3 a, Vector3 b, double distance) {
  const Vector3 apart = b - a;
  return Dot(apart, apart) <= distance * distance;
}

// Half of the length of the box's shadow on a line along `axis`, times the
// axis's length.
double ShadowRadius(const std::array<Vector3, 3>& axes, Vector3 half_extents,
                    Vector3 axis) {
  return Abs(Dot(axes[0], axis)) * half_extents.x +
         Abs(Dot(axes[1], axis)) * half_extents.y +
         Abs(Dot(axes[2], axis)) * half_extents.z;
}

// The segment as the box sees it: in its axes, from its centre.
Segment InBox(const OrientedBox& box, Vector3 start, Vector3 end) {
  const Quaternion back = Conjugate(box.rotation);
  return {Rotate(back, start - box.center), Rotate(back, end - box.center)};
}

// The rounding of products of three unit vectors and a length, with room.
constexpr double kRounding = 1e-14;

}  // namespace

bool Overlaps(const Sphere& a, const Sphere& b) {
  return AreWithin(a.center, b.center, a.radius + b.radius);
}

bool Overlaps(const Sphere& sphere, const Aabb& box) {
  return AreWithin(sphere.center, ClosestPoint(box, sphere.center),
                   sphere.radius);
}

bool Overlaps(const Sphere& sphere, const OrientedBox& box) {
  return AreWithin(sphere.center, ClosestPoint(box, sphere.center),
                   sphere.radius);
}

bool Overlaps(const Sphere& sphere, const Capsule& capsule) {
  const Segment axis = {capsule.start, capsule.end};
  return AreWithin(sphere.center, ClosestPoint(axis, sphere.center),
                   sphere.radius + capsule.radius);
}

bool Overlaps(const Sphere& sphere, const Triangle& triangle) {
  return AreWithin(sphere.center, ClosestPoint(triangle, sphere.center),
                   sphere.radius);
}

bool Overlaps(const Capsule& a, const Capsule& b) {
  const ClosestPair pair =
      ClosestPoints(Segment{a.start, a.end}, Segment{b.start, b.end});
  return AreWithin(pair.point_a, pair.point_b, a.radius + b.radius);
}

bool Overlaps(const Capsule& capsule, const Aabb& box) {
  const Segment axis = {capsule.start, capsule.end};
  const Vector3 nearest = PointAt(axis, ClosestTime(axis, box));
  return AreWithin(nearest, ClosestPoint(box, nearest), capsule.radius);
}

bool Overlaps(const Capsule& capsule, const OrientedBox& box) {
  const Segment local = InBox(box, capsule.start, capsule.end);
  return Overlaps(Capsule{local.start, local.end, capsule.radius},
                  Aabb{-box.half_extents, box.half_extents});
}

bool Overlaps(const OrientedBox& a, const OrientedBox& b) {
  const std::array<Vector3, 3> axes_a = AxesOf(a);
  const std::array<Vector3, 3> axes_b = AxesOf(b);
  const Vector3 apart = b.center - a.center;
  // What rounding can add to a distance along an axis of length 1.
  const double slack = kRounding * (Length(apart) + Length(a.half_extents) +
                                    Length(b.half_extents));
  const auto separates = [&](Vector3 axis) {
    const double reach = ShadowRadius(axes_a, a.half_extents, axis) +
                         ShadowRadius(axes_b, b.half_extents, axis);
    return Abs(Dot(apart, axis)) > reach + slack;
  };
  for (const Vector3 axis : axes_a) {
    if (separates(axis)) return false;
  }
  for (const Vector3 axis : axes_b) {
    if (separates(axis)) return false;
  }
  // The product of parallel edges is no axis: only rounding, which the slack
  // covers, since the faces' axes have decided by then.
  for (const Vector3 axis_a : axes_a) {
    for (const Vector3 axis_b : axes_b) {
      if (separates(Cross(axis_a, axis_b))) return false;
    }
  }
  return true;
}

bool Overlaps(const Aabb& a, const OrientedBox& b) {
  return Overlaps(ToOrientedBox(a), b);
}

bool Overlaps(const Plane& plane, const Sphere& sphere) {
  return Abs(SignedDistance(plane, sphere.center)) <= sphere.radius;
}

bool Overlaps(const Plane& plane, const Capsule& capsule) {
  const double start = SignedDistance(plane, capsule.start);
  const double end = SignedDistance(plane, capsule.end);
  return (start <= capsule.radius || end <= capsule.radius) &&
         (start >= -capsule.radius || end >= -capsule.radius);
}

bool Overlaps(const Plane& plane, const Aabb& box) {
  return Overlaps(plane, ToOrientedBox(box));
}

bool Overlaps(const Plane& plane, const OrientedBox& box) {
  return Abs(SignedDistance(plane, box.center)) <=
         ShadowRadius(AxesOf(box), box.half_extents, plane.normal);
}

}  // namespace reprise::sim
