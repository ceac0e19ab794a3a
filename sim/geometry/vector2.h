// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A vector of two doubles, for games that lie in a plane. Each operation rounds
// exactly as written here, so sums of products are the same bits everywhere.

#ifndef REPRISE_SIM_GEOMETRY_VECTOR2_H_
#define REPRISE_SIM_GEOMETRY_VECTOR2_H_

#include <cstdint>

#include "sim/base/field.h"
#include "sim/base/math.h"

namespace reprise::sim {

// x to the right and y upwards; a plan of a world has the world's x and z.
struct Vector2 {
  double x = 0.0;
  double y = 0.0;

  friend bool operator==(const Vector2&, const Vector2&) = default;
};

template <>
struct FieldTraits<Vector2> {
  static constexpr ScalarType kScalar = ScalarType::kDouble;
  static constexpr FieldShape kShape = FieldShape::kVector2;
  static constexpr uint32_t kCount = 2;
};

constexpr Vector2 operator+(Vector2 a, Vector2 b) {
  return {a.x + b.x, a.y + b.y};
}

constexpr Vector2 operator-(Vector2 a, Vector2 b) {
  return {a.x - b.x, a.y - b.y};
}

constexpr Vector2 operator-(Vector2 a) { return {-a.x, -a.y}; }

constexpr Vector2 operator*(Vector2 a, double factor) {
  return {a.x * factor, a.y * factor};
}

constexpr Vector2 operator*(double factor, Vector2 a) { return a * factor; }

constexpr Vector2 operator/(Vector2 a, double divisor) {
  return {a.x / divisor, a.y / divisor};
}

constexpr double Dot(Vector2 a, Vector2 b) { return a.x * b.x + a.y * b.y; }

// Above 0 where the shorter turn from a to b is counter-clockwise.
constexpr double Cross(Vector2 a, Vector2 b) { return a.x * b.y - a.y * b.x; }

// Returns `a` turned by a quarter, counter-clockwise.
constexpr Vector2 Perpendicular(Vector2 a) { return {-a.y, a.x}; }

constexpr double LengthSquared(Vector2 a) { return Dot(a, a); }

inline double Length(Vector2 a) { return Sqrt(Dot(a, a)); }

// Returns the vector of length 1 in the direction of `a`, also where the square
// of a's length would overflow or vanish. The zero vector, which has no
// direction, comes back as it is. REQUIRES: components are finite.
inline Vector2 Normalized(Vector2 a) {
  const double largest = Abs(a.x) > Abs(a.y) ? Abs(a.x) : Abs(a.y);
  if (largest == 0.0) return a;
  const Vector2 scaled = a / largest;
  return scaled / Length(scaled);
}

}  // namespace reprise::sim

#endif  // REPRISE_SIM_GEOMETRY_VECTOR2_H_
