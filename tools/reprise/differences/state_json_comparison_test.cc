// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that what two builds print of a state or a tick is compared by name:
// values to the last bit, and schemas that differ are named; that their
// distance is the one that is measured of the states themselves.

#include "tools/reprise/differences/state_json_comparison.h"

#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "replays/comparing/divergence_growth.h"
#include "replays/testing/injecting_simulation.h"
#include "replays/testing/tiny_recording.h"
#include "replays/testing/tiny_simulation.h"
#include "tools/reprise/reports/state_tree.h"

namespace reprise::tools {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

Json TreeOf(const sim::Simulation& simulation) {
  return StateTreeToJson(simulation.state(), sim::NamesOf(simulation),
                         simulation.description(), "");
}

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

  ASSERT_THAT(comparison.schema_differences, SizeIs(1));
  EXPECT_EQ(
      replays::FormatSchemaDifference(comparison.schema_differences.front()),
      "board.pieces spin: added");
  EXPECT_THAT(comparison.fields, IsEmpty());
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

TEST(StateJsonComparisonTest, DistanceIsThatOfTheStates) {
  const std::unique_ptr<sim::Simulation> expected = replays::MakeTiny();
  replays::Injection change =
      replays::OneUlpMore(*expected, "board", "pieces", 1, "x", 3);
  change.value = sim::FieldValue::OfDouble(42.5);
  replays::InjectingSimulation actual(replays::MakeTiny(), change);
  replays::RestlessInputs inputs;
  for (sim::Tick tick = 0; tick < 20; ++tick) {
    const auto frames = *inputs.FramesAt(tick);
    expected->Step(frames, nullptr);
    actual.Step(frames, nullptr);
  }

  const replays::StateDistance distance =
      *MeasureStateTrees(TreeOf(*expected), TreeOf(actual));

  EXPECT_EQ(distance,
            replays::MeasureDistance(expected->state(), actual.state(),
                                     sim::NamesOf(*expected)));
  EXPECT_EQ(distance.object_count, 1u);
  EXPECT_EQ(distance.largest_difference_at, "board.pieces drifter x");
}

TEST(StateJsonComparisonTest, DistanceCountsRowsAndLeavesOtherSchemasOut) {
  const Json row = {{"key", {"runner"}}, {"fields", {{"x", 1.5}}}};
  const Json other = {{"key", {"runner"}},
                      {"fields", {{"x", 2.5}, {"spin", 1}}}};
  const Json more = {{"key", {"drifter"}}, {"fields", {{"x", 0.5}}}};
  const auto tree = [](Json rows) -> Json {
    return {{{"room", "board"},
             {"tables",
              {{{"table", "pieces"},
                {"is_object_key", {true}},
                {"units", {{"x", "m"}}},
                {"rows", std::move(rows)}}}}}};
  };

  const replays::StateDistance distance = *MeasureStateTrees(
      tree(Json::array({row})), tree(Json::array({other, more})));

  EXPECT_EQ(distance.row_count, 1u);
  EXPECT_EQ(distance.field_count, 1u);
  EXPECT_EQ(distance.object_count, 2u);
  EXPECT_EQ(distance.largest_difference, 1.0);
  EXPECT_EQ(distance.largest_difference_at, "board.pieces runner x");
  EXPECT_EQ(distance.unit, "m");
  EXPECT_FALSE(MeasureStateTrees(Json::object(), Json::array()).ok());
}

}  // namespace
}  // namespace reprise::tools
