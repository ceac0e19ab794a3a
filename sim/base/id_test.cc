// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that ids are FNV-1a, by the test vectors published with it, and that a
// table of names refuses whatever would make two names one.

#include "sim/base/id.h"

#include <cstddef>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace reprise::sim {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

TEST(IdTest, MatchesThePublishedVectors) {
  // draft-eastlake-fnv, appendix C.
  static_assert(IdOf("").value == 0xcbf29ce484222325);
  static_assert(IdOf("a").value == 0xaf63dc4c8601ec8c);
  static_assert(IdOf("foobar").value == 0x85944171f73967e8);
  EXPECT_EQ(IdOf(std::string("foobar")).value, 0x85944171f73967e8);
}

TEST(IdTest, BytesAreTakenAsUnsigned) {
  // One step of the hash by hand, for a byte with the upper bit set.
  EXPECT_EQ(IdOf("\xff").value, (0xcbf29ce484222325 ^ 0xff) * 0x100000001b3);
}

TEST(NameTableTest, FindsTheNameOfAnId) {
  NameTable table;
  ASSERT_TRUE(table.Add("ball").ok());
  ASSERT_TRUE(table.Add("goal").ok());
  EXPECT_EQ(table.NameOf(IdOf("ball")), "ball");
  EXPECT_EQ(table.NameOf(IdOf("goal")), "goal");
  EXPECT_EQ(table.NameOf(IdOf("wall")), "");
}

TEST(NameTableTest, AddingANameAgainChangesNothing) {
  NameTable table;
  ASSERT_TRUE(table.Add("ball").ok());
  EXPECT_TRUE(table.Add("ball").ok());
  EXPECT_EQ(table.names().size(), 1u);
}

TEST(NameTableTest, WalksNamesInOrderOfIdsHoweverTheyCame) {
  NameTable forwards;
  NameTable backwards;
  for (const char* name : {"ball", "goal", "wall"}) {
    ASSERT_TRUE(forwards.Add(name).ok());
  }
  for (const char* name : {"wall", "goal", "ball"}) {
    ASSERT_TRUE(backwards.Add(name).ok());
  }
  EXPECT_EQ(forwards.names(), backwards.names());
}

TEST(NameTableTest, ACollisionIsRefusedAndNamesBoth) {
  NameTable table;
  ASSERT_TRUE(table.Add("ball", Id{7}).ok());
  const absl::Status status = table.Add("goal", Id{7});
  EXPECT_EQ(status.code(), absl::StatusCode::kAlreadyExists);
  EXPECT_THAT(std::string(status.message()),
              AllOf(HasSubstr("\"ball\""), HasSubstr("\"goal\"")));
  EXPECT_EQ(table.NameOf(Id{7}), "ball");
  EXPECT_EQ(table.names().size(), 1u);
}

TEST(NameTableTest, NamesThatMeanNothingAreRefused) {
  NameTable table;
  EXPECT_EQ(table.Add("").code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(table.Add("ball", kNoId).code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_TRUE(table.names().empty());
}

TEST(NameTableTest, TheLongestNameIsTakenAndALongerOneRefused) {
  NameTable table;
  EXPECT_TRUE(table.Add(std::string(kNameBytesMax, 'a')).ok());
  EXPECT_EQ(table.Add(std::string(kNameBytesMax + 1, 'a')).code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(NameTableTest, OneNameMoreThanTheMaximumIsRefused) {
  NameTable table;
  for (size_t i = 1; i <= kNamesMax; ++i) {
    ASSERT_TRUE(table.Add("n", Id{i}).ok());
  }
  EXPECT_EQ(table.Add("m", Id{kNamesMax + 1}).code(),
            absl::StatusCode::kResourceExhausted);
  EXPECT_TRUE(table.Add("n", Id{kNamesMax}).ok());
}

}  // namespace
}  // namespace reprise::sim
