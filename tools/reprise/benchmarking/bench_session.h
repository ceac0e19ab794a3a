// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Measures a pack: runs it several times, some milliseconds in turn with the
// reference load, and once more while it is watched.

#ifndef REPRISE_TOOLS_REPRISE_BENCHMARKING_BENCH_SESSION_H_
#define REPRISE_TOOLS_REPRISE_BENCHMARKING_BENCH_SESSION_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "tools/reprise/benchmarking/bench_result.h"
#include "tools/reprise/inputs/run_setup.h"
#include "tools/reprise/terminal/console.h"

namespace reprise::tools {

inline constexpr uint64_t kBenchTicksDefault = 600;
inline constexpr uint64_t kBenchRepeatsMax = 1000;

// Everything but instructions. `options` records nothing and goes on with
// nothing. Of `repeats` runs; if that isn't given, of 5 or as many as take half
// a second, but 100 at most. INTERNAL: two of the runs end in different states;
// other errors are those of PrepareRun and MakeBenchRun. REQUIRES: 1 <=
// `repeats` <= kBenchRepeatsMax.
absl::StatusOr<BenchResult> MeasurePack(const RunOptions& options,
                                        const std::string& pack,
                                        std::optional<uint64_t> repeats,
                                        Console& console);

// The instructions of a tick of the run of `result`, whose `options` and `pack`
// these are: those of the whole run less those of one without ticks. Errors are
// those of instruction_count.h.
absl::StatusOr<double> CountTickInstructions(const RunOptions& options,
                                             const std::string& pack,
                                             const BenchResult& result);

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_BENCHMARKING_BENCH_SESSION_H_
