// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/scenarios/scenario_report.h"

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <system_error>

#include "fmt/format.h"

namespace reprise::tools {
namespace {

// Takes the number off the end of "tests/play.txtpb:1:45"; 0: there is none.
uint32_t TakeNumber(std::string_view& place) {
  const size_t colon = place.rfind(':');
  if (colon == std::string_view::npos) return 0;
  const char* const end = place.data() + place.size();
  uint32_t number = 0;
  const auto [rest, error] =
      std::from_chars(place.data() + colon + 1, end, number);
  if (error != std::errc() || rest != end || number == 0) return 0;
  place = place.substr(0, colon);
  return number;
}

// Reads "FILE:LINE:COLUMN"; what begins with something else has no place.
void SetPlace(std::string_view text, CiCase& each) {
  std::string_view place = text.substr(0, text.find(": "));
  const uint32_t column = TakeNumber(place);
  const uint32_t line = TakeNumber(place);
  if (line == 0) return;
  each.file = place;
  each.line = line;
  each.column = column;
}

CiCase ToCase(const ScenarioReport& report) {
  CiCase each{.class_name = "reprise.test." + report.pack,
              .name = report.name.empty() ? "tests" : report.name,
              .pack = report.pack,
              .seconds = report.seconds};
  if (report.passed()) return each;
  each.text = report.FormatFailures();
  each.text += fmt::format("reproduce: {}\n", report.reproduce);
  if (!report.error.ok()) {
    each.outcome = CiCase::Outcome::kError;
    each.kind = "mistake";
    each.kind_explained = "The scenario can't be played.";
    each.message = std::string(report.error.message());
    SetPlace(each.message, each);
    return each;
  }
  const ScenarioFailure& first = report.result.failures.front();
  each.outcome = CiCase::Outcome::kFailed;
  each.kind = "expectation";
  each.kind_explained = "What a scenario expects doesn't hold.";
  each.message = "expected " + first.expected;
  SetPlace(first.place, each);
  return each;
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
  if (!shown.empty()) text += shown + "\n";
  return text;
}

CiReport MakeScenarioReport(std::span<const ScenarioReport> reports) {
  CiReport report{.tool = "reprise test",
                  .subject = "scenario",
                  .passed = "passed",
                  .cases = {}};
  for (const ScenarioReport& each : reports) {
    report.cases.push_back(ToCase(each));
  }
  return report;
}

}  // namespace reprise::tools
