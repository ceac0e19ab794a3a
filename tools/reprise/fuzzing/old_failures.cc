// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/fuzzing/old_failures.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <set>
#include <span>
#include <utility>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "fmt/ostream.h"
#include "replays/format/input_source.h"
#include "replays/fuzzing/checks/perturbed_run.h"
#include "replays/fuzzing/checks/run_check.h"
#include "replays/fuzzing/corpus/fuzz_corpus.h"
#include "tools/reprise/fuzzing/crash_search.h"
#include "tools/reprise/fuzzing/failure_capsule.h"

namespace reprise::tools {
namespace {

using replays::FoundFailure;
using replays::PlayedInputs;

struct OldFailure {
  FoundFailure found;
  bool is_crash = false;
};

// Of RunShadows(): none, and the saved state.
constexpr size_t kPlainShadows = 2;

// Whether the failure at `path` was found by perturbing a run: its name is made
// of its signature.
bool IsOfPerturbedRun(const std::string& path) {
  std::string begin(replays::kPerturbationSignature);
  begin.back() = '_';
  return std::filesystem::path(path).filename().string().starts_with(begin);
}

// The failure that was kept at `path`. NOT_FOUND: it doesn't fail any more.
absl::StatusOr<OldFailure> PlayAgain(const sim::Simulation& start,
                                     const replays::FuzzRules& rules,
                                     const std::optional<ProcessLimits>& limits,
                                     const std::string& path,
                                     const PlayedInputs& inputs) {
  if (limits.has_value()) {
    absl::StatusOr<FoundFailure> crash = FindCrash(start, inputs, *limits);
    if (crash.ok()) return OldFailure{*std::move(crash), true};
    if (!absl::IsNotFound(crash.status())) return crash.status();
  }
  if (limits.has_value() && path.ends_with(".txtpb")) {
    auto crash = FindPerturbedCrash(start, inputs, *limits);
    if (crash.ok()) return OldFailure{std::move(crash->found), true};
    if (!absl::IsNotFound(crash.status())) return crash.status();
  }
  // What isn't one of a perturbed run isn't made in all those ways again.
  std::span<const replays::RunShadow> shadows = replays::RunShadows();
  if (!IsOfPerturbedRun(path)) shadows = shadows.first(kPlainShadows);
  absl::StatusOr<replays::RunFailure> failure =
      replays::FindFailure(start, rules, inputs, /*shadow=*/nullptr, shadows);
  if (!failure.ok()) return failure.status();
  OldFailure old = {.found = {.failure = *std::move(failure), .inputs = inputs},
                    .is_crash = false};
  const sim::Tick tick = old.found.failure.tick;
  old.found.inputs.tick_count = tick;
  std::erase_if(old.found.inputs.ticks, [tick](const replays::TickInputs& one) {
    return one.tick >= tick;
  });
  return old;
}

}  // namespace

absl::StatusOr<std::vector<FoundFailure>> FindOldFailures(
    const std::string& folder, const sim::PackArchive& pack,
    const sim::Simulation& start, const replays::FuzzRules& rules,
    const std::optional<ProcessLimits>& limits, bool is_quiet,
    Console& console) {
  const auto corpus = replays::FuzzCorpus::Open(folder, &pack, &start);
  if (!corpus.ok()) return corpus.status();
  const replays::CorpusRuns kept = (*corpus)->ReadFailures();
  for (const replays::SkippedFile& file : kept.skipped) {
    console.Warning(fmt::format("{}: skipped: {}", file.path, file.reason));
  }
  std::vector<FoundFailure> failures;
  std::set<std::string> signatures;
  sim::Tick ticks = 0;
  for (size_t i = 0; i < kept.runs.size(); ++i) {
    const PlayedInputs inputs = kept.runs[i].inputs();
    ticks += inputs.tick_count;
    if (i == kOldFailuresMax || ticks > kOldFailureTicksMax) {
      console.Warning(fmt::format(
          "{} failures of the corpus weren't played again: {} of "
          "them and {} ticks are",
          kept.runs.size() - i, kOldFailuresMax, kOldFailureTicksMax));
      break;
    }
    absl::StatusOr<OldFailure> old =
        PlayAgain(start, rules, limits, kept.runs[i].path, inputs);
    if (absl::IsNotFound(old.status())) continue;
    if (!old.ok()) return old.status();
    FoundFailure& found = old->found;
    found.count = 0;
    const replays::RunFailure& told = found.failure;
    if (!signatures.insert(told.signature).second) continue;
    const absl::StatusOr<std::string> path = old->is_crash
                                                 ? (*corpus)->AddCrash(found)
                                                 : (*corpus)->AddFailure(found);
    if (!path.ok()) return path.status();
    if (!path->ends_with(".txtpb")) {
      const auto capsule =
          KeepFailureCapsule(folder, *path, told, rules, start);
      if (!capsule.ok() && told.tick > 0) {
        console.Warning(fmt::format("{}: no capsule was written: {}", *path,
                                    std::string(capsule.status().message())));
      }
    }
    if (!is_quiet) {
      const bool is_known = (*corpus)->known().contains(told.signature);
      console.LeaveBar();
      fmt::print(console.out(),
                 "{}: {}, at tick {}: {}; {}, met before, and still there\n",
                 is_known ? "known failure" : "failure", told.signature,
                 told.tick, told.message, *path);
    }
    failures.push_back(std::move(found));
  }
  return failures;
}

}  // namespace reprise::tools
