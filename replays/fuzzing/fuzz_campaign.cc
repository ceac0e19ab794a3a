// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/fuzzing/fuzz_campaign.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <thread>
#include <unordered_set>
#include <utility>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "replays/fuzzing/restore_check.h"
#include "sim/base/field_value.h"
#include "sim/base/id.h"
#include "sim/base/object_id.h"
#include "sim/base/page.h"
#include "sim/base/state_codec.h"
#include "sim/base/table.h"
#include "sim/event.h"

namespace reprise::replays {
namespace {

using Kind = Feature::Kind;

// Tables are looked through at every so many ticks of a piece: they change
// slowly, and it costs more than the words.
constexpr sim::Tick kScanInterval = 8;

// Of a piece, so many states are kept that only tables tell from others.
constexpr uint32_t kTableStatesMax = 8;

// Choosing among more takes longer than it helps.
constexpr size_t kEntriesMax = 8192;

// Pieces that led to something and are mutated; objects whose names commands
// are given.
constexpr size_t kPiecesMax = 256;
constexpr size_t kNamesMax = 256;

// How much likelier a state is chosen for the best that it has: what a pack
// asks for goes before what merely happened.
double WorthOf(Kind kind) {
  switch (kind) {
    case Kind::kState:
      return 1.0;
    case Kind::kEvent:
      return 4.0;
    default:
      return 16.0;
  }
}
constexpr double kWorthOfBest = 32.0;

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

// The length of a piece: short ones as often as long ones, to the power of two.
sim::Tick NextLength(sim::RandomStream& stream) {
  constexpr uint64_t kPowers = 8;  // up to 512 ticks
  const sim::Tick length_max = sim::Tick{4} << sim::NextBelow(stream, kPowers);
  return 1 + sim::NextBelow(stream, length_max);
}

}  // namespace

// A state that can be gone on from.
struct FuzzCampaign::Entry {
  sim::State snapshot;
  sim::Tick tick = 0;
  HeldDevices held;
  RunMemory memory;
  std::shared_ptr<const Played> played;
  bool is_over = false;   // the game has been decided
  bool is_taken = false;  // by TakeRuns
  bool is_told_by_tables = true;
  double worth = 1.0;
  std::vector<uint64_t> features;  // that count as rare or not
  mutable uint64_t chosen = 0;
};

// A state that may become an entry.
struct FuzzCampaign::Candidate {
  sim::State snapshot;
  sim::Tick tick = 0;
  HeldDevices held;
  RunMemory memory;
  bool is_over = false;
  bool is_best = false;
  std::vector<Feature> features;
  std::vector<std::optional<double>> scores;
};

struct FuzzCampaign::Segment {
  const Entry* from = nullptr;
  InputPiece piece;
  std::vector<TickInputs> inputs;  // those that were played
  std::vector<Candidate> candidates;
  std::vector<uint64_t> hits;  // each feature once
  std::optional<RunFailure> failure;
  std::vector<sim::Id> last_events;  // of the tick that failed
};

struct FuzzCampaign::JobResult {
  std::vector<Segment> segments;
  uint64_t ticks = 0;
  uint64_t refused_ticks = 0;
};

// Plays pieces on a simulation of its own. While it runs, the campaign stays as
// it is.
class FuzzCampaign::Job {
 public:
  Job(const FuzzCampaign* campaign, uint32_t index,
      std::unique_ptr<sim::Simulation> simulation)
      : campaign_(*campaign),
        index_(index),
        simulation_(std::move(simulation)),
        watch_(&campaign->rules_, *simulation_),
        novelty_(&campaign->rules_) {}

  void Run(sim::Tick ticks, sim::RandomStream stream) {
    result_ = {};
    local_.clear();
    while (result_.ticks < ticks) {
      const Entry* const from = campaign_.Choose(stream);
      Segment segment{.from = from, .piece = NextPiece(stream)};
      HeldDevices held = from->held;
      std::vector<ActionChange> changes = segment.piece.changes;
      for (ActionChange& change : changes) change.tick += from->tick;
      const std::vector<TickInputs> inputs =
          ToTickInputs(campaign_.grammar(), changes, held);
      Play(inputs, segment.piece.length, stream, segment);
      result_.segments.push_back(std::move(segment));
    }
  }

  // Plays all of a run, which was recorded elsewhere.
  void PlayRun(const Entry& from, const PlayedInputs& run) {
    result_ = {};
    local_.clear();
    Segment segment{.from = &from};
    segment.piece.length = run.tick_count;
    sim::RandomStream unused;
    keeps_all_ = true;
    Play(run.ticks, run.tick_count, unused, segment);
    keeps_all_ = false;
    HeldDevices held = from.held;
    segment.piece.changes =
        ToChanges(campaign_.grammar(), segment.inputs, held);
    result_.segments.push_back(std::move(segment));
  }

  JobResult& result() { return result_; }
  const sim::Simulation& simulation() const { return *simulation_; }
  RunWatch& watch() { return watch_; }
  RunNovelty& novelty() { return novelty_; }

 private:
  InputPiece NextPiece(sim::RandomStream& stream) const {
    const InputMutator& mutator = *campaign_.mutator_;
    const std::vector<InputPiece>& pieces = campaign_.pieces_;
    const sim::Tick length = NextLength(stream);
    if (pieces.empty() || sim::NextBelow(stream, 2) == 0) {
      return mutator.Generate(stream, length);
    }
    const size_t one = sim::NextBelow(stream, pieces.size());
    const size_t other = sim::NextBelow(stream, pieces.size());
    InputPiece piece = pieces[one];
    mutator.Mutate(stream, pieces[other], piece);
    return piece;
  }

  void Play(std::span<const TickInputs> inputs, sim::Tick length,
            sim::RandomStream& stream, Segment& segment) {
    const Entry& from = *segment.from;
    const sim::Tick end = from.tick + length;
    FuzzJournal* const journal = campaign_.options_.journal;
    if (journal != nullptr) {
      journal->OnPiece(index_, from.played->id, inputs, end);
    }
    const absl::Status status = simulation_->Restore(from.snapshot);
    if (!status.ok()) {
      segment.failure = {.signature = "restore refused",
                         .message = std::string(status.message()),
                         .tick = from.tick};
      return;
    }
    simulation_->DrainEvents();
    watch_.Restore(from.snapshot, from.memory);
    held_ = from.held;
    hits_.clear();
    score_candidate_.reset();
    table_states_ = 0;
    const std::optional<sim::Tick> saved_at = NextSave(stream, from.tick, end);
    std::string saved;
    size_t next = 0;
    while (simulation_->tick() < end) {
      const sim::Tick tick = simulation_->tick();
      if (journal != nullptr) journal->OnTick(index_);
      if (tick == saved_at) saved = sim::EncodeState(simulation_->state());
      while (next < inputs.size() && inputs[next].tick < tick) ++next;
      const bool has_inputs = next < inputs.size() && inputs[next].tick == tick;
      if (!Step(has_inputs ? inputs[next].frames : kNoFrames, tick == end - 1,
                segment)) {
        break;
      }
    }
    segment.hits.assign(hits_.begin(), hits_.end());
    // A total order: each is there once.
    std::ranges::sort(segment.hits);
    if (score_candidate_) {
      segment.candidates.push_back(*std::move(score_candidate_));
    }
    if (!saved.empty() && !segment.failure) {
      CheckRestore(saved, *saved_at, segment);
    }
  }

  // Whether, and where, a state is saved and gone on from once more.
  std::optional<sim::Tick> NextSave(sim::RandomStream& stream, sim::Tick begin,
                                    sim::Tick end) const {
    const uint64_t interval = campaign_.options_.restore_check_interval;
    if (keeps_all_ || interval == 0 || end == begin) return std::nullopt;
    if (sim::NextBelow(stream, interval) != 0) return std::nullopt;
    return begin + sim::NextBelow(stream, end - begin);
  }

  // Makes a tick, and looks at what came of it. False: the piece is over.
  bool Step(std::span<const sim::InputFrame> frames, bool is_last,
            Segment& segment) {
    const sim::Tick tick = simulation_->tick();
    if (!frames.empty() && !simulation_->Validate(frames).ok()) {
      ++result_.refused_ticks;
      frames = {};
    }
    simulation_->Step(frames, /*observer=*/nullptr);
    ++result_.ticks;
    if (!frames.empty()) {
      segment.inputs.push_back(
          {.tick = tick, .frames = {frames.begin(), frames.end()}});
      for (const sim::InputFrame& frame : frames) {
        held_[frame.player] = frame.device;
      }
    }
    const std::vector<sim::Event> events = simulation_->DrainEvents();
    segment.failure = watch_.Look(*simulation_, events, !frames.empty());
    if (segment.failure) return Fail(events, segment);
    seen_.clear();
    novelty_.Look(*simulation_, events, seen_);
    const bool is_over =
        simulation_->outcome().status != sim::Outcome::Status::kRunning;
    is_last = is_last || is_over;
    if (is_last || simulation_->tick() % kScanInterval == 0) {
      buckets_.clear();
      segment.failure = watch_.Scan(*simulation_, buckets_);
      if (segment.failure) return Fail(events, segment);
      for (const uint64_t bucket : buckets_) {
        seen_.push_back({.hash = bucket, .kind = Kind::kState});
      }
    }
    Keep(is_over, is_last, segment);
    return !is_over;
  }

  // The piece ends with a failure, of whose tick these are the events.
  static bool Fail(std::span<const sim::Event> events, Segment& segment) {
    for (const sim::Event& event : events) {
      segment.last_events.push_back(event.type);
    }
    return false;
  }

  // Keeps the state where something is new.
  void Keep(bool is_over, bool is_last, Segment& segment) {
    std::vector<Feature> fresh;
    bool is_told_by_tables = true;
    for (const Feature& feature : seen_) {
      if (feature.kind != Kind::kState) hits_.insert(feature.hash);
      if (campaign_.features_.contains(feature.hash)) continue;
      if (!local_.insert(feature.hash).second) continue;
      if (feature.kind != Kind::kState) is_told_by_tables = false;
      fresh.push_back(feature);
    }
    const bool is_better =
        (is_last || simulation_->tick() % 4 == 0) && IsBetter();
    if (fresh.empty() && !is_better) return;
    if (!fresh.empty() && is_told_by_tables && !is_better && !keeps_all_ &&
        table_states_++ >= kTableStatesMax) {
      return;
    }
    Candidate candidate{.snapshot = simulation_->state(),
                        .tick = simulation_->tick(),
                        .held = held_,
                        .memory = watch_.memory(),
                        .is_over = is_over,
                        .is_best = is_better,
                        .features = std::move(fresh),
                        .scores = novelty_.scores()};
    if (candidate.features.empty()) {
      score_candidate_ = std::move(candidate);  // the last one is the best
    } else {
      segment.candidates.push_back(std::move(candidate));
    }
  }

  bool IsBetter() const {
    const auto& scores = novelty_.scores();
    for (size_t i = 0; i < scores.size(); ++i) {
      if (!scores[i]) continue;
      const std::optional<double>& best = campaign_.best_scores_[i];
      if (best && *scores[i] <= *best) continue;
      if (score_candidate_ && score_candidate_->scores[i] &&
          *scores[i] <= *score_candidate_->scores[i]) {
        continue;
      }
      return true;
    }
    return false;
  }

  // Goes on from what was saved at `tick` with the same inputs.
  void CheckRestore(const std::string& saved, sim::Tick tick,
                    Segment& segment) {
    const sim::State expected = simulation_->state();
    const sim::Tick end = simulation_->tick();
    result_.ticks += end - tick;
    segment.failure = CheckRestoredRun(saved, tick, segment.inputs, expected,
                                       end, *simulation_);
  }

  static constexpr std::span<const sim::InputFrame> kNoFrames = {};

  const FuzzCampaign& campaign_;
  const uint32_t index_;
  const std::unique_ptr<sim::Simulation> simulation_;
  RunWatch watch_;
  RunNovelty novelty_;
  JobResult result_;
  // Found in this round by this job. Never walked through.
  std::unordered_set<uint64_t> local_;
  // Of the piece.
  std::set<uint64_t> hits_;
  HeldDevices held_;
  uint32_t table_states_ = 0;
  std::optional<Candidate> score_candidate_;
  bool keeps_all_ = false;
  std::vector<Feature> seen_;  // of the tick
  std::vector<uint64_t> buckets_;
};

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
  for (uint32_t i = 0; i < options.jobs; ++i) {
    campaign->jobs_.push_back(
        std::make_unique<Job>(campaign.get(), i, start.Fork()));
  }
  campaign->AddRoot(start);
  return campaign;
}

FuzzCampaign::FuzzCampaign(FuzzRules rules, const FuzzOptions& options)
    : rules_(std::move(rules)),
      options_(options),
      best_scores_(rules_.maximize.size() + rules_.minimize.size()),
      best_entries_(best_scores_.size(), nullptr),
      sometimes_came_(rules_.sometimes.size(), false),
      set_counts_(rules_.sets.size(), 0),
      round_(options.first_round) {}

FuzzCampaign::~FuzzCampaign() = default;

void FuzzCampaign::AddRoot(const sim::Simulation& start) {
  Job& job = *jobs_[0];
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
  Segment segment;
  Candidate candidate{
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
  std::shared_ptr<const Played> played = std::make_shared<const Played>();
  MergeCandidate(segment, candidate, played);
}

void FuzzCampaign::AddRun(const PlayedInputs& run) {
  if (entries_.empty()) return;
  jobs_[0]->PlayRun(*entries_.front(), run);
  Merge(jobs_[0]->result());
  DropEntries();
}

void FuzzCampaign::RunRound(sim::Tick ticks) {
  WeighEntries();
  if (weight_sums_.empty() || weight_sums_.back() <= 0.0) return;
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
  for (const std::unique_ptr<Job>& job : jobs_) Merge(job->result());
  DropEntries();
  ++round_;
  ++progress_.rounds;
}

void FuzzCampaign::WeighEntries() {
  weight_sums_.clear();
  double sum = 0.0;
  for (const std::unique_ptr<Entry>& entry : entries_) {
    sum += WeightOf(*entry);
    weight_sums_.push_back(sum);
  }
}

double FuzzCampaign::WeightOf(const Entry& entry) const {
  if (entry.is_over) return 0.0;
  double worth = entry.worth;
  double hits = 0.0;
  if (std::ranges::find(best_entries_, &entry) != best_entries_.end()) {
    worth = kWorthOfBest;
  } else if (!entry.features.empty()) {
    uint64_t fewest = UINT64_MAX;
    for (const uint64_t feature : entry.features) {
      fewest = std::min(fewest, features_.at(feature).hits);
    }
    hits = static_cast<double>(fewest);
  }
  const double chosen = static_cast<double>(entry.chosen);
  return worth / std::sqrt((1.0 + hits) * (1.0 + chosen));
}

const FuzzCampaign::Entry* FuzzCampaign::Choose(
    sim::RandomStream& stream) const {
  // Of four, one goes on from what is youngest: deep before wide.
  constexpr uint64_t kYoungest = 32;
  if (sim::NextBelow(stream, 4) == 0) {
    const uint64_t count = std::min<uint64_t>(entries_.size(), kYoungest);
    const size_t index = entries_.size() - 1 - sim::NextBelow(stream, count);
    if (!entries_[index]->is_over) return entries_[index].get();
  }
  const double place = sim::NextUnit(stream) * weight_sums_.back();
  const auto found = std::ranges::upper_bound(weight_sums_, place);
  const auto index = static_cast<size_t>(found - weight_sums_.begin());
  return entries_[std::min(index, entries_.size() - 1)].get();
}

void FuzzCampaign::Merge(JobResult& result) {
  progress_.ticks += result.ticks;
  progress_.refused_ticks += result.refused_ticks;
  for (Segment& segment : result.segments) MergeSegment(segment);
  result = {};
}

void FuzzCampaign::MergeSegment(Segment& segment) {
  ++progress_.pieces;
  ++segment.from->chosen;
  CountActions(segment);
  std::shared_ptr<const Played> played = segment.from->played;
  // In order of ticks, so that one goes on from the other.
  std::ranges::stable_sort(segment.candidates, {}, &Candidate::tick);
  for (Candidate& candidate : segment.candidates) {
    MergeCandidate(segment, candidate, played);
  }
  for (const uint64_t feature : segment.hits) {
    const auto found = features_.find(feature);
    if (found != features_.end()) ++found->second.hits;
  }
  for (const sim::Id event : segment.last_events) {
    events_came_.insert(event.value);
  }
  if (segment.failure) {
    PlayedInputs inputs = InputsOf(segment.from->played);
    inputs.ticks.insert(inputs.ticks.end(), segment.inputs.begin(),
                        segment.inputs.end());
    inputs.tick_count = segment.failure->tick;
    AddFailure(*std::move(segment.failure), std::move(inputs));
  }
}

void FuzzCampaign::CountActions(const Segment& segment) {
  if (actions_used_.size() == grammar_.actions.size()) return;
  // Those that were played: a piece may go on behind its end.
  HeldDevices held = segment.from->held;
  for (const ActionChange& change : ToChanges(grammar_, segment.inputs, held)) {
    actions_used_.insert(change.action);
  }
}

void FuzzCampaign::MergeCandidate(Segment& segment, Candidate& candidate,
                                  std::shared_ptr<const Played>& played) {
  auto entry = std::make_unique<Entry>();
  bool is_new = false;
  for (const Feature& feature : candidate.features) {
    if (!features_.try_emplace(feature.hash).second) continue;
    is_new = true;
    entry->worth = std::max(entry->worth, WorthOf(feature.kind));
    if (feature.kind != Kind::kState) {
      entry->is_told_by_tables = false;
      if (entry->features.size() < 16) entry->features.push_back(feature.hash);
    }
    TellOf(feature, candidate);
  }
  bool is_best = false;
  for (size_t i = 0; i < candidate.scores.size(); ++i) {
    if (!candidate.scores[i]) continue;
    if (best_scores_[i] && *candidate.scores[i] <= *best_scores_[i]) continue;
    best_scores_[i] = candidate.scores[i];
    best_entries_[i] = entry.get();
    is_best = true;
  }
  if (!is_new && !is_best) return;
  if (is_best) entry->is_told_by_tables = false;
  coverage_->Look(candidate.snapshot);
  // What was played from the last state of the piece that was kept.
  auto step = std::make_shared<Played>();
  step->before = played;
  step->end = candidate.tick;
  for (const TickInputs& inputs : segment.inputs) {
    if (inputs.tick >= played->end && inputs.tick < candidate.tick) {
      step->ticks.push_back(inputs);
    }
  }
  step->id = state_count_++;
  // The start needs no telling.
  if (options_.journal != nullptr && step->id > 0) {
    options_.journal->OnState(step->id, played->id, step->ticks, step->end);
  }
  played = step;
  entry->snapshot = std::move(candidate.snapshot);
  entry->tick = candidate.tick;
  entry->held = std::move(candidate.held);
  entry->memory = candidate.memory;
  entry->played = played;
  entry->is_over = candidate.is_over;
  progress_.deepest = std::max(progress_.deepest, entry->tick);
  if (!entry->is_told_by_tables) {
    KeepPiece(segment.piece);
    mutator_->Learn(segment.piece.changes);
  }
  AddEntry(std::move(entry));
}

void FuzzCampaign::TellOf(const Feature& feature, const Candidate& candidate) {
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
    case Kind::kState:
      break;
  }
}

void FuzzCampaign::AddEntry(std::unique_ptr<Entry> entry) {
  CountPages(entry->snapshot, /*is_added=*/true);
  entries_.push_back(std::move(entry));
  progress_.states = entries_.size();
}

void FuzzCampaign::CountPages(const sim::State& state, bool is_added) {
  for (uint32_t t = 0; t < state.table_count(); ++t) {
    const sim::Table& table = state.table({t});
    for (uint32_t page = 0; page < table.page_count(); ++page) {
      const std::byte* const bytes = table.PageBytes(page).data();
      if (is_added) {
        if (++pages_[bytes] == 1) progress_.snapshot_bytes += sizeof(sim::Page);
      } else if (const auto found = pages_.find(bytes); --found->second == 0) {
        pages_.erase(found);
        progress_.snapshot_bytes -= sizeof(sim::Page);
      }
    }
  }
}

// Drops the least useful quarter where there is too much; never the start.
void FuzzCampaign::DropEntries() {
  if (entries_.size() <= kEntriesMax &&
      progress_.snapshot_bytes <= options_.snapshot_bytes_max) {
    return;
  }
  std::vector<std::pair<double, size_t>> by_weight;
  for (size_t i = 1; i < entries_.size(); ++i) {
    by_weight.emplace_back(WeightOf(*entries_[i]), i);
  }
  // A total order: places differ.
  std::ranges::sort(by_weight);
  const size_t count_min = (entries_.size() + 3) / 4;
  std::vector<bool> is_dropped(entries_.size(), false);
  size_t dropped = 0;
  for (const auto& [weight, place] : by_weight) {
    if (dropped >= count_min &&
        progress_.snapshot_bytes <= options_.snapshot_bytes_max / 4 * 3) {
      break;
    }
    const Entry* const entry = entries_[place].get();
    if (std::ranges::find(best_entries_, entry) != best_entries_.end())
      continue;
    if (!entry->is_taken && !entry->is_told_by_tables) {
      untaken_.push_back(entry->played);
    }
    CountPages(entry->snapshot, /*is_added=*/false);
    is_dropped[place] = true;
    ++dropped;
  }
  size_t place = 0;
  std::erase_if(entries_, [&](const std::unique_ptr<Entry>&) {
    return is_dropped[place++];
  });
  progress_.states = entries_.size();
  progress_.states_dropped += dropped;
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

PlayedInputs FuzzCampaign::InputsOf(
    const std::shared_ptr<const Played>& played) {
  std::vector<const Played*> steps;
  for (const Played* step = played.get(); step != nullptr;
       step = step->before.get()) {
    steps.push_back(step);
  }
  PlayedInputs inputs{.ticks = {}, .tick_count = played->end};
  for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
    inputs.ticks.insert(inputs.ticks.end(), (*step)->ticks.begin(),
                        (*step)->ticks.end());
  }
  return inputs;
}

std::vector<FuzzNews> FuzzCampaign::TakeNews() {
  return std::exchange(news_, {});
}

std::vector<std::optional<double>> FuzzCampaign::BestScores() const {
  std::vector<std::optional<double>> scores = best_scores_;
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

std::vector<PlayedInputs> FuzzCampaign::TakeRuns(bool has_all) {
  std::vector<std::shared_ptr<const Played>> ends = std::exchange(untaken_, {});
  for (const std::unique_ptr<Entry>& entry : entries_) {
    if (entry->is_taken || (entry->is_told_by_tables && !has_all)) continue;
    entry->is_taken = true;
    ends.push_back(entry->played);
  }
  // The deepest first: it goes through those before it.
  std::ranges::stable_sort(ends, std::greater(),
                           [](const auto& end) { return end->end; });
  std::set<const Played*> covered;
  std::vector<PlayedInputs> runs;
  for (const std::shared_ptr<const Played>& end : ends) {
    if (end->before == nullptr || covered.contains(end.get())) continue;
    for (const Played* step = end.get(); step != nullptr;
         step = step->before.get()) {
      covered.insert(step);
    }
    runs.push_back(InputsOf(end));
  }
  return runs;
}

std::vector<PlayedInputs> FuzzCampaign::OpenEnds(size_t count_max) const {
  std::set<const Played*> inner;
  for (const std::unique_ptr<Entry>& entry : entries_) {
    for (const Played* step = entry->played->before.get();
         step != nullptr && inner.insert(step).second;
         step = step->before.get()) {
    }
  }
  std::vector<const Entry*> ends;
  for (const std::unique_ptr<Entry>& entry : entries_) {
    if (entry->is_over || inner.contains(entry->played.get())) continue;
    ends.push_back(entry.get());
  }
  std::vector<PlayedInputs> runs;
  const size_t count = std::min(count_max, ends.size());
  for (size_t i = 0; i < count; ++i) {
    runs.push_back(InputsOf(ends[i * ends.size() / count]->played));
  }
  return runs;
}

}  // namespace reprise::replays
