// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that an order is carried out once and its answer known again by its id
// for a while, for the tenant and the thing that it was given for, and for
// nothing else; that repetitions wait while it is under way; and that one that
// failed is as none.

#include "services/base/recent_orders.h"

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "services/base/status.h"

namespace reprise::services {
namespace {

constexpr absl::Time kNow = absl::FromUnixSeconds(1'700'000'000);

class RecentOrdersTest : public testing::Test {
 protected:
  absl::StatusOr<RecentOrders::Turn> Begin(std::string_view id,
                                           std::string_view what,
                                           absl::Time now = kNow,
                                           const std::string& tenant = "red") {
    return orders_.Begin({.name = tenant}, id, what, now,
                         [this] { ++resumed_; });
  }
  void CarryOut(std::string_view id, std::string_view what,
                std::string answer = "done",
                const std::string& tenant = "red") {
    auto turn = Begin(id, what, kNow, tenant);
    ASSERT_TRUE(turn.ok());
    turn->Remember(std::move(answer), kNow);
  }
  // "answer" of one that was carried out, "waiting", or "mine".
  std::string Ask(std::string_view id, std::string_view what,
                  absl::Time now = kNow, const std::string& tenant = "red") {
    const auto turn = Begin(id, what, now, tenant);
    if (!turn.ok()) return ReasonOf(turn.status());
    if (turn->is_waiting()) return "waiting";
    return turn->answer().value_or("mine");
  }

  RecentOrders orders_ = {};
  int resumed_ = 0;
};

TEST_F(RecentOrdersTest, AnAnswerIsKnownAgainForAWhile) {
  CarryOut("1", "a", "answer of a");

  EXPECT_EQ(Ask("1", "a"), "answer of a");
  EXPECT_EQ(Ask("1", "a", kNow + kOrderTime), "answer of a");
  EXPECT_EQ(Ask("2", "a"), "mine");
  EXPECT_EQ(Ask("1", "a", kNow, "blue"), "mine");
  EXPECT_EQ(Ask("1", "a", kNow + kOrderTime + absl::Nanoseconds(1)), "mine");
  EXPECT_EQ(orders_.size(), 0u);
}

TEST_F(RecentOrdersTest, AnIdIsOfOneOrder) {
  CarryOut("1", "a");
  EXPECT_EQ(Ask("1", "b"), "REQUEST_ID_REUSED");

  const auto under_way = Begin("2", "a");
  EXPECT_EQ(Ask("2", "b"), "REQUEST_ID_REUSED");
}

TEST_F(RecentOrdersTest, RepetitionsWaitForWhatIsUnderWay) {
  auto first = Begin("1", "a");
  EXPECT_EQ(Ask("1", "a"), "waiting");
  EXPECT_EQ(Ask("1", "a"), "waiting");
  EXPECT_EQ(resumed_, 0);

  first->Remember("x", kNow);
  EXPECT_EQ(resumed_, 2);
  EXPECT_EQ(Ask("1", "a"), "x");
}

TEST_F(RecentOrdersTest, OneThatFailedMayBeGivenAgain) {
  {
    const auto first = Begin("1", "a");
    EXPECT_EQ(Ask("1", "a"), "waiting");
  }
  EXPECT_EQ(resumed_, 1);
  EXPECT_EQ(Ask("1", "b"), "mine");
  EXPECT_EQ(orders_.size(), 0u);
}

TEST_F(RecentOrdersTest, AnIdHasALimit) {
  EXPECT_EQ(Ask(std::string(kOrderIdBytesMax, 'a'), ""), "mine");
  EXPECT_EQ(Ask(std::string(kOrderIdBytesMax + 1, 'a'), ""),
            "REQUEST_ID_TOO_LONG");
}

TEST_F(RecentOrdersTest, TheLastOnesAreKept) {
  for (size_t i = 0; i <= kOrdersMax; ++i) CarryOut(std::to_string(i), "a");

  EXPECT_EQ(Ask("0", "a"), "mine");
  EXPECT_EQ(Ask("1", "a"), "done");
  EXPECT_EQ(Ask(std::to_string(kOrdersMax), "a"), "done");
}

TEST_F(RecentOrdersTest, NoTenantPushesOutAnothers) {
  CarryOut("1", "a", "answer of red");
  for (size_t i = 0; i <= kOrdersMax; ++i) {
    CarryOut(std::to_string(i), "a", "done", "blue");
  }
  CarryOut("large", "a", std::string(kAnswerBytesMax, 'x'), "blue");

  EXPECT_EQ(Ask("1", "a"), "answer of red");
  EXPECT_EQ(Ask("1", "a", kNow, "blue"), "mine");
  EXPECT_EQ(Ask("1", "a", kNow + kOrderTime + absl::Nanoseconds(1)), "mine");
  EXPECT_EQ(orders_.size(), 0u);
}

TEST_F(RecentOrdersTest, LargeAnswersTakeTheRoomOfOlderOnes) {
  CarryOut("1", "a");
  CarryOut("2", "a", std::string(kAnswerBytesMax / 2 + 1, 'x'));
  CarryOut("3", "a", std::string(kAnswerBytesMax / 2, 'x'));
  EXPECT_EQ(Ask("1", "a"), "mine");
  EXPECT_EQ(Ask("2", "a"), "mine");
  EXPECT_EQ(Ask("3", "a").size(), kAnswerBytesMax / 2);

  CarryOut("4", "a", std::string(kAnswerBytesMax + 1, 'x'));
  EXPECT_EQ(Ask("4", "a"), "mine");
}

}  // namespace
}  // namespace reprise::services
