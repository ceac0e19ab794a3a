// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The figures of an earlier measurement, as a file, and what of a later one is
// held to them. Seconds are not: neither measure depends on how fast the
// machine is.

#ifndef REPRISE_TOOLS_REPRISE_BENCHMARKING_BENCH_BASELINE_H_
#define REPRISE_TOOLS_REPRISE_BENCHMARKING_BENCH_BASELINE_H_

#include <optional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "tools/reprise/benchmarking/bench_result.h"
#include "tools/reprise/terminal/json_output.h"

namespace reprise::tools {

struct BenchBaseline {
  BenchSubject subject;
  std::string pack_digest;
  std::string digest;
  std::string build;
  double ratio = 0;
  std::optional<double> instructions;  // a tick

  friend bool operator==(const BenchBaseline&, const BenchBaseline&) = default;
};

enum class BenchMeasure {
  // Of a tick. Of one build they differ by less than a thousandth between two
  // runs, whatever else the machine does.
  kInstructions,
  // A tick's time in units of the reference load of the same run. Follows
  // whatever makes both slower, and nothing that makes one of them so.
  kRatio,
};

// Per cent: above what differs between two measurements of the same build.
inline constexpr double kInstructionsThreshold = 2;
inline constexpr double kRatioThreshold = 25;

struct BenchComparison {
  BenchMeasure measure = BenchMeasure::kRatio;
  std::string reason;  // why that one
  double expected = 0;
  double actual = 0;
  double threshold_percent = 0;

  double change_percent() const { return (actual / expected - 1) * 100; }
  bool passed() const { return change_percent() <= threshold_percent; }
};

BenchBaseline ToBaseline(const BenchResult& result);

// JSON, a key a line, so that a change of a figure is a changed line. The keys
// are those of `reprise bench --format json`, whose output is a baseline, too.
std::string FormatBaseline(const BenchBaseline& baseline);

// INVALID_ARGUMENT names `file`, and the key that is wrong.
absl::StatusOr<BenchBaseline> ParseBaseline(const std::string& text,
                                            std::string_view file);

// Holds `result` to `baseline`, which `file` names in errors: by `measure`, or,
// if that isn't given, by instructions where both have them and else by the
// ratio. `threshold_percent`: of more, a tick has become too slow; if it isn't
// given, the constant above. INVALID_ARGUMENT: they are of different runs, or
// the baseline lacks the measure; UNAVAILABLE: the result lacks it.
absl::StatusOr<BenchComparison> CompareWithBaseline(
    const BenchBaseline& baseline, const BenchResult& result,
    std::optional<BenchMeasure> measure,
    std::optional<double> threshold_percent, std::string_view file);

// "instructions" and "ratio".
std::string_view BenchMeasureName(BenchMeasure measure);

// One line: "instructions of a tick 61.2k -> 63.0k, +2.9 %, at most +2 %: too
// slow (by instructions, which ...)".
std::string FormatComparison(const BenchComparison& comparison);

Json ToJson(const BenchComparison& comparison);

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_BENCHMARKING_BENCH_BASELINE_H_
