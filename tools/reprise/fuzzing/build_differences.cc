// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/fuzzing/build_differences.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <iterator>
#include <map>
#include <system_error>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "fmt/ostream.h"
#include "replays/comparing/run_comparison.h"
#include "replays/format/schema_difference.h"
#include "replays/fuzzing/corpus/fuzz_corpus.h"
#include "replays/verifying/divergence.h"
#include "tools/reprise/differences/diff_builds.h"
#include "tools/reprise/differences/diff_report.h"
#include "tools/reprise/fuzzing/crash_search.h"
#include "tools/reprise/fuzzing/failure_capsule.h"
#include "tools/reprise/terminal/json_output.h"

namespace reprise::tools {
namespace {

namespace fs = std::filesystem;

using replays::FoundFailure;
using replays::PlayedInputs;
using replays::RunFailure;

// So many fields that differ are named in the report of a capsule.
constexpr uint64_t kCapsuleFieldsMax = 16;

std::string FirstLine(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

// "objects.lantern.phase_rad", "objects.lantern" of a whole row; of a
// difference without fields its kind.
std::string PlaceOf(const replays::Divergence& divergence) {
  if (divergence.fields.empty()) {
    return replays::DivergenceKindName(divergence.kind);
  }
  const replays::FieldDivergence& field = divergence.fields.front();
  return fmt::format("{}.{}{}{}", field.room, field.table,
                     field.field.empty() ? "" : ".", field.field);
}

std::optional<RunFailure> FailureOf(const DiffReport& report,
                                    const PlayedInputs& inputs) {
  if (report.is_none()) return std::nullopt;
  const replays::RunComparison& comparison = report.comparison;
  RunFailure failure{.signature = std::string(kBuildSignature),
                     .message = {},
                     .tick = inputs.tick_count};
  if (comparison.divergence) {
    failure.signature += PlaceOf(*comparison.divergence);
    failure.message =
        FirstLine(replays::FormatDivergence(*comparison.divergence));
    failure.tick =
        std::min(failure.tick, comparison.divergence->first_different_tick);
  } else if (!comparison.schema_differences.empty()) {
    failure.signature += "schema";
    failure.message = FirstLine(
        replays::FormatSchemaDifferences(comparison.schema_differences));
    failure.tick = 0;
  } else if (comparison.expected_tick_count != comparison.actual_tick_count) {
    failure.signature += "length";
    failure.message = fmt::format("{} ticks | {} ticks",
                                  comparison.expected_tick_count.value_or(0),
                                  comparison.actual_tick_count.value_or(0));
  } else {
    failure.signature += "outcome";
    failure.message =
        fmt::format("{} | {}", FormatOutcome(report.expected_outcome()),
                    FormatOutcome(report.actual_outcome()));
  }
  return failure;
}

// Runs that can be compared. What ends the process has no replay.
absl::StatusOr<bool> IsSurvived(const sim::Simulation& start,
                                const PlayedInputs& inputs,
                                const std::optional<ProcessLimits>& limits) {
  if (!limits) return true;
  const absl::StatusOr<FoundFailure> crash = FindCrash(start, inputs, *limits);
  if (crash.ok()) return false;
  if (absl::IsNotFound(crash.status())) return true;
  return crash.status();
}

void Tell(const FoundFailure& found, const std::string& path, bool is_known,
          Console& console) {
  console.LeaveBar();
  fmt::print(console.out(), "{}: {}, at tick {}: {}; {}\n",
             is_known ? "known failure" : "failure", found.failure.signature,
             found.failure.tick, found.failure.message, path);
}

// What both builds make of a failure's replay. A difference of what states
// consist of, and a run that is refused, have none: then a warning says so.
void KeepBuildCapsule(const std::string& replay,
                      const BuildSearchOptions& options, Console& console) {
  const std::string path = CapsulePathOf(options.corpus, replay);
  std::error_code ignored;  // the file's own error says more
  fs::create_directories(fs::path(path).parent_path(), ignored);
  fs::remove(path, ignored);
  DiffBuilds({.replay = replay,
              .program = options.program,
              .capsule = path,
              .fields_max = kCapsuleFieldsMax},
             console)
      .IgnoreError();
}

// The failure, and the inputs up to the tick that shows it.
FoundFailure FoundOf(RunFailure failure, const PlayedInputs& inputs) {
  FoundFailure found{.failure = std::move(failure), .inputs = inputs};
  const sim::Tick tick = found.failure.tick;
  found.inputs.tick_count = tick;
  std::erase_if(found.inputs.ticks, [tick](const replays::TickInputs& one) {
    return one.tick >= tick;
  });
  return found;
}

}  // namespace

absl::StatusOr<std::unique_ptr<BuildOracle>> BuildOracle::Create(
    const sim::PackArchive* pack, const sim::Simulation* start,
    std::string program, Console* console) {
  if (access(program.c_str(), X_OK) != 0) {
    return absl::NotFoundError(
        fmt::format("{}: {}", program, std::generic_category().message(errno)));
  }
  // The constructor is private.
  std::unique_ptr<BuildOracle> oracle(
      new BuildOracle(pack, start, std::move(program), console));
  if (oracle->scratch_.path().empty()) {
    return absl::UnavailableError("no folder for temporary files");
  }
  return oracle;
}

absl::StatusOr<std::optional<FoundFailure>> BuildOracle::Compare(
    const PlayedInputs& inputs) {
  const std::string replay = scratch_.path() + "/run.mcap";
  const absl::Status written =
      replays::WriteReplayOf(replay, inputs, pack_, start_);
  if (!written.ok()) return written;
  ticks_ += inputs.tick_count;
  const absl::StatusOr<DiffReport> report = DiffBuilds(
      {.replay = replay, .program = program_, .capsule = {}, .fields_max = 1},
      console_);
  if (report.ok()) {
    ticks_ += report->comparison.ticks_stepped;
    std::optional<RunFailure> failure = FailureOf(*report, inputs);
    if (!failure) return std::nullopt;
    return FoundOf(*std::move(failure), inputs);
  }
  // It says no to the run, has no state in common with this one, or ends
  // otherwise than a program that is well.
  const absl::Status& status = report.status();
  if (absl::IsInternal(status) || absl::IsInvalidArgument(status) ||
      absl::IsFailedPrecondition(status)) {
    return FoundOf({.signature = std::string(kBuildSignature) + "refused",
                    .message = FirstLine(std::string(status.message())),
                    .tick = inputs.tick_count},
                   inputs);
  }
  return status;
}

std::optional<RunFailure> BuildOracle::Run(
    std::span<const replays::TickInputs> inputs, sim::Tick tick_count) {
  const absl::StatusOr<std::optional<FoundFailure>> found = Compare(
      {.ticks = {inputs.begin(), inputs.end()}, .tick_count = tick_count});
  if (!found.ok() || !found->has_value()) return std::nullopt;
  return (*found)->failure;
}

absl::StatusOr<std::vector<FoundFailure>> FindBuildDifferences(
    const BuildSearchOptions& options, const sim::PackArchive& pack,
    const sim::Simulation& start, Console& console) {
  const auto oracle =
      BuildOracle::Create(&pack, &start, options.program, &console);
  if (!oracle.ok()) return oracle.status();
  const auto corpus = replays::FuzzCorpus::Open(options.corpus, &pack, &start);
  if (!corpus.ok()) return corpus.status();
  // What is skipped is named by whoever plays the corpus next.
  std::vector<replays::CorpusRun> runs = (*corpus)->ReadFailures().runs;
  std::ranges::move((*corpus)->ReadRuns().runs, std::back_inserter(runs));
  std::map<std::string, FoundFailure> found;  // by signature
  sim::Tick ticks = 0;
  for (size_t i = 0; i < runs.size(); ++i) {
    const PlayedInputs inputs = runs[i].inputs();
    ticks += inputs.tick_count;
    if (i == kComparedRunsMax || ticks > kComparedTicksMax) {
      console.Warning(fmt::format(
          "{} runs of the corpus weren't played by {}: {} runs and {} ticks "
          "are",
          runs.size() - i, options.program, kComparedRunsMax,
          kComparedTicksMax));
      break;
    }
    const absl::StatusOr<bool> is_survived =
        IsSurvived(start, inputs, options.limits);
    if (!is_survived.ok()) return is_survived.status();
    if (!*is_survived) continue;
    const auto compared = (*oracle)->Compare(inputs);
    // The signal came to the other processes, too.
    if (options.stop != nullptr && options.stop->has_come()) break;
    if (absl::IsInvalidArgument(compared.status())) {
      console.Warning(fmt::format("{}: not compared: {}", runs[i].path,
                                  std::string(compared.status().message())));
      continue;
    }
    if (!compared.ok()) return compared.status();
    if (!compared->has_value()) continue;
    const FoundFailure& difference = **compared;
    const auto [known, is_new] =
        found.try_emplace(difference.failure.signature, difference);
    if (!is_new) {
      ++known->second.count;
      continue;
    }
    const absl::StatusOr<std::string> path = (*corpus)->AddFailure(difference);
    if (!path.ok()) return path.status();
    KeepBuildCapsule(*path, options, console);
    if (options.is_quiet) continue;
    Tell(difference, *path,
         (*corpus)->known().contains(difference.failure.signature), console);
  }
  std::vector<FoundFailure> failures;
  for (auto& [signature, one] : found) failures.push_back(std::move(one));
  return failures;
}

}  // namespace reprise::tools
