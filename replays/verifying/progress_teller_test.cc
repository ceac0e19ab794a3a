// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/verifying/progress_teller.h"

#include <chrono>
#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "sim/base/tick.h"

namespace reprise::replays {
namespace {

using testing::ElementsAre;

std::vector<sim::Tick> ToldOf(sim::Tick ticks,
                              std::chrono::nanoseconds interval) {
  std::vector<sim::Tick> told;
  const ProgressCallback callback = [&](sim::Tick tick, sim::Tick count) {
    EXPECT_EQ(count, ticks);
    told.push_back(tick);
    return absl::OkStatus();
  };
  ProgressTeller teller(callback, interval);
  for (sim::Tick tick = 0; tick < ticks; ++tick) {
    EXPECT_TRUE(teller.Tell(tick, ticks).ok());
  }
  return told;
}

TEST(ProgressTellerTest, QuickTicksAreToldSeldom) {
  EXPECT_THAT(ToldOf(1000, std::chrono::hours(1)),
              ElementsAre(0, 256, 512, 768));
}

TEST(ProgressTellerTest, SlowTicksAreToldOneByOne) {
  EXPECT_THAT(ToldOf(4, std::chrono::nanoseconds(0)), ElementsAre(0, 1, 2, 3));
}

TEST(ProgressTellerTest, WhatIsAnsweredIsReturned) {
  const ProgressCallback callback = [](sim::Tick, sim::Tick) {
    return absl::CancelledError("enough");
  };
  ProgressTeller teller(callback, std::chrono::hours(1));
  EXPECT_EQ(teller.Tell(0, 9), absl::CancelledError("enough"));
  EXPECT_TRUE(teller.Tell(1, 9).ok());
}

TEST(ProgressTellerTest, NobodyNeedsToBeTold) {
  const ProgressCallback callback = nullptr;
  EXPECT_TRUE(ProgressTeller(callback).Tell(0, 9).ok());
}

}  // namespace
}  // namespace reprise::replays
