// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/fuzzing/culprit_description.h"

#include <filesystem>
#include <memory>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "replays/comparing/run_comparison.h"
#include "replays/format/replay_reader.h"
#include "replays/format/schema_difference.h"
#include "replays/fuzzing/corpus/fuzz_corpus.h"
#include "replays/playing/replay_player.h"
#include "replays/verifying/divergence.h"
#include "sim/pack_archive.h"
#include "tools/reprise/differences/diff_builds.h"
#include "tools/reprise/differences/diff_report.h"
#include "tools/reprise/fuzzing/failing_run.h"
#include "tools/reprise/inputs/manifest_comparison.h"
#include "tools/reprise/inputs/pack_difference.h"
#include "tools/reprise/inputs/pack_location.h"
#include "tools/reprise/terminal/scratch_folder.h"

namespace reprise::tools {
namespace {

namespace fs = std::filesystem;

std::string FirstLine(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

// "differs   tick 5, physics, object crate, bodies.position.y: 1 | 2".
std::string FormatDifference(const replays::RunComparison& comparison) {
  if (!comparison.schema_differences.empty()) {
    return fmt::format("differs   {}\n",
                       FirstLine(replays::FormatSchemaDifferences(
                           comparison.schema_differences)));
  }
  if (!comparison.divergence) {
    return fmt::format("differs   no state in {} ticks\n",
                       comparison.ticks_compared);
  }
  return fmt::format(
      "differs   {}\n",
      FirstLine(replays::FormatDivergence(*comparison.divergence)));
}

// The replay on its own pack, beside the same inputs on the good one.
absl::StatusOr<std::string> CompareOnPacks(const std::string& path,
                                           const sim::PackArchive& good) {
  const auto replay = replays::ReplayReader::OpenFile(path);
  if (!replay.ok()) return replay.status();
  const auto before = replays::CreateRecordedSimulation(**replay, &good);
  if (!before.ok()) return before.status();
  const auto after = replays::CreateRecordedSimulation(**replay, nullptr);
  if (!after.ok()) return after.status();
  const auto before_inputs = (*replay)->ReadInputs();
  const auto after_inputs = (*replay)->ReadInputs();
  replays::CompareOptions options;
  options.fields_max = 1;
  options.growth_ticks = 0;
  const auto comparison =
      replays::CompareRuns({before->get(), before_inputs.get()},
                           {after->get(), after_inputs.get()}, options);
  if (!comparison.ok()) return comparison.status();
  return FormatDifference(*comparison);
}

// Empty: the packs say the same, or what they say otherwise isn't it.
absl::StatusOr<std::string> DescribeData(const FailingRun& run,
                                         const sim::PackArchive& good,
                                         const std::string& replay) {
  if (ComparePacksAsData(good, run.pack).empty()) return std::string();
  const absl::StatusOr<PackCulprits> culprits = BisectPacks(run, good);
  if (absl::IsFailedPrecondition(culprits.status())) return std::string();
  if (!culprits.ok()) return culprits.status();
  const absl::StatusOr<std::string> difference = CompareOnPacks(replay, good);
  if (!difference.ok()) return difference.status();
  return FormatPackCulprits(*culprits) + *difference;
}

absl::StatusOr<std::string> DescribePrograms(const CulpritTrees& trees,
                                             const std::string& replay,
                                             Console& console) {
  DiffBuildsOptions options;
  options.replay = replay;
  options.expected_program =
      (fs::path(trees.good_tree) / trees.program).string();
  options.program = (fs::path(trees.bad_tree) / trees.program).string();
  options.fields_max = 1;
  const absl::StatusOr<DiffReport> report = DiffBuilds(options, console);
  if (!report.ok()) return report.status();
  return FormatDifference(report->comparison);
}

}  // namespace

absl::StatusOr<std::string> DescribeCulprit(const CulpritTrees& trees,
                                            Console& console) {
  if (trees.pack.empty()) return DescribePrograms(trees, trees.run, console);
  const absl::StatusOr<sim::PackArchive> good =
      OpenPack((fs::path(trees.good_tree) / trees.pack).string());
  if (!good.ok()) return good.status();
  const absl::StatusOr<FailingRun> run = OpenFailingRun(
      trees.run, (fs::path(trees.bad_tree) / trees.pack).string(),
      trees.always);
  if (!run.ok()) return run.status();
  const ScratchFolder scratch;
  if (scratch.path().empty()) {
    return absl::UnavailableError("no folder for temporary files");
  }
  const std::string replay = scratch.path() + "/run.mcap";
  const absl::Status written =
      replays::WriteReplayOf(replay, run->inputs, run->pack, *run->start);
  if (!written.ok()) return written;
  const absl::StatusOr<std::string> data = DescribeData(*run, *good, replay);
  if (!data.ok() || !data->empty()) return data;
  return DescribePrograms(trees, replay, console);
}

std::string FormatPackCulprits(const PackCulprits& culprits) {
  std::string text = fmt::format(
      "cause     {} of {} changes{}\n", culprits.changes.size(),
      culprits.change_count, culprits.changes.size() > 1 ? ", together" : "");
  for (const PackChange& change : culprits.changes) {
    text += fmt::format("          {}\n", FormatPackChange(change));
  }
  return text;
}

}  // namespace reprise::tools
