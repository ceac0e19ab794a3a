// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Holds the interval against values that others have published for it, and
// against what it has to be at its ends.

#include "tools/reprise/tournament/win_rate.h"

#include "gtest/gtest.h"

namespace reprise::tools {
namespace {

TEST(WinRateTest, IntervalIsThatOfWilson) {
  // Newcombe (1998), table I, method 3: 81 of 263, 15 of 148.
  const WinRate many = WinRateOf({.won = 81, .lost = 182});
  EXPECT_NEAR(many.low, 0.2553, 0.00005);
  EXPECT_NEAR(many.high, 0.3662, 0.00005);
  const WinRate some = WinRateOf({.won = 15, .lost = 133});
  EXPECT_NEAR(some.low, 0.0624, 0.00005);
  EXPECT_NEAR(some.high, 0.1605, 0.00005);
}

TEST(WinRateTest, NeverAndAlwaysLeaveRoom) {
  // The same table: 0 of 20, and 1 of 29.
  const WinRate never = WinRateOf({.lost = 20});
  EXPECT_EQ(never.rate, 0.0);
  EXPECT_NEAR(never.low, 0.0, 1e-12);
  EXPECT_NEAR(never.high, 0.1611, 0.00005);
  const WinRate once = WinRateOf({.won = 1, .lost = 28});
  EXPECT_NEAR(once.low, 0.0061, 0.00005);
  EXPECT_NEAR(once.high, 0.1718, 0.00005);
  const WinRate always = WinRateOf({.won = 20});
  EXPECT_NEAR(always.low, 1.0 - never.high, 1e-12);
  EXPECT_EQ(always.high, 1.0);
}

TEST(WinRateTest, DrawnGameIsHalfAGame) {
  const WinRate drawn = WinRateOf({.won = 3, .lost = 3, .drawn = 4});
  const WinRate equal = WinRateOf({.won = 5, .lost = 5});
  EXPECT_EQ(drawn.rate, 0.5);
  EXPECT_EQ(drawn.low, equal.low);
  EXPECT_EQ(drawn.high, equal.high);
}

TEST(WinRateTest, OfNoGamesNothingIsKnown) {
  const WinRate none = WinRateOf({});
  EXPECT_EQ(none.low, 0.0);
  EXPECT_EQ(none.high, 1.0);
}

}  // namespace
}  // namespace reprise::tools
