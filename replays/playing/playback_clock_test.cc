// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that a clock shows each tick at its time, at every speed, in both
// directions, and never one that isn't due.

#include "replays/playing/playback_clock.h"

#include <chrono>
#include <limits>

#include "absl/status/status.h"
#include "gtest/gtest.h"

namespace reprise::replays {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using std::chrono::seconds;

constexpr sim::TickRate kRate = {.ticks_per_second = 60};

TEST(PlaybackClockTest, RealTimeShowsSixtyTicksASecond) {
  const PlaybackClock clock = *PlaybackClock::Create(0, 1000, kRate, 1.0);
  EXPECT_EQ(clock.TickAt(seconds(0)), 0u);
  EXPECT_EQ(clock.TickAt(seconds(1)), 60u);
  EXPECT_EQ(clock.TickAt(milliseconds(999)), 59u);
}

TEST(PlaybackClockTest, SpeedScalesTime) {
  EXPECT_EQ(PlaybackClock::Create(0, 1000, kRate, 4.0)->TickAt(seconds(1)),
            240u);
  EXPECT_EQ(PlaybackClock::Create(0, 1000, kRate, 0.5)->TickAt(seconds(1)),
            30u);
}

TEST(PlaybackClockTest, BackwardsCountsDown) {
  const PlaybackClock clock = *PlaybackClock::Create(500, 100, kRate, 1.0);
  EXPECT_EQ(clock.TickAt(seconds(0)), 500u);
  EXPECT_EQ(clock.TickAt(seconds(1)), 440u);
}

TEST(PlaybackClockTest, StaysAtTheLastTick) {
  EXPECT_EQ(PlaybackClock::Create(0, 30, kRate, 1.0)->TickAt(seconds(99)), 30u);
  EXPECT_EQ(PlaybackClock::Create(30, 0, kRate, 1.0)->TickAt(seconds(99)), 0u);
  EXPECT_EQ(PlaybackClock::Create(7, 7, kRate, 1.0)->TickAt(seconds(0)), 7u);
}

TEST(PlaybackClockTest, EachTickIsShownAtItsTimeAndNotBefore) {
  for (const double speed : {0.3, 1.0, 1.7, 1000.0}) {
    for (const sim::Tick last : {sim::Tick{0}, sim::Tick{4000}}) {
      const PlaybackClock clock =
          *PlaybackClock::Create(2000, last, kRate, speed);
      for (sim::Tick i = 1; i <= 2000; ++i) {
        const sim::Tick tick = last == 0 ? 2000 - i : 2000 + i;
        const nanoseconds time = clock.TimeOf(tick);
        ASSERT_EQ(clock.TickAt(time), tick) << speed;
        ASSERT_NE(clock.TickAt(time - nanoseconds(1)), tick) << speed;
      }
    }
  }
}

TEST(PlaybackClockTest, SpeedThatIsNoneIsInvalid) {
  for (const double speed :
       {0.0, -1.0, 1e9, std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_EQ(PlaybackClock::Create(0, 1, kRate, speed).status().code(),
              absl::StatusCode::kInvalidArgument)
        << speed;
  }
}

}  // namespace
}  // namespace reprise::replays
