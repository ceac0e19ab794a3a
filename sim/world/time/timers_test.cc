// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves when timers fire and in which order, what starting and stopping them
// does while they fire, and that equal timers are equal bytes.

#include "sim/world/time/timers.h"

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "sim/state/state_codec.h"
#include "sim/state/table.h"

namespace reprise::sim {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr ObjectId kObject = {1};
constexpr Id kEvent = IdOf("tick");

class TimersTest : public testing::Test {
 protected:
  // Starts a timer at the present tick.
  void Start(uint64_t name, Tick delay, Tick period = 0, uint64_t firings = 0,
             int64_t priority = 0, ObjectId object = kObject) {
    ASSERT_TRUE(timers_
                    .Start({.object = object,
                            .name = {name},
                            .delay = delay,
                            .period = period,
                            .firings = firings,
                            .event = kEvent,
                            .priority = priority},
                           now_)
                    .ok());
  }

  // Goes on to the next tick and returns the names that fired in it.
  std::vector<uint64_t> Advance() {
    ++now_;
    std::vector<uint64_t> fired;
    timers_.FireDue(now_, [&](const TimerRow& timer) {
      fired.push_back(timer.name.value);
    });
    return fired;
  }

  // The ticks, up to `end`, at which timer `name` fires.
  std::vector<Tick> TicksOf(uint64_t name, Tick end) {
    std::vector<Tick> ticks;
    while (now_ < end) {
      for (const uint64_t fired : Advance()) {
        if (fired == name) ticks.push_back(now_);
      }
    }
    return ticks;
  }

  const Table& rows() const { return state_.table(tables_.timers); }

  State state_;
  TimerTables tables_ = AddTimerTables(state_, "time");
  Timers timers_ = Timers(state_, tables_);
  Tick now_ = 100;
};

TEST_F(TimersTest, OneShotFiresOnceAfterItsDelay) {
  Start(1, 3);
  EXPECT_THAT(TicksOf(1, 120), ElementsAre(103));
  EXPECT_EQ(rows().row_count(), 0u);
}

TEST_F(TimersTest, RepeatingTimerFiresAfterItsDelayAndEveryPeriod) {
  Start(1, 2, 5);
  EXPECT_THAT(TicksOf(1, 118), ElementsAre(102, 107, 112, 117));
}

TEST_F(TimersTest, FiringsAreTheFormula) {
  for (const Tick delay : {1, 2, 7, 30}) {
    for (const Tick period : {1, 2, 7, 100}) {
      State state;
      Timers timers(state, AddTimerTables(state, "time"));
      ASSERT_TRUE(timers
                      .Start({.object = kObject,
                              .name = {1},
                              .delay = delay,
                              .period = period,
                              .event = kEvent},
                             0)
                      .ok());
      constexpr Tick kTicks = 1000;
      uint64_t firings = 0;
      for (Tick now = 1; now <= kTicks; ++now) {
        timers.FireDue(now, [&](const TimerRow&) { ++firings; });
      }
      EXPECT_EQ(firings, (kTicks - delay) / period + 1);
    }
  }
}

TEST_F(TimersTest, CountedTimerEndsAfterItsLastFiring) {
  Start(1, 1, 4, 3);
  EXPECT_THAT(TicksOf(1, 130), ElementsAre(101, 105, 109));
  EXPECT_EQ(timers_.Find(kObject, {1}), std::nullopt);
}

TEST_F(TimersTest, AsleepItStandsStillAndGoesOnWithWhatWasLeft) {
  Start(1, 10, 5, 3);
  EXPECT_THAT(TicksOf(1, 104), IsEmpty());
  timers_.SleepAllOf(kObject, now_);
  EXPECT_EQ(TicksLeft(*timers_.Find(kObject, {1}), now_), 6u);
  EXPECT_THAT(TicksOf(1, 300), IsEmpty());
  EXPECT_EQ(TicksLeft(*timers_.Find(kObject, {1}), now_), 6u);
  EXPECT_TRUE(CheckTimers(state_, tables_).ok());
  timers_.WakeAllOf(kObject, now_);
  EXPECT_EQ(TicksLeft(*timers_.Find(kObject, {1}), now_), 6u);
  EXPECT_THAT(TicksOf(1, 400), ElementsAre(306, 311, 316));
}

TEST_F(TimersTest, SleepIsThatOfOneObjectAndTwiceIsOnce) {
  Start(1, 10);
  Start(2, 10, 0, 0, 0, {2});
  timers_.SleepAllOf(kObject, now_);
  timers_.SleepAllOf(kObject, now_ + 5);
  EXPECT_THAT(TicksOf(2, 120), ElementsAre(110));
  timers_.WakeAllOf(kObject, now_);
  timers_.WakeAllOf(kObject, now_ + 5);
  EXPECT_THAT(TicksOf(1, 140), ElementsAre(130));
}

TEST_F(TimersTest, StartedAsleepItHasItsWholeDelayLeft) {
  ASSERT_TRUE(timers_
                  .Start({.object = kObject,
                          .name = {1},
                          .delay = 7,
                          .event = kEvent,
                          .is_asleep = true},
                         now_)
                  .ok());
  EXPECT_TRUE(CheckTimers(state_, tables_).ok());
  EXPECT_THAT(TicksOf(1, 150), IsEmpty());
  timers_.WakeAllOf(kObject, now_);
  EXPECT_THAT(TicksOf(1, 200), ElementsAre(157));
}

// One that is due, and put to sleep by another that fires before it.
TEST_F(TimersTest, PutToSleepByAnotherThatFiresItFiresWhenItWakes) {
  Start(1, 3, 0, 0, /*priority=*/1, {2});
  Start(2, 3);
  now_ += 3;
  timers_.FireDue(now_, [&](const TimerRow& timer) {
    EXPECT_EQ(timer.name, Id{1});
    timers_.SleepAllOf(kObject, now_);
  });
  EXPECT_THAT(TicksOf(2, 150), IsEmpty());
  timers_.WakeAllOf(kObject, now_);
  EXPECT_THAT(Advance(), ElementsAre(2));
}

// What sleeps is not looked at, whatever its number.
TEST_F(TimersTest, PagesOfSleepersHaveNoEarliestTick) {
  for (uint64_t name = 1; name <= 300; ++name) Start(name, 1, 1);
  timers_.SleepAllOf(kObject, now_);
  const Table& pages = state_.table(tables_.pages);
  EXPECT_GT(pages.row_count(), 2u);
  for (uint32_t page = 0; page < pages.row_count(); ++page) {
    EXPECT_EQ(pages.Get<TimerPageRow>(page).earliest, ~Tick{0});
  }
  const Digest before = state_.ComputeRootDigest();
  EXPECT_THAT(Advance(), IsEmpty());
  EXPECT_EQ(state_.ComputeRootDigest(), before);
}

TEST_F(TimersTest, OrderIsPriorityThenStart) {
  Start(4, 1);
  Start(3, 1, 0, 0, -1);
  Start(2, 1, 0, 0, 1);
  Start(1, 1);
  EXPECT_THAT(Advance(), ElementsAre(2, 4, 1, 3));
}

TEST_F(TimersTest, LateTimersCatchUpByOneFiringACallInOrderOfDueTicks) {
  Start(1, 1, 1);
  Start(2, 2, 0, 0, 9);
  now_ += 2;
  EXPECT_THAT(Advance(), ElementsAre(1, 2));
  EXPECT_THAT(Advance(), ElementsAre(1));
  EXPECT_EQ(timers_.Find(kObject, {1})->due, 103u);
}

TEST_F(TimersTest, StartingAgainReplaces) {
  Start(1, 1, 2);
  Start(1, 3);
  EXPECT_THAT(TicksOf(1, 120), ElementsAre(103));
}

TEST_F(TimersTest, RemainingTimeCanBeAsked) {
  Start(1, 9, 5, 3);
  Advance();
  EXPECT_EQ(timers_.Find(kObject, {1})->due - now_, 8u);
  EXPECT_EQ(timers_.Find(kObject, {1})->remaining, 3u);
  EXPECT_EQ(timers_.Find(kObject, {2}), std::nullopt);
}

TEST_F(TimersTest, StoppedTimerDoesNotFire) {
  Start(1, 1);
  EXPECT_TRUE(timers_.Stop(kObject, {1}));
  EXPECT_FALSE(timers_.Stop(kObject, {1}));
  EXPECT_THAT(Advance(), IsEmpty());
}

TEST_F(TimersTest, StoppedByAnEarlierFiringOfTheTickDoesNotFire) {
  Start(1, 1);
  Start(2, 1);
  std::vector<uint64_t> fired;
  timers_.FireDue(101, [&](const TimerRow& timer) {
    fired.push_back(timer.name.value);
    EXPECT_FALSE(timers_.Stop(kObject, {1}));
    EXPECT_EQ(timers_.Stop(kObject, {2}), timer.name == Id{1});
  });
  EXPECT_THAT(fired, ElementsAre(1));
  EXPECT_EQ(rows().row_count(), 0u);
}

TEST_F(TimersTest, RepeatingTimerThatStopsItselfIsGone) {
  Start(1, 1, 1);
  timers_.FireDue(101, [&](const TimerRow& timer) {
    EXPECT_EQ(timer.due, 101u);
    EXPECT_EQ(timers_.Find(kObject, {1})->due, 102u);
    EXPECT_TRUE(timers_.Stop(kObject, {1}));
  });
  EXPECT_EQ(rows().row_count(), 0u);
}

TEST_F(TimersTest, StartedAnewWhileFiringItFiresLater) {
  Start(1, 1);
  Start(2, 1);
  now_ = 101;
  std::vector<uint64_t> fired;
  timers_.FireDue(now_, [&](const TimerRow& timer) {
    fired.push_back(timer.name.value);
    Start(1, 1);  // itself, after its last firing
    Start(2, 2);  // the other, before it
    Start(3, 1);  // one that was not there
  });
  EXPECT_THAT(fired, ElementsAre(1));
  EXPECT_THAT(Advance(), ElementsAre(1, 3));
  EXPECT_THAT(Advance(), ElementsAre(2));
}

TEST_F(TimersTest, ObjectTakesItsTimersWithIt) {
  for (uint64_t object = 1; object <= 3; ++object) {
    for (uint64_t name = 1; name <= 100; ++name) {
      Start(object * 1000 + name, 1, 1, 0, 0, {object});
    }
  }
  timers_.StopAllOf({2});
  EXPECT_EQ(rows().row_count(), 200u);
  const std::vector<uint64_t> fired = Advance();
  EXPECT_EQ(fired.size(), 200u);
  EXPECT_EQ(fired[100], 3001u);
  EXPECT_TRUE(CheckTimers(state_, tables_).ok());
}

TEST_F(TimersTest, TickInWhichNothingIsDueWritesNothing) {
  for (uint64_t name = 1; name <= 1000; ++name) Start(name, 50);
  const State before = state_;
  EXPECT_THAT(Advance(), IsEmpty());
  for (uint32_t page = 0; page < rows().page_count(); ++page) {
    EXPECT_EQ(rows().PageBytes(page).data(),
              before.table(tables_.timers).PageBytes(page).data());
  }
}

TEST_F(TimersTest, FiringWritesOnlyThePageOfTheTimer) {
  for (uint64_t name = 1; name <= 1000; ++name) {
    Start(name, name == 500 ? 1 : 50, 50);
  }
  const State before = state_;
  EXPECT_THAT(Advance(), ElementsAre(500));
  uint32_t written = 0;
  for (uint32_t page = 0; page < rows().page_count(); ++page) {
    if (rows().PageBytes(page).data() !=
        before.table(tables_.timers).PageBytes(page).data()) {
      ++written;
    }
  }
  EXPECT_EQ(written, 1u);
  EXPECT_TRUE(CheckTimers(state_, tables_).ok());
}

TEST_F(TimersTest, OrderOfEntryIntoTheTableLeavesNoTrace) {
  State other_state;
  const TimerTables other_tables = AddTimerTables(other_state, "time");
  Timers other(other_state, other_tables);
  for (uint64_t name = 1; name <= 300; ++name) Start(name, 5 + name);
  for (uint64_t name = 1; name <= 300; ++name) {
    // The same starts, among others that have come and gone.
    const TimerStart start = {
        .object = kObject, .name = {name}, .delay = 5 + name, .event = kEvent};
    ASSERT_TRUE(other.Start(start, now_).ok());
    TimerStart passing = start;
    passing.object = {0};
    ASSERT_TRUE(other.Start(passing, now_).ok());
    other.Stop({0}, {name});
    other_state.mutable_table(other_tables.counters)
        .Mutable<TimerCounterRow>(0) = {.sequence_next = name};
  }
  EXPECT_EQ(state_.ComputeRootDigest(), other_state.ComputeRootDigest());
}

TEST_F(TimersTest, TimersGoOnFromASave) {
  Start(1, 3, 3);
  TicksOf(1, 104);
  const std::string saved = EncodeState(state_);
  state_ = *DecodeState(std::as_bytes(std::span(saved)), state_);
  EXPECT_TRUE(CheckTimers(state_, tables_).ok());
  EXPECT_THAT(TicksOf(1, 110), ElementsAre(106, 109));
}

TEST_F(TimersTest, WrongStartsAreRefusedAndChangeNothing) {
  const auto code_of = [&](const TimerStart& start) {
    return timers_.Start(start, now_).code();
  };
  const Digest before = state_.ComputeRootDigest();
  using absl::StatusCode;
  EXPECT_EQ(code_of({.event = kEvent}), StatusCode::kInvalidArgument);
  EXPECT_EQ(code_of({.name = {1}}), StatusCode::kInvalidArgument);
  EXPECT_EQ(code_of({.name = {1}, .delay = 0, .event = kEvent}),
            StatusCode::kInvalidArgument);
  EXPECT_EQ(code_of({.name = {1}, .firings = 2, .event = kEvent}),
            StatusCode::kInvalidArgument);
  EXPECT_EQ(code_of({.name = {1}, .delay = kTickMax, .event = kEvent}),
            StatusCode::kOutOfRange);
  EXPECT_EQ(code_of({.name = {1}, .period = kTickMax + 1, .event = kEvent}),
            StatusCode::kOutOfRange);
  EXPECT_EQ(state_.ComputeRootDigest(), before);
}

TEST_F(TimersTest, DamagedRowsAreDataLoss) {
  for (uint64_t name = 1; name <= 3; ++name) Start(name, name, name);
  const auto code_after = [&](auto change) {
    State damaged = state_;
    change(damaged.mutable_table(tables_.timers).Mutable<TimerRow>(1));
    return CheckTimers(damaged, tables_).code();
  };
  const auto data_loss = absl::StatusCode::kDataLoss;
  EXPECT_EQ(code_after([](TimerRow&) {}), absl::StatusCode::kOk);
  EXPECT_EQ(code_after([](TimerRow& row) { row.due = 0; }), data_loss);
  EXPECT_EQ(code_after([](TimerRow& row) { row.due = ~Tick{0}; }), data_loss);
  EXPECT_EQ(code_after([](TimerRow& row) { row.period = 0; }), data_loss);
  EXPECT_EQ(code_after([](TimerRow& row) { row.sequence = 0; }), data_loss);
  EXPECT_EQ(code_after([](TimerRow& row) { row.sequence = 3; }), data_loss);
  EXPECT_EQ(code_after([](TimerRow& row) { row.name = {1}; }), data_loss);
  timers_.SleepAllOf(kObject, now_);
  EXPECT_EQ(code_after([](TimerRow&) {}), absl::StatusCode::kOk);
  EXPECT_EQ(code_after([](TimerRow& row) { row.is_asleep = 0; }), data_loss);
  EXPECT_EQ(code_after([](TimerRow& row) { row.is_asleep = 2; }), data_loss);
  EXPECT_EQ(code_after([](TimerRow& row) { row.due = kTickMax + 1; }),
            data_loss);
}

}  // namespace
}  // namespace reprise::sim
