// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The grids, graphs and meshes of one world as they are now: those of the pack,
// and what rows say of changed cells and areas.

#ifndef REPRISE_SIM_SYSTEMS_NAVIGATION_NAVIGATION_SPACES_H_
#define REPRISE_SIM_SYSTEMS_NAVIGATION_NAVIGATION_SPACES_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sim/geometry/vector3.h"
#include "sim/navigation/best_first_search.h"
#include "sim/navigation/grid.h"
#include "sim/navigation/grid_clusters.h"
#include "sim/navigation/navigation_mesh.h"
#include "sim/state/table.h"
#include "sim/systems/navigation/navigation_definition.h"
#include "sim/systems/navigation/navigation_rows.h"

namespace reprise::sim {

// Spaces go by their index among the definitions. A node is a cell of a grid, a
// point of a graph, or a place on a mesh as one number (PackMeshPlace); none is
// kNowhere.
class NavigationSpaces {
 public:
  // From which node to which one a search leads.
  struct Ends {
    uint64_t start = 0;
    uint64_t goal = 0;  // a node, or the nearest goal of a set
    // Of a search by clusters, those that it looks for a path in, once there
    // are some.
    std::span<const uint32_t> corridor;
  };

  // `definitions` and `goal_sets` outlive this.
  explicit NavigationSpaces(std::span<const SpaceDefinition> definitions,
                            std::span<const GoalSetDefinition> goal_sets = {});

  // Makes the cells and areas those of the rows (ChangedCellRow). What is known
  // of clusters whose cells stay is kept.
  // REQUIRES: CheckChangedCells(cells).
  void Load(const Table& cells);
  // Whether rows of a snapshot can be.
  bool CheckChangedCells(const Table& cells) const;

  // Changes a cell, or an area from 0 on, or a link behind the areas, and its
  // row. False, and nothing has
  // changed, where too many are others than the pack's.
  // REQUIRES: CanBe(space, weight).
  bool ChangeCell(uint32_t space, uint32_t cell, uint16_t weight, Table& cells);
  // Whether a cell or an area may get this weight.
  bool CanBe(uint32_t space, uint64_t weight) const;

  bool is_grid(uint32_t space) const {
    return definitions_[space].grid.has_value();
  }
  // REQUIRES: is_grid(space).
  const Grid& grid(uint32_t space) const {
    return changed_[space].has_value() ? *changed_[space]
                                       : *definitions_[space].grid;
  }
  bool is_mesh(uint32_t space) const {
    return definitions_[space].mesh.has_value();
  }
  // Of the areas of a mesh, and of its links. REQUIRES: is_mesh(space).
  std::span<const uint16_t> area_weights(uint32_t space) const {
    return std::span(mesh_weights_[space])
        .first(definitions_[space].mesh->areas.size());
  }
  std::span<const uint16_t> link_weights(uint32_t space) const {
    return std::span(mesh_weights_[space])
        .subspan(definitions_[space].mesh->areas.size());
  }

  // Of a grid: the cell that a place is in, kNoNode outside; and the middle of
  // one, as high as `ground_y`. REQUIRES: is_grid(space).
  uint32_t CellAt(uint32_t space, Vector3 place) const;
  Vector3 CentreOf(uint32_t space, uint32_t cell, double ground_y) const;

  // Where somebody at a place is: the cell, the closest point of a graph, or
  // the place on a mesh that it is above.
  uint64_t NodeAt(const NavigatorUse& use, Vector3 place) const;
  // Where somebody wants to be who names a place: as who would stand there, or
  // on a mesh where only its ground is within reach, on that.
  uint64_t GoalAt(const NavigatorUse& use, Vector3 place) const;
  // Where who goes to a node is then. A cell is as high as `ground_y`.
  Vector3 PlaceOf(const NavigatorUse& use, uint64_t node,
                  double ground_y) const;
  // Whether the space has such a node: those of snapshots may be any.
  bool IsNode(uint32_t space, uint64_t node) const;
  // Whether a step can lead to the node.
  bool IsOpen(uint32_t space, uint64_t node) const;
  // Whether a search in the space can be for it: a node of the space, or the
  // nearest goal of a set of its.
  bool IsGoal(uint32_t space, uint64_t goal) const;
  // Whether a step can lead to the goal, or to one of several. Who stands at
  // one may stay.
  bool IsOpenGoal(uint32_t space, uint64_t goal, uint64_t start) const;
  // The nodes of all goals of a search.
  std::vector<uint64_t> GoalNodes(uint64_t goal) const;
  // Of a set, the goal that is this node, or as good; null: none is.
  // REQUIRES: IsGoal(space, nearest) and IsNearest(nearest).
  const GoalSetDefinition::Goal* FindGoal(uint64_t nearest,
                                          uint64_t node) const;
  // Whether a path to one node is as good as one to the other: the same one, or
  // on a mesh one within the agent's radius.
  bool AreSame(uint32_t space, uint64_t a, uint64_t b) const;
  // Whether a node is in a cell, or in an area from 0 on.
  bool IsIn(uint32_t space, uint64_t node, uint32_t cell) const;
  // Whether a step of a path is there. Those of graphs always are, and those of
  // meshes but over closed links: what else is closed is in an area.
  bool HasStep(uint32_t space, uint64_t from, uint64_t to) const;
  // Whether a step of a path goes over the link that stands behind the areas as
  // `cell`.
  bool IsOver(uint32_t space, uint64_t from, uint64_t to, uint32_t cell) const;
  // Whether who goes straight from one node to the other jumps.
  bool IsJump(uint32_t space, uint64_t from, uint64_t to) const;
  // Whether who goes from one node to the other leaves the ground of a mesh.
  bool IsLink(uint32_t space, uint64_t from, uint64_t to) const;
  // How high who stands on a mesh at a place is then; nullopt out of reach.
  // REQUIRES: is_mesh(use.space).
  std::optional<double> StandAt(const NavigatorUse& use, Vector3 place) const;

  // A node as a point of a path, which lacks its key, and back.
  PathPointRow PointOf(uint32_t space, uint64_t node) const;
  uint64_t NodeOf(uint32_t space, const PathPointRow& point) const;
  // Whether there is such a point: those of snapshots may be any.
  bool IsPoint(uint32_t space, const PathPointRow& point) const;

  // Whether searches first go from cluster to cluster. What they find then
  // isn't a path: one is looked for in CorridorOf it. Those to the nearest of
  // several goals don't: it would be the nearest by clusters.
  bool GoesByClusters(const NavigatorUse& use, uint64_t goal) const {
    return definitions_[use.space].cluster_side != 0 &&
           use.policy == SearchPolicy::kAStar && !IsNearest(goal);
  }
  std::vector<uint32_t> CorridorOf(uint32_t space,
                                   const BestFirstSearch& search) const;
  // Whether the space has such clusters.
  bool IsCorridor(uint32_t space, std::span<const uint32_t> corridor) const;

  // BestFirstSearch's in the space of `use`. REQUIRES: IsNode of the start;
  // IsGoal of the goal;
  // IsCorridor(ends.corridor).
  void Begin(const NavigatorUse& use, const Ends& ends,
             BestFirstSearch& search) const;
  SearchStatus Advance(const NavigatorUse& use, const Ends& ends,
                       BestFirstSearch& search, uint64_t& budget) const;
  bool CanRestore(uint32_t space, const Ends& ends,
                  std::span<const ReachedNode> reached) const;
  void Restore(const NavigatorUse& use, const Ends& ends,
               std::span<const ReachedNode> reached,
               BestFirstSearch& search) const;
  // The nodes to go to, both ends included. REQUIRES: Advance has returned
  // kFound.
  std::vector<uint64_t> PathOf(const NavigatorUse& use, const Ends& ends,
                               const BestFirstSearch& search) const;

 private:
  Grid& MutableGrid(uint32_t space);
  // Has clusters with cells that were others in `before` be found anew.
  void ForgetChanged(uint32_t space, const Grid& before);
  const NavigationMesh& mesh(uint32_t space) const {
    return definitions_[space].mesh->mesh;
  }
  // The weight that the pack gives a cell or an area.
  uint16_t WeightInPack(uint32_t space, uint32_t cell) const;
  uint32_t CellCount(uint32_t space) const;
  void SetWeight(uint32_t space, uint32_t cell, uint16_t weight);
  // The nodes that a search counts, and those of its ends among them.
  uint32_t SearchNodeCount(uint32_t space, uint64_t goal) const;
  uint32_t SearchStart(uint32_t space, const Ends& ends) const;
  // Calls take(goals) with nodes that ascend.
  template <typename Take>
  void WithGoals(uint32_t space, uint64_t goal, const Take& take) const;
  size_t GoalCount(uint64_t goal) const {
    return IsNearest(goal) ? SetOf(goal).goals.size() : 1;
  }
  const GoalSetDefinition& SetOf(uint64_t goal) const {
    return goal_sets_[SetOfNearest(goal)];
  }
  // Calls take(space) with what a search asks of it.
  template <typename Take>
  auto WithSpace(const NavigatorUse& use, const Ends& ends,
                 const Take& take) const;

  std::span<const SpaceDefinition> definitions_;
  std::span<const GoalSetDefinition> goal_sets_;
  // Of grids with changed cells, whole.
  std::vector<std::optional<Grid>> changed_;
  // Of meshes: their areas, then their links.
  std::vector<std::vector<uint16_t>> mesh_weights_;
  // Of grids that have them; what they know is made when a search asks.
  mutable std::vector<std::optional<GridClusters>> clusters_;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_NAVIGATION_NAVIGATION_SPACES_H_
