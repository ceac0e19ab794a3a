// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves what CI systems read: a case a replay, failures told from errors, and
// a document that stays one whatever a simulation printed.

#include "tools/reprise/verifying/verify_junit.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace reprise::tools {
namespace {

VerifyResult Result(const std::string& path, Verdict verdict,
                    const std::string& summary) {
  VerifyResult result;
  result.path = path;
  result.verdict = verdict;
  result.summary = summary;
  result.seconds = 0.25;
  return result;
}

TEST(VerifyJunitTest, DocumentHasACaseAReplay) {
  std::vector<VerifyResult> results = {
      Result("a.mcap", Verdict::kVerified, "verified 2 of 2 ticks"),
      Result("b.mcap", Verdict::kDiverged, "diverged"),
      Result("c.mcap", Verdict::kHung, "hung")};
  results[1].report = "tick 7: mass < 2\n";
  const std::string totals =
      "name=\"reprise verify\" tests=\"3\" failures=\"1\" errors=\"1\" "
      "time=\"0.750\"";
  EXPECT_EQ(
      FormatJunit(results,
                  [](const VerifyResult& result) {
                    return "reprise verify " + result.path;
                  }),
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

TEST(VerifyJunitTest, WhatXmlCanNotHoldIsReplaced) {
  EXPECT_EQ(EscapeXml("<a & \"b\">"), "&lt;a &amp; &quot;b&quot;&gt;");
  EXPECT_EQ(EscapeXml("\x1b[1m\n\t"), "\xEF\xBF\xBD[1m\n\t");
  EXPECT_EQ(EscapeXml("\xC3\x9F \xFF"), "\xC3\x9F \xEF\xBF\xBD");
  EXPECT_EQ(EscapeXml("\xEF\xBF\xBF!"), "\xEF\xBF\xBD!");
}

}  // namespace
}  // namespace reprise::tools
