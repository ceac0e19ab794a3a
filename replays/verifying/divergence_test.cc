// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that a difference is described in names, values and units, that the
// list ends where it was told to, and what a person is shown of each kind.

#include "replays/verifying/divergence.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fmt/format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "replays/testing/injecting_simulation.h"
#include "replays/testing/tiny_recording.h"

namespace reprise::replays {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

// Describes what differs once every double of `fields` is nudged.
Divergence Nudge(const std::vector<std::string>& fields, size_t limit) {
  const std::unique_ptr<sim::Simulation> expected = MakeTiny();
  const std::unique_ptr<sim::Simulation> actual = MakeTiny();
  for (const std::string& field : fields) {
    const Injection injection =
        OneUlpMore(*actual, "board", "pieces", 1, field, 0);
    EXPECT_TRUE(actual->Inject(injection.address, injection.value).ok());
  }
  Divergence divergence;
  DescribeFields(expected->state(), actual->state(), limit, *expected,
                 divergence);
  return divergence;
}

TEST(DivergenceTest, FieldIsDescribedInNamesAndValues) {
  const Divergence divergence = Nudge({"x"}, 16);

  const FieldDivergence expected = {
      .room = "board",
      .table = "pieces",
      .object = "drifter",
      .is_object = true,
      .field = "x",
      .unit = "m",
      .expected = "1",
      .actual = "1.0000000000000002",
      .ulps = 1,
      .expected_writer = "",
      .actual_writer = "",
      .text = "board.pieces drifter x: 1 | 1.0000000000000002 (1 ulp) [m]"};
  ASSERT_THAT(divergence.fields, SizeIs(1));
  EXPECT_EQ(divergence.fields[0], expected);
  EXPECT_FALSE(divergence.has_more_fields);
}

TEST(DivergenceTest, NumbersThatStandForSomethingHaveTheirNames) {
  const auto expected = MakeTiny();
  const auto actual = MakeTiny();
  const sim::TableIndex game = *actual->state().Find("board", "game");
  const sim::ScalarPath outcome =
      *actual->state().table(game).schema().Find("outcome");
  ASSERT_TRUE(actual
                  ->Inject({.table = game, .row = 0, .scalar = outcome},
                           sim::FieldValue::OfInt64(1))
                  .ok());
  Divergence divergence;
  DescribeFields(expected->state(), actual->state(), 1, *expected, divergence);

  EXPECT_EQ(divergence.fields[0].expected, "0");
  EXPECT_EQ(divergence.fields[0].actual_name, "won");
  EXPECT_EQ(divergence.fields[0].text,
            "board.game 0 outcome: running (0) | won (1)");
}

TEST(DivergenceTest, ListEndsAtItsLimitAndSaysSo) {
  EXPECT_THAT(Nudge({"x", "y"}, 1).fields, SizeIs(1));
  EXPECT_TRUE(Nudge({"x", "y"}, 1).has_more_fields);
  EXPECT_FALSE(Nudge({"x", "y"}, 2).has_more_fields);
}

Divergence Between(std::optional<sim::Tick> last_equal,
                   sim::Tick first_different) {
  Divergence divergence;
  divergence.last_equal_tick = last_equal;
  divergence.first_different_tick = first_different;
  return divergence;
}

TEST(DivergenceTest, ExactPlaceNamesTickAndPhase) {
  Divergence divergence = Between(1841, 1842);
  divergence.phase = "physics";
  divergence.rooms = {"physics"};

  EXPECT_TRUE(divergence.is_exact());
  EXPECT_EQ(FormatDivergence(divergence),
            "tick 1841, physics (rooms: physics)\n");
}

TEST(DivergenceTest, FirstLineSaysAllOfTheFirstField) {
  Divergence divergence = Nudge({"x", "y"}, 16);
  divergence.last_equal_tick = 1841;
  divergence.first_different_tick = 1842;
  divergence.phase = "move";
  divergence.rooms = {"board"};
  divergence.fields[0].expected_writer = "solver";
  divergence.fields[0].actual_writer = "solver";
  divergence.fields[1].actual_writer = "solver";

  EXPECT_EQ(FormatDivergence(divergence),
            "tick 1841, move, object drifter, pieces.x: 1 | "
            "1.0000000000000002 (1 ulp) [m]; last written by solver\n"
            "  rooms: board\n"
            "  board.pieces drifter y: 1 | 1.0000000000000002 (1 ulp) [m]; "
            "last written by nobody in this tick | solver\n");
}

TEST(DivergenceTest, IntervalNamesItsFirstAndLastTick) {
  const Divergence divergence = Between(40, 50);

  EXPECT_FALSE(divergence.is_exact());
  EXPECT_THAT(FormatDivergence(divergence), HasSubstr("ticks 40 to 49"));
}

// A digest that is right and a keyframe of the same tick that isn't.
TEST(DivergenceTest, NoTicksLieBetweenATickAndItself) {
  EXPECT_EQ(FormatDivergence(Between(600, 600)),
            "tick 600: equal to one of the states that were recorded of it, "
            "and not to another\n");
}

TEST(DivergenceTest, StartIsNoExactPlace) {
  const Divergence divergence = Between(std::nullopt, 0);

  EXPECT_FALSE(divergence.is_exact());
  EXPECT_THAT(FormatDivergence(divergence), HasSubstr("never known"));
}

TEST(DivergenceTest, RefusedInputsGiveTheReason) {
  Divergence divergence = Between(4, 4);
  divergence.kind = Divergence::Kind::kRefusedInputs;
  divergence.remark = "no such command";

  EXPECT_THAT(FormatDivergence(divergence), HasSubstr("tick 4"));
  EXPECT_THAT(FormatDivergence(divergence), HasSubstr("no such command"));
}

// The values of a double, with the distance that they have.
std::string ValuesOf(double expected, double actual, uint64_t ulps) {
  return FormatValues({.room = "board",
                       .table = "pieces",
                       .object = "drifter",
                       .field = "x",
                       .unit = "m",
                       .expected = fmt::format("{}", expected),
                       .actual = fmt::format("{}", actual),
                       .ulps = ulps,
                       .expected_writer = "",
                       .actual_writer = "",
                       .text = ""});
}

TEST(DivergenceTest, ChangeOfSignIsNoDistance) {
  EXPECT_EQ(ValuesOf(-0.5, 0.25, 9205357638345293824u),
            "-0.5 | 0.25 (changes sign) [m]");
}

TEST(DivergenceTest, MoreThanARoundingIsToldInPerCentToo) {
  EXPECT_EQ(ValuesOf(2, 1.5, 2251799813685248u),
            "2 | 1.5 (2251799813685248 ulp, -25 %) [m]");
  EXPECT_EQ(ValuesOf(-2, -3, 2251799813685248u),
            "-2 | -3 (2251799813685248 ulp, -50 %) [m]");
}

TEST(DivergenceTest, FromZeroThereIsNoDistance) {
  EXPECT_EQ(ValuesOf(0, 1.5, 4609434218613702656u), "0 | 1.5 [m]");
  EXPECT_EQ(ValuesOf(0, -1.5, 4609434218613702657u), "0 | -1.5 [m]");
  EXPECT_EQ(ValuesOf(-1.5, 0, 4609434218613702657u), "-1.5 | 0 (-100 %) [m]");
}

TEST(DivergenceTest, ProgramsAreToldNoOtherUlps) {
  FieldDivergence field;
  field.expected = "-1";
  field.actual = "1";
  field.ulps = 7;
  EXPECT_EQ(TellableUlps(field), std::nullopt);
  field.expected = "0";
  EXPECT_EQ(TellableUlps(field), std::nullopt);
  field.expected = "1.0000000000000002";
  EXPECT_EQ(TellableUlps(field), 7u);
}

}  // namespace
}  // namespace reprise::replays
