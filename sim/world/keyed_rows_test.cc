// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that rows go into a table and come back, that only those that differ
// are written, and that keys are found exactly.

#include "sim/world/keyed_rows.h"

#include <array>
#include <string_view>
#include <vector>

#include "gtest/gtest.h"
#include "sim/base/field.h"
#include "sim/base/id.h"
#include "sim/base/row_schema.h"
#include "sim/base/state.h"
#include "sim/base/table.h"
#include "sim/base/testing_rows.h"

namespace reprise::sim {
namespace {

constexpr uint32_t kRows = 250;  // three pages

struct Named {
  Id name;
  uint64_t value = 0;

  static constexpr std::string_view kTable = "named";
  static constexpr uint32_t kKeyFields = 1;
  static constexpr auto Describe() {
    return std::array{REPRISE_FIELD(Named, name, ""),
                      REPRISE_FIELD(Named, value, "")};
  }
};

Table MakeTable() { return MakeMovers(kRows).table(kMoverTable); }

TEST(KeyedRowsTest, WrittenRowsAreReadBack) {
  const Table original = MakeTable();
  Table copy(RowSchema::Of<Mover>());
  WriteRows<Mover>(ReadRows<Mover>(original), copy);
  EXPECT_EQ(copy.ComputeDigest(), original.ComputeDigest());
}

TEST(KeyedRowsTest, OnlyPagesWithAChangedRowAreWritten) {
  Table table = MakeTable();
  std::vector<Mover> rows = ReadRows<Mover>(table);
  const std::vector<uint64_t> stamps = {table.PageStamp(0), table.PageStamp(1),
                                        table.PageStamp(2)};
  rows[120].score = -1;
  WriteRows<Mover>(rows, table);
  EXPECT_EQ(table.PageStamp(0), stamps[0]);
  EXPECT_GT(table.PageStamp(1), stamps[1]);
  EXPECT_EQ(table.PageStamp(2), stamps[2]);
  EXPECT_EQ(table.Get<Mover>(120).score, -1);
}

TEST(KeyedRowsTest, TableHoldsTheRowsAndNothingElse) {
  Table table = MakeTable();
  std::vector<Mover> rows = ReadRows<Mover>(table);
  rows.resize(3);
  WriteRows<Mover>(rows, table);
  EXPECT_EQ(table.row_count(), 3u);
  EXPECT_EQ(table.ComputeDigest(),
            MakeMovers(3).table(kMoverTable).ComputeDigest());
}

TEST(KeyedRowsTest, FindsAKeyAndNoNeighbour) {
  const Table table = MakeTable();  // serials 1, 3, 5 ...
  EXPECT_EQ(FindRow<Mover>(table, {241}), 120u);
  EXPECT_EQ(FindRow<Mover>(table, {242}), std::nullopt);
  EXPECT_EQ(FindRow<Mover>(table, {9999}), std::nullopt);
}

TEST(KeyedRowsTest, HasKeysComparesNamesAndTheirOrder) {
  State state;
  state.AddTable("test", RowSchema::Of<Named>());
  Table& table = state.mutable_table(TableIndex{0});
  const std::vector<Named> rows = {{Id{3}, 0}, {Id{5}, 0}};
  WriteRows<Named>(rows, table);
  EXPECT_TRUE(HasKeys<Named>(table, std::vector{Id{3}, Id{5}}));
  EXPECT_FALSE(HasKeys<Named>(table, std::vector{Id{5}, Id{3}}));
  EXPECT_FALSE(HasKeys<Named>(table, std::vector{Id{3}}));
  EXPECT_FALSE(HasKeys<Named>(table, std::vector{Id{3}, Id{5}, Id{7}}));
}

}  // namespace
}  // namespace reprise::sim
