// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that two runs are found equal when they are, and that where they part
// is named exactly: the smallest change is made to one side at a known tick, or
// one pack moves a little faster, or one input is another.

#include "replays/comparing/run_comparison.h"

#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "replays/testing/injecting_simulation.h"
#include "replays/testing/tiny_recording.h"
#include "replays/testing/tiny_simulation.h"
#include "replays/tracks/input_track.h"

namespace reprise::replays {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

absl::StatusOr<RunComparison> Compare(std::unique_ptr<sim::Simulation> expected,
                                      std::unique_ptr<sim::Simulation> actual,
                                      sim::Tick tick_count = 100) {
  RestlessInputs expected_inputs(tick_count);
  RestlessInputs actual_inputs(tick_count);
  return CompareRuns({expected.get(), &expected_inputs},
                     {actual.get(), &actual_inputs}, {});
}

absl::StatusOr<RunComparison> CompareTracks(const std::string& expected,
                                            const std::string& actual) {
  const InputTrack expected_track = *ParseInputTrack(expected, "expected");
  const InputTrack actual_track = *ParseInputTrack(actual, "actual");
  TrackInputSource expected_inputs(&expected_track);
  TrackInputSource actual_inputs(&actual_track);
  const std::unique_ptr<sim::Simulation> left = MakeTiny();
  const std::unique_ptr<sim::Simulation> right = MakeTiny();
  return CompareRuns({left.get(), &expected_inputs},
                     {right.get(), &actual_inputs}, {});
}

TEST(RunComparisonTest, SameRunTwiceIsEqual) {
  const absl::StatusOr<RunComparison> comparison =
      Compare(MakeTiny(), MakeTiny());

  ASSERT_TRUE(comparison.ok()) << comparison.status();
  EXPECT_TRUE(comparison->is_equal());
  EXPECT_EQ(comparison->ticks_compared, 100u);
}

TEST(RunComparisonTest, SmallestChangeIsReportedAsExactlyThat) {
  const Injection nudge = OneUlpMore(*MakeTiny(), "board", "pieces", 1, "y", 2);

  const RunComparison comparison = *Compare(
      MakeTiny(), std::make_unique<InjectingSimulation>(MakeTiny(), nudge));

  EXPECT_EQ(comparison.ticks_compared, 3u);
  const Divergence& divergence = comparison.divergence.value();
  EXPECT_EQ(divergence.last_equal_tick, 2u);
  EXPECT_TRUE(divergence.is_exact());
  EXPECT_EQ(divergence.phase, "input");
  EXPECT_THAT(divergence.rooms, ElementsAre("board"));
  ASSERT_THAT(divergence.fields, SizeIs(1));
  EXPECT_EQ(divergence.fields[0].object, "drifter");
  EXPECT_EQ(divergence.fields[0].field, "y");
  EXPECT_EQ(divergence.fields[0].expected, "1");
  EXPECT_EQ(divergence.fields[0].actual, "1.0000000000000002");
  EXPECT_EQ(divergence.fields[0].ulps, 1u);
}

TEST(RunComparisonTest, ChangeIsFoundAtEveryTick) {
  for (sim::Tick tick = 0; tick < 100; ++tick) {
    // The seed is nobody's but the die's, and the die remembers.
    Injection change = {.tick = tick, .address = {}, .value = {}};
    const std::unique_ptr<sim::Simulation> tiny = MakeTiny();
    change.address.table = *tiny->state().Find("chance", "die");
    change.value = {sim::ScalarType::kUint64, 12345};

    const RunComparison comparison = *Compare(
        MakeTiny(), std::make_unique<InjectingSimulation>(MakeTiny(), change));

    ASSERT_TRUE(comparison.divergence.has_value()) << tick;
    ASSERT_EQ(comparison.divergence->last_equal_tick, tick);
    ASSERT_EQ(comparison.divergence->fields[0].field, "stream[0]");
  }
}

TEST(RunComparisonTest, PhaseThatMadeTheDifferenceIsNamed) {
  const RunComparison comparison =
      *Compare(MakeTiny(7, MakeTinyPack(/*step=*/0.1)),
               MakeTiny(7, MakeTinyPack(/*step=*/0.2)));

  const Divergence& divergence = comparison.divergence.value();
  // The player steers first at tick 3.
  EXPECT_EQ(divergence.last_equal_tick, 3u);
  EXPECT_EQ(divergence.phase, "move");
  ASSERT_THAT(divergence.fields, SizeIs(1));
  EXPECT_EQ(divergence.fields[0].object, "runner");
  EXPECT_EQ(divergence.fields[0].field, "x");
}

TEST(RunComparisonTest, OtherSeedDiffersBeforeTheFirstTick) {
  const RunComparison comparison = *Compare(MakeTiny(7), MakeTiny(8));

  EXPECT_EQ(comparison.ticks_compared, 0u);
  EXPECT_EQ(comparison.divergence.value().last_equal_tick, std::nullopt);
  EXPECT_EQ(comparison.divergence->fields_tick, 0u);
  EXPECT_EQ(comparison.divergence->fields[0].room, "chance");
}

TEST(RunComparisonTest, ChangedInputIsNamedWithItsEffect) {
  const RunComparison comparison = *CompareTracks(
      "tick_count: 50 ticks { tick: 7 frames { device { axes: 100 } } }",
      "tick_count: 50 ticks { tick: 7 frames { device { axes: 101 } } }");

  EXPECT_EQ(comparison.first_input_difference, 7u);
  const Divergence& divergence = comparison.divergence.value();
  EXPECT_EQ(divergence.last_equal_tick, 7u);
  EXPECT_EQ(divergence.phase, "input");
  EXPECT_EQ(divergence.fields[0].field, "axes[0]");
}

TEST(RunComparisonTest, OtherInputsOfTheSameEffectAreToldFromADifference) {
  // The place is where the runner stands already.
  const RunComparison comparison =
      *CompareTracks("tick_count: 50",
                     "tick_count: 50 ticks { tick: 9 frames { "
                     "commands { name: 'teleport' arguments: 0 } } }");

  EXPECT_EQ(comparison.first_input_difference, 9u);
  EXPECT_FALSE(comparison.divergence.has_value());
  EXPECT_TRUE(comparison.is_equal());
}

TEST(RunComparisonTest, RepeatedFrameIsNoDifference) {
  const RunComparison comparison = *CompareTracks(
      "tick_count: 50 ticks { tick: 7 frames { device { axes: 100 } } }",
      "tick_count: 50 ticks { tick: 7 frames { device { axes: 100 } } } "
      "ticks { tick: 8 frames { device { axes: 100 } } }");

  EXPECT_EQ(comparison.first_input_difference, std::nullopt);
  EXPECT_TRUE(comparison.is_equal());
}

TEST(RunComparisonTest, ShorterRunIsEqualAsFarAsItGoesAndNotEqual) {
  const RunComparison comparison =
      *CompareTracks("tick_count: 50", "tick_count: 30");

  EXPECT_EQ(comparison.ticks_compared, 30u);
  EXPECT_FALSE(comparison.divergence.has_value());
  EXPECT_FALSE(comparison.is_equal());
}

TEST(RunComparisonTest, RefusedInputsNameTheRun) {
  const RunComparison comparison =
      *CompareTracks("tick_count: 50",
                     "tick_count: 50 ticks { tick: 9 frames { player: 3 } }");

  const Divergence& divergence = comparison.divergence.value();
  EXPECT_EQ(divergence.kind, Divergence::Kind::kRefusedInputs);
  EXPECT_EQ(divergence.first_different_tick, 9u);
  EXPECT_THAT(divergence.remark, HasSubstr("the second run"));
}

TEST(RunComparisonTest, EndlessInputsNeedALength) {
  const std::unique_ptr<sim::Simulation> left = MakeTiny();
  const std::unique_ptr<sim::Simulation> right = MakeTiny();
  IdleInputSource idle;
  const RunSide expected = {left.get(), &idle};
  const RunSide actual = {right.get(), &idle};

  EXPECT_EQ(CompareRuns(expected, actual, {}).status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(CompareRuns(expected, actual, {.tick_count = 20})->ticks_compared,
            20u);
}

}  // namespace
}  // namespace reprise::replays
