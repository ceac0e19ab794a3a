// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/geometry/spatial/spatial_shape.h"

#include "sim/base/math.h"
#include "sim/geometry/closest_points.h"
#include "sim/geometry/intersections.h"
#include "sim/geometry/spatial/spatial_bounds.h"
#include "sim/geometry/spatial/spatial_cone.h"

namespace reprise::sim {
namespace {

bool HasSize(const Sphere& sphere) { return sphere.radius >= 0.0; }
bool HasSize(const Aabb& box) { return IsValid(box); }
bool HasSize(const OrientedBox& box) {
  return IsValid(Aabb{{}, box.half_extents});
}

Aabb WithRoom(const Aabb& bounds) {
  const auto [x, y, z] = Maximum(Maximum(bounds.minimum, -bounds.minimum),
                                 Maximum(bounds.maximum, -bounds.maximum));
  const double xy = x > y ? x : y;
  return Expanded(bounds, 0x1p-40 * (xy > z ? xy : z));
}

Aabb BoundsWithRoom(const Sphere& sphere) { return WithRoom(BoundsOf(sphere)); }
Aabb BoundsWithRoom(const Aabb& box) { return box; }
Aabb BoundsWithRoom(const OrientedBox& box) { return WithRoom(BoundsOf(box)); }

double DistanceFrom(Vector3 point, const Sphere& sphere) {
  const double distance = Length(sphere.center - point) - sphere.radius;
  return distance > 0.0 ? distance : 0.0;
}
double DistanceFrom(Vector3 point, const Aabb& box) {
  return Sqrt(DistanceSquaredToBounds(point, box));
}
double DistanceFrom(Vector3 point, const OrientedBox& box) {
  return Distance(box, point);
}

}  // namespace

bool IsValid(const SpatialShape& shape) {
  return std::visit([](const auto& exact) { return HasSize(exact); }, shape) &&
         IsWithinReach(OuterBoundsOf(shape));
}

Aabb OuterBoundsOf(const SpatialShape& shape) {
  return std::visit([](const auto& exact) { return BoundsWithRoom(exact); },
                    shape);
}

Aabb OuterBoundsOf(const Cone& cone) { return WithRoom(BoundsOf(cone)); }

double Distance(const SpatialShape& shape, Vector3 point) {
  return std::visit(
      [&](const auto& exact) { return DistanceFrom(point, exact); }, shape);
}

bool Overlaps(const SpatialShape& shape, const Sphere& sphere) {
  return std::visit([&](const auto& exact) { return Overlaps(sphere, exact); },
                    shape);
}

bool Overlaps(const SpatialShape& shape, const Aabb& box) {
  if (const auto* oriented = std::get_if<OrientedBox>(&shape)) {
    return Overlaps(box, *oriented);
  }
  if (const auto* sphere = std::get_if<Sphere>(&shape)) {
    return Overlaps(*sphere, box);
  }
  return Overlaps(std::get<Aabb>(shape), box);
}

bool Overlaps(const SpatialShape& shape, const OrientedBox& box) {
  return std::visit([&](const auto& exact) { return Overlaps(exact, box); },
                    shape);
}

bool Overlaps(const SpatialShape& shape, const Cone& cone) {
  return std::visit([&](const auto& exact) { return Overlaps(cone, exact); },
                    shape);
}

std::optional<Hit> Cast(const Segment& segment, const SpatialShape& shape) {
  return std::visit([&](const auto& exact) { return Cast(segment, exact); },
                    shape);
}

}  // namespace reprise::sim
