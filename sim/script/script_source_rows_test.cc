// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that sources of any length come back from their rows, and that rows
// which nobody can have written are refused.

#include "sim/script/script_source_rows.h"

#include <cstddef>
#include <functional>
#include <string>

#include "gtest/gtest.h"
#include "sim/state/row_schema.h"

namespace reprise::sim {
namespace {

Table EmptyTable() { return Table(RowSchema::Of<ScriptSourceRow>()); }

TEST(ScriptSourceRowsTest, SourcesOfAnyLengthComeBack) {
  Table table = EmptyTable();
  std::map<Id, std::string> written;
  for (const size_t size :
       {size_t{0}, size_t{1}, kSourceBlockBytes - 1, kSourceBlockBytes,
        kSourceBlockBytes + 1, kSourceBytesMax}) {
    std::string source;
    for (size_t i = 0; i < size; ++i) source += static_cast<char>('a' + i % 23);
    const Id file = IdOf(std::to_string(size));
    WriteSource(file, source, table);
    written[file] = source;
  }
  const auto read = ReadSources(table);
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(*read, written);
}

TEST(ScriptSourceRowsTest, AnotherSourceTakesThePlaceOfTheOneBefore) {
  Table table = EmptyTable();
  WriteSource(IdOf("a"), std::string(3 * kSourceBlockBytes, 'x'), table);
  WriteSource(IdOf("b"), "b", table);
  WriteSource(IdOf("a"), "short", table);
  const auto read = ReadSources(table);
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(*read, (std::map<Id, std::string>{{IdOf("a"), "short"},
                                              {IdOf("b"), "b"}}));
  EXPECT_EQ(table.row_count(), 2u);
}

TEST(ScriptSourceRowsTest, RowsThatNobodyWroteAreRefused) {
  const std::function<void(Table&)> damages[] = {
      [](Table& table) { table.Mutable<ScriptSourceRow>(0).size = 255; },
      [](Table& table) { table.Mutable<ScriptSourceRow>(1).size = 257; },
      [](Table& table) { table.Mutable<ScriptSourceRow>(1).size = 0; },
      [](Table& table) { table.Mutable<ScriptSourceRow>(1).block = 2; },
      [](Table& table) { table.Mutable<ScriptSourceRow>(1).bytes[31] = 1; },
      [](Table& table) { table.EraseRange(0, 1); },
  };
  for (const auto& damage : damages) {
    Table table = EmptyTable();
    WriteSource(IdOf("a"), std::string(kSourceBlockBytes + 9, 'x'), table);
    ASSERT_TRUE(ReadSources(table).ok());
    damage(table);
    EXPECT_EQ(ReadSources(table).status().code(), absl::StatusCode::kDataLoss)
        << &damage - damages;
  }
}

}  // namespace
}  // namespace reprise::sim
