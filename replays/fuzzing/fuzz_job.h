// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Plays pieces of inputs from states of an archive, and tells what was new.

#ifndef REPRISE_REPLAYS_FUZZING_FUZZ_JOB_H_
#define REPRISE_REPLAYS_FUZZING_FUZZ_JOB_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <unordered_set>
#include <vector>

#include "replays/format/input_source.h"
#include "replays/fuzzing/checks/perturbed_run.h"
#include "replays/fuzzing/checks/run_watch.h"
#include "replays/fuzzing/feedback/code_places.h"
#include "replays/fuzzing/feedback/fuzz_rules.h"
#include "replays/fuzzing/feedback/run_novelty.h"
#include "replays/fuzzing/fuzz_journal.h"
#include "replays/fuzzing/inputs/action_changes.h"
#include "replays/fuzzing/inputs/input_mutation.h"
#include "replays/fuzzing/shared_pages.h"
#include "replays/fuzzing/state_archive.h"
#include "sim/base/id.h"
#include "sim/base/random.h"
#include "sim/base/tick.h"
#include "sim/event.h"
#include "sim/input/input_grammar.h"
#include "sim/simulation.h"
#include "sim/state/state.h"

namespace reprise::replays {

// A state that may be kept.
struct FuzzCandidate {
  sim::State snapshot;
  sim::Tick tick = 0;
  HeldDevices held;
  RunMemory memory;
  bool is_over = false;
  bool is_best = false;
  std::vector<Feature> features;
  std::vector<std::optional<double>> scores;
};

// A piece that was played, and what came of it.
struct FuzzSegment {
  const ArchivedState* from = nullptr;
  InputPiece piece;
  std::vector<TickInputs> inputs;  // those that were played
  std::vector<FuzzCandidate> candidates;
  std::vector<uint64_t> hits;  // each feature once
  std::optional<RunFailure> failure;
  // Of the tick that failed.
  std::vector<sim::Id> last_events;
  std::vector<uint32_t> last_places;
};

struct FuzzJobResult {
  std::vector<FuzzSegment> segments;
  uint64_t ticks = 0;
  uint64_t refused_ticks = 0;
  uint64_t perturbed_ticks = 0;  // beside the others
};

// What all jobs of a campaign look at. It stays as it is while they run.
struct FuzzShared {
  const FuzzRules* rules = nullptr;
  const sim::InputGrammar* grammar = nullptr;
  const InputMutator* mutator = nullptr;
  const StateArchive* archive = nullptr;
  const std::vector<InputPiece>* pieces = nullptr;  // that led to something
  FuzzJournal* journal = nullptr;                   // may be null
  const CodePlaces* code = nullptr;                 // may be null
  uint64_t restore_check_interval = 0;              // as in FuzzOptions
  uint64_t perturbation_check_interval = 0;         // the same
  uint64_t bytes_of_round = UINT64_MAX;             // of each job's result
};

class FuzzJob {
 public:
  // What `shared` points to outlives this.
  FuzzJob(const FuzzShared& shared, uint32_t index,
          std::unique_ptr<sim::Simulation> simulation);
  FuzzJob(const FuzzJob&) = delete;
  FuzzJob& operator=(const FuzzJob&) = delete;

  // Plays pieces until about `ticks` ticks are made, or what came of them takes
  // the bytes of a round. REQUIRES: the archive has a state to go on from.
  void Run(sim::Tick ticks, sim::RandomStream stream);

  // Plays a part of a run that was recorded elsewhere: from the tick of `from`
  // up to `end`, or to where what came of it takes the bytes of a round.
  // Returns the state there, without how it was played; null where the run
  // fails before, or the game is over.
  std::unique_ptr<ArchivedState> PlayPart(const ArchivedState& from,
                                          const PlayedInputs& run,
                                          sim::Tick end);

  // Of the last call of one of these.
  FuzzJobResult& result() { return result_; }

  const sim::Simulation& simulation() const { return *simulation_; }
  RunWatch& watch() { return watch_; }
  RunNovelty& novelty() { return novelty_; }

 private:
  InputPiece NextPiece(sim::RandomStream& stream) const;
  bool CountsCode() const;
  void Play(std::span<const TickInputs> inputs, sim::Tick length,
            sim::RandomStream& stream, FuzzSegment& segment);
  std::optional<sim::Tick> NextSave(sim::RandomStream& stream, sim::Tick begin,
                                    sim::Tick end) const;
  bool Step(std::span<const sim::InputFrame> frames, bool is_last,
            FuzzSegment& segment);
  bool Fail(std::span<const sim::Event> events, FuzzSegment& segment) const;
  void Keep(bool is_over, bool is_last, FuzzSegment& segment);
  bool IsBetter() const;
  void Push(FuzzCandidate candidate, FuzzSegment& segment);
  bool is_full() const {
    return pages_.bytes() + bytes_beside_ >= shared_.bytes_of_round;
  }
  void Clear();
  void CheckRestore(const std::string& saved, sim::Tick tick,
                    FuzzSegment& segment);
  std::optional<Perturbation> NextPerturbation(sim::Tick begin, sim::Tick end);
  void CheckPerturbation(Perturbation perturbation, const sim::State& snapshot,
                         sim::Tick tick, FuzzSegment& segment);

  const FuzzShared shared_;
  const uint32_t index_;
  const std::unique_ptr<sim::Simulation> simulation_;
  const std::unique_ptr<CodeWatch> code_;  // may be null; goes first
  RunWatch watch_;
  RunNovelty novelty_;
  FuzzJobResult result_;
  // Of the candidates, without those that the archive has; and what else the
  // result takes.
  SharedPages pages_;
  uint64_t bytes_beside_ = 0;
  // Found in this round by this job. Never walked through.
  std::unordered_set<uint64_t> local_;
  // Of the piece.
  std::set<uint64_t> hits_;
  HeldDevices held_;
  uint32_t table_states_ = 0;
  std::optional<FuzzCandidate> score_candidate_;
  bool keeps_all_ = false;
  // Since this job came to a place of code that nobody knew.
  uint64_t pieces_without_new_code_ = 0;
  uint64_t pieces_ = 0;        // that it made up itself
  std::vector<Feature> seen_;  // of the tick
  std::vector<uint64_t> buckets_;
  std::vector<uint32_t> places_;
};

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_FUZZING_FUZZ_JOB_H_
