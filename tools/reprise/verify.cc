// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// `reprise verify`: runs replays again and compares what was recorded.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "fmt/format.h"
#include "fmt/ostream.h"
#include "replays/divergence.h"
#include "replays/replay_reader.h"
#include "replays/verifier.h"
#include "sim/base/digest.h"
#include "sim/pack_archive.h"
#include "tools/reprise/commands.h"
#include "tools/reprise/json_output.h"
#include "tools/reprise/pack_location.h"

namespace reprise::tools {
namespace {

struct Options {
  std::string pack;
  uint64_t threads = 1;
  std::string_view on_divergence = "stop";
  bool bisect = false;
  OutputFormat format;
};

// One file and what came of it.
struct Verification {
  std::string path;
  absl::StatusOr<replays::VerificationReport> report;

  ExitCode exit_code() const {
    if (!report.ok()) return ExitCodeOf(report.status());
    return report->passed() ? ExitCode::kOk : ExitCode::kDifferent;
  }
};

replays::OnDivergence ToOnDivergence(std::string_view name) {
  if (name == "continue") return replays::OnDivergence::kContinue;
  if (name == "resync") return replays::OnDivergence::kResync;
  return replays::OnDivergence::kStop;
}

absl::StatusOr<replays::VerificationReport> VerifyFile(
    const Options& flags, const std::string& path, const sim::PackArchive* pack,
    Console& console) {
  const absl::StatusOr<std::unique_ptr<replays::ReplayReader>> replay =
      replays::ReplayReader::OpenFile(path);
  if (!replay.ok()) return replay.status();
  ProgressBar progress(console, path, (*replay)->tick_count());
  replays::VerifyOptions options;
  options.pack = pack;
  options.threads = static_cast<uint32_t>(flags.threads);
  options.on_divergence = ToOnDivergence(flags.on_divergence);
  options.progress = [&progress](sim::Tick tick, sim::Tick) {
    progress.Update(tick);
    return absl::OkStatus();
  };
  absl::StatusOr<replays::VerificationReport> report =
      replays::VerifyReplay(**replay, options);
  if (report.ok()) return report;
  return absl::Status(
      report.status().code(),
      fmt::format("{}: {}", path, std::string(report.status().message())));
}

void PrintHuman(const Verification& verification, Console& console) {
  const std::string& path = verification.path;
  const replays::VerificationReport& report = *verification.report;
  for (const std::string& note : report.remarks.notes) {
    console.Note(fmt::format("{}: {}", path, note));
  }
  for (const std::string& warning : report.remarks.warnings) {
    console.Warning(fmt::format("{}: {}", path, warning));
  }
  std::ostream& out = console.out();
  if (report.divergence) {
    fmt::print(out,
               "{}: diverged, {} of {} ticks verified, {} of {} digests "
               "differ\n{}",
               path, report.ticks_verified, report.tick_count,
               report.digests_different, report.digests_compared,
               replays::FormatDivergence(*report.divergence));
    for (const replays::Divergence& later : report.later_divergences) {
      fmt::print(out, "{}", replays::FormatDivergence(later));
    }
  } else if (report.ticks_verified == 0) {
    fmt::print(out, "{}: nothing to verify, 0 of {} ticks\n", path,
               report.tick_count);
  } else {
    fmt::print(out, "{}: verified {} of {} ticks, digest {}\n", path,
               report.ticks_verified, report.tick_count,
               sim::FormatDigest(report.root));
  }
}

Json VerificationJson(const Verification& verification) {
  Json file = {{"file", verification.path},
               {"passed", verification.exit_code() == ExitCode::kOk}};
  if (!verification.report.ok()) {
    file["error"] = std::string(verification.report.status().message());
    return file;
  }
  const replays::VerificationReport& report = *verification.report;
  file["ticks_verified"] = report.ticks_verified;
  file["tick_count"] = report.tick_count;
  file["digests_compared"] = report.digests_compared;
  file["digests_different"] = report.digests_different;
  file["digest"] = sim::FormatDigest(report.root);
  file["chain"] = sim::FormatDigest(report.chain);
  file["outcome"] = ToJson(report.outcome);
  file["divergence"] =
      report.divergence ? ToJson(*report.divergence) : Json(nullptr);
  Json later = Json::array();
  for (const replays::Divergence& divergence : report.later_divergences) {
    later.push_back(ToJson(divergence));
  }
  file["later_divergences"] = std::move(later);
  file["remarks"] = ToJson(report.remarks);
  return file;
}

// What all files together come to: the highest code of any, so that a worse
// kind of failure isn't hidden by a lesser one.
ExitCode Summarise(const std::vector<Verification>& verifications) {
  ExitCode worst = ExitCode::kOk;
  for (const Verification& verification : verifications) {
    worst = std::max(worst, verification.exit_code());
  }
  return worst;
}

void PrintSummary(const std::vector<Verification>& verifications,
                  Console& console) {
  const auto count = [&verifications](auto&& predicate) {
    return std::ranges::count_if(verifications, predicate,
                                 &Verification::exit_code);
  };
  const auto verified =
      count([](ExitCode code) { return code == ExitCode::kOk; });
  const auto different =
      count([](ExitCode code) { return code == ExitCode::kDifferent; });
  const auto total = std::ssize(verifications);
  fmt::print(console.out(), "{} files: {} verified, {} not, {} unreadable\n",
             total, verified, different, total - verified - different);
}

absl::StatusOr<ExitCode> VerifyFiles(const Options& options,
                                     const std::vector<std::string>& paths,
                                     Console& console) {
  if (options.threads == 0 || options.threads > replays::kVerifyThreadsMax) {
    return absl::InvalidArgumentError(
        fmt::format("--threads is 1 to {}", replays::kVerifyThreadsMax));
  }
  std::optional<sim::PackArchive> pack;
  if (!options.pack.empty()) {
    absl::StatusOr<sim::PackArchive> opened = OpenPack(options.pack);
    if (!opened.ok()) return opened.status();
    pack = *std::move(opened);
  }

  Json files = Json::array();
  std::vector<Verification> verifications;
  for (const std::string& path : paths) {
    const Verification& verification = verifications.emplace_back(Verification{
        path, VerifyFile(options, path, pack ? &*pack : nullptr, console)});
    if (options.format.is_json()) {
      files.push_back(VerificationJson(verification));
    } else if (verification.report.ok()) {
      PrintHuman(verification, console);
    }
    if (!verification.report.ok()) {
      console.Error(std::string(verification.report.status().message()));
    }
    if (paths.size() > 1 && verification.exit_code() != ExitCode::kOk) {
      std::vector<std::string> command = {"verify", path};
      if (pack) command.insert(command.end(), {"--pack", options.pack});
      console.Reproduce(FormatCommandLine(command));
    }
  }

  const ExitCode worst = Summarise(verifications);
  if (options.format.is_json()) {
    Json document = MakeJsonDocument("verify");
    document["passed"] = worst == ExitCode::kOk;
    document["files"] = std::move(files);
    PrintJson(document, console);
  } else if (paths.size() > 1) {
    PrintSummary(verifications, console);
  }
  return worst;
}

// `git bisect run` knows good, bad and "can't tell": whatever isn't about the
// replay's truth is the last.
absl::StatusOr<ExitCode> ForBisect(const absl::StatusOr<ExitCode>& result,
                                   Console& console) {
  if (!result.ok()) {
    console.Error(std::string(result.status().message()));
    return ExitCode::kUntestable;
  }
  return *result > ExitCode::kDifferent ? ExitCode::kUntestable : *result;
}

}  // namespace

Command MakeVerifyCommand() {
  const auto options = std::make_shared<Options>();
  Command command;
  command.name = "verify";
  command.summary = "Runs replays again and compares every recorded digest";
  command.description =
      "Where a run differs from its recording, says between which two digests, "
      "and, at the next keyframe, which object, which field and both values. "
      "A replay that verifies no tick at all fails.";
  command.arguments = {"FILE...", 1, kManyArguments};
  command.flags = {
      {"pack", "PACK", "Run the inputs on this pack, not on the one inside.",
       &options->pack},
      {"threads", "N",
       "Run so many parts of a replay side by side, cut at its keyframes. The "
       "report is the same for any number. 1 if unset.",
       &options->threads},
      {"on-divergence", "stop|continue|resync",
       "Where a run differs: stop; continue to the end and count what differs; "
       "or start again from each keyframe behind it. stop if unset.",
       ChoiceTarget{&options->on_divergence, {"stop", "continue", "resync"}}},
      {"bisect", "",
       "Exit with 125 in place of 2 to 5: for `git bisect run`, a revision "
       "that can't be tested is not a bad one.",
       &options->bisect},
      options->format.flag(),
  };
  command.examples = {
      {"Verify all golden replays", "reprise verify replays/golden/*.mcap"},
      {"Verify one long replay on four processors",
       "reprise verify --threads 4 game.mcap"},
      {"See what a changed pack does to an old recording",
       "reprise verify game.mcap --pack sim/packs/marble"},
      {"Find the commit that broke a replay",
       "git bisect run reprise verify --bisect game.mcap"},
  };
  command.run = [options](const std::vector<std::string>& paths,
                          Console& console) {
    const absl::StatusOr<ExitCode> result =
        VerifyFiles(*options, paths, console);
    return options->bisect ? ForBisect(result, console) : result;
  };
  return command;
}

}  // namespace reprise::tools
