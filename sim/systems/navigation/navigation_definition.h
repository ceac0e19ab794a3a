// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What a pack says of navigation: grids, graphs, meshes, flow fields, and which
// of them the objects of a type go by.

#ifndef REPRISE_SIM_SYSTEMS_NAVIGATION_NAVIGATION_DEFINITION_H_
#define REPRISE_SIM_SYSTEMS_NAVIGATION_NAVIGATION_DEFINITION_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/id.h"
#include "sim/geometry/vector3.h"
#include "sim/navigation/best_first_search.h"
#include "sim/navigation/grid.h"
#include "sim/navigation/grid_layout.h"
#include "sim/navigation/mesh_space.h"
#include "sim/navigation/navigation_mesh.h"
#include "sim/navigation/waypoint_graph.h"
#include "sim/systems/navigation/mesh_source.h"

namespace reprise::sim {

inline constexpr size_t kSpacesMax = 64;
inline constexpr size_t kFlowFieldsMax = 64;
inline constexpr uint64_t kGridCellsInAllMax = 1u << 24;
// Cells that areas set, with those that later ones set again.
inline constexpr uint64_t kAreaCellsInAllMax = 1u << 26;
// Points of graphs that are joined by sight: 130,000 casts.
inline constexpr uint32_t kSightPointsInAllMax = 512;
inline constexpr uint32_t kFlowFieldCellsMax = 1u << 20;
// Of all flow fields together: what is found anew when a step asks for each.
inline constexpr uint64_t kFlowFieldCellsInAllMax = 1u << 21;
// Changes of its goal and cells that a flow field follows in the step in which
// they come: a field costs its cells each time, and nobody else's budget. The
// more cells all fields have, the fewer, so that all come to so many cells.
inline constexpr uint64_t kFlowChangesPerStepMax = 4;
inline constexpr uint64_t kFlowCellsPerStepMax = 1u << 22;
inline constexpr size_t kGoalSetsMax = 64;
// Of a set: a search guesses the way to each of them at each node.
inline constexpr size_t kGoalsOfSetMax = 64;
inline constexpr double kNavigationCoordinateMaxM = 1e6;
inline constexpr double kCellSizeMinM = 0.01;
inline constexpr double kCellSizeMaxM = 1000.0;

inline constexpr uint64_t kExpansionsPerTickDefault = 10'000;
inline constexpr uint32_t kExpansionsPerTickMax = 10'000'000;
inline constexpr uint64_t kExpansionsPerSearchDefault = 1u << 18;
// A search that goes on over ticks is in the state, and a state has to fit into
// a keyframe (kReachedNodesMax).
inline constexpr uint32_t kExpansionsPerSearchMax = 1u << 19;

inline constexpr double kAboveGroundMaxM = 100.0;

struct MeshAreaDefinition {
  Id name;
  uint16_t weight = 0;  // 0: it is closed
};

// From where to where who goes straight also jumps.
struct MeshJump {
  MeshPlace from;
  MeshPlace to;
};

struct MeshDefinition {
  NavigationMesh mesh;
  std::string file;         // its path in the pack
  std::string declared_at;  // "pack.txtpb:4:19: navigation.meshes[0]"
  MeshSettings settings;    // that it is made with
  double reach_m = 0.0;     // outside of its polygons
  std::vector<MeshAreaDefinition> areas;  // from area 1 on
  std::vector<Id> links;                  // their names
  std::vector<MeshJump> jumps;
};

// Who stands on a mesh may be above it, as one who falls, and a step below.
// Ground is a voxel too high at most, and as much too low.
inline MeshReach ReachOf(const MeshDefinition& mesh) {
  const double rounding_m = 2.0 * mesh.settings.scale.cell_height_m;
  return {.radius_m = mesh.reach_m,
          .below_m = mesh.settings.agent_height_m,
          .above_m = mesh.settings.agent_step_m + rounding_m};
}

// A grid, a graph or a mesh: one of them is there.
struct SpaceDefinition {
  Id name;
  GridLayout layout;  // of a grid
  std::optional<Grid> grid;
  uint32_t cluster_side = 0;  // of a grid, in cells; 0: it has no clusters
  std::optional<WaypointGraph> graph;
  std::optional<MeshDefinition> mesh;
};

struct FlowFieldDefinition {
  Id name;
  uint32_t space = 0;  // index into the spaces; a grid
  uint32_t goal_cell = 0;
};

// Places of a space of which a navigator goes to the nearest.
struct GoalSetDefinition {
  // A node, and where who goes to it ends: on a grid anywhere in the cell.
  struct Goal {
    uint64_t node = 0;
    Vector3 place;
  };

  Id name;
  std::string text;              // the name
  uint32_t space = 0;            // index into the spaces
  std::vector<Goal> goals;       // ascending by node, none twice
  std::vector<MeshGoal> places;  // the same on a mesh
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
  // How high its position is above the ground of a mesh.
  double above_ground_m = 0.0;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_NAVIGATION_NAVIGATION_DEFINITION_H_
