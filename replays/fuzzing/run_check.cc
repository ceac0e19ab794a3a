// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/fuzzing/run_check.h"

#include <algorithm>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "replays/fuzzing/restore_check.h"
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

RunCheck::RunCheck(const FuzzRules* rules, const sim::Simulation& start,
                   bool checks_restore)
    : rules_(rules),
      start_(start),
      simulation_(start.Fork()),
      shadow_(checks_restore ? start.Fork() : nullptr),
      watch_(rules, start) {
  CHECK(start.tick() == 0);
  adopted_.push_back({.tick = 0, .state = start.state(), .memory = {}});
}

void RunCheck::Adopt() {
  adopted_inputs_ = last_inputs_;
  adopted_ = last_;
}

std::unique_ptr<RunOracle> RunCheck::Fork() const {
  auto other = std::make_unique<RunCheck>(rules_, start_, shadow_ != nullptr);
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
  if (shadow_ != nullptr) {
    CHECK(shadow_->Restore(saved.state).ok());
    shadow_->DrainEvents();
  }
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
  if (shadow_ != nullptr && simulation_->tick() % kSaveInterval == 0) {
    const std::string encoded = sim::EncodeState(simulation_->state());
    const absl::StatusOr<sim::State> saved = sim::DecodeState(
        std::as_bytes(std::span(encoded)), simulation_->state());
    CHECK(saved.ok());
    const absl::Status status = shadow_->Restore(*saved);
    if (!status.ok()) {
      return RunFailure{.signature = std::string(kRestoreSignature) + "refused",
                        .message = std::string(status.message()),
                        .tick = simulation_->tick()};
    }
  }
  simulation_->Step(frames, /*observer=*/nullptr);
  ++ticks_;
  if (shadow_ != nullptr) {
    shadow_->Step(frames, /*observer=*/nullptr);
    shadow_->DrainEvents();
    ++ticks_;
  }
  std::optional<RunFailure> failure =
      watch_.Look(*simulation_, simulation_->DrainEvents(), !frames.empty());
  buckets_.clear();
  if (!failure) failure = watch_.Scan(*simulation_, buckets_);
  if (!failure && shadow_ != nullptr) failure = CompareShadow();
  return failure;
}

std::optional<RunFailure> RunCheck::CompareShadow() {
  const sim::Tick tick = simulation_->tick();
  if (simulation_->state().ComputeRootDigest() ==
      shadow_->state().ComputeRootDigest()) {
    return std::nullopt;
  }
  return DescribeRestoredRun(tick - tick % kSaveInterval, simulation_->state(),
                             *shadow_);
}

}  // namespace reprise::replays
