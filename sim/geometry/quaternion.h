// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Rotations as unit quaternions x*i + y*j + z*k + w (Hamilton's product). Each
// operation rounds exactly as written here, so the bits are the same
// everywhere.

#ifndef REPRISE_SIM_GEOMETRY_QUATERNION_H_
#define REPRISE_SIM_GEOMETRY_QUATERNION_H_

#include <cstdint>

#include "sim/base/field.h"
#include "sim/base/math.h"
#include "sim/geometry/vector3.h"

namespace reprise::sim {

// The identity unless set otherwise. q and -q are the same rotation.
struct Quaternion {
  double x = 0.0;
  double y = 0.0;
  double z = 0.0;
  double w = 1.0;

  friend bool operator==(const Quaternion&, const Quaternion&) = default;
};

template <>
struct FieldTraits<Quaternion> {
  static constexpr ScalarType kScalar = ScalarType::kDouble;
  static constexpr FieldShape kShape = FieldShape::kQuaternion;
  static constexpr uint32_t kCount = 4;
};

// Returns the rotation by `angle_rad` around `axis`, counter-clockwise when the
// axis points at the eye. The axis may have any length; around the zero vector
// the result is the identity. REQUIRES: all finite.
inline Quaternion FromAxisAngle(Vector3 axis, double angle_rad) {
  const Vector3 unit = Normalized(axis);
  if (unit == Vector3{}) return {};
  const double half_rad = 0.5 * angle_rad;
  const double sine = Sin(half_rad);
  return {unit.x * sine, unit.y * sine, unit.z * sine, Cos(half_rad)};
}

// The rotation `b` followed by the rotation `a`.
constexpr Quaternion operator*(Quaternion a, Quaternion b) {
  return {((a.w * b.x + a.x * b.w) + a.y * b.z) - a.z * b.y,
          ((a.w * b.y + a.y * b.w) + a.z * b.x) - a.x * b.z,
          ((a.w * b.z + a.z * b.w) + a.x * b.y) - a.y * b.x,
          ((a.w * b.w - a.x * b.x) - a.y * b.y) - a.z * b.z};
}

// The rotation back.
constexpr Quaternion Conjugate(Quaternion q) { return {-q.x, -q.y, -q.z, q.w}; }

constexpr double Dot(Quaternion a, Quaternion b) {
  return ((a.x * b.x + a.y * b.y) + a.z * b.z) + a.w * b.w;
}

// Returns q scaled to length 1: what many products in a row need now and then.
// The zero quaternion becomes the identity.
// REQUIRES: Dot(q, q) neither overflows nor vanishes, unless q is zero.
inline Quaternion Normalized(Quaternion q) {
  const double length = Sqrt(Dot(q, q));
  if (length == 0.0) return {};
  return {q.x / length, q.y / length, q.z / length, q.w / length};
}

constexpr double Radians(double degrees) { return degrees * (kPi / 180.0); }

// Turns about x, then y, then z of the frame in which the angles are given.
inline Quaternion FromTurns(Vector3 degrees) {
  const Quaternion x = FromAxisAngle({1, 0, 0}, Radians(degrees.x));
  const Quaternion y = FromAxisAngle({0, 1, 0}, Radians(degrees.y));
  const Quaternion z = FromAxisAngle({0, 0, 1}, Radians(degrees.z));
  return Normalized(z * y * x);
}

// Returns `v` rotated by `q`. REQUIRES: q has length 1.
constexpr Vector3 Rotate(Quaternion q, Vector3 v) {
  // q v q* with the products that cancel taken out.
  const Vector3 axis = {q.x, q.y, q.z};
  const Vector3 twice = 2.0 * Cross(axis, v);
  return (v + q.w * twice) + Cross(axis, twice);
}

}  // namespace reprise::sim

#endif  // REPRISE_SIM_GEOMETRY_QUATERNION_H_
