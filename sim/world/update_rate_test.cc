// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that work at a divisor of the tick rate is done exactly as often as it
// is meant to, and that its share of every tick is the same.

#include "sim/world/update_rate.h"

#include <cstdint>
#include <vector>

#include "gtest/gtest.h"

namespace reprise::sim {
namespace {

constexpr TickRate kRate = {.ticks_per_second = 120};

uint32_t DivisorOf(uint32_t updates_per_second) {
  const auto divisor = UpdateDivisor(updates_per_second, kRate);
  EXPECT_TRUE(divisor.ok());
  return divisor.ok() ? *divisor : 1;
}

TEST(UpdateRateTest, EachRateIsCalledExactlySoOftenFromWhereverItStarts) {
  for (const uint32_t updates_per_second : {120u, 60u, 30u, 1u}) {
    const uint32_t divisor = DivisorOf(updates_per_second);
    for (const Tick begin : {Tick{0}, Tick{1}, Tick{119}, Tick{1} << 40}) {
      uint32_t calls = 0;
      for (Tick tick = begin; tick < begin + 10 * 120; ++tick) {
        if (IsUpdateDue(tick, divisor, divisor / 2)) ++calls;
      }
      EXPECT_EQ(calls, 10 * updates_per_second);
    }
  }
}

TEST(UpdateRateTest, EveryTickHasTheSameShare) {
  constexpr uint32_t kThings = 1000;
  const uint32_t divisor = DivisorOf(30);
  for (Tick tick = 0; tick < 12; ++tick) {
    uint32_t due = 0;
    for (uint64_t thing = 0; thing < kThings; ++thing) {
      if (IsUpdateDue(tick, divisor, SpreadOffset(thing, divisor))) ++due;
    }
    EXPECT_EQ(due, kThings / divisor);
  }
}

TEST(UpdateRateTest, RatesThatDontDivideAreRefused) {
  for (const uint32_t updates_per_second : {0u, 7u, 50u, 240u}) {
    EXPECT_EQ(UpdateDivisor(updates_per_second, kRate).status().code(),
              absl::StatusCode::kInvalidArgument);
  }
}

}  // namespace
}  // namespace reprise::sim
