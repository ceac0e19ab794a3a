// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Says how a run ends the process that plays it.

#ifndef REPRISE_TOOLS_REPRISE_FUZZING_CRASH_SEARCH_H_
#define REPRISE_TOOLS_REPRISE_FUZZING_CRASH_SEARCH_H_

#include <cstdint>
#include <optional>
#include <span>

#include "absl/status/statusor.h"
#include "replays/format/input_source.h"
#include "replays/fuzzing/checks/perturbed_run.h"
#include "replays/fuzzing/checks/run_oracle.h"
#include "replays/fuzzing/checks/run_watch.h"
#include "replays/fuzzing/fuzz_campaign.h"
#include "sim/base/tick.h"
#include "sim/simulation.h"
#include "tools/reprise/fuzzing/isolated_process.h"

namespace reprise::tools {

// How `inputs` end a process that plays them: "crash SIGSEGV", "crash
// FILE:LINE: CHECK failed: ...", "hang" or "out of memory"; tick_count becomes
// that after the last tick that was begun. With `perturbation`, where they are
// played so: "perturbation watched crash SIGSEGV". NOT_FOUND: they don't.
// UNAVAILABLE and REQUIRES as above.
absl::StatusOr<replays::FoundFailure> FindCrash(
    const sim::Simulation& start, const replays::PlayedInputs& inputs,
    const ProcessLimits& limits,
    std::optional<replays::Perturbation> perturbation = std::nullopt);

// The first perturbation with which they do, and the crash; errors as above.
struct PerturbedCrash {
  replays::Perturbation perturbation;
  replays::FoundFailure found;
};
absl::StatusOr<PerturbedCrash> FindPerturbedCrash(
    const sim::Simulation& start, const replays::PlayedInputs& inputs,
    const ProcessLimits& limits);

// FindCrash for runs that are made shorter, each in a process of its own.
class CrashOracle final : public replays::RunOracle {
 public:
  // Both must remain live; `start` is at tick 0.
  CrashOracle(const sim::Simulation* start, const ProcessLimits* limits,
              std::optional<replays::Perturbation> perturbation = std::nullopt)
      : start_(*start), limits_(*limits), perturbation_(perturbation) {}

  // Where the system gives no process, the run counts as one that lives.
  std::optional<replays::RunFailure> Run(
      std::span<const replays::TickInputs> inputs,
      sim::Tick tick_count) override;
  void Adopt() override {}
  uint64_t ticks() const override { return ticks_; }

 private:
  const sim::Simulation& start_;
  const ProcessLimits& limits_;
  const std::optional<replays::Perturbation> perturbation_;
  uint64_t ticks_ = 0;
};

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_FUZZING_CRASH_SEARCH_H_
