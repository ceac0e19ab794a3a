// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/geometry/spatial/spatial_cone.h"

#include <array>

#include "sim/base/math.h"
#include "sim/geometry/closest_points.h"
#include "sim/geometry/quaternion.h"
#include "sim/geometry/spatial/spatial_bounds.h"

namespace reprise::sim {
namespace {

// A cone without a far end, its apex at the origin. How deep a point is in it
// is concave: along a line there is one deepest point.
struct Nappe {
  Vector3 axis;
  double cosine;

  // The room is some 20 times what rounding may cost a point that touches.
  bool Contains(Vector3 point) const {
    const double distance = Length(point);
    const double depth = Dot(point, axis) - cosine * distance;
    return depth >= -0x1p-48 * distance;
  }
};

// Whether some point from `a` to `b`, both in front of the apex, is inside.
bool MeetsEdge(const Nappe& nappe, Vector3 a, Vector3 b) {
  if (nappe.Contains(a) || nappe.Contains(b)) return true;
  const double length = Length(b - a);
  if (length == 0.0) return false;
  // The depth at s metres from a is p + s q - cosine sqrt(m^2 + (s - n)^2),
  // where m is the line's distance from the apex, reached at s = n. Its
  // derivative vanishes where the ratio below is that of the root's.
  const Vector3 along = (b - a) / length;
  const double ratio = Dot(along, nappe.axis) / nappe.cosine;
  if (!(Abs(ratio) < 1.0)) return false;
  const double nearest = -Dot(a, along);
  const double distance = Length(a + along * nearest);
  const double deepest =
      nearest + distance * ratio / Sqrt((1.0 - ratio) * (1.0 + ratio));
  if (!(deepest > 0.0 && deepest < length)) return false;
  return nappe.Contains(a + along * deepest);
}

// A convex polygon of few corners.
struct Corners {
  // A face has 4, and each of two cuts adds one at most.
  static constexpr int kMax = 6;
  std::array<Vector3, kMax> points;
  int count = 0;
};

// Returns what of the polygon is where Dot(point, normal) <= offset.
Corners Cut(const Corners& polygon, Vector3 normal, double offset) {
  Corners kept;
  for (int i = 0; i < polygon.count; ++i) {
    const Vector3 from = polygon.points[i];
    const Vector3 to = polygon.points[(i + 1) % polygon.count];
    const double from_outside = Dot(from, normal) - offset;
    const double to_outside = Dot(to, normal) - offset;
    if (from_outside <= 0.0) kept.points[kept.count++] = from;
    // Where the side crosses over, in one direction or the other.
    if ((from_outside < 0.0 && to_outside > 0.0) ||
        (from_outside > 0.0 && to_outside < 0.0)) {
      const double t = from_outside / (from_outside - to_outside);
      kept.points[kept.count++] = from + (to - from) * t;
    }
  }
  return kept;
}

// One of the six faces of a box, in order around it.
Corners FaceOf(const Aabb& box, int face) {
  const std::array<Vector3, 2> ends = {box.minimum, box.maximum};
  const int fixed = face / 2;
  Corners corners;
  for (const auto& [u, v] : {std::array{0, 0}, std::array{1, 0},
                             std::array{1, 1}, std::array{0, 1}}) {
    std::array<int, 3> pick;
    pick[fixed] = face % 2;
    pick[(fixed + 1) % 3] = u;
    pick[(fixed + 2) % 3] = v;
    corners.points[corners.count++] = {ends[pick[0]].x, ends[pick[1]].y,
                                       ends[pick[2]].z};
  }
  return corners;
}

// With the apex at the origin. A cone that meets a box either meets it with
// its axis, or has in it a point of some face that is cut to the cone's length:
// then one of that cut face's sides is met, because a section that lies wholly
// within a face goes round the axis.
bool MeetsBox(Vector3 axis, double half_angle_rad, double length,
              const Aabb& box) {
  if (!SegmentClipper({}, axis * length).Clip(box).is_empty()) return true;
  const Nappe nappe = {.axis = axis, .cosine = Cos(half_angle_rad)};
  for (int face = 0; face < 6; ++face) {
    const Corners in_front = Cut(FaceOf(box, face), -axis, 0.0);
    const Corners corners = Cut(in_front, axis, length);
    for (int i = 0; i < corners.count; ++i) {
      const Vector3 to = corners.points[(i + 1) % corners.count];
      if (MeetsEdge(nappe, corners.points[i], to)) return true;
    }
  }
  return false;
}

// The half plane of a cone's axis and a point, x along the axis and y away from
// it: there the cone is a triangle.
struct HalfPlane {
  Vector3 outwards;  // of y, in space; zero for a point of the axis
  Vector3 point;
  Vector3 nearest;  // the triangle's nearest point
};

HalfPlane HalfPlaneOf(const Cone& cone, Vector3 point) {
  const Vector3 from_apex = point - cone.apex;
  const double along = Dot(from_apex, cone.axis);
  const Vector3 across = from_apex - cone.axis * along;
  const double slope = Tan(cone.half_angle_rad);
  const Vector3 flat = {along, Length(across), 0.0};
  const Vector3 rim = {cone.length, cone.length * slope, 0.0};
  const Vector3 on_side = ClosestPoint(Segment{{}, rim}, flat);
  const Vector3 on_end =
      ClosestPoint(Segment{{cone.length, 0.0, 0.0}, rim}, flat);
  const bool is_inside =
      along >= 0.0 && along <= cone.length && flat.y <= along * slope;
  const bool is_side =
      Dot(on_side - flat, on_side - flat) <= Dot(on_end - flat, on_end - flat);
  return {.outwards = Normalized(across),
          .point = flat,
          .nearest = is_inside ? flat
                     : is_side ? on_side
                               : on_end};
}

}  // namespace

Vector3 ClosestPoint(const Cone& cone, Vector3 point) {
  const auto [outwards, flat, nearest] = HalfPlaneOf(cone, point);
  if (nearest == flat) return point;
  return cone.apex + cone.axis * nearest.x + outwards * nearest.y;
}

bool Overlaps(const Cone& cone, const Sphere& sphere) {
  const HalfPlane plane = HalfPlaneOf(cone, sphere.center);
  const Vector3 apart = plane.nearest - plane.point;
  return Dot(apart, apart) <= sphere.radius * sphere.radius;
}

bool Overlaps(const Cone& cone, const OrientedBox& box) {
  // In the box's own axes.
  const Quaternion back = Conjugate(box.rotation);
  const Vector3 center = Rotate(back, box.center - cone.apex);
  return MeetsBox(Rotate(back, cone.axis), cone.half_angle_rad, cone.length,
                  {center - box.half_extents, center + box.half_extents});
}

bool Overlaps(const Cone& cone, const Aabb& box) {
  return MeetsBox(cone.axis, cone.half_angle_rad, cone.length,
                  {box.minimum - cone.apex, box.maximum - cone.apex});
}

Aabb BoundsOf(const Cone& cone) {
  const double radius = cone.length * Tan(cone.half_angle_rad);
  const auto extent = [&](double axis) {
    const double square = 1.0 - axis * axis;
    return square > 0.0 ? radius * Sqrt(square) : 0.0;
  };
  const Vector3 extents = {extent(cone.axis.x), extent(cone.axis.y),
                           extent(cone.axis.z)};
  const Vector3 end = cone.apex + cone.axis * cone.length;
  return Union({cone.apex, cone.apex}, {end - extents, end + extents});
}

}  // namespace reprise::sim
