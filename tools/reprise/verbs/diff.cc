// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// `reprise diff`: compares two runs and says where they part.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "fmt/format.h"
#include "replays/comparing/capsule.h"
#include "replays/comparing/replay_comparison.h"
#include "replays/comparing/run_comparison.h"
#include "replays/container/byte_file.h"
#include "replays/container/named_error.h"
#include "replays/format/input_source.h"
#include "replays/format/replay_reader.h"
#include "replays/playing/recorded_run.h"
#include "replays/playing/replay_player.h"
#include "replays/verifying/divergence.h"
#include "sim/pack_archive.h"
#include "sim/simulation.h"
#include "tools/reprise/differences/capsule_file.h"
#include "tools/reprise/differences/diff_builds.h"
#include "tools/reprise/differences/diff_report.h"
#include "tools/reprise/differences/input_difference.h"
#include "tools/reprise/differences/pack_cause.h"
#include "tools/reprise/inputs/pack_difference.h"
#include "tools/reprise/inputs/pack_location.h"
#include "tools/reprise/inputs/replay_file.h"
#include "tools/reprise/reports/view_file.h"
#include "tools/reprise/terminal/json_output.h"
#include "tools/reprise/verbs/commands.h"

namespace reprise::tools {
namespace {

// Enough to see what a difference is about.
constexpr uint64_t kDefaultFieldsMax = 8;

// A second at 60 Hz: by then a difference has spread or died out.
constexpr uint64_t kDefaultGrowthTicks = 60;

struct Options {
  std::string pack;
  std::string with;
  std::string capsule;
  std::string view;
  uint64_t fields_max = kDefaultFieldsMax;
  uint64_t growth_ticks = kDefaultGrowthTicks;
  bool finds_cause = false;
  OutputFormat format;
};

// One of the two runs.
struct Side {
  std::string name;
  std::unique_ptr<replays::Bytes> file;  // where it isn't on disk
  std::unique_ptr<replays::ReplayReader> replay;
  std::unique_ptr<sim::Simulation> simulation;
  std::optional<sim::PackArchive> pack;  // where it isn't the one inside

  replays::ReplaySide run() const { return {replay.get(), simulation.get()}; }
};

absl::StatusOr<Side> MakeSide(std::string name,
                              std::unique_ptr<replays::ReplayReader> replay,
                              const std::string& pack_name) {
  Side side;
  side.replay = std::move(replay);
  side.name = std::move(name);
  absl::StatusOr<std::optional<sim::PackArchive>> pack =
      OpenPackIfNamed(pack_name);
  if (!pack.ok()) return pack.status();
  side.pack = *std::move(pack);
  absl::StatusOr<std::unique_ptr<sim::Simulation>> simulation =
      replays::CreateRecordedOrShown(side.replay.get(),
                                     side.pack ? &*side.pack : nullptr);
  if (!simulation.ok()) {
    return replays::NamedError(side.name, simulation.status());
  }
  side.simulation = *std::move(simulation);
  if (!pack_name.empty()) side.name += " on " + pack_name;
  return side;
}

absl::StatusOr<Side> OpenSide(const std::string& path,
                              const std::string& pack_name) {
  absl::StatusOr<std::unique_ptr<replays::ReplayReader>> replay =
      replays::ReplayReader::OpenFile(path);
  if (!replay.ok()) return replay.status();
  return MakeSide(path, *std::move(replay), pack_name);
}

// The run as it was, out of the capsule of the run as it should have been.
absl::StatusOr<Side> OpenCapsuledSide(const std::string& path,
                                      const Side& expected) {
  absl::StatusOr<replays::Bytes> file =
      replays::ReadActualReplay(*expected.replay);
  if (!file.ok() && !absl::IsNotFound(file.status())) {
    return replays::NamedError(path, file.status());
  }
  if (!file.ok()) {
    return absl::InvalidArgumentError(fmt::format(
        "{}: {}; two replays are compared, or one with itself on another "
        "--pack or by another build (--with), or a capsule",
        path, std::string(file.status().message())));
  }
  auto bytes = std::make_unique<replays::Bytes>(*std::move(file));
  absl::StatusOr<std::unique_ptr<replays::ReplayReader>> replay =
      replays::ReplayReader::Open(
          std::make_unique<replays::MemorySource>(*bytes));
  if (!replay.ok()) return replay.status();
  absl::StatusOr<Side> side =
      MakeSide(path + " as it was", *std::move(replay), "");
  if (side.ok()) side->file = std::move(bytes);
  return side;
}

// How the run of a side ends: as it was recorded or, of another pack, as it is
// played from where the comparison left it. nullopt: it doesn't get there.
std::optional<sim::Outcome> OutcomeAtEnd(const Side& side,
                                         ProgressBar& progress) {
  const replays::ReplayReader& replay = *side.replay;
  sim::Simulation& simulation = *side.simulation;
  if (replay.is_complete() && replays::PlaysRecordedPack(replay, simulation)) {
    return replay.end()->outcome;
  }
  if (replays::IsRecordingAlone(replay)) return std::nullopt;
  const std::unique_ptr<replays::InputSource> inputs =
      replay.ReadInputs(simulation.tick());
  while (simulation.tick() < replay.tick_count()) {
    const absl::Status status =
        replays::StepRecordedTick(*inputs, simulation, /*observer=*/nullptr);
    if (!status.ok()) return std::nullopt;
    simulation.DrainEvents();
    progress.Update(simulation.tick());
  }
  return simulation.outcome();
}

// The headline: what a difference comes to in the end. Of one that ends and one
// that doesn't nothing is said.
std::optional<EndOutcomes> FindEnds(const Side& expected, const Side& actual,
                                    ProgressBar& progress) {
  const std::optional<sim::Outcome> left = OutcomeAtEnd(expected, progress);
  if (!left) return std::nullopt;
  const std::optional<sim::Outcome> right = OutcomeAtEnd(actual, progress);
  if (!right) return std::nullopt;
  return EndOutcomes{*left, *right};
}

absl::StatusOr<DiffReport> Compare(const Side& expected, const Side& actual,
                                   const Options& options, Console& console) {
  ProgressBar progress(
      console, "comparing",
      std::min(expected.replay->tick_count(), actual.replay->tick_count()));
  replays::CompareOptions compare_options;
  compare_options.fields_max = options.fields_max;
  compare_options.growth_ticks = options.growth_ticks;
  compare_options.progress = [&progress](sim::Tick tick, sim::Tick) {
    progress.Update(tick);
    return absl::OkStatus();
  };
  absl::StatusOr<replays::RunComparison> comparison =
      replays::CompareReplays(expected.run(), actual.run(), compare_options);
  if (!comparison.ok()) return comparison.status();

  DiffReport report;
  report.expected =
      DescribeSide(expected.name, *expected.simulation, *expected.replay);
  report.actual = DescribeSide(actual.name, *actual.simulation, *actual.replay);
  report.comparison = *std::move(comparison);
  if (report.comparison.divergence) {
    report.ends = FindEnds(expected, actual, progress);
  }
  // A recording without its pack has nothing to compare.
  const auto before = expected.replay->ReadPack();
  const auto after = actual.pack
                         ? absl::StatusOr<sim::PackArchive>(*actual.pack)
                         : actual.replay->ReadPack();
  if (before.ok() && after.ok() &&
      report.expected.pack_digest != report.actual.pack_digest) {
    report.pack_changes = ComparePacksAsData(*before, *after);
  }
  if (!report.comparison.first_input_difference) return report;
  absl::StatusOr<std::vector<InputDifference>> inputs = DescribeInputs(
      *expected.replay->ReadInputs(), *actual.replay->ReadInputs(),
      *report.comparison.first_input_difference,
      expected.simulation->info().inputs);
  if (!inputs.ok()) return inputs.status();
  report.inputs = *std::move(inputs);
  return report;
}

absl::Status KeepCapsule(const Side& expected, const Side& actual,
                         const DiffReport& report, const std::string& path) {
  const absl::StatusOr<replays::Capsule> capsule = replays::MakeCapsule(
      expected.run(), actual.run(), actual.pack ? &*actual.pack : nullptr,
      report.comparison);
  if (!capsule.ok()) return capsule.status();
  return WriteCapsuleFile(*capsule, ToJson(report), path);
}

// Both runs around their difference, where the frames of both can be made.
absl::Status KeepView(const Side& expected, const Side& actual,
                      const DiffReport& report, const std::string& path,
                      Console& console) {
  const std::optional<replays::Divergence>& divergence =
      report.comparison.divergence;
  if (!divergence) {
    return absl::FailedPreconditionError("the states don't differ");
  }
  const sim::Tick around = TicksAroundDifference(*expected.replay);
  const sim::Tick tick = divergence->first_different_tick;
  ViewRequest request = {
      .runs = {{expected.name, expected.replay.get(), nullptr},
               {actual.name, actual.replay.get(),
                actual.pack ? &*actual.pack : nullptr}},
      .first = tick - std::min(tick, around),
      .last = tick + around,
      .page = {}};
  return WriteViewFile(request, path, &console).status();
}

// Which change of the pack makes the difference.
std::string FindCause(const Side& expected, const sim::PackArchive& pack,
                      Console& console) {
  ProgressBar progress(console, "looking for the cause",
                       expected.replay->tick_count());
  const absl::StatusOr<std::string> cause = FindPackCause(
      *expected.replay, pack, [&progress](sim::Tick tick, sim::Tick) {
        progress.Update(tick);
        return absl::OkStatus();
      });
  return cause.ok() ? *cause
                    : fmt::format("cause: not found: {}\n",
                                  std::string(cause.status().message()));
}

absl::Status CheckOptions(const Options& options,
                          const std::vector<std::string>& paths) {
  if (!options.view.empty() && !options.with.empty()) {
    return absl::InvalidArgumentError(
        "--view shows what this build plays, and not another one (--with)");
  }
  if (options.finds_cause && options.pack.empty()) {
    return absl::InvalidArgumentError(
        "--cause looks at changes of a pack: with --pack");
  }
  const int others = static_cast<int>(paths.size() == 2) +
                     static_cast<int>(!options.pack.empty()) +
                     static_cast<int>(!options.with.empty());
  if (others <= 1) return absl::OkStatus();
  return absl::InvalidArgumentError(
      "a replay is compared with another one, or with itself on another "
      "--pack or by another build (--with): one of these");
}

absl::StatusOr<DiffReport> DiffReplays(const Options& options,
                                       const std::vector<std::string>& paths,
                                       Console& console) {
  const absl::StatusOr<Side> expected = OpenSide(paths.front(), "");
  if (!expected.ok()) return expected.status();
  const absl::StatusOr<Side> actual =
      paths.size() == 2 || !options.pack.empty()
          ? OpenSide(paths.back(), options.pack)
          : OpenCapsuledSide(paths.front(), *expected);
  if (!actual.ok()) return actual.status();
  WarnOfDamage(paths.front(), *expected->replay, console);
  if (paths.size() == 2) WarnOfDamage(paths.back(), *actual->replay, console);
  if (replays::IsRecordingAlone(*expected->replay)) {
    console.Note(fmt::format(
        "this program has no simulation '{}': what was recorded is compared",
        expected->replay->metadata().simulation));
  }
  absl::StatusOr<DiffReport> report =
      Compare(*expected, *actual, options, console);
  if (!report.ok() || report->is_none()) return report;
  if (options.finds_cause) {
    report->cause_lines = FindCause(*expected, *actual->pack, console);
  }
  if (!options.view.empty()) {
    const absl::Status status =
        KeepView(*expected, *actual, *report, options.view, console);
    if (!status.ok()) {
      console.Warning(fmt::format("no page was written: {}",
                                  std::string(status.message())));
    } else {
      console.Note(fmt::format("both runs are shown in {}", options.view));
    }
  }
  if (options.capsule.empty()) return report;
  const absl::Status status =
      KeepCapsule(*expected, *actual, *report, options.capsule);
  if (!status.ok()) {
    console.Warning(fmt::format("no capsule was written: {}",
                                std::string(status.message())));
  } else {
    console.Note(fmt::format("the failure is kept in {}", options.capsule));
  }
  return report;
}

absl::StatusOr<ExitCode> Diff(const Options& options,
                              const std::vector<std::string>& paths,
                              Console& console) {
  absl::Status status = CheckOptions(options, paths);
  if (!status.ok()) return status;
  if (!options.with.empty()) {
    status = OpenReplayFile(paths.front(), console).status();
    if (!status.ok()) return status;
  }
  const absl::StatusOr<DiffReport> report =
      options.with.empty() ? DiffReplays(options, paths, console)
                           : DiffBuilds({.replay = paths.front(),
                                         .program = options.with,
                                         .capsule = options.capsule,
                                         .fields_max = options.fields_max,
                                         .growth_ticks = options.growth_ticks},
                                        console);
  if (!report.ok()) return report.status();
  if (options.format.is_json()) {
    PrintJson(ToJson(*report), console);
  } else {
    console.out() << FormatDiff(*report);
  }
  return report->is_none() ? ExitCode::kOk : ExitCode::kDifferent;
}

}  // namespace

Command MakeDiffCommand() {
  const auto options = std::make_shared<Options>();
  Command command;
  command.name = "diff";
  command.summary = "Finds the first difference of two runs, down to the field";
  command.description =
      "Names the first input that differs, then the first state: tick, phase, "
      "object, field, both values (A | B) as they were after that phase, and "
      "what wrote them last; what it had come to by the next tick, and how it "
      "grew. Where the runs end differently, that comes first; a run on "
      "another pack is played to its end for it. The recorded digests of two "
      "replays "
      "lead to the keyframe before "
      "the difference, and only from there both are run. With --pack, "
      "the run on that pack is made alone up to the first recorded digest that "
      "it doesn't have, and both only from the one before. Where a pack adds, "
      "takes away or retypes properties or components, these are named first; "
      "then what both have is compared, for which both are run side by side "
      "from tick 0.";
  command.arguments = {"A [B]", 1, 2};
  command.flags = {
      {"pack", "PACK", "Compare A with itself on this pack, in place of B.",
       &options->pack},
      {"cause", "",
       "With --pack, look for the change of the pack that makes the first "
       "difference, by making one change at a time, 32 at most.",
       &options->finds_cause},
      {"with", "PROGRAM",
       "Compare A, played by this program, with itself, played by another "
       "build of it.",
       &options->with},
      {"capsule", "FILE",
       "If they differ, write the failure into one file, which isn't there "
       "yet: both runs up to the tick, both states, and this report.",
       &options->capsule},
      {"view", "FILE",
       "If they differ, write one HTML file that plays both side by side, from "
       "two seconds before the difference on.",
       &options->view},
      {"fields", "N", "Show at most so many fields. 8 if unset.",
       &options->fields_max},
      {"growth", "TICKS",
       "Follow the difference for so many ticks. 60 if unset.",
       &options->growth_ticks},
      options->format.flag(),
  };
  command.examples = {
      {"Where do two runs part?", "reprise diff before.mcap after.mcap"},
      {"What does a changed pack do to an old run?",
       "reprise diff game.mcap --pack sim/packs/marble"},
      {"What does a changed build do to it?",
       "reprise diff game.mcap --with build-b/reprise --capsule bug.mcap"},
      {"Open what somebody else ran into", "reprise diff bug.mcap"},
  };
  command.run = [options](const std::vector<std::string>& paths,
                          Console& console) {
    return Diff(*options, paths, console);
  };
  return command;
}

}  // namespace reprise::tools
