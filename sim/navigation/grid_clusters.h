// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A grid as it is seen from farther away: squares of cells, and the steps that
// lead from one to the next, so that a search over a large grid expands few
// nodes. What is known of a cluster follows from the cells of now alone.
//
// After Botea, Mueller and Schaeffer, "Near optimal hierarchical path-finding"
// (2004), but for two things: a crossing is kept for each two parts of clusters
// that touch, so grids full of holes have few and none is missing; and the way
// that is found this way only says which clusters to search, cell by cell.

#ifndef REPRISE_SIM_NAVIGATION_GRID_CLUSTERS_H_
#define REPRISE_SIM_NAVIGATION_GRID_CLUSTERS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sim/navigation/best_first_search.h"
#include "sim/navigation/grid.h"

namespace reprise::sim {

// Cells along one side of a cluster.
inline constexpr uint32_t kClusterSideMin = 8;
inline constexpr uint32_t kClusterSideMax = 64;

class GridClusters {
 public:
  // REQUIRES: kClusterSideMin <= side <= kClusterSideMax.
  GridClusters(const GridShape& shape, uint32_t side);

  // Clusters are numbered along the rows, as cells are.
  uint32_t count() const { return columns_ * rows_; }
  uint32_t ClusterOf(uint32_t cell) const {
    return cell / shape_.columns / side_ * columns_ +
           cell % shape_.columns / side_;
  }

  // Calls take(cluster) for one and those that it touches, ascending.
  template <typename Take>
  void ForEachAround(uint32_t cluster, const Take& take) const;

  // A cell isn't what it was.
  void Forget(uint32_t cell);

  // How many expansions it counts as to go on from an entrance, or across a
  // border: a fixed share of what finding the cluster may take, whether it is
  // known already or not.
  uint64_t Charge() const {
    return std::max<uint64_t>(uint64_t{side_} * side_ / kCellsPerCharge, 1);
  }
  // Whether a cell lies on the border of its cluster.
  bool IsOnBorder(uint32_t cell) const {
    const uint32_t column = cell % shape_.columns % side_;
    const uint32_t row = cell / shape_.columns % side_;
    return column == 0 || column == side_ - 1 || row == 0 || row == side_ - 1;
  }
  // Cells that have been expanded so far to find what is known: what this has
  // cost, for tests and benchmarks.
  uint64_t looked_at() const { return looked_at_; }

  // Calls take(cell, cost) for each way from an entrance of a cluster: through
  // the cluster to its other entrances, at what the cheapest way within it
  // costs, and by a step to the entrances of clusters beside it. Of other cells
  // there are none. The grid is that of all calls, as it is now.
  template <typename Take>
  void ForEachWay(const Grid& grid, uint32_t cell, const Take& take);
  // Whether a step from one cluster to another is one that ways lead along.
  bool IsCrossing(const Grid& grid, uint32_t from, uint32_t to);

 private:
  static constexpr uint64_t kNoWay = 0xffffffffffffffff;
  // Cells of a cluster that are as dear as one expansion. So the smaller ones
  // charge what a cell does.
  static constexpr uint64_t kCellsPerCharge = 256;

  // A step from a cluster to one beside it.
  struct Crossing {
    uint32_t from = 0;
    uint32_t to = 0;
    uint64_t cost = 0;
  };
  struct Cluster {
    bool is_known = false;
    std::vector<uint32_t> entrances;  // ascending
    // From each to each; empty where nobody has asked from there.
    std::vector<std::vector<uint64_t>> costs;
    std::vector<Crossing> crossings;  // ascending by `from`, then `to`
  };
  // What the cells of a cluster are connected to within it.
  struct Parts {
    bool is_known = false;
    std::vector<uint16_t> part_of;  // of each cell; walls have none
  };

  Cluster& KnownCluster(const Grid& grid, uint32_t index);
  const Parts& KnownParts(const Grid& grid, uint32_t index);
  void FindCrossings(const Grid& grid, uint32_t index, Cluster& cluster);
  // From one entrance of a cluster to all of them.
  void FindCosts(const Grid& grid, uint32_t index, size_t entrance,
                 Cluster& cluster);
  // The number of a cell within its cluster.
  uint32_t LocalOf(uint32_t cell) const {
    return cell / shape_.columns % side_ * side_ +
           cell % shape_.columns % side_;
  }
  // The cells of one cluster as a grid of their own, of which `above` come
  // before the first: hexagons lie as their row does, odd or even.
  struct LocalGrid {
    uint32_t cluster = 0;
    uint32_t above = 0;
    Grid grid;
  };
  const LocalGrid& LocalGridOf(const Grid& grid, uint32_t cluster);
  // Calls take(cell) for each cell of a cluster, ascending.
  template <typename Take>
  void ForEachCell(uint32_t cluster, const Take& take) const;

  GridShape shape_;
  uint32_t side_;
  uint32_t columns_;  // of clusters
  uint32_t rows_;
  // Made when somebody asks. Whether they are there already differs after a
  // restore, so nothing may depend on that.
  std::vector<Cluster> clusters_;
  std::vector<Parts> parts_;
  std::optional<LocalGrid> local_;  // of the last cluster
  uint64_t looked_at_ = 0;
  BestFirstSearch search_;
};

// What a search asks that looks for a way from cluster to cluster. In the
// clusters of the start and the goal it goes from cell to cell.
class ClusterSpace {
 public:
  // All outlive this.
  ClusterSpace(const Grid& grid, GridClusters& clusters, Heuristic heuristic,
               uint32_t start, uint32_t goal);

  uint32_t node_count() const { return grid_.node_count(); }
  template <typename Take>
  void ForEachStep(uint32_t node, const Take& take) const;
  uint64_t Guess(uint32_t node, uint32_t goal) const {
    return grid_.Guess(heuristic_, node, goal);
  }
  uint64_t ChargeOf(uint32_t node) const {
    return IsFine(node) && !clusters_.IsOnBorder(node) ? 1 : clusters_.Charge();
  }

 private:
  bool IsFine(uint32_t cell) const;

  const Grid& grid_;
  GridClusters& clusters_;
  Heuristic heuristic_;
  std::vector<uint32_t> fine_;  // clusters with all their cells; few
};

// The clusters that nodes of a ClusterSpace lie in, and those around the first
// and the last node, so that short paths aren't squeezed; ascending.
std::vector<uint32_t> ClustersOfWay(const GridClusters& clusters,
                                    std::span<const uint32_t> nodes);

// What a search asks that goes from cell to cell in some clusters.
class CorridorSpace {
 public:
  // Grid and clusters outlive this. REQUIRES: each is below clusters.count().
  CorridorSpace(const Grid& grid, const GridClusters& clusters,
                Heuristic heuristic, std::span<const uint32_t> corridor);

  uint32_t node_count() const { return grid_.node_count(); }
  template <typename Take>
  void ForEachStep(uint32_t node, const Take& take) const {
    grid_.ForEachStep(node, [&](uint32_t to, uint64_t cost) {
      if (is_inside_[clusters_.ClusterOf(to)]) take(to, cost);
    });
  }
  uint64_t Guess(uint32_t node, uint32_t goal) const {
    return grid_.Guess(heuristic_, node, goal);
  }

 private:
  const Grid& grid_;
  const GridClusters& clusters_;
  Heuristic heuristic_;
  std::vector<bool> is_inside_;
};

template <typename Take>
void GridClusters::ForEachAround(uint32_t cluster, const Take& take) const {
  const uint32_t column = cluster % columns_;
  const uint32_t row = cluster / columns_;
  for (uint32_t r = row - std::min(row, 1u); r <= std::min(row + 1, rows_ - 1);
       ++r) {
    for (uint32_t c = column - std::min(column, 1u);
         c <= std::min(column + 1, columns_ - 1); ++c) {
      take(r * columns_ + c);
    }
  }
}

template <typename Take>
void GridClusters::ForEachWay(const Grid& grid, uint32_t cell,
                              const Take& take) {
  const uint32_t index = ClusterOf(cell);
  Cluster& cluster = KnownCluster(grid, index);
  const auto found = std::ranges::lower_bound(cluster.entrances, cell);
  if (found == cluster.entrances.end() || *found != cell) return;
  const auto own = static_cast<size_t>(found - cluster.entrances.begin());
  if (cluster.costs[own].empty()) FindCosts(grid, index, own, cluster);
  for (size_t i = 0; i < cluster.entrances.size(); ++i) {
    const uint64_t cost = cluster.costs[own][i];
    if (i != own && cost != kNoWay) take(cluster.entrances[i], cost);
  }
  auto crossing =
      std::ranges::lower_bound(cluster.crossings, cell, {}, &Crossing::from);
  for (; crossing != cluster.crossings.end() && crossing->from == cell;
       ++crossing) {
    take(crossing->to, crossing->cost);
  }
}

template <typename Take>
void ClusterSpace::ForEachStep(uint32_t node, const Take& take) const {
  if (!IsFine(node)) {
    clusters_.ForEachWay(grid_, node, take);
    return;
  }
  grid_.ForEachStep(node, [&](uint32_t to, uint64_t cost) {
    if (IsFine(to) || clusters_.IsCrossing(grid_, node, to)) take(to, cost);
  });
}

}  // namespace reprise::sim

#endif  // REPRISE_SIM_NAVIGATION_GRID_CLUSTERS_H_
