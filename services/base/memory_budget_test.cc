// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that what is claimed counts as used until it is given back, that what
// doesn't fit is refused with the limit, that measurements are as old as they
// may be, and that what the meter says follows what the process does.

#include "services/base/memory_budget.h"

#include <memory>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "services/base/status.h"

namespace reprise::services {
namespace {

class MemoryBudgetTest : public testing::Test {
 protected:
  uint64_t in_use_ = 600;
  int measurements_ = 0;
  absl::Time now_ = absl::UnixEpoch();
  MemoryBudget budget_ = {1000,
                          [this] {
                            ++measurements_;
                            return in_use_;
                          },
                          [this] { return now_; }};
};

TEST_F(MemoryBudgetTest, WhatIsClaimedCountsAsUsed) {
  auto first = budget_.Claim(300);
  ASSERT_TRUE(first.ok());
  EXPECT_EQ(ReasonOf(budget_.Claim(101).status()), "MEMORY_FULL");
  EXPECT_TRUE(budget_.Claim(99).ok());

  *first = MemoryClaim();
  EXPECT_TRUE(budget_.Claim(399).ok());
}

TEST_F(MemoryBudgetTest, AClaimMovesWithWhoHasIt) {
  MemoryClaim claim = *budget_.Claim(300);
  const MemoryClaim moved = std::move(claim);
  claim = MemoryClaim();
  EXPECT_FALSE(budget_.Claim(200).ok());
}

TEST_F(MemoryBudgetTest, NothingIsLeftOfAFullOne) {
  in_use_ = 1000;
  const absl::Status refused = budget_.Claim(0).status();
  EXPECT_TRUE(absl::IsResourceExhausted(refused));
  EXPECT_NE(refused.message().find("1000 bytes"), absl::string_view::npos);
  in_use_ = 2000;
  EXPECT_FALSE(budget_.Claim(0).ok());
}

TEST_F(MemoryBudgetTest, RoomIsMeasuredEveryTenthOfASecond) {
  EXPECT_TRUE(budget_.CheckRoom().ok());
  in_use_ = 1000;
  now_ += absl::Milliseconds(99);
  EXPECT_TRUE(budget_.CheckRoom().ok());
  EXPECT_EQ(measurements_, 1);
  now_ += absl::Milliseconds(1);
  EXPECT_EQ(ReasonOf(budget_.CheckRoom()), "MEMORY_FULL");
  EXPECT_EQ(measurements_, 2);
}

TEST_F(MemoryBudgetTest, WithoutALimitNothingIsMeasured) {
  MemoryBudget unlimited(
      0,
      [this] {
        ++measurements_;
        return in_use_;
      },
      [this] { return now_; });
  EXPECT_TRUE(unlimited.Claim(uint64_t{1} << 60).ok());
  EXPECT_TRUE(unlimited.CheckRoom().ok());
  EXPECT_EQ(measurements_, 0);
}

TEST(AllocatedBytesTest, FollowsWhatTheProcessAllocates) {
  constexpr size_t kBytes = size_t{64} << 20;
  const uint64_t before = AllocatedBytes();
  auto block = std::make_unique<std::vector<char>>(kBytes, 'x');
  const uint64_t during = AllocatedBytes();
  EXPECT_GE(during, before + kBytes - kBytes / 8);
  EXPECT_EQ(block->back(), 'x');
}

TEST(DefaultMemoryBytesMaxTest, IsAPartOfTheMachine) {
  EXPECT_GT(DefaultMemoryBytesMax(), uint64_t{64} << 20);
  EXPECT_LT(DefaultMemoryBytesMax(), uint64_t{1} << 50);
}

}  // namespace
}  // namespace reprise::services
