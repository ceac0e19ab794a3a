// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// `reprise bisect`: which change made a run fail.

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "fmt/format.h"
#include "fmt/ostream.h"
#include "replays/container/byte_file.h"
#include "sim/base/content_digest.h"
#include "sim/pack_archive.h"
#include "tools/reprise/fuzzing/commit_bisection.h"
#include "tools/reprise/fuzzing/failing_run.h"
#include "tools/reprise/fuzzing/pack_bisection.h"
#include "tools/reprise/inputs/pack_difference.h"
#include "tools/reprise/inputs/pack_location.h"
#include "tools/reprise/terminal/console.h"
#include "tools/reprise/verbs/commands.h"

namespace reprise::tools {
namespace {

struct Options {
  std::string good_pack;
  std::string bad_pack;
  std::string good;
  std::string bad;
  std::string build;
  std::string program = "bazel-bin/tools/reprise/reprise";
  std::string cache = ".reprise-bisect";
  std::vector<std::string> always;
};

absl::StatusOr<ExitCode> OverPacks(const Options& options,
                                   const std::string& path, Console& console) {
  const absl::StatusOr<sim::PackArchive> good = OpenPack(options.good_pack);
  if (!good.ok()) return good.status();
  const absl::StatusOr<FailingRun> run =
      OpenFailingRun(path, options.bad_pack, options.always);
  if (!run.ok()) return run.status();
  const absl::StatusOr<PackCulprits> culprits = BisectPacks(*run, *good);
  if (!culprits.ok()) return culprits.status();
  std::ostream& out = console.out();
  fmt::print(out, "failure   {}\n", culprits->signature);
  fmt::print(out, "cause     {} of {} changes{}\n", culprits->changes.size(),
             culprits->change_count,
             culprits->changes.size() > 1 ? ", together" : "");
  for (const PackChange& change : culprits->changes) {
    fmt::print(out, "          {}\n", FormatPackChange(change));
  }
  fmt::print(out, "cost      {} packs\n", culprits->packs_tried);
  return ExitCode::kOk;
}

// Of the bytes of a file.
absl::StatusOr<std::string> DigestOfFile(const std::string& path) {
  const auto file = replays::FileSource::Open(path);
  if (!file.ok()) return file.status();
  std::vector<std::byte> bytes((*file)->size());
  const absl::Status status = (*file)->ReadAt(0, bytes);
  if (!status.ok()) return status;
  return sim::FormatDigest(sim::ContentDigestOf(bytes));
}

absl::StatusOr<ExitCode> OverCommits(const Options& options,
                                     const std::string& path,
                                     Console& console) {
  const absl::StatusOr<std::string> digest = DigestOfFile(path);
  if (!digest.ok()) return digest.status();
  CommitBisectionOptions bisection;
  bisection.good = options.good;
  bisection.bad = options.bad.empty() ? "HEAD" : options.bad;
  bisection.build = options.build;
  bisection.cache = std::filesystem::absolute(options.cache).string();
  bisection.key = *digest;
  const std::string replay = std::filesystem::absolute(path).string();
  // An older program that knows no --check has a usage error, which says
  // nothing of the run.
  std::string always;
  for (const std::string& one : options.always) {
    always += " --always " + ShellQuote(one);
  }
  bisection.test = fmt::format(
      "{} minimize --check{} {}; code=$?; [ $code -le 1 ] || exit 125; exit "
      "$code",
      ShellQuote(options.program), always, ShellQuote(replay));
  bisection.on_line = [&console](const std::string& line) {
    console.Note(line);
  };
  const absl::StatusOr<CommitCulprit> culprit = BisectCommits(bisection);
  if (!culprit.ok()) return culprit.status();
  std::ostream& out = console.out();
  if (culprit->commits.size() > 1) {
    fmt::print(out,
               "the first bad commit is one of {}; those between can't be "
               "tested:\n",
               culprit->commits.size());
    for (const std::string& commit : culprit->commits) {
      fmt::print(out, "{}\n", commit);
    }
  } else {
    fmt::print(out, "{} is the first bad commit\n{}\n",
               culprit->commits.front(), culprit->description);
  }
  console.Note(fmt::format("{} commits built and tested, {} known",
                           culprit->tested, culprit->from_cache));
  return culprit->commits.size() > 1 ? ExitCode::kUntestable : ExitCode::kOk;
}

absl::StatusOr<ExitCode> Bisect(const Options& options, const std::string& path,
                                Console& console) {
  const bool is_over_packs = !options.good_pack.empty();
  if (is_over_packs == !options.good.empty()) {
    return absl::InvalidArgumentError(
        "either --good-pack or --good says where it was right");
  }
  return is_over_packs ? OverPacks(options, path, console)
                       : OverCommits(options, path, console);
}

}  // namespace

Command MakeBisectCommand() {
  const auto options = std::make_shared<Options>();
  Command command;
  command.name = "bisect";
  command.summary = "Finds the change that made a run fail";
  command.description =
      "With --good-pack: the fewest changes of data that make the run fail as "
      "it does on the bad pack. With --good: the commit, along the first "
      "parents, by building each in a work tree of its own and asking its "
      "`reprise minimize --check` about the run; what can't be built or asked "
      "is skipped. Exits with 125 where only skipped commits are left.";
  command.arguments = {"FAIL", 1, 1};
  command.flags = {
      {"good-pack", "PACK", "The pack on which it was right.",
       &options->good_pack},
      {"bad-pack", "PACK",
       "The pack on which it fails. The one inside if unset.",
       &options->bad_pack},
      {"good", "REV", "The revision of git at which it was right.",
       &options->good},
      {"bad", "REV", "The revision at which it fails. HEAD if unset.",
       &options->bad},
      {"build", "COMMAND", "Builds a revision, in its folder.",
       &options->build},
      {"program", "PATH",
       "What it builds, in its folder. bazel-bin/tools/reprise/reprise if "
       "unset.",
       &options->program},
      {"cache", "DIR",
       "Where results and the work tree are kept. .reprise-bisect if unset.",
       &options->cache},
      {"always", "EXPRESSION",
       "What has to hold at every tick, beside what the pack says. May be "
       "repeated.",
       &options->always}};
  command.examples = {
      {"Which change of data did it?",
       "reprise bisect small.mcap --good-pack old/ --bad-pack new/"},
      {"Which commit did it?",
       "reprise bisect small.mcap --good v1.2 --build './build'"}};
  command.run = [options](const std::vector<std::string>& arguments,
                          Console& console) {
    return Bisect(*options, arguments[0], console);
  };
  return command;
}

}  // namespace reprise::tools
