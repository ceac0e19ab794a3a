// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The results of scenarios, for people and for CI systems: one case a scenario.

#ifndef REPRISE_TOOLS_REPRISE_SCENARIOS_SCENARIO_REPORT_H_
#define REPRISE_TOOLS_REPRISE_SCENARIOS_SCENARIO_REPORT_H_

#include <span>
#include <string>

#include "absl/status/status.h"
#include "tools/reprise/reports/ci_report.h"
#include "tools/reprise/scenarios/scenario_run.h"

namespace reprise::tools {

// A scenario that was played, or what kept it from being played.
struct ScenarioReport {
  std::string pack;
  std::string name;  // empty: the tests of the pack can't be read
  absl::Status error;
  ScenarioResult result;
  std::string shown;  // a page of what failed, with its tick; or why not
  double seconds = 0;
  std::string reproduce;  // the command line that plays it alone

  bool passed() const { return error.ok() && result.failures.empty(); }
  // "pong/serve".
  std::string FullName() const;
  // What failed, a line each: place, expectation, tick and values; and where
  // it is shown.
  std::string FormatFailures() const;
};

// The class of a case is its pack, and its place that of the first expectation
// that failed, or of the mistake. What wasn't as expected is a failure, what
// couldn't be played an error.
CiReport MakeScenarioReport(std::span<const ScenarioReport> reports);

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_SCENARIOS_SCENARIO_REPORT_H_
