// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that rows put in and taken out lie where a sorted std::vector has
// them, across pages, and that rows which stay as they were aren't written.

#include "sim/world/components/sorted_rows.h"

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "gtest/gtest.h"
#include "sim/base/field.h"
#include "sim/base/random.h"

namespace reprise::sim {
namespace {

// 512 bytes: 8 rows a page, so that a few rows fill several.
struct WideRow {
  uint64_t key = 0;
  std::array<uint64_t, 63> contents = {};

  friend bool operator==(const WideRow&, const WideRow&) = default;

  static constexpr std::string_view kTable = "wide";
  static constexpr uint32_t kKeyFields = 1;
  static constexpr auto Describe() {
    return std::array{REPRISE_FIELD(WideRow, key, ""),
                      REPRISE_FIELD(WideRow, contents, "")};
  }
};

WideRow MakeRow(uint64_t key) { return {.key = key, .contents = {key * 7}}; }

Table MakeTable(uint64_t row_count) {
  Table table(RowSchema::Of<WideRow>());
  std::vector<WideRow> rows;
  for (uint64_t i = 0; i < row_count; ++i) rows.push_back(MakeRow(2 * i));
  WriteTail<WideRow>(table, 0, rows);
  return table;
}

TEST(SortedRowsTest, EveryInsertionAndRemovalIsTheVectors) {
  for (uint32_t place = 0; place <= 25; ++place) {
    Table table = MakeTable(25);
    std::vector<WideRow> rows = ReadRows<WideRow>(table);
    table.Insert(place);
    rows.insert(rows.begin() + place, WideRow{});
    EXPECT_EQ(ReadRows<WideRow>(table), rows) << place;
    for (uint32_t count = 0; count <= table.row_count() - place; ++count) {
      Table shorter = table;
      std::vector<WideRow> fewer = rows;
      shorter.EraseRange(place, count);
      fewer.erase(fewer.begin() + place, fewer.begin() + place + count);
      EXPECT_EQ(ReadRows<WideRow>(shorter), fewer)
          << count << " from " << place;
    }
  }
}

TEST(SortedRowsTest, RowsAreFoundByTheirWholeKey) {
  const Table table = MakeTable(25);
  EXPECT_EQ(FindRow(table, std::array<uint64_t, 1>{24}), 12u);
  EXPECT_EQ(FindRow(table, std::array<uint64_t, 1>{25}), std::nullopt);
  EXPECT_EQ(FindRow(table, std::array<uint64_t, 1>{50}), std::nullopt);
}

TEST(SortedRowsTest, OnePassRemovesAllThatIsObsolete) {
  Table table = MakeTable(25);
  std::vector<WideRow> rows = ReadRows<WideRow>(table);
  const auto is_obsolete = [](const WideRow& row) { return row.key % 6 == 4; };
  EXPECT_EQ(EraseRowsIf<WideRow>(table, is_obsolete), 2u);
  std::erase_if(rows, is_obsolete);
  EXPECT_EQ(ReadRows<WideRow>(table), rows);
  EXPECT_EQ(EraseRowsIf<WideRow>(table, is_obsolete), table.row_count());
}

TEST(SortedRowsTest, RowsThatStayAreNotWritten) {
  Table table = MakeTable(24);
  std::vector<WideRow> rows = ReadRows<WideRow>(table);
  rows[23].contents[0] = 1;
  const uint64_t first = table.PageStamp(0);
  const uint64_t last = table.PageStamp(2);
  WriteTail<WideRow>(table, 0, rows);
  EXPECT_EQ(table.PageStamp(0), first);
  EXPECT_NE(table.PageStamp(2), last);
  EXPECT_EQ(ReadRows<WideRow>(table), rows);
}

TEST(SortedRowsTest, WrittenRowsAreReadBackAndNothingElseIsThere) {
  const Table original = MakeTable(25);
  Table copy = MakeTable(40);
  WriteTail<WideRow>(copy, 0, ReadRows<WideRow>(original));
  EXPECT_EQ(copy.ComputeDigest(), original.ComputeDigest());
}

TEST(SortedRowsTest, NamesAreComparedWithTheirOrder) {
  const Table table = MakeTable(3);  // 0, 2, 4
  EXPECT_TRUE(HasKeys(table, std::vector{Id{0}, Id{2}, Id{4}}));
  EXPECT_FALSE(HasKeys(table, std::vector{Id{2}, Id{0}, Id{4}}));
  EXPECT_FALSE(HasKeys(table, std::vector{Id{0}, Id{2}}));
  EXPECT_FALSE(HasKeys(table, std::vector{Id{0}, Id{2}, Id{4}, Id{6}}));
}

TEST(SortedRowsTest, EqualAndFallingKeysDontAscend) {
  Table table = MakeTable(25);
  EXPECT_TRUE(RowsAscend(table));
  table.Mutable<WideRow>(9).key = table.Get<WideRow>(8).key;
  EXPECT_FALSE(RowsAscend(table));
  table.Mutable<WideRow>(9).key = 0;
  EXPECT_FALSE(RowsAscend(table));
}

}  // namespace
}  // namespace reprise::sim
