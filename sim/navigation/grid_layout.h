// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Where the cells of a grid lie in the world: on the plane of x and z.

#ifndef REPRISE_SIM_NAVIGATION_GRID_LAYOUT_H_
#define REPRISE_SIM_NAVIGATION_GRID_LAYOUT_H_

#include <cstdint>

#include "sim/geometry/vector3.h"
#include "sim/navigation/grid.h"

namespace reprise::sim {

// Columns go along x, rows along z. Hexagons stand on a corner, and are
// `cell_size_m` wide.
struct GridLayout {
  // The corner of least x and z of the first cell, or of the box around it;
  // y is that of the ground.
  Vector3 origin;
  double cell_size_m = 1.0;

  // The centre of a cell.
  Vector3 CentreOf(const GridShape& shape, uint32_t cell) const;

  // The cell that a point lies in, whatever its y; a point on a border belongs
  // to the cell further along, one as close to several hexagons to the first.
  // kNoNode outside, and where the point is no number.
  uint32_t CellAt(const GridShape& shape, Vector3 point) const;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_NAVIGATION_GRID_LAYOUT_H_
