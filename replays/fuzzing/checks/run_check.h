// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Plays runs that are much alike, and says how each fails first. What a run has
// in common with the one before isn't played again.

#ifndef REPRISE_REPLAYS_FUZZING_CHECKS_RUN_CHECK_H_
#define REPRISE_REPLAYS_FUZZING_CHECKS_RUN_CHECK_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "replays/format/input_source.h"
#include "replays/fuzzing/checks/perturbed_run.h"
#include "replays/fuzzing/checks/run_oracle.h"
#include "replays/fuzzing/checks/run_watch.h"
#include "replays/fuzzing/feedback/fuzz_rules.h"
#include "replays/fuzzing/inputs/played_inputs.h"
#include "sim/base/digest.h"
#include "sim/base/tick.h"
#include "sim/simulation.h"
#include "sim/state/state.h"

namespace reprise::replays {

// What is made beside a run, and has to be the same.
struct RunShadow {
  // A second simulation goes on from the encoded state every
  // RunCheck::kSaveInterval ticks.
  bool is_restored = false;
  // A second simulation is perturbed. With another run beside it, it is made
  // behind this one: two that take turns are beside each other.
  std::optional<Perturbation> perturbation = std::nullopt;
};

// Each of them, and none; the cheapest first.
std::span<const RunShadow> RunShadows();

// Used by one thread at a time.
class RunCheck final : public RunOracle {
 public:
  // `start` is at tick 0; it and `rules` must remain live. A difference to what
  // is made beside the run is a failure, too.
  RunCheck(const FuzzRules* rules, const sim::Simulation& start,
           const RunShadow& shadow);

  static constexpr sim::Tick kSaveInterval = 16;

  // Each tick is looked at.
  std::optional<RunFailure> Run(std::span<const TickInputs> inputs,
                                sim::Tick tick_count) override;
  void Adopt() override;
  uint64_t ticks() const override { return ticks_; }
  std::unique_ptr<RunOracle> Fork() const override;
  void AdoptOf(const RunOracle& other) override;

  // The end of the last run, its state, and that of what was made beside it;
  // null where nothing was, or where it couldn't go on.
  sim::Tick tick() const { return simulation_->tick(); }
  const sim::State& state() const { return simulation_->state(); }
  const sim::State* shadow_state() const;

 private:
  struct Saved {
    sim::Tick tick = 0;
    sim::State state;
    RunMemory memory;
  };

  // Goes to the last state that both runs have in common.
  void Start(std::span<const TickInputs> inputs);
  std::optional<RunFailure> Play(std::span<const TickInputs> inputs,
                                 sim::Tick tick_count);
  std::optional<RunFailure> PlayBehind(std::span<const TickInputs> inputs);
  void PlayAgain(std::span<const TickInputs> inputs, sim::Tick end);
  std::optional<RunFailure> Step(std::span<const sim::InputFrame> frames);
  std::optional<RunFailure> StepShadow(std::span<const sim::InputFrame> frames);
  std::optional<RunFailure> CompareShadow() const;

  const FuzzRules* const rules_;
  const sim::Simulation& start_;
  const std::unique_ptr<sim::Simulation> simulation_;
  const RunShadow shadow_;
  // Goes on from saved states; null: it isn't asked for.
  const std::unique_ptr<sim::Simulation> restored_;
  // Null: it isn't asked for.
  const std::unique_ptr<PerturbedRun> perturbed_;
  RunWatch watch_;
  std::vector<uint64_t> buckets_;
  // Of the run that was adopted, and of the last one; ascending, the first of
  // tick 0.
  std::vector<TickInputs> adopted_inputs_;
  std::vector<Saved> adopted_;
  std::vector<TickInputs> last_inputs_;
  std::vector<Saved> last_;
  // Where in last_ the last run began, and the digests of its states from there
  // on, where a run is made behind it.
  size_t begin_ = 0;
  std::vector<sim::Digest> digests_;
  bool is_refused_ = false;
  uint64_t ticks_ = 0;
};

// How the run fails first: by itself, or by what is made beside it, the first
// of `shadows` with which it does, and would if no other simulation were there.
// NOT_FOUND: with none. `shadow`, which may be null, becomes that one.
absl::StatusOr<RunFailure> FindFailure(
    const sim::Simulation& start, const FuzzRules& rules,
    const PlayedInputs& run, RunShadow* shadow = nullptr,
    std::span<const RunShadow> shadows = RunShadows());

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_FUZZING_CHECKS_RUN_CHECK_H_
