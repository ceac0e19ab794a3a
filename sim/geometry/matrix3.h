// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A 3 by 3 matrix of doubles, kept by rows: a rotation, or the orientation of a
// body as physics stores it. Each operation rounds exactly as written here, so
// the bits are the same everywhere.

#ifndef REPRISE_SIM_GEOMETRY_MATRIX3_H_
#define REPRISE_SIM_GEOMETRY_MATRIX3_H_

#include <array>
#include <cstdint>

#include "sim/base/field.h"
#include "sim/geometry/quaternion.h"
#include "sim/geometry/vector3.h"

namespace reprise::sim {

// The identity unless set otherwise.
struct Matrix3 {
  std::array<Vector3, 3> rows = {Vector3{1.0, 0.0, 0.0}, Vector3{0.0, 1.0, 0.0},
                                 Vector3{0.0, 0.0, 1.0}};

  friend bool operator==(const Matrix3&, const Matrix3&) = default;
};

template <>
struct FieldTraits<Matrix3> {
  static constexpr ScalarType kScalar = ScalarType::kDouble;
  static constexpr FieldShape kShape = FieldShape::kMatrix3;
  static constexpr uint32_t kCount = 9;
};

constexpr Matrix3 Transposed(const Matrix3& m) {
  return {{Vector3{m.rows[0].x, m.rows[1].x, m.rows[2].x},
           Vector3{m.rows[0].y, m.rows[1].y, m.rows[2].y},
           Vector3{m.rows[0].z, m.rows[1].z, m.rows[2].z}}};
}

constexpr Vector3 operator*(const Matrix3& m, Vector3 v) {
  return {Dot(m.rows[0], v), Dot(m.rows[1], v), Dot(m.rows[2], v)};
}

constexpr Matrix3 operator*(const Matrix3& a, const Matrix3& b) {
  const Matrix3 columns = Transposed(b);
  return {{columns * a.rows[0], columns * a.rows[1], columns * a.rows[2]}};
}

// Returns the matrix of the rotation `q`. REQUIRES: q has length 1.
constexpr Matrix3 ToMatrix3(Quaternion q) {
  const double xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
  const double xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
  const double wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
  return {{Vector3{1.0 - 2.0 * (yy + zz), 2.0 * (xy - wz), 2.0 * (xz + wy)},
           Vector3{2.0 * (xy + wz), 1.0 - 2.0 * (xx + zz), 2.0 * (yz - wx)},
           Vector3{2.0 * (xz - wy), 2.0 * (yz + wx), 1.0 - 2.0 * (xx + yy)}}};
}

// Returns the rotation of the matrix `m`, as a quaternion of length 1.
// REQUIRES: m is a rotation, up to rounding.
inline Quaternion ToQuaternion(const Matrix3& m) {
  const auto& [row_x, row_y, row_z] = m.rows;
  // Shepperd's method: built around a component that is not small, whatever
  // the rotation, so that nothing cancels.
  Quaternion q;
  if (row_x.x + row_y.y + row_z.z > 0.0) {
    q = {row_z.y - row_y.z, row_x.z - row_z.x, row_y.x - row_x.y,
         1.0 + (row_x.x + row_y.y + row_z.z)};
  } else if (row_x.x >= row_y.y && row_x.x >= row_z.z) {
    q = {1.0 + row_x.x - row_y.y - row_z.z, row_x.y + row_y.x,
         row_x.z + row_z.x, row_z.y - row_y.z};
  } else if (row_y.y >= row_z.z) {
    q = {row_x.y + row_y.x, 1.0 + row_y.y - row_x.x - row_z.z,
         row_y.z + row_z.y, row_x.z - row_z.x};
  } else {
    q = {row_x.z + row_z.x, row_y.z + row_z.y,
         1.0 + row_z.z - row_x.x - row_y.y, row_y.x - row_x.y};
  }
  return Normalized(q);
}

}  // namespace reprise::sim

#endif  // REPRISE_SIM_GEOMETRY_MATRIX3_H_
