// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/navigation/grid_clusters.h"

#include <tuple>
#include <utility>

#include "sim/base/check.h"

namespace reprise::sim {
namespace {

// Of so many steps between two parts of clusters one is a crossing. Fewer make
// the search over clusters cheaper, more its ways better.
constexpr size_t kStepsPerCrossing = 16;

// A step from the cluster with the lower number to the other one.
struct BorderStep {
  uint32_t cluster = 0;  // the one beside
  uint32_t lower_part = 0;
  uint32_t upper_part = 0;
  uint32_t lower = 0;  // cells
  uint32_t upper = 0;

  auto parts() const { return std::tuple(cluster, lower_part, upper_part); }
  auto key() const {
    return std::tuple(cluster, lower_part, upper_part, lower, upper);
  }
};

// Of some steps the one between the lightest cells, of these the nearest to
// the middle.
const BorderStep& BestOf(const Grid& grid, std::span<const BorderStep> steps) {
  const size_t middle = steps.size() / 2;
  const auto worth = [&](size_t i) {
    const uint32_t weight =
        uint32_t{grid.weight(steps[i].lower)} + grid.weight(steps[i].upper);
    return std::tuple(weight, i > middle ? i - middle : middle - i, i);
  };
  size_t best = 0;
  for (size_t i = 1; i < steps.size(); ++i) {
    if (worth(i) < worth(best)) best = i;
  }
  return steps[best];
}

// A grid from one cell to all others.
struct AllSpace {
  const Grid& grid;

  uint32_t node_count() const { return grid.node_count(); }
  template <typename Take>
  void ForEachStep(uint32_t node, const Take& take) const {
    grid.ForEachStep(node, take);
  }
  // Nobody asks: there is no place to get to.
  uint64_t Guess(uint32_t, uint32_t) const { return 0; }
};

}  // namespace

GridClusters::GridClusters(const GridShape& shape, uint32_t side)
    : shape_(shape),
      side_(side),
      columns_((shape.columns + side - 1) / side),
      rows_((shape.rows + side - 1) / side),
      clusters_(columns_ * rows_),
      parts_(columns_ * rows_) {
  CHECK(side >= kClusterSideMin && side <= kClusterSideMax, "{}", side);
}

void GridClusters::Forget(uint32_t cell) {
  const uint32_t cluster = ClusterOf(cell);
  parts_[cluster].is_known = false;
  if (local_.has_value() && local_->cluster == cluster) local_.reset();
  // Crossings follow from the cells on both sides, and corners have diagonals.
  ForEachAround(cluster,
                [&](uint32_t near) { clusters_[near].is_known = false; });
}

template <typename Take>
void GridClusters::ForEachCell(uint32_t cluster, const Take& take) const {
  const uint32_t first_column = cluster % columns_ * side_;
  const uint32_t first_row = cluster / columns_ * side_;
  const uint32_t end_column = std::min(first_column + side_, shape_.columns);
  const uint32_t end_row = std::min(first_row + side_, shape_.rows);
  for (uint32_t row = first_row; row < end_row; ++row) {
    for (uint32_t column = first_column; column < end_column; ++column) {
      take(row * shape_.columns + column);
    }
  }
}

const GridClusters::LocalGrid& GridClusters::LocalGridOf(const Grid& grid,
                                                         uint32_t cluster) {
  if (local_.has_value() && local_->cluster == cluster) return *local_;
  const bool has_odd_row = shape_.neighbours == GridNeighbours::kHexagonal &&
                           cluster / columns_ * side_ % 2 != 0;
  const uint32_t above = has_odd_row ? side_ : 0;
  std::vector<uint16_t> weights(above + side_ * side_, kWallWeight);
  ForEachCell(cluster, [&](uint32_t cell) {
    weights[above + LocalOf(cell)] = grid.weight(cell);
  });
  const GridShape shape = {.columns = side_,
                           .rows = side_ + (has_odd_row ? 1 : 0),
                           .neighbours = shape_.neighbours};
  local_.emplace(
      LocalGrid{.cluster = cluster,
                .above = above,
                .grid = Grid(shape, std::move(weights), grid.least_weight())});
  return *local_;
}

bool GridClusters::IsCrossing(const Grid& grid, uint32_t from, uint32_t to) {
  const Cluster& cluster = KnownCluster(grid, ClusterOf(from));
  const auto key = [](const Crossing& crossing) {
    return std::pair(crossing.from, crossing.to);
  };
  return std::ranges::binary_search(cluster.crossings, std::pair(from, to), {},
                                    key);
}

GridClusters::Cluster& GridClusters::KnownCluster(const Grid& grid,
                                                  uint32_t index) {
  Cluster& cluster = clusters_[index];
  if (cluster.is_known) return cluster;
  cluster = {.is_known = true};
  FindCrossings(grid, index, cluster);
  cluster.costs.resize(cluster.entrances.size());
  return cluster;
}

const GridClusters::Parts& GridClusters::KnownParts(const Grid& grid,
                                                    uint32_t index) {
  Parts& parts = parts_[index];
  if (parts.is_known) return parts;
  constexpr uint16_t kNone = 0xffff;
  parts.is_known = true;
  parts.part_of.assign(side_ * side_, kNone);
  const LocalGrid& local = LocalGridOf(grid, index);
  uint16_t count = 0;
  std::vector<uint32_t> waiting;
  for (uint32_t first = 0; first < side_ * side_; ++first) {
    if (!local.grid.is_open(local.above + first) ||
        parts.part_of[first] != kNone) {
      continue;
    }
    const uint16_t part = count++;
    parts.part_of[first] = part;
    waiting.push_back(first);
    while (!waiting.empty()) {
      const uint32_t cell = waiting.back();
      waiting.pop_back();
      ++looked_at_;
      local.grid.ForEachStep(local.above + cell, [&](uint32_t to, uint64_t) {
        uint16_t& known = parts.part_of[to - local.above];
        if (known != kNone) return;
        known = part;
        waiting.push_back(to - local.above);
      });
    }
  }
  return parts;
}

void GridClusters::FindCrossings(const Grid& grid, uint32_t index,
                                 Cluster& cluster) {
  std::vector<BorderStep> steps;
  ForEachCell(index, [&](uint32_t cell) {
    if (!grid.is_open(cell)) return;
    if (!IsOnBorder(cell)) return;
    ++looked_at_;
    const uint32_t local = LocalOf(cell);
    grid.ForEachStep(cell, [&](uint32_t to, uint64_t) {
      const uint32_t beside = ClusterOf(to);
      if (beside == index) return;
      BorderStep step = {
          .cluster = beside,
          .lower_part = KnownParts(grid, index).part_of[local],
          .upper_part = KnownParts(grid, beside).part_of[LocalOf(to)],
          .lower = cell,
          .upper = to};
      // Both clusters see a border the same way round, and choose alike.
      if (beside < index) {
        std::swap(step.lower_part, step.upper_part);
        std::swap(step.lower, step.upper);
      }
      steps.push_back(step);
    });
  });
  // A total order: no step is there twice.
  std::ranges::sort(steps, {}, &BorderStep::key);
  for (size_t first = 0; first < steps.size();) {
    size_t end = first;
    while (end < steps.size() && steps[end].parts() == steps[first].parts()) {
      ++end;
    }
    const size_t count = end - first;
    const size_t kept = (count + kStepsPerCrossing - 1) / kStepsPerCrossing;
    for (size_t i = 0; i < kept; ++i) {
      const size_t from = first + i * count / kept;
      const size_t to = first + (i + 1) * count / kept;
      const BorderStep& step =
          BestOf(grid, std::span(steps).subspan(from, to - from));
      const bool is_lower = index < step.cluster;
      const uint32_t own = is_lower ? step.lower : step.upper;
      const uint32_t other = is_lower ? step.upper : step.lower;
      cluster.entrances.push_back(own);
      cluster.crossings.push_back({.from = own,
                                   .to = other,
                                   .cost = grid.StepCost(own, other).value()});
    }
    first = end;
  }
  // A total order: no step is there twice.
  std::ranges::sort(cluster.crossings, {}, [](const Crossing& crossing) {
    return std::pair(crossing.from, crossing.to);
  });
  // A total order: equal cells are the same.
  std::ranges::sort(cluster.entrances);
  cluster.entrances.erase(
      std::unique(cluster.entrances.begin(), cluster.entrances.end()),
      cluster.entrances.end());
}

void GridClusters::FindCosts(const Grid& grid, uint32_t index, size_t entrance,
                             Cluster& cluster) {
  const LocalGrid& local = LocalGridOf(grid, index);
  const auto local_of = [&](uint32_t cell) {
    return local.above + LocalOf(cell);
  };
  uint64_t budget = local.grid.node_count();
  search_.Begin(local.grid.node_count(), local_of(cluster.entrances[entrance]),
                kNoNode, SearchPolicy::kDijkstra);
  search_.Advance(AllSpace{local.grid}, budget);
  looked_at_ += search_.spent();
  std::vector<uint64_t>& costs = cluster.costs[entrance];
  costs.assign(cluster.entrances.size(), kNoWay);
  std::vector<uint64_t> cost_to(local.grid.node_count(), kNoWay);
  for (const ReachedNode& each : search_.reached()) {
    cost_to[each.node] = each.cost;
  }
  for (size_t i = 0; i < costs.size(); ++i) {
    costs[i] = cost_to[local_of(cluster.entrances[i])];
  }
}

ClusterSpace::ClusterSpace(const Grid& grid, GridClusters& clusters,
                           Heuristic heuristic, uint32_t start, uint32_t goal)
    : grid_(grid),
      clusters_(clusters),
      heuristic_(heuristic),
      fine_({clusters.ClusterOf(start), clusters.ClusterOf(goal)}) {
  if (grid.is_open(start)) return;
  // No way leads through a wall, but one that stands in it steps out of it.
  grid.ForEachStep(start, [&](uint32_t to, uint64_t) {
    fine_.push_back(clusters.ClusterOf(to));
  });
}

bool ClusterSpace::IsFine(uint32_t cell) const {
  return std::ranges::find(fine_, clusters_.ClusterOf(cell)) != fine_.end();
}

std::vector<uint32_t> ClustersOfWay(const GridClusters& clusters,
                                    std::span<const uint32_t> nodes) {
  CHECK(!nodes.empty());
  std::vector<uint32_t> found;
  for (const uint32_t node : nodes) found.push_back(clusters.ClusterOf(node));
  for (const uint32_t end : {found.front(), found.back()}) {
    clusters.ForEachAround(end, [&](uint32_t near) { found.push_back(near); });
  }
  // A total order: equal numbers are the same.
  std::ranges::sort(found);
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

CorridorSpace::CorridorSpace(const Grid& grid, const GridClusters& clusters,
                             Heuristic heuristic,
                             std::span<const uint32_t> corridor)
    : grid_(grid),
      clusters_(clusters),
      heuristic_(heuristic),
      is_inside_(clusters.count()) {
  for (const uint32_t cluster : corridor) is_inside_[cluster] = true;
}

}  // namespace reprise::sim
