// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/fuzzing/checks/perturbed_run.h"

#include <cstddef>
#include <string>
#include <utility>

#include "fmt/format.h"
#include "replays/fuzzing/checks/restore_check.h"

namespace reprise::replays {
namespace {

// A run moves after so many ticks; half way between it is restored from its own
// state. Both cost as much as a few ticks.
constexpr sim::Tick kMoveTicks = 8;

// The run beside it makes every other tick, so it falls behind; after so many
// ticks another one takes its place, so that little has to be remembered.
constexpr sim::Tick kCompanionTicks = 64;

// Leaves memory full of other bytes to what is made next: blocks of the sizes
// that malloc hands out again.
void StirMemory() {
  constexpr size_t kBlocks = 128;
  constexpr size_t kBytesMin = 16;
  constexpr size_t kBytesMax = 1024;
  constexpr char kOtherByte = 0x5a;
  std::vector<std::unique_ptr<char[]>> blocks;
  for (size_t i = 0; i < kBlocks; ++i) {
    // Sizes come in no order: the step and their number have no divisor.
    constexpr size_t kStep = 389;
    const size_t bytes = kBytesMin + i * kStep % (kBytesMax - kBytesMin);
    blocks.push_back(std::make_unique<char[]>(bytes));
    // What is written and never read would be left out otherwise.
    volatile char* const place = blocks.back().get();
    for (size_t k = 0; k < bytes; ++k) place[k] = kOtherByte;
  }
}

std::string_view WordsOf(Perturbation perturbation) {
  switch (perturbation) {
    case Perturbation::kWatched:
      return "a run that was looked at";
    case Perturbation::kMoved:
      return "a run that moved between simulations";
    case Perturbation::kAccompanied:
      return "a run with another one beside it";
  }
  return "";
}

}  // namespace

std::string_view NameOf(Perturbation perturbation) {
  switch (perturbation) {
    case Perturbation::kWatched:
      return "watched";
    case Perturbation::kMoved:
      return "moved";
    case Perturbation::kAccompanied:
      return "accompanied";
  }
  return "";
}

PerturbedRun::PerturbedRun(const sim::Simulation& start,
                           Perturbation perturbation)
    : perturbation_(perturbation), simulation_(start.Fork()) {}

absl::Status PerturbedRun::Restore(const sim::State& snapshot) {
  companion_ = nullptr;
  behind_.clear();
  status_ = simulation_->Restore(snapshot);
  simulation_->DrainEvents();
  return status_;
}

void PerturbedRun::Step(std::span<const sim::InputFrame> frames) {
  switch (perturbation_) {
    case Perturbation::kWatched:
      Onlooker::LookAt(*simulation_);
      break;
    case Perturbation::kMoved:
      if (simulation_->tick() % kMoveTicks == 0) Move();
      if (simulation_->tick() % kMoveTicks == kMoveTicks / 2) {
        ThrowAwayWhatIsDerived();
      }
      break;
    case Perturbation::kAccompanied:
      StepCompanion();
      behind_.emplace_back(frames.begin(), frames.end());
      break;
  }
  if (status_.ok()) status_ = simulation_->status();
  if (!status_.ok()) return;
  const bool is_watched = perturbation_ == Perturbation::kWatched;
  simulation_->Step(frames, is_watched ? &onlooker_ : nullptr);
  ++ticks_;
  if (is_watched) Onlooker::LookAt(*simulation_);
  simulation_->DrainEvents();
  status_ = simulation_->status();
}

void PerturbedRun::Move() {
  StirMemory();
  // The old one lies where it lay until the new one is there.
  simulation_ = simulation_->Fork();
  simulation_->DrainEvents();
}

void PerturbedRun::ThrowAwayWhatIsDerived() {
  const sim::State snapshot = simulation_->state();
  status_ = simulation_->Restore(snapshot);
  simulation_->DrainEvents();
}

// It comes to no state that the run beside it hasn't come to, so it survives
// whatever that has survived.
void PerturbedRun::StepCompanion() {
  if (companion_ == nullptr || simulation_->tick() % kCompanionTicks == 0) {
    companion_ = simulation_->Fork();
    behind_.clear();
    return;
  }
  if (simulation_->tick() % 2 == 0 || behind_.empty()) return;
  if (!companion_->status().ok()) return;
  if (companion_->Validate(behind_.front()).ok()) {
    companion_->Step(behind_.front(), /*observer=*/nullptr);
    companion_->DrainEvents();
    ++ticks_;
  }
  behind_.pop_front();
}

std::optional<RunFailure> PerturbedRun::Compare(
    const sim::State& expected) const {
  const std::string prefix =
      fmt::format("{}{} ", kPerturbationSignature, NameOf(perturbation_));
  if (!status_.ok()) {
    return RunFailure{
        .signature = prefix + "refused",
        .message = fmt::format("{} can't go on: {}", WordsOf(perturbation_),
                               std::string(status_.message())),
        .tick = simulation_->tick()};
  }
  return DescribeOtherRun(prefix, WordsOf(perturbation_), expected,
                          *simulation_);
}

PerturbationCheck CheckPerturbedRun(Perturbation perturbation,
                                    const sim::State& snapshot,
                                    std::span<const TickInputs> inputs,
                                    const sim::State& expected, sim::Tick end,
                                    sim::Simulation& simulation,
                                    const std::function<void()>& before_tick) {
  PerturbationCheck check;
  // What it went on from before was taken, too.
  if (!simulation.Restore(snapshot).ok()) return check;
  simulation.DrainEvents();
  PerturbedRun run(simulation, perturbation);
  size_t next = 0;
  sim::Tick tick = run.simulation().tick();
  for (; tick < end; ++tick) {
    if (before_tick) before_tick();
    while (next < inputs.size() && inputs[next].tick < tick) ++next;
    std::span<const sim::InputFrame> frames;
    if (next < inputs.size() && inputs[next].tick == tick) {
      frames = inputs[next].frames;
    }
    if (!run.simulation().Validate(frames).ok()) frames = {};
    run.Step(frames);
  }
  check.failure = run.Compare(expected);
  check.ticks = run.ticks();
  return check;
}

}  // namespace reprise::replays
