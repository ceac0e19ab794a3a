// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Graphs of points in space with ways between them that somebody has listed or
// that follow from who sees whom.

#ifndef REPRISE_SIM_NAVIGATION_WAYPOINT_GRAPH_H_
#define REPRISE_SIM_NAVIGATION_WAYPOINT_GRAPH_H_

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sim/geometry/vector3.h"

namespace reprise::sim {

inline constexpr uint32_t kWaypointsMax = 4096;         // of one graph
inline constexpr uint32_t kWaypointEdgesMax = 1 << 17;  // of one graph
inline constexpr double kWaypointCoordinateMaxM = 1e6;

// A way from one point to another, in this direction alone.
struct WaypointEdge {
  uint32_t from = 0;
  uint32_t to = 0;
  // How many times as dear as its length, 1 to kWaypointWeightMax.
  double weight = 1.0;
};
inline constexpr double kWaypointWeightMax = 1000.0;

// Immutable. Costs are whole millimetres, rounded up, and at least one.
class WaypointGraph {
 public:
  // Of several ways from one point to another the cheapest counts; one from a
  // point to itself doesn't. REQUIRES: at most kWaypointsMax points within the
  // coordinates above, edges between them, weights in range.
  WaypointGraph(std::vector<Vector3> points,
                std::span<const WaypointEdge> edges);

  uint32_t node_count() const { return static_cast<uint32_t>(points_.size()); }
  Vector3 point(uint32_t node) const { return points_[node]; }

  // Calls take(node, cost) for each way out of `from`, in ascending order of
  // nodes.
  template <typename Take>
  void ForEachStep(uint32_t from, const Take& take) const {
    for (uint32_t i = first_step_[from]; i < first_step_[from + 1]; ++i) {
      take(steps_[i].to, steps_[i].cost);
    }
  }
  std::optional<uint64_t> StepCost(uint32_t from, uint32_t to) const;

  // The straight line, rounded down by more than it can have been rounded up
  // by: never more than any way costs, and consistent.
  uint64_t Guess(uint32_t from, uint32_t goal) const;

  // The node closest to a place, of equally close ones the first. kNoNode where
  // there is none.
  uint32_t Nearest(Vector3 place) const;

 private:
  struct Step {
    uint32_t to = 0;
    uint64_t cost = 0;
  };

  std::vector<Vector3> points_;
  std::vector<uint32_t> first_step_;  // of each node, and the end
  std::vector<Step> steps_;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_NAVIGATION_WAYPOINT_GRAPH_H_
