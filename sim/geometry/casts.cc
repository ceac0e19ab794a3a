// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/geometry/collisions/casts.h"

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "sim/base/check.h"
#include "sim/base/math.h"
#include "sim/geometry/containment.h"
#include "sim/geometry/directions.h"

namespace reprise::sim {
namespace {

// Against the ray, for what has no better normal.
Vector3 Against(const Ray& ray) {
  if (ray.direction == Vector3{}) return {};
  return -Normalized(ray.direction);
}

Hit HitAtStart(const Ray& ray) {
  return {.t = 0.0, .point = ray.origin, .normal = Against(ray)};
}

// `outwards` may have any length; without any the normal is against the ray.
Hit HitAt(const Ray& ray, double t, Vector3 outwards) {
  return {
      .t = t,
      .point = PointAt(ray, t),
      .normal = outwards == Vector3{} ? Against(ray) : Normalized(outwards)};
}

// The stretch of a ray that is left when everything in front of planes is cut
// away.
class Stretch {
 public:
  // `distance` is the ray's origin's from the plane, in units in which the
  // ray's end comes nearer by -speed for each unit of t.
  void Cut(double distance, double speed, Vector3 normal) {
    if (speed == 0.0) {
      if (distance > 0.0) exit_ = -1.0;
      return;
    }
    const double t = -distance / speed;
    if (speed > 0.0) {
      if (t < exit_) exit_ = t;
    } else if (t > enter_) {
      enter_ = t;
      normal_ = normal;
    }
  }

  // REQUIRES: the ray's origin was in front of a plane.
  std::optional<Hit> FirstHit(const Ray& ray, double t_max) const {
    if (enter_ > exit_ || enter_ > t_max) return std::nullopt;
    return HitAt(ray, enter_, normal_);
  }

 private:
  double enter_ = 0.0;
  double exit_ = kNoLimit;
  Vector3 normal_;
};

// Cuts a ray by the two planes of one of an axis-aligned box's axes.
void CutSlab(double origin, double speed, double low, double high, Vector3 axis,
             Stretch& stretch) {
  stretch.Cut(low - origin, -speed, -axis);
  stretch.Cut(origin - high, speed, axis);
}

// In the polygon's own plane: the sides are what there is to hit.
std::optional<Hit> CastInPlane(const Ray& ray, std::span<const Vector3> corners,
                               Vector3 normal, double t_max) {
  Stretch stretch;
  bool inside = true;
  for (size_t i = 0; i < corners.size(); ++i) {
    const Vector3 corner = corners[i];
    const Vector3 side = corners[(i + 1) % corners.size()] - corner;
    const Vector3 outwards = Normalized(Cross(side, normal));
    const double distance = Dot(outwards, ray.origin - corner);
    if (distance > 0.0) inside = false;
    stretch.Cut(distance, Dot(outwards, ray.direction), outwards);
  }
  if (inside) return HitAtStart(ray);
  return stretch.FirstHit(ray, t_max);
}

// `normal`: of length 1, where the corners are seen counter-clockwise.
std::optional<Hit> CastAtFlat(const Ray& ray, std::span<const Vector3> corners,
                              Vector3 normal, double t_max) {
  const double distance = Dot(normal, ray.origin - corners[0]);
  const double speed = Dot(normal, ray.direction);
  if (speed == 0.0) {
    if (distance != 0.0) return std::nullopt;
    return CastInPlane(ray, corners, normal, t_max);
  }
  const double t = -distance / speed;
  if (t < 0.0 || t > t_max) return std::nullopt;
  // On which side of each side the ray passes: the number for a side is, to the
  // bit, minus the number for the same side of a neighbour.
  bool some_left = false;
  bool some_right = false;
  for (size_t i = 0; i < corners.size(); ++i) {
    const Vector3 from = corners[i] - ray.origin;
    const Vector3 to = corners[(i + 1) % corners.size()] - ray.origin;
    const double side = Dot(ray.direction, Cross(from, to));
    some_left = some_left || side > 0.0;
    some_right = some_right || side < 0.0;
  }
  if (some_left && some_right) return std::nullopt;
  if (t == 0.0) return HitAtStart(ray);
  return HitAt(ray, t, speed < 0.0 ? normal : -normal);
}

// The first of two results; of two at once, `a`.
std::optional<Hit> Earlier(const std::optional<Hit>& a,
                           const std::optional<Hit>& b) {
  if (!a.has_value()) return b;
  return b.has_value() && b->t < a->t ? b : a;
}

}  // namespace

std::optional<Hit> Cast(const Ray& ray, const Plane& plane, double t_max) {
  const double distance = SignedDistance(plane, ray.origin);
  if (distance == 0.0) return HitAtStart(ray);
  const double speed = Dot(plane.normal, ray.direction);
  if (speed == 0.0) return std::nullopt;
  const double t = -distance / speed;
  if (t < 0.0 || t > t_max) return std::nullopt;
  return HitAt(ray, t, distance > 0.0 ? plane.normal : -plane.normal);
}

std::optional<Hit> Cast(const Ray& ray, const Sphere& sphere, double t_max) {
  if (Contains(sphere, ray.origin)) return HitAtStart(ray);
  const Vector3 from = ray.origin - sphere.center;
  const double speed_squared = LengthSquared(ray.direction);
  if (speed_squared == 0.0) return std::nullopt;
  // From the point nearest to the centre, by which nothing large is subtracted
  // where the sphere is small and far away.
  const double nearest = -Dot(from, ray.direction) / speed_squared;
  if (nearest < 0.0) return std::nullopt;
  const double left = sphere.radius * sphere.radius -
                      LengthSquared(from + ray.direction * nearest);
  // NaN, where a direction is too small to divide by, is a miss too.
  if (!(left >= 0.0)) return std::nullopt;
  double t = nearest - Sqrt(left / speed_squared);
  if (t < 0.0) t = 0.0;
  if (t > t_max) return std::nullopt;
  return HitAt(ray, t, from + ray.direction * t);
}

std::optional<Hit> Cast(const Ray& ray, const Aabb& box, double t_max) {
  if (Contains(box, ray.origin)) return HitAtStart(ray);
  const auto& [origin, direction] = ray;
  Stretch stretch;
  CutSlab(origin.x, direction.x, box.minimum.x, box.maximum.x,
          Vector3{1.0, 0.0, 0.0}, stretch);
  CutSlab(origin.y, direction.y, box.minimum.y, box.maximum.y,
          Vector3{0.0, 1.0, 0.0}, stretch);
  CutSlab(origin.z, direction.z, box.minimum.z, box.maximum.z,
          Vector3{0.0, 0.0, 1.0}, stretch);
  return stretch.FirstHit(ray, t_max);
}

std::optional<Hit> Cast(const Ray& ray, const OrientedBox& box, double t_max) {
  const Quaternion back = Conjugate(box.rotation);
  const Ray local = {Rotate(back, ray.origin - box.center),
                     Rotate(back, ray.direction)};
  const std::optional<Hit> hit =
      Cast(local, Aabb{-box.half_extents, box.half_extents}, t_max);
  if (!hit.has_value()) return std::nullopt;
  if (hit->t == 0.0) return HitAtStart(ray);
  return HitAt(ray, hit->t, Rotate(box.rotation, hit->normal));
}

std::optional<Hit> Cast(const Ray& ray, const Capsule& capsule, double t_max) {
  if (Contains(capsule, ray.origin)) return HitAtStart(ray);
  std::optional<Hit> first =
      Cast(ray, Sphere{capsule.start, capsule.radius}, t_max);
  const Vector3 axis = Normalized(capsule.end - capsule.start);
  if (axis == Vector3{}) return first;
  first = Earlier(first, Cast(ray, Sphere{capsule.end, capsule.radius}, t_max));
  // The side: a circle, seen along the axis.
  const Vector3 from = ray.origin - capsule.start;
  const Vector3 from_across = Across(from, axis);
  const Vector3 speed_across = Across(ray.direction, axis);
  const double speed_squared = LengthSquared(speed_across);
  if (speed_squared == 0.0) return first;
  const double nearest = -Dot(from_across, speed_across) / speed_squared;
  const double left = capsule.radius * capsule.radius -
                      LengthSquared(from_across + speed_across * nearest);
  if (!(left >= 0.0)) return first;
  if (nearest < 0.0) return first;
  // Only rounding, or an origin beyond the ends, lies inside the circle.
  double t = nearest - Sqrt(left / speed_squared);
  if (t < 0.0) t = 0.0;
  const double along = Dot(from + ray.direction * t, axis);
  if (t > t_max || along < 0.0 || along > Length(capsule.end - capsule.start)) {
    return first;
  }
  return Earlier(first, HitAt(ray, t, from_across + speed_across * t));
}

std::optional<Hit> Cast(const Ray& ray, const Triangle& triangle,
                        double t_max) {
  const std::optional<Vector3> normal =
      NormalOf(triangle.a, triangle.b, triangle.c);
  if (!normal.has_value()) return std::nullopt;
  return CastAtFlat(ray, std::array{triangle.a, triangle.b, triangle.c},
                    *normal, t_max);
}

std::optional<Hit> Cast(const Ray& ray, const ConvexPolygon& polygon,
                        double t_max) {
  const std::vector<Vector3>& corners = polygon.corners;
  CHECK(corners.size() >= 3, "{} corners", corners.size());
  Vector3 area;
  for (size_t i = 1; i + 1 < corners.size(); ++i) {
    area = area + Cross(corners[i] - corners[0], corners[i + 1] - corners[0]);
  }
  return CastAtFlat(ray, corners, Normalized(area), t_max);
}

std::optional<Hit> Cast(const Ray& ray, const ConvexHull& hull, double t_max) {
  if (Contains(hull, ray.origin)) return HitAtStart(ray);
  Stretch stretch;
  for (const Plane& plane : hull.planes) {
    stretch.Cut(SignedDistance(plane, ray.origin),
                Dot(plane.normal, ray.direction), plane.normal);
  }
  return stretch.FirstHit(ray, t_max);
}

std::optional<Hit> Cast(const Ray& ray, const ConvexPrism& prism,
                        double t_max) {
  if (Contains(prism, ray.origin)) return HitAtStart(ray);
  return Cast(ray, ToConvexHull(prism), t_max);
}

}  // namespace reprise::sim
