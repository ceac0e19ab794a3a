// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/scenarios/scenario_junit.h"

#include <algorithm>

#include "fmt/format.h"
#include "tools/reprise/verifying/verify_junit.h"

namespace reprise::tools {
namespace {

std::string FormatCase(const ScenarioReport& report) {
  std::string text = fmt::format(
      "    <testcase classname=\"reprise.test.{}\" name=\"{}\" "
      "time=\"{:.3f}\"",
      EscapeXml(report.pack),
      EscapeXml(report.name.empty() ? "tests" : report.name), report.seconds);
  if (report.passed()) return text + "/>\n";
  const char* const tag = report.error.ok() ? "failure" : "error";
  const std::string message =
      report.error.ok() ? "expected " + report.result.failures.front().expected
                        : std::string(report.error.message());
  return text + fmt::format(
                    ">\n      <{} message=\"{}\">{}reproduce: {}\n"
                    "</{}>\n    </testcase>\n",
                    tag, EscapeXml(message), EscapeXml(report.FormatFailures()),
                    EscapeXml(report.reproduce), tag);
}

}  // namespace

std::string ScenarioReport::FullName() const {
  return name.empty() ? pack : fmt::format("{}/{}", pack, name);
}

std::string ScenarioReport::FormatFailures() const {
  if (!error.ok()) return std::string(error.message()) + "\n";
  std::string text;
  for (const ScenarioFailure& failure : result.failures) {
    text += fmt::format("{}: expected {}; {}\n", failure.place,
                        failure.expected, failure.found);
  }
  return text;
}

std::string FormatScenarioJunit(std::span<const ScenarioReport> reports) {
  const auto errors = std::ranges::count_if(
      reports, [](const ScenarioReport& report) { return !report.error.ok(); });
  const auto passed = std::ranges::count_if(reports, &ScenarioReport::passed);
  double seconds = 0;
  for (const ScenarioReport& report : reports) seconds += report.seconds;
  const std::string totals = fmt::format(
      "name=\"reprise test\" tests=\"{}\" failures=\"{}\" errors=\"{}\" "
      "time=\"{:.3f}\"",
      reports.size(), std::ssize(reports) - passed - errors, errors, seconds);
  std::string text = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<testsuites {}>\n  <testsuite {}>\n",
      totals, totals);
  for (const ScenarioReport& report : reports) text += FormatCase(report);
  return text + "  </testsuite>\n</testsuites>\n";
}

}  // namespace reprise::tools
