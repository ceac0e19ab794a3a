// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/navigation/grid.h"

#include <algorithm>
#include <utility>

#include "sim/base/check.h"
#include "sim/base/math.h"

namespace reprise::sim {
namespace {

// The square of kDiagonalStepCost, halved: with it the straight line never
// costs more than the steps, though their diagonal is cut off.
constexpr uint64_t kLineSquared = kDiagonalStepCost * kDiagonalStepCost / 2;

// How far apart two numbers are.
constexpr uint64_t Apart(uint64_t a, uint64_t b) {
  return a > b ? a - b : b - a;
}

struct Cell {
  uint64_t column = 0;
  uint64_t row = 0;
};

uint64_t Octile(const Cell& from, const Cell& to) {
  const uint64_t columns = Apart(from.column, to.column);
  const uint64_t rows = Apart(from.row, to.row);
  const uint64_t diagonal = std::min(columns, rows);
  return kDiagonalStepCost * diagonal +
         kStraightStepCost * (std::max(columns, rows) - diagonal);
}

// In half cells, for odd rows lie half a cell further.
uint64_t HalvesApart(const Cell& from, const Cell& to) {
  return Apart(2 * from.column + from.row % 2, 2 * to.column + to.row % 2);
}

uint64_t Euclidean(const Cell& from, const Cell& to, bool is_hexagonal) {
  const uint64_t rows = Apart(from.row, to.row);
  if (is_hexagonal) {
    // Rows are the square root of 3/4 apart.
    const uint64_t halves = HalvesApart(from, to);
    const uint64_t quarter_squares = halves * halves + 3 * rows * rows;
    return IntegerSquareRoot(kStraightStepCost * kStraightStepCost / 4 *
                             quarter_squares);
  }
  const uint64_t columns = Apart(from.column, to.column);
  return IntegerSquareRoot(kLineSquared * (columns * columns + rows * rows));
}

// Each step to another row leads half a cell along, too.
uint64_t Hexagonal(const Cell& from, const Cell& to) {
  const uint64_t rows = Apart(from.row, to.row);
  const uint64_t halves = HalvesApart(from, to);
  return kStraightStepCost * (rows + (halves > rows ? (halves - rows) / 2 : 0));
}

}  // namespace

bool CanGuess(Heuristic heuristic, GridNeighbours neighbours) {
  switch (heuristic) {
    case Heuristic::kManhattan:
      return neighbours == GridNeighbours::kFour;
    case Heuristic::kOctile:
      return neighbours != GridNeighbours::kHexagonal;
    case Heuristic::kEuclidean:
      return true;
    case Heuristic::kHexagonal:
      return neighbours == GridNeighbours::kHexagonal;
  }
  return false;
}

Heuristic BestHeuristic(GridNeighbours neighbours) {
  switch (neighbours) {
    case GridNeighbours::kFour:
      return Heuristic::kManhattan;
    case GridNeighbours::kHexagonal:
      return Heuristic::kHexagonal;
    default:
      return Heuristic::kOctile;
  }
}

uint64_t IntegerSquareRoot(uint64_t value) {
  auto root = static_cast<uint64_t>(Sqrt(static_cast<double>(value)));
  // The conversion rounds where a value has more than 53 bits.
  root = std::min(root, uint64_t{0xffffffff});
  while (root * root > value) --root;
  while (root < 0xffffffff && (root + 1) * (root + 1) <= value) ++root;
  return root;
}

Grid::Grid(const GridShape& shape, std::vector<uint16_t> weights,
           uint16_t least_weight)
    : shape_(shape), least_weight_(least_weight), weights_(std::move(weights)) {
  CHECK(shape.columns >= 1 && shape.columns <= kGridSideMax, "{} columns",
        shape.columns);
  CHECK(shape.rows >= 1 && shape.rows <= kGridSideMax, "{} rows", shape.rows);
  CHECK(weights_.size() == shape.cell_count(), "{} weights", weights_.size());
  CHECK(least_weight >= 1);
  for (const uint16_t weight : weights_) CHECK(CanBe(weight), "{}", weight);
}

void Grid::SetWeight(uint32_t cell, uint16_t weight) {
  CHECK(cell < weights_.size(), "cell {}", cell);
  CHECK(CanBe(weight), "{}", weight);
  weights_[cell] = weight;
}

std::optional<uint64_t> Grid::StepCost(uint32_t from, uint32_t to) const {
  std::optional<uint64_t> found;
  ForEachStep(from, [&](uint32_t cell, uint64_t cost) {
    if (cell == to) found = cost;
  });
  return found;
}

uint64_t Grid::Guess(Heuristic heuristic, uint32_t from, uint32_t to) const {
  const Cell a = {from % shape_.columns, from / shape_.columns};
  const Cell b = {to % shape_.columns, to / shape_.columns};
  switch (heuristic) {
    case Heuristic::kManhattan:
      return least_weight_ * kStraightStepCost *
             (Apart(a.column, b.column) + Apart(a.row, b.row));
    case Heuristic::kOctile:
      return least_weight_ * Octile(a, b);
    case Heuristic::kEuclidean:
      return least_weight_ *
             Euclidean(a, b, shape_.neighbours == GridNeighbours::kHexagonal);
    case Heuristic::kHexagonal:
      return least_weight_ * Hexagonal(a, b);
  }
  return 0;
}

}  // namespace reprise::sim
