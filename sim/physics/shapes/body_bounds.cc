// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/physics/shapes/body_bounds.h"

#include <algorithm>
#include <variant>

#include "sim/base/math.h"

namespace reprise::sim {
namespace {

constexpr Vector3 kEverywhere = {kPositionMaxM, kPositionMaxM, kPositionMaxM};

// How far a solid reaches from its centre along each axis of the world, where
// `axes` are those axes in the solid's frame.
struct Reach {
  const Matrix3& axes;

  template <typename Along>
  Vector3 OnEachAxis(const Along& along) const {
    return {along(axes.rows[0]), along(axes.rows[1]), along(axes.rows[2])};
  }

  Vector3 operator()(const SpherePrimitive& sphere) const {
    return {sphere.radius_m, sphere.radius_m, sphere.radius_m};
  }
  Vector3 operator()(const BoxPrimitive& box) const {
    return OnEachAxis([&](Vector3 axis) {
      return Abs(axis.x) * box.half_extents_m.x +
             Abs(axis.y) * box.half_extents_m.y +
             Abs(axis.z) * box.half_extents_m.z;
    });
  }
  Vector3 operator()(const CapsulePrimitive& capsule) const {
    return OnEachAxis([&](Vector3 axis) {
      return capsule.radius_m + Abs(axis.y) * capsule.height_m / 2.0;
    });
  }
  Vector3 operator()(const CylinderPrimitive& cylinder) const {
    return OnEachAxis([&](Vector3 axis) {
      return cylinder.radius_m * Sqrt(axis.x * axis.x + axis.z * axis.z) +
             Abs(axis.y) * cylinder.height_m / 2.0;
    });
  }
  // Around the base and the tip, of which the origin is nearer to the base.
  Vector3 operator()(const ConePrimitive& cone) const {
    return OnEachAxis([&](Vector3 axis) {
      return std::max(cone.radius_m * Sqrt(axis.x * axis.x + axis.z * axis.z) +
                          Abs(axis.y) * cone.height_m / 4.0,
                      Abs(axis.y) * cone.height_m * 3.0 / 4.0);
    });
  }
  Vector3 operator()(const HullPrimitive& hull) const {
    return OnEachAxis([&](Vector3 axis) {
      double reach = 0.0;
      for (const Vector3& vertex : hull.vertices) {
        reach = std::max(reach, Abs(Dot(axis, vertex)));
      }
      return reach;
    });
  }
};

Vector3 Least(Vector3 a, Vector3 b) {
  return {std::min(a.x, b.x), std::min(a.y, b.y), std::min(a.z, b.z)};
}

Vector3 Greatest(Vector3 a, Vector3 b) {
  return {std::max(a.x, b.x), std::max(a.y, b.y), std::max(a.z, b.z)};
}

}  // namespace

AxisAlignedBox BoundsOf(const ShapeDefinition& shape, Vector3 position,
                        const Matrix3& basis) {
  const auto* const solid = std::get_if<SolidShape>(&shape);
  if (solid == nullptr) return {-kEverywhere, kEverywhere};
  AxisAlignedBox bounds = {kEverywhere, -kEverywhere};
  for (const Primitive& primitive : solid->primitives) {
    const Vector3 centre = position + basis * primitive.position;
    const Matrix3 axes = basis * ToMatrix3(Normalized(primitive.rotation));
    const Vector3 reach = std::visit(Reach{axes}, primitive.solid);
    bounds.low = Least(bounds.low, centre - reach);
    bounds.high = Greatest(bounds.high, centre + reach);
  }
  return bounds;
}

}  // namespace reprise::sim
