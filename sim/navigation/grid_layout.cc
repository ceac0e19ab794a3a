// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/navigation/grid_layout.h"

#include "sim/base/math.h"
#include "sim/navigation/best_first_search.h"

namespace reprise::sim {
namespace {

// The distance of two rows of hexagons of width 1: the square root of 3/4.
constexpr double kHexagonRow = 0.86602540378443864676;
// From the centre of a hexagon of width 1 to its corner: the root of 1/3.
constexpr double kHexagonCorner = 0.57735026918962576451;

// Of a cell of size 1, from the origin.
Vector3 UnitCentre(const GridShape& shape, uint32_t column, uint32_t row) {
  if (shape.neighbours != GridNeighbours::kHexagonal) {
    return {column + 0.5, 0.0, row + 0.5};
  }
  return {column + (row % 2 == 0 ? 0.5 : 1.0), 0.0,
          kHexagonCorner + row * kHexagonRow};
}

// The nearest of the hexagons around a point of cells of size 1.
uint32_t HexagonAt(const GridShape& shape, double x, double z) {
  const double row_guess = Floor((z - kHexagonCorner) / kHexagonRow);
  uint32_t nearest = kNoNode;
  // Nothing is farther from the centre of its cell than a corner.
  double least = kHexagonCorner * kHexagonCorner * (1.0 + 1e-9);
  for (double row = row_guess - 1.0; row <= row_guess + 2.0; row += 1.0) {
    if (!(row >= 0.0 && row < shape.rows)) continue;
    const bool is_odd = static_cast<uint32_t>(row) % 2 == 1;
    const double column_guess = Floor(is_odd ? x - 0.5 : x);
    for (double column = column_guess - 1.0; column <= column_guess + 1.0;
         column += 1.0) {
      if (!(column >= 0.0 && column < shape.columns)) continue;
      const Vector3 centre = UnitCentre(shape, static_cast<uint32_t>(column),
                                        static_cast<uint32_t>(row));
      const double squared =
          (x - centre.x) * (x - centre.x) + (z - centre.z) * (z - centre.z);
      if (squared >= least) continue;
      least = squared;
      nearest = static_cast<uint32_t>(row) * shape.columns +
                static_cast<uint32_t>(column);
    }
  }
  if (nearest == kNoNode) return kNoNode;
  // Beside the grid, a point may be close to the outermost cells without being
  // in one of them; a hexagon reaches half its width along the row.
  const Vector3 centre =
      UnitCentre(shape, nearest % shape.columns, nearest / shape.columns);
  return Abs(x - centre.x) <= 0.5 ? nearest : kNoNode;
}

}  // namespace

Vector3 GridLayout::CentreOf(const GridShape& shape, uint32_t cell) const {
  return origin + cell_size_m * UnitCentre(shape, cell % shape.columns,
                                           cell / shape.columns);
}

uint32_t GridLayout::CellAt(const GridShape& shape, Vector3 point) const {
  const double x = (point.x - origin.x) / cell_size_m;
  const double z = (point.z - origin.z) / cell_size_m;
  // What is no number is neither.
  if (!(x >= 0.0 && x <= kGridSideMax + 1.0 && z >= 0.0 &&
        z <= kGridSideMax + 1.0)) {
    return kNoNode;
  }
  if (shape.neighbours == GridNeighbours::kHexagonal) {
    return HexagonAt(shape, x, z);
  }
  const auto column = static_cast<uint32_t>(x);
  const auto row = static_cast<uint32_t>(z);
  if (column >= shape.columns || row >= shape.rows) return kNoNode;
  return row * shape.columns + column;
}

}  // namespace reprise::sim
