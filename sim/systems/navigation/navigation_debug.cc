// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include <string>
#include <utility>
#include <vector>

#include "fmt/format.h"
#include "sim/debug_frame.h"
#include "sim/geometry/vector3.h"
#include "sim/systems/navigation/navigation_system.h"
#include "sim/systems/navigation/space_outlines.h"
#include "sim/world/objects/object_names.h"
#include "sim/world/objects/objects.h"
#include "sim/world/objects/world_parts.h"

namespace reprise::sim {

void Navigators::AddToDebugFrame(DebugFrame& frame) const {
  for (uint32_t space = 0; space < definition_.spaces.size(); ++space) {
    const SpaceDefinition& definition = definition_.spaces[space];
    SpaceOutline outline = OutlineOf(definition, spaces_, space);
    for (auto* const lines : {&outline.open, &outline.closed}) {
      if (lines->empty()) continue;
      frame.guides.push_back(
          {.kind = DebugGuide::Kind::kSpace,
           .name =
               std::string(parts().definition.names.NameOf(definition.name)),
           .is_active = lines == &outline.open,
           .lines = std::move(*lines)});
    }
  }
  AddPaths(frame);
  AddSearch(frame);
}

void Navigators::AddPaths(DebugFrame& frame) const {
  if (!component_.has_value()) return;
  const Table& rows = components();
  const Table& points = table(kPathPoints);
  size_t shown = 0;
  for (uint32_t i = 0; i < rows.row_count() && shown < kShownPathsMax; ++i) {
    const auto& navigator = rows.Get<NavigatorRow>(i);
    if (navigator.path == 0) continue;
    const uint32_t row = parts().objects.RowOf(state(), navigator.object);
    if (row == kNoRow) continue;
    const uint32_t first = FirstPoint(navigator.path);
    std::vector<Vector3> places;
    for (uint64_t k = 0; k < navigator.points; ++k) {
      const auto at = static_cast<uint32_t>(first + k);
      if (at >= points.row_count()) break;
      places.push_back(points.Get<PathPointRow>(at).position);
    }
    frame.guides.push_back({.kind = DebugGuide::Kind::kPath,
                            .name = NameOfObject(parts().definition,
                                                 parts().objects, state(), row),
                            .is_active = navigator.status == kNavigatorGoing,
                            .lines = LinesThrough(places)});
    ++shown;
  }
}

void Navigators::AddSearch(DebugFrame& frame) const {
  const auto search = searches_.UnderWay();
  if (!search.has_value()) return;
  const uint32_t row = parts().objects.RowOf(state(), search->object);
  if (row == kNoRow || !IsSeeker(row)) return;
  const NavigatorUse& use = *UseOf(row);
  // From cluster to cluster nodes are no cells.
  if (spaces_.GoesByClusters(use, search->goal_node) &&
      table(kCorridor).row_count() == 0) {
    return;
  }
  frame.guides.push_back(
      {.kind = DebugGuide::Kind::kPath,
       .name = fmt::format(
           "search of {}",
           NameOfObject(parts().definition, parts().objects, state(), row)),
       .lines = SearchTreeOf(definition_.spaces[use.space],
                             {.start = search->start_node,
                              .goals = spaces_.GoalNodes(search->goal_node)},
                             table(kReached))});
}

}  // namespace reprise::sim
