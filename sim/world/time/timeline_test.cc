// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves where timelines are at every tick, forwards and backwards, that they
// are exact however long they run, what happens at their ends, and which marks
// they pass.

#include "sim/world/time/timeline.h"

#include <cstdint>
#include <map>
#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace reprise::sim {
namespace {

using ::testing::ElementsAre;

constexpr Tick kStart = 1000;

TimelineRow Start(TimelineMode mode, TimeRate rate = {}, Tick duration = 4) {
  const auto timeline = MakeTimeline({.object = {1},
                                      .name = IdOf("clip"),
                                      .duration = duration,
                                      .rate = rate,
                                      .mode = mode},
                                     kStart);
  EXPECT_TRUE(timeline.ok());
  return timeline.value_or(TimelineRow{});
}

// The local times of the first `count` ticks.
std::vector<double> TimesOf(const TimelineRow& timeline, int count) {
  std::vector<double> times;
  for (int i = 0; i < count; ++i) {
    times.push_back(LocalTicks(timeline, timeline.anchored_at + i));
  }
  return times;
}

TEST(TimelineTest, ClampStaysAtItsEnd) {
  EXPECT_THAT(TimesOf(Start(TimelineMode::kClamp), 7),
              ElementsAre(0, 1, 2, 3, 4, 4, 4));
  EXPECT_THAT(TimesOf(Start(TimelineMode::kClamp, {-1, 1}), 7),
              ElementsAre(4, 3, 2, 1, 0, 0, 0));
}

TEST(TimelineTest, LoopGoesRoundAndBackwardsIsItsMirrorImage) {
  EXPECT_THAT(TimesOf(Start(TimelineMode::kLoop), 7),
              ElementsAre(0, 1, 2, 3, 0, 1, 2));
  EXPECT_THAT(TimesOf(Start(TimelineMode::kLoop, {-1, 1}), 7),
              ElementsAre(4, 3, 2, 1, 4, 3, 2));
}

TEST(TimelineTest, PingPongTurnsRound) {
  EXPECT_THAT(TimesOf(Start(TimelineMode::kPingPong), 10),
              ElementsAre(0, 1, 2, 3, 4, 3, 2, 1, 0, 1));
  EXPECT_THAT(TimesOf(Start(TimelineMode::kPingPong, {3, 1}), 5),
              ElementsAre(0, 3, 2, 1, 4));
}

TEST(TimelineTest, RatesAreExactFractions) {
  EXPECT_THAT(TimesOf(Start(TimelineMode::kLoop, {3, 2}), 5),
              ElementsAre(0, 1.5, 3, 0.5, 2));
  const TimelineRow third = Start(TimelineMode::kLoop, {1, 3}, 7);
  for (Tick tick = 0; tick < 3'000'000; tick += 3 * 997) {
    EXPECT_EQ(LocalParts(third, kStart + tick),
              static_cast<int64_t>(tick / 3 % 7) * kTickParts);
  }
}

TEST(TimelineTest, IsExactAtTheEndOfTime) {
  const TimelineRow loop = Start(TimelineMode::kLoop, {1000, 7}, 11);
  const Tick last = kTickMax;
  // (2^53 - 1000) * 1000/7 modulo 11, in parts, by hand in sevenths.
  const uint64_t sevenths = (last - kStart) % 77 * 1000 % 77;
  EXPECT_EQ(LocalParts(loop, last),
            static_cast<int64_t>(sevenths) * (kTickParts / 7));
}

TEST(TimelineTest, PausedTimelineWaitsAndGoesOn) {
  TimelineRow timeline = Start(TimelineMode::kLoop, {1, 2});
  Pause(timeline, kStart + 3);
  EXPECT_EQ(LocalTicks(timeline, kStart + 100), 1.5);
  Pause(timeline, kStart + 50);
  Resume(timeline, kStart + 100);
  EXPECT_EQ(LocalTicks(timeline, kStart + 101), 2.0);
}

TEST(TimelineTest, ChangeOfRateKeepsThePlaceAndTheWay) {
  TimelineRow timeline = Start(TimelineMode::kPingPong);
  ASSERT_TRUE(SetRate(timeline, {1, 3}, kStart + 6).ok());  // at 2, back
  EXPECT_THAT(TimesOf(timeline, 4),
              ElementsAre(2, 1 + 2.0 / 3, 1 + 1.0 / 3, 1));
  ASSERT_TRUE(SetRate(timeline, {-1, 1}, kStart + 9).ok());
  EXPECT_THAT(TimesOf(timeline, 5), ElementsAre(1, 2, 3, 4, 3));
}

TEST(TimelineTest, SeekGoesThereAndOn) {
  TimelineRow timeline = Start(TimelineMode::kClamp);
  ASSERT_TRUE(Seek(timeline, 3 * kTickParts / 2, kStart + 9).ok());
  EXPECT_THAT(TimesOf(timeline, 4), ElementsAre(1.5, 2.5, 3.5, 4));
  const TimelineRow before = timeline;
  EXPECT_EQ(Seek(timeline, 4 * kTickParts + 1, kStart + 9).code(),
            absl::StatusCode::kOutOfRange);
  EXPECT_EQ(Seek(timeline, -1, kStart + 9).code(),
            absl::StatusCode::kOutOfRange);
  EXPECT_EQ(timeline, before);
}

TEST(TimelineTest, ClampEndsOnceAtTheTickThatReachesTheEnd) {
  for (const int64_t direction : {1, -1}) {
    const TimelineRow timeline =
        Start(TimelineMode::kClamp, {direction * 3, 2});  // at the end in 8/3
    std::vector<Tick> ended;
    for (Tick tick = kStart; tick < kStart + 10; ++tick) {
      if (CrossingsBetween(timeline, tick, tick + 1).has_ended) {
        ended.push_back(tick + 1);
      }
    }
    EXPECT_THAT(ended, ElementsAre(kStart + 3));
    EXPECT_FALSE(HasEnded(timeline, kStart + 2));
    EXPECT_TRUE(HasEnded(timeline, kStart + 3));
  }
}

TEST(TimelineTest, LoopsAreCountedHoweverManyATickMakes) {
  for (const int64_t direction : {1, -1}) {
    const TimelineRow timeline =
        Start(TimelineMode::kLoop, {direction * 10, 1});
    EXPECT_EQ(CrossingsBetween(timeline, kStart, kStart + 1),
              (TimelineCrossings{.loop_count = 2}));
    EXPECT_EQ(CrossingsBetween(timeline, kStart + 1, kStart + 2),
              (TimelineCrossings{.loop_count = 3}));
    EXPECT_EQ(CrossingsBetween(timeline, 0, kStart + 2),
              (TimelineCrossings{.loop_count = 5}));
  }
}

TEST(TimelineTest, CrossingsOfAllTicksAreTheCrossingsOfTheWhole) {
  for (const TimelineMode mode :
       {TimelineMode::kLoop, TimelineMode::kPingPong}) {
    for (const TimeRate rate : {TimeRate{5, 13}, {-7, 3}, {29, 4}, {0, 1}}) {
      const TimelineRow timeline = Start(mode, rate);
      TimelineCrossings sum;
      for (Tick tick = kStart; tick < kStart + 500; ++tick) {
        const TimelineCrossings one =
            CrossingsBetween(timeline, tick, tick + 1);
        sum.loop_count += one.loop_count;
        sum.turn_count += one.turn_count;
      }
      EXPECT_EQ(CrossingsBetween(timeline, kStart, kStart + 500), sum);
    }
  }
}

TEST(TimelineTest, TurnsAreCountedAtBothEnds) {
  const TimelineRow timeline = Start(TimelineMode::kPingPong);
  EXPECT_EQ(CrossingsBetween(timeline, kStart, kStart + 12).turn_count, 3u);
}

TEST(TimelineTest, WrongTimelinesAreRefused) {
  using absl::StatusCode;
  const auto code_of = [](const TimelineStart& start) {
    return MakeTimeline(start, kStart).status().code();
  };
  EXPECT_EQ(code_of({.duration = 0}), StatusCode::kOutOfRange);
  EXPECT_EQ(code_of({.duration = kTimelineDurationMax + 1}),
            StatusCode::kOutOfRange);
  EXPECT_EQ(code_of({.rate = {1001, 1}}), StatusCode::kOutOfRange);
  EXPECT_EQ(code_of({.rate = {1, 17}}), StatusCode::kInvalidArgument);
}

TEST(TimelineTest, AsleepItStandsStillPausedOrNot) {
  for (const TimelineMode mode :
       {TimelineMode::kClamp, TimelineMode::kLoop, TimelineMode::kPingPong}) {
    for (const bool is_paused : {false, true}) {
      Table timelines(RowSchema::Of<TimelineRow>());
      TimelineRow timeline = Start(mode, {1, 1}, 100);
      if (is_paused) Pause(timeline, kStart + 1);
      ASSERT_TRUE(PutTimeline(timelines, timeline).ok());
      const auto ticks_at = [&](Tick now) {
        return LocalTicks(*FindTimeline(timelines, {1}, IdOf("clip")), now);
      };
      SleepTimelinesOf(timelines, {1}, kStart + 3);
      SleepTimelinesOf(timelines, {1}, kStart + 9);
      EXPECT_EQ(ticks_at(kStart + 50), is_paused ? 1.0 : 3.0);
      EXPECT_TRUE(CheckTimelines(timelines, kStart + 50).ok());
      WakeTimelinesOf(timelines, {2}, kStart + 50);
      WakeTimelinesOf(timelines, {1}, kStart + 50);
      WakeTimelinesOf(timelines, {1}, kStart + 60);
      EXPECT_EQ(ticks_at(kStart + 55), is_paused ? 1.0 : 8.0);
    }
  }
}

TEST(TimelineTest, NothingIsCrossedInSleep) {
  Table timelines(RowSchema::Of<TimelineRow>());
  ASSERT_TRUE(PutTimeline(timelines, Start(TimelineMode::kLoop)).ok());
  SleepTimelinesOf(timelines, {1}, kStart + 3);
  const auto loops = [&](Tick begin, Tick end) {
    return CrossingsBetween(*FindTimeline(timelines, {1}, IdOf("clip")), begin,
                            end)
        .loop_count;
  };
  EXPECT_EQ(loops(kStart + 3, kStart + 100), 0u);
  WakeTimelinesOf(timelines, {1}, kStart + 100);
  EXPECT_EQ(loops(kStart + 99, kStart + 100), 0u);
  EXPECT_EQ(loops(kStart + 100, kStart + 101), 1u);
}

TEST(TimelineTest, TableKeepsOneOfEachNameAndAnObjectTakesItsOwn) {
  Table timelines(RowSchema::Of<TimelineRow>());
  for (uint64_t object = 1; object <= 100; ++object) {
    TimelineRow timeline = Start(TimelineMode::kLoop);
    timeline.object = {101 - object};
    ASSERT_TRUE(PutTimeline(timelines, timeline).ok());
    timeline.is_paused = 1;
    ASSERT_TRUE(PutTimeline(timelines, timeline).ok());
  }
  EXPECT_EQ(timelines.row_count(), 100u);
  EXPECT_EQ(FindTimeline(timelines, {50}, IdOf("clip"))->is_paused, 1u);
  EXPECT_TRUE(RemoveTimeline(timelines, {50}, IdOf("clip")));
  EXPECT_FALSE(RemoveTimeline(timelines, {50}, IdOf("clip")));
  RemoveTimelinesOf(timelines, {51});
  EXPECT_EQ(timelines.row_count(), 98u);
  EXPECT_TRUE(CheckTimelines(timelines, kStart).ok());
}

TEST(TimelineTest, RowsOutOfRangeAreDataLoss) {
  Table timelines(RowSchema::Of<TimelineRow>());
  timelines.Resize(1);
  const auto code_after = [&](auto change) {
    TimelineRow row = Start(TimelineMode::kLoop);
    change(row);
    timelines.Mutable<TimelineRow>(0) = row;
    return CheckTimelines(timelines, kStart).code();
  };
  using Row = TimelineRow;
  const auto data_loss = absl::StatusCode::kDataLoss;
  EXPECT_EQ(code_after([](Row&) {}), absl::StatusCode::kOk);
  EXPECT_EQ(code_after([](Row& row) { row.duration = 0; }), data_loss);
  EXPECT_EQ(code_after([](Row& row) { row.mode = 3; }), data_loss);
  EXPECT_EQ(code_after([](Row& row) { row.is_paused = 2; }), data_loss);
  EXPECT_EQ(code_after([](Row& row) { row.is_asleep = 2; }), data_loss);
  EXPECT_EQ(code_after([](Row& row) { row.anchored_at = kStart + 1; }),
            data_loss);
  EXPECT_EQ(code_after([](Row& row) { row.anchor_parts = -1; }), data_loss);
  EXPECT_EQ(code_after([](Row& row) { row.rate_denominator = 0; }), data_loss);
  EXPECT_EQ(code_after([](Row& row) { row.rate_numerator = 1001; }), data_loss);
}

constexpr int64_t kTick = kTickParts;
constexpr Id kA = IdOf("a");
constexpr Id kB = IdOf("b");

// A timeline with marks `a` and `b`.
struct MarkedTimeline {
  TimelineRow row;
  std::vector<TimelineMark> marks;

  std::vector<MarkPassed> Passed(Tick begin, Tick end) const {
    return MarksPassed(row, marks, begin, end);
  }
};

MarkedTimeline Marked(TimelineMode mode, TimeRate rate, int64_t a, int64_t b,
                      Tick duration = 4) {
  return {.row = Start(mode, rate, duration), .marks = {{a, kA}, {b, kB}}};
}

// The ticks, from the start on, in which a mark is passed.
std::vector<Tick> TicksOf(const MarkedTimeline& timeline, Id mark, Tick count) {
  std::vector<Tick> ticks;
  for (Tick tick = 1; tick <= count; ++tick) {
    for (const MarkPassed& each :
         timeline.Passed(kStart + tick - 1, kStart + tick)) {
      if (each.event == mark) ticks.push_back(tick);
    }
  }
  return ticks;
}

TEST(TimelineMarksTest, AreToldWhicheverWayTheyArePassed) {
  const auto forwards = Marked(TimelineMode::kClamp, {1, 1}, kTick, 4 * kTick);
  EXPECT_THAT(TicksOf(forwards, kA, 9), ElementsAre(1));
  EXPECT_THAT(TicksOf(forwards, kB, 9), ElementsAre(4));
  const auto back = Marked(TimelineMode::kClamp, {-1, 1}, kTick, 4 * kTick);
  EXPECT_THAT(TicksOf(back, kA, 9), ElementsAre(3));
  // It starts there.
  EXPECT_THAT(TicksOf(back, kB, 9), ElementsAre());
  const auto loop = Marked(TimelineMode::kLoop, {1, 1}, kTick, 4 * kTick);
  EXPECT_THAT(TicksOf(loop, kA, 9), ElementsAre(1, 5, 9));
  EXPECT_THAT(TicksOf(loop, kB, 9), ElementsAre(4, 8));
  const auto loop_back = Marked(TimelineMode::kLoop, {-1, 1}, kTick, 0);
  EXPECT_THAT(TicksOf(loop_back, kA, 9), ElementsAre(3, 7));
  EXPECT_THAT(TicksOf(loop_back, kB, 9), ElementsAre(4, 8));
  const auto turning =
      Marked(TimelineMode::kPingPong, {1, 1}, kTick, 4 * kTick);
  EXPECT_THAT(TicksOf(turning, kA, 17), ElementsAre(1, 7, 9, 15, 17));
  EXPECT_THAT(TicksOf(turning, kB, 17), ElementsAre(4, 12));
}

TEST(TimelineMarksTest, BetweenTwoTicksAreToldWithTheSecond) {
  const auto timeline = Marked(TimelineMode::kClamp, {1, 3}, kTick / 2, kTick);
  EXPECT_THAT(TicksOf(timeline, kA, 9), ElementsAre(2));
  EXPECT_THAT(TicksOf(timeline, kB, 9), ElementsAre(3));
}

TEST(TimelineMarksTest, AreToldInTheOrderInWhichTheyArePassed) {
  // From 0 to 10 of 4: a at 3 and 7, b at 1, 5 and 9.
  const auto forwards = Marked(TimelineMode::kLoop, {10, 1}, 3 * kTick, kTick);
  EXPECT_THAT(forwards.Passed(kStart, kStart + 1),
              ElementsAre(MarkPassed{kB, 3}, MarkPassed{kA, 2}));
  // From 4 down to -6: a at 3, -1 and -5, b at 1 and -3.
  const auto back = Marked(TimelineMode::kLoop, {-10, 1}, 3 * kTick, kTick);
  EXPECT_THAT(back.Passed(kStart, kStart + 1),
              ElementsAre(MarkPassed{kA, 3}, MarkPassed{kB, 2}));
  // From 0 to 10 of 8: a at 3 and 5, b at 1, 7 and 9.
  const auto turning =
      Marked(TimelineMode::kPingPong, {10, 1}, 3 * kTick, kTick);
  EXPECT_THAT(turning.Passed(kStart, kStart + 1),
              ElementsAre(MarkPassed{kB, 3}, MarkPassed{kA, 2}));
}

// However a run is cut into pieces, each passing is told once.
TEST(TimelineMarksTest, PiecesAddUpToTheWhole) {
  for (const TimelineMode mode :
       {TimelineMode::kClamp, TimelineMode::kLoop, TimelineMode::kPingPong}) {
    for (const TimeRate rate : {TimeRate{7, 5}, TimeRate{-7, 5},
                                TimeRate{1000, 7}, TimeRate{-13, 1}}) {
      const auto timeline = Marked(mode, rate, 5 * kTick / 3, 11 * kTick, 11);
      std::map<Id, uint64_t> pieces;
      for (Tick tick = kStart; tick < kStart + 700; ++tick) {
        for (const MarkPassed& mark : timeline.Passed(tick, tick + 1)) {
          pieces[mark.event] += mark.count;
        }
      }
      std::map<Id, uint64_t> whole;
      for (const MarkPassed& mark : timeline.Passed(kStart, kStart + 700)) {
        whole[mark.event] += mark.count;
      }
      EXPECT_EQ(pieces, whole) << static_cast<int>(mode) << rate.numerator;
    }
  }
}

TEST(TimelineMarksTest, WhoStandsOrJumpsPassesNothing) {
  auto timeline = Marked(TimelineMode::kClamp, {1, 1}, kTick, 3 * kTick);
  Pause(timeline.row, kStart);
  EXPECT_THAT(TicksOf(timeline, kA, 9), ElementsAre());
  Resume(timeline.row, kStart + 9);
  EXPECT_THAT(TicksOf(timeline, kA, 12), ElementsAre(10));
  ASSERT_TRUE(Seek(timeline.row, 2 * kTick, kStart + 9).ok());
  EXPECT_THAT(TicksOf(timeline, kA, 12), ElementsAre());
  EXPECT_THAT(TicksOf(timeline, kB, 12), ElementsAre(10));
  ASSERT_TRUE(Seek(timeline.row, kTick, kStart + 9).ok());
  EXPECT_THAT(TicksOf(timeline, kA, 12), ElementsAre());
}

TEST(TimelineMarksTest, ThoseThatCantBeAreRefused) {
  const auto with = [](const std::vector<TimelineMark>& marks) {
    return CheckMarks(Start(TimelineMode::kClamp), marks).code();
  };
  EXPECT_EQ(with({{0, kA}, {4 * kTick, kA}}), absl::StatusCode::kOk);
  EXPECT_EQ(with({{4 * kTick + 1, kA}}), absl::StatusCode::kOutOfRange);
  EXPECT_EQ(with({{-1, kA}}), absl::StatusCode::kOutOfRange);
  EXPECT_EQ(with({{0, kNoId}}), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(with(std::vector<TimelineMark>(9, {0, kA})),
            absl::StatusCode::kOutOfRange);
}

}  // namespace
}  // namespace reprise::sim
