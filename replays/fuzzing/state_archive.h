// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The states that a search can go on from, and what it knows of how new they
// are: which one to go on from next, and which to drop where there are too
// many, or they and what is known take too much memory.

#ifndef REPRISE_REPLAYS_FUZZING_STATE_ARCHIVE_H_
#define REPRISE_REPLAYS_FUZZING_STATE_ARCHIVE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "replays/format/input_source.h"
#include "replays/fuzzing/checks/run_watch.h"
#include "replays/fuzzing/feedback/run_novelty.h"
#include "replays/fuzzing/inputs/action_changes.h"
#include "replays/fuzzing/inputs/played_inputs.h"
#include "replays/fuzzing/shared_pages.h"
#include "sim/base/random.h"
#include "sim/base/tick.h"
#include "sim/state/state.h"

namespace reprise::replays {

// What was played from the state before up to this one.
struct PlayedStep {
  PlayedStep() = default;
  PlayedStep(const PlayedStep&) = delete;
  PlayedStep& operator=(const PlayedStep&) = delete;
  // Those before it that nobody else holds go one after the other, however many
  // they are.
  ~PlayedStep();

  // Its bytes are part of `total` from now on, as long as it lives.
  void CountIn(std::shared_ptr<uint64_t> total);

  uint64_t id = 0;  // of the state that it led to, for the journal
  std::shared_ptr<const PlayedStep> before;
  std::vector<TickInputs> ticks;
  sim::Tick end = 0;

 private:
  std::shared_ptr<uint64_t> total_;  // null: it isn't counted
  uint64_t bytes_ = 0;
};

// What they take in memory.
uint64_t BytesOf(std::span<const TickInputs> inputs);

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
  // `score_count` numbers are maximized. What is held takes at most
  // `bytes_max`, as far as DropLeastUseful can see to it: it leaves the start.
  StateArchive(size_t score_count, uint64_t bytes_max);
  StateArchive(const StateArchive&) = delete;
  StateArchive& operator=(const StateArchive&) = delete;

  // Of its bytes a search may add so many until DropLeastUseful is called:
  // those of states that may be kept, and of the inputs that led there. It is
  // so much less than DropLeastUseful leaves that the last state may come on
  // top.
  uint64_t bytes_of_round() const { return bytes_max_ / 5; }

  // Features by their hashes, and in how many pieces they came. They take at
  // most a quarter of the bytes; from then on all others count as known.
  bool HasFeature(uint64_t feature) const {
    return features_.contains(feature) || has_all_features();
  }
  // Returns whether it wasn't there.
  bool AddFeature(uint64_t feature) {
    if (has_all_features()) return false;
    return features_.try_emplace(feature).second;
  }
  void CountFeature(uint64_t feature);
  bool has_all_features() const {
    return features_.size() >= bytes_max_ / 4 / kBytesOfFeature;
  }

  // nullopt: no value yet.
  const std::vector<std::optional<double>>& best_scores() const {
    return best_scores_;
  }
  // Returns whether one is better than before; then the state has to be added.
  bool AddScores(const std::vector<std::optional<double>>& scores,
                 const ArchivedState* state);

  void Add(std::unique_ptr<ArchivedState> state);

  // A step whose bytes count here while it lives.
  void Count(PlayedStep& step) const { step.CountIn(input_bytes_); }
  // A state that somebody else keeps counts here, too, until it is left.
  void Hold(const ArchivedState& state);
  void Leave(const ArchivedState& state);

  // The start comes first.
  const std::vector<std::unique_ptr<ArchivedState>>& states() const {
    return states_;
  }
  // Of snapshots, pages that several share counted once.
  uint64_t snapshot_bytes() const { return pages_.bytes(); }
  const SharedPages& pages() const { return pages_; }
  // Of everything: snapshots, what is known of each state, the inputs that led
  // to them and to those whose runs weren't taken yet, and features.
  uint64_t bytes() const {
    return pages_.bytes() + state_bytes_ + *input_bytes_ +
           features_.size() * kBytesOfFeature;
  }

  // Makes weights anew, by which Choose goes. Returns whether there is a state
  // to go on from.
  bool Weigh();
  // REQUIRES: Weigh() returned true, and nothing changed since.
  const ArchivedState& Choose(sim::RandomStream& stream) const;

  // Drops the least useful quarter where there are more than 8,192, and as many
  // as it takes where all of it takes more than three quarters of the bytes;
  // never the start. TakeRuns takes the runs to those that weren't taken yet
  // all the same; to those that only tables tell apart if `keeps_runs`. Returns
  // how many.
  size_t DropLeastUseful(bool keeps_runs);

  // All runs up to now count as taken.
  void ForgetRuns();
  // Whether they take so much that they are best taken soon.
  bool has_many_runs() const {
    return untaken_.size() > kUntakenMax || *input_bytes_ > bytes_max_ / 8;
  }

  // The fewest runs that go through all states that weren't taken yet. Those
  // that only tables tell apart are left out unless `has_all`.
  std::vector<PlayedInputs> TakeRuns(bool has_all);

  // Runs to states that lead to no other one that is here, and at which the
  // game goes on: at most `count_max`, spread over them.
  std::vector<PlayedInputs> OpenEnds(size_t count_max) const;

 private:
  // An entry of the table, as the allocator rounds it, and its bucket.
  static constexpr uint64_t kBytesOfFeature = 48;
  static constexpr size_t kUntakenMax = 4096;

  double WeightOf(const ArchivedState& state) const;
  bool IsBest(const ArchivedState* state) const;
  void Drop(ArchivedState& state, bool keeps_runs);

  const uint64_t bytes_max_;
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
  SharedPages pages_;
  uint64_t state_bytes_ = 0;  // beside pages and inputs
  // Outlives the steps that are counted, which others may hold.
  const std::shared_ptr<uint64_t> input_bytes_ = std::make_shared<uint64_t>(0);
  std::vector<std::optional<double>> best_scores_;
  std::vector<const ArchivedState*> best_states_;
};

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_FUZZING_STATE_ARCHIVE_H_
