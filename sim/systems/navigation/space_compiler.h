// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Compiles grids and graphs.

#ifndef REPRISE_SIM_SYSTEMS_NAVIGATION_SPACE_COMPILER_H_
#define REPRISE_SIM_SYSTEMS_NAVIGATION_SPACE_COMPILER_H_

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "reprise/v1/navigation.pb.h"
#include "sim/compiler/checking/message_checker.h"
#include "sim/geometry/vector3.h"
#include "sim/navigation/waypoint_graph.h"
#include "sim/systems/navigation/navigation_definition.h"
#include "sim/world/definition/world_definition.h"

namespace reprise::sim {

// What the grids and graphs of a pack may still have between them.
struct SpaceBudget {
  uint64_t cells = kGridCellsInAllMax;
  uint64_t area_cells = kAreaCellsInAllMax;
  uint32_t sight_points = kSightPointsInAllMax;
};

// The grid, but for its name; a grid of one wall after reporting what is wrong.
// `checker` is the message's own.
SpaceDefinition CompileGrid(const v1::NavigationGrid& message,
                            const MessageChecker& checker, SpaceBudget& budget);

// The points of a graph and the ways that are listed; what is wrong is
// reported. `checker` is the message's own.
struct CompiledGraph {
  std::vector<Vector3> points;
  std::vector<WaypointEdge> edges;
};
CompiledGraph CompileGraph(const v1::WaypointGraph& message,
                           const MessageChecker& checker, SpaceBudget& budget);

// Adds ways both ways between points that see each other. REQUIRES: the world's
// objects are there, and nothing is wrong with them.
void AddWaysBySight(const v1::WaypointGraph& message,
                    const WorldDefinition& world, CompiledGraph& graph);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_NAVIGATION_SPACE_COMPILER_H_
