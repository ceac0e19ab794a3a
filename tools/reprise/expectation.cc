// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/expectation.h"

#include <algorithm>
#include <charconv>
#include <system_error>

#include "absl/status/status.h"
#include "fmt/format.h"

namespace reprise::tools {
namespace {

constexpr std::string_view kBlanks = " \t";
constexpr std::string_view kComparisonCharacters = "=!<>";

std::string_view Trim(std::string_view text) {
  const size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

absl::Status Malformed(std::string_view text, std::string_view problem) {
  return absl::InvalidArgumentError(
      fmt::format("'{}' is no expectation: {}", text, problem));
}

}  // namespace

absl::StatusOr<Expectation> Expectation::Parse(std::string_view text) {
  const size_t first = text.find_first_of(kComparisonCharacters);
  if (first == std::string_view::npos) {
    return Malformed(text, "it takes the form `outcome == won`");
  }
  const size_t after = std::min(
      text.find_first_not_of(kComparisonCharacters, first), text.size());
  const std::string_view fact = Trim(text.substr(0, first));
  const std::string_view value = Trim(text.substr(after));
  const absl::StatusOr<Comparison> comparison =
      ParseComparison(text.substr(first, after - first));
  if (!comparison.ok()) {
    return Malformed(text, std::string(comparison.status().message()));
  }

  Expectation expectation;
  expectation.text_ = text;
  expectation.comparison_ = *comparison;
  if (fact == "outcome") {
    if (*comparison != Comparison::kEqual &&
        *comparison != Comparison::kNotEqual) {
      return Malformed(text, "outcomes are compared by == and !=");
    }
    using Status = sim::Outcome::Status;
    if (value == "running") {
      expectation.value_ = Status::kRunning;
    } else if (value == "won") {
      expectation.value_ = Status::kWon;
    } else if (value == "lost") {
      expectation.value_ = Status::kLost;
    } else {
      return Malformed(text, "an outcome is running, won or lost");
    }
    return expectation;
  }
  if (fact == "tick") {
    sim::Tick tick = 0;
    const char* const end = value.data() + value.size();
    const auto [rest, error] = std::from_chars(value.data(), end, tick);
    if (error != std::errc() || rest != end) {
      return Malformed(text, "a tick is a whole number");
    }
    expectation.value_ = tick;
    return expectation;
  }
  return Malformed(text, "the facts of a run are outcome and tick");
}

bool Expectation::Holds(sim::Outcome::Status outcome, sim::Tick tick) const {
  if (const auto* expected = std::get_if<sim::Outcome::Status>(&value_)) {
    return (outcome == *expected) == (comparison_ == Comparison::kEqual);
  }
  const sim::Tick expected = std::get<sim::Tick>(value_);
  switch (comparison_) {
    case Comparison::kEqual:
      return tick == expected;
    case Comparison::kNotEqual:
      return tick != expected;
    case Comparison::kLess:
      return tick < expected;
    case Comparison::kLessOrEqual:
      return tick <= expected;
    case Comparison::kGreater:
      return tick > expected;
    case Comparison::kGreaterOrEqual:
      return tick >= expected;
  }
  return false;
}

absl::StatusOr<Expectation::Comparison> Expectation::ParseComparison(
    std::string_view text) {
  if (text == "==") return Comparison::kEqual;
  if (text == "!=") return Comparison::kNotEqual;
  if (text == "<") return Comparison::kLess;
  if (text == "<=") return Comparison::kLessOrEqual;
  if (text == ">") return Comparison::kGreater;
  if (text == ">=") return Comparison::kGreaterOrEqual;
  return absl::InvalidArgumentError("the comparisons are == != < <= > >=");
}

}  // namespace reprise::tools
