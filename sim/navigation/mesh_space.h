// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What a search asks of a navigation mesh. Its nodes are the ways into
// polygons: through the middle of an edge, or by a way off the mesh; and the
// start and the goals. Costs are millimetres, times the weights of areas.

#ifndef REPRISE_SIM_NAVIGATION_MESH_SPACE_H_
#define REPRISE_SIM_NAVIGATION_MESH_SPACE_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "sim/geometry/vector3.h"
#include "sim/navigation/length_costs.h"
#include "sim/navigation/navigation_mesh.h"

namespace reprise::sim {

// What a way in an area weighs; 0: it is closed. `weights` are those of the
// areas from 1 on.
inline uint16_t WeightOfArea(uint32_t area, std::span<const uint16_t> weights) {
  return area == 0 || area > weights.size() ? uint16_t{1} : weights[area - 1];
}

// How many times its cost a link has; 0: it is closed. `weights` are those of
// the links.
inline uint16_t WeightOfLink(uint32_t link, std::span<const uint16_t> weights) {
  return link >= weights.size() ? uint16_t{1} : weights[link];
}

// The nodes are the edges of the mesh, each the way through it out of its
// polygon, then its ways, then the start, then the goals.
inline uint32_t MeshStartNode(const NavigationMesh& mesh) {
  return mesh.edge_count() + static_cast<uint32_t>(mesh.ways().size());
}
// That of the first goal; others follow it.
inline uint32_t MeshGoalNode(const NavigationMesh& mesh) {
  return MeshStartNode(mesh) + 1;
}
inline uint32_t MeshNodeCount(const NavigationMesh& mesh,
                              size_t goal_count = 1) {
  return MeshGoalNode(mesh) + static_cast<uint32_t>(goal_count);
}
// Whether a search can come to it: nothing leads through an edge without a
// polygon behind it.
inline bool IsMeshNode(const NavigationMesh& mesh, uint32_t node,
                       size_t goal_count = 1) {
  return node < mesh.edge_count() ? mesh.twin(node) != kNoNode
                                  : node < MeshNodeCount(mesh, goal_count);
}

// A place that a search may end at, and where that is.
struct MeshGoal {
  MeshPlace place;
  Vector3 position;
};

class MeshSpace {
 public:
  // All outlive this; `links` are the weights of links. REQUIRES: start and
  // goal are places of the mesh.
  MeshSpace(const NavigationMesh& mesh, std::span<const uint16_t> weights,
            const MeshPlace& start, const MeshPlace& goal,
            std::span<const uint16_t> links = {})
      : mesh_(mesh),
        weights_(weights),
        links_(links),
        start_(start),
        start_position_(mesh.PositionOf(start)),
        goal_{goal, mesh.PositionOf(goal)} {}
  // The same with several goals, which outlive this, too. REQUIRES: there is
  // one.
  MeshSpace(const NavigationMesh& mesh, std::span<const uint16_t> weights,
            const MeshPlace& start, std::span<const MeshGoal> goals,
            std::span<const uint16_t> links = {})
      : mesh_(mesh),
        weights_(weights),
        links_(links),
        start_(start),
        start_position_(mesh.PositionOf(start)),
        goals_(goals) {}

  uint32_t node_count() const { return MeshNodeCount(mesh_, goals().size()); }

  // A closed polygon has ways out of it, at its length, and none into it.
  template <typename Take>
  void ForEachStep(uint32_t node, const Take& take) const;

  // Where there is one goal only, `goal` doesn't count.
  uint64_t Guess(uint32_t node, uint32_t goal) const {
    return GuessOfLength(Length(GoalOf(goal).position - PositionOf(node)));
  }

  // The polygon that a node leads into, and where it enters it.
  uint32_t PolygonOf(uint32_t node) const;
  Vector3 PositionOf(uint32_t node) const;

 private:
  std::span<const MeshGoal> goals() const {
    return goals_.empty() ? std::span(&goal_, 1) : goals_;
  }
  const MeshGoal& GoalOf(uint32_t node) const {
    return goals_.empty() ? goal_ : goals_[node - MeshGoalNode(mesh_)];
  }
  uint16_t WeightOf(uint32_t polygon) const {
    return WeightOfArea(mesh_.polygon(polygon).area, weights_);
  }

  const NavigationMesh& mesh_;
  std::span<const uint16_t> weights_;
  std::span<const uint16_t> links_;
  MeshPlace start_;
  Vector3 start_position_;
  MeshGoal goal_;  // where goals_ is empty
  std::span<const MeshGoal> goals_;
};

inline uint32_t MeshSpace::PolygonOf(uint32_t node) const {
  if (node < mesh_.edge_count()) return mesh_.polygon_of_edge(mesh_.twin(node));
  if (node == MeshStartNode(mesh_)) return start_.polygon;
  if (node > MeshStartNode(mesh_)) return GoalOf(node).place.polygon;
  return mesh_.ways()[node - mesh_.edge_count()].to.polygon;
}

inline Vector3 MeshSpace::PositionOf(uint32_t node) const {
  if (node < mesh_.edge_count()) return mesh_.middle_of_edge(node);
  if (node == MeshStartNode(mesh_)) return start_position_;
  if (node > MeshStartNode(mesh_)) return GoalOf(node).position;
  return mesh_.PositionOf(mesh_.ways()[node - mesh_.edge_count()].to);
}

template <typename Take>
void MeshSpace::ForEachStep(uint32_t node, const Take& take) const {
  const uint32_t polygon = PolygonOf(node);
  const Vector3 here = PositionOf(node);
  const double weight = std::max(WeightOf(polygon), uint16_t{1});
  const auto cost_to = [&](Vector3 there) {
    return CostOfLength(Length(there - here), weight);
  };
  for (uint32_t edge = mesh_.first_edge(polygon);
       edge < mesh_.first_edge(polygon + 1); ++edge) {
    const uint32_t twin = mesh_.twin(edge);
    // Not back to where it comes from.
    if (twin == kNoNode || twin == node) continue;
    if (WeightOf(mesh_.polygon_of_edge(twin)) == 0) continue;
    take(edge, cost_to(mesh_.middle_of_edge(edge)));
  }
  for (const uint32_t way : mesh_.ways_from(polygon)) {
    const MeshWay& off = mesh_.ways()[way];
    const uint64_t link_weight = WeightOfLink(off.link, links_);
    if (WeightOf(off.to.polygon) == 0 || link_weight == 0) continue;
    take(mesh_.edge_count() + way,
         cost_to(mesh_.PositionOf(off.from)) + off.cost * link_weight);
  }
  uint32_t goal_node = MeshGoalNode(mesh_);
  for (const MeshGoal& goal : goals()) {
    if (polygon == goal.place.polygon) take(goal_node, cost_to(goal.position));
    ++goal_node;
  }
}

}  // namespace reprise::sim

#endif  // REPRISE_SIM_NAVIGATION_MESH_SPACE_H_
