// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What a pack says of navigation: grids, graphs, flow fields, and which of them
// the objects of a type go by.

#ifndef REPRISE_SIM_SYSTEMS_NAVIGATION_NAVIGATION_DEFINITION_H_
#define REPRISE_SIM_SYSTEMS_NAVIGATION_NAVIGATION_DEFINITION_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "sim/base/id.h"
#include "sim/geometry/vector3.h"
#include "sim/navigation/best_first_search.h"
#include "sim/navigation/grid.h"
#include "sim/navigation/grid_layout.h"
#include "sim/navigation/waypoint_graph.h"

namespace reprise::sim {

inline constexpr size_t kSpacesMax = 64;
inline constexpr size_t kFlowFieldsMax = 64;
inline constexpr uint64_t kGridCellsInAllMax = 1u << 24;
// Cells that areas set, with those that later ones set again.
inline constexpr uint64_t kAreaCellsInAllMax = 1u << 26;
// Points of graphs that are joined by sight: 130,000 casts.
inline constexpr uint32_t kSightPointsInAllMax = 512;
inline constexpr uint32_t kFlowFieldCellsMax = 1u << 20;
// Changes of its goal and cells that a flow field follows in the step in which
// they come: a field costs its cells each time, and nobody else's budget.
inline constexpr uint32_t kFlowChangesPerStepMax = 4;
inline constexpr double kNavigationCoordinateMaxM = 1e6;
inline constexpr double kCellSizeMinM = 0.01;
inline constexpr double kCellSizeMaxM = 1000.0;

inline constexpr uint64_t kExpansionsPerTickDefault = 10'000;
inline constexpr uint32_t kExpansionsPerTickMax = 10'000'000;
inline constexpr uint64_t kExpansionsPerSearchDefault = 1u << 18;
inline constexpr uint32_t kExpansionsPerSearchMax = 1u << 24;

// A grid or a graph: one of both is there.
struct SpaceDefinition {
  Id name;
  GridLayout layout;  // of a grid
  std::optional<Grid> grid;
  std::optional<WaypointGraph> graph;
};

struct FlowFieldDefinition {
  Id name;
  uint32_t space = 0;  // index into the spaces; a grid
  uint32_t goal_cell = 0;
};

// The part of a type whose objects find their way: by searches in a space, or
// by a flow field.
struct NavigatorUse {
  static constexpr std::string_view kPart = "navigator";

  uint32_t component = 0;  // index of the component navigator
  uint32_t space = 0;      // index into the spaces
  std::optional<uint32_t> flow_field;
  SearchPolicy policy = SearchPolicy::kAStar;
  Heuristic heuristic = Heuristic::kManhattan;  // of a grid
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_NAVIGATION_NAVIGATION_DEFINITION_H_
