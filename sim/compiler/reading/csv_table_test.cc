// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that comma-separated values are read as RFC 4180 says, by its own
// examples, with the place of each cell, and that each mistake is found.

#include "sim/compiler/reading/csv_table.h"

#include <string>
#include <vector>

#include "fmt/format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace reprise::sim {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// The texts of all cells, after checking that there is no mistake.
std::vector<std::vector<std::string>> Texts(std::string_view text) {
  const CsvTable table = ParseCsv(text);
  EXPECT_FALSE(table.mistake.has_value()) << table.mistake->message;
  std::vector<std::vector<std::string>> rows;
  for (const std::vector<CsvCell>& row : table.rows) {
    rows.emplace_back();
    for (const CsvCell& cell : row) rows.back().push_back(cell.text);
  }
  return rows;
}

// "line:column: message".
std::string Mistake(std::string_view text) {
  const CsvTable table = ParseCsv(text);
  if (!table.mistake.has_value()) return "";
  return fmt::format("{}:{}: {}", table.mistake->line, table.mistake->column,
                     table.mistake->message);
}

TEST(CsvTableTest, LinesEndWithOrWithoutCarriageReturnsAndTheLastNeedNot) {
  const auto rows = ElementsAre(ElementsAre("aaa", "bbb", "ccc"),
                                ElementsAre("zzz", "yyy", "xxx"));
  EXPECT_THAT(Texts("aaa,bbb,ccc\r\nzzz,yyy,xxx\r\n"), rows);
  EXPECT_THAT(Texts("aaa,bbb,ccc\nzzz,yyy,xxx"), rows);
  EXPECT_THAT(Texts("\xef\xbb\xbf"
                    "aaa,bbb,ccc\n\r\n\nzzz,yyy,xxx\n\n"),
              rows);
}

TEST(CsvTableTest, QuotesHoldCommasLineEndsAndDoubledQuotes) {
  EXPECT_THAT(Texts("\"aaa\",\"b\r\nbb\",\"ccc\"\r\nzzz,yyy,xxx"),
              ElementsAre(ElementsAre("aaa", "b\r\nbb", "ccc"),
                          ElementsAre("zzz", "yyy", "xxx")));
  EXPECT_THAT(Texts("\"aaa\",\"b\"\"bb\",\"c,c\"\n"),
              ElementsAre(ElementsAre("aaa", "b\"bb", "c,c")));
}

TEST(CsvTableTest, EmptyCellsAndSpacesStay) {
  EXPECT_THAT(Texts("a,,\n,\n\"\"\n x ,y"),
              ElementsAre(ElementsAre("a", "", ""), ElementsAre("", ""),
                          ElementsAre(""), ElementsAre(" x ", "y")));
  EXPECT_THAT(Texts("a,"), ElementsAre(ElementsAre("a", "")));
  EXPECT_THAT(Texts(""), IsEmpty());
  EXPECT_THAT(Texts("\xef\xbb\xbf"), IsEmpty());
}

TEST(CsvTableTest, CellsKnowWhereTheyBegin) {
  const CsvTable table = ParseCsv(
      "\xef\xbb\xbf"
      "a,\"b\nb\",c\r\nd,e");
  const CsvCell& c = table.rows[0][2];
  EXPECT_EQ(c.line, 2u);
  EXPECT_EQ(c.column, 4u);
  const CsvCell& a = table.rows[0][0];
  EXPECT_EQ(a.line, 1u);
  EXPECT_EQ(a.column, 1u);
  const CsvCell& e = table.rows[1][1];
  EXPECT_EQ(e.line, 3u);
  EXPECT_EQ(e.column, 3u);
}

TEST(CsvTableTest, MistakesHaveTheirPlace) {
  EXPECT_EQ(Mistake("a,b\nc,d\"e\n"),
            "2:4: a quote within a cell that doesn't begin with one");
  EXPECT_EQ(Mistake("a,\"b\" c\n"), "1:6: text behind the quotes");
  EXPECT_EQ(Mistake("a\nb,\"c\n\nd\n"),
            "2:3: the quotes that begin here don't end");
  EXPECT_EQ(Mistake("a,b\rc\n"), "1:4: a carriage return without a line feed");
  EXPECT_EQ(Mistake("a,b\nc,\xff\n"), "2:3: the cell isn't UTF-8");
}

TEST(CsvTableTest, RowsBeforeAMistakeAreThere) {
  const CsvTable table = ParseCsv("a,b\nc,d\ne,\"f");
  EXPECT_TRUE(table.mistake.has_value());
  EXPECT_EQ(table.rows.size(), 2u);
}

TEST(CsvTableTest, TooManyCellsAreRefused) {
  std::string text;
  for (size_t i = 0; i < kCsvCellsMax; ++i) text += "1\n";
  EXPECT_EQ(Mistake(text), "");
  EXPECT_EQ(Mistake(text + "1"), "200001:1: more than 200000 cells");
}

}  // namespace
}  // namespace reprise::sim
