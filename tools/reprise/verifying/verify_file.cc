// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/verifying/verify_file.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "fmt/format.h"
#include "replays/comparing/capsule.h"
#include "replays/comparing/replay_comparison.h"
#include "replays/comparing/run_comparison.h"
#include "replays/format/replay_reader.h"
#include "replays/format/schema_difference.h"
#include "replays/playing/pack_folder.h"
#include "replays/playing/replay_player.h"
#include "replays/verifying/divergence.h"
#include "replays/verifying/verifier.h"
#include "sim/base/check.h"
#include "sim/base/digest.h"
#include "sim/compiler/manifest.h"
#include "sim/input/input_grammar.h"
#include "sim/pack_archive.h"
#include "sim/simulation.h"
#include "tools/reprise/differences/capsule_file.h"
#include "tools/reprise/differences/pack_cause.h"
#include "tools/reprise/differences/pack_change_output.h"
#include "tools/reprise/differences/schema_difference_output.h"
#include "tools/reprise/inputs/file_search.h"
#include "tools/reprise/inputs/pack_difference.h"
#include "tools/reprise/inputs/pack_location.h"
#include "tools/reprise/inputs/replay_file.h"
#include "tools/reprise/reports/view_file.h"
#include "tools/reprise/terminal/escaped_text.h"
#include "tools/reprise/terminal/exit_code.h"
#include "tools/reprise/terminal/json_output.h"

namespace reprise::tools {
namespace {

replays::OnDivergence ToOnDivergence(std::string_view name) {
  if (name == "continue") return replays::OnDivergence::kContinue;
  if (name == "resync") return replays::OnDivergence::kResync;
  return replays::OnDivergence::kStop;
}

Verdict VerdictOf(const absl::Status& status) {
  switch (ExitCodeOf(status)) {
    case ExitCode::kBadInput:
      return Verdict::kRefused;
    case ExitCode::kMissing:
      return Verdict::kMissing;
    case ExitCode::kCrashed:
      return Verdict::kCrashed;
    default:
      return Verdict::kFailed;
  }
}

VerifyResult ErrorResult(const std::string& path, const absl::Status& status) {
  VerifyResult result;
  result.path = path;
  result.verdict = VerdictOf(status);
  // The place is the result's path; readers put it into their messages.
  result.summary = std::string(status.message());
  const std::string place = path + ": ";
  if (result.summary.starts_with(place)) result.summary.erase(0, place.size());
  const std::string remedy = DescribeRemedy(status);
  if (!remedy.empty()) result.report = fmt::format("note: {}\n", remedy);
  return result;
}

// A finished run, and where its failure was kept.
struct Verified {
  std::string pack;          // its name, as recorded
  std::string failure_tick;  // of a capsule, as text; empty: it is none
  replays::VerificationReport report;
  // Of a run on another pack that differs, or of one that was recorded with
  // other tables: what only one of both states consists of, which no digest
  // tells from other values.
  std::vector<replays::SchemaDifference> schema_differences;
  // The other pack that was run: where it lies, what changed in it, and, of a
  // run that came to its end, the outcome that was recorded.
  std::string pack_path;
  std::vector<PackChange> pack_changes;
  std::optional<sim::Outcome> recorded_outcome;
  std::string cause_lines;
  // The difference between two digests, as it was found first; and, where a
  // comparison of both packs found its tick, the capsule of that.
  replays::Divergence bracket;
  std::optional<replays::Capsule> exact_capsule;
  std::string capsule;       // the file; empty: none
  std::string capsule_line;  // what to say of it, and of a page
};

absl::StatusOr<std::string> KeepFailure(
    const std::string& path, const replays::ReplayReader& replay,
    const sim::PackArchive* pack, const Verified& verified,
    const replays::ProgressCallback& progress, const std::string& folder) {
  const replays::Divergence& divergence = *verified.report.divergence;
  const absl::StatusOr<replays::Capsule> capsule =
      verified.exact_capsule.has_value()
          ? *verified.exact_capsule
          : replays::MakeCapsule(replay, pack, verified.bracket, progress);
  if (!capsule.ok()) return capsule.status();
  const std::filesystem::path place(path);
  Json report = MakeJsonDocument("verify");
  // Without the folder: the same failure makes the same capsule anywhere.
  report["path"] = place.filename().string();
  report["divergence"] = ToJson(divergence);
  return KeepCapsule(*capsule, report, folder, place.stem().string());
}

// Errors are remarks: the result is known already.
void TakeCapsule(const absl::StatusOr<std::string>& capsule,
                 Verified& verified) {
  if (capsule.ok()) {
    verified.capsule = *capsule;
    verified.capsule_line = fmt::format("  kept in {}\n", *capsule);
  } else {
    verified.capsule_line =
        fmt::format("  no capsule was written: {}\n",
                    std::string(capsule.status().message()));
  }
}

// A page around the difference: of the run by this build and, on another pack,
// beside the one on its own. Returns the line that says so; an error is a
// remark, too.
std::string ShowFailure(const std::string& path,
                        const replays::ReplayReader& replay,
                        const sim::PackArchive* pack,
                        const replays::Divergence& divergence,
                        const std::string& folder) {
  const sim::Tick tick = divergence.first_different_tick;
  const sim::Tick around = TicksAroundDifference(replay);
  ViewRequest request = {.runs = {},
                         .first = tick - std::min(tick, around),
                         .last = tick + around,
                         .page = {}};
  if (pack != nullptr) request.runs.push_back({path, &replay, nullptr});
  request.runs.push_back({path, &replay, pack});
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  const std::string page =
      (std::filesystem::path(folder) /
       fmt::format("{}-{}.html", std::filesystem::path(path).stem().string(),
                   sim::FormatDigest(divergence.actual_root)))
          .string();
  const auto shown = WriteViewFile(request, page, /*console=*/nullptr);
  if (shown.ok()) return fmt::format("  shown in {}#t={}\n", page, tick);
  return fmt::format("  no page was written: {}\n",
                     std::string(shown.status().message()));
}

// "won: the goal was reached -> running"; empty where nothing changed.
std::string FormatOutcomeChange(const Verified& verified) {
  const sim::Outcome& now = verified.report.outcome;
  if (!verified.recorded_outcome || *verified.recorded_outcome == now) {
    return "";
  }
  return fmt::format("{} -> {}", FormatOutcome(*verified.recorded_outcome),
                     FormatOutcome(now));
}

Json RunJson(const Verified& verified) {
  const replays::VerificationReport& report = verified.report;
  Json later = Json::array();
  for (const replays::Divergence& divergence : report.later_divergences) {
    later.push_back(ToJson(divergence));
  }
  return {
      {"digests_compared", report.digests_compared},
      {"digests_different", report.digests_different},
      {"chain", sim::FormatDigest(report.chain)},
      {"outcome", ToJson(report.outcome)},
      {"stepping_seconds", report.stepping_seconds},
      {"divergence",
       report.divergence ? ToJson(*report.divergence) : Json(nullptr)},
      {"later_divergences", std::move(later)},
      {"schema_differences", ToJson(verified.schema_differences)},
      {"not_covered", report.not_covered},
      {"pack_path",
       verified.pack_path.empty() ? Json(nullptr) : Json(verified.pack_path)},
      {"pack_changes", ToJson(verified.pack_changes)},
      {"recorded_outcome", verified.recorded_outcome
                               ? ToJson(*verified.recorded_outcome)
                               : Json(nullptr)},
      {"is_capsule", !verified.failure_tick.empty()},
      {"capsule",
       verified.capsule.empty() ? Json(nullptr) : Json(verified.capsule)},
  };
}

void DescribeDivergence(const Verified& verified, VerifyResult& result) {
  const replays::VerificationReport& report = verified.report;
  result.verdict = Verdict::kDiverged;
  result.summary =
      fmt::format("diverged, {} of {} ticks verified, {} of {} digests differ",
                  report.ticks_verified, report.tick_count,
                  report.digests_different, report.digests_compared);
  const std::string outcome = FormatOutcomeChange(verified);
  if (!outcome.empty()) {
    result.summary = fmt::format("{}; {}", outcome, result.summary);
    result.report = fmt::format("outcome: {}\n", outcome);
  }
  result.report +=
      FormatPackChanges(verified.pack_changes) + verified.cause_lines +
      replays::FormatSchemaDifferences(verified.schema_differences) +
      replays::FormatDivergence(*report.divergence);
  for (const replays::Divergence& later : report.later_divergences) {
    result.report += replays::FormatDivergence(later);
  }
}

// Of a run that doesn't differ from what was compared of it.
void DescribeRight(const replays::VerificationReport& report,
                   bool allows_partial, VerifyResult& result) {
  result.verdict = Verdict::kVerified;
  result.summary =
      fmt::format("verified {} of {} ticks, digest {}", report.ticks_verified,
                  report.tick_count, result.digest);
  if (report.not_covered.empty()) return;
  result.summary +=
      fmt::format("; not covered: {}", fmt::join(report.not_covered, "; "));
  if (allows_partial) return;
  result.verdict = Verdict::kPartial;
  result.report = "note: --allow-partial passes what is right so far\n";
}

VerifyResult ReportResult(const std::string& path,
                          const VerifyFileOptions& options,
                          const Verified& verified) {
  const replays::VerificationReport& report = verified.report;
  VerifyResult result;
  result.path = path;
  result.pack = verified.pack;
  result.ticks_verified = report.ticks_verified;
  result.tick_count = report.tick_count;
  result.digest = sim::FormatDigest(report.root);
  result.remarks = report.remarks;
  result.run = RunJson(verified);
  if (report.divergence.has_value()) {
    DescribeDivergence(verified, result);
    result.report += verified.capsule_line;
  } else if (report.rooms.has_value()) {
    result.verdict = Verdict::kUnproven;
    result.summary = fmt::format(
        "recorded with other tables: 0 of {} ticks verified; {} of {} rooms "
        "are equal by {} digests, and what both have in {} keyframes",
        report.tick_count, report.rooms->compared.size(),
        report.rooms->compared.size() + report.rooms->not_compared.size(),
        report.digests_compared, report.rooms->keyframes_compared);
    result.report =
        replays::FormatSchemaDifferences(verified.schema_differences) +
        fmt::format("not verified: {}\n",
                    fmt::join(report.rooms->not_compared, ", ")) +
        verified.capsule_line;
  } else if (report.ticks_verified == 0) {
    result.verdict = Verdict::kUnproven;
    result.summary =
        fmt::format("nothing to verify, 0 of {} ticks", report.tick_count);
  } else {
    DescribeRight(report, options.allow_partial, result);
  }
  if (result.passed() && options.outcome != "any" &&
      options.outcome != OutcomeName(report.outcome.status)) {
    result.verdict = Verdict::kUnexpected;
    result.summary = fmt::format(
        "expected outcome {}, it is {} after {} verified ticks",
        options.outcome, FormatOutcome(report.outcome), report.ticks_verified);
  }
  if (!verified.failure_tick.empty()) {
    result.summary += fmt::format("; a capsule of a failure behind tick {}",
                                  EscapeLine(verified.failure_tick));
  }
  return result;
}

// What today's pack is to the recorded one. FAILED_PRECONDITION and
// INVALID_ARGUMENT: another game's, though it has the name.
absl::Status CheckSameGame(const replays::ReplayReader& replay,
                           const sim::PackArchive& pack,
                           const std::string& path) {
  const absl::StatusOr<sim::PackArchive> recorded = replay.ReadPack();
  if (!recorded.ok()) return absl::OkStatus();  // Nothing to hold it against.
  const absl::StatusOr<std::string> before = sim::SimulationOf(*recorded);
  const absl::StatusOr<std::string> now = sim::SimulationOf(pack);
  if (before.ok() && now.ok() && *before != *now) {
    return absl::InvalidArgumentError(fmt::format(
        "the pack '{}' in {} is another game's: of simulation '{}', and the "
        "replay is of '{}'",
        replay.metadata().pack, path, *now, *before));
  }
  return absl::OkStatus();
}

// Whether `after` has any of the names in `before`.
template <typename Named>
bool SharesAnyName(const std::vector<Named>& before,
                   const std::vector<Named>& after) {
  return std::ranges::any_of(before, [&after](const Named& each) {
    return std::ranges::find(after, each.name, &Named::name) != after.end();
  });
}

// A game that shares no action with the recorded one is another game; and so is
// one that shares no type with one that has no actions.
absl::Status CheckSameContents(const sim::Simulation& recorded,
                               const sim::Simulation& played,
                               const std::string& path) {
  const std::vector<sim::Action>& actions = recorded.info().inputs.actions;
  const auto& types = recorded.description().types;
  const bool by_actions = !actions.empty();
  if (by_actions
          ? SharesAnyName(actions, played.info().inputs.actions)
          : types.empty() || SharesAnyName(types, played.description().types)) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(fmt::format(
      "the pack '{}' in {} is another game's: it has none of the replay's {} "
      "{}",
      recorded.info().pack, path, by_actions ? actions.size() : types.size(),
      by_actions ? "actions" : "types"));
}

// The pack to run a replay on; nothing: the one inside.
struct ChosenPack {
  std::optional<sim::PackArchive> pack;
  std::string path;
};

absl::StatusOr<ChosenPack> ChoosePack(const VerifyFileOptions& options,
                                      const replays::ReplayReader& replay) {
  ChosenPack chosen;
  if (options.packs.empty()) {
    absl::StatusOr<std::optional<sim::PackArchive>> pack =
        OpenPackIfNamed(options.pack);
    if (!pack.ok()) return pack.status();
    chosen.pack = *std::move(pack);
    chosen.path = options.pack;
    return chosen;
  }
  const absl::StatusOr<PackFolders> folders = PackFolders::Open(options.packs);
  if (!folders.ok()) return folders.status();
  absl::StatusOr<std::string> path = folders->Find(replay.metadata().pack);
  if (!path.ok()) return path.status();
  absl::StatusOr<sim::PackArchive> pack = replays::ReadPackFolder(*path);
  if (!pack.ok()) return pack.status();
  const absl::Status status = CheckSameGame(replay, *pack, *path);
  if (!status.ok()) return status;
  chosen.pack = *std::move(pack);
  chosen.path = *std::move(path);
  return chosen;
}

// Whether a run on a pack by name that differs, or was refused, is of the same
// game at all. What can't be run here isn't looked at.
absl::Status CheckSameContents(const replays::ReplayReader& replay,
                               const ChosenPack& chosen) {
  const auto recorded = replays::CreateRecordedSimulation(replay, nullptr);
  const auto played = replays::CreateRecordedSimulation(replay, &*chosen.pack);
  if (!recorded.ok() || !played.ok()) return absl::OkStatus();
  return CheckSameContents(**recorded, **played, chosen.path);
}

// Says of a run on another pack that differs what changed in the pack, and,
// with packs by name, the tick, phase and field. A recorded pack that can't be
// run here says nothing; the remarks say what differs.
void ExplainByPacks(const replays::ReplayReader& replay,
                    const ChosenPack& chosen, const VerifyFileOptions& options,
                    const replays::ProgressCallback& progress,
                    Verified& verified) {
  const absl::StatusOr<sim::PackArchive> inside = replay.ReadPack();
  if (inside.ok()) {
    verified.pack_changes = ComparePacksAsData(*inside, *chosen.pack);
  }
  const auto recorded = replays::CreateRecordedSimulation(replay, nullptr);
  const auto played = replays::CreateRecordedSimulation(replay, &*chosen.pack);
  if (!recorded.ok() || !played.ok()) return;
  if (options.packs.empty()) {
    verified.schema_differences =
        replays::CompareSchemas((*recorded)->state(), (*played)->state());
    return;
  }
  verified.schema_differences =
      replays::CompareSchemas((*recorded)->state(), (*played)->state());
  if (!replay.is_complete()) return;
  verified.recorded_outcome = replay.end()->outcome;
  replays::CompareOptions compare;
  compare.growth_ticks = 0;
  compare.progress = progress;
  absl::StatusOr<replays::RunComparison> comparison = replays::CompareReplays(
      {&replay, recorded->get()}, {&replay, played->get()}, compare);
  // What can't be compared so is told by the digests alone.
  if (!comparison.ok() || !comparison->divergence.has_value()) {
    return;
  }
  if (!options.capsules.empty()) {
    absl::StatusOr<replays::Capsule> capsule = replays::MakeCapsule(
        {&replay, recorded->get()}, {&replay, played->get()}, &*chosen.pack,
        *comparison);
    if (capsule.ok()) verified.exact_capsule = *std::move(capsule);
  }
  verified.report.divergence = *std::move(comparison->divergence);
}

absl::StatusOr<Verified> Verify(const std::string& path,
                                const VerifyFileOptions& options,
                                const VerifyFileObserver& observer,
                                replays::KeptSimulations* simulations) {
  const absl::StatusOr<std::unique_ptr<replays::ReplayReader>> replay =
      replays::ReplayReader::OpenFile(path);
  if (!replay.ok()) return replay.status();
  const absl::StatusOr<ChosenPack> chosen = ChoosePack(options, **replay);
  if (!chosen.ok()) return chosen.status();
  replays::VerifyOptions verify;
  verify.pack = chosen->pack.has_value() ? &*chosen->pack : nullptr;
  verify.simulations = simulations;
  verify.threads = static_cast<uint32_t>(options.threads);
  verify.on_divergence =
      ToOnDivergence(options.on_divergence.empty() && !options.packs.empty()
                         ? "continue"
                         : options.on_divergence);
  verify.on_remarks = observer.on_remarks;
  if (observer.on_progress) {
    observer.on_progress(0, (*replay)->tick_count());
    verify.progress = [&observer](sim::Tick tick, sim::Tick tick_count) {
      observer.on_progress(tick, tick_count);
      return absl::OkStatus();
    };
  }
  absl::StatusOr<replays::VerificationReport> report =
      replays::VerifyReplay(**replay, verify);
  const bool is_as_recorded = report.ok() && !report->divergence.has_value() &&
                              !report->rooms.has_value();
  if (!is_as_recorded && !options.packs.empty()) {
    const absl::Status status = CheckSameContents(**replay, *chosen);
    if (!status.ok()) return status;
  }
  if (!report.ok()) return report.status();
  Verified verified;
  verified.pack = (*replay)->metadata().pack;
  if (replays::IsCapsule(**replay)) {
    verified.failure_tick = replays::FailureTick(**replay);
  }
  verified.pack_path = chosen->path;
  verified.report = *std::move(report);
  if (verified.report.rooms.has_value()) {
    verified.schema_differences = verified.report.rooms->schema_differences;
    if (!options.capsules.empty()) {
      verified.capsule_line =
          "no capsule: it holds states of one build's tables, and these were "
          "recorded with others\n";
    }
    return verified;
  }
  if (!verified.report.divergence.has_value()) return verified;
  verified.bracket = *verified.report.divergence;
  if (verify.pack != nullptr) {
    ExplainByPacks(**replay, *chosen, options, verify.progress, verified);
  }
  if (options.finds_cause) {
    const absl::StatusOr<std::string> cause =
        FindPackCause(**replay, *verify.pack, verify.progress);
    verified.cause_lines =
        cause.ok() ? *cause
                   : fmt::format("cause: not found: {}\n",
                                 std::string(cause.status().message()));
  }
  if (!options.capsules.empty()) {
    TakeCapsule(KeepFailure(path, **replay, verify.pack, verified,
                            verify.progress, options.capsules),
                verified);
  }
  if (!options.views.empty()) {
    verified.capsule_line +=
        ShowFailure(path, **replay, verify.pack, *verified.report.divergence,
                    options.views);
  }
  return verified;
}

}  // namespace

absl::Status VerifyFileOptions::Validate() const {
  if (threads == 0 || threads > replays::kVerifyThreadsMax) {
    return absl::InvalidArgumentError(
        fmt::format("--threads is 1 to {}", replays::kVerifyThreadsMax));
  }
  if (!pack.empty() && !packs.empty()) {
    return absl::InvalidArgumentError(
        "--pack is one pack for all replays, --packs has one for each: one of "
        "these");
  }
  if (finds_cause && pack.empty() && packs.empty()) {
    return absl::InvalidArgumentError(
        "--cause looks at changes of a pack: with --pack or --packs");
  }
  return absl::OkStatus();
}

std::vector<std::string> VerifyFileOptions::flags() const {
  const VerifyFileOptions unset;
  std::vector<std::string> flags;
  const auto add = [&flags](const char* name, std::string value) {
    flags.push_back(name);
    flags.push_back(std::move(value));
  };
  if (!pack.empty()) add("--pack", pack);
  for (const std::string& folder : packs) add("--packs", folder);
  if (finds_cause) flags.emplace_back("--cause");
  if (!capsules.empty()) add("--capsule", capsules);
  if (!views.empty()) add("--view", views);
  if (threads != unset.threads) add("--threads", std::to_string(threads));
  if (on_divergence != unset.on_divergence) {
    add("--on-divergence", std::string(on_divergence));
  }
  if (outcome != unset.outcome) add("--outcome", std::string(outcome));
  if (allow_partial) flags.emplace_back("--allow-partial");
  return flags;
}

VerifyResult VerifyFile(const std::string& path,
                        const VerifyFileOptions& options,
                        const VerifyFileObserver& observer,
                        replays::KeptSimulations* simulations) {
  CHECK(options.Validate().ok());
  const auto start = std::chrono::steady_clock::now();
  const absl::StatusOr<Verified> verified =
      Verify(path, options, observer, simulations);
  VerifyResult result = verified.ok() ? ReportResult(path, options, *verified)
                                      : ErrorResult(path, verified.status());
  result.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
          .count();
  return result;
}

}  // namespace reprise::tools
