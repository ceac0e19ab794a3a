// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Runs two simulations side by side and finds where they part: tick, phase,
// object, field and both values, exactly.

#ifndef REPRISE_REPLAYS_COMPARING_RUN_COMPARISON_H_
#define REPRISE_REPLAYS_COMPARING_RUN_COMPARISON_H_

#include <cstddef>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "replays/comparing/divergence_growth.h"
#include "replays/format/input_source.h"
#include "replays/format/replay_reader.h"
#include "replays/format/schema_difference.h"
#include "replays/verifying/divergence.h"
#include "replays/verifying/verifier.h"
#include "sim/base/digest.h"
#include "sim/base/tick.h"
#include "sim/simulation.h"
#include "sim/state/state.h"

namespace reprise::replays {

// One of two runs. Both members must remain live during the comparison, which
// leaves the simulation at some later tick. REQUIRES: both simulations are at
// the same tick, and the inputs weren't asked for that or a later one yet.
struct RunSide {
  sim::Simulation* simulation = nullptr;
  InputSource* inputs = nullptr;
};

struct CompareOptions {
  // Where to stop at the latest; otherwise the shorter side decides.
  std::optional<sim::Tick> tick_count = std::nullopt;
  size_t fields_max = 16;
  // For how many ticks to follow a difference, from its own on; 0: not at all.
  sim::Tick growth_ticks = 60;
  // The chain up to and with the tick that both start at; needed where that
  // isn't 0 and the states are to be kept.
  std::optional<sim::Digest> chain = std::nullopt;
  // What was recorded of `expected`, to hold it against; may be null, and must
  // otherwise remain live during the comparison.
  const ReplayReader* recording = nullptr;
  ProgressCallback progress = nullptr;
};

// What a difference began with, and what it came to when its tick was over.
struct DivergedStates {
  sim::Tick tick = 0;
  sim::State before;  // equal on both sides, before the inputs of `tick`
  sim::Digest chain;  // up to and with that one
  sim::State expected;
  sim::State actual;
};

// What was recorded of a state that the run no longer has.
struct RecordedState {
  sim::Tick tick = 0;
  sim::Digest root;
};

struct RunComparison {
  // From tick 0 up to this one the runs were held against each other.
  sim::Tick ticks_compared = 0;
  // What it cost: ticks made by both simulations together, until the difference
  // was found and described.
  sim::Tick ticks_stepped = 0;
  // What only one side's state consists of. Where there is any, only what both
  // have is compared, and `states` stays unset: no whole state is common.
  std::vector<SchemaDifference> schema_differences;
  // The lengths of both sides' inputs.
  std::optional<sim::Tick> expected_tick_count;
  std::optional<sim::Tick> actual_tick_count;
  // The first tick at which the players give something else. States may differ
  // later, or never.
  std::optional<sim::Tick> first_input_difference;
  // The first difference of the states. If it is exact, `expected` and `actual`
  // of its fields are the values after `phase`.
  std::optional<Divergence> divergence;
  // The first recorded state that `expected` didn't have, looked for up to the
  // difference. Where there is one, `expected` isn't the recorded run.
  std::optional<RecordedState> first_unlike_recording;
  // The fields that differ once its tick is over, if it was made before the
  // last phase: the first difference is often an input, and says nothing yet of
  // the objects.
  std::optional<Divergence> consequence;
  std::optional<DivergedStates> states;
  std::optional<DivergenceGrowth> growth;
  // Of the state that the comparison ended with.
  sim::Outcome expected_outcome;
  sim::Outcome actual_outcome;

  // Same states at every tick compared, and as many ticks on both sides.
  bool is_equal() const {
    return !divergence.has_value() && schema_differences.empty() &&
           expected_tick_count == actual_tick_count;
  }
};

// Steps both side by side. FAILED_PRECONDITION: their states have no table in
// common. INVALID_ARGUMENT: neither side nor the options say when to stop.
// Other errors: those of the inputs and of `options.progress`.
absl::StatusOr<RunComparison> CompareRuns(const RunSide& expected,
                                          const RunSide& actual,
                                          const CompareOptions& options);

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_COMPARING_RUN_COMPARISON_H_
