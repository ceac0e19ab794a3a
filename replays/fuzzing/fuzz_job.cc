// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/fuzzing/fuzz_job.h"

#include <algorithm>
#include <utility>

#include "absl/status/status.h"
#include "replays/fuzzing/checks/restore_check.h"
#include "replays/fuzzing/feedback/state_scan.h"
#include "sim/state/state_codec.h"

namespace reprise::replays {
namespace {

using Kind = Feature::Kind;

// Tables are looked through at every so many ticks of a piece: they change
// slowly, and it costs more than the words.
constexpr sim::Tick kScanInterval = 8;

// Of a piece, so many states are kept that only tables tell from others.
constexpr uint32_t kTableStatesMax = 8;

// To count code costs as much as to run it: once so many pieces came to nothing
// new, one in so many is counted.
constexpr uint64_t kPiecesWithoutNewCodeMax = 1024;
constexpr uint64_t kCodeInterval = 8;

// The end of a piece that is made again in a way that must not matter: it costs
// several times as much as to play it.
constexpr sim::Tick kPerturbedTicksMax = 64;

constexpr std::span<const sim::InputFrame> kNoFrames = {};

// The length of a piece: short ones as often as long ones, to the power of two.
sim::Tick NextLength(sim::RandomStream& stream) {
  constexpr uint64_t kPowers = 8;  // up to 512 ticks
  const sim::Tick length_max = sim::Tick{4} << sim::NextBelow(stream, kPowers);
  return 1 + sim::NextBelow(stream, length_max);
}

}  // namespace

FuzzJob::FuzzJob(const FuzzShared& shared, uint32_t index,
                 std::unique_ptr<sim::Simulation> simulation)
    : shared_(shared),
      index_(index),
      simulation_(std::move(simulation)),
      code_(shared.code == nullptr ? nullptr
                                   : shared.code->Watch(*simulation_)),
      watch_(shared.rules, *simulation_),
      novelty_(shared.rules) {}

void FuzzJob::Run(sim::Tick ticks, sim::RandomStream stream) {
  Clear();
  while (result_.ticks < ticks && !is_full()) {
    const ArchivedState& from = shared_.archive->Choose(stream);
    FuzzSegment segment{.from = &from, .piece = NextPiece(stream)};
    HeldDevices held = from.held;
    std::vector<ActionChange> changes = segment.piece.changes;
    for (ActionChange& change : changes) change.tick += from.tick;
    const std::vector<TickInputs> inputs =
        ToTickInputs(*shared_.grammar, changes, held);
    ++pieces_without_new_code_;
    Play(inputs, segment.piece.length, stream, segment);
    result_.segments.push_back(std::move(segment));
  }
}

void FuzzJob::Clear() {
  result_ = {};
  local_.clear();
  pages_.Clear();
  bytes_beside_ = 0;
}

std::unique_ptr<ArchivedState> FuzzJob::PlayPart(const ArchivedState& from,
                                                 const PlayedInputs& run,
                                                 sim::Tick end) {
  Clear();
  FuzzSegment segment{.from = &from};
  segment.piece.length = end - from.tick;
  const auto first =
      std::ranges::lower_bound(run.ticks, from.tick, {}, &TickInputs::tick);
  const auto last = std::ranges::lower_bound(first, run.ticks.end(), end, {},
                                             &TickInputs::tick);
  sim::RandomStream unused;
  keeps_all_ = true;
  Play({first, last}, end - from.tick, unused, segment);
  keeps_all_ = false;
  HeldDevices held = from.held;
  segment.piece.changes = ToChanges(*shared_.grammar, segment.inputs, held);
  // A piece begins wherever it is played from.
  for (ActionChange& change : segment.piece.changes) change.tick -= from.tick;
  const bool goes_on = !segment.failure && simulation_->outcome().status ==
                                               sim::Outcome::Status::kRunning;
  result_.segments.push_back(std::move(segment));
  if (!goes_on) return nullptr;
  auto state = std::make_unique<ArchivedState>();
  state->snapshot = simulation_->state();
  state->tick = simulation_->tick();
  state->held = held_;
  state->memory = watch_.memory();
  return state;
}

InputPiece FuzzJob::NextPiece(sim::RandomStream& stream) const {
  const InputMutator& mutator = *shared_.mutator;
  const std::vector<InputPiece>& pieces = *shared_.pieces;
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

void FuzzJob::Play(std::span<const TickInputs> inputs, sim::Tick length,
                   sim::RandomStream& stream, FuzzSegment& segment) {
  const ArchivedState& from = *segment.from;
  const sim::Tick end = from.tick + length;
  FuzzJournal* const journal = shared_.journal;
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
  if (code_ != nullptr) code_->Count(CountsCode());
  watch_.Restore(from.snapshot, from.memory);
  held_ = from.held;
  hits_.clear();
  score_candidate_.reset();
  table_states_ = 0;
  const std::optional<sim::Tick> saved_at = NextSave(stream, from.tick, end);
  std::string saved;
  const std::optional<Perturbation> perturbation =
      NextPerturbation(from.tick, end);
  const sim::Tick perturbed_at =
      end - std::min(end - from.tick, kPerturbedTicksMax);
  std::optional<sim::State> perturbed_from;
  size_t next = 0;
  while (simulation_->tick() < end) {
    const sim::Tick tick = simulation_->tick();
    if (journal != nullptr) journal->OnTick(index_);
    if (tick == saved_at) saved = sim::EncodeState(simulation_->state());
    if (perturbation && tick == perturbed_at) {
      perturbed_from = simulation_->state();
    }
    while (next < inputs.size() && inputs[next].tick < tick) ++next;
    const bool has_inputs = next < inputs.size() && inputs[next].tick == tick;
    if (!Step(has_inputs ? inputs[next].frames : kNoFrames, tick == end - 1,
              segment) ||
        is_full()) {
      break;
    }
  }
  segment.hits.assign(hits_.begin(), hits_.end());
  // A total order: each is there once.
  std::ranges::sort(segment.hits);
  if (score_candidate_) Push(*std::move(score_candidate_), segment);
  if (!saved.empty() && !segment.failure) {
    CheckRestore(saved, *saved_at, segment);
  }
  if (perturbed_from && !segment.failure) {
    CheckPerturbation(*perturbation, *perturbed_from, perturbed_at, segment);
  }
}

// Whether the piece that comes is counted. Runs that are known all are.
bool FuzzJob::CountsCode() const {
  return keeps_all_ || pieces_without_new_code_ < kPiecesWithoutNewCodeMax ||
         pieces_without_new_code_ % kCodeInterval == 0;
}

// Whether, and where, a state is saved and gone on from once more.
std::optional<sim::Tick> FuzzJob::NextSave(sim::RandomStream& stream,
                                           sim::Tick begin,
                                           sim::Tick end) const {
  const uint64_t interval = shared_.restore_check_interval;
  if (keeps_all_ || interval == 0 || end == begin) return std::nullopt;
  if (sim::NextBelow(stream, interval) != 0) return std::nullopt;
  return begin + sim::NextBelow(stream, end - begin);
}

// Whether, and how, the end of a piece is made once more: each way in turn. No
// number is drawn for it, and its ticks count apart, so that the search is the
// same without.
std::optional<Perturbation> FuzzJob::NextPerturbation(sim::Tick begin,
                                                      sim::Tick end) {
  const uint64_t interval = shared_.perturbation_check_interval;
  if (keeps_all_ || interval == 0 || end == begin) return std::nullopt;
  const uint64_t piece = pieces_++;
  if (piece % interval != interval - 1) return std::nullopt;
  return kPerturbations[piece / interval % kPerturbations.size()];
}

// Makes a tick, and looks at what came of it. False: the piece is over.
bool FuzzJob::Step(std::span<const sim::InputFrame> frames, bool is_last,
                   FuzzSegment& segment) {
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
    bytes_beside_ += BytesOf({&segment.inputs.back(), 1});
    for (const sim::InputFrame& frame : frames) {
      held_[frame.player] = frame.device;
    }
  }
  const std::vector<sim::Event> events = simulation_->DrainEvents();
  places_.clear();
  if (code_ != nullptr) code_->Take(places_);
  segment.failure = watch_.Look(*simulation_, events, !frames.empty());
  if (segment.failure) return Fail(events, segment);
  seen_.clear();
  novelty_.Look(*simulation_, events, seen_);
  for (const uint32_t place : places_) {
    seen_.push_back(
        {.hash = MixBuckets(static_cast<uint64_t>(Kind::kCode), place),
         .kind = Kind::kCode,
         .index = place});
  }
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
bool FuzzJob::Fail(std::span<const sim::Event> events,
                   FuzzSegment& segment) const {
  for (const sim::Event& event : events) {
    segment.last_events.push_back(event.type);
  }
  segment.last_places = places_;
  return false;
}

// Keeps the state where something is new.
void FuzzJob::Keep(bool is_over, bool is_last, FuzzSegment& segment) {
  std::vector<Feature> fresh;
  bool is_told_by_tables = true;
  for (const Feature& feature : seen_) {
    if (feature.kind != Kind::kState) hits_.insert(feature.hash);
    const bool is_code = feature.kind == Kind::kCode;
    if (shared_.archive->HasFeature(feature.hash)) {
      if (is_code) code_->Know(feature.index);
      continue;
    }
    if (!local_.insert(feature.hash).second) continue;
    if (feature.kind != Kind::kState) is_told_by_tables = false;
    if (is_code) pieces_without_new_code_ = 0;
    fresh.push_back(feature);
  }
  const bool is_better =
      (is_last || simulation_->tick() % 4 == 0) && IsBetter();
  if (fresh.empty() && !is_better) return;
  if (!fresh.empty() && is_told_by_tables && !is_better && !keeps_all_ &&
      table_states_++ >= kTableStatesMax) {
    return;
  }
  FuzzCandidate candidate{.snapshot = simulation_->state(),
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
    Push(std::move(candidate), segment);
  }
}

void FuzzJob::Push(FuzzCandidate candidate, FuzzSegment& segment) {
  pages_.Add(candidate.snapshot, &shared_.archive->pages());
  bytes_beside_ += sizeof(candidate) + BytesBesidePages(candidate.snapshot) +
                   candidate.features.size() * sizeof(Feature);
  segment.candidates.push_back(std::move(candidate));
}

bool FuzzJob::IsBetter() const {
  const auto& scores = novelty_.scores();
  for (size_t i = 0; i < scores.size(); ++i) {
    if (!scores[i]) continue;
    const std::optional<double>& best = shared_.archive->best_scores()[i];
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
void FuzzJob::CheckRestore(const std::string& saved, sim::Tick tick,
                           FuzzSegment& segment) {
  const sim::State expected = simulation_->state();
  const sim::Tick end = simulation_->tick();
  result_.ticks += end - tick;
  segment.failure = CheckRestoredRun(saved, tick, segment.inputs, expected, end,
                                     *simulation_);
}

// Makes again, perturbed, what led from `snapshot` at `tick` to here.
void FuzzJob::CheckPerturbation(Perturbation perturbation,
                                const sim::State& snapshot, sim::Tick tick,
                                FuzzSegment& segment) {
  const std::vector<TickInputs>& inputs = segment.inputs;
  const sim::State expected = simulation_->state();
  const sim::Tick end = simulation_->tick();
  PerturbationCheck check = CheckPerturbedRun(perturbation, snapshot, inputs,
                                              expected, end, *simulation_);
  result_.perturbed_ticks += check.ticks;
  if (!check.failure) return;
  // What a saved state shows without that is told as such.
  result_.perturbed_ticks += end - tick;
  segment.failure = CheckRestoredRun(sim::EncodeState(snapshot), tick, inputs,
                                     expected, end, *simulation_);
  if (!segment.failure) segment.failure = std::move(check.failure);
}

}  // namespace reprise::replays
