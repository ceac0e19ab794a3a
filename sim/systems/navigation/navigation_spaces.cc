// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/systems/navigation/navigation_spaces.h"

#include <algorithm>
#include <array>

#include "sim/systems/navigation/navigation_rows.h"
#include "sim/world/components/sorted_rows.h"

namespace reprise::sim {
namespace {

constexpr uint32_t kNoSpace = 0xffffffff;

uint32_t SpaceOf(std::span<const SpaceDefinition> definitions, Id name) {
  const auto found =
      std::ranges::lower_bound(definitions, name, {}, &SpaceDefinition::name);
  if (found == definitions.end() || found->name != name) return kNoSpace;
  return static_cast<uint32_t>(found - definitions.begin());
}

}  // namespace

void NavigationSpaces::Load(const Table& cells) {
  for (std::optional<Grid>& grid : changed_) grid.reset();
  for (uint32_t row = 0; row < cells.row_count(); ++row) {
    const auto& changed = cells.Get<ChangedCellRow>(row);
    MutableGrid(SpaceOf(definitions_, changed.grid))
        .SetWeight(static_cast<uint32_t>(changed.cell),
                   static_cast<uint16_t>(changed.weight));
  }
}

bool NavigationSpaces::CheckChangedCells(const Table& cells) const {
  if (cells.row_count() > kChangedCellsMax || !RowsAscend(cells)) return false;
  for (uint32_t row = 0; row < cells.row_count(); ++row) {
    const auto& changed = cells.Get<ChangedCellRow>(row);
    const uint32_t space = SpaceOf(definitions_, changed.grid);
    if (space == kNoSpace || !is_grid(space)) return false;
    const Grid& grid = *definitions_[space].grid;
    if (changed.cell >= grid.node_count() || !grid.CanBe(changed.weight) ||
        grid.weight(static_cast<uint32_t>(changed.cell)) == changed.weight) {
      return false;
    }
  }
  return true;
}

bool NavigationSpaces::ChangeCell(uint32_t space, uint32_t cell,
                                  uint16_t weight, Table& cells) {
  const Id name = definitions_[space].name;
  const std::array<uint64_t, 2> key = {name.value, cell};
  const uint32_t row = cells.LowerBound(key);
  const bool is_there = FindRow(cells, key).has_value();
  if (definitions_[space].grid->weight(cell) == weight) {
    if (is_there) cells.EraseRange(row, 1);
  } else {
    if (!is_there && cells.row_count() >= kChangedCellsMax) return false;
    if (!is_there) cells.Insert(row);
    cells.Mutable<ChangedCellRow>(row) = {name, cell, weight};
  }
  MutableGrid(space).SetWeight(cell, weight);
  return true;
}

uint32_t NavigationSpaces::node_count(uint32_t space) const {
  return is_grid(space) ? grid(space).node_count()
                        : definitions_[space].graph->node_count();
}

uint32_t NavigationSpaces::NodeAt(uint32_t space, Vector3 place) const {
  if (!is_grid(space)) return definitions_[space].graph->Nearest(place);
  return definitions_[space].layout.CellAt(grid(space).shape(), place);
}

Vector3 NavigationSpaces::PlaceOf(uint32_t space, uint32_t node,
                                  double ground_y) const {
  if (!is_grid(space)) return definitions_[space].graph->point(node);
  Vector3 centre =
      definitions_[space].layout.CentreOf(grid(space).shape(), node);
  centre.y = ground_y;
  return centre;
}

bool NavigationSpaces::IsOpen(uint32_t space, uint32_t node) const {
  return !is_grid(space) || grid(space).is_open(node);
}

std::optional<uint64_t> NavigationSpaces::StepCost(uint32_t space,
                                                   uint32_t from,
                                                   uint32_t to) const {
  return is_grid(space) ? grid(space).StepCost(from, to)
                        : definitions_[space].graph->StepCost(from, to);
}

SearchStatus NavigationSpaces::Advance(const NavigatorUse& use,
                                       BestFirstSearch& search,
                                       uint64_t& budget) const {
  return is_grid(use.space)
             ? search.Advance(GridSpace(grid(use.space), use.heuristic), budget)
             : search.Advance(*definitions_[use.space].graph, budget);
}

void NavigationSpaces::Restore(const NavigatorUse& use, uint32_t start,
                               uint32_t goal,
                               std::span<const ReachedNode> reached,
                               BestFirstSearch& search) const {
  if (is_grid(use.space)) {
    search.Restore(GridSpace(grid(use.space), use.heuristic), start, goal,
                   use.policy, reached);
  } else {
    search.Restore(*definitions_[use.space].graph, start, goal, use.policy,
                   reached);
  }
}

Grid& NavigationSpaces::MutableGrid(uint32_t space) {
  if (!changed_[space].has_value()) changed_[space] = definitions_[space].grid;
  return *changed_[space];
}

}  // namespace reprise::sim
