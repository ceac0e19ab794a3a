// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A table of rows in pages of 4 KiB. Copying a table shares its pages; a page
// is cloned when it is first written through one of the copies, and its digest
// is kept until then. Every write goes through Mutable(), so nothing changes
// unseen.

#ifndef REPRISE_SIM_STATE_TABLE_H_
#define REPRISE_SIM_STATE_TABLE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "sim/base/check.h"
#include "sim/base/digest.h"
#include "sim/state/page.h"
#include "sim/state/row_schema.h"

namespace reprise::sim {

// Bounds a table's memory and what a snapshot may claim: 2^24 rows.
inline constexpr uint32_t kTableRowsMax = 1u << 24;

// Copies may be read and written on different threads; one table may not.
class Table {
 public:
  // REQUIRES: a row fits a page.
  explicit Table(std::shared_ptr<const RowSchema> schema);

  const RowSchema& schema() const { return *schema_; }
  uint32_t row_count() const { return row_count_; }

  // The bytes of row `row`. REQUIRES: row < row_count().
  std::span<const std::byte> Row(uint32_t row) const;

  // The same, for writing: valid until the table is copied or resized.
  std::span<std::byte> MutableRow(uint32_t row);

  // The row as the struct that its schema was made from.
  template <typename RowType>
  const RowType& Get(uint32_t row) const;
  template <typename RowType>
  RowType& Mutable(uint32_t row);

  // All rows of a page, for loops over many: rows_per_page() of them, and those
  // that are left in the last. The mutable ones count as written, all at once.
  // REQUIRES: page < page_count().
  template <typename RowType>
  std::span<const RowType> PageRows(uint32_t page) const;
  template <typename RowType>
  std::span<RowType> MutablePageRows(uint32_t page);

  // Rows added are all zeros; rows beyond `row_count` are dropped.
  // REQUIRES: row_count <= kTableRowsMax.
  void Resize(uint32_t row_count);

  // Makes room for a row of zeros before row `row`; the rows from there on move
  // up. REQUIRES: row <= row_count() < kTableRowsMax.
  void Insert(uint32_t row);

  // Drops `rows`; those that stay close up and keep their order. Nothing before
  // the first of them is written. REQUIRES: rows ascend and are there.
  void Erase(std::span<const uint32_t> rows);

  // The same for `count` rows from `first` on. REQUIRES: they are there.
  void EraseRange(uint32_t first, uint32_t count);

  // Gets memory for `row_count` rows of bookkeeping at once, so that growing up
  // to there allocates nothing but pages.
  void Reserve(uint32_t row_count);

  // The first row whose key is not less than `key`'s (bytes of the key fields,
  // all of them 64-bit unsigned, in order). row_count() when there is none.
  uint32_t LowerBound(std::span<const uint64_t> key) const;

  uint32_t row_size() const { return row_size_; }
  uint32_t rows_per_page() const { return rows_per_page_; }
  uint32_t page_count() const { return static_cast<uint32_t>(pages_.size()); }

  // The page that a row lies in. REQUIRES: row < row_count().
  uint32_t PageOf(uint32_t row) const;

  // The used bytes of a page. REQUIRES: page < page_count().
  std::span<const std::byte> PageBytes(uint32_t page) const;
  std::span<std::byte> MutablePageBytes(uint32_t page);

  // XXH3-64 of PageBytes, computed when it isn't known.
  Digest PageDigest(uint32_t page) const;

  // Grows with every write to the page through this table; equal stamps of one
  // table at two times mean that the page was not written in between.
  uint64_t PageStamp(uint32_t page) const { return stamps_[page]; }

  // How often a page has been made writable: while it stays the same, no page
  // has moved.
  uint64_t write_count() const { return write_count_; }

  // Digest of the row count and the digests of all pages.
  Digest ComputeDigest() const;

 private:
  // Out of line, so that the fast path stays small.
  [[noreturn]] void FailRow(uint32_t row) const;
  size_t OffsetInPage(uint32_t row, uint32_t page) const;
  std::byte* WritablePage(uint32_t page);
  // Copies the rows from `begin` up to `end` to `to` and on. REQUIRES: they and
  // `to` are there; to <= begin.
  void MoveDown(uint32_t begin, uint32_t end, uint32_t to);

  std::shared_ptr<const RowSchema> schema_;
  uint32_t row_size_;
  uint32_t rows_per_page_;
  uint64_t page_per_row_ =
      0;  // 1 / rows_per_page_ in units of 2^-40, rounded up
  uint32_t row_count_ = 0;
  uint64_t write_count_ = 0;
  std::vector<PageRef> pages_;
  std::vector<uint64_t> stamps_;
};

// Exact for all rows: the error of less than rows_per_page_ (at most 2^9) units
// times a row (less than 2^24) stays below 2^40.
inline uint32_t Table::PageOf(uint32_t row) const {
  return static_cast<uint32_t>(row * page_per_row_ >> 40);
}

inline size_t Table::OffsetInPage(uint32_t row, uint32_t page) const {
  return size_t{row - page * rows_per_page_} * row_size_;
}

inline std::span<const std::byte> Table::Row(uint32_t row) const {
  if (row >= row_count_) [[unlikely]]
    FailRow(row);
  const uint32_t page = PageOf(row);
  return {pages_[page]->bytes.data() + OffsetInPage(row, page), row_size_};
}

inline std::span<std::byte> Table::MutableRow(uint32_t row) {
  if (row >= row_count_) [[unlikely]]
    FailRow(row);
  const uint32_t page = PageOf(row);
  return {WritablePage(page) + OffsetInPage(row, page), row_size_};
}

inline std::byte* Table::WritablePage(uint32_t page_index) {
  PageRef& page = pages_[page_index];
  if (!page.is_unique()) page = page.Clone();
  page->digest_is_known.store(false, std::memory_order_relaxed);
  stamps_[page_index] = ++write_count_;
  return page->bytes.data();
}

template <typename RowType>
const RowType& Table::Get(uint32_t row) const {
  DCHECK(schema_ == RowSchema::Of<RowType>());
  return *reinterpret_cast<const RowType*>(Row(row).data());
}

template <typename RowType>
RowType& Table::Mutable(uint32_t row) {
  DCHECK(schema_ == RowSchema::Of<RowType>());
  return *reinterpret_cast<RowType*>(MutableRow(row).data());
}

template <typename RowType>
std::span<const RowType> Table::PageRows(uint32_t page) const {
  DCHECK(schema_ == RowSchema::Of<RowType>());
  const std::span<const std::byte> bytes = PageBytes(page);
  return {reinterpret_cast<const RowType*>(bytes.data()),
          bytes.size() / sizeof(RowType)};
}

template <typename RowType>
std::span<RowType> Table::MutablePageRows(uint32_t page) {
  DCHECK(schema_ == RowSchema::Of<RowType>());
  const std::span<std::byte> bytes = MutablePageBytes(page);
  return {reinterpret_cast<RowType*>(bytes.data()),
          bytes.size() / sizeof(RowType)};
}

}  // namespace reprise::sim

#endif  // REPRISE_SIM_STATE_TABLE_H_
