// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/state/table.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <utility>

#include "absl/container/inlined_vector.h"

namespace reprise::sim {
namespace {

// Most tables have fewer pages: their digest allocates nothing.
constexpr size_t kInlinedParts = 16;

// Whether the key of `row` (64-bit words) comes before `key`.
bool KeyIsLess(std::span<const std::byte> row, std::span<const uint64_t> key) {
  for (size_t i = 0; i < key.size(); ++i) {
    uint64_t word;
    std::memcpy(&word, row.data() + i * sizeof(word), sizeof(word));
    if (word != key[i]) return word < key[i];
  }
  return false;
}

// Pages lie anywhere: the hardware foresees what comes within one, but not
// which is next.
void Prefetch(const PageRef& page) {
  __builtin_prefetch(page->bytes.data());
  __builtin_prefetch(&page->digest_is_known);
}

}  // namespace

Table::Table(std::shared_ptr<const RowSchema> schema)
    : schema_(std::move(schema)),
      row_size_(schema_->row_size()),
      rows_per_page_(kPageSize / row_size_) {
  CHECK(rows_per_page_ > 0, "a row of {} takes {} bytes", schema_->name(),
        row_size_);
  page_per_row_ = ((uint64_t{1} << 40) + rows_per_page_ - 1) / rows_per_page_;
}

void Table::FailRow(uint32_t row) const {
  CHECK(row < row_count_, "row {} of {} in {}", row, row_count_,
        schema_->name());
  std::abort();
}

void Table::Resize(uint32_t row_count) {
  CHECK(row_count <= kTableRowsMax, "{} rows in {}", row_count,
        schema_->name());
  if (row_count == row_count_) return;

  // What lies between the shorter and the longer end becomes zeros, so that a
  // row dropped can't come back with its old bytes.
  const uint32_t shorter = std::min(row_count, row_count_);
  const uint32_t page_count = (row_count + rows_per_page_ - 1) / rows_per_page_;
  pages_.resize(page_count);
  stamps_.resize(page_count, 0);
  for (PageRef& page : pages_) {
    if (page == PageRef()) page = PageRef::Allocate();
  }
  for (uint32_t page = shorter / rows_per_page_; page < page_count; ++page) {
    const uint32_t first = page * rows_per_page_;
    const uint32_t kept = shorter > first ? shorter - first : 0;
    std::byte* const bytes = WritablePage(page);
    std::fill(bytes + kept * row_size_, bytes + kPageSize, std::byte{0});
  }
  row_count_ = row_count;
}

void Table::Insert(uint32_t row) {
  const uint32_t last = row_count_;
  CHECK(row <= last, "row {} of {} in {}", row, last, schema_->name());
  Resize(last + 1);
  // From the last page down: each moves its rows up by one, and takes over the
  // last row of the page before.
  for (uint32_t page = last / rows_per_page_;; --page) {
    const uint32_t page_first = page * rows_per_page_;
    const uint32_t page_last = page_first + rows_per_page_ - 1;
    const uint32_t begin = std::max(row, page_first);
    const uint32_t end = std::min(last, page_last);
    std::byte* const bytes = MutableRow(begin).data();
    std::memmove(bytes + row_size_, bytes, size_t{end - begin} * row_size_);
    if (begin == row) {
      std::fill(bytes, bytes + row_size_, std::byte{0});
      return;
    }
    std::memcpy(bytes, Row(begin - 1).data(), row_size_);
  }
}

void Table::EraseRange(uint32_t first, uint32_t count) {
  CHECK(count <= row_count_);
  const uint32_t remaining = row_count_ - count;
  CHECK(first <= remaining, "{} rows from {}", count, first);
  if (count == 0) return;
  MoveDown(first + count, row_count_, first);
  Resize(remaining);
}

void Table::Erase(std::span<const uint32_t> rows) {
  if (rows.empty()) return;
  uint32_t to = rows[0];
  for (size_t i = 0; i < rows.size(); ++i) {
    // What stays between this one and the next to go.
    const uint32_t begin = rows[i] + 1;
    const uint32_t end = i + 1 < rows.size() ? rows[i + 1] : row_count_;
    CHECK(begin <= end, "rows to erase from {} are not ascending rows",
          schema_->name());
    MoveDown(begin, end, to);
    to += end - begin;
  }
  Resize(to);
}

void Table::MoveDown(uint32_t begin, uint32_t end, uint32_t to) {
  while (begin < end) {
    // As many as lie together both where they are and where they go.
    const uint32_t run =
        std::min({end - begin, rows_per_page_ - to % rows_per_page_,
                  rows_per_page_ - begin % rows_per_page_});
    std::byte* const bytes = MutableRow(to).data();
    std::memmove(bytes, Row(begin).data(), size_t{run} * row_size_);
    begin += run;
    to += run;
  }
}

void Table::Reserve(uint32_t row_count) {
  const uint32_t page_count = (row_count + rows_per_page_ - 1) / rows_per_page_;
  pages_.reserve(page_count);
  stamps_.reserve(page_count);
}

uint32_t Table::LowerBound(std::span<const uint64_t> key) const {
  uint32_t low = 0;
  uint32_t high = row_count_;
  if (key.size() == 1) {  // as most keys are
    const uint64_t wanted = key[0];
    while (low < high) {
      const uint32_t middle = low + (high - low) / 2;
      uint64_t word;
      std::memcpy(&word, Row(middle).data(), sizeof(word));
      if (word < wanted) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (KeyIsLess(Row(middle), key)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

std::span<const std::byte> Table::PageBytes(uint32_t page) const {
  CHECK(page < pages_.size(), "page {} of {} in {}", page, pages_.size(),
        schema_->name());
  const uint32_t first = page * rows_per_page_;
  const uint32_t rows = std::min(rows_per_page_, row_count_ - first);
  return {pages_[page]->bytes.data(), size_t{rows} * row_size_};
}

std::span<std::byte> Table::MutablePageBytes(uint32_t page) {
  const size_t size = PageBytes(page).size();
  return {WritablePage(page), size};
}

Digest Table::PageDigest(uint32_t page_index) const {
  const std::span<const std::byte> bytes = PageBytes(page_index);
  const PageRef& page = pages_[page_index];
  if (page->digest_is_known.load(std::memory_order_acquire)) {
    return Digest{page->digest.load(std::memory_order_relaxed)};
  }
  const Digest digest = DigestOf(bytes);
  page->digest.store(digest.value, std::memory_order_relaxed);
  page->digest_is_known.store(true, std::memory_order_release);
  return digest;
}

Digest Table::ComputeDigest() const {
  if (row_count_ == 0) {
    // As below; most tables of a small game have no rows.
    static const Digest empty = CombineDigests(std::array{Digest{0}});
    return empty;
  }
  absl::InlinedVector<Digest, kInlinedParts> parts;
  parts.reserve(1 + pages_.size());
  parts.push_back(Digest{row_count_});
  for (uint32_t page = 0; page < page_count(); ++page) {
    if (page + 1 < page_count()) Prefetch(pages_[page + 1]);
    parts.push_back(PageDigest(page));
  }
  return CombineDigests(parts);
}

}  // namespace reprise::sim
