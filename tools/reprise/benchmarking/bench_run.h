// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// One run of a pack with its inputs and bots, as fast as it goes.

#ifndef REPRISE_TOOLS_REPRISE_BENCHMARKING_BENCH_RUN_H_
#define REPRISE_TOOLS_REPRISE_BENCHMARKING_BENCH_RUN_H_

#include <functional>

#include "absl/status/statusor.h"
#include "sim/base/digest.h"
#include "sim/base/tick.h"
#include "tools/reprise/benchmarking/phase_times.h"
#include "tools/reprise/inputs/run_setup.h"

namespace reprise::tools {

struct BenchRun {
  sim::Tick tick_count = 0;  // that were stepped
  // Bots and inputs included: on the wall, and of this thread alone.
  double seconds = 0;
  double thread_seconds = 0;
  sim::Digest root;  // of the state behind them
};

// Steps `setup` to its end; a game that is decided goes on. `times` watches,
// which takes time; null: nobody does. `pause` is called before the first tick
// and after some milliseconds of others each time, and its time isn't counted.
// INVALID_ARGUMENT names the tick whose inputs the pack refuses; other errors
// are those of inputs and simulations.
absl::StatusOr<BenchRun> MakeBenchRun(RunSetup& setup, PhaseTimes* times,
                                      const std::function<void()>& pause);

// The time that this thread has run. Nothing that others do in its place
// counts.
double ThreadSeconds();

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_BENCHMARKING_BENCH_RUN_H_
