// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/navigation/waypoint_graph.h"

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

#include "sim/base/check.h"
#include "sim/navigation/best_first_search.h"
#include "sim/navigation/length_costs.h"

namespace reprise::sim {
WaypointGraph::WaypointGraph(std::vector<Vector3> points,
                             std::span<const WaypointEdge> edges)
    : points_(std::move(points)) {
  CHECK(points_.size() <= kWaypointsMax, "{} points", points_.size());
  struct Way {
    uint32_t from;
    uint32_t to;
    uint64_t cost;
  };
  std::vector<Way> ways;
  for (const WaypointEdge& edge : edges) {
    CHECK(edge.from < points_.size() && edge.to < points_.size(), "{} to {}",
          edge.from, edge.to);
    if (edge.from == edge.to) continue;
    const double length = Length(points_[edge.to] - points_[edge.from]);
    ways.push_back({edge.from, edge.to, CostOfLength(length, edge.weight)});
  }
  // A total order: what is equal is the same.
  std::ranges::sort(ways, {}, [](const Way& way) {
    return std::tuple(way.from, way.to, way.cost);
  });
  first_step_.assign(points_.size() + 1, 0);
  for (size_t i = 0; i < ways.size(); ++i) {
    const bool is_dearer = i > 0 && ways[i - 1].from == ways[i].from &&
                           ways[i - 1].to == ways[i].to;
    if (is_dearer) continue;
    steps_.push_back({.to = ways[i].to, .cost = ways[i].cost});
    first_step_[ways[i].from + 1] = static_cast<uint32_t>(steps_.size());
  }
  for (size_t i = 1; i < first_step_.size(); ++i) {
    first_step_[i] = std::max(first_step_[i], first_step_[i - 1]);
  }
}

std::optional<uint64_t> WaypointGraph::StepCost(uint32_t from,
                                                uint32_t to) const {
  std::optional<uint64_t> found;
  ForEachStep(from, [&](uint32_t node, uint64_t cost) {
    if (node == to) found = cost;
  });
  return found;
}

uint64_t WaypointGraph::Guess(uint32_t from, uint32_t goal) const {
  return GuessOfLength(Length(points_[goal] - points_[from]));
}

uint32_t WaypointGraph::Nearest(Vector3 place) const {
  uint32_t nearest = kNoNode;
  double least = std::numeric_limits<double>::infinity();
  for (uint32_t node = 0; node < points_.size(); ++node) {
    const Vector3 way = points_[node] - place;
    const double squared = Dot(way, way);
    if (squared < least) {
      least = squared;
      nearest = node;
    }
  }
  return nearest;
}

}  // namespace reprise::sim
