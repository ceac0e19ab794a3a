// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Rows that a system keeps for some objects, as many for each as there are now:
// the object is the first key, their number among them the second.

#ifndef REPRISE_SIM_WORLD_SYSTEMS_OWNED_RANGES_H_
#define REPRISE_SIM_WORLD_SYSTEMS_OWNED_RANGES_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "sim/base/object_id.h"
#include "sim/state/state.h"
#include "sim/state/table.h"
#include "sim/world/components/sorted_rows.h"
#include "sim/world/objects/objects.h"
#include "sim/world/objects/world_parts.h"
#include "sim/world/systems/owned_rows.h"

namespace reprise::sim {

// Rows of a table from `first` up to `last`.
struct RowRange {
  uint32_t first = 0;
  uint32_t last = 0;

  uint32_t size() const { return last - first; }
};

inline RowRange RowsOfOwner(const Table& table, ObjectId owner) {
  return {.first = table.LowerBound(std::array{owner.serial, uint64_t{0}}),
          .last = table.LowerBound(std::array{owner.serial + 1, uint64_t{0}})};
}

// Makes the rows of an object those of `rows`, which say so.
template <typename RowType>
void ReplaceRowsOfOwner(State& state, TableIndex index, ObjectId owner,
                        std::span<const RowType> rows) {
  const RowRange before = RowsOfOwner(state.table(index), owner);
  const auto count = static_cast<uint32_t>(rows.size());
  uint32_t known = before.size();
  if (known == 0 && count == 0) return;
  Table& table = state.mutable_table(index);
  if (known > count) {
    table.EraseRange(before.first + count, known - count);
    known = count;
  }
  if (known < count) {
    // At once: one by one, each would move all that is behind it.
    const uint32_t more = count - known;
    const uint32_t behind = before.first + known;
    uint32_t row = table.row_count();
    table.Resize(row + more);
    for (; row > behind; --row) {
      const std::span<std::byte> to = table.MutableRow(row - 1 + more);
      std::ranges::copy(table.Row(row - 1), to.begin());
    }
  }
  for (uint32_t i = 0; i < count; ++i)
    WriteRow(table, before.first + i, rows[i]);
}

// Takes the rows of objects that are gone.
inline void EraseRowsOfLost(const WorldParts& parts, TableIndex index) {
  uint32_t row = 0;
  while (row < parts.state.table(index).row_count()) {
    const ObjectId owner = OwnerOf(parts.state.table(index), row);
    const RowRange rows = RowsOfOwner(parts.state.table(index), owner);
    if (parts.objects.RowOf(parts.state, owner) == kNoRow) {
      parts.state.mutable_table(index).EraseRange(rows.first, rows.size());
    } else {
      row = rows.last;
    }
  }
}

}  // namespace reprise::sim

#endif  // REPRISE_SIM_WORLD_SYSTEMS_OWNED_RANGES_H_
