// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/fuzzing/checks/run_check.h"

#include <algorithm>
#include <array>
#include <string>

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
  const Saved& saved = last_.back();
  const absl::Status status = simulation_->Restore(saved.state);
  CHECK(status.ok(), "{}", std::string(status.message()));
  simulation_->DrainEvents();
  watch_.Restore(saved.state, saved.memory);
  if (restored_ != nullptr) {
    CHECK(restored_->Restore(saved.state).ok());
    restored_->DrainEvents();
  }
  if (perturbed_ != nullptr) CHECK(perturbed_->Restore(saved.state).ok());
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
  if (simulation_->tick() == 0) {
    std::optional<RunFailure> failure = watch_.Look(*simulation_, {}, false);
    buckets_.clear();
    if (!failure) failure = watch_.Scan(*simulation_, buckets_);
    if (failure) return failure;
  }
  const sim::Tick stride = std::max(kStrideMin, tick_count / kSavedMax);
  auto next = std::ranges::lower_bound(inputs, simulation_->tick(), {},
                                       &TickInputs::tick);
  while (simulation_->tick() < tick_count) {
    std::span<const sim::InputFrame> frames;
    if (next != inputs.end() && next->tick == simulation_->tick()) {
      frames = (next++)->frames;
    }
    std::optional<RunFailure> failure = Step(frames);
    if (failure || is_refused_) return failure;
    if (simulation_->tick() % stride == 0) {
      last_.push_back({.tick = simulation_->tick(),
                       .state = simulation_->state(),
                       .memory = watch_.memory()});
    }
  }
  return std::nullopt;
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
  if (perturbed_ != nullptr) {
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
  const sim::Tick tick = simulation_->tick();
  if (restored_ == nullptr || simulation_->state().ComputeRootDigest() ==
                                  restored_->state().ComputeRootDigest()) {
    return std::nullopt;
  }
  return DescribeRestoredRun(tick - tick % kSaveInterval, simulation_->state(),
                             *restored_);
}

absl::StatusOr<RunFailure> FindFailure(const sim::Simulation& start,
                                       const FuzzRules& rules,
                                       const PlayedInputs& run,
                                       RunShadow* shadow,
                                       std::span<const RunShadow> shadows) {
  for (const RunShadow& one : shadows) {
    RunCheck check(&rules, start, one);
    const std::optional<RunFailure> failure =
        check.Run(run.ticks, run.tick_count);
    if (!failure) continue;
    if (shadow != nullptr) *shadow = one;
    return *failure;
  }
  return absl::NotFoundError("the run doesn't fail");
}

}  // namespace reprise::replays
