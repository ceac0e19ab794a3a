// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that a case with a place has it in each form, one without has none,
// and that documents stay documents whatever a text holds. What replays and
// scenarios come to is proved beside them.

#include "tools/reprise/reports/ci_report.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"

namespace reprise::tools {
namespace {

using Json = nlohmann::json;
using testing::HasSubstr;
using testing::Not;

CiReport ReportOf(const CiCase& each) {
  return {.tool = "reprise test",
          .subject = "scenario",
          .passed = "passed",
          .cases = {each}};
}

CiCase Failed() {
  return {.class_name = "reprise.test.lamp",
          .name = "short",
          .pack = "lamp",
          .outcome = CiCase::Outcome::kFailed,
          .kind = "expectation",
          .kind_explained = "An expectation doesn't hold.",
          .message = "expected always tick < 5",
          .text = "expected always tick < 5\n",
          .file = "lamp/tests/a b.txtpb",
          .line = 3,
          .column = 7};
}

TEST(CiReportTest, PlacesAreLineAndColumn) {
  const CiReport report = ReportOf(Failed());
  const Json result = Json::parse(FormatSarif(report))["runs"][0]["results"][0];
  const Json& place = result["locations"][0]["physicalLocation"];
  EXPECT_EQ(place["artifactLocation"]["uri"], "lamp/tests/a%20b.txtpb");
  EXPECT_EQ(place["region"]["startLine"], 3);
  EXPECT_EQ(place["region"]["startColumn"], 7);
  EXPECT_EQ(FormatGithub(report),
            "::error file=lamp/tests/a b.txtpb,line=3,col=7,title=short "
            "expectation::expected always tick < 5%0A\n");
}

TEST(CiReportTest, WhatHasNoPlaceHasNone) {
  CiCase each = Failed();
  each.file.clear();
  each.line = each.column = 0;
  const CiReport report = ReportOf(each);
  EXPECT_FALSE(
      Json::parse(FormatSarif(report))["runs"][0]["results"][0].contains(
          "locations"));
  EXPECT_THAT(FormatGithub(report), HasSubstr("::error title=short "));
}

TEST(CiReportTest, RulesAreTheKindsOfFailures) {
  CiReport report = ReportOf(Failed());
  report.cases.push_back(Failed());
  report.cases.push_back({.name = "fine"});
  const Json run = Json::parse(FormatSarif(report))["runs"][0];
  EXPECT_EQ(run["results"].size(), 2);
  EXPECT_EQ(run["tool"]["driver"]["rules"],
            Json::array({{{"id", "expectation"},
                          {"shortDescription",
                           {{"text", "An expectation doesn't hold."}}}}}));
  EXPECT_THAT(FormatMarkdown(report),
              HasSubstr("## reprise test: 1 of 3 scenarios passed\n"));
}

TEST(CiReportTest, WhatPassedIsShortInJunit) {
  const CiReport report =
      ReportOf({.class_name = "reprise.test.lamp", .name = "fine"});
  EXPECT_THAT(FormatJunit(report),
              HasSubstr("    <testcase classname=\"reprise.test.lamp\" "
                        "name=\"fine\" time=\"0.000\"/>\n"));
}

TEST(CiReportTest, WhatIsSkippedIsNoFailureAndSaysWhy) {
  CiReport report = ReportOf({.name = "fine"});
  report.cases.push_back({.class_name = "reprise.test.lamp",
                          .name = "known",
                          .outcome = CiCase::Outcome::kSkipped,
                          .message = "until \"spring\""});
  EXPECT_THAT(FormatJunit(report),
              HasSubstr("tests=\"2\" failures=\"0\" errors=\"0\" "
                        "skipped=\"1\" time"));
  EXPECT_THAT(
      FormatJunit(report),
      HasSubstr("name=\"known\" time=\"0.000\">\n      <skipped "
                "message=\"until &quot;spring&quot;\"/>\n    </testcase>"));
  EXPECT_EQ(Json::parse(FormatSarif(report))["runs"][0]["results"].size(), 0);
  EXPECT_EQ(FormatMarkdown(report),
            "## reprise test: 1 of 2 scenarios passed, 1 skipped\n");
  EXPECT_EQ(FormatGithub(report), "");
}

// One that a browser follows from beside the report, whatever is in its name.
TEST(CiReportTest, PagesAreLinksInMarkdown) {
  CiReport report =
      ReportOf({.name = "broken",
                .outcome = CiCase::Outcome::kFailed,
                .text = "differs\n  shown in pages/a [b] (1).html#t=41\n"});
  EXPECT_THAT(FormatMarkdown(report),
              HasSubstr("</summary>\n\n[Shown in pages/a \\[b\\] (1).html#t=41]"
                        "(pages/a%20%5Bb%5D%20%281%29.html#t=41)\n\n```\n"));
  report.cases[0].text = "nothing is shown in it\n";
  EXPECT_THAT(FormatMarkdown(report), Not(HasSubstr("](")));
}

TEST(CiReportTest, WhatXmlCanNotHoldIsReplaced) {
  EXPECT_EQ(EscapeXml("<a & \"b\">"), "&lt;a &amp; &quot;b&quot;&gt;");
  EXPECT_EQ(EscapeXml("\x1b[1m\n\t"), "\xEF\xBF\xBD[1m\n\t");
  EXPECT_EQ(EscapeXml("\xC3\x9F \xFF"), "\xC3\x9F \xEF\xBF\xBD");
  EXPECT_EQ(EscapeXml("\xEF\xBF\xBF!"), "\xEF\xBF\xBD!");
}

}  // namespace
}  // namespace reprise::tools
