// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The contract of a simulation, tried: one run is made again and again in ways
// that must not matter, and the first tick and field that differ are named,
// with the mistake that usually is behind them.

#ifndef REPRISE_REPLAYS_CONFORMING_CONFORMANCE_H_
#define REPRISE_REPLAYS_CONFORMING_CONFORMANCE_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "sim/base/tick.h"
#include "sim/input/input_frame.h"
#include "sim/simulation.h"
#include "sim/state/field_value.h"
#include "sim/state/state.h"

namespace reprise::replays {

// A new simulation of one pack and seed, each time.
using SimulationMaker =
    std::function<absl::StatusOr<std::unique_ptr<sim::Simulation>>()>;

// What is tried.
struct ConformanceCheck {
  std::string_view name;   // "restored"
  std::string_view claim;  // what must not matter
  std::string_view cause;  // the usual one where it does
};

// A field that differs, of whose row both have one.
struct ConformanceField {
  std::string text;  // "orchard.game basket_x: 1.5 | 0 [m]"
  std::optional<sim::FieldValue> expected;
  std::optional<sim::FieldValue> actual;
};

struct ConformanceFailure {
  // The number of ticks after which it shows.
  sim::Tick tick = 0;
  // A field and its two values, or what the simulation says.
  std::string difference;
  // The first fields that differ; none where it says something.
  std::vector<ConformanceField> fields = {};
};

struct ConformanceResult {
  const ConformanceCheck* check = nullptr;
  std::optional<ConformanceFailure> failure;
};

// The inputs of a run, tick by tick; of a tick behind the last there are none.
using ConformanceInputs = std::vector<std::vector<sim::InputFrame>>;

// Random inputs in the game's grammar for so many ticks, the same for a seed.
ConformanceInputs MakeConformanceInputs(const sim::InputGrammar& grammar,
                                        sim::Tick tick_count, uint64_t seed);

// What is tried within one process, in this order.
std::span<const ConformanceCheck> ConformanceChecks();

// A run, and others that are held against it. Used by one thread; of each tick
// a snapshot is kept.
class ConformanceRun {
 public:
  using OnTick = std::function<void(sim::Tick)>;

  // `on_tick` is told of each tick that is about to be made, also on another
  // thread, one at a time.
  ConformanceRun(SimulationMaker create, ConformanceInputs inputs,
                 OnTick on_tick);

  // Makes the run. A failure is what the simulation says, after so many ticks;
  // an error is `create`'s.
  absl::StatusOr<std::optional<ConformanceFailure>> MakeReference();

  // The rest REQUIRES that MakeReference() found no failure.
  //
  // Makes one of ConformanceChecks().
  std::optional<ConformanceFailure> Make(const ConformanceCheck& check) const;

  // Whether an encoded state of another process is that after `tick` ticks.
  std::optional<ConformanceFailure> Compare(sim::Tick tick,
                                            std::string_view state) const;

  // The states before each tick, and after the last.
  std::span<const sim::State> states() const { return states_; }

 private:
  const SimulationMaker create_;
  const ConformanceInputs inputs_;
  const OnTick on_tick_;
  std::vector<sim::State> states_;
};

// Makes every check over all ticks of `inputs`; `progress` is told how many
// checks are made. Errors are `create`'s, and what ends the run itself.
absl::StatusOr<std::vector<ConformanceResult>> CheckConformance(
    const SimulationMaker& create, const ConformanceInputs& inputs,
    const std::function<void(size_t)>& progress);

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_CONFORMING_CONFORMANCE_H_
