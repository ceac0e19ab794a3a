// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Says when a run has failed: what always holds doesn't, what may not come
// comes, a number is none, something has left the world, grows without end or
// stands still. A failure is known by its signature, which is the same however
// the run got there.

#ifndef REPRISE_REPLAYS_FUZZING_CHECKS_RUN_WATCH_H_
#define REPRISE_REPLAYS_FUZZING_CHECKS_RUN_WATCH_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "replays/fuzzing/feedback/fuzz_rules.h"
#include "replays/fuzzing/feedback/state_scan.h"
#include "replays/query/query_evaluation.h"
#include "sim/base/tick.h"
#include "sim/event.h"
#include "sim/simulation.h"
#include "sim/state/state.h"

namespace reprise::replays {

// The signature of a tick that the simulation couldn't make: code from outside
// said so. The run ends there, and has no digest of the state behind it.
inline constexpr std::string_view kStepFailed = "step failed";

struct RunFailure {
  // One line: "always lives", "out of the world physics.bodies.position.y".
  std::string signature;
  std::string message;  // the same with object and values
  sim::Tick tick = 0;   // at which it showed

  friend bool operator==(const RunFailure&, const RunFailure&) = default;
};

// What a watch keeps of a run from tick to tick.
struct RunMemory {
  sim::Tick last_change = 0;  // when something went on
  uint64_t inputs_since = 0;  // ticks at which players did something
};

// Used by one thread at a time.
class RunWatch {
 public:
  // `rules` must remain live. `start` is of the pack, at tick 0.
  RunWatch(const FuzzRules* rules, const sim::Simulation& start);

  // The run goes on from a state that was looked at before.
  void Restore(const sim::State& snapshot, const RunMemory& memory);
  const RunMemory& memory() const { return memory_; }

  // Looks at the words: `events` are those of the step that led to the state,
  // in which players did something or not.
  std::optional<RunFailure> Look(const sim::Simulation& simulation,
                                 std::span<const sim::Event> events,
                                 bool has_inputs);

  // Looks through the tables, and appends what StateScan does. May be called
  // at any ticks after Look.
  std::optional<RunFailure> Scan(const sim::Simulation& simulation,
                                 std::vector<uint64_t>& buckets);

 private:
  std::optional<RunFailure> CheckAlways(const sim::Simulation& simulation,
                                        std::span<const sim::Event> events);
  static RunFailure FailureOf(const ScanFinding& finding,
                              const sim::Simulation& simulation);

  const FuzzRules& rules_;
  std::vector<QueryEvaluation> always_;
  StateScan scan_;
  RunMemory memory_;
};

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_FUZZING_CHECKS_RUN_WATCH_H_
