// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/plugins/foreign_rows.h"

#include <algorithm>
#include <cstring>

#include "fmt/format.h"
#include "sim/plugins/foreign_call.h"
#include "sim/plugins/plugin_text.h"
#include "sim/plugins/shown_items.h"
#include "sim/state/page.h"

namespace reprise::sim {
namespace {

uint64_t KeyOf(const std::byte* row, uint32_t field) {
  uint64_t key = 0;
  std::memcpy(&key, row + size_t{field} * sizeof(key), sizeof(key));
  return key;
}

// Whether the key of `after` is above that of `before`.
bool Ascends(const std::byte* before, const std::byte* after,
             uint32_t key_fields) {
  for (uint32_t field = 0; field < key_fields; ++field) {
    const uint64_t a = KeyOf(before, field);
    const uint64_t b = KeyOf(after, field);
    if (a != b) return a < b;
  }
  return false;
}

// How many of `count` rows, one after another from `rows` on, are each above
// the one before it; `before`, which may be null, is that of the first.
uint32_t CountAscending(const std::byte* before, const std::byte* rows,
                        uint32_t count, uint32_t row_size,
                        uint32_t key_fields) {
  uint32_t row = 0;
  if (before == nullptr && count > 0) {
    before = rows;
    row = 1;
  }
  if (key_fields == 1) {  // as most tables have
    uint64_t key = row < count ? KeyOf(before, 0) : 0;
    for (; row < count; ++row) {
      const uint64_t next = KeyOf(rows + size_t{row} * row_size, 0);
      if (next <= key) break;
      key = next;
    }
    return row;
  }
  for (; row < count; ++row) {
    const std::byte* const after = rows + size_t{row} * row_size;
    if (!Ascends(before, after, key_fields)) break;
    before = after;
  }
  return row;
}

// That each row from `begin` up to `end` is above the one before it.
absl::Status CheckKeys(const Table& table, uint32_t begin, uint32_t end) {
  const uint32_t key_fields = table.schema().key_field_count();
  if (key_fields == 0 || begin >= end) return absl::OkStatus();
  const std::byte* before = begin == 0 ? nullptr : table.Row(begin - 1).data();
  for (uint32_t row = begin; row < end;) {
    // Rows of one page lie one after another.
    const uint32_t page_end =
        std::min(end, (table.PageOf(row) + 1) * table.rows_per_page());
    const std::byte* const rows = table.Row(row).data();
    const uint32_t count = page_end - row;
    const uint32_t ascending =
        CountAscending(before, rows, count, table.row_size(), key_fields);
    if (ascending < count) {
      return absl::DataLossError(
          fmt::format("table '{}' row {}: its key isn't above that of the row "
                      "before it",
                      table.schema().name(), row + ascending));
    }
    before = rows + size_t{count - 1} * table.row_size();
    row = page_end;
  }
  return absl::OkStatus();
}

bool HasItsGuard(const std::vector<std::byte>& given) {
  return std::ranges::all_of(
      std::span(given).last(kPluginGuardBytes),
      [](std::byte byte) { return byte == std::byte{kPluginGuard}; });
}

}  // namespace

ForeignRows::ForeignRows(const reprise_plugin& calls,
                         const PluginDescription& description)
    : calls_(calls),
      tables_(description.tables),
      regions_(calls, description),
      page_(kPageSize) {}

void ForeignRows::AddTables(State& state) {
  first_table_ = state.table_count();
  for (const PluginDescription::Table& table : tables_) {
    state.AddTable(table.room, table.layout.schema());
  }
  regions_.AddTables(state);
}

absl::Status ForeignRows::Take(reprise_simulation* foreign, bool everything,
                               State& state) {
  has_left_out_ = false;
  for (uint32_t i = 0; i < tables_.size(); ++i) {
    const absl::Status status = TakeTable(
        i, foreign, everything, state.mutable_table({first_table_ + i}));
    if (!status.ok()) return status;
  }
  return regions_.Take(foreign, everything, state);
}

absl::Status ForeignRows::Ask(uint32_t index, reprise_simulation* foreign,
                              GuardedStruct<reprise_rows>& rows) const {
  const absl::Status asked = AskForRows(calls_, index, foreign, rows);
  if (!asked.ok()) return asked;
  if (rows->row_count <= kTableRowsMax &&
      (rows->rows != nullptr || rows->row_count == 0)) {
    return absl::OkStatus();
  }
  return absl::AbortedError(
      fmt::format("rows: table '{}' has {} rows{}, and at most {} can be",
                  tables_[index].layout.schema()->name(), rows->row_count,
                  rows->rows == nullptr ? " at null" : "", kTableRowsMax));
}

absl::Status ForeignRows::TakeTable(uint32_t index, reprise_simulation* foreign,
                                    bool everything, Table& table) {
  GuardedStruct<reprise_rows> guarded(kAnyRows);
  const absl::Status asked = Ask(index, foreign, guarded);
  if (!asked.ok()) return asked;
  return At("rows", TakeShown(index, *guarded.get(), everything, table));
}

absl::Status ForeignRows::TakeShown(uint32_t index, const reprise_rows& rows,
                                    bool everything, Table& table) {
  const PluginDescription::Table& described = tables_[index];
  const auto row_count = static_cast<uint32_t>(rows.row_count);
  const uint32_t old_count = table.row_count();
  if (row_count != old_count) table.Resize(row_count);
  const uint32_t foreign_size = described.layout.foreign_size();
  bool has_changed = false;  // the page before
  for (uint32_t page = 0; page < table.page_count(); ++page) {
    const uint32_t begin = page * table.rows_per_page();
    const uint32_t end = std::min(begin + table.rows_per_page(), row_count);
    const bool may_differ =
        everything || end > old_count ||
        (end > rows.changed_begin && begin < rows.changed_end);
    has_left_out_ |= !may_differ;
    const std::span<const std::byte> shown(
        static_cast<const std::byte*>(rows.rows) + size_t{begin} * foreign_size,
        size_t{end - begin} * foreign_size);
    const absl::StatusOr<bool> is_other =
        may_differ ? TakePage(described, shown, page, table) : false;
    if (!is_other.ok()) return is_other.status();
    // New rows may be what the table grew by: zeros. Of a page that is as it
    // was, the first row may have a new neighbour.
    const bool changes = *is_other || end > old_count;
    const uint32_t unchecked = changes ? end : begin + (has_changed ? 1 : 0);
    const absl::Status ordered = CheckKeys(table, begin, unchecked);
    if (!ordered.ok()) return ordered;
    has_changed = changes;
  }
  return absl::OkStatus();
}

absl::StatusOr<bool> ForeignRows::TakePage(
    const PluginDescription::Table& described,
    std::span<const std::byte> foreign, uint32_t page, Table& table) {
  const std::span<const std::byte> old = table.PageBytes(page);
  std::span<const std::byte> rows = foreign;
  if (!described.layout.is_plain()) {
    const std::span<std::byte> taken = std::span(page_).first(old.size());
    described.layout.FromForeign(foreign, taken);
    rows = taken;
  }
  if (std::memcmp(rows.data(), old.data(), rows.size()) == 0) {
    return false;
  }
  const uint32_t first = page * table.rows_per_page();
  const absl::Status status = described.layout.Check(rows, first);
  if (!status.ok()) return status;
  // Of pointers, a copy isn't made byte by byte.
  std::copy_n(rows.data(), rows.size(), table.MutablePageBytes(page).data());
  return true;
}

absl::Status ForeignRows::Give(const State& state,
                               reprise_simulation* foreign) const {
  std::vector<std::vector<std::byte>> memory;
  std::vector<reprise_rows> tables;
  for (uint32_t i = 0; i < tables_.size(); ++i) {
    const RowLayout& layout = tables_[i].layout;
    const Table& table = state.table({first_table_ + i});
    const size_t bytes = size_t{table.row_count()} * layout.foreign_size();
    // What a plug-in may write behind them meets a guard.
    std::vector<std::byte>& given =
        memory.emplace_back(bytes + kPluginGuardBytes);
    size_t offset = 0;
    for (uint32_t page = 0; page < table.page_count(); ++page) {
      const std::span<const std::byte> rows = table.PageBytes(page);
      const size_t size =
          rows.size() / table.row_size() * layout.foreign_size();
      layout.ToForeign(rows, std::span(given).subspan(offset, size));
      offset += size;
    }
    tables.push_back({.struct_size = sizeof(reprise_rows),
                      .rows = given.data(),
                      .row_count = table.row_count(),
                      .changed_begin = 0,
                      .changed_end = kAnyRows.changed_end});
  }
  regions_.Give(state, memory, tables);
  for (std::vector<std::byte>& given : memory) {
    std::ranges::fill(std::span(given).last(kPluginGuardBytes),
                      std::byte{kPluginGuard});
  }
  const absl::Status status = Give(tables, foreign);
  if (absl::IsAborted(status)) return status;
  // Whatever it returned.
  const auto broken = std::ranges::find_if_not(memory, HasItsGuard);
  if (broken == memory.end()) return status;
  return absl::AbortedError(
      fmt::format("restore: it wrote behind {} that it was shown",
                  WhatIsGiven(static_cast<uint32_t>(broken - memory.begin()))));
}

std::string ForeignRows::WhatIsGiven(uint32_t index) const {
  if (index < tables_.size()) {
    return fmt::format("the rows of table '{}'",
                       tables_[index].layout.schema()->name());
  }
  return fmt::format(
      "the bytes of region '{}'",
      regions_.NameOf(index - static_cast<uint32_t>(tables_.size())));
}

absl::Status ForeignRows::GiveAsShown(reprise_simulation* from,
                                      reprise_simulation* to) const {
  std::vector<reprise_rows> tables;
  for (uint32_t i = 0; i < tables_.size() + regions_.count(); ++i) {
    GuardedStruct<reprise_rows> rows(kAnyRows);
    const absl::Status asked = AskForRows(calls_, i, from, rows);
    if (!asked.ok()) return asked;
    tables.push_back(*rows.get());
  }
  return Give(tables, to);
}

absl::Status ForeignRows::Give(const std::vector<reprise_rows>& tables,
                               reprise_simulation* foreign) const {
  ShownItems<reprise_rows> shown;
  shown.Reset(tables.size());
  for (const reprise_rows& table : tables) shown.Add(table);
  const ShownStruct<reprise_list> list(shown.From(0));
  shown.Seal();
  ForeignError error;
  const ForeignFloatControl float_control;
  int32_t code = REPRISE_OK;
  absl::Status status = CallForeign("restore", [&] {
    code = calls_.restore(foreign, list.get(), error.error());
  });
  if (!status.ok()) return status;
  absl::Status guarded = shown.Check("the list of rows");
  if (guarded.ok()) guarded = list.Check("reprise_list");
  if (!guarded.ok()) return At("restore", guarded);
  status = error.StatusOf("restore", code);
  return status.ok() ? ForeignFloatControl::Check() : status;
}

absl::Status ForeignRows::Check(const State& state) const {
  for (uint32_t i = 0; i < tables_.size(); ++i) {
    const Table& table = state.table({first_table_ + i});
    for (uint32_t page = 0; page < table.page_count(); ++page) {
      const absl::Status status = tables_[i].layout.Check(
          table.PageBytes(page), uint64_t{page} * table.rows_per_page());
      if (!status.ok()) return status;
    }
    const absl::Status status = CheckKeys(table, 0, table.row_count());
    if (!status.ok()) return status;
  }
  return regions_.Check(state);
}

void ForeignRows::Follow(TableIndex changed, State& state) const {
  regions_.Follow(changed, state);
}

absl::StatusOr<std::string> ForeignRows::FindUndescribedBytes(
    reprise_simulation* foreign) const {
  for (uint32_t i = 0; i < tables_.size(); ++i) {
    GuardedStruct<reprise_rows> guarded(kAnyRows);
    const absl::Status asked = Ask(i, foreign, guarded);
    if (!asked.ok()) return asked;
    const reprise_rows& rows = *guarded.get();
    const RowLayout& layout = tables_[i].layout;
    const std::span shown(static_cast<const std::byte*>(rows.rows),
                          rows.row_count * layout.foreign_size());
    for (const auto& [begin, end] : layout.UndescribedBytes()) {
      for (uint64_t row = 0; row < rows.row_count; ++row) {
        const auto bytes =
            shown.subspan(row * layout.foreign_size() + begin, end - begin);
        if (std::ranges::all_of(
                bytes, [](std::byte byte) { return byte == std::byte{0}; })) {
          continue;
        }
        return fmt::format(
            "row {} of table '{}' has bytes {} to {} that no field describes "
            "and that aren't zero",
            row, layout.schema()->name(), begin, end - 1);
      }
    }
  }
  return std::string();
}

}  // namespace reprise::sim
