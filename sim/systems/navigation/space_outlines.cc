// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/systems/navigation/space_outlines.h"

#include <algorithm>
#include <array>
#include <optional>

#include "sim/base/object_id.h"
#include "sim/navigation/best_first_search.h"
#include "sim/navigation/grid.h"
#include "sim/navigation/grid_layout.h"
#include "sim/navigation/mesh_space.h"
#include "sim/navigation/navigation_mesh.h"
#include "sim/navigation/waypoint_graph.h"

namespace reprise::sim {
namespace {

// So high that the ground doesn't hide them: the height of a mesh is a voxel
// off, of some centimetres.
constexpr double kAboveGroundM = 0.05;

DebugLine LineOf(Vector3 start, Vector3 end, DebugRole role) {
  start.y += kAboveGroundM;
  end.y += kAboveGroundM;
  return {.start_object = kNoObject,
          .start = start,
          .end_object = kNoObject,
          .end = end,
          .role = role};
}

// A side of a cell of size 1: from its centre to that of the cell behind it,
// and to both of its own corners.
struct CellSide {
  Vector3 behind;
  Vector3 first;
  Vector3 last;
};

constexpr std::array<CellSide, 4> kSquareSides = {
    {{{1, 0, 0}, {0.5, 0, -0.5}, {0.5, 0, 0.5}},
     {{0, 0, 1}, {0.5, 0, 0.5}, {-0.5, 0, 0.5}},
     {{-1, 0, 0}, {-0.5, 0, 0.5}, {-0.5, 0, -0.5}},
     {{0, 0, -1}, {-0.5, 0, -0.5}, {0.5, 0, -0.5}}}};

// Hexagons stand on a corner, which is the root of 1/3 from their centre; rows
// are the root of 3/4 apart.
constexpr double kCorner = 0.57735026918962576451;
constexpr double kRow = 0.86602540378443864676;
constexpr std::array<CellSide, 6> kHexagonSides = {
    {{{1, 0, 0}, {0.5, 0, -kCorner / 2}, {0.5, 0, kCorner / 2}},
     {{0.5, 0, kRow}, {0.5, 0, kCorner / 2}, {0, 0, kCorner}},
     {{-0.5, 0, kRow}, {0, 0, kCorner}, {-0.5, 0, kCorner / 2}},
     {{-1, 0, 0}, {-0.5, 0, kCorner / 2}, {-0.5, 0, -kCorner / 2}},
     {{-0.5, 0, -kRow}, {-0.5, 0, -kCorner / 2}, {0, 0, -kCorner}},
     {{0.5, 0, -kRow}, {0, 0, -kCorner}, {0.5, 0, -kCorner / 2}}}};

template <size_t kSides>
void AddBorders(const Grid& grid, const GridLayout& layout,
                const std::array<CellSide, kSides>& sides,
                std::vector<DebugLine>& lines) {
  for (uint32_t cell = 0; cell < grid.node_count(); ++cell) {
    if (!grid.is_open(cell)) continue;
    const Vector3 centre = layout.CentreOf(grid.shape(), cell);
    for (const CellSide& side : sides) {
      const uint32_t behind = layout.CellAt(
          grid.shape(), centre + layout.cell_size_m * side.behind);
      if (behind != kNoNode && grid.is_open(behind)) continue;
      lines.push_back(LineOf(centre + layout.cell_size_m * side.first,
                             centre + layout.cell_size_m * side.last,
                             DebugRole::kOutline));
    }
    if (lines.size() > kSpaceLinesMax) return;
  }
}

void AddWays(const WaypointGraph& graph, std::vector<DebugLine>& lines) {
  for (uint32_t from = 0; from < graph.node_count(); ++from) {
    graph.ForEachStep(from, [&](uint32_t to, uint64_t) {
      if (to < from && graph.StepCost(to, from).has_value()) return;
      lines.push_back(
          LineOf(graph.point(from), graph.point(to), DebugRole::kOutline));
    });
    if (lines.size() > kSpaceLinesMax) return;
  }
}

void AddEdges(const NavigationMesh& mesh, const NavigationSpaces& spaces,
              uint32_t space, SpaceOutline& outline) {
  const auto place = [&](MeshPoint point, double height) {
    Vector3 position = mesh.PositionOf({.polygon = 0, .point = point});
    position.y = height;
    return position;
  };
  for (uint32_t edge = 0; edge < mesh.edge_count(); ++edge) {
    const uint32_t twin = mesh.twin(edge);
    const auto is_closed = [&](uint32_t of) {
      const uint32_t area = mesh.polygon(mesh.polygon_of_edge(of)).area;
      return WeightOfArea(area, spaces.area_weights(space)) == 0;
    };
    // One of two that are the same, which is open where either is.
    if (twin != kNoNode && twin < edge) continue;
    const bool is_open =
        !is_closed(edge) || (twin != kNoNode && !is_closed(twin));
    (is_open ? outline.open : outline.closed)
        .push_back(
            LineOf(place(mesh.edge_from(edge), mesh.edge_from_height(edge)),
                   place(mesh.edge_to(edge), mesh.edge_to_height(edge)),
                   DebugRole::kOutline));
  }
  for (const MeshWay& way : mesh.ways()) {
    const bool is_open =
        WeightOfLink(way.link, spaces.link_weights(space)) != 0;
    (is_open ? outline.open : outline.closed)
        .push_back(LineOf(mesh.PositionOf(way.from), mesh.PositionOf(way.to),
                          DebugRole::kAxis));
  }
}

// Where a node of a search is; nullopt: there is no such node.
std::optional<Vector3> PlaceOfNode(const SpaceDefinition& definition,
                                   const SearchEnds& search, uint32_t node) {
  if (definition.grid.has_value()) {
    const GridShape& shape = definition.grid->shape();
    if (node >= shape.cell_count()) return std::nullopt;
    return definition.layout.CentreOf(shape, node);
  }
  if (definition.graph.has_value()) {
    if (node >= definition.graph->node_count()) return std::nullopt;
    return definition.graph->point(node);
  }
  const NavigationMesh& mesh = definition.mesh->mesh;
  if (node < mesh.edge_count()) return mesh.middle_of_edge(node);
  if (node == MeshStartNode(mesh)) {
    return mesh.PositionOf(UnpackMeshPlace(search.start));
  }
  if (node >= MeshNodeCount(mesh, search.goals.size())) return std::nullopt;
  if (node > MeshStartNode(mesh)) {
    const uint64_t goal = search.goals[node - MeshGoalNode(mesh)];
    return mesh.PositionOf(UnpackMeshPlace(goal));
  }
  return mesh.PositionOf(mesh.ways()[node - mesh.edge_count()].to);
}

}  // namespace

SpaceOutline OutlineOf(const SpaceDefinition& definition,
                       const NavigationSpaces& spaces, uint32_t space) {
  SpaceOutline outline;
  if (definition.grid.has_value()) {
    const Grid& grid = spaces.grid(space);
    if (grid.node_count() > kOutlinedCellsMax) return {};
    if (grid.shape().neighbours == GridNeighbours::kHexagonal) {
      AddBorders(grid, definition.layout, kHexagonSides, outline.open);
    } else {
      AddBorders(grid, definition.layout, kSquareSides, outline.open);
    }
  } else if (definition.graph.has_value()) {
    AddWays(*definition.graph, outline.open);
  } else if (definition.mesh->mesh.edge_count() <= 2 * kSpaceLinesMax) {
    AddEdges(definition.mesh->mesh, spaces, space, outline);
  }
  if (outline.open.size() + outline.closed.size() > kSpaceLinesMax) return {};
  return outline;
}

std::vector<DebugLine> SearchTreeOf(const SpaceDefinition& definition,
                                    const SearchEnds& search,
                                    const Table& reached) {
  std::vector<DebugLine> lines;
  const auto count = static_cast<uint32_t>(
      std::min(size_t{reached.row_count()}, kSearchLinesMax));
  for (uint32_t row = 0; row < count; ++row) {
    const auto& node = reached.Get<ReachedNodeRow>(row);
    if (node.came_from >= reached.row_count()) continue;
    const auto& before = reached.Get<ReachedNodeRow>(node.came_from);
    const auto start = PlaceOfNode(definition, search, before.node);
    const auto end = PlaceOfNode(definition, search, node.node);
    if (!start.has_value() || !end.has_value()) continue;
    lines.push_back(
        LineOf(*start, *end,
               node.is_expanded != 0 ? DebugRole::kAxis : DebugRole::kLimit));
  }
  return lines;
}

std::vector<DebugLine> LinesThrough(const std::vector<Vector3>& places) {
  std::vector<DebugLine> lines;
  for (size_t i = 1; i < places.size(); ++i) {
    lines.push_back(LineOf(places[i - 1], places[i], DebugRole::kOutline));
  }
  return lines;
}

}  // namespace reprise::sim
