// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/verifying/verify_file.h"

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "fmt/format.h"
#include "replays/comparing/capsule.h"
#include "replays/format/replay_reader.h"
#include "replays/format/schema_difference.h"
#include "replays/playing/replay_player.h"
#include "replays/verifying/divergence.h"
#include "replays/verifying/verifier.h"
#include "sim/base/check.h"
#include "sim/base/digest.h"
#include "sim/pack_archive.h"
#include "tools/reprise/inputs/pack_location.h"
#include "tools/reprise/inputs/replay_file.h"
#include "tools/reprise/reports/capsule_file.h"
#include "tools/reprise/reports/schema_difference_output.h"
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
  replays::VerificationReport report;
  // Of a run on another pack that differs, or of one that was recorded with
  // other tables: what only one of both states consists of, which no digest
  // tells from other values.
  std::vector<replays::SchemaDifference> schema_differences;
  std::string capsule;       // the file; empty: none
  std::string capsule_line;  // what to say of it
};

absl::StatusOr<std::string> KeepFailure(
    const std::string& path, const replays::ReplayReader& replay,
    const sim::PackArchive* pack, const replays::Divergence& divergence,
    const replays::ProgressCallback& progress, const std::string& folder) {
  const absl::StatusOr<replays::Capsule> capsule =
      replays::MakeCapsule(replay, pack, divergence, progress);
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
      {"divergence",
       report.divergence ? ToJson(*report.divergence) : Json(nullptr)},
      {"later_divergences", std::move(later)},
      {"schema_differences", ToJson(verified.schema_differences)},
      {"not_covered", report.not_covered},
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
  result.report =
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
                    fmt::join(report.rooms->not_compared, ", "));
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
  return result;
}

// A pack that can't be run here says nothing; the remarks say what differs.
std::vector<replays::SchemaDifference> ComparePacks(
    const replays::ReplayReader& replay, const sim::PackArchive& pack) {
  const auto recorded = replays::CreateRecordedSimulation(replay, nullptr);
  const auto played = replays::CreateRecordedSimulation(replay, &pack);
  if (!recorded.ok() || !played.ok()) return {};
  return replays::CompareSchemas((*recorded)->state(), (*played)->state());
}

absl::StatusOr<Verified> Verify(const std::string& path,
                                const VerifyFileOptions& options,
                                const VerifyFileObserver& observer) {
  const absl::StatusOr<std::unique_ptr<replays::ReplayReader>> replay =
      replays::ReplayReader::OpenFile(path);
  if (!replay.ok()) return replay.status();
  const absl::StatusOr<std::optional<sim::PackArchive>> pack =
      OpenPackIfNamed(options.pack);
  if (!pack.ok()) return pack.status();
  replays::VerifyOptions verify;
  verify.pack = pack->has_value() ? &**pack : nullptr;
  verify.threads = static_cast<uint32_t>(options.threads);
  verify.on_divergence = ToOnDivergence(options.on_divergence);
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
  if (!report.ok()) return report.status();
  Verified verified;
  verified.report = *std::move(report);
  if (verified.report.rooms.has_value()) {
    verified.schema_differences = verified.report.rooms->schema_differences;
    // A capsule holds states of one build's tables.
    return verified;
  }
  if (verified.report.divergence.has_value() && verify.pack != nullptr) {
    verified.schema_differences = ComparePacks(**replay, *verify.pack);
  }
  if (verified.report.divergence.has_value() && !options.capsules.empty()) {
    TakeCapsule(
        KeepFailure(path, **replay, verify.pack, *verified.report.divergence,
                    verify.progress, options.capsules),
        verified);
  }
  return verified;
}

}  // namespace

absl::Status VerifyFileOptions::Validate() const {
  if (threads == 0 || threads > replays::kVerifyThreadsMax) {
    return absl::InvalidArgumentError(
        fmt::format("--threads is 1 to {}", replays::kVerifyThreadsMax));
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
  if (!capsules.empty()) add("--capsule", capsules);
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
                        const VerifyFileObserver& observer) {
  CHECK(options.Validate().ok());
  const auto start = std::chrono::steady_clock::now();
  const absl::StatusOr<Verified> verified = Verify(path, options, observer);
  VerifyResult result = verified.ok() ? ReportResult(path, options, *verified)
                                      : ErrorResult(path, verified.status());
  result.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
          .count();
  return result;
}

}  // namespace reprise::tools
