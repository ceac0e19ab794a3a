// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Whether the rows of a snapshot can be.

#include <algorithm>
#include <array>
#include <vector>

#include "sim/base/math.h"
#include "sim/physics/definition/physics_bounds.h"
#include "sim/systems/navigation/navigation_system.h"
#include "sim/world/components/object_rows.h"
#include "sim/world/components/sorted_rows.h"
#include "sim/world/objects/objects.h"
#include "sim/world/objects/world_parts.h"

namespace reprise::sim {
namespace {

bool IsWithin(double value, double minimum, double maximum) {
  return value >= minimum && value <= maximum;  // not NaN
}

bool HasUsableNumbers(const NavigatorRow& row) {
  constexpr double kMax = kNavigationCoordinateMaxM;
  return IsWithin(row.goal.x, -kMax, kMax) &&
         IsWithin(row.goal.y, -kMax, kMax) &&
         IsWithin(row.goal.z, -kMax, kMax) &&
         IsWithin(row.speed, 0.0, kSpeedMax) &&
         IsWithin(row.arrive_radius, 0.0, kMax) && row.is_active >= 0 &&
         row.is_active <= 1 && row.status >= kNavigatorIdle &&
         row.status <= kNavigatorFailed && IsFinite(row.checked_at.x) &&
         IsFinite(row.checked_at.y) && IsFinite(row.checked_at.z);
}

// The index that the world has is of its own state, where others may be in
// these rows. REQUIRES: the snapshot's objects can be.
uint32_t TypeIn(const State& snapshot, uint32_t row, const WorldParts& parts) {
  const Table& objects = snapshot.table(parts.tables.objects.objects);
  return *parts.definition.FindType(objects.Get<ObjectRow>(row).type);
}

}  // namespace

absl::Status Navigators::CheckRows(const State& snapshot) const {
  if (snapshot.table(index(kCounters)).row_count() != 1) {
    return absl::DataLossError("snapshot: searches aren't counted");
  }
  if (!spaces_.CheckChangedCells(snapshot.table(index(kCells)))) {
    return absl::DataLossError("snapshot: a cell that can't be");
  }
  if (!CheckFlowGoals(snapshot)) {
    return absl::DataLossError("snapshot: a flow field that leads nowhere");
  }
  if (!CheckNavigators(snapshot)) {
    return absl::DataLossError("snapshot: a navigator or path that can't be");
  }
  return CheckSearches(snapshot);
}

bool Navigators::CheckFlowGoals(const State& snapshot) const {
  const Table& goals = snapshot.table(index(kFlowGoals));
  if (goals.row_count() != definition_.flow_fields.size()) return false;
  for (uint32_t row = 0; row < goals.row_count(); ++row) {
    const auto& goal = goals.Get<FlowGoalRow>(row);
    const FlowFieldDefinition& field = definition_.flow_fields[row];
    if (goal.field != field.name ||
        goal.cell >= spaces_.grid(field.space).node_count()) {
      return false;
    }
  }
  return true;
}

// Paths belong to navigators one to one, and lie in their spaces.
bool Navigators::CheckNavigators(const State& snapshot) const {
  const Table& points = snapshot.table(index(kPathPoints));
  const auto& counters =
      snapshot.table(index(kCounters)).Get<NavigationCounterRow>(0);
  if (points.row_count() > kPathPointsInAllMax || !RowsAscend(points)) {
    return false;
  }
  if (!component_.has_value()) return points.row_count() == 0;
  const Table& navigators =
      snapshot.table(parts().tables.objects.components[*component_]);
  std::vector<uint64_t> paths;
  uint64_t point_count = 0;
  for (uint32_t i = 0; i < navigators.row_count(); ++i) {
    const auto& navigator = navigators.Get<NavigatorRow>(i);
    const uint32_t row = parts().objects.RowOf(snapshot, navigator.object);
    if (row == kNoRow || !HasUsableNumbers(navigator)) return false;
    const NavigatorUse* const use = uses_[TypeIn(snapshot, row, parts())];
    // The component may be of a type that says nothing else of navigation.
    const auto is_goal = [&](uint64_t node) {
      return use != nullptr && spaces_.IsGoal(use->space, node);
    };
    if ((navigator.goal_node != kNowhere && !is_goal(navigator.goal_node)) ||
        navigator.search > counters.searches ||
        navigator.path > counters.paths) {
      return false;
    }
    if (navigator.path == 0) {
      if (navigator.points != 0 || navigator.next != 0) return false;
      continue;
    }
    if (!IsSeekerUse(use) || navigator.next >= navigator.points ||
        navigator.points > points.row_count()) {
      return false;
    }
    const uint32_t first =
        points.LowerBound(std::array{navigator.path, uint64_t{0}});
    if (navigator.points > points.row_count() - first) return false;
    for (uint32_t k = 0; k < navigator.points; ++k) {
      const auto& point = points.Get<PathPointRow>(first + k);
      if (point.path != navigator.path || point.index != k ||
          !spaces_.IsPoint(use->space, point)) {
        return false;
      }
    }
    paths.push_back(navigator.path);
    point_count += navigator.points;
  }
  // A total order: equal numbers are the same.
  std::ranges::sort(paths);
  const bool is_shared = std::ranges::adjacent_find(paths) != paths.end();
  return !is_shared && point_count == points.row_count();
}

// Those that aren't due are requests of the world's queue, and no others are.
absl::Status Navigators::CheckSearches(const State& snapshot) const {
  const absl::Status contradiction =
      absl::DataLossError("snapshot: a search that nobody can have asked for");
  const Table& searches = snapshot.table(index(kSearches));
  const Table& requests = snapshot.table(*parts().tables.requests);
  const auto& counters =
      snapshot.table(index(kCounters)).Get<NavigationCounterRow>(0);
  if (!RowsAscend(searches)) return contradiction;
  uint32_t asked_count = 0;
  uint64_t stage_before = kSearchIsUnderWay;
  for (uint32_t row = 0; row < searches.row_count(); ++row) {
    const auto& search = searches.Get<PathSearchRow>(row);
    const bool is_first_under_way =
        row == 0 || search.stage != kSearchIsUnderWay;
    if (search.stage > stage_before || !is_first_under_way ||
        search.serial == 0 || search.serial > counters.searches ||
        search.expansions > definition_.expansions_per_search) {
      return contradiction;
    }
    stage_before = search.stage;
    const uint32_t object = parts().objects.RowIn(snapshot, search.object);
    if (object != kNoRow && search.goal_node != kNowhere) {
      const NavigatorUse* const use = uses_[TypeIn(snapshot, object, parts())];
      if (!IsSeekerUse(use) || !spaces_.IsGoal(use->space, search.goal_node)) {
        return contradiction;
      }
    }
    if (search.stage != kSearchIsAsked) continue;
    ++asked_count;
    const auto request =
        FindRow(requests, std::array{search.due, search.request});
    if (!request.has_value()) return contradiction;
    const auto& asked = requests.Get<RequestRow>(*request);
    if (asked.kind != kPathRequest || asked.object != search.object ||
        asked.event != search.event) {
      return contradiction;
    }
  }
  uint32_t request_count = 0;
  for (uint32_t row = 0; row < requests.row_count(); ++row) {
    if (requests.Get<RequestRow>(row).kind == kPathRequest) ++request_count;
  }
  if (request_count != asked_count) return contradiction;
  if (!CheckReached(snapshot)) {
    return absl::DataLossError("snapshot: a search that can't be");
  }
  return absl::OkStatus();
}

bool Navigators::CheckReached(const State& snapshot) const {
  const Table& searches = snapshot.table(index(kSearches));
  const Table& rows = snapshot.table(index(kReached));
  const bool is_under_way =
      searches.row_count() > 0 &&
      searches.Get<PathSearchRow>(0).stage == kSearchIsUnderWay;
  const Table& corridor_rows = snapshot.table(index(kCorridor));
  if (!is_under_way) {
    return rows.row_count() == 0 && corridor_rows.row_count() == 0;
  }
  if (rows.row_count() == 0 || !RowsAscend(corridor_rows)) return false;
  std::vector<ReachedNode> reached;
  for (uint32_t row = 0; row < rows.row_count(); ++row) {
    const auto& each = rows.Get<ReachedNodeRow>(row);
    if (each.number != row || each.is_expanded > 1) return false;
    reached.push_back({.cost = each.cost,
                       .node = each.node,
                       .came_from = each.came_from,
                       .is_expanded = each.is_expanded != 0});
  }
  const auto& search = searches.Get<PathSearchRow>(0);
  const uint32_t object = parts().objects.RowIn(snapshot, search.object);
  // Of nobody any more, it is only ever dropped.
  if (object == kNoRow) return true;
  const NavigatorUse* const use = uses_[TypeIn(snapshot, object, parts())];
  if (!IsSeekerUse(use)) return false;
  std::vector<uint32_t> corridor;
  for (uint32_t row = 0; row < corridor_rows.row_count(); ++row) {
    const uint64_t cluster = corridor_rows.Get<CorridorRow>(row).cluster;
    corridor.push_back(
        static_cast<uint32_t>(std::min<uint64_t>(cluster, kNowhere)));
  }
  if (!corridor.empty() && !spaces_.GoesByClusters(*use, search.goal_node)) {
    return false;
  }
  return spaces_.IsCorridor(use->space, corridor) &&
         spaces_.CanRestore(
             use->space, {.start = search.start_node, .goal = search.goal_node},
             reached);
}

}  // namespace reprise::sim
