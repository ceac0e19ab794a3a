// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that what workers print is told as it is, and that what they print in
// the place of that ends nothing.

#include "services/operations/worker_report.h"

#include <string>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace reprise::services {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

constexpr char kDivergence[] = R"({"first_different_tick": 7,
  "is_exact": true, "phase": "physics", "rooms": ["input", 3],
  "fields": [{"room": "physics", "table": "bodies", "object": "player",
              "field": "position.z", "unit": "m", "expected": "-9",
              "actual": "-8.9"}, 4], "has_more_fields": true})";

TEST(WorkerReportTest, AVerificationIsRead) {
  const auto verification = ParseVerification(fmt::format(
      R"({{"files": [{{"verdict": "diverged", "summary": "s", "report": "r\n",
           "ticks_verified": 6, "tick_count": 9, "digest": "d",
           "divergence": {}}}]}})",
      kDivergence));
  ASSERT_TRUE(verification.ok());
  EXPECT_EQ(verification->verdict(), v1::Verification::VERDICT_DIVERGED);
  EXPECT_EQ(verification->ticks_verified(), 6u);
  EXPECT_EQ(verification->tick_count(), 9u);
  EXPECT_EQ(verification->report(), "r\n");
  const v1::RunDifference& difference = verification->difference();
  EXPECT_EQ(difference.tick(), 7u);
  EXPECT_TRUE(difference.is_exact());
  EXPECT_THAT(difference.rooms(), ElementsAre("input"));
  EXPECT_EQ(difference.fields(0).object(), "player");
  EXPECT_EQ(difference.fields(0).expected(), "-9");
  EXPECT_TRUE(difference.has_more_fields());
}

TEST(WorkerReportTest, AComparisonIsRead) {
  const auto comparison = ParseComparison(fmt::format(
      R"({{"is_equal": false, "ticks_compared": 6,
           "first_input_difference": {{"tick": 0}}, "divergence": {}}})",
      kDivergence));
  ASSERT_TRUE(comparison.ok());
  EXPECT_FALSE(comparison->is_equal());
  EXPECT_TRUE(comparison->has_first_input_tick());
  EXPECT_EQ(comparison->difference().phase(), "physics");
  EXPECT_TRUE(
      ParseComparison(R"({"is_equal": true, "divergence": null})")->is_equal());
}

TEST(WorkerReportTest, WhatIsNoReportIsAnError) {
  for (const char* text :
       {"", "{", "[]", "{}", "3", R"({"files": []})", R"({"files": [3]})",
        R"({"files": [{"verdict": "good"}]})",
        R"({"files": [{"verdict": 7}, 8]})", R"({"is_equal": 1})"}) {
    EXPECT_EQ(ParseVerification(text).status().code(),
              absl::StatusCode::kInternal);
    EXPECT_EQ(ParseComparison(text).status().code(),
              absl::StatusCode::kInternal);
  }
}

TEST(WorkerReportTest, OtherTypesThanExpectedAreNothing) {
  const auto verification = ParseVerification(
      R"({"files": [{"verdict": "verified", "summary": 3, "tick_count": -4,
          "ticks_verified": "7", "divergence": {"fields": {}, "rooms": 4}}]})");
  ASSERT_TRUE(verification.ok());
  EXPECT_EQ(verification->summary(), "");
  EXPECT_EQ(verification->tick_count(), 0u);
  EXPECT_EQ(verification->ticks_verified(), 0u);
}

TEST(WorkerReportTest, LabelledLinesAreFound) {
  constexpr char kSaid[] =
      "warning: a\nnote: b\nerror: first\nreproduce: reprise x\n"
      "error: second\nand more\nreproduce: reprise x\n";
  EXPECT_EQ(ErrorIn(kSaid), "second\nand more");
  EXPECT_THAT(NotesIn(kSaid), ElementsAre("a", "b"));
  EXPECT_EQ(ErrorIn(""), "");
  EXPECT_EQ(ErrorIn("error: \xff"), "");
  std::string many;
  for (int i = 0; i < 100; ++i)
    many += "note: " + std::string(1000, 'x') + "\n";
  EXPECT_THAT(NotesIn(many), SizeIs(16));
  EXPECT_THAT(NotesIn(many).front(), SizeIs(500));
}

}  // namespace
}  // namespace reprise::services
