// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A small table as a vector of rows: read whole, changed, and written back
// where it differs, so that a tick that changes nothing writes nothing.

#ifndef REPRISE_SIM_WORLD_KEYED_ROWS_H_
#define REPRISE_SIM_WORLD_KEYED_ROWS_H_

#include <array>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <vector>

#include "sim/base/id.h"
#include "sim/base/table.h"

namespace reprise::sim {

template <typename Row>
std::vector<Row> ReadRows(const Table& table) {
  std::vector<Row> rows;
  rows.reserve(table.row_count());
  for (uint32_t row = 0; row < table.row_count(); ++row) {
    rows.push_back(table.Get<Row>(row));
  }
  return rows;
}

// Makes `table` hold `rows` and nothing else.
// REQUIRES: `rows` ascend by key.
template <typename Row>
void WriteRows(std::span<const Row> rows, Table& table) {
  table.Resize(static_cast<uint32_t>(rows.size()));
  for (uint32_t row = 0; row < table.row_count(); ++row) {
    // By their bytes, which are what the digest sees.
    if (std::memcmp(&table.Get<Row>(row), &rows[row], sizeof(Row)) == 0) {
      continue;
    }
    table.Mutable<Row>(row) = rows[row];
  }
}

// The index of the row with this key; nullopt where there is none.
template <typename Row>
std::optional<uint32_t> FindRow(
    const Table& table, const std::array<uint64_t, Row::kKeyFields>& key) {
  const uint32_t row = table.LowerBound(key);
  if (row == table.row_count() ||
      std::memcmp(table.Row(row).data(), key.data(), sizeof(key)) != 0) {
    return std::nullopt;
  }
  return row;
}

// Whether there is exactly one row for each of `names`, in this order.
// REQUIRES: the only key is an Id.
template <typename Row>
bool HasKeys(const Table& table, std::span<const Id> names) {
  static_assert(Row::kKeyFields == 1);
  if (table.row_count() != names.size()) return false;
  for (uint32_t row = 0; row < table.row_count(); ++row) {
    if (std::memcmp(table.Row(row).data(), &names[row], sizeof(Id)) != 0) {
      return false;
    }
  }
  return true;
}

}  // namespace reprise::sim

#endif  // REPRISE_SIM_WORLD_KEYED_ROWS_H_
