// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Where one can walk as lines to look at: borders of cells, edges of polygons,
// ways of graphs; and how far a search has come.

#ifndef REPRISE_SIM_SYSTEMS_NAVIGATION_SPACE_OUTLINES_H_
#define REPRISE_SIM_SYSTEMS_NAVIGATION_SPACE_OUTLINES_H_

#include <cstdint>
#include <vector>

#include "sim/debug_frame.h"
#include "sim/geometry/vector3.h"
#include "sim/state/table.h"
#include "sim/systems/navigation/navigation_definition.h"
#include "sim/systems/navigation/navigation_rows.h"
#include "sim/systems/navigation/navigation_spaces.h"

namespace reprise::sim {

// More nobody can tell apart; they are looked at in each frame that is shown.
inline constexpr size_t kSpaceLinesMax = 20'000;
inline constexpr uint32_t kOutlinedCellsMax = 1u << 16;
inline constexpr size_t kShownPathsMax = 1000;
inline constexpr size_t kSearchLinesMax = 5000;

struct SpaceOutline {
  // Of a grid between open cells and others, of a graph its ways, of a mesh the
  // edges of its polygons, and its links as axes.
  std::vector<DebugLine> open;
  // Of polygons in areas that are closed.
  std::vector<DebugLine> closed;
};

// As it is now, a little above the ground. Empty where it is of more than
// kOutlinedCellsMax cells or kSpaceLinesMax lines.
SpaceOutline OutlineOf(const SpaceDefinition& definition,
                       const NavigationSpaces& spaces, uint32_t space);

// Of a search: the nodes where it begins and where it may end.
struct SearchEnds {
  uint64_t start = 0;
  std::vector<uint64_t> goals;
};

// From each node that a search has reached, of the first kSearchLinesMax, to
// the one that it came from: as an axis where it is expanded, as a limit where
// it is in the open list. `reached` are its rows.
std::vector<DebugLine> SearchTreeOf(const SpaceDefinition& definition,
                                    const SearchEnds& search,
                                    const Table& reached);

// Through all places, a little above the ground.
std::vector<DebugLine> LinesThrough(const std::vector<Vector3>& places);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_NAVIGATION_SPACE_OUTLINES_H_
