// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/geometry/collisions/sweeps.h"

#include <array>
#include <cstddef>

#include "sim/base/math.h"
#include "sim/geometry/closest_points.h"
#include "sim/geometry/containment.h"
#include "sim/geometry/directions.h"
#include "sim/geometry/intersections.h"

namespace reprise::sim {
namespace {

constexpr Vector3 kUp = {0.0, 1.0, 0.0};

// The direction, or against the motion, or up: whichever first is one.
Vector3 FirstDirection(Vector3 direction, Vector3 motion) {
  if (direction != Vector3{}) return Normalized(direction);
  if (motion != Vector3{}) return -Normalized(motion);
  return kUp;
}

// The normal of the box's face that is nearest to a point within.
Vector3 NearestFace(const Aabb& box, Vector3 point) {
  const Vector3 below = point - box.minimum;
  const Vector3 above = box.maximum - point;
  const std::array<double, 6> depths = {above.y, below.y, above.x,
                                        below.x, above.z, below.z};
  constexpr std::array<Vector3, 6> kNormals = {
      Vector3{0.0, 1.0, 0.0}, Vector3{0.0, -1.0, 0.0},
      Vector3{1.0, 0.0, 0.0}, Vector3{-1.0, 0.0, 0.0},
      Vector3{0.0, 0.0, 1.0}, Vector3{0.0, 0.0, -1.0}};
  size_t nearest = 0;
  for (size_t i = 1; i < depths.size(); ++i) {
    if (depths[i] < depths[nearest]) nearest = i;
  }
  return kNormals[nearest];
}

void KeepEarlier(const std::optional<Hit>& hit, std::optional<Hit>& first) {
  if (hit.has_value() && (!first.has_value() || hit->t < first->t)) first = hit;
}

// Whether the box's nearest point to `point` lies on a face, not on its edge.
bool IsBesideAFace(const Aabb& box, Vector3 point) {
  const Vector3 apart = point - ClosestPoint(box, point);
  return (apart.x != 0.0) + (apart.y != 0.0) + (apart.z != 0.0) <= 1;
}

// The hit of a ray against the rounded box that a sphere's centre can't enter.
std::optional<Hit> CastAtRoundedBox(const Ray& ray, const Aabb& box,
                                    double radius) {
  const std::optional<Hit> outer = Cast(ray, Expanded(box, radius), 1.0);
  if (!outer.has_value()) return std::nullopt;
  if (IsBesideAFace(box, outer->point)) return outer;
  const std::array<Vector3, 3> steps = {Vector3{radius, 0.0, 0.0},
                                        Vector3{0.0, radius, 0.0},
                                        Vector3{0.0, 0.0, radius}};
  std::optional<Hit> first;
  for (const Vector3 step : steps) {
    KeepEarlier(Cast(ray, Aabb{box.minimum - step, box.maximum + step}, 1.0),
                first);
  }
  // What a box grown along each axis leaves out is round: the edges.
  const auto& [low, high] = box;
  for (const bool y_high : {false, true}) {
    for (const bool z_high : {false, true}) {
      const double y = y_high ? high.y : low.y;
      const double z = z_high ? high.z : low.z;
      KeepEarlier(
          Cast(ray, Capsule{{low.x, y, z}, {high.x, y, z}, radius}, 1.0),
          first);
    }
  }
  for (const bool x_high : {false, true}) {
    const double x = x_high ? high.x : low.x;
    for (const bool z_high : {false, true}) {
      const double z = z_high ? high.z : low.z;
      KeepEarlier(
          Cast(ray, Capsule{{x, low.y, z}, {x, high.y, z}, radius}, 1.0),
          first);
    }
    for (const bool y_high : {false, true}) {
      const double y = y_high ? high.y : low.y;
      KeepEarlier(
          Cast(ray, Capsule{{x, y, low.z}, {x, y, high.z}, radius}, 1.0),
          first);
    }
  }
  return first;
}

// The middle of what two boxes share.
Vector3 MiddleOfShared(const Aabb& a, const Aabb& b) {
  return Center(
      Aabb{Maximum(a.minimum, b.minimum), Minimum(a.maximum, b.maximum)});
}

Aabb Moved(const Aabb& box, Vector3 motion) {
  return {box.minimum + motion, box.maximum + motion};
}

}  // namespace

std::optional<Hit> Sweep(const Sphere& sphere, Vector3 motion,
                         const Sphere& other, Vector3 other_motion) {
  // As the other one sees it: only the centre moves, and only one of them.
  const Ray relative = {sphere.center, motion - other_motion};
  std::optional<Hit> hit =
      Cast(relative, Sphere{other.center, sphere.radius + other.radius}, 1.0);
  if (!hit.has_value()) return std::nullopt;
  hit->normal = FirstDirection(PointAt(relative, hit->t) - other.center,
                               relative.direction);
  const Vector3 other_center = other.center + other_motion * hit->t;
  hit->point = other_center + hit->normal * other.radius;
  return hit;
}

std::optional<Hit> Sweep(const Sphere& sphere, Vector3 motion,
                         const Plane& plane) {
  const double distance = SignedDistance(plane, sphere.center);
  const double speed = Dot(plane.normal, motion);
  // On a plane that goes through the centre, out is against the motion.
  const bool in_front = distance == 0.0 ? speed <= 0.0 : distance > 0.0;
  double t = 0.0;
  if (Abs(distance) > sphere.radius) {
    const double gap = Abs(distance) - sphere.radius;
    const double approach = in_front ? -speed : speed;
    if (approach < gap) return std::nullopt;
    t = gap / approach;
  }
  const Vector3 center = sphere.center + motion * t;
  return Hit{.t = t,
             .point = ClosestPoint(plane, center),
             .normal = in_front ? plane.normal : -plane.normal};
}

std::optional<Hit> Sweep(const Sphere& sphere, Vector3 motion,
                         const Aabb& box) {
  Hit hit = {.normal = kUp};
  if (!Overlaps(sphere, box)) {
    const std::optional<Hit> cast =
        CastAtRoundedBox(Ray{sphere.center, motion}, box, sphere.radius);
    if (!cast.has_value()) return std::nullopt;
    hit = *cast;
  }
  const Vector3 center = sphere.center + motion * hit.t;
  hit.point = ClosestPoint(box, center);
  if (hit.point != center) {
    hit.normal = Normalized(center - hit.point);
  } else if (hit.t == 0.0) {
    hit.normal = NearestFace(box, center);
  }
  return hit;
}

std::optional<Hit> Sweep(const Sphere& sphere, Vector3 motion,
                         const OrientedBox& box) {
  const Quaternion back = Conjugate(box.rotation);
  const Sphere local = {Rotate(back, sphere.center - box.center),
                        sphere.radius};
  std::optional<Hit> hit = Sweep(local, Rotate(back, motion),
                                 Aabb{-box.half_extents, box.half_extents});
  if (!hit.has_value()) return std::nullopt;
  hit->point = box.center + Rotate(box.rotation, hit->point);
  hit->normal = Rotate(box.rotation, hit->normal);
  return hit;
}

std::optional<Hit> Sweep(const Sphere& sphere, Vector3 motion,
                         const Capsule& capsule) {
  const Ray ray = {sphere.center, motion};
  std::optional<Hit> hit = Cast(
      ray, Capsule{capsule.start, capsule.end, capsule.radius + sphere.radius},
      1.0);
  if (!hit.has_value()) return std::nullopt;
  const Vector3 center = PointAt(ray, hit->t);
  const Vector3 on_axis =
      ClosestPoint(Segment{capsule.start, capsule.end}, center);
  hit->normal = FirstDirection(center - on_axis, motion);
  hit->point = on_axis + hit->normal * capsule.radius;
  return hit;
}

std::optional<Hit> Sweep(const Sphere& sphere, Vector3 motion,
                         const Triangle& triangle) {
  const Ray ray = {sphere.center, motion};
  const auto& [a, b, c] = triangle;
  const std::optional<Vector3> front = NormalOf(a, b, c);
  std::optional<Hit> first;
  if (Overlaps(sphere, triangle)) {
    first = Hit{};
  } else {
    if (front.has_value()) {
      const Plane plane = PlaneThrough(a, *front);
      const std::optional<Hit> face = Sweep(sphere, motion, plane);
      if (face.has_value() && Contains(triangle, face->point)) first = face;
      // Without a radius a point could slip between two triangles: a cast
      // can't.
      KeepEarlier(Cast(ray, triangle, 1.0), first);
    }
    for (const Segment& side : {Segment{a, b}, Segment{b, c}, Segment{c, a}}) {
      KeepEarlier(Cast(ray, Capsule{side.start, side.end, sphere.radius}, 1.0),
                  first);
    }
    if (!first.has_value()) return std::nullopt;
  }
  const Vector3 center = PointAt(ray, first->t);
  first->point = ClosestPoint(triangle, center);
  Vector3 outwards = center - first->point;
  if (outwards == Vector3{} && front.has_value()) {
    outwards = Dot(*front, motion) > 0.0 ? -*front : *front;
  }
  first->normal = FirstDirection(outwards, motion);
  return first;
}

std::optional<Hit> Sweep(const Aabb& box, Vector3 motion, const Aabb& other,
                         Vector3 other_motion) {
  const Vector3 relative = motion - other_motion;
  const Vector3 half_extents = HalfExtents(box);
  // What the centre can't enter.
  const Aabb grown = {other.minimum - half_extents,
                      other.maximum + half_extents};
  if (Overlaps(box, other)) {
    return Hit{.t = 0.0,
               .point = MiddleOfShared(box, other),
               .normal = NearestFace(grown, Center(box))};
  }
  std::optional<Hit> hit = Cast(Ray{Center(box), relative}, grown, 1.0);
  if (!hit.has_value()) return std::nullopt;
  hit->point = MiddleOfShared(Moved(box, motion * hit->t),
                              Moved(other, other_motion * hit->t));
  return hit;
}

}  // namespace reprise::sim
