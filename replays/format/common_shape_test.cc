// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that two states of different tables and fields are taken apart by
// name: what only one of them has is named, and of what both have every value
// is kept, whatever its place in the row.

#include "replays/format/common_shape.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "replays/format/schema_difference.h"
#include "sim/base/field.h"
#include "sim/state/row_schema.h"
#include "sim/state/state.h"
#include "sim/state/state_comparison.h"
#include "sim/state/table.h"

namespace reprise::replays {
namespace {

using Side = CommonShape::Side;
using sim::ScalarType;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

struct NamedType {
  std::string name;
  ScalarType type = ScalarType::kUint64;
  std::string unit;
};

void AddTable(sim::State& state, const std::string& room,
              const std::string& table, const std::vector<NamedType>& names,
              uint32_t key_field_count = 1) {
  std::vector<sim::Field> fields;
  uint32_t offset = 0;
  for (const NamedType& name : names) {
    fields.push_back({.name = name.name,
                      .unit = name.unit,
                      .scalar = name.type,
                      .shape = sim::FieldShape::kScalar,
                      .count = 1,
                      .offset = offset});
    offset += sim::ScalarSize(name.type);
  }
  state.AddTable(room, std::make_shared<const sim::RowSchema>(
                           table, key_field_count, std::move(fields)));
}

// One row more, of these numbers.
void AddRow(sim::State& state, const std::string& room,
            const std::string& table, const std::vector<uint64_t>& numbers) {
  sim::Table& rows = state.mutable_table(*state.Find(room, table));
  rows.Resize(rows.row_count() + 1);
  const auto row = rows.MutableRow(rows.row_count() - 1);
  ASSERT_EQ(row.size(), numbers.size() * sizeof(uint64_t));
  std::memcpy(row.data(), numbers.data(), row.size());
}

std::vector<std::string> Differences(const sim::State& expected,
                                     const sim::State& actual) {
  std::vector<std::string> texts;
  for (const SchemaDifference& difference : CompareSchemas(expected, actual)) {
    texts.push_back(FormatSchemaDifference(difference));
  }
  return texts;
}

// Pieces by their object, and where they are.
sim::State MakePieces(const std::vector<NamedType>& more) {
  std::vector<NamedType> fields = {
      {.name = "object", .type = ScalarType::kObject}};
  fields.insert(fields.end(), more.begin(), more.end());
  sim::State state;
  AddTable(state, "board", "pieces", fields);
  return state;
}

TEST(CommonShapeTest, SameShapeIsWhole) {
  const sim::State state = MakePieces({{.name = "x"}});

  EXPECT_TRUE(CommonShape(state, state).is_whole());
  EXPECT_THAT(CompareSchemas(state, state), IsEmpty());
}

TEST(CommonShapeTest, ValuesOfCommonFieldsStayWhateverTheirPlace) {
  sim::State expected = MakePieces({{.name = "x"}, {.name = "y"}});
  sim::State actual =
      MakePieces({{.name = "y"}, {.name = "new"}, {.name = "x"}});
  AddRow(expected, "board", "pieces", {1, 10, 20});
  AddRow(actual, "board", "pieces", {1, 20, 99, 11});

  const CommonShape shape(expected, actual);
  EXPECT_FALSE(shape.is_whole());
  const std::vector<sim::FieldDifference> differences =
      sim::CompareStates(shape.Take(Side::kExpected, expected),
                         shape.Take(Side::kActual, actual), 8);

  ASSERT_THAT(differences, SizeIs(1));
  EXPECT_EQ(differences[0].expected->bits, 10u);
  EXPECT_EQ(differences[0].actual->bits, 11u);
  EXPECT_THAT(Differences(expected, actual),
              ElementsAre("board.pieces new: added, uint64"));
}

TEST(CommonShapeTest, UpdateIsWhatIsMadeFromNothing) {
  sim::State expected = MakePieces({{.name = "x"}, {.name = "y"}});
  const sim::State actual = MakePieces({{.name = "y"}});
  const CommonShape shape(expected, actual);
  sim::State common = shape.empty_state();
  for (uint64_t i = 0; i < 2000; ++i) {
    AddRow(expected, "board", "pieces", {i, 2 * i, 3 * i});
  }
  shape.Update(Side::kExpected, expected, common);
  expected.mutable_table({0}).MutableRow(1234)[16] = std::byte{77};
  expected.mutable_table({0}).Resize(1500);
  shape.Update(Side::kExpected, expected, common);

  EXPECT_EQ(common.ComputeRootDigest(),
            shape.Take(Side::kExpected, expected).ComputeRootDigest());
  EXPECT_EQ(common.table({0}).row_count(), 1500u);
}

TEST(CommonShapeTest, WhatIsPutIsFoundAgainAndTheRestIsZeros) {
  sim::State expected = MakePieces({{.name = "x"}, {.name = "y"}});
  const sim::State empty =
      MakePieces({{.name = "y"}, {.name = "new"}, {.name = "x"}});
  AddRow(expected, "board", "pieces", {1, 10, 20});
  const CommonShape shape(expected, empty);
  const sim::State common = shape.Take(Side::kExpected, expected);

  sim::State actual = empty;
  shape.Put(Side::kActual, common, actual);
  sim::State whole = MakePieces({{.name = "x"}, {.name = "y"}});
  CommonShape(expected, expected).Put(Side::kActual, expected, whole);

  sim::State wanted = empty;
  AddRow(wanted, "board", "pieces", {1, 20, 0, 10});
  EXPECT_EQ(actual.ComputeRootDigest(), wanted.ComputeRootDigest());
  EXPECT_EQ(whole.ComputeRootDigest(), expected.ComputeRootDigest());
}

TEST(CommonShapeTest, EachKindOfDifferenceIsNamed) {
  sim::State expected = MakePieces({{.name = "x"}, {.name = "gone"}});
  AddTable(expected, "board", "old", {{.name = "object"}});
  sim::State actual =
      MakePieces({{.name = "x", .type = ScalarType::kDouble, .unit = "m"},
                  {.name = "tail", .type = ScalarType::kId}});
  AddTable(actual, "more", "extra", {{.name = "object"}});

  EXPECT_THAT(Differences(expected, actual),
              ElementsAre("board.pieces x: uint64 | double [m]",
                          "board.pieces gone: removed, uint64",
                          "board.pieces tail: added, id", "board.old: removed",
                          "more.extra: added"));
}

TEST(CommonShapeTest, TableWithAnotherKeyIsNotCommon) {
  const sim::State expected = MakePieces({{.name = "x"}});
  sim::State actual;
  AddTable(actual, "board", "pieces",
           {{.name = "object", .type = ScalarType::kObject}, {.name = "x"}},
           /*key_field_count=*/2);

  EXPECT_EQ(CommonShape(expected, actual).empty_state().table_count(), 0u);
  EXPECT_THAT(Differences(expected, actual),
              ElementsAre("board.pieces: key object object | key object "
                          "object, x uint64"));
}

// A bit a property: with other properties, other bits.
TEST(CommonShapeTest, WhatIsOverriddenIsNotComparedAcrossOtherProperties) {
  sim::State expected;
  AddTable(expected, "components", "tag",
           {{.name = "object"}, {.name = "overridden"}});
  sim::State actual;
  AddTable(actual, "components", "tag",
           {{.name = "object"}, {.name = "overridden"}, {.name = "health"}});

  const CommonShape shape(expected, actual);

  EXPECT_THAT(shape.empty_state().table({0}).schema().fields(), SizeIs(1));
  EXPECT_THAT(CommonShape(expected, expected)
                  .empty_state()
                  .table({0})
                  .schema()
                  .fields(),
              SizeIs(2));
}

TEST(CommonShapeTest, AnotherOrderIsADifferenceButHidesNoValue) {
  sim::State expected = MakePieces({{.name = "x"}, {.name = "y"}});
  sim::State actual = MakePieces({{.name = "y"}, {.name = "x"}});
  AddRow(expected, "board", "pieces", {1, 10, 20});
  AddRow(actual, "board", "pieces", {1, 20, 10});

  const CommonShape shape(expected, actual);

  EXPECT_EQ(shape.Take(Side::kExpected, expected).ComputeRootDigest(),
            shape.Take(Side::kActual, actual).ComputeRootDigest());
  EXPECT_THAT(Differences(expected, actual),
              ElementsAre("board.pieces: its fields in another order"));
}

}  // namespace
}  // namespace reprise::replays
