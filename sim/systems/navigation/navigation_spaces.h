// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The grids and graphs of one world as they are now: those of the pack, and
// what rows say of changed cells.

#ifndef REPRISE_SIM_SYSTEMS_NAVIGATION_NAVIGATION_SPACES_H_
#define REPRISE_SIM_SYSTEMS_NAVIGATION_NAVIGATION_SPACES_H_

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sim/base/table.h"
#include "sim/geometry/vector3.h"
#include "sim/navigation/best_first_search.h"
#include "sim/navigation/grid.h"
#include "sim/systems/navigation/navigation_definition.h"

namespace reprise::sim {

// Spaces go by their index among the definitions, nodes by their number there.
class NavigationSpaces {
 public:
  // `definitions` outlive this.
  explicit NavigationSpaces(std::span<const SpaceDefinition> definitions)
      : definitions_(definitions), changed_(definitions.size()) {}

  // Makes the cells those of the rows (ChangedCellRow).
  // REQUIRES: CheckChangedCells(cells).
  void Load(const Table& cells);
  // Whether rows of a snapshot can be.
  bool CheckChangedCells(const Table& cells) const;

  // Changes a cell, and its row. False, and nothing has changed, where too many
  // cells are others than the pack's. REQUIRES: grid(space).CanBe(weight).
  bool ChangeCell(uint32_t space, uint32_t cell, uint16_t weight, Table& cells);

  bool is_grid(uint32_t space) const {
    return definitions_[space].grid.has_value();
  }
  // REQUIRES: is_grid(space).
  const Grid& grid(uint32_t space) const {
    return changed_[space].has_value() ? *changed_[space]
                                       : *definitions_[space].grid;
  }
  uint32_t node_count(uint32_t space) const;

  // The cell that a place is in, kNoNode outside of the grid; of a graph the
  // closest point.
  uint32_t NodeAt(uint32_t space, Vector3 place) const;
  // Where a node is. A cell is as high as `ground_y`.
  Vector3 PlaceOf(uint32_t space, uint32_t node, double ground_y) const;
  // Whether a step can lead to the node.
  bool IsOpen(uint32_t space, uint32_t node) const;
  // The cost of one step; nullopt where there is none.
  std::optional<uint64_t> StepCost(uint32_t space, uint32_t from,
                                   uint32_t to) const;

  // BestFirstSearch::Advance and Restore in the space of `use`.
  SearchStatus Advance(const NavigatorUse& use, BestFirstSearch& search,
                       uint64_t& budget) const;
  void Restore(const NavigatorUse& use, uint32_t start, uint32_t goal,
               std::span<const ReachedNode> reached,
               BestFirstSearch& search) const;

 private:
  Grid& MutableGrid(uint32_t space);

  std::span<const SpaceDefinition> definitions_;
  // Of grids with changed cells, whole.
  std::vector<std::optional<Grid>> changed_;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_NAVIGATION_NAVIGATION_SPACES_H_
