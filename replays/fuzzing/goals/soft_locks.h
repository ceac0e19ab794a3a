// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Looks for soft locks: states in which the game goes on, and from which nobody
// gets to the goal any more.

#ifndef REPRISE_REPLAYS_FUZZING_GOALS_SOFT_LOCKS_H_
#define REPRISE_REPLAYS_FUZZING_GOALS_SOFT_LOCKS_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "absl/status/statusor.h"
#include "replays/format/input_source.h"
#include "replays/fuzzing/checks/run_oracle.h"
#include "replays/fuzzing/checks/run_watch.h"
#include "replays/fuzzing/feedback/code_places.h"
#include "replays/fuzzing/fuzz_campaign.h"
#include "replays/fuzzing/fuzz_journal.h"
#include "sim/base/tick.h"
#include "sim/simulation.h"

namespace reprise::replays {

struct SoftLockOptions {
  std::string goal;  // a condition in the language of queries
  // How long a way is searched from a state; before it counts as none, four
  // times as long with other inputs.
  uint64_t goal_ticks = 100'000;
  uint64_t seed = 0;
  uint64_t memory_bytes_max = uint64_t{512} << 20;  // as in FuzzOptions
  FuzzJournal* journal = nullptr;    // beaten at each tick; may be null
  const CodePlaces* code = nullptr;  // as in GoalSearchOptions
};

struct SoftLocks {
  uint64_t states_tried = 0;  // ends of runs that hadn't been at the goal
  uint64_t states_locked = 0;
  uint64_t ticks = 0;  // that the searches took
  // The shortest run that is locked, up to the tick from which on it is: a tick
  // before there was a way. Its signature is "soft lock".
  std::optional<FoundFailure> failure;
};

// Tries the ends of `runs`, which begin at `start`, at tick 0: what is locked
// stays so, so the ends tell of all before them. That no way was found is no
// proof that there is none. NOT_FOUND: none was found from the start either;
// INVALID_ARGUMENT: the goal.
absl::StatusOr<SoftLocks> FindSoftLocks(const sim::Simulation& start,
                                        std::span<const PlayedInputs> runs,
                                        const SoftLockOptions& options);

// Says of each run whether it is locked at its end, and then since which tick:
// what minimizing a soft lock asks. A run from whose end there is a way costs
// the way; one that is locked, goal_ticks many times over.
class SoftLockOracle final : public RunOracle {
 public:
  // `start` is at tick 0 and must remain live. NOT_FOUND, INVALID_ARGUMENT: as
  // FindSoftLocks.
  static absl::StatusOr<std::unique_ptr<SoftLockOracle>> Create(
      const sim::Simulation* start, SoftLockOptions options);
  ~SoftLockOracle() override;

  std::optional<RunFailure> Run(std::span<const TickInputs> inputs,
                                sim::Tick tick_count) override;
  void Adopt() override {}
  uint64_t ticks() const override;

 private:
  class Goal;

  explicit SoftLockOracle(std::unique_ptr<Goal> goal);

  const std::unique_ptr<Goal> goal_;
};

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_FUZZING_GOALS_SOFT_LOCKS_H_
