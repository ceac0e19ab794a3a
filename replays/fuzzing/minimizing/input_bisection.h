// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Which inputs make one run fail where another one, of the same game, doesn't:
// the fewest of those in which the two differ that, put into the good run, make
// it fail in the same way. It is delta debugging, as of minimization.

#ifndef REPRISE_REPLAYS_FUZZING_MINIMIZING_INPUT_BISECTION_H_
#define REPRISE_REPLAYS_FUZZING_MINIMIZING_INPUT_BISECTION_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "replays/fuzzing/checks/run_watch.h"
#include "replays/fuzzing/feedback/fuzz_rules.h"
#include "replays/fuzzing/inputs/action_changes.h"
#include "replays/fuzzing/inputs/played_inputs.h"
#include "sim/base/tick.h"
#include "sim/simulation.h"

namespace reprise::replays {

// What one player does at a tick, in both runs; not the same.
struct InputDifference {
  sim::Tick tick = 0;
  uint32_t player = 0;
  std::vector<ActionChange> good;
  std::vector<ActionChange> bad;
};

struct InputCulprits {
  RunFailure failure;  // of the good run with the inputs below
  std::vector<InputDifference> differences;  // ascending
  size_t difference_count = 0;               // that there are at all
  // Where the good run with these inputs is first another one than without:
  // "scene.objects lamp, is_on: false | true", but for what holds the inputs
  // themselves. Empty where the digests are the same.
  sim::Tick first_tick = 0;
  std::string first_field;
  uint64_t runs_tried = 0;
  uint64_t ticks_run = 0;
};

// `start` is at tick 0. Both runs are played up to the tick at which `bad`
// fails. FAILED_PRECONDITION: it doesn't fail, or `good` fails in the same way
// by then.
absl::StatusOr<InputCulprits> BisectInputs(const sim::Simulation& start,
                                           const FuzzRules& rules,
                                           const PlayedInputs& good,
                                           const PlayedInputs& bad);

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_FUZZING_MINIMIZING_INPUT_BISECTION_H_
