// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves where failures and mistakes of scenarios are said to be.

#include "tools/reprise/scenarios/scenario_report.h"

#include <vector>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "tools/reprise/reports/ci_report.h"

namespace reprise::tools {
namespace {

CiCase CaseOf(const ScenarioReport& report) {
  return MakeScenarioReport(std::vector<ScenarioReport>{report}).cases.front();
}

TEST(ScenarioReportTest, FailureIsAtItsExpectation) {
  ScenarioReport report{.pack = "lamp", .name = "short", .reproduce = "again"};
  report.result.failures = {{.place = "C:/lamp/tests/more.txtpb:3:45",
                             .tick = 5,
                             .expected = "always tick < 5",
                             .found = "tick 5, running"},
                            {.place = "other.txtpb:1:1"}};
  const CiCase each = CaseOf(report);
  EXPECT_EQ(each.outcome, CiCase::Outcome::kFailed);
  EXPECT_EQ(each.kind, "expectation");
  EXPECT_EQ(each.file, "C:/lamp/tests/more.txtpb");
  EXPECT_EQ(each.line, 3u);
  EXPECT_EQ(each.column, 45u);
}

TEST(ScenarioReportTest, MistakeIsWhereItsTextSays) {
  ScenarioReport report{.pack = "lamp",
                        .error = absl::InvalidArgumentError(
                            "tests/more.txtpb:2:9: scenario 'a': no action")};
  CiCase each = CaseOf(report);
  EXPECT_EQ(each.outcome, CiCase::Outcome::kError);
  EXPECT_EQ(each.name, "tests");
  EXPECT_EQ(each.file, "tests/more.txtpb");
  EXPECT_EQ(each.line, 2u);
  report.error = absl::NotFoundError("no simulation: 'chess'");
  each = CaseOf(report);
  EXPECT_EQ(each.file, "");
  EXPECT_EQ(each.line, 0u);
}

}  // namespace
}  // namespace reprise::tools
