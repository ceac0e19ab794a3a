// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that JUnit, SARIF, Markdown and annotations name each failure once,
// with its first difference and its commands, and that no text of a replay
// breaks out of their forms.

#include "tools/reprise/verifying/verify_report.h"

#include <algorithm>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tools/reprise/reports/ci_report.h"
#include "tools/reprise/verifying/verify_failure.h"
#include "tools/reprise/verifying/verify_result.h"

namespace reprise::tools {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

std::string Reproduce(const VerifyResult& result) {
  return "reprise verify " + result.path + " --packs packs";
}

VerifyResult Diverged(const std::string& path) {
  VerifyResult result;
  result.path = path;
  result.pack = "marble";
  result.verdict = Verdict::kDiverged;
  result.summary = "won -> running; diverged";
  result.report = "types.marble.body.friction: 0.8 -> 0.7\n";
  result.run = {{"pack_path", "packs/marble"},
                {"divergence",
                 {{"last_equal_tick", 11u},
                  {"first_different_tick", 12u},
                  {"phase", "physics"},
                  {"fields",
                   {{{"object", "marble"},
                     {"table", "bodies"},
                     {"field", "position.x"},
                     {"unit", "m"},
                     {"expected", "1"},
                     {"actual", "2"}}}}}}};
  return result;
}

VerifyResult Result(const std::string& path, Verdict verdict,
                    const std::string& summary) {
  VerifyResult result;
  result.path = path;
  result.verdict = verdict;
  result.summary = summary;
  result.seconds = 0.25;
  return result;
}

VerifyResult Verified() {
  VerifyResult result;
  result.path = "fine.mcap";
  result.verdict = Verdict::kVerified;
  return result;
}

TEST(VerifyReportTest, JunitHasACaseAReplay) {
  std::vector<VerifyResult> results = {
      Result("a.mcap", Verdict::kVerified, "verified 2 of 2 ticks"),
      Result("b.mcap", Verdict::kDiverged, "diverged"),
      Result("c.mcap", Verdict::kHung, "hung")};
  results[1].report = "tick 7: mass < 2\n";
  const std::string totals =
      "name=\"reprise verify\" tests=\"3\" failures=\"1\" errors=\"1\" "
      "time=\"0.750\"";
  EXPECT_EQ(
      FormatJunit(MakeVerifyReport(results,
                                   [](const VerifyResult& result) {
                                     return "reprise verify " + result.path;
                                   })),
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<testsuites " +
          totals +
          ">\n"
          "  <testsuite " +
          totals +
          ">\n"
          "    <testcase classname=\"reprise.verify\" name=\"a.mcap\" "
          "time=\"0.250\">\n"
          "      <system-out>verified 2 of 2 ticks</system-out>\n"
          "    </testcase>\n"
          "    <testcase classname=\"reprise.verify\" name=\"b.mcap\" "
          "time=\"0.250\">\n"
          "      <failure type=\"diverged\" message=\"diverged\">diverged\n"
          "tick 7: mass &lt; 2\n"
          "reproduce: reprise verify b.mcap\n"
          "</failure>\n"
          "    </testcase>\n"
          "    <testcase classname=\"reprise.verify\" name=\"c.mcap\" "
          "time=\"0.250\">\n"
          "      <error type=\"hung\" message=\"hung\">hung\n"
          "reproduce: reprise verify c.mcap\n"
          "</error>\n"
          "    </testcase>\n"
          "  </testsuite>\n"
          "</testsuites>\n");
}

TEST(VerifyReportTest, FailureSaysAllOfTheFirstDifference) {
  EXPECT_EQ(FormatFailure(Diverged("a.mcap"), &Reproduce),
            "won -> running; diverged\n"
            "types.marble.body.friction: 0.8 -> 0.7\n"
            "first tick: 11\n"
            "phase: physics\n"
            "object: marble\n"
            "field: bodies.position.x\n"
            "values: 1 | 2 [m]\n"
            "diff: reprise diff a.mcap --pack packs/marble\n"
            "reproduce: reprise verify a.mcap --packs packs\n");
}

TEST(VerifyReportTest, IntervalOfTicksIsTold) {
  VerifyResult result = Diverged("a.mcap");
  result.run["divergence"]["first_different_tick"] = 60u;
  EXPECT_THAT(FormatFirstDifference(result), HasSubstr("first tick: 11 to 59"));
}

TEST(VerifyReportTest, SarifHasARuleAVerdictAndAResultAFailure) {
  const std::vector<VerifyResult> results = {Diverged("b c.mcap"), Verified(),
                                             Diverged("/d.mcap")};
  const nlohmann::json log =
      nlohmann::json::parse(FormatSarif(MakeVerifyReport(results, &Reproduce)));
  EXPECT_EQ(log["version"], "2.1.0");
  ASSERT_EQ(log["runs"].size(), 1);
  const nlohmann::json& run = log["runs"][0];
  EXPECT_EQ(run["tool"]["driver"]["name"], "reprise verify");
  ASSERT_EQ(run["tool"]["driver"]["rules"].size(), 1);
  ASSERT_EQ(run["results"].size(), 2);
  // Each result's rule is one of the rules, as SARIF wants it.
  for (const nlohmann::json& result : run["results"]) {
    EXPECT_EQ(result["ruleId"], run["tool"]["driver"]["rules"][0]["id"]);
    EXPECT_EQ(result["level"], "error");
    ASSERT_TRUE(result["locations"].is_array());
    EXPECT_THAT(result["message"]["text"].get<std::string>(),
                HasSubstr("phase: physics"));
  }
  const auto uri = [&run](size_t i) {
    return run["results"][i]["locations"][0]["physicalLocation"]
              ["artifactLocation"]["uri"]
                  .get<std::string>();
  };
  EXPECT_EQ(uri(0), "b%20c.mcap");
  EXPECT_EQ(uri(1), "file:///d.mcap");
}

TEST(VerifyReportTest, SarifOfNoFailureHasAnEmptyListOfResults) {
  const std::vector<VerifyResult> results = {Verified()};
  const nlohmann::json log =
      nlohmann::json::parse(FormatSarif(MakeVerifyReport(results, &Reproduce)));
  EXPECT_EQ(log["runs"][0]["results"], nlohmann::json::array());
}

TEST(VerifyReportTest, MarkdownCountsAndExplains) {
  const std::vector<VerifyResult> results = {Diverged("a.mcap"), Verified()};
  EXPECT_THAT(
      FormatMarkdown(MakeVerifyReport(results, &Reproduce)),
      AllOf(HasSubstr("1 of 2 replays verified"),
            HasSubstr("| a.mcap | marble | diverged | won -&gt; running;"),
            HasSubstr("```\nwon -> running; diverged\n"),
            Not(HasSubstr("fine.mcap"))));
}

TEST(VerifyReportTest, HostileTextStaysInItsPlace) {
  VerifyResult hostile = Diverged("a|<b>\n::warning::x.mcap");
  hostile.report = "```\n</details>\n::error::other\n";
  const std::vector<VerifyResult> results = {hostile};
  EXPECT_THAT(FormatMarkdown(MakeVerifyReport(results, &Reproduce)),
              AllOf(HasSubstr("| a\\|&lt;b&gt;\\x0a::warning::x.mcap |"),
                    HasSubstr("````\n")));
  const std::string github =
      FormatGithub(MakeVerifyReport(results, &Reproduce));
  EXPECT_EQ(std::ranges::count(github, '\n'), 1);
  EXPECT_THAT(github, HasSubstr("::error file=a|<b>%0A%3A%3Awarning%3A%3Ax."));
}

}  // namespace
}  // namespace reprise::tools
