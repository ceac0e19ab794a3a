// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that what two builds print of a state or a tick is compared by name:
// values to the last bit, and schemas that differ are named.

#include "tools/reprise/state_json_comparison.h"

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace reprise::tools {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

Json Change(const char* field, const char* before, const char* after,
            const char* writer) {
  return {{"room", "board"},   {"table", "pieces"}, {"object", "runner"},
          {"is_object", true}, {"field", field},    {"is_double", true},
          {"unit", "m"},       {"before", before},  {"after", after},
          {"writer", writer}};
}

Json Phase(const char* name, const char* digest, Json changes) {
  return {{"phase", name},
          {"digest", digest},
          {"changes", Json::array({std::move(changes)})}};
}

TEST(StateJsonComparisonTest, FirstPhaseThatDiffersIsNamed) {
  const Json expected = {Phase("input", "1", Change("x", "0", "2", "input")),
                         Phase("move", "2", Change("x", "2", "1", "solver")),
                         Phase("score", "3", Change("y", "0", "1", "score"))};
  const Json actual = {
      Phase("input", "1", Change("x", "0", "2", "input")),
      Phase("move", "4", Change("x", "2", "1.0000000000000002", "solver")),
      Phase("score", "5", Change("y", "0", "2", "score"))};

  const StateJsonComparison comparison = *CompareChanges(expected, actual, 8);

  EXPECT_EQ(comparison.phase, "move");
  ASSERT_THAT(comparison.fields, SizeIs(1));
  EXPECT_EQ(comparison.fields[0].ulps, 1u);
  EXPECT_EQ(comparison.fields[0].expected_writer, "solver");
  EXPECT_EQ(replays::FormatValues(comparison.fields[0]),
            "1 | 1.0000000000000002 (1 ulp) [m]; last written by solver");
}

TEST(StateJsonComparisonTest, WhoChangesNothingHasTheOldValue) {
  const Json expected = {Phase("move", "1", Change("x", "0", "2", "solver"))};
  const Json actual = {Phase("move", "2", Change("y", "5", "6", "solver"))};

  const StateJsonComparison comparison = *CompareChanges(expected, actual, 8);

  ASSERT_THAT(comparison.fields, SizeIs(2));
  EXPECT_EQ(comparison.fields[0].expected, "2");
  EXPECT_EQ(comparison.fields[0].actual, "0");
  EXPECT_EQ(comparison.fields[1].expected, "5");
  EXPECT_EQ(comparison.fields[1].actual, "6");
  EXPECT_EQ(comparison.fields[1].expected_writer, "");
}

TEST(StateJsonComparisonTest, ListEndsAtItsLimit) {
  const Json expected = {Phase("move", "1", Change("x", "0", "2", "solver"))};
  const Json actual = {Phase("move", "2", Change("y", "5", "6", "solver"))};

  const StateJsonComparison comparison = *CompareChanges(expected, actual, 1);

  EXPECT_THAT(comparison.fields, SizeIs(1));
  EXPECT_TRUE(comparison.has_more_fields);
}

Json Tree(Json fields) {
  const Json row = {{"key", {"runner"}}, {"fields", std::move(fields)}};
  const Json table = {{"table", "pieces"}, {"rows", Json::array({row})}};
  return Json::array({{{"room", "board"}, {"tables", Json::array({table})}}});
}

TEST(StateJsonComparisonTest, FieldsThatOnlyOneSideHasAreNamed) {
  const StateJsonComparison comparison = *CompareStateTrees(
      Tree({{"x", 1.0}}), Tree({{"x", 1.0}, {"spin", 2.0}}), 8);

  EXPECT_THAT(comparison.schema_remarks,
              ElementsAre("board.pieces spin: only in B"));
  ASSERT_THAT(comparison.fields, SizeIs(1));
  EXPECT_EQ(comparison.fields[0].expected, "missing");
}

TEST(StateJsonComparisonTest, NestedValuesAreComparedByTheirParts) {
  const Json left = Tree({{"place", {{"x", 1.0}, {"y", 0.0}}}});
  const Json right = Tree({{"place", {{"x", 1.0}, {"y", -0.0}}}});

  const StateJsonComparison comparison = *CompareStateTrees(left, right, 8);

  ASSERT_THAT(comparison.fields, SizeIs(1));
  EXPECT_EQ(comparison.fields[0].field, "place.y");
  EXPECT_EQ(comparison.fields[0].ulps, 1u);
  EXPECT_THAT(CompareStateTrees(left, left, 8)->fields, IsEmpty());
}

TEST(StateJsonComparisonTest, OtherJsonIsRefused) {
  EXPECT_EQ(CompareChanges(Json::object(), Json::array(), 8).status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(CompareStateTrees(nullptr, Json::array(), 8).status().code(),
            absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace reprise::tools
