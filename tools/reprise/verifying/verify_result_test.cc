// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that a result survives the way from the process that verified, that
// nothing else is taken for one, and how results look as a table.

#include "tools/reprise/verifying/verify_result.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace reprise::tools {
namespace {

VerifyResult Passed() {
  VerifyResult result;
  result.path = "a.mcap";
  result.verdict = Verdict::kVerified;
  result.summary = "verified 240 of 240 ticks, digest 2f00a4b31c9d5e77";
  result.ticks_verified = 240;
  result.tick_count = 240;
  result.digest = "2f00a4b31c9d5e77";
  result.remarks = {.notes = {"a note"}, .warnings = {"a warning"}};
  result.run["chain"] = "0000000000000001";
  return result;
}

VerifyResult Crashed() {
  VerifyResult result;
  result.path = "longer.mcap";
  result.verdict = Verdict::kCrashed;
  result.summary = "crashed, signal 11 (Segmentation fault)";
  result.report = "last words\n";
  result.tick_count = 60;
  return result;
}

TEST(VerifyResultTest, JsonGivesItBack) {
  for (const VerifyResult& result : {Passed(), Crashed()}) {
    const auto parsed = ParseVerifyResult(ToJson(result));
    ASSERT_TRUE(parsed.ok()) << parsed.status();
    EXPECT_EQ(ToJson(*parsed), ToJson(result));
  }
}

TEST(VerifyResultTest, ErrorIsOfRunsThatDidNotComeToTheirEnd) {
  EXPECT_FALSE(ToJson(Passed()).contains("error"));
  EXPECT_EQ(ToJson(Crashed())["error"], Crashed().summary);
}

TEST(VerifyResultTest, EveryMemberIsNeededInItsType) {
  for (const char* const key :
       {"file", "verdict", "summary", "report", "ticks_verified", "tick_count",
        "digest", "remarks"}) {
    Json json = ToJson(Passed());
    json[key] = -1.5;
    EXPECT_EQ(ParseVerifyResult(json).status().code(),
              absl::StatusCode::kInvalidArgument)
        << key;
    json.erase(key);
    EXPECT_EQ(ParseVerifyResult(json).status().code(),
              absl::StatusCode::kInvalidArgument)
        << key;
  }
  EXPECT_FALSE(ParseVerifyResult(Json("verified")).ok());
}

TEST(VerifyResultTest, VerdictsHaveTheCodesOfTheCommand) {
  EXPECT_EQ(ExitCodeOf(Verdict::kVerified), ExitCode::kOk);
  EXPECT_EQ(ExitCodeOf(Verdict::kUnproven), ExitCode::kDifferent);
  EXPECT_EQ(ExitCodeOf(Verdict::kHung), ExitCode::kCrashed);
}

TEST(VerifyResultTest, TableIsAlignedWithReportsBelow) {
  const std::vector<VerifyResult> results = {Passed(), Crashed()};
  EXPECT_EQ(FormatVerifyResults(results),
            "verified 240 of 240 ticks  2f00a4b31c9d5e77  a.mcap\n"
            "crashed    0 of  60 ticks  -                 longer.mcap\n"
            "\n"
            "longer.mcap: crashed, signal 11 (Segmentation fault)\n"
            "  last words\n"
            "\n"
            "2 replays: 1 verified, 1 not (1 crashed)\n");
}

// A line of its own would be whatever it says: a verdict, or a command to the
// host of the code.
TEST(VerifyResultTest, NameOfAFileStaysOnItsLine) {
  std::vector<VerifyResult> results = {Crashed()};
  results.front().path = "a\n::error::b.mcap";
  const std::string text = FormatVerifyResults(results);
  EXPECT_THAT(text, testing::HasSubstr("  a\\x0a::error::b.mcap\n"));
  EXPECT_THAT(text, testing::HasSubstr("\na\\x0a::error::b.mcap: crashed"));
  EXPECT_THAT(text, testing::Not(testing::HasSubstr("\n::error")));
}

}  // namespace
}  // namespace reprise::tools
