// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/world/sorted_rows.h"

#include <algorithm>
#include <cstddef>

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

void OpenRow(Table& table, uint32_t row) {
  const uint32_t last = table.row_count();
  CHECK(row <= last, "row {} of {}", row, last);
  table.Resize(last + 1);
  const size_t size = table.schema().row_size();
  // From the last page down: each moves its rows up by one, and takes over the
  // last row of the page before.
  for (uint32_t page = last / table.rows_per_page();; --page) {
    const uint32_t page_first = page * table.rows_per_page();
    const uint32_t page_last = page_first + table.rows_per_page() - 1;
    const uint32_t begin = std::max(row, page_first);
    const uint32_t end = std::min(last, page_last);
    std::byte* const bytes = table.MutableRow(begin).data();
    std::memmove(bytes + size, bytes, (end - begin) * size);
    if (begin == row) {
      std::fill(bytes, bytes + size, std::byte{0});
      return;
    }
    std::memcpy(bytes, table.Row(begin - 1).data(), size);
  }
}

void EraseRows(Table& table, uint32_t first, uint32_t count) {
  CHECK(count <= table.row_count());
  const uint32_t remaining = table.row_count() - count;
  CHECK(first <= remaining, "{} rows from {}", count, first);
  if (count == 0) return;
  const uint32_t per_page = table.rows_per_page();
  for (uint32_t row = first; row < remaining;) {
    // As many as lie together both where they are and where they go.
    const uint32_t source = row + count;
    const uint32_t run = std::min({remaining - row, per_page - row % per_page,
                                   per_page - source % per_page});
    std::byte* const bytes = table.MutableRow(row).data();
    std::memmove(bytes, table.Row(source).data(),
                 size_t{run} * table.schema().row_size());
    row += run;
  }
  table.Resize(remaining);
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

}  // namespace reprise::sim
