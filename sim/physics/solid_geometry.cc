// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/physics/solid_geometry.h"

#include <algorithm>
#include <variant>

#include "sim/base/math.h"

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
};

}  // namespace

std::optional<RayEntry> EnterSolid(const Solid& solid, Vector3 from,
                                   Vector3 motion) {
  return std::visit(RayEntering{from, motion}, solid);
}

Vector3 ClosestPointOf(const Solid& solid, Vector3 point) {
  return std::visit(ClosestPointFinding{point}, solid);
}

}  // namespace reprise::sim
