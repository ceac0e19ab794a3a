// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/geometry/matrix4.h"

#include <array>
#include <cstddef>
#include <utility>

#include "sim/base/math.h"

namespace reprise::sim {
namespace {

// A pivot smaller than this part of its matrix's largest element is what
// rounding has left of zero.
constexpr double kPivotMin = 1e-15;

using Rows = std::array<std::array<double, 4>, 4>;

Rows ToRows(const Matrix4& m) {
  Rows rows;
  for (size_t i = 0; i < 4; ++i) {
    rows[i] = {m.rows[i].x, m.rows[i].y, m.rows[i].z, m.rows[i].w};
  }
  return rows;
}

double LargestOf(const Rows& rows) {
  double largest = 0.0;
  for (const auto& row : rows) {
    for (const double element : row) {
      if (Abs(element) > largest) largest = Abs(element);
    }
  }
  return largest;
}

}  // namespace

std::optional<Matrix4> Inverse(const Matrix4& m) {
  Rows left = ToRows(m);
  Rows right = ToRows(Matrix4{});
  const double pivot_min = kPivotMin * LargestOf(left);
  for (size_t column = 0; column < 4; ++column) {
    size_t pivot = column;
    for (size_t row = column + 1; row < 4; ++row) {
      if (Abs(left[row][column]) > Abs(left[pivot][column])) pivot = row;
    }
    // Written so that NaN fails too.
    if (!(Abs(left[pivot][column]) > pivot_min)) return std::nullopt;
    std::swap(left[pivot], left[column]);
    std::swap(right[pivot], right[column]);
    const double divisor = left[column][column];
    for (size_t i = 0; i < 4; ++i) {
      left[column][i] = left[column][i] / divisor;
      right[column][i] = right[column][i] / divisor;
    }
    for (size_t row = 0; row < 4; ++row) {
      if (row == column) continue;
      const double factor = left[row][column];
      for (size_t i = 0; i < 4; ++i) {
        left[row][i] = left[row][i] - factor * left[column][i];
        right[row][i] = right[row][i] - factor * right[column][i];
      }
    }
  }
  Matrix4 inverse;
  for (size_t i = 0; i < 4; ++i) {
    inverse.rows[i] = {right[i][0], right[i][1], right[i][2], right[i][3]};
  }
  return inverse;
}

}  // namespace reprise::sim
