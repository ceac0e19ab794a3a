// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that no share of a topic holds more than fits, that who stays stays
// where he is, and that room that becomes free is used again.

#include "replays/showing/formats/shared_topic.h"

#include <set>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace reprise::replays {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Key;
using testing::SizeIs;

// Shares of 100 bytes, of objects that take 40.
class SharedTopicTest : public testing::Test {
 protected:
  SharedTopicTest() { topic_.Begin("/tf", 1); }

  absl::Status Update(const std::set<uint32_t>& there, uint64_t bytes = 40) {
    return topic_.Update(
        there, [&](uint32_t) { return bytes; },
        [&](const std::string& name) -> absl::StatusOr<uint16_t> {
          if (made_.size() == 2) return absl::ResourceExhaustedError("full");
          made_.push_back(name);
          return static_cast<uint16_t>(made_.size() + 1);
        });
  }

  SharedTopic topic_ = SharedTopic(100);
  std::vector<std::string> made_;
};

TEST_F(SharedTopicTest, WhatFitsIsOnTheTopicItself) {
  ASSERT_TRUE(Update({3, 5}).ok());
  EXPECT_THAT(made_, IsEmpty());
  ASSERT_THAT(topic_.shares(), SizeIs(1));
  EXPECT_THAT(topic_.shares()[0].members, ElementsAre(Key(3), Key(5)));
  EXPECT_TRUE(topic_.shares()[0].has_changed);
  ASSERT_TRUE(Update({3, 5}).ok());
  EXPECT_FALSE(topic_.shares()[0].has_changed);
}

TEST_F(SharedTopicTest, WhatDoesNotFitIsOnOthersAndStaysThere) {
  ASSERT_TRUE(Update({1, 2, 3, 4, 5}).ok());
  EXPECT_THAT(made_, ElementsAre("/tf/2", "/tf/3"));
  ASSERT_THAT(topic_.shares(), SizeIs(3));
  EXPECT_THAT(topic_.shares()[1].members, ElementsAre(Key(3), Key(4)));
  EXPECT_EQ(topic_.shares()[1].channel, 2);

  // 1 goes, and 9 takes its room.
  ASSERT_TRUE(Update({2, 3, 4, 5, 9}).ok());
  EXPECT_THAT(topic_.shares()[0].members, ElementsAre(Key(2), Key(9)));
  EXPECT_THAT(topic_.shares()[1].members, ElementsAre(Key(3), Key(4)));
  EXPECT_FALSE(topic_.shares()[1].has_changed);
}

TEST_F(SharedTopicTest, OneThatIsLargerThanAllHasATopicOfItsOwn) {
  ASSERT_TRUE(Update({1, 2}, 400).ok());
  EXPECT_THAT(made_, ElementsAre("/tf/2"));
}

TEST_F(SharedTopicTest, MoreTopicsThanThereAreIsTheCallersError) {
  EXPECT_EQ(Update({1, 2, 3, 4, 5, 6, 7}).code(),
            absl::StatusCode::kResourceExhausted);
}

}  // namespace
}  // namespace reprise::replays
