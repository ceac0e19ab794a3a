// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/plugins/foreign_regions.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <span>

#include "absl/functional/function_ref.h"
#include "fmt/format.h"
#include "sim/plugins/foreign_call.h"
#include "sim/plugins/plugin_text.h"
#include "sim/plugins/row_layout.h"
#include "sim/state/page.h"

namespace reprise::sim {
namespace {

uint32_t PageCountOf(uint64_t size) {
  return static_cast<uint32_t>((size + kPageSize - 1) / kPageSize);
}

// The bytes of a region one after another.
std::vector<std::byte> BytesOf(const Table& pages, uint64_t size) {
  std::vector<std::byte> bytes;
  bytes.reserve(size_t{pages.page_count()} * kPageSize + kPluginGuardBytes);
  for (uint32_t page = 0; page < pages.page_count(); ++page) {
    const std::span<const std::byte> row = pages.PageBytes(page);
    bytes.insert(bytes.end(), row.begin(), row.end());
  }
  bytes.resize(size);
  return bytes;
}

// Which bytes are others than they were: none where `end` is 0.
struct ChangedBytes {
  uint64_t begin = 0;
  uint64_t end = 0;
};

// Has the pages from `begin` up to `end` be the bytes. Returns from where to
// where pages were others.
ChangedBytes WritePages(std::span<const std::byte> bytes, uint32_t begin,
                        uint32_t end, Table& pages) {
  ChangedBytes changed;
  for (uint32_t page = begin; page < end; ++page) {
    const size_t offset = size_t{page} * kPageSize;
    const std::span<const std::byte> shown = bytes.subspan(
        offset, std::min<size_t>(kPageSize, bytes.size() - offset));
    if (std::memcmp(shown.data(), pages.PageBytes(page).data(), shown.size()) ==
        0) {
      continue;
    }
    std::memcpy(pages.MutablePageBytes(page).data(), shown.data(),
                shown.size());
    if (changed.end == 0) changed.begin = offset;
    changed.end = offset + shown.size();
  }
  return changed;
}

// Calls `use` with the part of each page that `count` bytes from `offset` on
// lie in, and with how many were before it.
void ForEachPiece(uint64_t offset, uint64_t count,
                  absl::FunctionRef<void(uint32_t page, size_t begin,
                                         size_t size, size_t before)>
                      use) {
  for (uint64_t before = 0; before < count;) {
    const uint64_t at = offset + before;
    const size_t begin = at % kPageSize;
    const size_t size = std::min<uint64_t>(kPageSize - begin, count - before);
    use(static_cast<uint32_t>(at / kPageSize), begin, size, before);
    before += size;
  }
}

// A row of names, in memory that costs nothing in each tick. No row is larger.
using NamesRow = std::array<std::byte, kPageSize>;

// The fields that have names, as the pages say: a part of `memory`.
std::span<const std::byte> NamesIn(const RowLayout& layout, const Table& pages,
                                   NamesRow& memory) {
  const auto row = std::span(memory).first(layout.schema()->row_size());
  layout.FromPieces(
      [&pages](uint32_t offset, std::span<std::byte> bytes) {
        ForEachPiece(
            offset, bytes.size(),
            [&](uint32_t page, size_t begin, size_t size, size_t before) {
              std::memcpy(bytes.data() + before,
                          pages.PageBytes(page).data() + begin, size);
            });
      },
      row);
  return row;
}

// Has the pages say what the fields do, and writes those alone that differ.
void WriteFields(const RowLayout& layout, std::span<const std::byte> row,
                 Table& pages) {
  layout.ToPieces(row, [&pages](uint32_t offset,
                                std::span<const std::byte> bytes) {
    ForEachPiece(
        offset, bytes.size(),
        [&](uint32_t page, size_t begin, size_t size, size_t before) {
          const std::byte* const from = bytes.data() + before;
          if (std::memcmp(pages.PageBytes(page).data() + begin, from, size) ==
              0) {
            return;
          }
          std::memcpy(pages.MutablePageBytes(page).data() + begin, from, size);
        });
  });
}

// Has the row of names be what the pages say. DATA_LOSS: a field is no value.
absl::Status WriteNames(const RowLayout& layout, const Table& pages,
                        Table& names) {
  NamesRow memory;
  const std::span<const std::byte> row = NamesIn(layout, pages, memory);
  if (std::ranges::equal(row, names.Row(0))) return absl::OkStatus();
  const absl::Status status = layout.Check(row, /*first_row=*/0);
  if (status.ok()) std::ranges::copy(row, names.MutableRow(0).begin());
  return status;
}

}  // namespace

absl::Status AskForRows(const reprise_plugin& calls, uint32_t number,
                        reprise_simulation* foreign,
                        GuardedStruct<reprise_rows>& rows) {
  const absl::Status called =
      CallForeign("rows", [&] { calls.rows(foreign, number, rows.get()); });
  return called.ok() ? At("rows", rows.Check("reprise_rows")) : called;
}

ForeignRegions::ForeignRegions(const reprise_plugin& calls,
                               const PluginDescription& description)
    : calls_(calls),
      regions_(description.regions),
      tables_(description.tables) {}

void ForeignRegions::AddTables(State& state) {
  for (const Region& region : regions_) {
    Place place;
    if (region.layout.has_value()) {
      place.names = state.AddTable(region.room, region.layout->schema());
      state.mutable_table(place.names).Resize(1);
    }
    place.pages = state.AddTable(region.room, region.pages);
    state.mutable_table(place.pages).Resize(PageCountOf(region.size));
    places_.push_back(place);
  }
}

absl::Status ForeignRegions::Take(reprise_simulation* foreign, bool everything,
                                  State& state) {
  has_left_out_ = false;
  for (uint32_t i = 0; i < regions_.size(); ++i) {
    const absl::Status status = TakeRegion(i, foreign, everything, state);
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::Status ForeignRegions::TakeRegion(uint32_t index,
                                        reprise_simulation* foreign,
                                        bool everything, State& state) {
  const auto number = static_cast<uint32_t>(tables_.size()) + index;
  GuardedStruct<reprise_rows> guarded(kAnyRows);
  const absl::Status asked = AskForRows(calls_, number, foreign, guarded);
  if (!asked.ok()) return asked;
  return At("rows", TakeBytes(index, *guarded.get(), everything, state));
}

absl::Status ForeignRegions::TakeBytes(uint32_t index, const reprise_rows& rows,
                                       bool everything, State& state) {
  const Region& region = regions_[index];
  if (rows.rows == nullptr) {
    return absl::AbortedError(
        fmt::format("region '{}' is at null", region.name));
  }
  if (rows.row_count != region.size) {
    return absl::AbortedError(
        fmt::format("region '{}' has {} bytes, and {} are described",
                    region.name, rows.row_count, region.size));
  }
  const std::span bytes(static_cast<const std::byte*>(rows.rows), region.size);
  Table& pages = state.mutable_table(places_[index].pages);
  uint32_t begin = 0;
  uint32_t end = pages.page_count();
  if (!everything) {
    begin = static_cast<uint32_t>(std::min(rows.changed_begin, region.size) /
                                  kPageSize);
    end = PageCountOf(std::min(rows.changed_end, region.size));
    has_left_out_ |= begin > 0 || end < pages.page_count();
  }
  const ChangedBytes changed = WritePages(bytes, begin, end, pages);
  if (!region.layout.has_value()) return absl::OkStatus();
  if (!everything && !region.layout->HasFieldIn(changed.begin, changed.end)) {
    return absl::OkStatus();
  }
  // Of our copy: the plug-in's memory is read where it changed alone.
  return WriteNames(*region.layout, pages,
                    state.mutable_table(places_[index].names));
}

void ForeignRegions::Give(const State& state,
                          std::vector<std::vector<std::byte>>& memory,
                          std::vector<reprise_rows>& given) const {
  for (uint32_t i = 0; i < regions_.size(); ++i) {
    std::vector<std::byte>& bytes = memory.emplace_back(
        BytesOf(state.table(places_[i].pages), regions_[i].size));
    // What a plug-in may write behind them meets a guard.
    bytes.resize(bytes.size() + kPluginGuardBytes);
    reprise_rows rows = kAnyRows;
    rows.rows = bytes.data();
    rows.row_count = regions_[i].size;
    given.push_back(rows);
  }
}

absl::Status ForeignRegions::Check(const State& state) const {
  for (uint32_t i = 0; i < regions_.size(); ++i) {
    const Region& region = regions_[i];
    const Table& pages = state.table(places_[i].pages);
    if (pages.row_count() != PageCountOf(region.size)) {
      return absl::DataLossError(fmt::format("region '{}' has {} pages, not {}",
                                             region.name, pages.row_count(),
                                             PageCountOf(region.size)));
    }
    const std::span<const std::byte> last =
        pages.PageBytes(pages.page_count() - 1);
    const size_t used = (region.size - 1) % kPageSize + 1;
    if (std::ranges::any_of(last.subspan(used), [](std::byte byte) {
          return byte != std::byte{0};
        })) {
      return absl::DataLossError(fmt::format(
          "region '{}' has bytes behind its {}", region.name, region.size));
    }
    if (!region.layout.has_value()) continue;
    const Table& names = state.table(places_[i].names);
    if (names.row_count() != 1) {
      return absl::DataLossError(fmt::format("table '{}' has {} rows, not 1",
                                             region.name, names.row_count()));
    }
    const absl::Status status =
        region.layout->Check(names.PageBytes(0), /*first_row=*/0);
    if (!status.ok()) return status;
    NamesRow memory;
    if (!std::ranges::equal(NamesIn(*region.layout, pages, memory),
                            names.Row(0))) {
      return absl::DataLossError(fmt::format(
          "region '{}' has fields that its bytes contradict", region.name));
    }
  }
  return absl::OkStatus();
}

void ForeignRegions::Follow(TableIndex changed, State& state) const {
  for (uint32_t i = 0; i < regions_.size(); ++i) {
    const auto& layout = regions_[i].layout;
    if (!layout.has_value()) continue;
    const auto& [names, pages] = places_[i];
    if (changed != names && changed != pages) continue;
    if (changed == pages) {
      // Bytes that are no value of a field contradict it, which Check tells.
      WriteNames(*layout, state.table(pages), state.mutable_table(names))
          .IgnoreError();
      continue;
    }
    const std::span<const std::byte> row = state.table(names).Row(0);
    if (!layout->Check(row, /*first_row=*/0).ok()) continue;
    WriteFields(*layout, row, state.mutable_table(pages));
  }
}

}  // namespace reprise::sim
