// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// `reprise fuzz`: searches a game for what it may not do.

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "fmt/format.h"
#include "fmt/ostream.h"
#include "replays/fuzzing/feedback/fuzz_rules.h"
#include "replays/fuzzing/fuzz_campaign.h"
#include "replays/fuzzing/fuzz_coverage.h"
#include "replays/fuzzing/goals/goal_search.h"
#include "sim/pack_archive.h"
#include "sim/simulation.h"
#include "tools/reprise/fuzzing/build_differences.h"
#include "tools/reprise/fuzzing/failing_run.h"
#include "tools/reprise/fuzzing/fuzz_session.h"
#include "tools/reprise/fuzzing/fuzz_supervision.h"
#include "tools/reprise/fuzzing/old_failures.h"
#include "tools/reprise/fuzzing/process_limit_flags.h"
#include "tools/reprise/fuzzing/stop_signals.h"
#include "tools/reprise/inputs/pack_location.h"
#include "tools/reprise/reports/ci_report_flags.h"
#include "tools/reprise/terminal/json_output.h"
#include "tools/reprise/terminal/quantity.h"
#include "tools/reprise/verbs/commands.h"

namespace reprise::tools {
namespace {

struct Options {
  std::string simulation;
  std::string ticks = "1M";
  uint64_t jobs = 1;
  std::string corpus;
  uint64_t seed = 0;
  uint64_t game_seed = 0;
  std::vector<std::string> always;
  std::string goal;
  std::string goal_ticks = "100K";
  std::string with;
  std::string memory_max = "512MiB";
  CiReportFlags reports;
  ProcessLimitFlags limits;
  bool merge = false;
  OutputFormat format;
};

absl::StatusOr<FuzzSessionOptions> ToSessionOptions(const Options& options) {
  FuzzSessionOptions session;
  const absl::StatusOr<uint64_t> ticks = ParseTickCount("ticks", options.ticks);
  if (!ticks.ok()) return ticks.status();
  session.ticks = *ticks;
  const absl::StatusOr<uint64_t> goal_ticks =
      ParseTickCount("goal-ticks", options.goal_ticks);
  if (!goal_ticks.ok()) return goal_ticks.status();
  session.goal_ticks = *goal_ticks;
  session.goal = options.goal;
  if (options.jobs < 1 || options.jobs > replays::kFuzzJobsMax) {
    return absl::InvalidArgumentError(fmt::format(
        "--jobs {} is not in 1..{}", options.jobs, replays::kFuzzJobsMax));
  }
  session.jobs = static_cast<uint32_t>(options.jobs);
  const absl::StatusOr<uint64_t> memory = ParseByteCount(options.memory_max);
  if (!memory.ok()) {
    return absl::InvalidArgumentError(
        fmt::format("--memory {}", std::string(memory.status().message())));
  }
  session.memory_bytes_max = *memory;
  if (options.merge && options.corpus.empty()) {
    return absl::InvalidArgumentError("--merge needs --corpus");
  }
  if (!options.with.empty() && options.corpus.empty()) {
    return absl::InvalidArgumentError(
        "--with needs --corpus, whose runs the other program plays");
  }
  session.corpus = options.corpus;
  session.seed = options.seed;
  session.merges = options.merge;
  session.is_quiet = options.format.is_json();
  return session;
}

// Of a report for people so many names are enough; JSON has them all.
constexpr size_t kNamesToldMax = 12;

void PrintCoverage(const replays::FuzzCoveragePart& part, std::ostream& out) {
  const size_t told = std::min(part.never.size(), kNamesToldMax);
  fmt::print(out, "came      {} of {} {}", part.count - part.never.size(),
             part.count, part.name);
  if (told > 0) {
    fmt::print(
        out, "; never {}",
        fmt::join(part.never.begin(),
                  part.never.begin() + static_cast<ptrdiff_t>(told), ", "));
  }
  if (told < part.never.size()) {
    fmt::print(out, " and {} more", part.never.size() - told);
  }
  fmt::print(out, "\n");
}

void PrintHuman(const std::string& pack, const replays::FuzzRules& rules,
                const FuzzSessionResult& result, Console& console) {
  std::ostream& out = console.out();
  const replays::FuzzProgress& progress = result.progress;
  fmt::print(out, "pack      {}\n", pack);
  fmt::print(out, "ticks     {}", progress.ticks - result.ticks_loaded);
  if (result.runs_loaded > 0) {
    fmt::print(out, ", and {} to take up {} runs", result.ticks_loaded,
               result.runs_loaded);
  }
  fmt::print(out, "\nstates    {} to go on from, the deepest at tick {}\n",
             progress.states, progress.deepest);
  for (size_t i = 0; i < rules.sets.size(); ++i) {
    fmt::print(out, "set       {}: {} values\n", rules.sets[i].name,
               result.set_counts[i]);
  }
  for (size_t i = 0; i < result.best_scores.size(); ++i) {
    const bool is_maximum = i < rules.maximize.size();
    const replays::FuzzWord& word =
        is_maximum ? rules.maximize[i]
                   : rules.minimize[i - rules.maximize.size()];
    if (!result.best_scores[i]) continue;
    fmt::print(out, "{}  {}: {}\n", is_maximum ? "maximize" : "minimize",
               word.name, *result.best_scores[i]);
  }
  for (const replays::FuzzCoveragePart& part : result.coverage) {
    PrintCoverage(part, out);
  }
  for (const std::string& word : result.never_came) {
    fmt::print(out, "never     {}\n", word);
  }
  if (result.soft_locks.states_tried > 0) {
    fmt::print(out, "goal      a way from {} of {} states\n",
               result.soft_locks.states_tried - result.soft_locks.states_locked,
               result.soft_locks.states_tried);
  }
  for (const FuzzSessionFailure& failure : result.failures) {
    fmt::print(out, "{}  {}, {}{}\n",
               failure.known_reason.empty() ? "failure " : "known   ",
               failure.found.failure.signature,
               failure.found.count == 0
                   ? std::string(kMetBefore)
                   : fmt::format("{} times", failure.found.count),
               failure.known_reason.empty() ? "" : "; " + failure.known_reason);
  }
  if (progress.has_all_features) {
    console.Warning(
        "what tells states apart takes a quarter of --memory: nothing more "
        "counts as new but better numbers");
  }
  if (progress.refused_ticks > 0) {
    console.Warning(fmt::format("the game refused the inputs of {} ticks",
                                progress.refused_ticks));
  }
  if (result.seconds > 0) {
    console.Note(
        fmt::format("{:.0f} ticks/s",
                    static_cast<double>(progress.ticks) / result.seconds));
  }
}

void PrintJson(const std::string& pack, const FuzzSessionResult& result,
               Console& console) {
  Json document = MakeJsonDocument("fuzz");
  const replays::FuzzProgress& progress = result.progress;
  document["pack"] = pack;
  document["ticks"] = progress.ticks - result.ticks_loaded;
  document["ticks_loaded"] = result.ticks_loaded;
  document["ticks_in_all"] = result.total_ticks;
  document["runs_loaded"] = result.runs_loaded;
  document["runs_added"] = result.runs_added;
  document["files_skipped"] = result.files_skipped;
  document["states"] = progress.states;
  document["states_dropped"] = progress.states_dropped;
  document["snapshot_bytes"] = progress.snapshot_bytes;
  document["memory_bytes"] = progress.memory_bytes;
  document["memory_bytes_most"] = progress.memory_bytes_most;
  document["refused_ticks"] = progress.refused_ticks;
  document["perturbed_ticks"] = progress.perturbed_ticks;
  Json news = Json::array();
  for (const replays::FuzzNews& one : result.news) {
    news.push_back({{"text", one.text}, {"tick", one.tick}});
  }
  document["news"] = std::move(news);
  document["never_came"] = result.never_came;
  Json coverage = Json::array();
  for (const replays::FuzzCoveragePart& part : result.coverage) {
    coverage.push_back(
        {{"of", part.name}, {"count", part.count}, {"never", part.never}});
  }
  document["coverage"] = std::move(coverage);
  document["goal_states_tried"] = result.soft_locks.states_tried;
  document["goal_states_locked"] = result.soft_locks.states_locked;
  Json failures = Json::array();
  for (const FuzzSessionFailure& failure : result.failures) {
    Json one = {{"signature", failure.found.failure.signature},
                {"message", failure.found.failure.message},
                {"tick", failure.found.failure.tick},
                {"count", failure.found.count}};
    if (!failure.path.empty()) one["replay"] = failure.path;
    if (!failure.capsule.empty()) one["capsule"] = failure.capsule;
    if (!failure.known_reason.empty()) one["known"] = failure.known_reason;
    failures.push_back(std::move(one));
  }
  document["failures"] = std::move(failures);
  PrintJson(document, console);
}

// What `minimize --check` needs to see what this search saw.
std::string CheckFlagsOf(const Options& options, const std::string& pack) {
  std::string flags = " --pack " + ShellQuote(pack);
  for (const std::string& one : options.always) {
    flags += " --always " + ShellQuote(one);
  }
  if (!options.with.empty()) flags += " --with " + ShellQuote(options.with);
  return flags;
}

// Searches, and says what came of it.
absl::StatusOr<ExitCode> Search(const Options& options,
                                const std::string& pack_name,
                                const sim::PackArchive& pack,
                                const sim::Simulation& start,
                                const replays::FuzzRules& rules,
                                const FuzzSessionOptions& session,
                                Console& console) {
  const auto result = RunFuzzSession(pack, start, rules, session, console);
  if (!result.ok()) return result.status();
  const std::string& name = start.info().pack;
  if (options.format.is_json()) {
    PrintJson(name, *result, console);
  } else {
    PrintHuman(name, rules, *result, console);
  }
  const absl::Status written = options.reports.Write(
      MakeFuzzReport(name, rules, *result, CheckFlagsOf(options, pack_name)),
      console);
  if (!written.ok()) return written;
  return result->news_failure_count() == 0 ? ExitCode::kOk
                                           : ExitCode::kDifferent;
}

absl::StatusOr<ExitCode> Fuzz(const Options& options,
                              const std::string& pack_name, Console& console) {
  const absl::Status checked = options.reports.Check(options.format);
  if (!checked.ok()) return checked;
  absl::StatusOr<FuzzSessionOptions> session = ToSessionOptions(options);
  if (!session.ok()) return session.status();
  const auto limits = options.limits.Read();
  if (!limits.ok()) return limits.status();
  const absl::StatusOr<sim::PackArchive> pack = OpenPack(pack_name);
  if (!pack.ok()) return pack.status();
  const auto start =
      CreatePackSimulation(*pack, options.game_seed, options.simulation);
  if (!start.ok()) return start.status();
  const auto rules = MakeFuzzRules(**start, options.always);
  if (!rules.ok()) return rules.status();
  if (!options.goal.empty()) {
    const absl::Status goal = replays::CheckGoal(options.goal, **start);
    if (!goal.ok()) {
      return absl::InvalidArgumentError("--" + std::string(goal.message()));
    }
  }
  const auto stop = StopSignals::Create();
  if (!stop.ok()) return stop.status();
  session->stop = stop->get();
  if (!session->corpus.empty()) {
    auto old = FindOldFailures(session->corpus, *pack, **start, *rules, *limits,
                               session->is_quiet, console);
    if (!old.ok()) return old.status();
    session->failures_before = *std::move(old);
  }
  if (!options.with.empty()) {
    auto differences = FindBuildDifferences({.corpus = session->corpus,
                                             .program = options.with,
                                             .limits = *limits,
                                             .is_quiet = session->is_quiet,
                                             .stop = session->stop},
                                            *pack, **start, console);
    if (!differences.ok()) return differences.status();
    std::ranges::move(*differences,
                      std::back_inserter(session->failures_before));
  }
  const FuzzSearch search = [&](const FuzzSessionOptions& one) {
    return Search(options, pack_name, *pack, **start, *rules, one, console);
  };
  if (!limits->has_value()) return search(*session);
  return SuperviseFuzzing(*pack, **start, *session, **limits, search, console);
}

}  // namespace

Command MakeFuzzCommand() {
  const auto options = std::make_shared<Options>();
  Command command;
  command.name = "fuzz";
  command.summary = "Searches a game for what it may not do";
  command.description =
      "Plays inputs made of the pack's own actions, goes on from states that "
      "were new, and looks at every tick for what the pack's `fuzzing` "
      "forbids, "
      "numbers that are none, what leaves the world or grows without end, "
      "runs that differ when they go on from a saved state or are made in ways "
      "that must not matter, and ticks that "
      "crash, hang or take all memory. Each failure becomes a replay in the "
      "corpus, and a capsule with the states around it, or a track where the "
      "game doesn't survive it. The same pack, "
      "seed, ticks, jobs and "
      "corpus find the same. Failures that the corpus keeps are played again "
      "first. Exits with 1 where there are failures, found now or before and "
      "still there, that known.txt of the corpus doesn't name. SIGINT and "
      "SIGTERM end a search "
      "behind the round under way, as if it had come to its ticks.";
  command.arguments = {"PACK", 1, 1};
  command.flags = {
      {"ticks", "N",
       "How long to search, in ticks of all jobs: 500000, 200K, 10M. 1M if "
       "unset.",
       &options->ticks},
      {"jobs", "N", "Threads, 1 to 256. 1 if unset.", &options->jobs},
      {"corpus", "DIR",
       "The folder that keeps runs, failures and progress, made where it isn't "
       "there. A search goes on where the one before ended. If unset, nothing "
       "is kept.",
       &options->corpus},
      {"seed", "N", "What the inputs follow from. 0 if unset.", &options->seed},
      {"game-seed", "N", "The seed of the game. 0 if unset.",
       &options->game_seed},
      {"simulation", "NAME",
       "The simulation to run the pack in. What its manifest names if unset.",
       &options->simulation},
      {"always", "EXPRESSION",
       "What has to hold at every tick, beside what the pack says. May be "
       "repeated.",
       &options->always},
      {"goal", "EXPRESSION",
       "At the end, look for states from which nobody gets to this any more "
       "(soft locks).",
       &options->goal},
      {"goal-ticks", "N",
       "How long to search a way from such a state. 100K if unset.",
       &options->goal_ticks},
      {"with", "PROGRAM",
       "First have this program, another build of this one, play the runs and "
       "failures of the corpus: what it makes otherwise is a failure.",
       &options->with},
      {"memory", "BYTES",
       "What the search may hold, such as 2GiB: states, of pages that several "
       "share each one once, the inputs to them, what tells them apart, and "
       "what a round brings. The least useful goes first. Beside it there are "
       "the program and the pack, the game and 16 MiB of spare pages for each "
       "job, what is being read of the corpus, and outside of --isolation none "
       "the inputs once more, in a second process. 512MiB if unset.",
       &options->memory_max},
      {"merge", "",
       "First leave in the corpus only the fewest tracks that go through all "
       "that it goes through.",
       &options->merge},
      options->format.flag()};
  std::ranges::move(options->reports.flags(),
                    std::back_inserter(command.flags));
  options->limits.AddTo(command.flags);
  command.examples = {
      {"Search for a minute or so, and go on tomorrow",
       "reprise fuzz marble --ticks 5M --jobs 2 --corpus corpus"},
      {"Look for one thing that may not be",
       "reprise fuzz marble --always 'player.bodies.position.y > -20'"},
      {"Compare another build on all that was found",
       "reprise fuzz marble --ticks 0 --corpus corpus --with build-b/reprise"}};
  command.run = [options](const std::vector<std::string>& arguments,
                          Console& console) {
    return Fuzz(*options, arguments[0], console);
  };
  return command;
}

}  // namespace reprise::tools
