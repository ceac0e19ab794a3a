// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that seconds become ticks, and ticks become nanoseconds, by the exact
// rule: on chosen cases where floating point would go wrong, and on many drawn
// ones against arithmetic in 128 bits.

#include "sim/base/tick.h"

#include <cmath>
#include <cstdint>
#include <limits>

#include "gtest/gtest.h"
#include "sim/base/id.h"
#include "sim/base/random.h"

namespace reprise::sim {
namespace {

__extension__ using Uint128 = unsigned __int128;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kSmallest = std::numeric_limits<double>::denorm_min();
constexpr uint64_t kUint64Max = std::numeric_limits<uint64_t>::max();

Tick TicksOrDie(double seconds, uint32_t rate) {
  return TicksFromSeconds(seconds, TickRate{rate}).value();
}

absl::StatusCode CodeOf(double seconds, uint32_t rate) {
  return TicksFromSeconds(seconds, TickRate{rate}).status().code();
}

TEST(TickRateTest, RatesFromOneToTheMaximumAreValid) {
  EXPECT_TRUE(ValidateTickRate(TickRate{1}).ok());
  EXPECT_TRUE(ValidateTickRate(TickRate{}).ok());
  EXPECT_TRUE(ValidateTickRate(TickRate{kTickRateMax}).ok());
}

TEST(TickRateTest, RatesOutsideTheRangeAreRefused) {
  for (const uint32_t rate : {0u, kTickRateMax + 1, 0xffffffffu}) {
    EXPECT_EQ(ValidateTickRate(TickRate{rate}).code(),
              absl::StatusCode::kOutOfRange);
  }
}

TEST(TickRateTest, DtIsTheReciprocalOfTheRate) {
  EXPECT_EQ(TickRate{60}.dt(), 1.0 / 60.0);
  EXPECT_EQ(TickRate{1}.dt(), 1.0);
}

TEST(TicksFromSecondsTest, WholeAndHalfSecondsAreExact) {
  EXPECT_EQ(TicksOrDie(0.0, 60), 0u);
  EXPECT_EQ(TicksOrDie(1.0, 60), 60u);
  EXPECT_EQ(TicksOrDie(2.5, 60), 150u);
}

TEST(TicksFromSecondsTest, HalvesGoToTheLaterTick) {
  EXPECT_EQ(TicksOrDie(0.5, 1), 1u);
  EXPECT_EQ(TicksOrDie(1.5, 1), 2u);
  EXPECT_EQ(TicksOrDie(2.5, 1), 3u);
}

TEST(TicksFromSecondsTest, NeighboursOfAHalfAreToldApart) {
  EXPECT_EQ(TicksOrDie(std::nextafter(0.5, 0.0), 1), 0u);
  EXPECT_EQ(TicksOrDie(std::nextafter(2.5, 0.0), 1), 2u);
  EXPECT_EQ(TicksOrDie(std::nextafter(2.5, 3.0), 1), 3u);
}

TEST(TicksFromSecondsTest, TheValueIsMultipliedWithoutRounding) {
  const double product = 0.3 * 5.0;
  EXPECT_EQ(product, 1.5) << "the trap that the exact rule steps over";
  EXPECT_EQ(TicksOrDie(0.3, 5), 1u);
}

TEST(TicksFromSecondsTest, ZeroOfEitherSignAndTheTiniestValuesAreTickZero) {
  EXPECT_EQ(TicksOrDie(-0.0, 60), 0u);
  EXPECT_EQ(TicksOrDie(kSmallest, 1000), 0u);
  EXPECT_EQ(TicksOrDie(0x1p-12, 1000), 0u);
}

TEST(TicksFromSecondsTest, WhatIsNotATimeIsRefused) {
  for (const double seconds : {kNan, -kNan, -1.0, -kSmallest, -kInfinity}) {
    EXPECT_EQ(CodeOf(seconds, 60), absl::StatusCode::kInvalidArgument);
  }
}

TEST(TicksFromSecondsTest, TheLastTickIsReachedAndNotPassed) {
  const double last = static_cast<double>(kTickMax);
  EXPECT_EQ(TicksOrDie(last, 1), kTickMax);
  EXPECT_EQ(TicksOrDie(last / 2, 2), kTickMax);
  EXPECT_EQ(CodeOf(last, 2), absl::StatusCode::kOutOfRange);
  EXPECT_EQ(CodeOf(last + 2, 1), absl::StatusCode::kOutOfRange);
  EXPECT_EQ(CodeOf(last / 999, 1000), absl::StatusCode::kOutOfRange);
}

TEST(TicksFromSecondsTest, HugeTimesAreRefused) {
  for (const double seconds : {1e16, 1e300, kInfinity}) {
    EXPECT_EQ(CodeOf(seconds, 1), absl::StatusCode::kOutOfRange);
  }
}

TEST(TicksFromSecondsTest, AgreesWithArithmeticIn128Bits) {
  RandomStream random = MakeRandomStream(1, IdOf("seconds"));
  for (int i = 0; i < 100'000; ++i) {
    // A significand of 53 bits and 20 to 60 bits of fraction.
    const uint64_t significand = NextUint64(random) >> 11;
    const int shift = static_cast<int>(NextInRange(random, 20, 60));
    const auto rate = static_cast<uint32_t>(NextInRange(random, 1, 1000));
    const double seconds = std::ldexp(static_cast<double>(significand), -shift);
    const Tick tick = TicksOrDie(seconds, rate);

    // (tick - 1/2) <= significand * rate / 2^shift < (tick + 1/2), doubled.
    const Uint128 doubled = Uint128{significand} * rate * 2;
    ASSERT_LE(((Uint128{tick} * 2) << shift), doubled + (Uint128{1} << shift));
    ASSERT_GT((Uint128{tick} * 2 + 1) << shift, doubled);
  }
}

TEST(TicksFromSecondsTest, TheTimeOfATickLeadsBackToIt) {
  for (uint32_t rate = 1; rate <= kTickRateMax; ++rate) {
    for (Tick tick = 0; tick < 1'000'000; tick += 9'973) {
      const double seconds = static_cast<double>(tick) / rate;
      ASSERT_EQ(TicksOrDie(seconds, rate), tick) << "at rate " << rate;
    }
  }
}

TEST(LogTimeTest, RoundsDownToNanoseconds) {
  EXPECT_EQ(LogTimeNs(0, TickRate{60}), 0u);
  EXPECT_EQ(LogTimeNs(1, TickRate{60}), 16'666'666u);
  EXPECT_EQ(LogTimeNs(2, TickRate{60}), 33'333'333u);
  EXPECT_EQ(LogTimeNs(60, TickRate{60}), 1'000'000'000u);
}

TEST(LogTimeTest, AgreesWithArithmeticIn128Bits) {
  RandomStream random = MakeRandomStream(2, IdOf("ticks"));
  for (int i = 0; i < 100'000; ++i) {
    const Tick tick = NextUint64(random) >> NextBelow(random, 64);
    const auto rate = static_cast<uint32_t>(NextInRange(random, 1, 1000));
    const Uint128 exact = Uint128{tick} * 1'000'000'000 / rate;
    const uint64_t expected =
        exact > kUint64Max ? kUint64Max : static_cast<uint64_t>(exact);
    ASSERT_EQ(LogTimeNs(tick, TickRate{rate}), expected);
  }
}

TEST(LogTimeTest, StaysAtTheLargestValueAfterTheLastNanosecond) {
  EXPECT_EQ(LogTimeNs(18'446'744'073, TickRate{1}),
            18'446'744'073'000'000'000u);
  EXPECT_EQ(LogTimeNs(18'446'744'074, TickRate{1}), kUint64Max);
  EXPECT_EQ(LogTimeNs(kUint64Max, TickRate{1}), kUint64Max);
}

}  // namespace
}  // namespace reprise::sim
