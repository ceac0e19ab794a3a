// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/fuzzing/checks/run_check.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "replays/fuzzing/checks/restore_check.h"
#include "sim/base/check.h"
#include "sim/state/state_codec.h"

namespace reprise::replays {
namespace {

// How many states of a run are kept: each costs what it doesn't share.
constexpr sim::Tick kSavedMax = 64;
constexpr sim::Tick kStrideMin = 8;

// The first tick at which the inputs differ; past both where they don't.
sim::Tick FirstDifference(std::span<const TickInputs> a,
                          std::span<const TickInputs> b) {
  const auto [in_a, in_b] = std::ranges::mismatch(a, b);
  sim::Tick tick = sim::Tick(-1);
  if (in_a != a.end()) tick = std::min(tick, in_a->tick);
  if (in_b != b.end()) tick = std::min(tick, in_b->tick);
  return tick;
}

// What players give at `tick`; `next` goes on to there.
std::span<const sim::InputFrame> FramesAt(std::span<const TickInputs> inputs,
                                          sim::Tick tick, size_t& next) {
  while (next < inputs.size() && inputs[next].tick < tick) ++next;
  if (next == inputs.size() || inputs[next].tick != tick) return {};
  return inputs[next].frames;
}

// The last tick before `tick` at which a second simulation goes on from what
// was saved.
sim::Tick SavedBefore(sim::Tick tick) {
  return (tick - 1) - (tick - 1) % RunCheck::kSaveInterval;
}

// Whether the run is made behind this one, and not tick by tick beside it.
bool IsBehind(const RunShadow& shadow) {
  return shadow.perturbation == Perturbation::kAccompanied;
}

// Whether what is made beside the run is another one at the tick `end`, too,
// where both are made one after the other: simulations that take turns fail by
// one another where they share something. A saved state may be right at some
// ticks, such as the first one, so all since the last that was saved are tried.
bool ShowsAlone(const sim::Simulation& start, const RunShadow& shadow,
                std::span<const TickInputs> inputs, sim::Tick end) {
  if (end == 0 || IsBehind(shadow)) return true;
  const std::unique_ptr<sim::Simulation> simulation = start.Fork();
  // What refuses its own state fails whatever runs beside it.
  if (!simulation->Restore(start.state()).ok()) return true;
  simulation->DrainEvents();
  const sim::State first = simulation->state();
  const sim::Tick saved_from = SavedBefore(end);
  std::vector<sim::State> saved;
  size_t next = 0;
  for (sim::Tick tick = 0; tick < end; ++tick) {
    if (tick >= saved_from) saved.push_back(simulation->state());
    simulation->Step(FramesAt(inputs, tick, next), /*observer=*/nullptr);
    simulation->DrainEvents();
  }
  const sim::State expected = simulation->state();
  if (!shadow.is_restored) {
    return CheckPerturbedRun(*shadow.perturbation, first, inputs, expected, end,
                             *simulation)
        .failure.has_value();
  }
  for (size_t i = 0; i < saved.size(); ++i) {
    if (CheckRestoredRun(sim::EncodeState(saved[i]), saved_from + i, inputs,
                         expected, end, *simulation)) {
      return true;
    }
  }
  return false;
}

}  // namespace

std::span<const RunShadow> RunShadows() {
  static constexpr std::array kShadows = {
      RunShadow{}, RunShadow{.is_restored = true},
      RunShadow{.perturbation = Perturbation::kWatched},
      RunShadow{.perturbation = Perturbation::kMoved},
      RunShadow{.perturbation = Perturbation::kAccompanied}};
  return kShadows;
}

RunCheck::RunCheck(const FuzzRules* rules, const sim::Simulation& start,
                   const RunShadow& shadow)
    : rules_(rules),
      start_(start),
      simulation_(start.Fork()),
      shadow_(shadow),
      restored_(shadow.is_restored ? start.Fork() : nullptr),
      perturbed_(shadow.perturbation ? std::make_unique<PerturbedRun>(
                                           start, *shadow.perturbation)
                                     : nullptr),
      watch_(rules, start) {
  CHECK(start.tick() == 0);
  adopted_.push_back({.tick = 0, .state = start.state(), .memory = {}});
}

void RunCheck::Adopt() {
  adopted_inputs_ = last_inputs_;
  adopted_ = last_;
}

std::unique_ptr<RunOracle> RunCheck::Fork() const {
  auto other = std::make_unique<RunCheck>(rules_, start_, shadow_);
  other->adopted_inputs_ = adopted_inputs_;
  other->adopted_ = adopted_;
  return other;
}

void RunCheck::AdoptOf(const RunOracle& other) {
  const auto& check = static_cast<const RunCheck&>(other);
  adopted_inputs_ = check.last_inputs_;
  adopted_ = check.last_;
}

void RunCheck::Start(std::span<const TickInputs> inputs) {
  const sim::Tick first = FirstDifference(inputs, adopted_inputs_);
  last_inputs_.assign(inputs.begin(), inputs.end());
  last_.clear();
  for (const Saved& saved : adopted_) {
    if (saved.tick > first) break;
    last_.push_back(saved);
  }
  begin_ = last_.size() - 1;
  digests_.clear();
  const Saved& saved = last_.back();
  const absl::Status status = simulation_->Restore(saved.state);
  CHECK(status.ok(), "{}", std::string(status.message()));
  simulation_->DrainEvents();
  watch_.Restore(saved.state, saved.memory);
  if (restored_ != nullptr) {
    CHECK(restored_->Restore(saved.state).ok());
    restored_->DrainEvents();
  }
  if (perturbed_ != nullptr && !IsBehind(shadow_)) {
    CHECK(perturbed_->Restore(saved.state).ok());
  }
}

const sim::State* RunCheck::shadow_state() const {
  if (restored_ != nullptr && restored_->tick() == simulation_->tick()) {
    return &restored_->state();
  }
  if (perturbed_ != nullptr &&
      perturbed_->simulation().tick() == simulation_->tick()) {
    return &perturbed_->simulation().state();
  }
  return nullptr;
}

std::optional<RunFailure> RunCheck::Run(std::span<const TickInputs> inputs,
                                        sim::Tick tick_count) {
  Start(inputs);
  is_refused_ = false;
  std::optional<RunFailure> failure = Play(inputs, tick_count);
  if (is_refused_ || !IsBehind(shadow_)) return failure;
  std::optional<RunFailure> behind = PlayBehind(inputs);
  return behind ? behind : failure;
}

std::optional<RunFailure> RunCheck::Play(std::span<const TickInputs> inputs,
                                         sim::Tick tick_count) {
  if (simulation_->tick() == 0) {
    std::optional<RunFailure> failure = watch_.Look(*simulation_, {}, false);
    buckets_.clear();
    if (!failure) failure = watch_.Scan(*simulation_, buckets_);
    if (failure) return failure;
  }
  const sim::Tick stride = std::max(kStrideMin, tick_count / kSavedMax);
  size_t next = 0;
  while (simulation_->tick() < tick_count) {
    std::optional<RunFailure> failure =
        Step(FramesAt(inputs, simulation_->tick(), next));
    if (failure || is_refused_) return failure;
    if (IsBehind(shadow_)) {
      digests_.push_back(simulation_->state().ComputeRootDigest());
    }
    if (simulation_->tick() % stride == 0) {
      last_.push_back({.tick = simulation_->tick(),
                       .state = simulation_->state(),
                       .memory = watch_.memory()});
    }
  }
  return std::nullopt;
}

// Makes the perturbed run of the ticks that were made without a failure. Where
// it is another one, both are then at the first tick that differs.
std::optional<RunFailure> RunCheck::PlayBehind(
    std::span<const TickInputs> inputs) {
  CHECK(perturbed_->Restore(last_[begin_].state).ok());
  size_t next = 0;
  sim::Tick tick = last_[begin_].tick;
  for (const sim::Digest& digest : digests_) {
    const uint64_t before = perturbed_->ticks();
    perturbed_->Step(FramesAt(inputs, tick++, next));
    ticks_ += perturbed_->ticks() - before;
    // Where it couldn't go on, its digest may be the same.
    const sim::Simulation& perturbed = perturbed_->simulation();
    if (perturbed.tick() == tick &&
        perturbed.state().ComputeRootDigest() == digest) {
      continue;
    }
    PlayAgain(inputs, tick);
    return perturbed_->Compare(simulation_->state());
  }
  return std::nullopt;
}

// Goes back to where the run began, and on to the tick `end` of it.
void RunCheck::PlayAgain(std::span<const TickInputs> inputs, sim::Tick end) {
  CHECK(simulation_->Restore(last_[begin_].state).ok());
  simulation_->DrainEvents();
  std::erase_if(last_, [end](const Saved& saved) { return saved.tick > end; });
  size_t next = 0;
  while (simulation_->tick() < end) {
    simulation_->Step(FramesAt(inputs, simulation_->tick(), next),
                      /*observer=*/nullptr);
    simulation_->DrainEvents();
    ++ticks_;
  }
}

std::optional<RunFailure> RunCheck::Step(
    std::span<const sim::InputFrame> frames) {
  if (!simulation_->Validate(frames).ok()) {
    is_refused_ = true;
    return std::nullopt;
  }
  if (std::optional<RunFailure> failure = StepShadow(frames)) return failure;
  simulation_->Step(frames, /*observer=*/nullptr);
  ++ticks_;
  std::optional<RunFailure> failure =
      watch_.Look(*simulation_, simulation_->DrainEvents(), !frames.empty());
  buckets_.clear();
  if (!failure) failure = watch_.Scan(*simulation_, buckets_);
  if (!failure) failure = CompareShadow();
  return failure;
}

// What is made beside the run makes the tick first: a failure is that a saved
// state is refused.
std::optional<RunFailure> RunCheck::StepShadow(
    std::span<const sim::InputFrame> frames) {
  if (perturbed_ != nullptr && !IsBehind(shadow_)) {
    const uint64_t before = perturbed_->ticks();
    perturbed_->Step(frames);
    ticks_ += perturbed_->ticks() - before;
  }
  if (restored_ == nullptr) return std::nullopt;
  if (simulation_->tick() % kSaveInterval == 0) {
    const std::string encoded = sim::EncodeState(simulation_->state());
    const absl::StatusOr<sim::State> saved = sim::DecodeState(
        std::as_bytes(std::span(encoded)), simulation_->state());
    CHECK(saved.ok());
    const absl::Status status = restored_->Restore(*saved);
    if (!status.ok()) {
      return RunFailure{.signature = std::string(kRestoreSignature) + "refused",
                        .message = std::string(status.message()),
                        .tick = simulation_->tick()};
    }
  }
  restored_->Step(frames, /*observer=*/nullptr);
  restored_->DrainEvents();
  ++ticks_;
  return std::nullopt;
}

std::optional<RunFailure> RunCheck::CompareShadow() const {
  if (IsBehind(shadow_)) return std::nullopt;
  if (perturbed_ != nullptr) {
    // Where it couldn't go on, its digest may be the same.
    const bool is_there =
        perturbed_->simulation().tick() == simulation_->tick();
    if (is_there && simulation_->state().ComputeRootDigest() ==
                        perturbed_->simulation().state().ComputeRootDigest()) {
      return std::nullopt;
    }
    return perturbed_->Compare(simulation_->state());
  }
  if (restored_ == nullptr || simulation_->state().ComputeRootDigest() ==
                                  restored_->state().ComputeRootDigest()) {
    return std::nullopt;
  }
  return DescribeRestoredRun(SavedBefore(simulation_->tick()),
                             simulation_->state(), *restored_);
}

absl::StatusOr<RunFailure> FindFailure(const sim::Simulation& start,
                                       const FuzzRules& rules,
                                       const PlayedInputs& run,
                                       RunShadow* shadow,
                                       std::span<const RunShadow> shadows) {
  // What is only there while simulations take turns, and which that was.
  std::optional<RunFailure> in_turns;
  for (const RunShadow& one : shadows) {
    RunCheck check(&rules, start, one);
    std::optional<RunFailure> failure = check.Run(run.ticks, run.tick_count);
    if (!failure) continue;
    const bool has_shadow = one.is_restored || one.perturbation;
    if (!has_shadow || ShowsAlone(start, one, run.ticks, failure->tick)) {
      if (shadow != nullptr) *shadow = one;
      return *std::move(failure);
    }
    if (in_turns) continue;
    in_turns = std::move(failure);
    if (shadow != nullptr) *shadow = one;
  }
  if (in_turns) return *std::move(in_turns);
  return absl::NotFoundError("the run doesn't fail");
}

}  // namespace reprise::replays
