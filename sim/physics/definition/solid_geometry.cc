// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/physics/definition/solid_geometry.h"

#include <algorithm>
#include <variant>

#include "sim/base/math.h"
#include "sim/geometry/closest_points.h"

namespace reprise::sim {
namespace {

// When a quadratic a t^2 + 2 b t + c first falls to 0; nullopt when it doesn't
// between 0 and 1, or begins at or below 0.
std::optional<double> FirstFall(double a, double b, double c) {
  const double discriminant = b * b - a * c;
  if (c <= 0.0 || b >= 0.0 || a <= 0.0 || discriminant < 0.0) {
    return std::nullopt;
  }
  // The smaller root, written without taking nearly equal numbers apart.
  const double t = c / (Sqrt(discriminant) - b);
  if (t > 1.0) return std::nullopt;
  return t;
}

std::optional<RayEntry> EnterSphere(Vector3 center, double radius, Vector3 from,
                                    Vector3 motion) {
  const Vector3 offset = from - center;
  const std::optional<double> t =
      FirstFall(Dot(motion, motion), Dot(offset, motion),
                Dot(offset, offset) - radius * radius);
  if (!t.has_value()) return std::nullopt;
  return RayEntry{.fraction = *t, .normal = Normalized(offset + *t * motion)};
}

// The side of a round column around y, from -half_height to half_height.
std::optional<RayEntry> EnterSide(double radius, double half_height,
                                  Vector3 from, Vector3 motion) {
  const std::optional<double> t =
      FirstFall(motion.x * motion.x + motion.z * motion.z,
                from.x * motion.x + from.z * motion.z,
                from.x * from.x + from.z * from.z - radius * radius);
  if (!t.has_value()) return std::nullopt;
  const Vector3 point = from + *t * motion;
  if (Abs(point.y) > half_height) return std::nullopt;
  return RayEntry{.fraction = *t,
                  .normal = Normalized(Vector3{point.x, 0.0, point.z})};
}

// A cone's measures in its frame.
struct ConeFrame {
  double base = 0.0;   // y of the base
  double top = 0.0;    // y of the tip
  double slope = 0.0;  // radius per height

  explicit ConeFrame(const ConePrimitive& cone)
      : base(-0.25 * cone.height_m),
        top(0.75 * cone.height_m),
        slope(cone.radius_m / cone.height_m) {}

  bool Contains(Vector3 point) const {
    const double reach = slope * (top - point.y);
    return point.y >= base && reach >= 0.0 &&
           point.x * point.x + point.z * point.z <= reach * reach;
  }
};

// The side of a cone: where x^2 + z^2 - slope^2 (top - y)^2 falls to 0.
std::optional<RayEntry> EnterConeSide(const ConeFrame& cone, Vector3 from,
                                      Vector3 motion) {
  const double slope_squared = cone.slope * cone.slope;
  const double below = cone.top - from.y;
  const double a = motion.x * motion.x + motion.z * motion.z -
                   slope_squared * motion.y * motion.y;
  const double b =
      from.x * motion.x + from.z * motion.z + slope_squared * below * motion.y;
  const double c =
      from.x * from.x + from.z * from.z - slope_squared * below * below;
  const double discriminant = b * b - a * c;
  // Where it falls, the derivative 2 (a t + b) is negative: that is the root
  // with -sqrt, and where a is 0 the only one.
  if (discriminant < 0.0) return std::nullopt;
  const double root = Sqrt(discriminant);
  const double t =
      b < 0.0 ? c / (root - b) : (a == 0.0 ? -1.0 : (-b - root) / a);
  if (!(t > 0.0 && t <= 1.0)) return std::nullopt;
  const Vector3 point = from + t * motion;
  if (point.y < cone.base || point.y > cone.top) return std::nullopt;
  const Vector3 normal = {point.x, slope_squared * (cone.top - point.y),
                          point.z};
  return RayEntry{.fraction = t,
                  .normal = normal == Vector3{} ? Vector3{0.0, 1.0, 0.0}
                                                : Normalized(normal)};
}

// A face's plane.
struct FacePlane {
  Vector3 normal;  // of length 1
  double offset = 0.0;

  double Height(Vector3 point) const { return Dot(normal, point) - offset; }
};

Triangle TriangleOf(const HullPrimitive& hull, const TriangleCorners& corners) {
  return {hull.vertices[corners[0]], hull.vertices[corners[1]],
          hull.vertices[corners[2]]};
}

FacePlane PlaneOf(const Triangle& triangle) {
  const Vector3 normal =
      Normalized(Cross(triangle.b - triangle.a, triangle.c - triangle.a));
  return {.normal = normal, .offset = Dot(normal, triangle.a)};
}

struct RayEntering {
  Vector3 from;
  Vector3 motion;

  std::optional<RayEntry> operator()(const SpherePrimitive& sphere) const {
    return EnterSphere({}, sphere.radius_m, from, motion);
  }

  std::optional<RayEntry> operator()(const BoxPrimitive& box) const {
    double enter = -1.0;
    double leave = 1.0;
    Vector3 normal;
    for (const auto axis : {&Vector3::x, &Vector3::y, &Vector3::z}) {
      const double half = box.half_extents_m.*axis;
      if (motion.*axis == 0.0) {
        if (Abs(from.*axis) > half) return std::nullopt;
        continue;
      }
      const double side = motion.*axis > 0.0 ? -1.0 : 1.0;
      const double at_near = (side * half - from.*axis) / motion.*axis;
      leave = std::min(leave, (-side * half - from.*axis) / motion.*axis);
      if (at_near > enter) {
        enter = at_near;
        normal = {};
        normal.*axis = side;
      }
    }
    if (enter <= 0.0 || enter > leave) return std::nullopt;
    return RayEntry{.fraction = enter, .normal = normal};
  }

  // Of a convex solid made of parts the first entry into any part is the
  // entry, unless the ray begins inside of another part.
  std::optional<RayEntry> operator()(const CapsulePrimitive& capsule) const {
    if (ClosestPointOf(capsule, from) == from) return std::nullopt;
    const double half_height = 0.5 * capsule.height_m;
    std::optional<RayEntry> first =
        EnterSide(capsule.radius_m, half_height, from, motion);
    for (const double y : {-half_height, half_height}) {
      const std::optional<RayEntry> cap =
          EnterSphere({0.0, y, 0.0}, capsule.radius_m, from, motion);
      if (!cap.has_value()) continue;
      if (!first.has_value() || cap->fraction < first->fraction) first = cap;
    }
    return first;
  }

  std::optional<RayEntry> operator()(const CylinderPrimitive& cylinder) const {
    const double half_height = 0.5 * cylinder.height_m;
    if (motion.y != 0.0) {
      const double side = motion.y > 0.0 ? -1.0 : 1.0;
      const double t = (side * half_height - from.y) / motion.y;
      const Vector3 point = from + t * motion;
      if (t > 0.0 && t <= 1.0 &&
          point.x * point.x + point.z * point.z <=
              cylinder.radius_m * cylinder.radius_m) {
        return RayEntry{.fraction = t, .normal = {0.0, side, 0.0}};
      }
    }
    return EnterSide(cylinder.radius_m, half_height, from, motion);
  }

  std::optional<RayEntry> operator()(const ConePrimitive& cone) const {
    const ConeFrame frame(cone);
    if (frame.Contains(from)) return std::nullopt;
    if (motion.y > 0.0) {
      const double t = (frame.base - from.y) / motion.y;
      const Vector3 point = from + t * motion;
      if (t > 0.0 && t <= 1.0 &&
          point.x * point.x + point.z * point.z <=
              cone.radius_m * cone.radius_m) {
        return RayEntry{.fraction = t, .normal = {0.0, -1.0, 0.0}};
      }
    }
    return EnterConeSide(frame, from, motion);
  }

  std::optional<RayEntry> operator()(const HullPrimitive& hull) const {
    double enter = -1.0;
    double leave = 1.0;
    Vector3 normal;
    for (const TriangleCorners& corners : hull.faces) {
      const FacePlane plane = PlaneOf(TriangleOf(hull, corners));
      const double height = plane.Height(from);
      const double falling = -Dot(plane.normal, motion);
      if (falling == 0.0) {
        if (height > 0.0) return std::nullopt;
        continue;
      }
      const double t = height / falling;
      if (falling < 0.0) {
        leave = std::min(leave, t);
      } else if (t > enter) {
        enter = t;
        normal = plane.normal;
      }
    }
    if (enter <= 0.0 || enter > leave) return std::nullopt;
    return RayEntry{.fraction = enter, .normal = normal};
  }
};

// `point` brought to within `radius` of `center`.
Vector3 ClampToBall(Vector3 center, double radius, Vector3 point) {
  const Vector3 offset = point - center;
  const double distance = Length(offset);
  return distance <= radius ? point : center + radius / distance * offset;
}

struct ClosestPointFinding {
  Vector3 point;

  Vector3 operator()(const SpherePrimitive& sphere) const {
    return ClampToBall({}, sphere.radius_m, point);
  }
  Vector3 operator()(const BoxPrimitive& box) const {
    const Vector3 half = box.half_extents_m;
    return {std::clamp(point.x, -half.x, half.x),
            std::clamp(point.y, -half.y, half.y),
            std::clamp(point.z, -half.z, half.z)};
  }
  Vector3 operator()(const CapsulePrimitive& capsule) const {
    const double half_height = 0.5 * capsule.height_m;
    const Vector3 centre = {0.0, std::clamp(point.y, -half_height, half_height),
                            0.0};
    return ClampToBall(centre, capsule.radius_m, point);
  }
  Vector3 operator()(const CylinderPrimitive& cylinder) const {
    const double half_height = 0.5 * cylinder.height_m;
    Vector3 closest =
        ClampToBall({}, cylinder.radius_m, {point.x, 0.0, point.z});
    closest.y = std::clamp(point.y, -half_height, half_height);
    return closest;
  }
  Vector3 operator()(const ConePrimitive& cone) const {
    const ConeFrame frame(cone);
    if (frame.Contains(point)) return point;
    // In the plane of the axis and the point.
    const Vector3 across = {point.x, 0.0, point.z};
    const double distance = Length(across);
    const Vector3 out =
        distance > 0.0 ? across / distance : Vector3{1.0, 0.0, 0.0};
    const Vector3 rim = {cone.radius_m, frame.base, 0.0};
    const Vector3 flat = {distance, point.y, 0.0};
    const Vector3 on_base =
        ClosestPoint(Segment{{0.0, frame.base, 0.0}, rim}, flat);
    const Vector3 on_side =
        ClosestPoint(Segment{rim, {0.0, frame.top, 0.0}}, flat);
    const Vector3 closest =
        Length(on_base - flat) <= Length(on_side - flat) ? on_base : on_side;
    return closest.x * out + Vector3{0.0, closest.y, 0.0};
  }
  Vector3 operator()(const HullPrimitive& hull) const {
    std::optional<Vector3> closest;
    for (const TriangleCorners& corners : hull.faces) {
      const Triangle triangle = TriangleOf(hull, corners);
      if (PlaneOf(triangle).Height(point) <= 0.0) continue;
      const Vector3 on_face = ClosestPoint(triangle, point);
      if (!closest.has_value() ||
          Length(on_face - point) < Length(*closest - point)) {
        closest = on_face;
      }
    }
    return closest.value_or(point);
  }
};

struct DepthFinding {
  Vector3 point;

  double AcrossFromAxis() const {
    return Sqrt(point.x * point.x + point.z * point.z);
  }

  double operator()(const SpherePrimitive& sphere) const {
    return sphere.radius_m - Length(point);
  }
  double operator()(const BoxPrimitive& box) const {
    const Vector3 half = box.half_extents_m;
    return std::min(
        {half.x - Abs(point.x), half.y - Abs(point.y), half.z - Abs(point.z)});
  }
  double operator()(const CapsulePrimitive& capsule) const {
    const double half_height = 0.5 * capsule.height_m;
    const Vector3 centre = {0.0, std::clamp(point.y, -half_height, half_height),
                            0.0};
    return capsule.radius_m - Length(point - centre);
  }
  double operator()(const CylinderPrimitive& cylinder) const {
    return std::min(cylinder.radius_m - AcrossFromAxis(),
                    0.5 * cylinder.height_m - Abs(point.y));
  }
  double operator()(const ConePrimitive& cone) const {
    const ConeFrame frame(cone);
    const double side =
        (frame.slope * (frame.top - point.y) - AcrossFromAxis()) /
        Sqrt(1.0 + frame.slope * frame.slope);
    return std::min(point.y - frame.base, side);
  }
  double operator()(const HullPrimitive& hull) const {
    double depth = kSizeMaxM;
    for (const TriangleCorners& corners : hull.faces) {
      depth =
          std::min(depth, -PlaneOf(TriangleOf(hull, corners)).Height(point));
    }
    return depth;
  }
};

}  // namespace

std::optional<RayEntry> EnterSolid(const Solid& solid, Vector3 from,
                                   Vector3 motion) {
  return std::visit(RayEntering{from, motion}, solid);
}

std::optional<RayEntry> EnterTriangle(const Triangle& triangle, Vector3 from,
                                      Vector3 motion) {
  const Vector3 a = triangle.a - from;
  const Vector3 b = triangle.b - from;
  const Vector3 c = triangle.c - from;
  // On which side the ray passes each edge. The same edge of a neighbour, which
  // runs the other way, gives exactly the opposite.
  const double ab = Dot(Cross(a, b), motion);
  const double bc = Dot(Cross(b, c), motion);
  const double ca = Dot(Cross(c, a), motion);
  const bool is_inside = (ab >= 0.0 && bc >= 0.0 && ca >= 0.0) ||
                         (ab <= 0.0 && bc <= 0.0 && ca <= 0.0);
  const FacePlane plane = PlaneOf(triangle);
  const double falling = -Dot(plane.normal, motion);
  if (!is_inside || falling == 0.0) return std::nullopt;
  const double t = -Dot(plane.normal, a) / falling;
  if (!(t > 0.0 && t <= 1.0)) return std::nullopt;
  return RayEntry{.fraction = t,
                  .normal = falling > 0.0 ? plane.normal : -plane.normal};
}

Vector3 ClosestPointOf(const Solid& solid, Vector3 point) {
  return std::visit(ClosestPointFinding{point}, solid);
}

double DepthInside(const Solid& solid, Vector3 point) {
  return std::max(0.0, std::visit(DepthFinding{point}, solid));
}

}  // namespace reprise::sim
