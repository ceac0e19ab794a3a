// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that what is old goes, that the oldest goes while the store is too
// large, and that what has a kept tag stays whatever else holds.

#include "replays/store/retention.h"

#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "replays/store/testing/memory_catalogue.h"
#include "replays/store/testing/numbered_digest.h"

namespace reprise::replays {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr absl::Time kNow = absl::FromUnixSeconds(1'700'000'000);

class RetentionTest : public testing::Test {
 protected:
  // A replay of 100 bytes, recorded so many days ago, with that as its number.
  void Add(uint64_t days, std::vector<std::string> tags = {}) {
    StoredReplay replay;
    replay.digest = NumberedDigest(days);
    replay.size_bytes = 100;
    replay.recorded_at = kNow - absl::Hours(24 * days);
    replay.tags = std::move(tags);
    ASSERT_EQ(catalogue_.Insert(replay), absl::OkStatus());
  }

  RetentionPlan Plan(const RetentionPolicy& policy) {
    return *PlanRetention(catalogue_, policy, kNow);
  }

  // How many days old what goes is.
  std::vector<uint64_t> Expired(const RetentionPolicy& policy) {
    std::vector<uint64_t> days;
    for (const StoredReplay& replay : Plan(policy).expired) {
      days.push_back(NumberOf(replay.digest));
    }
    return days;
  }

  MemoryCatalogue catalogue_;
};

TEST_F(RetentionTest, WithoutARuleNothingGoes) {
  Add(1000);
  EXPECT_THAT(Expired({}), IsEmpty());
}

TEST_F(RetentionTest, OlderThanTheAgeGoes) {
  for (const uint64_t days : {1, 30, 31, 90}) Add(days);
  EXPECT_THAT(Expired({.age_max = absl::Hours(24 * 30)}), ElementsAre(90, 31));
}

TEST_F(RetentionTest, OldestGoesUntilTheRestFits) {
  for (const uint64_t days : {1, 2, 3, 4}) Add(days);
  EXPECT_THAT(Expired({.size_bytes_max = 400}), IsEmpty());
  EXPECT_THAT(Expired({.size_bytes_max = 399}), ElementsAre(4));
  EXPECT_THAT(Expired({.size_bytes_max = 200}), ElementsAre(4, 3));
  EXPECT_THAT(Expired({.size_bytes_max = 0}), ElementsAre(4, 3, 2, 1));
}

TEST_F(RetentionTest, KeptTagKeepsAndCounts) {
  Add(1);
  Add(2, {"slow"});
  Add(3, {"golden", "other"});
  EXPECT_THAT(Expired({.size_bytes_max = 100, .kept_tags = {"golden"}}),
              ElementsAre(2, 1));
  EXPECT_THAT(
      Expired({.age_max = absl::Hours(1), .kept_tags = {"golden", "slow"}}),
      ElementsAre(1));
}

TEST_F(RetentionTest, PlanCountsBothSides) {
  for (const uint64_t days : {1, 2, 3}) Add(days);
  const RetentionPlan plan = Plan({.size_bytes_max = 250});
  EXPECT_EQ(plan.expired_bytes, 100u);
  EXPECT_EQ(plan.kept_count, 2u);
  EXPECT_EQ(plan.kept_bytes, 200u);
}

TEST_F(RetentionTest, RecordedInTheFutureIsNotOld) {
  Add(0);
  EXPECT_THAT(*PlanRetention(catalogue_, {.age_max = absl::ZeroDuration()},
                             kNow - absl::Hours(5)),
              testing::Field(&RetentionPlan::expired, IsEmpty()));
}

}  // namespace
}  // namespace reprise::replays
