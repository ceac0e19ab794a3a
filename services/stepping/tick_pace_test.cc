// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves when ticks are due, with times that the test says: at which pace, what
// is made up for, and what pausing and single steps come to.

#include "services/stepping/tick_pace.h"

#include <limits>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "gtest/gtest.h"
#include "services/base/status.h"

namespace reprise::services {
namespace {

constexpr absl::Time kNow = absl::FromUnixSeconds(1000);

v1::PaceControl Pause(bool paused, uint32_t step_ticks = 0) {
  v1::PaceControl control;
  control.set_paused(paused);
  control.set_step_ticks(step_ticks);
  return control;
}

TEST(TickPaceTest, AsFastAsPossibleIsAlwaysDue) {
  TickPace pace(0, 60, kNow);
  EXPECT_EQ(pace.due(), absl::InfinitePast());
  pace.EndTick(kNow);
  EXPECT_EQ(pace.due(), absl::InfinitePast());
}

TEST(TickPaceTest, RealTimeIsATickEachTickLong) {
  for (const double factor : {0.5, 1.0, 4.0}) {
    TickPace pace(factor, 50, kNow);
    absl::Time now = kNow;
    // A second of simulated time, each tick a little later than it was due.
    for (int i = 0; i < 50; ++i) {
      EXPECT_GE(pace.due(), now - absl::Milliseconds(1));
      now = pace.due() + absl::Milliseconds(1);
      pace.EndTick(now);
    }
    EXPECT_LE(absl::AbsDuration(pace.due() - kNow - absl::Seconds(1) / factor),
              absl::Microseconds(1));
  }
}

TEST(TickPaceTest, AShortDelayIsMadeUpForAndALongOneIsNot) {
  TickPace pace(1, 100, kNow);
  pace.EndTick(kNow + absl::Milliseconds(105));
  EXPECT_EQ(pace.due(), kNow + absl::Milliseconds(10));
  pace.EndTick(kNow + absl::Seconds(20));
  EXPECT_EQ(pace.due(), kNow + absl::Seconds(20) - kPaceLagMax);
}

TEST(TickPaceTest, TheLastOfSomeTicksIsDueByThePace) {
  TickPace pace(2, 50, kNow);
  EXPECT_EQ(pace.DueOfLast(1), kNow);
  EXPECT_EQ(pace.DueOfLast(101), kNow + absl::Seconds(1));
  pace.EndTick(kNow);
  EXPECT_EQ(pace.DueOfLast(100), kNow + absl::Seconds(1));

  EXPECT_EQ(TickPace(0, 50, kNow).DueOfLast(100), absl::InfinitePast());
}

TEST(TickPaceTest, PausedNothingIsDueButWhatIsAskedFor) {
  TickPace pace(1, 60, kNow);
  ASSERT_TRUE(pace.Control(Pause(true, 2), kNow).ok());
  EXPECT_TRUE(pace.Describe().paused());
  EXPECT_EQ(pace.due(), absl::InfinitePast());
  pace.EndTick(kNow);
  pace.EndTick(kNow);
  EXPECT_EQ(pace.due(), absl::InfiniteFuture());

  const absl::Time later = kNow + absl::Hours(1);
  ASSERT_TRUE(pace.Control(Pause(false), later).ok());
  EXPECT_EQ(pace.due(), later);
}

TEST(TickPaceTest, AnotherPaceBeginsAtOnce) {
  TickPace pace(0.001, 60, kNow);
  pace.EndTick(kNow);
  v1::PaceControl control;
  control.set_factor(1);
  ASSERT_TRUE(pace.Control(control, kNow).ok());
  EXPECT_EQ(pace.due(), kNow);
  EXPECT_EQ(pace.Describe().factor(), 1);
}

TEST(TickPaceTest, WhatIsRefusedChangesNothing) {
  TickPace pace(1, 60, kNow);
  for (const double factor :
       {-1.0, 1e-4, 1001.0, std::numeric_limits<double>::quiet_NaN(),
        std::numeric_limits<double>::infinity()}) {
    v1::PaceControl control = Pause(true);
    control.set_factor(factor);
    const absl::Status refused = pace.Control(control, kNow);
    EXPECT_EQ(refused.code(), absl::StatusCode::kInvalidArgument) << factor;
    EXPECT_EQ(ReasonOf(refused), "PACE_REFUSED");
  }
  const absl::Status refused =
      pace.Control(Pause(true, kPacedStepsMax + 1), kNow);
  EXPECT_EQ(refused.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(ReasonOf(refused), "TOO_MANY_TICKS");
  EXPECT_FALSE(pace.Describe().paused());
  // Paused or not.
  EXPECT_EQ(ReasonOf(pace.Control(Pause(false, kPacedStepsMax + 1), kNow)),
            "TOO_MANY_TICKS");
  EXPECT_TRUE(pace.Control(Pause(false, kPacedStepsMax), kNow).ok());
  EXPECT_EQ(pace.due(), kNow);
}

}  // namespace
}  // namespace reprise::services
