// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that copies of a table share pages until one writes, that digests
// follow contents alone, and that every write leaves a mark.

#include "sim/state/table.h"

#include <array>
#include <cstdint>
#include <vector>

#include "gtest/gtest.h"
#include "sim/base/random.h"
#include "sim/state/testing_rows.h"

namespace reprise::sim {
namespace {

constexpr uint32_t kRows = 250;  // three pages, the last one partly used

Table MakeTable() { return MakeMovers(kRows).table(kMoverTable); }

TEST(TableTest, RowsLieInPagesAndNeverAcrossTwo) {
  const Table table = MakeTable();
  EXPECT_EQ(table.rows_per_page(), kPageSize / sizeof(Mover));
  EXPECT_EQ(table.page_count(), 3u);
  EXPECT_EQ(table.PageBytes(2).size(),
            (kRows - 2 * table.rows_per_page()) * sizeof(Mover));
}

TEST(TableTest, CopyKeepsItsRowsWhenTheOriginalIsWritten) {
  Table table = MakeTable();
  const Table copy = table;
  table.Mutable<Mover>(120).speed = 99.0;
  EXPECT_EQ(table.Get<Mover>(120).speed, 99.0);
  EXPECT_EQ(copy.Get<Mover>(120).speed, 60.0);
}

TEST(TableTest, CopySharesThePagesThatNobodyWrote) {
  Table table = MakeTable();
  const Table copy = table;
  table.Mutable<Mover>(0).speed = 99.0;
  EXPECT_NE(table.PageBytes(0).data(), copy.PageBytes(0).data());
  EXPECT_EQ(table.PageBytes(1).data(), copy.PageBytes(1).data());
}

TEST(TableTest, WriteMovesTheDigestAndTheOppositeWriteMovesItBack) {
  Table table = MakeTable();
  const Digest before = table.ComputeDigest();
  table.Mutable<Mover>(7).speed += 1.0;
  EXPECT_NE(table.ComputeDigest(), before);
  table.Mutable<Mover>(7).speed -= 1.0;
  EXPECT_EQ(table.ComputeDigest(), before);
}

TEST(TableTest, MinusZeroIsNotPlusZero) {
  Table table = MakeTable();
  const Digest before = table.ComputeDigest();
  table.Mutable<Mover>(0).speed = -0.0;
  EXPECT_NE(table.ComputeDigest(), before);
}

TEST(TableTest, RowCountEntersTheDigest) {
  Table table = MakeTable();
  table.Resize(0);
  const Digest empty = table.ComputeDigest();
  table.Resize(1);
  EXPECT_NE(table.ComputeDigest(), empty);
}

TEST(TableTest, RowsDroppedComeBackAsZeros) {
  Table table = MakeTable();
  table.Resize(10);
  table.Resize(kRows);
  EXPECT_EQ(table.Get<Mover>(9).score, 9);
  EXPECT_EQ(table.Get<Mover>(10).score, 0);
  EXPECT_EQ(table.Get<Mover>(kRows - 1).object, kNoObject);
}

TEST(TableTest, ShrinkingAndGrowingLeavesTheDigestOfTheContents) {
  Table grown = MakeMovers(10).table(kMoverTable);
  Table shrunk = MakeTable();
  shrunk.Resize(10);
  EXPECT_EQ(grown.ComputeDigest(), shrunk.ComputeDigest());
}

TEST(TableTest, InsertMovesTheRowsBehindUp) {
  Table table = MakeTable();
  table.Insert(100);
  EXPECT_EQ(table.row_count(), kRows + 1);
  EXPECT_EQ(table.Get<Mover>(99).score, 99);
  EXPECT_EQ(table.Get<Mover>(100).object, kNoObject);
  EXPECT_EQ(table.Get<Mover>(101).score, 100);
  EXPECT_EQ(table.Get<Mover>(kRows).score, static_cast<int>(kRows) - 1);
}

TEST(TableTest, EraseClosesTheGapsAndKeepsTheOrder) {
  Table table = MakeTable();
  const std::array<uint32_t, 3> rows = {0, 100, kRows - 1};
  table.Erase(rows);
  EXPECT_EQ(table.row_count(), kRows - 3);
  EXPECT_EQ(table.Get<Mover>(0).score, 1);
  EXPECT_EQ(table.Get<Mover>(98).score, 99);
  EXPECT_EQ(table.Get<Mover>(99).score, 101);
}

// Against the plain way: rows are taken out of a vector one by one.
TEST(TableTest, ErasingAnyRowsLeavesTheOthersInOrder) {
  RandomStream random = MakeRandomStream(1, IdOf("erase"));
  for (int round = 0; round < 200; ++round) {
    Table table = MakeTable();
    const uint64_t one_in = 1 + NextBelow(random, 300);
    std::vector<uint32_t> gone;
    std::vector<int64_t> left;
    for (uint32_t row = 0; row < kRows; ++row) {
      if (NextBelow(random, one_in) == 0) {
        gone.push_back(row);
      } else {
        left.push_back(table.Get<Mover>(row).score);
      }
    }
    table.Erase(gone);
    ASSERT_EQ(table.row_count(), left.size());
    for (uint32_t row = 0; row < left.size(); ++row) {
      ASSERT_EQ(table.Get<Mover>(row).score, left[row]) << row;
    }
  }
}

TEST(TableTest, PagesOfRowsAreAllRowsInOrder) {
  Table table = MakeTable();
  const Table copy = table;
  const uint64_t stamp = table.PageStamp(1);
  uint32_t row = 0;
  for (uint32_t page = 0; page < table.page_count(); ++page) {
    for (Mover& mover : table.MutablePageRows<Mover>(page)) {
      ASSERT_EQ(&mover, &table.Get<Mover>(row));
      ASSERT_EQ(table.PageOf(row), page);
      mover.speed = 1000.0 + row++;
    }
  }
  EXPECT_EQ(row, kRows);
  EXPECT_GT(table.PageStamp(1), stamp);
  EXPECT_EQ(copy.PageRows<Mover>(1)[18].speed, 60.0);
  EXPECT_NE(copy.ComputeDigest(), table.ComputeDigest());
  EXPECT_EQ(table.PageRows<Mover>(1)[18].speed, 1120.0);
}

TEST(TableTest, InsertAndEraseOfTheSameRowLeaveTheDigest) {
  Table table = MakeTable();
  const Digest before = table.ComputeDigest();
  table.Insert(17);
  table.Erase(std::array<uint32_t, 1>{17});
  EXPECT_EQ(table.ComputeDigest(), before);
}

TEST(TableTest, EraseWritesNothingBeforeTheFirstRow) {
  Table table = MakeTable();
  const uint64_t stamp = table.PageStamp(0);
  table.Erase(std::array<uint32_t, 1>{150});
  EXPECT_EQ(table.PageStamp(0), stamp);
}

TEST(TableTest, StampOfAPageGrowsWithWritesToItAlone) {
  Table table = MakeTable();
  const uint64_t first = table.PageStamp(0);
  const uint64_t second = table.PageStamp(1);
  table.Mutable<Mover>(150).lives = 3;
  EXPECT_EQ(table.PageStamp(0), first);
  EXPECT_GT(table.PageStamp(1), second);
}

TEST(TableTest, LowerBoundFindsKeysAndTheirPlaces) {
  const Table table = MakeTable();
  EXPECT_EQ(table.LowerBound(std::array<uint64_t, 1>{241}), 120u);
  EXPECT_EQ(table.LowerBound(std::array<uint64_t, 1>{242}), 121u);
  EXPECT_EQ(table.LowerBound(std::array<uint64_t, 1>{9999}), kRows);
}

using TableDeathTest = ::testing::Test;

TEST(TableDeathTest, RowBeyondTheEndIsABrokenPromise) {
  Table table = MakeTable();
  EXPECT_DEATH(table.MutableRow(kRows), "row 250 of 250 in movers");
}

}  // namespace
}  // namespace reprise::sim
