// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that calls come, in the order of their times and not before them, and
// none once the timer is stopped.

#include "services/calls/wake_timer.h"

#include <latch>
#include <mutex>
#include <vector>

#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace reprise::services {
namespace {

using ::testing::ElementsAre;

TEST(WakeTimerTest, CallsComeInTheOrderOfTheirTimes) {
  std::mutex mutex;
  std::vector<int> calls;
  std::latch done(3);
  const auto note = [&](int call) {
    return [&, call] {
      const std::scoped_lock lock(mutex);
      calls.push_back(call);
      done.count_down();
    };
  };
  const absl::Time begin = absl::Now();
  WakeTimer timer;
  timer.CallAfter(absl::Milliseconds(60), note(3));
  timer.CallAfter(absl::Milliseconds(20), note(1));
  timer.CallAfter(absl::Milliseconds(40), note(2));
  done.wait();

  EXPECT_GE(absl::Now() - begin, absl::Milliseconds(60));
  const std::scoped_lock lock(mutex);
  EXPECT_THAT(calls, ElementsAre(1, 2, 3));
}

TEST(WakeTimerTest, ACallMayAskForAnother) {
  std::latch done(1);
  WakeTimer timer;
  timer.CallAfter(absl::ZeroDuration(), [&] {
    timer.CallAfter(absl::ZeroDuration(), [&] { done.count_down(); });
  });
  done.wait();
}

TEST(WakeTimerTest, StoppedItCallsNobody) {
  bool is_called = false;
  WakeTimer timer;
  timer.CallAfter(absl::Hours(1), [&] { is_called = true; });
  timer.Stop();
  timer.CallAfter(absl::ZeroDuration(), [&] { is_called = true; });
  timer.Stop();

  EXPECT_FALSE(is_called);
}

}  // namespace
}  // namespace reprise::services
