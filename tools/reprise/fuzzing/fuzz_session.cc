// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/fuzzing/fuzz_session.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <memory>
#include <mutex>
#include <set>
#include <stop_token>
#include <thread>
#include <utility>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "fmt/ostream.h"
#include "replays/fuzzing/corpus/fuzz_corpus.h"
#include "tools/reprise/fuzzing/coverage_scope.h"
#include "tools/reprise/fuzzing/failure_capsule.h"
#include "tools/reprise/inputs/script_places.h"

namespace reprise::tools {
namespace {

namespace fs = std::filesystem;

using replays::FuzzCampaign;

// What was found is kept after so many rounds, and at the end.
constexpr uint64_t kRoundsBetweenSaves = 64;

// So many states are tried for soft locks: each may take as long as a search.
constexpr size_t kSoftLockStatesMax = 16;

// Of a game that ends the process the rounds are so short, and each is kept.
constexpr sim::Tick kWaryRoundTicks = 256;

// Lets whoever watches the search know that it goes on, while it does what
// takes long and isn't the game: it reads and writes files. Never while the
// game makes ticks: one that hangs would be watched for ever.
class SteadyBeat {
 public:
  // `journal` must remain live; may be null.
  explicit SteadyBeat(replays::FuzzJournal* journal) {
    if (journal == nullptr) return;
    thread_ = std::jthread([journal](const std::stop_token& stop) {
      std::mutex mutex;
      std::condition_variable_any wake;
      std::unique_lock lock(mutex);
      while (!stop.stop_requested()) {
        journal->OnBeat();
        wake.wait_for(lock, stop, kInterval, [] { return false; });
      }
    });
  }

 private:
  // The shortest time that a hang is told after is a second.
  static constexpr std::chrono::milliseconds kInterval{200};

  std::jthread thread_;
};

class FuzzSession {
 public:
  FuzzSession(const sim::PackArchive& pack, const sim::Simulation& start,
              const FuzzSessionOptions& options, Console& console)
      : pack_(pack), start_(start), options_(options), console_(console) {}

  absl::StatusOr<FuzzSessionResult> Run(const replays::FuzzRules& rules) {
    const auto begin = std::chrono::steady_clock::now();
    absl::Status status = Open(rules);
    if (status.ok()) status = TakeUpCorpus();
    if (status.ok()) status = Search();
    if (status.ok() && !options_.goal.empty()) status = LookForSoftLocks();
    if (!status.ok()) return status;
    result_.progress = campaign_->progress();
    result_.never_came = campaign_->NeverCame();
    {
      const SteadyBeat beat(options_.journal);
      result_.coverage = replays::CoverageOf(*campaign_, start_,
                                             CoverageScopeOf(pack_, start_));
    }
    result_.set_counts = campaign_->set_counts();
    result_.best_scores = campaign_->BestScores();
    result_.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin)
            .count();
    TellOfKnownThatDidNotCome();
    for (auto& [signature, failure] : failures_) {
      result_.failures.push_back(std::move(failure));
    }
    return std::move(result_);
  }

 private:
  absl::Status Open(const replays::FuzzRules& rules) {
    if (!options_.corpus.empty()) {
      auto corpus = replays::FuzzCorpus::Open(options_.corpus, &pack_, &start_);
      if (!corpus.ok()) return corpus.status();
      corpus_ = *std::move(corpus);
    }
    replays::FuzzOptions options;
    options.seed = options_.seed;
    options.jobs = options_.jobs;
    options.memory_bytes_max = options_.memory_bytes_max;
    options.keeps_runs = corpus_ != nullptr;
    if (corpus_ != nullptr) first_round_ = corpus_->progress().rounds;
    first_round_ = std::max(first_round_, options_.first_round);
    options.first_round = first_round_;
    options.journal = options_.journal;
    if (!options_.perturbs) options.perturbation_check_interval = 0;
    script_places_ = ScriptPlaces::Create(start_);
    options.code = script_places_.get();
    TakeUpFailures();
    auto campaign = FuzzCampaign::Create(start_, rules, options);
    if (!campaign.ok()) return campaign.status();
    campaign_ = *std::move(campaign);
    has_words_ = !rules.sometimes.empty() || !rules.sets.empty() ||
                 !rules.maximize.empty() || !rules.minimize.empty();
    return absl::OkStatus();
  }

  // What was found and told before this search.
  void TakeUpFailures() {
    for (const replays::FoundFailure& before : options_.failures_before) {
      const std::string& signature = before.failure.signature;
      FuzzSessionFailure& failure = failures_[signature];
      failure.found = before;
      failure.found.inputs.tick_count = before.failure.tick;
      if (corpus_ == nullptr) continue;
      failure.path = corpus_->PathOfFailure(signature);
      const std::string capsule = CapsulePathOf(options_.corpus, failure.path);
      if (!failure.path.empty() && fs::exists(capsule)) {
        failure.capsule = capsule;
      }
      failure.known_reason = KnownReasonOf(signature);
    }
  }

  std::string KnownReasonOf(const std::string& signature) const {
    const auto known = corpus_->known().find(signature);
    return known == corpus_->known().end() ? "" : known->second;
  }

  replays::CorpusRuns ReadRuns() const {
    const SteadyBeat beat(options_.journal);
    return corpus_->ReadRuns();
  }

  absl::Status TakeUpCorpus() {
    if (corpus_ == nullptr) return TellOfFailures();
    const replays::CorpusRuns runs = ReadRuns();
    for (const replays::SkippedFile& file : runs.skipped) {
      console_.Warning(fmt::format("{}: skipped: {}", file.path, file.reason));
    }
    result_.files_skipped = runs.skipped.size();
    ProgressBar progress(console_, "taking up the corpus", runs.runs.size());
    std::vector<std::string> played_as_they_are;
    for (size_t i = 0; i < runs.runs.size() && !is_stopped(); ++i) {
      if (campaign_->AddRun(runs.runs[i].inputs(),
                            /*is_kept=*/!options_.merges)) {
        played_as_they_are.push_back(runs.runs[i].path);
      }
      progress.Update(++result_.runs_loaded);
    }
    result_.ticks_loaded = campaign_->progress().ticks;
    campaign_->TakeNews();  // of days before
    if (options_.merges && !is_stopped()) {
      const absl::Status status = Merge(runs, played_as_they_are);
      if (!status.ok()) return status;
    } else {
      campaign_->TakeRuns(/*has_all=*/true);  // they lie there
      if (options_.merges) {
        console_.Note("--merge dropped nothing: a signal ended the search");
      }
    }
    return TellOfFailures();
  }

  // Of the files that were played as they are, leaves the fewest.
  absl::Status Merge(const replays::CorpusRuns& runs,
                     const std::vector<std::string>& played_as_they_are) {
    const std::vector<replays::PlayedInputs> kept =
        campaign_->TakeRuns(!has_words_);
    const SteadyBeat beat(options_.journal);
    if (kept.empty() && !runs.runs.empty()) {
      console_.Warning(campaign_->progress().states == 0
                           ? "--merge dropped nothing: the game fails at tick 0"
                           : "--merge dropped nothing: no run led to anything");
    } else {
      const absl::StatusOr<uint64_t> added =
          corpus_->KeepOnly(kept, played_as_they_are);
      if (!added.ok()) return added.status();
      result_.runs_added += *added;
    }
    if (const size_t left = runs.runs.size() - played_as_they_are.size();
        left > 0) {
      console_.Note(
          fmt::format("--merge left {} runs that fail, end before their last "
                      "tick, or have inputs that the game refuses",
                      left));
    }
    if (!runs.skipped.empty()) {
      console_.Note(
          runs.skipped.size() == 1
              ? "--merge left the file that it skipped as it is"
              : fmt::format(
                    "--merge left the {} files that it skipped as they are",
                    runs.skipped.size()));
    }
    return absl::OkStatus();
  }

  absl::Status Search() {
    ProgressBar progress(console_, "fuzzing", options_.ticks);
    while (ticks_done() < options_.ticks && !is_stopped()) {
      const uint64_t before = campaign_->progress().ticks;
      const uint64_t rest = options_.ticks - ticks_done();
      campaign_->RunRound(is_wary() ? std::min(rest, kWaryRoundTicks) : rest);
      if (campaign_->progress().ticks == before) break;  // it fails at tick 0
      progress.Update(ticks_done());
      TellNews();
      absl::Status status = TellOfFailures();
      const uint64_t rounds = campaign_->progress().rounds;
      if (status.ok() && (is_wary() || rounds % kRoundsBetweenSaves == 0 ||
                          campaign_->has_many_runs())) {
        status = Save();
      }
      if (!status.ok()) return status;
    }
    if (is_stopped()) {
      console_.Note(
          fmt::format("ended by a signal after {} ticks", ticks_done()));
    }
    return Save();
  }

  bool is_stopped() const {
    return options_.stop != nullptr && options_.stop->has_come();
  }

  uint64_t ticks_done() const {
    return campaign_->progress().ticks - result_.ticks_loaded;
  }

  bool is_wary() const { return options_.first_round > 0; }

  void TellNews() {
    for (replays::FuzzNews& news : campaign_->TakeNews()) {
      if (!options_.is_quiet) {
        console_.LeaveBar();
        fmt::print(
            console_.out(), "new: {}, at tick {}, after {} ticks\n", news.text,
            news.tick,
            news.ticks_done - std::min(news.ticks_done, result_.ticks_loaded));
      }
      result_.news.push_back(std::move(news));
    }
  }

  absl::Status LookForSoftLocks() {
    if (is_stopped()) {
      console_.Warning(
          "soft locks weren't looked for: the search was ended by a signal");
      return absl::OkStatus();
    }
    auto found = replays::FindSoftLocks(
        start_, campaign_->OpenEnds(kSoftLockStatesMax),
        {.goal = options_.goal,
         .goal_ticks = options_.goal_ticks,
         .seed = options_.seed,
         // A campaign leaves a quarter to its rounds.
         .memory_bytes_max = options_.memory_bytes_max / 4,
         .journal = options_.journal,
         .code = script_places_.get()});
    if (absl::IsNotFound(found.status())) {
      console_.Warning(fmt::format("soft locks weren't looked for: {}",
                                   std::string(found.status().message())));
      return absl::OkStatus();
    }
    if (!found.ok()) return found.status();
    result_.soft_locks = *std::move(found);
    if (!result_.soft_locks.failure) return absl::OkStatus();
    return TellOf(*result_.soft_locks.failure);
  }

  absl::Status TellOfFailures() {
    for (const auto& [signature, found] : campaign_->failures()) {
      const absl::Status status = TellOf(found);
      if (!status.ok()) return status;
    }
    return absl::OkStatus();
  }

  absl::Status TellOf(const replays::FoundFailure& found) {
    const std::string& signature = found.failure.signature;
    FuzzSessionFailure& failure = failures_[signature];
    const bool is_new = failure.found.failure.signature.empty();
    const bool is_shorter =
        found.inputs.tick_count < failure.found.inputs.tick_count;
    failure.found.count = found.count;
    if (!is_new && !is_shorter) return absl::OkStatus();
    failure.found = found;
    if (corpus_ != nullptr) {
      // The game plays meanwhile, which may hang.
      const auto on_tick = [this] {
        if (options_.journal != nullptr) options_.journal->OnBeat();
      };
      absl::StatusOr<std::string> path = corpus_->AddFailure(found, on_tick);
      if (!path.ok()) {
        // What can't be kept is told all the same.
        console_.Warning(fmt::format("found and not kept: {}, at tick {}: {}",
                                     signature, found.failure.tick,
                                     found.failure.message));
        return path.status();
      }
      failure.path = *std::move(path);
      failure.known_reason = KnownReasonOf(signature);
      if (!failure.path.ends_with(".txtpb")) {
        TakeCapsule(
            KeepFailureCapsule(options_.corpus, failure.path, found.failure,
                               campaign_->rules(), start_, on_tick),
            failure);
      }
    }
    if (is_new && !options_.is_quiet) Tell(failure);
    return absl::OkStatus();
  }

  // Errors are remarks: the replay is there. What fails at tick 0 has no tick
  // to show.
  void TakeCapsule(absl::StatusOr<std::string> capsule,
                   FuzzSessionFailure& failure) const {
    if (capsule.ok()) {
      failure.capsule = *std::move(capsule);
    } else if (failure.found.failure.tick > 0) {
      console_.Warning(fmt::format("{}: no capsule was written: {}",
                                   failure.found.failure.signature,
                                   std::string(capsule.status().message())));
    }
  }

  // A line that is misspelt, or of what was mended since, hides nothing.
  void TellOfKnownThatDidNotCome() const {
    if (corpus_ == nullptr) return;
    for (const auto& [signature, reason] : corpus_->known()) {
      if (failures_.contains(signature)) continue;
      console_.Note(
          fmt::format("known.txt: '{}' didn't come this time", signature));
    }
  }

  void Tell(const FuzzSessionFailure& failure) {
    console_.LeaveBar();
    const replays::RunFailure& told = failure.found.failure;
    fmt::print(console_.out(), "{}: {}, at tick {}: {}{}\n",
               failure.known_reason.empty() ? "failure" : "known failure",
               told.signature, told.tick, told.message,
               failure.path.empty() ? "" : "; " + failure.path);
  }

  absl::Status Keep(const std::vector<replays::PlayedInputs>& runs) {
    for (const replays::PlayedInputs& run : runs) {
      const absl::StatusOr<bool> is_new = corpus_->AddRun(run);
      if (!is_new.ok()) return is_new.status();
      if (*is_new) ++result_.runs_added;
    }
    return absl::OkStatus();
  }

  absl::Status Save() {
    if (corpus_ == nullptr) {
      result_.total_ticks = ticks_done();
      return absl::OkStatus();
    }
    const SteadyBeat beat(options_.journal);
    const absl::Status status = Keep(campaign_->TakeRuns(!has_words_));
    if (!status.ok()) return status;
    const uint64_t ticks = ticks_done();
    result_.total_ticks = corpus_->progress().ticks + ticks - saved_ticks_;
    const replays::CorpusProgress progress = {
        .ticks = result_.total_ticks,
        .rounds = first_round_ + campaign_->progress().rounds};
    saved_ticks_ = ticks;
    return corpus_->SetProgress(progress);
  }

  const sim::PackArchive& pack_;
  const sim::Simulation& start_;
  const FuzzSessionOptions& options_;
  Console& console_;
  std::unique_ptr<replays::FuzzCorpus> corpus_;  // null: nothing is kept
  std::unique_ptr<ScriptPlaces> script_places_;  // null: there are no scripts
  std::unique_ptr<FuzzCampaign> campaign_;
  bool has_words_ = false;
  uint64_t first_round_ = 0;
  std::map<std::string, FuzzSessionFailure> failures_;
  uint64_t saved_ticks_ = 0;
  FuzzSessionResult result_;
};

}  // namespace

uint64_t FuzzSessionResult::news_failure_count() const {
  return static_cast<uint64_t>(
      std::ranges::count_if(failures, [](const FuzzSessionFailure& failure) {
        return failure.known_reason.empty();
      }));
}

absl::StatusOr<FuzzSessionResult> RunFuzzSession(
    const sim::PackArchive& pack, const sim::Simulation& start,
    const replays::FuzzRules& rules, const FuzzSessionOptions& options,
    Console& console) {
  return FuzzSession(pack, start, options, console).Run(rules);
}

CiReport MakeFuzzReport(const std::string& pack,
                        const replays::FuzzRules& rules,
                        const FuzzSessionResult& result,
                        const std::string& check_flags) {
  using Outcome = CiCase::Outcome;
  CiReport report{
      .tool = "reprise fuzz", .subject = "case", .passed = "held", .cases = {}};
  const auto add = [&](const std::string& name) -> CiCase& {
    return report.cases.emplace_back(CiCase{
        .class_name = "reprise.fuzz." + pack, .name = name, .pack = pack});
  };
  std::set<std::string> failed;
  for (const FuzzSessionFailure& failure : result.failures) {
    const replays::RunFailure& told = failure.found.failure;
    failed.insert(told.signature);
    CiCase& each = add(told.signature);
    if (!failure.known_reason.empty()) {
      each.outcome = Outcome::kSkipped;
      each.message = failure.known_reason;
      continue;
    }
    each.outcome = Outcome::kFailed;
    each.kind = told.signature;
    each.kind_explained = "the search met: " + told.signature;
    const bool is_old = failure.found.count == 0;
    each.message =
        is_old ? fmt::format("{}: {}", kMetBefore, told.message) : told.message;
    each.text =
        fmt::format("tick {}, {}: {}\n", told.tick,
                    is_old ? std::string(kMetBefore)
                           : fmt::format("{} times", failure.found.count),
                    told.message);
    each.file = failure.path;
    if (!failure.path.empty()) {
      // With the plug-ins that this search was given.
      const std::vector<std::string> words = {"minimize", failure.path,
                                              "--check"};
      each.text += fmt::format("reproduce: {}{}\n", FormatCommandLine(words),
                               check_flags);
    }
    if (!failure.capsule.empty()) {
      each.text += fmt::format("capsule: {}\n", failure.capsule);
    }
  }
  for (const replays::FuzzWord& word : rules.always) {
    const std::string name = "always " + word.name;
    if (!failed.contains(name)) add(name);
  }
  for (const replays::FuzzEvent& event : rules.unreachable) {
    const std::string name = "unreachable " + event.name;
    if (!failed.contains(name)) add(name);
  }
  for (const std::string& name : result.never_came) {
    CiCase& each = add(name);
    each.outcome = Outcome::kSkipped;
    each.message = "it never came";
  }
  add("fuzzing").seconds = result.seconds;
  return report;
}

}  // namespace reprise::tools
