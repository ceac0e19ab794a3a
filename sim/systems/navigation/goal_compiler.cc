// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/systems/navigation/goal_compiler.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "fmt/format.h"
#include "sim/base/math.h"
#include "sim/navigation/best_first_search.h"
#include "sim/systems/navigation/navigation_rows.h"

namespace reprise::sim {
namespace {

bool IsUsable(Vector3 place) {
  const auto is_within = [](double x) {
    return Abs(x) <= kNavigationCoordinateMaxM;  // not NaN
  };
  return is_within(place.x) && is_within(place.y) && is_within(place.z);
}

// What a node of a space is called.
std::string_view KindOfNode(const SpaceDefinition& space) {
  if (space.grid.has_value()) return "cell";
  return space.graph.has_value() ? "point" : "place";
}

// The node at a place; kNowhere: none is.
uint64_t NodeAt(const SpaceDefinition& space, Vector3 place) {
  if (space.grid.has_value()) {
    return space.layout.CellAt(space.grid->shape(), place);
  }
  if (space.graph.has_value()) return space.graph->Nearest(place);
  const auto found = space.mesh->mesh.Find(place, ReachOf(*space.mesh));
  return found.has_value() ? PackMeshPlace(*found) : kNowhere;
}

}  // namespace

std::optional<GoalSetDefinition> CompileGoals(const v1::GoalSet& message,
                                              const MessageChecker& checker,
                                              const SpaceDefinition& space,
                                              uint32_t index) {
  const auto count = static_cast<size_t>(message.goals_size());
  if (count == 0 || count > kGoalsOfSetMax) {
    checker.Problem("goals", fmt::format("{} of them, and it has to be 1 to {}",
                                         count, kGoalsOfSetMax));
    return std::nullopt;
  }
  GoalSetDefinition set = {.space = index};
  bool is_whole = true;
  for (int i = 0; i < message.goals_size(); ++i) {
    const MessageChecker at = checker.In(message.goals(i), "goals", i);
    const Vector3 place = at.Vector("position", message.goals(i).position(),
                                    kNavigationCoordinateMaxM);
    if (!IsUsable(place)) return std::nullopt;  // it is reported
    const uint64_t node = NodeAt(space, place);
    const auto same =
        std::ranges::find(set.goals, node, &GoalSetDefinition::Goal::node);
    std::string problem;
    if (node == kNowhere) {
      problem = fmt::format("is no place of '{}'", message.space());
    } else if (space.grid.has_value() &&
               !space.grid->is_open(static_cast<uint32_t>(node))) {
      problem = "is in a wall";
    } else if (same != set.goals.end()) {
      problem = fmt::format("is the same {} as goals[{}]", KindOfNode(space),
                            same - set.goals.begin());
    }
    if (!problem.empty()) {
      at.Problem("position", std::move(problem));
      is_whole = false;
    }
    set.goals.push_back({.node = node, .place = place});
  }
  if (!is_whole) return std::nullopt;
  // A total order: none is there twice.
  std::ranges::sort(set.goals, {}, &GoalSetDefinition::Goal::node);
  if (!space.mesh.has_value()) return set;
  for (const GoalSetDefinition::Goal& goal : set.goals) {
    const MeshPlace place = UnpackMeshPlace(goal.node);
    set.places.push_back({place, space.mesh->mesh.PositionOf(place)});
  }
  return set;
}

}  // namespace reprise::sim
