// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Runs two simulations side by side and finds where they part: tick, phase,
// object, field and both values, exactly.

#ifndef REPRISE_REPLAYS_RUN_COMPARISON_H_
#define REPRISE_REPLAYS_RUN_COMPARISON_H_

#include <cstddef>
#include <optional>

#include "absl/status/statusor.h"
#include "replays/divergence.h"
#include "replays/input_source.h"
#include "replays/verifier.h"
#include "sim/base/tick.h"
#include "sim/simulation.h"

namespace reprise::replays {

// One of two runs. Both members must remain live during the comparison, which
// leaves the simulation at some later tick. REQUIRES: the simulation is at tick
// 0, and its inputs weren't asked for yet.
struct RunSide {
  sim::Simulation* simulation = nullptr;
  InputSource* inputs = nullptr;
};

struct CompareOptions {
  // Where to stop when neither side's inputs have an end; otherwise the shorter
  // side decides.
  std::optional<sim::Tick> tick_count = std::nullopt;
  size_t fields_max = 16;
  ProgressCallback progress = nullptr;
};

struct RunComparison {
  // The ticks that were made on both sides.
  sim::Tick ticks_compared = 0;
  // The lengths of both sides' inputs.
  std::optional<sim::Tick> expected_tick_count;
  std::optional<sim::Tick> actual_tick_count;
  // The first tick at which the players give something else. States may differ
  // later, or never.
  std::optional<sim::Tick> first_input_difference;
  // The first difference of the states. If it is exact, `expected` and `actual`
  // of its fields are the values after `phase`.
  std::optional<Divergence> divergence;
  sim::Outcome expected_outcome;
  sim::Outcome actual_outcome;

  // Same states at every tick compared, and as many ticks on both sides.
  bool is_equal() const {
    return !divergence.has_value() && expected_tick_count == actual_tick_count;
  }
};

// FAILED_PRECONDITION names the first table in which the two differ, when their
// packs or builds have no common state to compare. INVALID_ARGUMENT: neither
// side nor the options say when to stop. Other errors: those of the inputs and
// of `options.progress`.
absl::StatusOr<RunComparison> CompareRuns(const RunSide& expected,
                                          const RunSide& actual,
                                          const CompareOptions& options);

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_RUN_COMPARISON_H_
