// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/geometry/containment.h"

#include <cstddef>
#include <string>
#include <vector>

#include "fmt/format.h"
#include "sim/base/check.h"
#include "sim/base/math.h"
#include "sim/geometry/closest_points.h"

namespace reprise::sim {
namespace {

// How far a corner of a flat polygon may lie from its plane, as a part of the
// polygon's size: what rotations in double precision leave, with room.
constexpr double kFlatness = 1e-9;

// Twice the area, by the corners' normal; no length when there is no area.
Vector3 AreaVector(std::span<const Vector3> corners) {
  Vector3 sum;
  for (size_t i = 1; i + 1 < corners.size(); ++i) {
    sum = sum + Cross(corners[i] - corners[0], corners[i + 1] - corners[0]);
  }
  return sum;
}

double TwiceArea(std::span<const Vector2> corners) {
  double sum = 0.0;
  for (size_t i = 1; i + 1 < corners.size(); ++i) {
    sum += Cross(corners[i] - corners[0], corners[i + 1] - corners[0]);
  }
  return sum;
}

// The polygon without the axis along which it is thinnest to look at.
std::vector<Vector2> Flattened(std::span<const Vector3> corners,
                               Vector3 normal) {
  std::vector<Vector2> flat;
  for (const Vector3 corner : corners) {
    if (Abs(normal.x) >= Abs(normal.y) && Abs(normal.x) >= Abs(normal.z)) {
      flat.push_back({corner.y, corner.z});
    } else if (Abs(normal.y) >= Abs(normal.z)) {
      flat.push_back({corner.x, corner.z});
    } else {
      flat.push_back({corner.x, corner.y});
    }
  }
  return flat;
}

absl::Status Invalid(const std::string& text) {
  return absl::InvalidArgumentError(text);
}

}  // namespace

bool Contains(const Sphere& sphere, Vector3 point) {
  const Vector3 apart = point - sphere.center;
  return Dot(apart, apart) <= sphere.radius * sphere.radius;
}

bool Contains(const OrientedBox& box, Vector3 point) {
  const Vector3 local = Rotate(Conjugate(box.rotation), point - box.center);
  return Contains(Aabb{-box.half_extents, box.half_extents}, local);
}

bool Contains(const Capsule& capsule, Vector3 point) {
  return DistanceSquared(Segment{capsule.start, capsule.end}, point) <=
         capsule.radius * capsule.radius;
}

bool Contains(const Cone& cone, Vector3 point) {
  const Vector3 to_point = point - cone.apex;
  const double along = Dot(to_point, cone.axis);
  if (along < 0.0 || along > cone.length) return false;
  const double across = Length(Across(to_point, cone.axis));
  return across <= along * Tan(cone.half_angle_rad);
}

bool Contains(const ConvexHull& hull, Vector3 point) {
  for (const Plane& plane : hull.planes) {
    if (SignedDistance(plane, point) > 0.0) return false;
  }
  return true;
}

bool Contains(const ConvexPrism& prism, Vector3 point) {
  return point.y >= prism.bottom && point.y <= prism.top &&
         ConvexContains(prism.plan, Vector2{point.x, point.z});
}

bool Contains(const ConvexPolygon& polygon, Vector3 point) {
  const std::vector<Vector3>& corners = polygon.corners;
  CHECK(corners.size() >= 3, "{} corners", corners.size());
  const Vector3 normal = AreaVector(corners);
  for (size_t i = 0; i < corners.size(); ++i) {
    const Vector3 corner = corners[i];
    const Vector3 side = corners[(i + 1) % corners.size()] - corner;
    // Its sign is enough: a point on a corner gives 0, which is inside.
    if (Dot(Cross(side, point - corner), normal) < 0.0) return false;
  }
  return true;
}

bool Contains(const Triangle& triangle, Vector3 point) {
  const auto& [a, b, c] = triangle;
  const Vector3 normal = Cross(b - a, c - a);
  if (normal == Vector3{}) return DistanceSquared(triangle, point) == 0.0;
  return Dot(Cross(b - a, point - a), normal) >= 0.0 &&
         Dot(Cross(c - b, point - b), normal) >= 0.0 &&
         Dot(Cross(a - c, point - c), normal) >= 0.0;
}

bool ConvexContains(std::span<const Vector2> corners, Vector2 point) {
  CHECK(corners.size() >= 3, "{} corners", corners.size());
  const double area = TwiceArea(corners);
  for (size_t i = 0; i < corners.size(); ++i) {
    const Vector2 corner = corners[i];
    const Vector2 side = corners[(i + 1) % corners.size()] - corner;
    const double turn = Cross(side, point - corner);
    if (area > 0.0 ? turn < 0.0 : turn > 0.0) return false;
  }
  return true;
}

absl::Status ValidateConvex(std::span<const Vector2> corners) {
  if (corners.size() < 3) {
    return Invalid(fmt::format("{} corners; 3 are needed", corners.size()));
  }
  for (size_t i = 0; i < corners.size(); ++i) {
    if (!IsFinite(corners[i].x) || !IsFinite(corners[i].y)) {
      return Invalid(fmt::format("corner {} is not finite", i));
    }
  }
  if (TwiceArea(corners) == 0.0) return Invalid("the corners have no area");
  // Each corner inside each side's line: that refuses stars, which turn the
  // same way at every corner too.
  for (size_t i = 0; i < corners.size(); ++i) {
    if (corners[i] == corners[(i + 1) % corners.size()]) {
      return Invalid(fmt::format("corner {} is there twice", i));
    }
    if (!ConvexContains(corners, corners[i])) {
      return Invalid(fmt::format("corner {} makes it not convex", i));
    }
  }
  return absl::OkStatus();
}

absl::Status Validate(const ConvexPolygon& polygon) {
  const std::vector<Vector3>& corners = polygon.corners;
  if (corners.size() < 3) {
    return Invalid(fmt::format("{} corners; 3 are needed", corners.size()));
  }
  for (size_t i = 0; i < corners.size(); ++i) {
    if (!IsFinite(corners[i].x) || !IsFinite(corners[i].y) ||
        !IsFinite(corners[i].z)) {
      return Invalid(fmt::format("corner {} is not finite", i));
    }
  }
  const Vector3 normal = Normalized(AreaVector(corners));
  if (normal == Vector3{}) return Invalid("the corners have no area");
  double size = 0.0;
  for (const Vector3 corner : corners) {
    const double length = Length(corner - corners[0]);
    if (length > size) size = length;
  }
  for (size_t i = 0; i < corners.size(); ++i) {
    if (Abs(Dot(normal, corners[i] - corners[0])) > kFlatness * size) {
      return Invalid(fmt::format("corner {} is not in the plane", i));
    }
  }
  return ValidateConvex(Flattened(corners, normal));
}

absl::Status Validate(const ConvexPrism& prism) {
  if (!IsFinite(prism.bottom) || !IsFinite(prism.top)) {
    return Invalid("a height is not finite");
  }
  if (prism.bottom > prism.top) {
    return Invalid(
        fmt::format("bottom {} is above top {}", prism.bottom, prism.top));
  }
  return ValidateConvex(prism.plan);
}

}  // namespace reprise::sim
