// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that marks are kept timeline by timeline, that those that are passed
// are told with their timelines, and that rows which can't be are refused.

#include "sim/world/time/timeline_marks.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "sim/state/row_schema.h"

namespace reprise::sim {
namespace {

using ::testing::ElementsAre;

constexpr Id kOne = IdOf("one");
constexpr Id kTwo = IdOf("two");
constexpr Id kA = IdOf("a");
constexpr Id kB = IdOf("b");

class TimelineMarkRowsTest : public ::testing::Test {
 protected:
  TimelineMarkRowsTest()
      : rows_(RowSchema::Of<TimelineMarkRow>()),
        timelines_(RowSchema::Of<TimelineRow>()) {
    for (const uint64_t object : {1, 2}) {
      for (const Id name : {kOne, kTwo}) {
        const auto timeline = MakeTimeline(
            {.object = {object}, .name = name, .duration = 10}, /*now=*/0);
        EXPECT_TRUE(PutTimeline(timelines_, *timeline).ok());
      }
    }
  }

  void Put(uint64_t object, Id name, const std::vector<TimelineMark>& marks) {
    PutMarks(rows_, *FindTimeline(timelines_, {object}, name), marks);
  }

  // "object timeline mark", as they are told.
  std::vector<std::string> Passed(Tick begin, Tick end) const {
    std::vector<std::string> told;
    VisitMarksPassed(
        rows_, timelines_, begin, end,
        [&](const TimelineRow& timeline, const MarkPassed& mark) {
          told.push_back(std::to_string(timeline.object.serial) +
                         (timeline.name == kOne ? " one" : " two") +
                         (mark.event == kA ? " a" : " b"));
        });
    return told;
  }

  Table rows_;
  Table timelines_;
};

TEST_F(TimelineMarkRowsTest, EachIsToldWithItsTimeline) {
  Put(2, kOne, {{3 * kTickParts, kB}, {2 * kTickParts, kA}});
  Put(1, kOne, {{3 * kTickParts, kA}});
  EXPECT_THAT(Passed(0, 2), ElementsAre("2 one a"));
  EXPECT_THAT(Passed(2, 3), ElementsAre("1 one a", "2 one b"));
  EXPECT_THAT(Passed(3, 10), ElementsAre());
  EXPECT_TRUE(CheckMarkRows(rows_, timelines_).ok());
}

TEST_F(TimelineMarkRowsTest, OthersTakeTheirPlace) {
  Put(1, kOne, {{1 * kTickParts, kA}, {2 * kTickParts, kB}});
  Put(1, kTwo, {{1 * kTickParts, kB}});
  Put(1, kOne, {{4 * kTickParts, kA}});
  EXPECT_THAT(Passed(0, 3), ElementsAre("1 two b"));
  EXPECT_THAT(Passed(3, 9), ElementsAre("1 one a"));
  Put(1, kOne, {});
  EXPECT_EQ(rows_.row_count(), 1u);
}

TEST_F(TimelineMarkRowsTest, ThoseOfAnObjectGoWithIt) {
  for (const uint64_t object : {1, 2}) {
    Put(object, kOne, {{kTickParts, kA}});
    Put(object, kTwo, {{kTickParts, kA}});
  }
  RemoveMarksOf(rows_, {1});
  EXPECT_EQ(rows_.row_count(), 2u);
  EXPECT_EQ(rows_.Get<TimelineMarkRow>(0).object.serial, 2u);
}

TEST_F(TimelineMarkRowsTest, RowsThatCantBeAreRefused) {
  Put(1, kOne, {{kTickParts, kA}, {2 * kTickParts, kB}});
  const Table good = rows_;
  const auto refused = [&] {
    const bool is_refused =
        CheckMarkRows(rows_, timelines_).code() == absl::StatusCode::kDataLoss;
    rows_ = good;
    return is_refused;
  };
  rows_.Mutable<TimelineMarkRow>(1).at_parts = 11 * kTickParts;
  EXPECT_TRUE(refused());
  rows_.Mutable<TimelineMarkRow>(1).event = kNoId;
  EXPECT_TRUE(refused());
  rows_.Mutable<TimelineMarkRow>(1).number = 2;
  EXPECT_TRUE(refused());
  rows_.Mutable<TimelineMarkRow>(1).number = 0;
  EXPECT_TRUE(refused());
  rows_.Mutable<TimelineMarkRow>(0).object = {3};
  EXPECT_TRUE(refused());
  EXPECT_FALSE(refused());
}

}  // namespace
}  // namespace reprise::sim
