// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/systems/navigation/navigation_spaces.h"

#include <algorithm>
#include <array>
#include <utility>

#include "sim/navigation/mesh_path.h"
#include "sim/navigation/mesh_space.h"
#include "sim/world/components/sorted_rows.h"

namespace reprise::sim {
namespace {

constexpr uint32_t kNoSpace = 0xffffffff;
static_assert(kNowhere == kNoNode);
static_assert(kNearestLast - kNearestFirst + 1 >= kGoalSetsMax);

uint32_t SpaceOf(std::span<const SpaceDefinition> definitions, Id name) {
  const auto found =
      std::ranges::lower_bound(definitions, name, {}, &SpaceDefinition::name);
  if (found == definitions.end() || found->name != name) return kNoSpace;
  return static_cast<uint32_t>(found - definitions.begin());
}

std::vector<uint16_t> WeightsOf(const SpaceDefinition& space) {
  std::vector<uint16_t> weights;
  if (!space.mesh.has_value()) return weights;
  for (const MeshAreaDefinition& area : space.mesh->areas) {
    weights.push_back(area.weight);
  }
  // Links are as dear as the pack says.
  weights.resize(weights.size() + space.mesh->links.size(), 1);
  return weights;
}

}  // namespace

NavigationSpaces::NavigationSpaces(std::span<const SpaceDefinition> definitions,
                                   std::span<const GoalSetDefinition> goal_sets)
    : definitions_(definitions),
      goal_sets_(goal_sets),
      changed_(definitions.size()) {
  for (const SpaceDefinition& space : definitions) {
    mesh_weights_.push_back(WeightsOf(space));
  }
  for (const SpaceDefinition& space : definitions) {
    std::optional<GridClusters>& clusters = clusters_.emplace_back();
    if (space.cluster_side == 0) continue;
    clusters.emplace(space.grid->shape(), space.cluster_side);
  }
}

void NavigationSpaces::Load(const Table& cells) {
  const std::vector<std::optional<Grid>> before = std::move(changed_);
  changed_.clear();
  changed_.resize(definitions_.size());
  for (uint32_t space = 0; space < definitions_.size(); ++space) {
    mesh_weights_[space] = WeightsOf(definitions_[space]);
  }
  for (uint32_t row = 0; row < cells.row_count(); ++row) {
    const auto& changed = cells.Get<ChangedCellRow>(row);
    SetWeight(SpaceOf(definitions_, changed.grid),
              static_cast<uint32_t>(changed.cell),
              static_cast<uint16_t>(changed.weight));
  }
  for (uint32_t space = 0; space < definitions_.size(); ++space) {
    if (!clusters_[space].has_value()) continue;
    if (before[space].has_value() || changed_[space].has_value()) {
      ForgetChanged(space, before[space].has_value()
                               ? *before[space]
                               : *definitions_[space].grid);
    }
  }
}

void NavigationSpaces::ForgetChanged(uint32_t space, const Grid& before) {
  const Grid& now = grid(space);
  for (uint32_t cell = 0; cell < now.node_count(); ++cell) {
    if (now.weight(cell) != before.weight(cell)) clusters_[space]->Forget(cell);
  }
}

bool NavigationSpaces::CheckChangedCells(const Table& cells) const {
  if (cells.row_count() > kChangedCellsMax || !RowsAscend(cells)) return false;
  for (uint32_t row = 0; row < cells.row_count(); ++row) {
    const auto& changed = cells.Get<ChangedCellRow>(row);
    const uint32_t space = SpaceOf(definitions_, changed.grid);
    if (space == kNoSpace || changed.cell >= CellCount(space) ||
        !CanBe(space, changed.weight) ||
        WeightInPack(space, static_cast<uint32_t>(changed.cell)) ==
            changed.weight) {
      return false;
    }
  }
  return true;
}

bool NavigationSpaces::ChangeCell(uint32_t space, uint32_t cell,
                                  uint16_t weight, Table& cells) {
  const Id name = definitions_[space].name;
  const std::array<uint64_t, 2> key = {name.value, cell};
  const uint32_t row = cells.LowerBound(key);
  const bool is_there = FindRow(cells, key).has_value();
  if (WeightInPack(space, cell) == weight) {
    if (is_there) cells.EraseRange(row, 1);
  } else {
    if (!is_there && cells.row_count() >= kChangedCellsMax) return false;
    if (!is_there) cells.Insert(row);
    cells.Mutable<ChangedCellRow>(row) = {name, cell, weight};
  }
  SetWeight(space, cell, weight);
  if (clusters_[space].has_value()) clusters_[space]->Forget(cell);
  return true;
}

bool NavigationSpaces::CanBe(uint32_t space, uint64_t weight) const {
  return is_grid(space) ? definitions_[space].grid->CanBe(weight)
                        : weight <= kMeshAreaWeightMax;
}

uint16_t NavigationSpaces::WeightInPack(uint32_t space, uint32_t cell) const {
  if (is_grid(space)) return definitions_[space].grid->weight(cell);
  const auto& areas = definitions_[space].mesh->areas;
  return cell < areas.size() ? areas[cell].weight : uint16_t{1};
}

uint32_t NavigationSpaces::CellCount(uint32_t space) const {
  if (is_grid(space)) return grid(space).node_count();
  return static_cast<uint32_t>(mesh_weights_[space].size());
}

void NavigationSpaces::SetWeight(uint32_t space, uint32_t cell,
                                 uint16_t weight) {
  if (is_grid(space)) {
    MutableGrid(space).SetWeight(cell, weight);
  } else {
    mesh_weights_[space][cell] = weight;
  }
}

uint32_t NavigationSpaces::CellAt(uint32_t space, Vector3 place) const {
  return definitions_[space].layout.CellAt(grid(space).shape(), place);
}

Vector3 NavigationSpaces::CentreOf(uint32_t space, uint32_t cell,
                                   double ground_y) const {
  Vector3 centre =
      definitions_[space].layout.CentreOf(grid(space).shape(), cell);
  centre.y = ground_y;
  return centre;
}

uint64_t NavigationSpaces::NodeAt(const NavigatorUse& use,
                                  Vector3 place) const {
  if (is_grid(use.space)) return CellAt(use.space, place);
  if (!is_mesh(use.space)) return definitions_[use.space].graph->Nearest(place);
  place.y -= use.above_ground_m;
  const std::optional<MeshPlace> found =
      mesh(use.space).Find(place, ReachOf(*definitions_[use.space].mesh));
  return found.has_value() ? PackMeshPlace(*found) : kNowhere;
}

uint64_t NavigationSpaces::GoalAt(const NavigatorUse& use,
                                  Vector3 place) const {
  const uint64_t node = NodeAt(use, place);
  if (node != kNowhere || !is_mesh(use.space)) return node;
  place.y += use.above_ground_m;
  return NodeAt(use, place);
}

Vector3 NavigationSpaces::PlaceOf(const NavigatorUse& use, uint64_t node,
                                  double ground_y) const {
  if (is_mesh(use.space)) {
    Vector3 place = mesh(use.space).PositionOf(UnpackMeshPlace(node));
    place.y += use.above_ground_m;
    return place;
  }
  const auto index = static_cast<uint32_t>(node);
  return is_grid(use.space) ? CentreOf(use.space, index, ground_y)
                            : definitions_[use.space].graph->point(index);
}

bool NavigationSpaces::IsNode(uint32_t space, uint64_t node) const {
  if (is_mesh(space)) return mesh(space).IsPlace(node);
  return node < SearchNodeCount(space, node);
}

bool NavigationSpaces::IsGoal(uint32_t space, uint64_t goal) const {
  if (!IsNearest(goal)) return IsNode(space, goal);
  const uint32_t set = SetOfNearest(goal);
  return set < goal_sets_.size() && goal_sets_[set].space == space;
}

bool NavigationSpaces::IsOpenGoal(uint32_t space, uint64_t goal,
                                  uint64_t start) const {
  const auto is_open = [&](uint64_t node) {
    return node == start || IsOpen(space, node);
  };
  if (!IsNearest(goal)) return is_open(goal);
  return std::ranges::any_of(SetOf(goal).goals, is_open,
                             &GoalSetDefinition::Goal::node);
}

std::vector<uint64_t> NavigationSpaces::GoalNodes(uint64_t goal) const {
  if (!IsNearest(goal)) return {goal};
  std::vector<uint64_t> nodes;
  for (const GoalSetDefinition::Goal& each : SetOf(goal).goals) {
    nodes.push_back(each.node);
  }
  return nodes;
}

const GoalSetDefinition::Goal* NavigationSpaces::FindGoal(uint64_t nearest,
                                                          uint64_t node) const {
  const GoalSetDefinition& set = SetOf(nearest);
  for (const GoalSetDefinition::Goal& goal : set.goals) {
    if (AreSame(set.space, goal.node, node)) return &goal;
  }
  return nullptr;
}

bool NavigationSpaces::IsOpen(uint32_t space, uint64_t node) const {
  if (is_grid(space)) return grid(space).is_open(static_cast<uint32_t>(node));
  if (!is_mesh(space)) return true;
  const uint32_t polygon = UnpackMeshPlace(node).polygon;
  return WeightOfArea(mesh(space).polygon(polygon).area, area_weights(space)) !=
         0;
}

bool NavigationSpaces::AreSame(uint32_t space, uint64_t a, uint64_t b) const {
  if (a == b || !is_mesh(space)) return a == b;
  if (a == kNowhere || b == kNowhere) return false;
  const Vector3 way = mesh(space).PositionOf(UnpackMeshPlace(a)) -
                      mesh(space).PositionOf(UnpackMeshPlace(b));
  return Length(way) <= definitions_[space].mesh->settings.agent_radius_m;
}

bool NavigationSpaces::IsIn(uint32_t space, uint64_t node,
                            uint32_t cell) const {
  if (!is_mesh(space)) return node == cell;
  return mesh(space).polygon(UnpackMeshPlace(node).polygon).area == cell + 1;
}

bool NavigationSpaces::HasStep(uint32_t space, uint64_t from,
                               uint64_t to) const {
  if (is_grid(space)) {
    return grid(space)
        .StepCost(static_cast<uint32_t>(from), static_cast<uint32_t>(to))
        .has_value();
  }
  if (!is_mesh(space)) return true;
  // Of several links from here to there one that is open is enough.
  bool is_link = false;
  const MeshPlace place = UnpackMeshPlace(from);
  for (const uint32_t index : mesh(space).ways_from(place.polygon)) {
    const MeshWay& way = mesh(space).ways()[index];
    if (way.from != place || PackMeshPlace(way.to) != to) continue;
    if (WeightOfLink(way.link, link_weights(space)) != 0) return true;
    is_link = true;
  }
  return !is_link;
}

bool NavigationSpaces::IsOver(uint32_t space, uint64_t from, uint64_t to,
                              uint32_t cell) const {
  if (!is_mesh(space)) return false;
  const size_t area_count = definitions_[space].mesh->areas.size();
  const MeshPlace place = UnpackMeshPlace(from);
  return std::ranges::any_of(
      mesh(space).ways_from(place.polygon), [&](uint32_t index) {
        const MeshWay& way = mesh(space).ways()[index];
        return way.from == place && PackMeshPlace(way.to) == to &&
               area_count + way.link == cell;
      });
}

bool NavigationSpaces::IsJump(uint32_t space, uint64_t from,
                              uint64_t to) const {
  if (!is_mesh(space)) return false;
  const auto& jumps = definitions_[space].mesh->jumps;
  return std::ranges::any_of(jumps, [&](const MeshJump& jump) {
    return PackMeshPlace(jump.from) == from && PackMeshPlace(jump.to) == to;
  });
}

bool NavigationSpaces::IsLink(uint32_t space, uint64_t from,
                              uint64_t to) const {
  if (!is_mesh(space)) return false;
  const MeshPlace place = UnpackMeshPlace(from);
  const std::span<const uint32_t> ways = mesh(space).ways_from(place.polygon);
  return std::ranges::any_of(ways, [&](uint32_t index) {
    const MeshWay& way = mesh(space).ways()[index];
    return way.from == place && PackMeshPlace(way.to) == to;
  });
}

std::optional<double> NavigationSpaces::StandAt(const NavigatorUse& use,
                                                Vector3 place) const {
  const uint64_t node = NodeAt(use, place);
  if (node == kNowhere) return std::nullopt;
  return PlaceOf(use, node, place.y).y;
}

PathPointRow NavigationSpaces::PointOf(uint32_t space, uint64_t node) const {
  if (is_mesh(space)) {
    const MeshPlace place = UnpackMeshPlace(node);
    return {.node = place.polygon, .position = mesh(space).PositionOf(place)};
  }
  const auto index = static_cast<uint32_t>(node);
  const SpaceDefinition& definition = definitions_[space];
  return {.node = node,
          .position = is_grid(space)
                          ? CentreOf(space, index, definition.layout.origin.y)
                          : definition.graph->point(index)};
}

uint64_t NavigationSpaces::NodeOf(uint32_t space,
                                  const PathPointRow& point) const {
  if (!is_mesh(space)) return point.node;
  return PackMeshPlace({.polygon = static_cast<uint32_t>(point.node),
                        .point = mesh(space).PointAt(point.position)});
}

bool NavigationSpaces::IsPoint(uint32_t space,
                               const PathPointRow& point) const {
  const bool is_in_range = is_mesh(space)
                               ? point.node < mesh(space).polygon_count()
                               : IsNode(space, point.node);
  return is_in_range &&
         PointOf(space, NodeOf(space, point)).position == point.position;
}

std::vector<uint32_t> NavigationSpaces::CorridorOf(
    uint32_t space, const BestFirstSearch& search) const {
  return ClustersOfWay(*clusters_[space], search.Path());
}

bool NavigationSpaces::IsCorridor(uint32_t space,
                                  std::span<const uint32_t> corridor) const {
  const uint32_t count =
      clusters_[space].has_value() ? clusters_[space]->count() : 0;
  return std::ranges::all_of(corridor,
                             [&](uint32_t cluster) { return cluster < count; });
}

uint32_t NavigationSpaces::SearchNodeCount(uint32_t space,
                                           uint64_t goal) const {
  if (is_grid(space)) return grid(space).node_count();
  return is_mesh(space) ? MeshNodeCount(mesh(space), GoalCount(goal))
                        : definitions_[space].graph->node_count();
}

uint32_t NavigationSpaces::SearchStart(uint32_t space, const Ends& ends) const {
  return is_mesh(space) ? MeshStartNode(mesh(space))
                        : static_cast<uint32_t>(ends.start);
}

template <typename Take>
void NavigationSpaces::WithGoals(uint32_t space, uint64_t goal,
                                 const Take& take) const {
  std::array<uint32_t, kGoalsOfSetMax> nodes;
  const size_t count = GoalCount(goal);
  for (size_t i = 0; i < count; ++i) {
    nodes[i] =
        is_mesh(space)    ? MeshGoalNode(mesh(space)) + static_cast<uint32_t>(i)
        : IsNearest(goal) ? static_cast<uint32_t>(SetOf(goal).goals[i].node)
                          : static_cast<uint32_t>(goal);
  }
  take(std::span<const uint32_t>(nodes).first(count));
}

template <typename Take>
auto NavigationSpaces::WithSpace(const NavigatorUse& use, const Ends& ends,
                                 const Take& take) const {
  if (GoesByClusters(use, ends.goal)) {
    const Grid& cells = grid(use.space);
    GridClusters& clusters = *clusters_[use.space];
    if (!ends.corridor.empty()) {
      return take(CorridorSpace(cells, clusters, use.heuristic, ends.corridor));
    }
    return take(ClusterSpace(cells, clusters, use.heuristic,
                             static_cast<uint32_t>(ends.start),
                             static_cast<uint32_t>(ends.goal)));
  }
  if (is_grid(use.space))
    return take(GridSpace(grid(use.space), use.heuristic));
  if (!is_mesh(use.space)) return take(*definitions_[use.space].graph);
  const MeshPlace start = UnpackMeshPlace(ends.start);
  if (IsNearest(ends.goal)) {
    return take(MeshSpace(mesh(use.space), area_weights(use.space), start,
                          SetOf(ends.goal).places, link_weights(use.space)));
  }
  return take(MeshSpace(mesh(use.space), area_weights(use.space), start,
                        UnpackMeshPlace(ends.goal), link_weights(use.space)));
}

void NavigationSpaces::Begin(const NavigatorUse& use, const Ends& ends,
                             BestFirstSearch& search) const {
  WithGoals(use.space, ends.goal, [&](std::span<const uint32_t> goals) {
    search.Begin(SearchNodeCount(use.space, ends.goal),
                 SearchStart(use.space, ends), goals, use.policy);
  });
}

SearchStatus NavigationSpaces::Advance(const NavigatorUse& use,
                                       const Ends& ends,
                                       BestFirstSearch& search,
                                       uint64_t& budget) const {
  return WithSpace(use, ends, [&](const auto& space) {
    return search.Advance(space, budget);
  });
}

bool NavigationSpaces::CanRestore(uint32_t space, const Ends& ends,
                                  std::span<const ReachedNode> reached) const {
  if (!IsNode(space, ends.start) || !IsGoal(space, ends.goal)) return false;
  // Nothing leads through an edge without a polygon behind it.
  const bool is_reachable =
      !is_mesh(space) ||
      std::ranges::all_of(reached, [&](const ReachedNode& each) {
        return IsMeshNode(mesh(space), each.node, GoalCount(ends.goal));
      });
  return is_reachable &&
         BestFirstSearch::CanRestore(reached, SearchNodeCount(space, ends.goal),
                                     SearchStart(space, ends));
}

void NavigationSpaces::Restore(const NavigatorUse& use, const Ends& ends,
                               std::span<const ReachedNode> reached,
                               BestFirstSearch& search) const {
  WithGoals(use.space, ends.goal, [&](std::span<const uint32_t> goals) {
    WithSpace(use, ends, [&](const auto& space) {
      search.Restore(space, SearchStart(use.space, ends), goals, use.policy,
                     reached);
    });
  });
}

std::vector<uint64_t> NavigationSpaces::PathOf(
    const NavigatorUse& use, const Ends& ends,
    const BestFirstSearch& search) const {
  const std::vector<uint32_t> nodes = search.Path();
  if (!is_mesh(use.space)) return {nodes.begin(), nodes.end()};
  const uint64_t goal =
      IsNearest(ends.goal)
          ? SetOf(ends.goal)
                .goals[nodes.back() - MeshGoalNode(mesh(use.space))]
                .node
          : ends.goal;
  std::vector<uint64_t> path;
  for (const MeshPlace& place :
       MakeMeshPath(mesh(use.space), nodes, UnpackMeshPlace(ends.start),
                    UnpackMeshPlace(goal))) {
    path.push_back(PackMeshPlace(place));
  }
  return path;
}

Grid& NavigationSpaces::MutableGrid(uint32_t space) {
  if (!changed_[space].has_value()) changed_[space] = definitions_[space].grid;
  return *changed_[space];
}

}  // namespace reprise::sim
