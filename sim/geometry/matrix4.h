// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A 4 by 4 matrix of doubles, kept by rows, for what a Transform can't say:
// scale, and the projections of cameras. It multiplies columns, as Matrix3
// does: m * v, and a * b is b followed by a. Books that write v * m print the
// transposes.

#ifndef REPRISE_SIM_GEOMETRY_MATRIX4_H_
#define REPRISE_SIM_GEOMETRY_MATRIX4_H_

#include <array>
#include <optional>

#include "sim/geometry/matrix3.h"
#include "sim/geometry/transform.h"
#include "sim/geometry/vector3.h"

namespace reprise::sim {

// A point when w is 1, a direction when it is 0, and something to be divided by
// w after a projection.
struct Vector4 {
  double x = 0.0;
  double y = 0.0;
  double z = 0.0;
  double w = 0.0;

  friend bool operator==(const Vector4&, const Vector4&) = default;
};

constexpr Vector4 PointOf(Vector3 a) { return {a.x, a.y, a.z, 1.0}; }
constexpr Vector4 DirectionOf(Vector3 a) { return {a.x, a.y, a.z, 0.0}; }
constexpr Vector3 ToVector3(Vector4 a) { return {a.x, a.y, a.z}; }

constexpr double Dot(Vector4 a, Vector4 b) {
  return ((a.x * b.x + a.y * b.y) + a.z * b.z) + a.w * b.w;
}

// The identity unless set otherwise.
struct Matrix4 {
  std::array<Vector4, 4> rows = {
      Vector4{1.0, 0.0, 0.0, 0.0}, Vector4{0.0, 1.0, 0.0, 0.0},
      Vector4{0.0, 0.0, 1.0, 0.0}, Vector4{0.0, 0.0, 0.0, 1.0}};

  friend bool operator==(const Matrix4&, const Matrix4&) = default;
};

constexpr Matrix4 Transposed(const Matrix4& m) {
  const auto& [a, b, c, d] = m.rows;
  return {{Vector4{a.x, b.x, c.x, d.x}, Vector4{a.y, b.y, c.y, d.y},
           Vector4{a.z, b.z, c.z, d.z}, Vector4{a.w, b.w, c.w, d.w}}};
}

constexpr Vector4 operator*(const Matrix4& m, Vector4 v) {
  return {Dot(m.rows[0], v), Dot(m.rows[1], v), Dot(m.rows[2], v),
          Dot(m.rows[3], v)};
}

constexpr Matrix4 operator*(const Matrix4& a, const Matrix4& b) {
  const Matrix4 columns = Transposed(b);
  return {{columns * a.rows[0], columns * a.rows[1], columns * a.rows[2],
           columns * a.rows[3]}};
}

// Componentwise.
constexpr Matrix4 ScaleMatrix(Vector3 factors) {
  Matrix4 m;
  m.rows[0].x = factors.x;
  m.rows[1].y = factors.y;
  m.rows[2].z = factors.z;
  return m;
}

constexpr Matrix4 TranslationMatrix(Vector3 offset) {
  Matrix4 m;
  m.rows[0].w = offset.x;
  m.rows[1].w = offset.y;
  m.rows[2].w = offset.z;
  return m;
}

constexpr Matrix4 ToMatrix4(const Matrix3& m) {
  return {{DirectionOf(m.rows[0]), DirectionOf(m.rows[1]),
           DirectionOf(m.rows[2]), Vector4{0.0, 0.0, 0.0, 1.0}}};
}

// Returns the world matrix of a thing that is first scaled by `scale`, then
// turned, then moved: eight numbers that say all of it.
constexpr Matrix4 ToMatrix4(const Transform& t, double scale = 1.0) {
  Matrix4 m = ToMatrix4(ToMatrix3(t.rotation)) *
              ScaleMatrix(Vector3{scale, scale, scale});
  m.rows[0].w = t.position.x;
  m.rows[1].w = t.position.y;
  m.rows[2].w = t.position.z;
  return m;
}

// Returns the matrix that undoes `m`, by Gauss and Jordan with the largest
// pivots; nullopt when it has none, to within rounding.
std::optional<Matrix4> Inverse(const Matrix4& m);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_GEOMETRY_MATRIX4_H_
