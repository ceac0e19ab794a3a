// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Grids of cells that agents walk on: squares with four or eight neighbours, or
// hexagons. A cell is a wall or has a weight, and a step costs whole numbers,
// so that the cheapest way is the same on every machine.

#ifndef REPRISE_SIM_NAVIGATION_GRID_H_
#define REPRISE_SIM_NAVIGATION_GRID_H_

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace reprise::sim {

// What a step into a cell of weight 1 costs: thousandths of a cell. The
// diagonal is the square root of 2, cut off.
inline constexpr uint64_t kStraightStepCost = 1000;
inline constexpr uint64_t kDiagonalStepCost = 1414;

// Weights of cells. A way through all cells of the largest grid at the largest
// weight stays far below 2^64.
inline constexpr uint16_t kWallWeight = 0;
inline constexpr uint16_t kCellWeightMax = 1000;

// Cells along one side.
inline constexpr uint32_t kGridSideMax = 4096;

// Where one step leads. Eight neighbours differ in what a diagonal step asks of
// the two cells beside it.
enum class GridNeighbours : uint8_t {
  kFour = 0,
  kEightBothOpen = 1,  // both are no walls: corners aren't cut
  kEightOneOpen = 2,   // one at least is no wall
  kEightFree = 3,      // nothing
  // Six; the cells of odd rows lie half a cell further along the row.
  kHexagonal = 4,
};

// What is guessed of the cost from a cell to the goal, never more than it is
// where CanGuess says so.
enum class Heuristic : uint8_t {
  kManhattan = 0,
  kOctile = 1,
  kEuclidean = 2,
  kHexagonal = 3,
};

// Whether the guess is admissible and consistent on such a grid.
bool CanGuess(Heuristic heuristic, GridNeighbours neighbours);

// The closest of those that can.
Heuristic BestHeuristic(GridNeighbours neighbours);

// The square root, cut off. Exact for all values.
uint64_t IntegerSquareRoot(uint64_t value);

struct GridShape {
  uint32_t columns = 1;  // 1 to kGridSideMax
  uint32_t rows = 1;     // 1 to kGridSideMax
  GridNeighbours neighbours = GridNeighbours::kFour;

  uint32_t cell_count() const { return columns * rows; }

  friend bool operator==(const GridShape&, const GridShape&) = default;
};

// Cells are numbered along the rows: row * columns + column.
class Grid {
 public:
  // `least_weight` is a bound below all weights that the grid ever has but
  // walls. REQUIRES: sides are in range; a weight for each cell, each a wall or
  // within least_weight, at least 1, and kCellWeightMax.
  Grid(const GridShape& shape, std::vector<uint16_t> weights,
       uint16_t least_weight);

  const GridShape& shape() const { return shape_; }
  uint16_t least_weight() const { return least_weight_; }
  uint32_t node_count() const { return shape_.cell_count(); }
  uint16_t weight(uint32_t cell) const { return weights_[cell]; }
  bool is_open(uint32_t cell) const { return weights_[cell] != kWallWeight; }

  // Whether a cell may get this weight.
  bool CanBe(uint64_t weight) const {
    return weight == kWallWeight ||
           (weight >= least_weight_ && weight <= kCellWeightMax);
  }
  // REQUIRES: the cell is there, and CanBe(weight).
  void SetWeight(uint32_t cell, uint16_t weight);

  // Calls take(cell, cost) for each step out of `from`, in ascending order of
  // cells. A wall has steps out of it, and none into it.
  template <typename Take>
  void ForEachStep(uint32_t from, const Take& take) const;

  // Calls take(cell, cost) for each open cell with a step into `to`, which is
  // open, and what that costs.
  template <typename Take>
  void ForEachStepInto(uint32_t to, const Take& take) const;

  // The cost of one step; nullopt where there is none.
  std::optional<uint64_t> StepCost(uint32_t from, uint32_t to) const;

  // A guess of the cost from one cell to another.
  uint64_t Guess(Heuristic heuristic, uint32_t from, uint32_t to) const;

 private:
  struct Offset {
    int8_t column = 0;
    int8_t row = 0;
  };

  // Calls take(cell, length) for each cell that a step may lead to, open or
  // not.
  template <typename Take>
  void ForEachNeighbour(uint32_t cell, const Take& take) const;
  bool AllowsDiagonal(uint32_t beside_a, uint32_t beside_b) const;

  // All in ascending order of cells.
  static constexpr std::array<Offset, 4> kFourOffsets = {
      {{0, -1}, {-1, 0}, {1, 0}, {0, 1}}};
  static constexpr std::array<Offset, 8> kEightOffsets = {
      {{-1, -1}, {0, -1}, {1, -1}, {-1, 0}, {1, 0}, {-1, 1}, {0, 1}, {1, 1}}};
  static constexpr std::array<Offset, 6> kEvenRowOffsets = {
      {{-1, -1}, {0, -1}, {-1, 0}, {1, 0}, {-1, 1}, {0, 1}}};
  static constexpr std::array<Offset, 6> kOddRowOffsets = {
      {{0, -1}, {1, -1}, {-1, 0}, {1, 0}, {0, 1}, {1, 1}}};

  GridShape shape_;
  uint16_t least_weight_;
  std::vector<uint16_t> weights_;
};

// What a search asks of a grid.
class GridSpace {
 public:
  // `grid` outlives this.
  GridSpace(const Grid& grid, Heuristic heuristic)
      : grid_(grid), heuristic_(heuristic) {}

  uint32_t node_count() const { return grid_.node_count(); }
  template <typename Take>
  void ForEachStep(uint32_t node, const Take& take) const {
    grid_.ForEachStep(node, take);
  }
  uint64_t Guess(uint32_t node, uint32_t goal) const {
    return grid_.Guess(heuristic_, node, goal);
  }

 private:
  const Grid& grid_;
  Heuristic heuristic_;
};

template <typename Take>
void Grid::ForEachNeighbour(uint32_t cell, const Take& take) const {
  const auto column = static_cast<int32_t>(cell % shape_.columns);
  const auto row = static_cast<int32_t>(cell / shape_.columns);
  const auto columns = static_cast<int32_t>(shape_.columns);
  const auto rows = static_cast<int32_t>(shape_.rows);
  const auto visit = [&](const Offset& offset) {
    const int32_t to_column = column + offset.column;
    const int32_t to_row = row + offset.row;
    if (to_column < 0 || to_column >= columns || to_row < 0 || to_row >= rows) {
      return;
    }
    const auto to = static_cast<uint32_t>(to_row * columns + to_column);
    const bool is_diagonal = offset.column != 0 && offset.row != 0 &&
                             shape_.neighbours != GridNeighbours::kHexagonal;
    if (!is_diagonal) {
      take(to, kStraightStepCost);
      return;
    }
    if (AllowsDiagonal(static_cast<uint32_t>(row * columns + to_column),
                       static_cast<uint32_t>(to_row * columns + column))) {
      take(to, kDiagonalStepCost);
    }
  };
  if (shape_.neighbours == GridNeighbours::kFour) {
    for (const Offset& offset : kFourOffsets) visit(offset);
  } else if (shape_.neighbours != GridNeighbours::kHexagonal) {
    for (const Offset& offset : kEightOffsets) visit(offset);
  } else if (row % 2 == 0) {
    for (const Offset& offset : kEvenRowOffsets) visit(offset);
  } else {
    for (const Offset& offset : kOddRowOffsets) visit(offset);
  }
}

inline bool Grid::AllowsDiagonal(uint32_t beside_a, uint32_t beside_b) const {
  switch (shape_.neighbours) {
    case GridNeighbours::kEightBothOpen:
      return is_open(beside_a) && is_open(beside_b);
    case GridNeighbours::kEightOneOpen:
      return is_open(beside_a) || is_open(beside_b);
    default:
      return true;
  }
}

template <typename Take>
void Grid::ForEachStep(uint32_t from, const Take& take) const {
  ForEachNeighbour(from, [&](uint32_t to, uint64_t length) {
    if (is_open(to)) take(to, weights_[to] * length);
  });
}

template <typename Take>
void Grid::ForEachStepInto(uint32_t to, const Take& take) const {
  const uint64_t weight = weights_[to];
  ForEachNeighbour(to, [&](uint32_t from, uint64_t length) {
    if (is_open(from)) take(from, weight * length);
  });
}

}  // namespace reprise::sim

#endif  // REPRISE_SIM_NAVIGATION_GRID_H_
