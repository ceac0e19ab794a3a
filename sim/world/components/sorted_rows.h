// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Tables whose rows are kept ascending by their keys: found, read, and written
// where they differ. A row that ends as it was is not written, so its page
// stays shared with snapshots and its digest stays known.

#ifndef REPRISE_SIM_WORLD_COMPONENTS_SORTED_ROWS_H_
#define REPRISE_SIM_WORLD_COMPONENTS_SORTED_ROWS_H_

#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <vector>

#include "sim/base/check.h"
#include "sim/base/id.h"
#include "sim/state/table.h"

namespace reprise::sim {

// The row whose key fields are exactly `key`; nullopt when there is none.
// REQUIRES: `key` has as many words as the table has key fields.
std::optional<uint32_t> FindRow(const Table& table,
                                std::span<const uint64_t> key);

// Whether each row's key is greater than that of the row before.
bool RowsAscend(const Table& table);

// Whether there is exactly one row for each of `names`, in this order.
// REQUIRES: the table's only key is an Id.
bool HasKeys(const Table& table, std::span<const Id> names);

template <typename RowType>
std::vector<RowType> ReadRows(const Table& table) {
  std::vector<RowType> rows;
  rows.reserve(table.row_count());
  for (uint32_t row = 0; row < table.row_count(); ++row) {
    rows.push_back(table.Get<RowType>(row));
  }
  return rows;
}

// Makes `value` the row `row`.
template <typename RowType>
void WriteRow(Table& table, uint32_t row, const RowType& value) {
  if (std::memcmp(table.Row(row).data(), &value, sizeof(value)) == 0) return;
  table.Mutable<RowType>(row) = value;
}

// Makes `values` all that follows from row `first` on.
// REQUIRES: first <= row_count().
template <typename RowType>
void WriteTail(Table& table, uint32_t first, std::span<const RowType> values) {
  CHECK(first <= table.row_count());
  table.Resize(first + static_cast<uint32_t>(values.size()));
  for (uint32_t i = 0; i < values.size(); ++i) {
    WriteRow(table, first + i, values[i]);
  }
}

// Removes every row of which `is_obsolete` is true, in one pass. Returns the
// first row that may have changed: row_count() when none was removed.
template <typename RowType, typename Predicate>
uint32_t EraseRowsIf(Table& table, const Predicate& is_obsolete) {
  uint32_t kept = 0;
  uint32_t first_erased = table.row_count();
  for (uint32_t row = 0; row < table.row_count(); ++row) {
    const RowType value = table.Get<RowType>(row);
    if (is_obsolete(value)) {
      if (first_erased == table.row_count()) first_erased = row;
      continue;
    }
    if (kept != row) WriteRow(table, kept, value);
    ++kept;
  }
  table.Resize(kept);
  return first_erased < kept ? first_erased : kept;
}

}  // namespace reprise::sim

#endif  // REPRISE_SIM_WORLD_COMPONENTS_SORTED_ROWS_H_
