// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The rows of navigation: what is asked for, what a search has reached, paths,
// changed cells and areas, the goals of flow fields; and the component of
// navigators. But for the points of paths a node of a mesh is a place: 16 bits
// of the polygon, 24 each of x and z in 256ths of a voxel.

#ifndef REPRISE_SIM_SYSTEMS_NAVIGATION_NAVIGATION_ROWS_H_
#define REPRISE_SIM_SYSTEMS_NAVIGATION_NAVIGATION_ROWS_H_

#include <array>
#include <cstdint>
#include <string_view>

#include "sim/base/field.h"
#include "sim/base/handle.h"
#include "sim/base/id.h"
#include "sim/base/object_id.h"
#include "sim/base/tick.h"
#include "sim/base/value_name.h"
#include "sim/geometry/vector3.h"

namespace reprise::sim {

// What a navigator does; its property `status`.
enum NavigatorStatus : int64_t {
  kNavigatorIdle = 0,
  kNavigatorWaiting = 1,  // for its first path, or one in the place of a stale
  kNavigatorGoing = 2,
  kNavigatorArrived = 3,
  kNavigatorFailed = 4,
};

inline constexpr auto kNavigatorStatusNames = std::to_array<ValueName>({
    {kNavigatorIdle, "idle"},
    {kNavigatorWaiting, "waiting"},
    {kNavigatorGoing, "going"},
    {kNavigatorArrived, "arrived"},
    {kNavigatorFailed, "failed"},
});

// In the place of a node: it is in none.
inline constexpr uint64_t kNowhere = 0xffffffff;

// In the place of a goal's node: the nearest goal of a set, by the index of
// that. Neither a cell, nor a point, nor a place on a mesh is such a number: of
// those a coordinate has at most 65,535 whole voxels.
inline constexpr uint64_t kNearestLast = kNowhere - 1;
inline constexpr uint64_t kNearestFirst = kNowhere - 64;
constexpr uint64_t NearestOf(uint32_t set) { return kNearestLast - set; }
constexpr bool IsNearest(uint64_t node) {
  return node >= kNearestFirst && node <= kNearestLast;
}
// REQUIRES: IsNearest(node).
constexpr uint32_t SetOfNearest(uint64_t node) {
  return static_cast<uint32_t>(kNearestLast - node);
}

// Only in packs that have such types.
struct NavigatorRow {
  ObjectId object;
  uint64_t overridden = 0;
  Vector3 goal;
  Handle target;
  double speed = 1.0;
  double arrive_radius = 0.1;
  int64_t is_active = 0;
  int64_t status = kNavigatorIdle;
  // Its own. The node that its path leads to, or that it asks for; IsNearest:
  // the nearest of several, for as long as `goal` is one of them.
  uint64_t goal_node = kNowhere;
  uint64_t search = 0;  // the serial of what it waits for; 0: nothing
  uint64_t path = 0;    // the serial of its path; 0: none
  uint64_t next = 0;    // the point of the path that it goes to
  uint64_t points = 0;  // that the path has
  // Of a character that goes: where it was when that was last looked at, to
  // which point of its path it went, and the tick plus 1; 0: not yet.
  Tick checked_on = 0;
  uint64_t checked_next = 0;
  Vector3 checked_at;

  static constexpr std::string_view kTable = "navigator";
  static constexpr uint32_t kKeyFields = 1;
  static constexpr auto Describe() {
    return std::array{REPRISE_FIELD(NavigatorRow, object, ""),
                      REPRISE_FIELD(NavigatorRow, overridden, ""),
                      REPRISE_FIELD(NavigatorRow, goal, "m"),
                      REPRISE_FIELD(NavigatorRow, target, ""),
                      REPRISE_FIELD(NavigatorRow, speed, "m/s"),
                      REPRISE_FIELD(NavigatorRow, arrive_radius, "m"),
                      REPRISE_FIELD(NavigatorRow, is_active, ""),
                      REPRISE_FIELD(NavigatorRow, status, ""),
                      REPRISE_FIELD(NavigatorRow, goal_node, ""),
                      REPRISE_FIELD(NavigatorRow, search, ""),
                      REPRISE_FIELD(NavigatorRow, path, ""),
                      REPRISE_FIELD(NavigatorRow, next, ""),
                      REPRISE_FIELD(NavigatorRow, points, ""),
                      REPRISE_FIELD(NavigatorRow, checked_on, "tick"),
                      REPRISE_FIELD(NavigatorRow, checked_next, ""),
                      REPRISE_FIELD(NavigatorRow, checked_at, "m")};
  }
};

// How far a search is.
enum PathSearchStage : uint64_t {
  kSearchIsAsked = 0,     // its request waits among the world's
  kSearchIsDue = 1,       // it waits for its turn
  kSearchIsUnderWay = 2,  // its reached nodes are in the table of them
};

// A search that somebody has asked for, under the key of the request
// (request_rows.h): the order in which they take turns. Those that are due come
// first, and only the very first one can be under way.
struct PathSearchRow {
  Tick due = 0;
  uint64_t request = 0;
  uint64_t serial = 0;  // in the order of asking, from 1
  Handle object;        // who wants the path
  Id event;             // the answer; path_found: the navigator itself asked
  uint64_t goal_node = kNowhere;
  uint64_t start_node = kNowhere;  // once it is under way
  // So far, with those before a cell changed and it began anew.
  uint64_t expansions = 0;
  uint64_t stage = kSearchIsAsked;

  static constexpr std::string_view kTable = "searches";
  static constexpr uint32_t kKeyFields = 2;
  static constexpr auto Describe() {
    return std::array{REPRISE_FIELD(PathSearchRow, due, "tick"),
                      REPRISE_FIELD(PathSearchRow, request, ""),
                      REPRISE_FIELD(PathSearchRow, serial, ""),
                      REPRISE_FIELD(PathSearchRow, object, ""),
                      REPRISE_FIELD(PathSearchRow, event, ""),
                      REPRISE_FIELD(PathSearchRow, goal_node, ""),
                      REPRISE_FIELD(PathSearchRow, start_node, ""),
                      REPRISE_FIELD(PathSearchRow, expansions, ""),
                      REPRISE_FIELD(PathSearchRow, stage, "")};
  }
};

// What the search that is under way has reached (best_first_search.h).
struct ReachedNodeRow {
  uint64_t number = 0;  // in the order of reaching, from 0
  uint64_t cost = 0;
  uint32_t node = 0;
  uint32_t came_from = 0;
  uint64_t is_expanded = 0;  // 0: it is in the open list

  static constexpr std::string_view kTable = "reached_nodes";
  static constexpr uint32_t kKeyFields = 1;
  static constexpr auto Describe() {
    return std::array{REPRISE_FIELD(ReachedNodeRow, number, ""),
                      REPRISE_FIELD(ReachedNodeRow, cost, ""),
                      REPRISE_FIELD(ReachedNodeRow, node, ""),
                      REPRISE_FIELD(ReachedNodeRow, came_from, ""),
                      REPRISE_FIELD(ReachedNodeRow, is_expanded, "")};
  }
};

// A cluster of a grid that the search under way looks for a path in, once it
// has found a way from cluster to cluster (grid_clusters.h).
struct CorridorRow {
  uint64_t cluster = 0;

  static constexpr std::string_view kTable = "corridor";
  static constexpr uint32_t kKeyFields = 1;
  static constexpr auto Describe() {
    return std::array{REPRISE_FIELD(CorridorRow, cluster, "")};
  }
};

// A point of a path, of which each belongs to one navigator.
struct PathPointRow {
  uint64_t path = 0;  // its serial
  uint64_t index = 0;
  uint64_t node = 0;  // a cell, a point of a graph, or a polygon
  Vector3 position;   // of the node on the ground; on a mesh within the polygon

  static constexpr std::string_view kTable = "path_points";
  static constexpr uint32_t kKeyFields = 2;
  static constexpr auto Describe() {
    return std::array{REPRISE_FIELD(PathPointRow, path, ""),
                      REPRISE_FIELD(PathPointRow, index, ""),
                      REPRISE_FIELD(PathPointRow, node, ""),
                      REPRISE_FIELD(PathPointRow, position, "m")};
  }
};

// A cell that isn't as the pack has it; of a mesh that is in the place of the
// grid an area, the first being 0, or behind those a link.
struct ChangedCellRow {
  Id grid;
  uint64_t cell = 0;
  uint64_t weight = 0;

  static constexpr std::string_view kTable = "changed_cells";
  static constexpr uint32_t kKeyFields = 2;
  static constexpr auto Describe() {
    return std::array{REPRISE_FIELD(ChangedCellRow, grid, ""),
                      REPRISE_FIELD(ChangedCellRow, cell, ""),
                      REPRISE_FIELD(ChangedCellRow, weight, "")};
  }
};

struct FlowGoalRow {
  Id field;
  uint64_t cell = 0;

  static constexpr std::string_view kTable = "flow_goals";
  static constexpr uint32_t kKeyFields = 1;
  static constexpr auto Describe() {
    return std::array{REPRISE_FIELD(FlowGoalRow, field, ""),
                      REPRISE_FIELD(FlowGoalRow, cell, "")};
  }
};

// One row.
struct NavigationCounterRow {
  uint64_t searches = 0;    // asked for so far: the last serial
  uint64_t paths = 0;       // found so far: the last serial
  uint64_t expansions = 0;  // made so far

  static constexpr std::string_view kTable = "counters";
  static constexpr uint32_t kKeyFields = 0;
  static constexpr auto Describe() {
    return std::array{REPRISE_FIELD(NavigationCounterRow, searches, ""),
                      REPRISE_FIELD(NavigationCounterRow, paths, ""),
                      REPRISE_FIELD(NavigationCounterRow, expansions, "")};
  }
};

// Points of all paths at a time: 48 bytes each.
inline constexpr uint32_t kPathPointsInAllMax = 1u << 22;
// Cells that differ from the pack's at a time.
inline constexpr uint32_t kChangedCellsMax = 1u << 20;

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_NAVIGATION_NAVIGATION_ROWS_H_
