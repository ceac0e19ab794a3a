// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/fuzzing/fuzz_campaign.h"

#include <algorithm>
#include <set>
#include <thread>
#include <utility>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "sim/base/id.h"
#include "sim/base/object_id.h"
#include "sim/event.h"
#include "sim/state/field_value.h"
#include "sim/state/table.h"

namespace reprise::replays {
namespace {

using Kind = Feature::Kind;

// Pieces that led to something and are mutated; objects whose names commands
// are given.
constexpr size_t kPiecesMax = 256;
constexpr size_t kNamesMax = 256;

// A run that is known is played by parts of so many ticks, as long as the
// longest piece that is made up; of each run so many of the states between them
// are kept for the next one.
constexpr sim::Tick kPartTicks = 512;
constexpr size_t kPartsMax = 16;

// The first tick at which the inputs of two runs differ.
sim::Tick FirstDifference(const PlayedInputs& a, const PlayedInputs& b) {
  const auto [in_a, in_b] = std::ranges::mismatch(a.ticks, b.ticks);
  sim::Tick tick = std::min(a.tick_count, b.tick_count);
  if (in_a != a.ticks.end()) tick = std::min(tick, in_a->tick);
  if (in_b != b.ticks.end()) tick = std::min(tick, in_b->tick);
  return tick;
}

// The names of the first objects that the state has.
std::vector<std::string> ObjectNames(const sim::Simulation& simulation) {
  std::set<uint64_t> serials;
  const sim::State& state = simulation.state();
  for (uint32_t t = 0; t < state.table_count(); ++t) {
    const sim::Table& table = state.table({t});
    const sim::RowSchema& schema = table.schema();
    if (schema.key_field_count() != 1 ||
        schema.fields()[0].scalar != sim::ScalarType::kObject) {
      continue;
    }
    for (uint32_t row = 0; row < table.row_count(); ++row) {
      if (serials.size() == kNamesMax) break;
      serials.insert(
          sim::ReadScalar(schema, table.Row(row), {.field = 0}).bits);
    }
  }
  std::vector<std::string> names;
  for (const uint64_t serial : serials) {
    std::string name = simulation.ObjectName({serial});
    if (name.size() <= sim::kInputTextBytesMax) names.push_back(name);
  }
  return names;
}

}  // namespace

absl::StatusOr<std::unique_ptr<FuzzCampaign>> FuzzCampaign::Create(
    const sim::Simulation& start, FuzzRules rules, const FuzzOptions& options) {
  if (options.jobs < 1 || options.jobs > kFuzzJobsMax) {
    return absl::InvalidArgumentError(
        fmt::format("{} jobs are not in 1..{}", options.jobs, kFuzzJobsMax));
  }
  std::unique_ptr<FuzzCampaign> campaign(
      new FuzzCampaign(std::move(rules), options));
  campaign->grammar_ = start.info().inputs;
  campaign->coverage_ = std::make_unique<StateCoverage>(start);
  campaign->mutator_ = std::make_unique<InputMutator>(
      &campaign->grammar_, campaign->rules_.description, ObjectNames(start),
      options.players);
  const FuzzShared shared = {
      .rules = &campaign->rules_,
      .grammar = &campaign->grammar_,
      .mutator = campaign->mutator_.get(),
      .archive = &campaign->archive_,
      .pieces = &campaign->pieces_,
      .journal = options.journal,
      .code = options.code,
      .restore_check_interval = options.restore_check_interval,
      .perturbation_check_interval = options.perturbation_check_interval,
      .bytes_of_round = campaign->archive_.bytes_of_round() / options.jobs};
  for (uint32_t i = 0; i < options.jobs; ++i) {
    campaign->jobs_.push_back(
        std::make_unique<FuzzJob>(shared, i, start.Fork()));
  }
  campaign->AddRoot(start);
  return campaign;
}

FuzzCampaign::FuzzCampaign(FuzzRules rules, const FuzzOptions& options)
    : rules_(std::move(rules)),
      options_(options),
      archive_(rules_.maximize.size() + rules_.minimize.size(),
               options.memory_bytes_max),
      sometimes_came_(rules_.sometimes.size(), false),
      set_counts_(rules_.sets.size(), 0),
      round_(options.first_round) {}

FuzzCampaign::~FuzzCampaign() = default;

void FuzzCampaign::AddRoot(const sim::Simulation& start) {
  FuzzJob& job = *jobs_[0];
  std::vector<uint64_t> buckets;
  std::optional<RunFailure> failure =
      job.watch().Look(job.simulation(), {}, false);
  if (!failure) failure = job.watch().Scan(job.simulation(), buckets);
  if (failure) {
    AddFailure(*std::move(failure), {});
    return;
  }
  std::vector<Feature> features;
  job.novelty().Look(job.simulation(), {}, features);
  for (const uint64_t bucket : buckets) {
    features.push_back({.hash = bucket, .kind = Kind::kState});
  }
  FuzzSegment segment;
  FuzzCandidate candidate{
      .snapshot = start.state(),
      .tick = start.tick(),
      .held = options_.held.empty()
                  ? HeldDevices(start.info().inputs.player_count)
                  : options_.held,
      .memory = {},
      .is_over = start.outcome().status != sim::Outcome::Status::kRunning,
      .is_best = true,
      .features = std::move(features),
      .scores = job.novelty().scores()};
  auto played = std::make_shared<const PlayedStep>();
  MergeCandidate(segment, candidate, played);
}

bool FuzzCampaign::AddRun(const PlayedInputs& run, bool is_kept) {
  if (archive_.states().empty()) return false;
  FuzzJob& job = *jobs_[0];
  const ArchivedState* from = &StartOf(run);
  const bool is_from_start = from == archive_.states().front().get();
  played_as_is_ =
      is_from_start ? from->tick : std::min(played_as_is_, from->tick);
  while (from->tick < run.tick_count) {
    const sim::Tick end = std::min(run.tick_count, from->tick + kPartTicks);
    std::unique_ptr<ArchivedState> next = job.PlayPart(*from, run, end);
    FuzzJobResult& result = job.result();
    progress_.ticks += result.ticks;
    progress_.refused_ticks += result.refused_ticks;
    FuzzSegment& segment = result.segments.front();
    if (played_as_is_ == from->tick && result.refused_ticks == 0 &&
        !segment.failure) {
      played_as_is_ = job.simulation().tick();
    }
    const auto played = MergeSegment(segment);
    if (is_kept) archive_.ForgetRuns();
    DropStates(/*keeps_runs=*/true);
    if (next == nullptr) break;
    KeepPart(std::move(next), played, segment.inputs);
    result = {};
    from = last_parts_.back().get();
  }
  job.result() = {};
  last_run_ = run;
  return played_as_is_ == run.tick_count;
}

// The last state of the run before that this one comes through, too.
const ArchivedState& FuzzCampaign::StartOf(const PlayedInputs& run) {
  const sim::Tick first = FirstDifference(run, last_run_);
  size_t count = last_parts_.size();
  while (count > 0 && last_parts_[count - 1]->tick > first) --count;
  LeaveParts(count);
  return last_parts_.empty() ? *archive_.states().front() : *last_parts_.back();
}

// Leaves all but the first `count` states of the run that was added last.
void FuzzCampaign::LeaveParts(size_t count) {
  while (last_parts_.size() > count) {
    archive_.Leave(*last_parts_.back());
    last_parts_.pop_back();
  }
}

// `inputs` are those that were played of the part, and `before` the last of its
// states that was kept, or its beginning.
void FuzzCampaign::KeepPart(std::unique_ptr<ArchivedState> state,
                            const std::shared_ptr<const PlayedStep>& before,
                            std::span<const TickInputs> inputs) {
  auto step = std::make_shared<PlayedStep>();
  step->before = before;
  step->end = state->tick;
  step->id = state_count_++;
  const auto first =
      std::ranges::lower_bound(inputs, before->end, {}, &TickInputs::tick);
  step->ticks.assign(first, inputs.end());
  if (options_.journal != nullptr) {
    options_.journal->OnState(step->id, before->id, step->ticks, step->end);
  }
  archive_.Count(*step);
  state->played = std::move(step);
  archive_.Hold(*state);
  last_parts_.push_back(std::move(state));
  if (last_parts_.size() <= kPartsMax) return;
  // Every other one goes, and the last stays.
  size_t place = last_parts_.size();
  std::erase_if(last_parts_, [&](const std::unique_ptr<ArchivedState>& part) {
    if (--place % 2 == 0) return false;
    archive_.Leave(*part);
    return true;
  });
}

void FuzzCampaign::RunRound(sim::Tick ticks) {
  // The memory is the search's now.
  LeaveParts(0);
  last_run_ = {};
  if (!archive_.Weigh()) return;
  ticks_before_round_ = progress_.ticks;
  if (options_.journal != nullptr) options_.journal->OnRound(round_);
  const sim::Tick of_job = std::min<sim::Tick>(
      kRoundTicks, (ticks + jobs_.size() - 1) / jobs_.size());
  const auto run = [this, of_job](size_t job) {
    const uint64_t stream = round_ * jobs_.size() + job + 1;
    jobs_[job]->Run(of_job,
                    sim::MakeRandomStream(options_.seed, sim::IdOf("fuzzing"),
                                          sim::ObjectId{stream}));
  };
  std::vector<std::thread> threads;
  for (size_t job = 1; job < jobs_.size(); ++job)
    threads.emplace_back(run, job);
  run(0);
  for (std::thread& thread : threads) thread.join();
  for (const std::unique_ptr<FuzzJob>& job : jobs_) Merge(job->result());
  DropStates(/*keeps_runs=*/false);
  ++round_;
  ++progress_.rounds;
}

void FuzzCampaign::Merge(FuzzJobResult& result) {
  progress_.ticks += result.ticks;
  progress_.refused_ticks += result.refused_ticks;
  progress_.perturbed_ticks += result.perturbed_ticks;
  for (FuzzSegment& segment : result.segments) MergeSegment(segment);
  result = {};
}

std::shared_ptr<const PlayedStep> FuzzCampaign::MergeSegment(
    FuzzSegment& segment) {
  ++progress_.pieces;
  ++segment.from->chosen;
  CountActions(segment);
  std::shared_ptr<const PlayedStep> played = segment.from->played;
  // In order of ticks, so that one goes on from the other.
  std::ranges::stable_sort(segment.candidates, {}, &FuzzCandidate::tick);
  for (FuzzCandidate& candidate : segment.candidates) {
    MergeCandidate(segment, candidate, played);
  }
  for (const uint64_t feature : segment.hits) {
    archive_.CountFeature(feature);
  }
  for (const sim::Id event : segment.last_events) {
    events_came_.insert(event.value);
  }
  code_came_.insert(segment.last_places.begin(), segment.last_places.end());
  if (segment.failure) {
    PlayedInputs inputs = InputsOf(*segment.from->played);
    inputs.ticks.insert(inputs.ticks.end(), segment.inputs.begin(),
                        segment.inputs.end());
    inputs.tick_count = segment.failure->tick;
    AddFailure(*std::move(segment.failure), std::move(inputs));
  }
  return played;
}

void FuzzCampaign::CountActions(const FuzzSegment& segment) {
  if (actions_used_.size() == grammar_.actions.size()) return;
  // Those that were played: a piece may go on behind its end.
  HeldDevices held = segment.from->held;
  for (const ActionChange& change : ToChanges(grammar_, segment.inputs, held)) {
    actions_used_.insert(change.action);
  }
}

void FuzzCampaign::MergeCandidate(FuzzSegment& segment,
                                  FuzzCandidate& candidate,
                                  std::shared_ptr<const PlayedStep>& played) {
  auto state = std::make_unique<ArchivedState>();
  bool is_new = false;
  for (const Feature& feature : candidate.features) {
    if (!archive_.AddFeature(feature.hash)) continue;
    is_new = true;
    state->worth = std::max(state->worth, WorthOf(feature.kind));
    if (feature.kind != Kind::kState) {
      state->is_told_by_tables = false;
      if (state->features.size() < 16) state->features.push_back(feature.hash);
    }
    TellOf(feature, candidate);
  }
  const bool is_best = archive_.AddScores(candidate.scores, state.get());
  if (!is_new && !is_best) return;
  if (is_best) state->is_told_by_tables = false;
  coverage_->Look(candidate.snapshot);
  // What was played from the last state of the piece that was kept.
  auto step = std::make_shared<PlayedStep>();
  step->before = played;
  step->end = candidate.tick;
  const auto first = std::ranges::lower_bound(segment.inputs, played->end, {},
                                              &TickInputs::tick);
  const auto last = std::ranges::lower_bound(
      first, segment.inputs.end(), candidate.tick, {}, &TickInputs::tick);
  step->ticks.assign(first, last);
  archive_.Count(*step);
  step->id = state_count_++;
  // The start needs no telling.
  if (options_.journal != nullptr && step->id > 0) {
    options_.journal->OnState(step->id, played->id, step->ticks, step->end);
  }
  played = step;
  state->snapshot = std::move(candidate.snapshot);
  state->tick = candidate.tick;
  state->held = std::move(candidate.held);
  state->memory = candidate.memory;
  state->played = played;
  state->is_over = candidate.is_over;
  progress_.deepest = std::max(progress_.deepest, state->tick);
  if (!state->is_told_by_tables) {
    KeepPiece(segment.piece);
    mutator_->Learn(segment.piece.changes);
  }
  archive_.Add(std::move(state));
  CountStates();
}

void FuzzCampaign::TellOf(const Feature& feature,
                          const FuzzCandidate& candidate) {
  ++progress_.features;
  const auto tell = [&](std::string text) {
    news_.push_back({.text = std::move(text),
                     .tick = candidate.tick,
                     .ticks_done = ticks_before_round_});
  };
  switch (feature.kind) {
    case Kind::kSometimes:
      sometimes_came_[feature.index] = true;
      tell(fmt::format("sometimes {}", rules_.sometimes[feature.index].name));
      break;
    case Kind::kSet:
      ++set_counts_[feature.index];
      break;
    case Kind::kOutcome:
      outcomes_came_.insert(static_cast<sim::Outcome::Status>(feature.index));
      tell(fmt::format("outcome {}", sim::kOutcomeNames[feature.index].name));
      break;
    case Kind::kEvent:
      if (events_came_.insert(feature.event.value).second) {
        tell(fmt::format("event {}",
                         jobs_[0]->simulation().IdName(feature.event)));
      }
      break;
    case Kind::kCode:
      code_came_.insert(feature.index);
      break;
    case Kind::kState:
      break;
  }
}

void FuzzCampaign::DropStates(bool keeps_runs) {
  progress_.states_dropped += archive_.DropLeastUseful(keeps_runs);
  if (!options_.keeps_runs) archive_.ForgetRuns();
  CountStates();
}

void FuzzCampaign::CountStates() {
  progress_.states = archive_.states().size();
  progress_.snapshot_bytes = archive_.snapshot_bytes();
  progress_.memory_bytes = archive_.bytes();
  progress_.memory_bytes_most =
      std::max(progress_.memory_bytes_most, progress_.memory_bytes);
  progress_.has_all_features = archive_.has_all_features();
}

void FuzzCampaign::KeepPiece(const InputPiece& piece) {
  if (piece.changes.empty()) return;
  const size_t place = piece_count_++ % kPiecesMax;
  if (place == pieces_.size()) {
    pieces_.push_back(piece);
  } else {
    pieces_[place] = piece;
  }
}

void FuzzCampaign::AddFailure(RunFailure failure, PlayedInputs inputs) {
  const auto [found, is_new] = failures_.try_emplace(failure.signature);
  if (!is_new) {
    ++found->second.count;
    // The shortest is the one to look at.
    if (inputs.tick_count >= found->second.inputs.tick_count) return;
  } else if (options_.journal != nullptr) {
    options_.journal->OnFailure(failure);
  }
  found->second.failure = std::move(failure);
  found->second.inputs = std::move(inputs);
}

std::vector<FuzzNews> FuzzCampaign::TakeNews() {
  return std::exchange(news_, {});
}

std::vector<std::optional<double>> FuzzCampaign::BestScores() const {
  std::vector<std::optional<double>> scores = archive_.best_scores();
  for (size_t i = rules_.maximize.size(); i < scores.size(); ++i) {
    if (scores[i]) scores[i] = -*scores[i];
  }
  return scores;
}

std::vector<std::string> FuzzCampaign::NeverCame() const {
  std::vector<std::string> words;
  for (size_t i = 0; i < rules_.sometimes.size(); ++i) {
    if (sometimes_came_[i]) continue;
    words.push_back(fmt::format("sometimes {}", rules_.sometimes[i].name));
  }
  for (const FuzzEvent& event : rules_.reachable) {
    if (events_came_.contains(event.id.value)) continue;
    words.push_back(fmt::format("reachable {}", event.name));
  }
  return words;
}

}  // namespace reprise::replays
