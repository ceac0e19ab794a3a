// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that an order is known again by its id for a while, for the tenant and
// the thing that it was given for, and for nothing else.

#include "services/base/recent_orders.h"

#include <string>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "services/base/status.h"

namespace reprise::services {
namespace {

constexpr absl::Time kNow = absl::FromUnixSeconds(1'700'000'000);

class RecentOrdersTest : public testing::Test {
 protected:
  absl::StatusOr<bool> Knows(std::string_view id, std::string_view what,
                             absl::Time now = kNow,
                             const std::string& tenant = "red") {
    return orders_.WasCarriedOut({.name = tenant}, id, what, now);
  }

  RecentOrders orders_;
};

TEST_F(RecentOrdersTest, AnOrderIsKnownAgainForAWhile) {
  orders_.Remember({.name = "red"}, "1", "replays/a", kNow);

  EXPECT_TRUE(*Knows("1", "replays/a"));
  EXPECT_TRUE(*Knows("1", "replays/a", kNow + kOrderTime));
  EXPECT_FALSE(
      *Knows("1", "replays/a", kNow + kOrderTime + absl::Nanoseconds(1)));
  EXPECT_FALSE(*Knows("2", "replays/a"));
  EXPECT_FALSE(*Knows("1", "replays/a", kNow, "blue"));
}

TEST_F(RecentOrdersTest, AnIdIsOfOneOrder) {
  orders_.Remember({.name = "red"}, "1", "replays/a", kNow);

  EXPECT_EQ(ReasonOf(Knows("1", "replays/b").status()), "REQUEST_ID_REUSED");
}

TEST_F(RecentOrdersTest, WithoutAnIdNothingIsKnown) {
  orders_.Remember({.name = "red"}, "", "replays/a", kNow);

  EXPECT_FALSE(*Knows("", "replays/a"));
}

TEST_F(RecentOrdersTest, AnIdHasALimit) {
  EXPECT_TRUE(Knows(std::string(kOrderIdBytesMax, 'a'), "").ok());
  EXPECT_EQ(
      ReasonOf(Knows(std::string(kOrderIdBytesMax + 1, 'a'), "").status()),
      "REQUEST_ID_TOO_LONG");
}

TEST_F(RecentOrdersTest, TheLastOnesAreKept) {
  for (size_t i = 0; i <= kOrdersMax; ++i) {
    orders_.Remember({.name = "red"}, std::to_string(i), "replays/a", kNow);
  }

  EXPECT_FALSE(*Knows("0", "replays/a"));
  EXPECT_TRUE(*Knows("1", "replays/a"));
  EXPECT_TRUE(*Knows(std::to_string(kOrdersMax), "replays/a"));
}

}  // namespace
}  // namespace reprise::services
