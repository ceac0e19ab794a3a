// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// `reprise bisect`: which change made a run fail.

#include <filesystem>
#include <memory>
#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "fmt/format.h"
#include "fmt/ostream.h"
#include "replays/container/byte_file.h"
#include "replays/fuzzing/corpus/fuzz_corpus.h"
#include "replays/fuzzing/inputs/action_changes.h"
#include "replays/fuzzing/minimizing/input_bisection.h"
#include "sim/base/content_digest.h"
#include "sim/input/input_grammar.h"
#include "sim/pack_archive.h"
#include "tools/reprise/fuzzing/commit_bisection.h"
#include "tools/reprise/fuzzing/culprit_description.h"
#include "tools/reprise/fuzzing/failing_run.h"
#include "tools/reprise/fuzzing/pack_bisection.h"
#include "tools/reprise/inputs/pack_location.h"
#include "tools/reprise/terminal/console.h"
#include "tools/reprise/verbs/commands.h"

namespace reprise::tools {
namespace {

struct Options {
  std::string good_pack;
  std::string bad_pack;
  std::string good_run;
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
  fmt::print(out, "{}", FormatPackCulprits(*culprits));
  fmt::print(out, "cost      {} packs\n", culprits->packs_tried);
  return ExitCode::kOk;
}

void PrintChanges(const sim::InputGrammar& grammar, char sign,
                  const std::vector<replays::ActionChange>& changes,
                  std::ostream& out) {
  for (const replays::ActionChange& change : changes) {
    fmt::print(out, "          {} {}\n", sign,
               replays::FormatChange(grammar, change));
  }
}

absl::StatusOr<ExitCode> OverInputs(const Options& options,
                                    const std::string& path, Console& console) {
  const absl::StatusOr<FailingRun> run =
      OpenFailingRun(path, options.bad_pack, options.always);
  if (!run.ok()) return run.status();
  const auto good = replays::ReadPlayedInputs(options.good_run);
  if (!good.ok()) return good.status();
  const auto culprits =
      replays::BisectInputs(*run->start, run->rules, *good, run->inputs);
  if (!culprits.ok()) return culprits.status();
  std::ostream& out = console.out();
  const sim::InputGrammar& grammar = run->start->info().inputs;
  fmt::print(out, "failure   {}\n", culprits->failure.signature);
  fmt::print(out, "          tick {}: {}\n", culprits->failure.tick,
             culprits->failure.message);
  fmt::print(out, "cause     {} of {} inputs{}; - of the good run, + of this\n",
             culprits->differences.size(), culprits->difference_count,
             culprits->differences.size() > 1 ? ", together" : "");
  for (const replays::InputDifference& difference : culprits->differences) {
    PrintChanges(grammar, '-', difference.good, out);
    PrintChanges(grammar, '+', difference.bad, out);
  }
  if (!culprits->first_field.empty()) {
    fmt::print(out, "differs   tick {}: {}\n", culprits->first_tick,
               culprits->first_field);
  }
  fmt::print(out, "cost      {} ticks in {} runs\n", culprits->ticks_run,
             culprits->runs_tried);
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
  std::string flags;
  for (const std::string& one : options.always) {
    flags += " --always " + ShellQuote(one);
  }
  if (!options.bad_pack.empty()) {
    flags += " --pack " + ShellQuote(options.bad_pack);
  }
  bisection.test = fmt::format(
      "{} minimize --check{} {}; code=$?; [ $code -le 1 ] || exit 125; exit "
      "$code",
      ShellQuote(options.program), flags, ShellQuote(replay));
  bisection.describe = [&](const std::string& good_tree,
                           const std::string& bad_tree) {
    return DescribeCulprit({.run = replay,
                            .good_tree = good_tree,
                            .bad_tree = bad_tree,
                            .program = options.program,
                            .pack = options.bad_pack,
                            .always = options.always},
                           console);
  };
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
    fmt::print(out, "{}", culprit->cause);
  }
  console.Note(fmt::format("{} commits built and tested, {} known",
                           culprit->tested, culprit->from_cache));
  return culprit->commits.size() > 1 ? ExitCode::kUntestable : ExitCode::kOk;
}

absl::StatusOr<ExitCode> Bisect(const Options& options, const std::string& path,
                                Console& console) {
  const int count = static_cast<int>(!options.good_pack.empty()) +
                    static_cast<int>(!options.good_run.empty()) +
                    static_cast<int>(!options.good.empty());
  if (count != 1) {
    return absl::InvalidArgumentError(
        "one of --good, --good-pack and --good-run says where it was right");
  }
  if (!options.good_pack.empty()) return OverPacks(options, path, console);
  if (!options.good_run.empty()) return OverInputs(options, path, console);
  return OverCommits(options, path, console);
}

}  // namespace

Command MakeBisectCommand() {
  const auto options = std::make_shared<Options>();
  Command command;
  command.name = "bisect";
  command.summary = "Finds the change that made a run fail";
  command.description =
      "With --good-pack: the fewest changes of data that make the run fail as "
      "it does on the bad pack. With --good-run: the fewest inputs of the run "
      "that make another one, which is right, fail in the same way. With "
      "--good: the commit, along the first "
      "parents, by building each in a work tree of its own and asking its "
      "`reprise minimize --check` about the run; what can't be built or asked "
      "is skipped. Of one commit it says the first field of the run that is "
      "another one, and which change of data did it. Exits with 125 where only "
      "skipped commits are left.";
  command.arguments = {"FAIL", 1, 1};
  command.flags = {
      {"good-pack", "PACK", "The pack on which it was right.",
       &options->good_pack},
      {"bad-pack", "PACK",
       "The pack on which it fails. With --good, a folder that each commit "
       "has, "
       "on whose pack it is asked. The one inside if unset.",
       &options->bad_pack},
      {"good-run", "FILE",
       "A replay or an input track of a run that is right, on the same pack.",
       &options->good_run},
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
      {"Which inputs did it?",
       "reprise bisect robbed.mcap --good-run yesterday.mcap"},
      {"Which commit did it?",
       "reprise bisect small.mcap --good v1.2 --build './build'"}};
  command.run = [options](const std::vector<std::string>& arguments,
                          Console& console) {
    return Bisect(*options, arguments[0], console);
  };
  return command;
}

}  // namespace reprise::tools
