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

struct ConformanceFailure {
  // The number of ticks after which it shows.
  sim::Tick tick = 0;
  // A field and its two values, or what the simulation says.
  std::string difference;
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

// All checks, in the order in which they are made.
std::span<const ConformanceCheck> ConformanceChecks();

// Makes every check over all ticks of `inputs`; `progress` is told how many
// checks are made. Errors are `create`'s. About a dozen runs are made, and of
// each tick a snapshot is kept.
absl::StatusOr<std::vector<ConformanceResult>> CheckConformance(
    const SimulationMaker& create, const ConformanceInputs& inputs,
    const std::function<void(size_t)>& progress);

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_CONFORMING_CONFORMANCE_H_
