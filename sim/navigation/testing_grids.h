// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Grids for tests and benchmarks, and a search that is nothing but its
// definition.

#ifndef REPRISE_SIM_NAVIGATION_TESTING_GRIDS_H_
#define REPRISE_SIM_NAVIGATION_TESTING_GRIDS_H_

#include <array>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/base/random.h"
#include "sim/navigation/grid.h"

namespace reprise::sim {

inline constexpr std::array kAllNeighbours = {
    GridNeighbours::kFour, GridNeighbours::kEightBothOpen,
    GridNeighbours::kEightOneOpen, GridNeighbours::kEightFree,
    GridNeighbours::kHexagonal};

inline constexpr std::array kAllHeuristics = {
    Heuristic::kManhattan, Heuristic::kOctile, Heuristic::kEuclidean,
    Heuristic::kHexagonal};

// '#' is a wall, '.' weighs 1, a digit itself.
inline Grid MakeGrid(const std::vector<std::string_view>& rows,
                     GridNeighbours neighbours) {
  std::vector<uint16_t> weights;
  for (const std::string_view row : rows) {
    for (const char cell : row) {
      weights.push_back(cell == '#'   ? kWallWeight
                        : cell == '.' ? uint16_t{1}
                                      : static_cast<uint16_t>(cell - '0'));
    }
  }
  return Grid({.columns = static_cast<uint32_t>(rows[0].size()),
               .rows = static_cast<uint32_t>(rows.size()),
               .neighbours = neighbours},
              std::move(weights), 1);
}

// Of each hundred cells `walls` are walls; the others weigh least_weight to
// weight_max.
inline Grid RandomGrid(const GridShape& shape, uint64_t walls,
                       uint16_t least_weight, uint16_t weight_max,
                       RandomStream& stream) {
  std::vector<uint16_t> weights(shape.cell_count());
  for (uint16_t& weight : weights) {
    if (NextBelow(stream, 100) < walls) continue;
    weight =
        static_cast<uint16_t>(NextInRange(stream, least_weight, weight_max));
  }
  return Grid(shape, std::move(weights), least_weight);
}

}  // namespace reprise::sim

#endif  // REPRISE_SIM_NAVIGATION_TESTING_GRIDS_H_
