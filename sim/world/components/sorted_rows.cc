// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/world/components/sorted_rows.h"

#include <cstring>

namespace reprise::sim {
namespace {

// The key word `index` of a row. Keys lead their rows.
uint64_t KeyWord(const Table& table, uint32_t row, uint32_t index) {
  uint64_t word;
  std::memcpy(&word, table.Row(row).data() + index * sizeof(word),
              sizeof(word));
  return word;
}

}  // namespace

std::optional<uint32_t> FindRow(const Table& table,
                                std::span<const uint64_t> key) {
  DCHECK(key.size() == table.schema().key_field_count());
  const uint32_t row = table.LowerBound(key);
  if (row == table.row_count()) return std::nullopt;
  for (uint32_t i = 0; i < key.size(); ++i) {
    if (KeyWord(table, row, i) != key[i]) return std::nullopt;
  }
  return row;
}

bool RowsAscend(const Table& table) {
  const uint32_t words = table.schema().key_field_count();
  for (uint32_t row = 1; row < table.row_count(); ++row) {
    uint32_t i = 0;
    while (i < words && KeyWord(table, row - 1, i) == KeyWord(table, row, i)) {
      ++i;
    }
    if (i == words || KeyWord(table, row - 1, i) > KeyWord(table, row, i)) {
      return false;
    }
  }
  return true;
}

bool HasKeys(const Table& table, std::span<const Id> names) {
  CHECK(table.schema().key_field_count() == 1);
  if (table.row_count() != names.size()) return false;
  for (uint32_t row = 0; row < table.row_count(); ++row) {
    if (std::memcmp(table.Row(row).data(), &names[row], sizeof(Id)) != 0) {
      return false;
    }
  }
  return true;
}

}  // namespace reprise::sim
