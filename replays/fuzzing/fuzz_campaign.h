// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Searches a game for what it hasn't done yet, and for what it may not do: goes
// on from states that were new instead of playing from tick 0. What it finds
// follows from the game, the rules, the seed, the number of jobs and the sizes
// of the rounds that it is asked for, never from time or threads.

#ifndef REPRISE_REPLAYS_FUZZING_FUZZ_CAMPAIGN_H_
#define REPRISE_REPLAYS_FUZZING_FUZZ_CAMPAIGN_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "replays/format/input_source.h"
#include "replays/fuzzing/checks/run_watch.h"
#include "replays/fuzzing/feedback/code_places.h"
#include "replays/fuzzing/feedback/fuzz_rules.h"
#include "replays/fuzzing/feedback/run_novelty.h"
#include "replays/fuzzing/feedback/state_coverage.h"
#include "replays/fuzzing/fuzz_job.h"
#include "replays/fuzzing/fuzz_journal.h"
#include "replays/fuzzing/inputs/action_changes.h"
#include "replays/fuzzing/inputs/input_mutation.h"
#include "replays/fuzzing/state_archive.h"
#include "sim/base/tick.h"
#include "sim/simulation.h"

namespace reprise::replays {

inline constexpr uint32_t kFuzzJobsMax = 256;

struct FuzzOptions {
  uint64_t seed = 0;         // of the inputs; that of the game is its own
  uint32_t jobs = 1;         // 1 to kFuzzJobsMax, each a thread
  uint64_t first_round = 0;  // a campaign that goes on draws other inputs
  // What the search may hold beside the games that its jobs play: states, pages
  // that several share counted once; the inputs that lead to them; what tells
  // states apart; and what a round brings. What is least useful goes first; the
  // start stays, whatever it takes.
  uint64_t memory_bytes_max = uint64_t{512} << 20;
  // Whether TakeRuns is called: runs to states that were dropped are kept for
  // it.
  bool keeps_runs = true;
  // Of this many pieces one is played again from a saved state; 0: none.
  uint64_t restore_check_interval = 32;
  // Of this many pieces of a job, the end of one is made again in a way that
  // must not matter (see PerturbedRun), at most 64 ticks; 0: none.
  uint64_t perturbation_check_interval = 64;
  std::vector<uint32_t> players;   // who do something; empty: all
  HeldDevices held;                // by players at the start; empty: nothing
  FuzzJournal* journal = nullptr;  // may be null; must remain live
  // Places that count as new when a run comes to them first. Of pieces that
  // bring none for a while, one in eight is looked at. May be null; must
  // remain live.
  const CodePlaces* code = nullptr;
};

struct FoundFailure {
  RunFailure failure;
  PlayedInputs inputs;  // up to the failure's tick
  uint64_t count = 1;   // how often it came
};

// Something that came for the first time.
struct FuzzNews {
  std::string text;    // "sometimes opened", "event door_opened", "outcome won"
  sim::Tick tick = 0;  // of the run
  uint64_t ticks_done = 0;  // of the campaign, when its round began

  friend bool operator==(const FuzzNews&, const FuzzNews&) = default;
};

struct FuzzProgress {
  uint64_t ticks = 0;  // stepped
  uint64_t rounds = 0;
  uint64_t pieces = 0;
  uint64_t refused_ticks = 0;    // whose inputs the game refused
  uint64_t perturbed_ticks = 0;  // made again, beside `ticks`
  uint64_t states = 0;           // that can be gone on from
  uint64_t states_dropped = 0;
  uint64_t features = 0;
  uint64_t snapshot_bytes = 0;
  uint64_t memory_bytes = 0;       // of all that memory_bytes_max is about
  uint64_t memory_bytes_most = 0;  // that it ever came to
  bool has_all_features = false;   // nothing more counts as new but scores
  sim::Tick deepest = 0;

  friend bool operator==(const FuzzProgress&, const FuzzProgress&) = default;
};

class FuzzCampaign {
 public:
  // Ticks that a job makes in a round before what it found is merged.
  static constexpr sim::Tick kRoundTicks = 4096;

  // `start` is forked. Runs begin there: at tick 0, but for who only asks what
  // can still come. INVALID_ARGUMENT: jobs out of range.
  static absl::StatusOr<std::unique_ptr<FuzzCampaign>> Create(
      const sim::Simulation& start, FuzzRules rules,
      const FuzzOptions& options);

  FuzzCampaign(const FuzzCampaign&) = delete;
  FuzzCampaign& operator=(const FuzzCampaign&) = delete;
  ~FuzzCampaign();

  // Plays a run that is known, and keeps what is new in it. What the game
  // refuses of it is left out and counted. What it has in common with the run
  // before isn't played again, so those that begin alike are best added one
  // after the other. Memory stays within its bound meanwhile, beside the run,
  // where it `is_kept` already, so that TakeRuns need not take it. Returns
  // whether it was played as it is: up to its end, without a failure, and the
  // game refused nothing.
  bool AddRun(const PlayedInputs& run, bool is_kept = false);

  // Makes about `ticks` ticks, at most kRoundTicks a job, and fewer where what
  // they bring takes a fifth of the memory. Does nothing where the game fails
  // at tick 0.
  void RunRound(sim::Tick ticks);

  const FuzzRules& rules() const { return rules_; }
  const FuzzProgress& progress() const { return progress_; }
  // By signature.
  const std::map<std::string, FoundFailure>& failures() const {
    return failures_;
  }
  // What came since the last call.
  std::vector<FuzzNews> TakeNews();

  // How many values of each set were seen.
  const std::vector<uint64_t>& set_counts() const { return set_counts_; }
  // The best that maximize and minimize came to; nullopt: no value.
  std::vector<std::optional<double>> BestScores() const;
  // What came in some run: ids of events, indices of actions that players used,
  // and how runs ended.
  const std::set<uint64_t>& events_came() const { return events_came_; }
  const std::set<uint32_t>& actions_used() const { return actions_used_; }
  const std::set<sim::Outcome::Status>& outcomes_came() const {
    return outcomes_came_;
  }
  // Null where code isn't looked at; and the places that runs came to, beside
  // those of the start.
  const CodePlaces* code() const { return options_.code; }
  const std::set<uint32_t>& code_came() const { return code_came_; }
  // Of the states that were new.
  const StateCoverage& coverage() const { return *coverage_; }
  // What of sometimes and reachable never came, in words.
  std::vector<std::string> NeverCame() const;

  // As of StateArchive, for who keeps a corpus.
  std::vector<PlayedInputs> TakeRuns(bool has_all) {
    return archive_.TakeRuns(has_all);
  }
  // Whether they are best taken soon: those of dropped states take memory.
  bool has_many_runs() const { return archive_.has_many_runs(); }
  std::vector<PlayedInputs> OpenEnds(size_t count_max) const {
    return archive_.OpenEnds(count_max);
  }

 private:
  FuzzCampaign(FuzzRules rules, const FuzzOptions& options);

  void AddRoot(const sim::Simulation& start);
  const ArchivedState& StartOf(const PlayedInputs& run);
  void KeepPart(std::unique_ptr<ArchivedState> state,
                const std::shared_ptr<const PlayedStep>& before,
                std::span<const TickInputs> inputs);
  void Merge(FuzzJobResult& result);
  // Returns the last step that led to a state which was kept.
  std::shared_ptr<const PlayedStep> MergeSegment(FuzzSegment& segment);
  void CountActions(const FuzzSegment& segment);
  void MergeCandidate(FuzzSegment& segment, FuzzCandidate& candidate,
                      std::shared_ptr<const PlayedStep>& played);
  void TellOf(const Feature& feature, const FuzzCandidate& candidate);
  void DropStates(bool keeps_runs);
  void LeaveParts(size_t count);
  void CountStates();
  void KeepPiece(const InputPiece& piece);
  void AddFailure(RunFailure failure, PlayedInputs inputs);

  const FuzzRules rules_;
  const FuzzOptions options_;
  sim::InputGrammar grammar_;
  std::unique_ptr<InputMutator> mutator_;
  StateArchive archive_;
  std::vector<std::unique_ptr<FuzzJob>> jobs_;
  // The run that was added last, and states of it, ascending by tick.
  PlayedInputs last_run_;
  std::vector<std::unique_ptr<ArchivedState>> last_parts_;
  sim::Tick played_as_is_ = 0;      // up to this tick of that run
  uint64_t state_count_ = 0;        // that were ever gone on from
  std::vector<InputPiece> pieces_;  // that led to something
  uint64_t piece_count_ = 0;
  std::map<std::string, FoundFailure> failures_;
  std::vector<FuzzNews> news_;
  std::vector<bool> sometimes_came_;
  std::set<uint64_t> events_came_;  // ids
  std::set<uint32_t> actions_used_;
  std::set<uint32_t> code_came_;
  std::set<sim::Outcome::Status> outcomes_came_;
  std::unique_ptr<StateCoverage> coverage_;
  std::vector<uint64_t> set_counts_;
  uint64_t round_ = 0;
  uint64_t ticks_before_round_ = 0;
  FuzzProgress progress_;
};

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_FUZZING_FUZZ_CAMPAIGN_H_
