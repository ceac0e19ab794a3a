// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Makes a run that fails as short and as plain as it can be while it fails in
// the same way: fewer players, actions, inputs and ticks, rounder values. It is
// delta debugging (Zeller and Hildebrandt, "Simplifying and isolating
// failure-inducing input", 2002) over what players do, with passes of several
// kinds until none of them helps.

#ifndef REPRISE_REPLAYS_FUZZING_MINIMIZING_MINIMIZATION_H_
#define REPRISE_REPLAYS_FUZZING_MINIMIZING_MINIMIZATION_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "replays/fuzzing/checks/run_oracle.h"
#include "replays/fuzzing/checks/run_watch.h"
#include "replays/fuzzing/feedback/fuzz_rules.h"
#include "replays/fuzzing/inputs/action_changes.h"
#include "replays/fuzzing/inputs/played_inputs.h"
#include "sim/input/input_grammar.h"
#include "sim/simulation.h"

namespace reprise::replays {

struct MinimizedRun {
  RunFailure failure;
  std::vector<ActionChange> changes;
  PlayedInputs inputs;  // the same, up to the failure's tick
  uint64_t ticks_run = 0;
  uint64_t runs_tried = 0;
  // Nothing that was tried made it shorter: it wasn't interrupted.
  bool is_done = false;
};

struct MinimizeOptions {
  // Runs that are tried at the same time, each by a thread: what comes of it,
  // and what it says it cost, is the same for every number. At least 1.
  uint32_t jobs = 1;
  // No more is tried after so many ticks; 0: no limit.
  uint64_t ticks_max = 0;
  // Told of each run that is shorter than the one before. False ends it there.
  std::function<bool(const MinimizedRun&)> on_progress = nullptr;
};

// `start` is at tick 0. NOT_FOUND: the run doesn't fail. FAILED_PRECONDITION:
// it did, and doesn't when it is played again.
absl::StatusOr<MinimizedRun> MinimizeRun(const sim::Simulation& start,
                                         const FuzzRules& rules,
                                         const PlayedInputs& run,
                                         const MinimizeOptions& options);

// The same by another oracle. `run` ends with the tick at which it fails by
// `signature`; where it doesn't when it is played again, the failure's
// signature is empty.
MinimizedRun MinimizeRun(const sim::InputGrammar& grammar, RunOracle& oracle,
                         const PlayedInputs& run, const std::string& signature,
                         const MinimizeOptions& options);

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_FUZZING_MINIMIZING_MINIMIZATION_H_
