// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The states that a search can go on from, and what it knows of how new they
// are: which one to go on from next, and which to drop where there are too
// many.

#ifndef REPRISE_REPLAYS_FUZZING_STATE_ARCHIVE_H_
#define REPRISE_REPLAYS_FUZZING_STATE_ARCHIVE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "replays/format/input_source.h"
#include "replays/fuzzing/action_changes.h"
#include "replays/fuzzing/run_novelty.h"
#include "replays/fuzzing/run_watch.h"
#include "sim/base/random.h"
#include "sim/base/state.h"
#include "sim/base/tick.h"

namespace reprise::replays {

// A run from the start.
struct PlayedInputs {
  std::vector<TickInputs> ticks;
  sim::Tick tick_count = 0;

  friend bool operator==(const PlayedInputs&, const PlayedInputs&) = default;
};

// What was played from the state before up to this one.
struct PlayedStep {
  PlayedStep() = default;
  PlayedStep(const PlayedStep&) = delete;
  PlayedStep& operator=(const PlayedStep&) = delete;
  // Those before it that nobody else holds go one after the other, however many
  // they are.
  ~PlayedStep();

  uint64_t id = 0;  // of the state that it led to, for the journal
  std::shared_ptr<const PlayedStep> before;
  std::vector<TickInputs> ticks;
  sim::Tick end = 0;
};

// All that was played up to there.
PlayedInputs InputsOf(const PlayedStep& last);

struct ArchivedState {
  sim::State snapshot;
  sim::Tick tick = 0;
  HeldDevices held;
  RunMemory memory;
  std::shared_ptr<const PlayedStep> played;
  bool is_over = false;   // the game has been decided
  bool is_taken = false;  // by TakeRuns
  bool is_told_by_tables = true;
  double worth = 1.0;
  std::vector<uint64_t> features;  // that count as rare or not
  mutable uint64_t chosen = 0;
};

// How much likelier a state is chosen for the best feature that it has: what a
// pack asks for goes before what merely happened.
double WorthOf(Feature::Kind kind);

class StateArchive {
 public:
  // `score_count` numbers are maximized. Of snapshots, pages that several share
  // counted once, so many bytes are kept.
  StateArchive(size_t score_count, uint64_t snapshot_bytes_max);
  StateArchive(const StateArchive&) = delete;
  StateArchive& operator=(const StateArchive&) = delete;

  // Features by their hashes, and in how many pieces they came.
  bool HasFeature(uint64_t feature) const {
    return features_.contains(feature);
  }
  // Returns whether it wasn't there.
  bool AddFeature(uint64_t feature) {
    return features_.try_emplace(feature).second;
  }
  void CountFeature(uint64_t feature);

  // nullopt: no value yet.
  const std::vector<std::optional<double>>& best_scores() const {
    return best_scores_;
  }
  // Returns whether one is better than before; then the state has to be added.
  bool AddScores(const std::vector<std::optional<double>>& scores,
                 const ArchivedState* state);

  void Add(std::unique_ptr<ArchivedState> state);

  // The start comes first.
  const std::vector<std::unique_ptr<ArchivedState>>& states() const {
    return states_;
  }
  uint64_t snapshot_bytes() const { return snapshot_bytes_; }

  // Makes weights anew, by which Choose goes. Returns whether there is a state
  // to go on from.
  bool Weigh();
  // REQUIRES: Weigh() returned true, and nothing changed since.
  const ArchivedState& Choose(sim::RandomStream& stream) const;

  // Drops the least useful quarter where there is too much; never the start.
  // TakeRuns takes the runs to those that weren't taken yet all the same; to
  // those that only tables tell apart if `keeps_runs`. Returns how many.
  size_t DropLeastUseful(bool keeps_runs);

  // The fewest runs that go through all states that weren't taken yet. Those
  // that only tables tell apart are left out unless `has_all`.
  std::vector<PlayedInputs> TakeRuns(bool has_all);

  // Runs to states that lead to no other one that is here, and at which the
  // game goes on: at most `count_max`, spread over them.
  std::vector<PlayedInputs> OpenEnds(size_t count_max) const;

 private:
  double WeightOf(const ArchivedState& state) const;
  bool IsBest(const ArchivedState* state) const;
  void CountPages(const sim::State& state, bool is_added);

  const uint64_t snapshot_bytes_max_;
  std::vector<std::unique_ptr<ArchivedState>> states_;
  std::vector<double> weight_sums_;  // up to and with each state
  // A state that was dropped before TakeRuns took it.
  struct Untaken {
    std::shared_ptr<const PlayedStep> played;
    bool is_told_by_tables = true;
  };
  std::vector<Untaken> untaken_;
  // Never walked through: their order is nobody's.
  std::unordered_map<uint64_t, uint64_t> features_;
  std::unordered_map<const std::byte*, uint32_t> pages_;
  uint64_t snapshot_bytes_ = 0;
  std::vector<std::optional<double>> best_scores_;
  std::vector<const ArchivedState*> best_states_;
};

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_FUZZING_STATE_ARCHIVE_H_
