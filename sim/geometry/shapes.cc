// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/geometry/shapes.h"

#include "sim/base/check.h"
#include "sim/base/math.h"

namespace reprise::sim {
namespace {

constexpr Aabb Around(Vector3 center, Vector3 half_extents) {
  return {center - half_extents, center + half_extents};
}

}  // namespace

std::array<Vector3, 3> AxesOf(const OrientedBox& box) {
  return {Rotate(box.rotation, Vector3{1.0, 0.0, 0.0}),
          Rotate(box.rotation, Vector3{0.0, 1.0, 0.0}),
          Rotate(box.rotation, Vector3{0.0, 0.0, 1.0})};
}

ConvexHull ToConvexHull(const OrientedBox& box) {
  const std::array<double, 3> sizes = {box.half_extents.x, box.half_extents.y,
                                       box.half_extents.z};
  const std::array<Vector3, 3> axes = AxesOf(box);
  ConvexHull hull;
  for (size_t i = 0; i < 3; ++i) {
    const Vector3 to_face = axes[i] * sizes[i];
    hull.planes.push_back(PlaneThrough(box.center + to_face, axes[i]));
    hull.planes.push_back(PlaneThrough(box.center - to_face, -axes[i]));
  }
  return hull;
}

ConvexHull ToConvexHull(const ConvexPrism& prism) {
  const size_t count = prism.plan.size();
  CHECK(count >= 3, "{} corners", count);
  double area = 0.0;
  for (size_t i = 0; i < count; ++i) {
    area += Cross(prism.plan[i] - prism.plan[0],
                  prism.plan[(i + 1) % count] - prism.plan[0]);
  }
  ConvexHull hull;
  for (size_t i = 0; i < count; ++i) {
    const Vector2 corner = prism.plan[i];
    const Vector2 side = prism.plan[(i + 1) % count] - corner;
    const Vector2 outwards =
        Normalized(area > 0.0 ? -Perpendicular(side) : Perpendicular(side));
    hull.planes.push_back(PlaneThrough(Vector3{corner.x, 0.0, corner.y},
                                       Vector3{outwards.x, 0.0, outwards.y}));
  }
  hull.planes.push_back({.normal = {0.0, 1.0, 0.0}, .offset = -prism.top});
  hull.planes.push_back({.normal = {0.0, -1.0, 0.0}, .offset = prism.bottom});
  return hull;
}

Aabb BoundsOf(const Sphere& sphere) {
  return Expanded(Aabb{sphere.center, sphere.center}, sphere.radius);
}

Aabb BoundsOf(const Capsule& capsule) {
  return Expanded(BoundsOf(Segment{capsule.start, capsule.end}),
                  capsule.radius);
}

Aabb BoundsOf(const Triangle& triangle) {
  return FromPoints(std::array{triangle.a, triangle.b, triangle.c});
}

Aabb BoundsOf(const OrientedBox& box) {
  const auto [x, y, z] = AxesOf(box);
  const Vector3 half = box.half_extents;
  return Around(box.center,
                {Abs(x.x) * half.x + Abs(y.x) * half.y + Abs(z.x) * half.z,
                 Abs(x.y) * half.x + Abs(y.y) * half.y + Abs(z.y) * half.z,
                 Abs(x.z) * half.x + Abs(y.z) * half.y + Abs(z.z) * half.z});
}

Aabb BoundsOf(const Segment& segment) {
  return {Minimum(segment.start, segment.end),
          Maximum(segment.start, segment.end)};
}

Aabb BoundsOf(const ConvexPrism& prism) {
  CHECK(!prism.plan.empty());
  const Vector2 first = prism.plan.front();
  Aabb bounds = {{first.x, prism.bottom, first.y},
                 {first.x, prism.top, first.y}};
  for (const Vector2 corner : prism.plan) {
    bounds = Union(bounds, Aabb{{corner.x, prism.bottom, corner.y},
                                {corner.x, prism.top, corner.y}});
  }
  return bounds;
}

}  // namespace reprise::sim
