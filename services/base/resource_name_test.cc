// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that nothing passes as an id that could mean something to a file
// system, and that new ids are valid, different and in the order of time.

#include "services/base/resource_name.h"

#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "gtest/gtest.h"
#include "services/base/status.h"

namespace reprise::services {
namespace {

TEST(ResourceNameTest, ParsingGivesBackTheIdOfAName) {
  const auto id = ParseName(kSessions, MakeName(kSessions, "a-1"));

  ASSERT_TRUE(id.ok()) << id.status();
  EXPECT_EQ(*id, "a-1");
}

TEST(ResourceNameTest, WhatIsNoNameIsRefused) {
  for (const std::string& name :
       {std::string(), std::string("sessions"), std::string("sessions/"),
        std::string("replays/a"), std::string("sessions/../a"),
        std::string("sessions/a/b"), std::string("sessions/A"),
        std::string("sessions/a.mcap"), std::string("sessions/a\0b", 12),
        std::string("/sessions/a"), "sessions/" + std::string(65, 'a')}) {
    const auto id = ParseName(kSessions, name);
    EXPECT_EQ(id.status().code(), absl::StatusCode::kInvalidArgument) << name;
    EXPECT_EQ(ReasonOf(id.status()), "NAME_MALFORMED") << name;
  }
}

TEST(ResourceNameTest, ANameOfASnapshotIsReadBack) {
  const SnapshotName snapshot = {.session_id = "a-1", .number = 12};

  EXPECT_EQ(MakeName(snapshot), "sessions/a-1/snapshots/12");
  EXPECT_EQ(*ParseSnapshotName(MakeName(snapshot)), snapshot);
}

TEST(ResourceNameTest, WhatIsNoNameOfASnapshotIsRefused) {
  for (const std::string name :
       {"", "sessions/a", "sessions/a/snapshots/", "sessions/a/snapshots/01",
        "sessions/a/snapshots/+1", "sessions/a/snapshots/ 1",
        "sessions/a/snapshots/x", "sessions/../snapshots/1", "/snapshots/1",
        "replays/a/snapshots/1", "sessions/a/snapshots/1/snapshots/1",
        "sessions/a/snapshots/99999999999999999999"}) {
    EXPECT_EQ(ReasonOf(ParseSnapshotName(name).status()), "NAME_MALFORMED")
        << name;
  }
}

TEST(ResourceNameTest, ANewIdIsKnownByItsForm) {
  const std::string id = NewId(absl::Now());
  EXPECT_TRUE(IsNewId(id)) << id;
  std::string other = id;
  other.back() = 'g';
  for (const std::string& text :
       {std::string(), std::string("x"), id + "0", id.substr(1), other}) {
    EXPECT_TRUE(text.empty() || IsValidId(text)) << text;
    EXPECT_FALSE(IsNewId(text)) << text;
  }
}

TEST(ResourceNameTest, NewIdsAreValidAndDifferAtOneMoment) {
  const absl::Time now = absl::FromUnixSeconds(1'700'000'000);

  const std::string id = NewId(now);

  EXPECT_TRUE(IsValidId(id)) << id;
  EXPECT_TRUE(id.starts_with("20231114t221320-000000-")) << id;
  EXPECT_NE(id, NewId(now));
}

// Each of the digits behind the time is random.
TEST(ResourceNameTest, NewIdsHave128RandomBits) {
  const absl::Time now = absl::FromUnixSeconds(1'700'000'000);
  const size_t start = std::string("20231114t221320-000000-").size();
  std::vector<std::set<char>> seen(32);
  for (int i = 0; i < 500; ++i) {
    const std::string id = NewId(now);
    ASSERT_EQ(id.size(), start + seen.size());
    for (size_t digit = 0; digit < seen.size(); ++digit) {
      seen[digit].insert(id[start + digit]);
    }
  }

  for (const std::set<char>& digits : seen) EXPECT_EQ(digits.size(), 16u);
}

TEST(ResourceNameTest, IdsSortByTheirTime) {
  const absl::Time now = absl::FromUnixSeconds(1'700'000'000);

  EXPECT_LT(NewId(now), NewId(now + absl::Microseconds(1)));
  EXPECT_LT(NewId(now + absl::Microseconds(999'999)),
            NewId(now + absl::Seconds(1)));
}

}  // namespace
}  // namespace reprise::services
