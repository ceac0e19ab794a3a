// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/physics/definition/solid_mass.h"

#include <cstddef>
#include <variant>

#include "sim/base/math.h"
#include "sim/geometry/matrix3.h"

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

// Second moments: the integrals of the products of two coordinates over a
// solid, by its volume, m^2.
constexpr Matrix3 kNoMoments = {{Vector3{}, Vector3{}, Vector3{}}};

Matrix3 Diagonal(double x, double y, double z) {
  return {{Vector3{x, 0.0, 0.0}, Vector3{0.0, y, 0.0}, Vector3{0.0, 0.0, z}}};
}

// The products of the coordinates of two vectors.
Matrix3 Outer(const Vector3& a, const Vector3& b) {
  return {{a.x * b, a.y * b, a.z * b}};
}

void AddTo(Matrix3& sum, double factor, const Matrix3& m) {
  for (size_t i = 0; i < sum.rows.size(); ++i) {
    sum.rows[i] = sum.rows[i] + factor * m.rows[i];
  }
}

Vector3 InertiaOf(const Matrix3& moments) {
  const double x = moments.rows[0].x;
  const double y = moments.rows[1].y;
  const double z = moments.rows[2].z;
  return {y + z, x + z, x + y};
}

// Around the axes through the origin of a solid.
struct MomentsFinding {
  Matrix3 operator()(const SpherePrimitive& sphere) const {
    const double each = sphere.radius_m * sphere.radius_m / 5.0;
    return Diagonal(each, each, each);
  }
  Matrix3 operator()(const BoxPrimitive& box) const {
    const Vector3 half = box.half_extents_m;
    return Diagonal(half.x * half.x / 3.0, half.y * half.y / 3.0,
                    half.z * half.z / 3.0);
  }
  Matrix3 operator()(const CapsulePrimitive& capsule) const {
    const double r = capsule.radius_m;
    const double h = capsule.height_m;
    const double ends = VolumeOf(SpherePrimitive{r});
    const double middle = VolumeOf(CylinderPrimitive{r, h});
    const double across = middle * r * r / 4.0 + ends * r * r / 5.0;
    // Of each end the middle is 3/8 of the radius beyond the segment.
    const double along = middle * h * h / 12.0 +
                         ends * (r * r / 5.0 + 3.0 / 8.0 * r * h + h * h / 4.0);
    const double volume = middle + ends;
    return Diagonal(across / volume, along / volume, across / volume);
  }
  Matrix3 operator()(const CylinderPrimitive& cylinder) const {
    const double across = cylinder.radius_m * cylinder.radius_m / 4.0;
    return Diagonal(across, cylinder.height_m * cylinder.height_m / 12.0,
                    across);
  }
  Matrix3 operator()(const ConePrimitive& cone) const {
    const double across = 0.15 * cone.radius_m * cone.radius_m;
    return Diagonal(across, 0.0375 * cone.height_m * cone.height_m, across);
  }
  // Over a tetrahedron with a corner at the origin the product of two
  // coordinates is, by its volume, a twentieth of the sum over its corners and
  // of the product of their sums.
  Matrix3 operator()(const HullPrimitive& hull) const {
    Matrix3 sum = kNoMoments;
    double volume = 0.0;
    ForEachTetrahedron(hull, [&](Vector3 a, Vector3 b, Vector3 c, double part) {
      for (const Vector3& corner : {a, b, c, a + b + c}) {
        AddTo(sum, part / 20.0, Outer(corner, corner));
      }
      volume += part;
    });
    Matrix3 moments = kNoMoments;
    AddTo(moments, 1.0 / volume, sum);
    return moments;
  }
};

// Where the middle of a solid lies in its own frame.
Vector3 MiddleOf(const Solid& solid) {
  const auto* const hull = std::get_if<HullPrimitive>(&solid);
  return hull != nullptr ? CentreOf(*hull) : Vector3{};
}

// In the body's frame.
Matrix3 MomentsOf(const Primitive& primitive) {
  const Matrix3 rotation = ToMatrix3(primitive.rotation);
  Matrix3 moments = rotation * std::visit(MomentsFinding{}, primitive.solid) *
                    Transposed(rotation);
  const Vector3 middle = rotation * MiddleOf(primitive.solid);
  AddTo(moments, 1.0, Outer(primitive.position, primitive.position));
  AddTo(moments, 1.0, Outer(middle, primitive.position));
  AddTo(moments, 1.0, Outer(primitive.position, middle));
  return moments;
}

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

Vector3 UnitInertiaOf(const Solid& solid) {
  return InertiaOf(std::visit(MomentsFinding{}, solid));
}

Vector3 UnitInertiaOf(const ShapeDefinition& shape) {
  const auto* const solid = std::get_if<SolidShape>(&shape);
  if (solid == nullptr) return {};
  Matrix3 sum = kNoMoments;
  double volume = 0.0;
  for (const Primitive& primitive : solid->primitives) {
    const double part = VolumeOf(primitive.solid);
    AddTo(sum, part, MomentsOf(primitive));
    volume += part;
  }
  return InertiaOf(sum) / volume;
}

}  // namespace reprise::sim
