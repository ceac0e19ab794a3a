// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that a clock is exact at every rate and across changes of rate, that
// pausing and single steps do what they say, and that clocks, differences and
// the reach of a 32-bit clock in 1/300 s are as in Gregory, 7.4 and 7.5.

#include "sim/world/time/game_clock.h"

#include <cstdint>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace reprise::sim {
namespace {

using ::testing::ElementsAre;

GameClockRow ClockAt(TimeRate rate) {
  GameClockRow clock = {.name = IdOf("game")};
  EXPECT_TRUE(SetRate(clock, rate).ok());
  return clock;
}

std::vector<uint32_t> AdvanceTimes(GameClockRow& clock, int count) {
  std::vector<uint32_t> steps;
  for (int i = 0; i < count; ++i) steps.push_back(Advance(clock));
  return steps;
}

TEST(GameClockTest, EveryRateIsExactAfterAMillionTicks) {
  constexpr uint64_t kTicks = 1'000'000;
  for (const TimeRate rate :
       {TimeRate{0, 1}, TimeRate{1, 1}, TimeRate{1, 2}, TimeRate{1, 3},
        TimeRate{7, 11}, TimeRate{1000, 1001}, TimeRate{1, 10'000},
        TimeRate{22, 7}, TimeRate{8, 1}}) {
    GameClockRow clock = ClockAt(rate);
    uint64_t steps = 0;
    for (uint64_t tick = 0; tick < kTicks; ++tick) steps += Advance(clock);
    const auto numerator = static_cast<uint64_t>(rate.numerator);
    const auto denominator = static_cast<uint64_t>(rate.denominator);
    EXPECT_EQ(steps, kTicks * numerator / denominator) << denominator;
    EXPECT_EQ(clock.game_tick, steps);
  }
}

TEST(GameClockTest, StepsAreSpreadEvenly) {
  GameClockRow third = ClockAt({1, 3});
  EXPECT_THAT(AdvanceTimes(third, 6), ElementsAre(0, 0, 1, 0, 0, 1));
  GameClockRow fast = ClockAt({5, 2});
  EXPECT_THAT(AdvanceTimes(fast, 4), ElementsAre(2, 3, 2, 3));
}

TEST(GameClockTest, ChangeOfRateKeepsThePartOfAStep) {
  GameClockRow clock = ClockAt({1, 3});
  AdvanceTimes(clock, 2);  // 2/3 of a step
  ASSERT_TRUE(SetRate(clock, {1, 7}).ok());
  EXPECT_THAT(AdvanceTimes(clock, 3), ElementsAre(0, 0, 1));  // 2/3 + 3/7
  ASSERT_TRUE(SetRate(clock, {19, 21}).ok());                 // 2/21 + 19/21
  EXPECT_THAT(AdvanceTimes(clock, 1), ElementsAre(1));
  EXPECT_EQ(clock.parts, 0);
}

TEST(GameClockTest, PausedClockStandsStill) {
  GameClockRow clock = ClockAt({3, 2});
  AdvanceTimes(clock, 1);
  Pause(clock);
  const GameClockRow paused = clock;
  EXPECT_THAT(AdvanceTimes(clock, 3), ElementsAre(0, 0, 0));
  EXPECT_EQ(clock, paused);
  Resume(clock);
  EXPECT_THAT(AdvanceTimes(clock, 1), ElementsAre(2));
}

TEST(GameClockTest, RateOfZeroStandsStillToo) {
  GameClockRow clock = ClockAt({0, 5});
  const GameClockRow before = clock;
  EXPECT_THAT(AdvanceTimes(clock, 2), ElementsAre(0, 0));
  EXPECT_EQ(clock, before);
}

TEST(GameClockTest, SingleStepIsOneTickAtTheRateAndOnlyWhilePaused) {
  GameClockRow clock = ClockAt({1, 2});
  const GameClockRow running = clock;
  EXPECT_EQ(SingleStep(clock).code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(clock, running);
  Pause(clock);
  EXPECT_TRUE(SingleStep(clock).ok());
  EXPECT_TRUE(SingleStep(clock).ok());
  EXPECT_THAT(AdvanceTimes(clock, 4), ElementsAre(0, 1, 0, 0));
}

TEST(GameClockTest, SingleStepsAreBoundedAndForgottenOnResuming) {
  GameClockRow clock = ClockAt({1, 1});
  Pause(clock);
  for (uint64_t i = 0; i < kSingleStepsMax; ++i) {
    ASSERT_TRUE(SingleStep(clock).ok());
  }
  EXPECT_EQ(SingleStep(clock).code(), absl::StatusCode::kResourceExhausted);
  Resume(clock);
  Pause(clock);
  EXPECT_EQ(Advance(clock), 0u);
}

TEST(GameClockTest, WrongRatesAreRefusedAndChangeNothing) {
  GameClockRow clock = ClockAt({1, 3});
  const GameClockRow before = clock;
  using absl::StatusCode;
  EXPECT_EQ(SetRate(clock, {9, 1}).code(), StatusCode::kOutOfRange);
  EXPECT_EQ(SetRate(clock, {-1, 2}).code(), StatusCode::kOutOfRange);
  EXPECT_EQ(SetRate(clock, {1, 0}).code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(SetRate(clock, {1, -2}).code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(SetRate(clock, {1, 17}).code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(clock, before);
}

TEST(GameClockTest, EqualRatesAreEqualBytes) {
  EXPECT_EQ(ClockAt({2, 4}), ClockAt({50, 100}));
  EXPECT_EQ(ClockAt({0, 7}), ClockAt({0, 1}));
}

TEST(GameClockTest, EveryDenominatorThatTheHeaderNamesIsExact) {
  for (int64_t denominator = 1; denominator <= 16; ++denominator) {
    EXPECT_EQ(kTickParts % denominator, 0) << denominator;
  }
  for (const int64_t denominator :
       {24, 25, 30, 50, 60, 100, 120, 144, 300, 1000, 1001, 10'000}) {
    EXPECT_EQ(kTickParts % denominator, 0) << denominator;
  }
}

// Gregory's 16-digit example: 130 cycles, and as many back; his unsigned
// difference would be 2^64 - 130.
TEST(GameClockTest, DifferenceIsSymmetric) {
  const GameClockRow begin = {.game_tick = 0x12345678FFFFFFB7};
  const GameClockRow end = {.game_tick = 0x1234567900000039};
  EXPECT_EQ(GameTicksBetween(begin, end), 130);
  EXPECT_EQ(GameTicksBetween(end, begin), -130);
}

TEST(GameClockTest, UnitsOfOneThreeHundredthFitBothTelevisionStandards) {
  GameClockRow at_60_hz = ClockAt({300, 60});
  EXPECT_THAT(AdvanceTimes(at_60_hz, 2), ElementsAre(5, 5));
  GameClockRow at_50_hz = ClockAt({300, 50});
  EXPECT_THAT(AdvanceTimes(at_50_hz, 2), ElementsAre(6, 6));
  GameClockRow at_30_hz_slowed = ClockAt({300, 30 * 10});
  EXPECT_THAT(AdvanceTimes(at_30_hz_slowed, 2), ElementsAre(1, 1));
  // Half a unit a frame, which a clock that truncates never gets beyond.
  GameClockRow at_60_hz_slowed = ClockAt({300, 60 * 10});
  EXPECT_THAT(AdvanceTimes(at_60_hz_slowed, 4), ElementsAre(0, 1, 0, 1));
}

TEST(GameClockTest, PassesTheTickAtWhichThirtyTwoBitsWrap) {
  GameClockRow clock = ClockAt({5, 1});
  clock.game_tick = 0xffffffff;
  const GameClockRow before = clock;
  Advance(clock);
  EXPECT_EQ(clock.game_tick, 0x100000004u);
  EXPECT_EQ(GameTicksBetween(before, clock), 5);
}

// Adding 1/60 as a float 216,000 times gives 3597.207 s, not an hour.
TEST(GameClockTest, HourOfTicksIsAnHourWhereASumOfFloatsIsNot) {
  GameClockRow clock = ClockAt({1, 1});
  volatile float seconds = 0.0f;
  for (int tick = 0; tick < 216'000; ++tick) {
    Advance(clock);
    seconds = seconds + 1.0f / 60.0f;
  }
  EXPECT_EQ(clock.game_tick, 216'000u);
  EXPECT_NEAR(seconds, 3597.207, 0.001);
}

TEST(GameClockTest, ClocksKnowNothingOfEachOther) {
  GameClockRow game = ClockAt({1, 1});
  GameClockRow menu = ClockAt({1, 2});
  Pause(game);
  EXPECT_THAT(AdvanceTimes(game, 2), ElementsAre(0, 0));
  EXPECT_THAT(AdvanceTimes(menu, 2), ElementsAre(0, 1));
}

TEST(GameClockTest, RowsOutOfRangeAreDataLoss) {
  Table clocks(RowSchema::Of<GameClockRow>());
  clocks.Resize(1);
  const auto code_of = [&](const GameClockRow& row) {
    clocks.Mutable<GameClockRow>(0) = row;
    return CheckGameClocks(clocks).code();
  };
  EXPECT_EQ(code_of(ClockAt({1, 3})), absl::StatusCode::kOk);
  for (const GameClockRow& row :
       {GameClockRow{.rate_numerator = 9}, GameClockRow{.rate_denominator = 0},
        GameClockRow{.rate_numerator = 2, .rate_denominator = 4},
        GameClockRow{.parts = kTickParts}, GameClockRow{.parts = -1},
        GameClockRow{.is_paused = 2}, GameClockRow{.single_steps = 1},
        GameClockRow{.game_tick = kTickMax + 1}}) {
    EXPECT_EQ(code_of(row), absl::StatusCode::kDataLoss);
  }
}

}  // namespace
}  // namespace reprise::sim
