// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// `reprise verify`: runs replays again and compares what was recorded.

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <limits>
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
#include "sim/pack_archive.h"
#include "tools/reprise/inputs/file_search.h"
#include "tools/reprise/inputs/pack_location.h"
#include "tools/reprise/inputs/replay_file.h"
#include "tools/reprise/reports/ci_report_flags.h"
#include "tools/reprise/terminal/escaped_text.h"
#include "tools/reprise/terminal/json_output.h"
#include "tools/reprise/terminal/quantity.h"
#include "tools/reprise/verbs/commands.h"
#include "tools/reprise/verifying/verify_cache.h"
#include "tools/reprise/verifying/verify_export.h"
#include "tools/reprise/verifying/verify_failure.h"
#include "tools/reprise/verifying/verify_file.h"
#include "tools/reprise/verifying/verify_process.h"
#include "tools/reprise/verifying/verify_report.h"
#include "tools/reprise/verifying/verify_result.h"
#include "tools/reprise/verifying/verify_session.h"
#include "tools/reprise/verifying/verify_shard.h"

namespace reprise::tools {
namespace {

// More processes would only wait for each other.
constexpr uint64_t kJobsMax = 1024;

struct Options : VerifySessionOptions {
  std::string shard;
  CiReportFlags reports;
  std::string cache;
  std::string export_file;
  std::optional<uint64_t> report_to;
  std::optional<uint64_t> paths_from;
  bool allow_empty = false;
  bool bisect = false;
  OutputFormat format;
};

std::optional<std::string> ReadEnvironment(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

bool IsOpen(uint64_t descriptor) {
  return descriptor <= std::numeric_limits<int>::max() &&
         fcntl(static_cast<int>(descriptor), F_GETFD) != -1;
}

absl::Status ValidateOptions(const Options& options) {
  if (options.jobs.has_value() &&
      (*options.jobs == 0 || *options.jobs > kJobsMax)) {
    return absl::InvalidArgumentError(
        fmt::format("--jobs is 1 to {}", kJobsMax));
  }
  if (options.jobs.value_or(1) > 1 && !options.is_isolated()) {
    return absl::InvalidArgumentError(
        "--jobs are processes; --isolation none has none");
  }
  const absl::Status timeout =
      CheckTimeout("hang-timeout-seconds", options.hang_timeout_seconds, true);
  if (!timeout.ok()) return timeout;
  const absl::Status memory =
      CheckMebibytes("memory-max-mib", options.memory_max_mib);
  if (!memory.ok()) return memory;
  if (options.paths_from.has_value() && !options.report_to.has_value()) {
    return absl::InvalidArgumentError(
        "--paths-from is for a program that --report-to reports to");
  }
  return options.file.Validate();
}

// The part of `paths` that this process verifies.
absl::StatusOr<std::vector<std::string>> ChoosePaths(
    const Options& options, const std::vector<std::string>& paths,
    Console& console) {
  const absl::StatusOr<std::optional<Shard>> shard =
      ChooseShard(options.shard, &ReadEnvironment);
  if (!shard.ok()) return shard.status();
  const Shard chosen = shard->value_or(Shard());
  std::vector<std::string> all = PathsOfShard(paths, Shard());
  std::vector<std::string> mine = PathsOfShard(paths, chosen);
  if (shard->has_value()) {
    console.Note(fmt::format("shard {} of {} ({}): {} of {} replays",
                             chosen.number, chosen.count, chosen.origin,
                             mine.size(), all.size()));
  }
  return mine;
}

// Bazel asks tests that know of shards to say so by touching a file.
void TellBazelOfShards() {
  const std::optional<std::string> path =
      ReadEnvironment("TEST_SHARD_STATUS_FILE");
  if (path.has_value()) std::ofstream(*path, std::ios::app).flush();
}

void PrintResults(const Options& options, ExitCode worst,
                  const std::vector<VerifyResult>& results, Console& console) {
  if (options.format.is_json()) {
    Json files = Json::array();
    for (const VerifyResult& result : results) {
      files.push_back(ToJson(result));
      if (result.passed()) continue;
      files.back()["reproduce"] = VerifyReproduction(options, result.path);
    }
    Json document = MakeJsonDocument("verify");
    document["passed"] = worst == ExitCode::kOk;
    document["files"] = std::move(files);
    PrintJson(document, console);
  } else if (results.size() > 1) {
    console.out() << FormatVerifyResults(results);
  } else if (results.size() == 1 && results.front().has_run()) {
    const VerifyResult& result = results.front();
    fmt::print(console.out(), "{}: {}{}\n{}", EscapeLine(result.path),
               result.summary, result.is_cached ? " (cached)" : "",
               result.report);
  }
}

// What all results together come to: the highest code of any, so that a worse
// kind of failure isn't hidden by a lesser one. Nothing verified is no success.
ExitCode Summarise(const Options& options,
                   const std::vector<VerifyResult>& results) {
  if (results.empty() && !options.allow_empty) return ExitCode::kDifferent;
  ExitCode worst = ExitCode::kOk;
  for (const VerifyResult& result : results) {
    worst = std::max(worst, ExitCodeOf(result.verdict));
  }
  return worst;
}

std::vector<Flag> AllFlags(Options& options);

// What a flag asks for that --export doesn't do isn't left out in silence.
absl::Status CheckExportFlags(const Options& options) {
  constexpr std::string_view kOfExport[] = {"export", "pack", "format",
                                            "bisect"};
  Options unset;
  Options given = options;
  for (const std::string_view name :
       ChangedFlags(AllFlags(given), AllFlags(unset))) {
    if (std::ranges::find(kOfExport, name) == std::end(kOfExport)) {
      return absl::InvalidArgumentError(
          fmt::format("--{} isn't of --export", name));
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<ExitCode> VerifyFiles(const Options& options,
                                     const std::vector<std::string>& names,
                                     Console& console) {
  absl::Status status = ValidateOptions(options);
  if (!status.ok()) return status;
  if (!options.export_file.empty()) {
    status = CheckExportFlags(options);
    if (!status.ok()) return status;
    return VerifyExport({.file = options.export_file,
                         .replays = names,
                         .pack = options.file.pack},
                        options.format, console);
  }
  for (const auto& [flag, descriptor] :
       {std::pair("--report-to", options.report_to),
        std::pair("--paths-from", options.paths_from)}) {
    if (descriptor.has_value() && !IsOpen(*descriptor)) {
      return absl::InvalidArgumentError(
          fmt::format("{} {} is no open descriptor", flag, *descriptor));
    }
  }
  if (options.report_to.has_value()) {
    if (names.size() > 1) {
      return absl::InvalidArgumentError("--report-to takes one replay");
    }
    return ExitCodeOf(VerifyForParent(
        names.front(), options.file,
        {.report = *options.report_to, .paths = options.paths_from}));
  }
  // A pack that isn't right is no fault of the replays.
  const absl::StatusOr<std::optional<sim::PackArchive>> pack =
      OpenPackIfNamed(options.file.pack);
  if (!pack.ok()) return pack.status();
  if (!options.file.packs.empty()) {
    status = PackFolders::Open(options.file.packs).status();
    if (!status.ok()) return status;
  }
  const absl::StatusOr<std::vector<std::string>> paths = FindReplays(names);
  if (!paths.ok()) return paths.status();
  const absl::StatusOr<std::vector<std::string>> mine =
      ChoosePaths(options, *paths, console);
  if (!mine.ok()) return mine.status();
  TellBazelOfShards();
  status = options.reports.Check(options.format);
  if (!status.ok()) return status;
  std::unique_ptr<VerifyCache> cache;
  if (!options.cache.empty()) {
    absl::StatusOr<std::unique_ptr<VerifyCache>> opened =
        VerifyCache::Open(options.cache, options.file);
    if (!opened.ok()) return opened.status();
    cache = *std::move(opened);
  }

  std::vector<VerifyResult> results;
  if (!mine->empty()) {
    absl::StatusOr<std::vector<VerifyResult>> run =
        VerifyPaths(options, *mine,
                    {.is_all = *mine == names, .cache = cache.get()}, console);
    if (!run.ok()) return run.status();
    results = *std::move(run);
  } else {
    console.Warning("nothing was verified");
  }
  const ExitCode worst = Summarise(options, results);
  const Reproducer reproduce = [&options](const VerifyResult& result) {
    return VerifyReproduction(options, result.path);
  };
  status = options.reports.Write(MakeVerifyReport(results, reproduce), console);
  PrintResults(options, worst, results, console);
  if (!status.ok()) return status;
  return worst;
}

// `git bisect run` knows good, bad and "can't tell": whatever isn't about the
// replay's truth is the last.
absl::StatusOr<ExitCode> ForBisect(const absl::StatusOr<ExitCode>& result,
                                   Console& console) {
  if (!result.ok()) {
    TellError(result.status(), console);
    return ExitCode::kUntestable;
  }
  return *result > ExitCode::kDifferent ? ExitCode::kUntestable : *result;
}

// What decides a result.
std::vector<Flag> RunFlags(Options& options) {
  return {
      {"pack", "PACK", "Run the inputs on this pack, not on the one inside.",
       &options.file.pack},
      {"packs", "FOLDER",
       "Run each replay on the pack in this folder that has the name of the "
       "recorded one. May be repeated. A replay whose pack isn't there, is "
       "another game's, or there twice, is named as such and never diverged.",
       &options.file.packs},
      {"cause", "",
       "Where a run on another pack differs, look for the change of the pack "
       "that makes the first difference, by making one change at a time, 32 at "
       "most.",
       &options.file.finds_cause},
      {"outcome", "won|lost|running",
       "Fail a replay that ends in another outcome than this.",
       ChoiceTarget{&options.file.outcome, {"won", "lost", "running", "any"}}},
      {"on-divergence", "stop|continue|resync",
       "Where a run differs: stop; continue to the end and count what differs; "
       "or start again from each keyframe behind it. If unset, stop; with "
       "--packs, continue.",
       ChoiceTarget{&options.file.on_divergence,
                    {"stop", "continue", "resync"}}},
      {"export", "EXPORT",
       "Instead, hold this file, which `reprise export` or `reprise view` "
       "made, "
       "against the replay: it has to be of its bytes, and each state that it "
       "names by tick and digest the one that is played. A page of two runs "
       "takes both replays. Of the other flags with --pack, --format and "
       "--bisect only.",
       &options.export_file},
      {"allow-partial", "",
       "Pass what is right as far as it could be compared: ticks without a "
       "digest, keyframes of other tables and what damage took are told, and "
       "fail nothing. A replay that verifies no tick still fails.",
       &options.file.allow_partial},
      {"capsule", "DIR",
       "Keep each failure in this folder, in a file of its own: the replay up "
       "to there, both states, and the report.",
       &options.file.capsules},
      {"view", "DIR",
       "Write into this folder, for each failure, one HTML file that plays the "
       "run around it; with another pack, beside the run on its own.",
       &options.file.views},
      {"threads", "N",
       "Run so many parts of a replay side by side, cut at its keyframes. The "
       "report is the same for any number. 1 if unset.",
       &options.file.threads},
  };
}

// How many are run where, and for how long.
std::vector<Flag> ProcessFlags(Options& options) {
  return {
      {"jobs", "N",
       "Verify so many replays at a time. If unset, one a processor.",
       &options.jobs},
      {"shard", "I/N",
       "Verify only each Nth replay in the order of names, from the Ith on. "
       "With auto for I, or unset, it is read from what Bazel, GitLab, "
       "Buildkite, Slurm or Kubernetes say; 1/1 ignores them.",
       &options.shard},
      {"memory-max-mib", "N",
       "A replay that takes more memory has crashed; 0: no limit. 4096 if "
       "unset.",
       &options.memory_max_mib},
      {"hang-timeout-seconds", "N",
       "A replay that makes no progress for so long hangs; 0: no limit. 60 if "
       "unset.",
       &options.hang_timeout_seconds},
      {"isolation", "worker|process|none",
       "Where replays run: in processes that take one after another until one "
       "crashes, each in a process of its own, or here: no limit holds then, "
       "and a crash ends everything where a debugger sees it. worker if unset.",
       ChoiceTarget{&options.isolation, {"worker", "process", "none"}}},
      {"report-to", "FD",
       "Tell progress and result of one replay to this open descriptor, a JSON "
       "document a line, and print nothing.",
       &options.report_to},
      {"paths-from", "FD",
       "With --report-to: verify those, too, whose paths come through this "
       "open descriptor, each with a zero byte behind it, one after another.",
       &options.paths_from},
  };
}

// What becomes of the results.
std::vector<Flag> ResultFlags(Options& options) {
  std::vector<Flag> flags = options.reports.flags();
  const std::vector<Flag> others = {
      {"cache", "DIR",
       "Keep what passed in this folder, and don't verify it again with the "
       "same program, pack, replay and flags.",
       &options.cache},
      {"allow-empty", "", "A shard without any replays is no failure.",
       &options.allow_empty},
      {"bisect", "",
       "Exit with 125 in place of 2 to 5: for `git bisect run`, a revision "
       "that can't be tested is not a bad one.",
       &options.bisect},
      options.format.flag(),
  };
  flags.insert(flags.end(), others.begin(), others.end());
  return flags;
}

std::vector<Flag> AllFlags(Options& options) {
  std::vector<Flag> all;
  for (auto* const flags : {&RunFlags, &ProcessFlags, &ResultFlags}) {
    for (Flag& flag : flags(options)) all.push_back(std::move(flag));
  }
  return all;
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
      "Where another --pack gives things other properties, these are named, "
      "and `reprise diff --pack` compares the rest. All of the file is read, "
      "and what can't be held against the run is no success: a replay of which "
      "ticks, keyframes or the end can't be compared fails, unless "
      "--allow-partial is set. Replays run in processes of their own, so that "
      "a "
      "crash is the result of one. Without --pack or --packs, replays run "
      "on the packs inside them, and a game that changed is not noticed. A "
      "folder stands for all *.mcap in it and below.";
  command.arguments = {"FILE|FOLDER...", 1, kManyArguments};
  command.flags = AllFlags(*options);
  command.examples = {
      {"Verify all golden replays", "reprise verify tests/golden/*.mcap"},
      {"The same in CI: one test a replay, and none twice",
       "reprise verify tests/golden/*.mcap --junit verify.xml --cache "
       "~/.cache/reprise/verified"},
      {"One of eight machines' share of a corpus",
       "reprise verify corpus/*.mcap --shard 3/8 --jobs 16"},
      {"Verify one long replay on four processors",
       "reprise verify --threads 4 game.mcap"},
      {"See what a changed pack does to an old recording",
       "reprise verify game.mcap --pack sim/packs/marble"},
      {"See what today's games make of a corpus",
       "reprise verify corpus --packs sim/packs"},
      {"Prove that a table shows what the replay plays",
       "reprise verify game.mcap --export game.csv"},
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
