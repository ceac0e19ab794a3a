// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves who hears of a multicast and in which order, and that an object that
// goes leaves no interest behind.

#include "sim/world/events/interests.h"

#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "sim/base/id.h"
#include "sim/state/state.h"
#include "sim/state/table.h"

namespace reprise::sim {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr Id kAlarm = IdOf("alarm");
constexpr Id kDawn = IdOf("dawn");

class InterestsTest : public testing::Test {
 protected:
  void Register(Id type, uint64_t object, int64_t priority) {
    ASSERT_TRUE(RegisterInterest(
                    rows_, type, {object},
                    {.index = static_cast<uint32_t>(object), .generation = 1},
                    priority)
                    .ok());
  }

  std::vector<uint64_t> Interested(Id type) const {
    std::vector<uint64_t> objects;
    for (const InterestRow& row : FindInterests(rows_, type)) {
      objects.push_back(row.object.serial);
    }
    return objects;
  }

  Table rows_ = Table(RowSchema::Of<InterestRow>());
};

TEST_F(InterestsTest, HighestPriorityFirstThenTheOrderOfObjects) {
  Register(kAlarm, 3, 0);
  Register(kAlarm, 1, 0);
  Register(kAlarm, 2, 5);
  Register(kAlarm, 4, -5);
  Register(kDawn, 9, 9);
  EXPECT_THAT(Interested(kAlarm), ElementsAre(2, 1, 3, 4));
  EXPECT_THAT(Interested(kDawn), ElementsAre(9));
  EXPECT_TRUE(CheckInterests(rows_).ok());
}

TEST_F(InterestsTest, RegisteringAgainMovesAndNeverDoubles) {
  Register(kAlarm, 1, 0);
  Register(kAlarm, 2, 0);
  Register(kAlarm, 2, 1);
  EXPECT_THAT(Interested(kAlarm), ElementsAre(2, 1));
  Register(kAlarm, 2, 1);
  EXPECT_THAT(Interested(kAlarm), ElementsAre(2, 1));
}

TEST_F(InterestsTest, WithdrawnInterestIsGone) {
  Register(kAlarm, 1, 0);
  Register(kDawn, 1, 0);
  const InterestRow found = FindInterests(rows_, kAlarm)[0];
  EXPECT_TRUE(StillStands(rows_, found));
  EXPECT_TRUE(UnregisterInterest(rows_, kAlarm, {1}));
  EXPECT_FALSE(UnregisterInterest(rows_, kAlarm, {1}));
  EXPECT_FALSE(StillStands(rows_, found));
  EXPECT_THAT(Interested(kAlarm), IsEmpty());
  EXPECT_THAT(Interested(kDawn), ElementsAre(1));
}

TEST_F(InterestsTest, ObjectTakesAllItsInterestsWithIt) {
  for (uint64_t object = 1; object <= 300; ++object) {
    Register(kAlarm, object, static_cast<int64_t>(object % 3));
    Register(kDawn, object, 0);
  }
  DropInterests(rows_, {150});
  EXPECT_EQ(Interested(kAlarm).size(), 299u);
  EXPECT_EQ(Interested(kDawn).size(), 299u);
  EXPECT_THAT(Interested(kDawn), testing::Not(testing::Contains(150)));
  EXPECT_TRUE(CheckInterests(rows_).ok());
}

TEST_F(InterestsTest, BoundIsKeptAndLeavesTheRowsAsTheyWere) {
  rows_.Resize(kInterestsMax);
  EXPECT_EQ(RegisterInterest(rows_, kAlarm, {1}, {}, 0).code(),
            absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(rows_.row_count(), kInterestsMax);
}

TEST_F(InterestsTest, DoubledAndUnorderedRowsAreDataLoss) {
  Register(kAlarm, 1, 0);
  Register(kAlarm, 2, 0);
  Table doubled = rows_;
  doubled.Mutable<InterestRow>(0).object = {2};
  doubled.Mutable<InterestRow>(0).priority_rank = 0;
  EXPECT_EQ(CheckInterests(doubled).code(), absl::StatusCode::kDataLoss);
  Table unordered = rows_;
  unordered.Mutable<InterestRow>(1).object = {0};
  EXPECT_EQ(CheckInterests(unordered).code(), absl::StatusCode::kDataLoss);
}

}  // namespace
}  // namespace reprise::sim
