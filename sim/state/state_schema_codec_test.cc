// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that what a state consists of survives its encoding, that a state has
// one encoding, and that every kind of schema that lies is refused with a
// sentence that says where.

#include "sim/state/state_schema_codec.h"

#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "sim/base/id.h"
#include "sim/state/testing_rows.h"

namespace reprise::sim {
namespace {

using testing::HasSubstr;

// With the zero bytes that a literal has within.
template <size_t kSize>
std::string Text(const char (&literal)[kSize]) {
  return std::string(literal, kSize - 1);
}

absl::StatusOr<State> Decode(const std::string& schema) {
  return DecodeStateSchema(std::as_bytes(std::span(schema)));
}

// The rooms of MakeMovers.
std::string Movers() {
  return Text(
      "time\0clock\0\0tick\0\x16tick\0\0\0"
      "game\0movers\0\1object\0\x19\0speed\0\x17m/s\0axes\0\x22\4\0\0"
      "score\0\x14\0lives\0\x15\0flags\0\x15\0\0\0");
}

// A state of one table with one field, a number.
State MakeNumber(const std::string& table, const std::string& field,
                 const std::string& unit) {
  State state;
  state.AddTable("a", std::make_shared<const RowSchema>(
                          table, 0,
                          std::vector<Field>{{.name = field,
                                              .unit = unit,
                                              .scalar = ScalarType::kDouble,
                                              .shape = FieldShape::kScalar,
                                              .count = 1,
                                              .offset = 0}}));
  return state;
}

// The example in replays/FORMAT.md is the first table.
TEST(StateSchemaCodecTest, BytesAreThoseOfTheFormat) {
  EXPECT_EQ(*EncodeStateSchema(MakeMovers(3)), Movers());
}

TEST(StateSchemaCodecTest, DecodedShapeIsTheOneThatWasEncoded) {
  const absl::StatusOr<State> shape = Decode(Movers());
  ASSERT_TRUE(shape.ok()) << shape.status();
  EXPECT_TRUE(shape->CheckSameShape(MakeMovers(0)).ok());
  EXPECT_EQ(shape->table(kMoverTable).row_count(), 0);
  EXPECT_EQ(shape->ComputeShapeDigest(), MakeMovers(5).ComputeShapeDigest());
  EXPECT_EQ(*EncodeStateSchema(*shape), Movers());
}

TEST(StateSchemaCodecTest, EveryShapeHasItsNumberOfScalars) {
  const std::string schema =
      Text("a\0b\0\2m\0\x57kg\0q\0\x47\0v\0\x37m\0w\0\x67\0f\0\x11\0\0\0");
  const absl::StatusOr<State> shape = Decode(schema);
  ASSERT_TRUE(shape.ok()) << shape.status();
  EXPECT_EQ(shape->table({0}).schema().row_size(), 8 * (9 + 4 + 3 + 2) + 1);
  EXPECT_EQ(*EncodeStateSchema(*shape), schema);
}

TEST(StateSchemaCodecTest, StateWithoutTablesHasAnEmptySchema) {
  EXPECT_EQ(*EncodeStateSchema(State()), "");
  EXPECT_EQ(Decode("")->table_count(), 0);
}

TEST(StateSchemaCodecTest, SchemaThatLiesIsRefused) {
  const std::string long_name(kNameBytesMax + 1, 'n');
  const std::vector<std::pair<std::string, std::string_view>> cases = {
      {Text("\0"), "a room without a name at byte 1"},
      {Text("a\0\0"), "room a without tables at byte 3"},
      {Text("a\0b\0\0f\0\x11\0\0\0a\0b\0\0f\0\x11\0\0\0"), "a second room a"},
      {Text("a\0b\0\0f\0\x11\0\0b\0\0f\0\x11\0\0\0"), "a second table a.b"},
      {Text("a\0b\0\0f\0\x11\0f\0\x12\0\0\0"), "a second field f of a.b"},
      {Text("a\0b\0\0\0\0"), "table a.b without fields"},
      {Text("a\0b\0\2f\0\x11\0\0\0"), "2 key fields of 1 in a.b"},
      {Text("a\0b\0\0f\0\x10\0\0\0"), "field f of unknown type 16"},
      {Text("a\0b\0\0f\0\x1b\0\0\0"), "field f of unknown type 27"},
      {Text("a\0b\0\0f\0\1\0\0\0"), "field f of unknown type 1"},
      {Text("a\0b\0\0f\0\x71\0\0\0"), "field f of unknown type 113"},
      {Text("a\0b\0\0f\0\x21\0\0\0\0\0"), "field f of 0 scalars"},
      {Text("a\0b\0\0f\0\x27\1\2\0\0\0"), "field f of 513 scalars"},
      {Text("a\0b\0\0f\0\x21\xff\xff\0\0\0"), "field f of 65535 scalars"},
      {Text("a\0b\0\0f\0\x27\0\2\0g\0\x11\0\0\0"), "more than 4096 bytes"},
      {Text("a\0b\n\0\0f\0\x11\0\0\0"), "no name at byte 2"},
      {Text("a\0b\0\0f\0\x11\x1b[2J\0\0\0"), "no name at byte 8"},
      {long_name + Text("\0b\0\0f\0\x11\0\0\0"), "no name at byte 0"},
      {std::string(kStateSchemaBytesMax + 1, 'a'), "1048577 bytes, at most"},
  };
  for (const auto& [schema, sentence] : cases) {
    const absl::Status status = Decode(schema).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss) << sentence;
    EXPECT_THAT(std::string(status.message()), HasSubstr(sentence));
  }
}

TEST(StateSchemaCodecTest, TooManyTablesAreRefused) {
  std::string schema = Text("a\0");
  State state;
  for (uint32_t i = 0; i <= kStateTablesMax; ++i) {
    schema += std::to_string(i) + Text("\0\0f\0\x17\0\0");
    const State one = MakeNumber(std::to_string(i), "f", "");
    state.AddTable("a",
                   std::make_shared<const RowSchema>(one.table({0}).schema()));
  }
  EXPECT_THAT(std::string(Decode(schema + Text("\0")).status().message()),
              HasSubstr("more than 4096 tables"));
  EXPECT_EQ(EncodeStateSchema(state).status().code(),
            absl::StatusCode::kResourceExhausted);
}

TEST(StateSchemaCodecTest, CutOffWithinARoomIsRefused) {
  const std::string schema = Movers();
  const size_t second_room = schema.find("game");
  for (size_t size = 1; size < schema.size(); ++size) {
    EXPECT_EQ(Decode(schema.substr(0, size)).ok(), size == second_room)
        << size << " bytes";
  }
}

// So the shape digest of the snapshots tells.
TEST(StateSchemaCodecTest, EveryFlippedBitIsRefusedOrAnotherShape) {
  const Digest digest = MakeMovers(0).ComputeShapeDigest();
  const std::string schema = Movers();
  for (size_t bit = 0; bit < 8 * schema.size(); ++bit) {
    std::string damaged = schema;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << bit % 8));
    const absl::StatusOr<State> shape = Decode(damaged);
    if (!shape.ok()) continue;
    EXPECT_NE(shape->ComputeShapeDigest(), digest) << "bit " << bit;
  }
}

TEST(StateSchemaCodecTest, NamesThatNobodyCouldReadAreNotWritten) {
  const std::vector<State> states = {
      MakeNumber("", "f", ""), MakeNumber("b", "f", "\n"),
      MakeNumber("b", std::string("f\0g", 3), ""),
      MakeNumber("b", "f", std::string(kNameBytesMax + 1, 'm'))};
  for (const State& state : states) {
    EXPECT_EQ(EncodeStateSchema(state).status().code(),
              absl::StatusCode::kInvalidArgument);
  }
}

TEST(StateSchemaCodecTest, ShapeDigestIsOfRoomsAndFields) {
  const auto one = std::make_shared<const RowSchema>(
      MakeNumber("b", "f", "m").table({0}).schema());
  State other_room;
  other_room.AddTable("c", one);
  const std::set<Digest> digests = {
      MakeNumber("b", "f", "m").ComputeShapeDigest(),
      MakeNumber("b", "f", "s").ComputeShapeDigest(),
      MakeNumber("b", "g", "m").ComputeShapeDigest(),
      MakeNumber("c", "f", "m").ComputeShapeDigest(),
      other_room.ComputeShapeDigest(),
      State().ComputeShapeDigest()};
  EXPECT_EQ(digests.size(), 6);
}

}  // namespace
}  // namespace reprise::sim
