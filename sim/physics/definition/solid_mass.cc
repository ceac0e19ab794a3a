// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/physics/definition/solid_mass.h"

#include <variant>

#include "sim/base/math.h"

namespace reprise::sim {
namespace {

// Calls visit(a, b, c, volume) for the tetrahedron between the origin and each
// face; those that are seen from outside have a volume below 0.
template <typename Visit>
void ForEachTetrahedron(const HullPrimitive& hull, const Visit& visit) {
  for (const TriangleCorners& corners : hull.faces) {
    const Vector3 a = hull.vertices[corners[0]];
    const Vector3 b = hull.vertices[corners[1]];
    const Vector3 c = hull.vertices[corners[2]];
    visit(a, b, c, Dot(a, Cross(b, c)) / 6.0);
  }
}

struct VolumeFinding {
  double operator()(const SpherePrimitive& sphere) const {
    const double r = sphere.radius_m;
    return 4.0 / 3.0 * kPi * r * r * r;
  }
  double operator()(const BoxPrimitive& box) const {
    const Vector3 half = box.half_extents_m;
    return 8.0 * half.x * half.y * half.z;
  }
  double operator()(const CapsulePrimitive& capsule) const {
    return (*this)(SpherePrimitive{capsule.radius_m}) +
           kPi * capsule.radius_m * capsule.radius_m * capsule.height_m;
  }
  double operator()(const CylinderPrimitive& cylinder) const {
    return kPi * cylinder.radius_m * cylinder.radius_m * cylinder.height_m;
  }
  double operator()(const ConePrimitive& cone) const {
    return kPi / 3.0 * cone.radius_m * cone.radius_m * cone.height_m;
  }
  double operator()(const HullPrimitive& hull) const {
    double volume = 0.0;
    ForEachTetrahedron(
        hull, [&](Vector3, Vector3, Vector3, double part) { volume += part; });
    return volume;
  }
};

}  // namespace

double VolumeOf(const Solid& solid) {
  return std::visit(VolumeFinding{}, solid);
}

double VolumeOf(const ShapeDefinition& shape) {
  const auto* const solid = std::get_if<SolidShape>(&shape);
  if (solid == nullptr) return 0.0;
  double volume = 0.0;
  for (const Primitive& primitive : solid->primitives) {
    volume += VolumeOf(primitive.solid);
  }
  return volume;
}

Vector3 CentreOf(const HullPrimitive& hull) {
  Vector3 moment;
  double volume = 0.0;
  ForEachTetrahedron(hull, [&](Vector3 a, Vector3 b, Vector3 c, double part) {
    moment = moment + 0.25 * part * (a + b + c);
    volume += part;
  });
  return moment / volume;
}

Vector3 UnitInertiaOf(const HullPrimitive& hull) {
  // The integrals of x^2, y^2 and z^2 over a tetrahedron with a corner at the
  // origin, by its volume.
  Vector3 squares;
  double volume = 0.0;
  ForEachTetrahedron(hull, [&](Vector3 a, Vector3 b, Vector3 c, double part) {
    for (const auto axis : {&Vector3::x, &Vector3::y, &Vector3::z}) {
      const double p = a.*axis;
      const double q = b.*axis;
      const double r = c.*axis;
      squares.*axis +=
          0.1 * part * (p * p + q * q + r * r + p * q + p * r + q * r);
    }
    volume += part;
  });
  return Vector3{squares.y + squares.z, squares.x + squares.z,
                 squares.x + squares.y} /
         volume;
}

Vector3 UnitInertiaOf(const ConePrimitive& cone) {
  const double radius_squared = cone.radius_m * cone.radius_m;
  const double height_squared = cone.height_m * cone.height_m;
  const double across = 0.15 * radius_squared + 0.0375 * height_squared;
  return {across, 0.3 * radius_squared, across};
}

}  // namespace reprise::sim
