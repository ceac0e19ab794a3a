// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A vector of three doubles. Each operation rounds exactly as written here, in
// this order, so sums of products are the same bits everywhere.

#ifndef REPRISE_SIM_GEOMETRY_VECTOR3_H_
#define REPRISE_SIM_GEOMETRY_VECTOR3_H_

#include <cstdint>

#include "sim/base/field.h"
#include "sim/base/math.h"

namespace reprise::sim {

struct Vector3 {
  double x = 0.0;
  double y = 0.0;
  double z = 0.0;

  friend bool operator==(const Vector3&, const Vector3&) = default;
};

template <>
struct FieldTraits<Vector3> {
  static constexpr ScalarType kScalar = ScalarType::kDouble;
  static constexpr FieldShape kShape = FieldShape::kVector3;
  static constexpr uint32_t kCount = 3;
};

constexpr Vector3 operator+(Vector3 a, Vector3 b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}

constexpr Vector3 operator-(Vector3 a, Vector3 b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}

constexpr Vector3 operator-(Vector3 a) { return {-a.x, -a.y, -a.z}; }

constexpr Vector3 operator*(Vector3 a, double factor) {
  return {a.x * factor, a.y * factor, a.z * factor};
}

constexpr Vector3 operator*(double factor, Vector3 a) { return a * factor; }

constexpr Vector3 operator/(Vector3 a, double divisor) {
  return {a.x / divisor, a.y / divisor, a.z / divisor};
}

constexpr double Dot(Vector3 a, Vector3 b) {
  return (a.x * b.x + a.y * b.y) + a.z * b.z;
}

// Right-handed: Cross(x axis, y axis) is the z axis.
constexpr Vector3 Cross(Vector3 a, Vector3 b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

inline double Length(Vector3 a) { return Sqrt(Dot(a, a)); }

// Returns the vector of length 1 in the direction of `a`, also where the square
// of a's length would overflow or vanish. The zero vector, which has no
// direction, comes back as it is. REQUIRES: components are finite.
inline Vector3 Normalized(Vector3 a) {
  double largest = Abs(a.x);
  if (Abs(a.y) > largest) largest = Abs(a.y);
  if (Abs(a.z) > largest) largest = Abs(a.z);
  if (largest == 0.0) return a;
  const Vector3 scaled = a / largest;
  return scaled / Length(scaled);
}

}  // namespace reprise::sim

#endif  // REPRISE_SIM_GEOMETRY_VECTOR3_H_
