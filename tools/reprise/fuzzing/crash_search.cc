// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/fuzzing/crash_search.h"

#include <sys/wait.h>
#include <unistd.h>

#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "sim/input/input_frame.h"
#include "tools/reprise/fuzzing/shared_file.h"
#include "tools/reprise/fuzzing/shared_journal.h"

namespace reprise::tools {
namespace {

using replays::FoundFailure;
using replays::PlayedInputs;

// What a failed promise says of itself, which tells crashes apart that end by
// the same signal; empty: nothing of that kind was printed.
std::string FailedPromise(const std::string& printed) {
  constexpr size_t kBytesMax = 200;
  std::istringstream stream(printed);
  std::string promise;
  for (std::string line; std::getline(stream, line);) {
    const bool is_one = line.find("CHECK failed") != std::string::npos ||
                        line.find("Assertion ") != std::string::npos ||
                        line.starts_with("terminate called");
    if (is_one) promise = line.substr(0, kBytesMax);
  }
  return promise;
}

// Those of `inputs` at `tick`; `next` is the place of the first that isn't
// before it.
std::span<const sim::InputFrame> FramesAt(const PlayedInputs& inputs,
                                          sim::Tick tick, size_t& next) {
  if (next == inputs.ticks.size() || inputs.ticks[next].tick != tick) return {};
  return inputs.ticks[next++].frames;
}

// The same as below, perturbed.
void PlayPerturbed(const sim::Simulation& start,
                   replays::Perturbation perturbation,
                   const PlayedInputs& inputs, SharedJournal& journal) {
  replays::PerturbedRun run(start, perturbation);
  size_t next = 0;
  for (sim::Tick tick = run.simulation().tick(); tick < inputs.tick_count;
       ++tick) {
    journal.OnTick(0);
    std::span<const sim::InputFrame> frames = FramesAt(inputs, tick, next);
    if (!run.simulation().Validate(frames).ok()) frames = {};
    run.Step(frames);
    if (run.simulation().tick() == tick) break;
  }
}

// Plays inputs to their end, or to its own.
void PlayTo(sim::Simulation& simulation, const PlayedInputs& inputs,
            SharedJournal& journal) {
  size_t next = 0;
  while (simulation.tick() < inputs.tick_count) {
    const sim::Tick tick = simulation.tick();
    journal.OnTick(0);
    std::span<const sim::InputFrame> frames = FramesAt(inputs, tick, next);
    if (!simulation.Validate(frames).ok()) frames = {};
    simulation.Step(frames, /*observer=*/nullptr);
    if (!simulation.status().ok()) break;
    simulation.DrainEvents();
  }
}

}  // namespace

absl::StatusOr<FoundFailure> FindCrash(
    const sim::Simulation& start, const PlayedInputs& inputs,
    const ProcessLimits& limits,
    std::optional<replays::Perturbation> perturbation) {
  auto journal = SharedJournal::Create(1, &start.info().inputs);
  if (!journal.ok()) return journal.status();
  const absl::StatusOr<SharedFile> printed = SharedFile::Create();
  if (!printed.ok()) return printed.status();
  const auto play = [&] {
    dup2(printed->descriptor(), STDOUT_FILENO);
    dup2(printed->descriptor(), STDERR_FILENO);
    if (perturbation) {
      PlayPerturbed(start, *perturbation, inputs, **journal);
    } else {
      PlayTo(*start.Fork(), inputs, **journal);
    }
    _exit(0);
  };
  const absl::StatusOr<ProcessEnding> ending =
      RunIsolated(limits, play, [&journal] { return (*journal)->ticks(); });
  if (!ending.ok()) return ending.status();
  const int status = ending->wait_status;
  if (!ending->is_hung && WIFEXITED(status) && WEXITSTATUS(status) == 0) {
    return absl::NotFoundError("the inputs end no process");
  }
  FoundFailure found{.failure = {}, .inputs = inputs, .count = 1};
  const sim::Tick tick = (*journal)->ticks();
  found.inputs.tick_count = tick;
  std::erase_if(found.inputs.ticks, [tick](const replays::TickInputs& one) {
    return one.tick >= tick;
  });
  found.failure.tick = tick;
  const std::string text = printed->Read();
  if (ending->is_hung) {
    found.failure.signature = "hang";
    found.failure.message = fmt::format("the tick doesn't end within {} s",
                                        limits.hang_timeout.count());
  } else if (text.ends_with(kNoMemory)) {
    found.failure.signature = kNoMemory;
    found.failure.message =
        fmt::format("the tick wants more than {} MiB", limits.memory_max_mib);
  } else {
    const std::string name = NameOfEnding(*ending);
    const std::string promise = FailedPromise(text);
    found.failure.signature =
        fmt::format("crash {}", promise.empty() ? name : promise);
    found.failure.message =
        fmt::format("the tick ends the process by {}", name);
  }
  if (perturbation) {
    const std::string_view name = replays::NameOf(*perturbation);
    found.failure.signature =
        fmt::format("{}{} {}", replays::kPerturbationSignature, name,
                    found.failure.signature);
    found.failure.message += fmt::format(", where the run is {}", name);
  }
  return found;
}

absl::StatusOr<PerturbedCrash> FindPerturbedCrash(const sim::Simulation& start,
                                                  const PlayedInputs& inputs,
                                                  const ProcessLimits& limits) {
  for (const replays::Perturbation perturbation : replays::kPerturbations) {
    absl::StatusOr<FoundFailure> found =
        FindCrash(start, inputs, limits, perturbation);
    if (found.ok()) return PerturbedCrash{perturbation, *std::move(found)};
    if (!absl::IsNotFound(found.status())) return found.status();
  }
  return absl::NotFoundError("the inputs end no process, however perturbed");
}

std::optional<replays::RunFailure> CrashOracle::Run(
    std::span<const replays::TickInputs> inputs, sim::Tick tick_count) {
  const absl::StatusOr<FoundFailure> found = FindCrash(
      start_,
      {.ticks = {inputs.begin(), inputs.end()}, .tick_count = tick_count},
      limits_, perturbation_);
  ticks_ += found.ok() ? found->failure.tick : tick_count;
  if (!found.ok()) return std::nullopt;
  return found->failure;
}

}  // namespace reprise::tools
