// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// `reprise minimize`: makes a run that fails short.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "fmt/format.h"
#include "fmt/ostream.h"
#include "replays/fuzzing/checks/perturbed_run.h"
#include "replays/fuzzing/checks/run_check.h"
#include "replays/fuzzing/checks/run_oracle.h"
#include "replays/fuzzing/checks/run_watch.h"
#include "replays/fuzzing/corpus/fuzz_corpus.h"
#include "replays/fuzzing/fuzz_campaign.h"
#include "replays/fuzzing/goals/soft_locks.h"
#include "replays/fuzzing/inputs/action_changes.h"
#include "replays/fuzzing/minimizing/minimization.h"
#include "sim/simulation.h"
#include "tools/reprise/fuzzing/build_differences.h"
#include "tools/reprise/fuzzing/crash_search.h"
#include "tools/reprise/fuzzing/failing_run.h"
#include "tools/reprise/fuzzing/process_limit_flags.h"
#include "tools/reprise/inputs/script_places.h"
#include "tools/reprise/terminal/json_output.h"
#include "tools/reprise/terminal/quantity.h"
#include "tools/reprise/verbs/commands.h"

namespace reprise::tools {
namespace {

struct Options {
  std::string output;
  std::string pack;
  std::vector<std::string> always;
  std::string ticks;
  uint64_t jobs = 1;
  std::string goal;
  std::string goal_ticks = "100K";
  std::string with;
  bool check = false;
  ProcessLimitFlags limits;
  OutputFormat format;
};

// What the last replay of a run that shrinks has cost, so that writing it
// doesn't cost more than finding it.
class Output {
 public:
  // `is_crash`: the run ends the process that plays it.
  Output(const Options& options, const FailingRun& run, bool is_crash)
      : options_(options), run_(run), is_crash_(is_crash) {}

  // Writes now and then: whoever is interrupted has what was reached.
  absl::Status WriteSometimes(const replays::MinimizedRun& shorter) {
    if (options_.output.empty()) return absl::OkStatus();
    // A device or a pipe takes one run.
    std::error_code ignored;
    if (std::filesystem::is_other(options_.output, ignored)) {
      return absl::OkStatus();
    }
    const uint64_t ticks = shorter.ticks_run - written_at_;
    if (ticks < 16 * shorter.inputs.tick_count + 4096) return absl::OkStatus();
    return Write(shorter);
  }

  absl::Status Write(const replays::MinimizedRun& shorter) {
    if (options_.output.empty()) return absl::OkStatus();
    written_at_ = shorter.ticks_run;
    const bool is_cut_off = shorter.failure.signature == replays::kStepFailed;
    if (is_cut_off && options_.output.ends_with(".mcap")) {
      return absl::InvalidArgumentError(fmt::format(
          "--output {}: a run whose last tick can't be made can't be recorded; "
          "name a track, such as small.txtpb",
          options_.output));
    }
    if (is_crash_ || is_cut_off || options_.output.ends_with(".txtpb")) {
      return replays::WriteTrackOf(options_.output, shorter.inputs,
                                   *run_.start);
    }
    return replays::WriteReplayOf(options_.output, shorter.inputs, run_.pack,
                                  *run_.start);
  }

 private:
  const Options& options_;
  const FailingRun& run_;
  const bool is_crash_;
  uint64_t written_at_ = 0;
};

void PrintHuman(const FailingRun& run, size_t change_count,
                const replays::MinimizedRun& small, Console& console) {
  std::ostream& out = console.out();
  const sim::InputGrammar& grammar = run.start->info().inputs;
  fmt::print(out, "failure   {}\n", small.failure.signature);
  fmt::print(out, "          tick {}: {}\n", small.failure.tick,
             small.failure.message);
  fmt::print(out, "inputs    {} of {}, {} of {} ticks\n", small.changes.size(),
             change_count, small.inputs.tick_count, run.inputs.tick_count);
  for (const replays::ActionChange& change : small.changes) {
    fmt::print(out, "          {}\n", replays::FormatChange(grammar, change));
  }
  fmt::print(out, "cost      {} ticks in {} runs\n", small.ticks_run,
             small.runs_tried);
}

void PrintJson(const FailingRun& run, size_t change_count,
               const replays::MinimizedRun& small, Console& console) {
  Json document = MakeJsonDocument("minimize");
  document["signature"] = small.failure.signature;
  document["message"] = small.failure.message;
  document["tick_count"] = small.inputs.tick_count;
  document["tick_count_before"] = run.inputs.tick_count;
  document["input_count_before"] = change_count;
  Json changes = Json::array();
  for (const replays::ActionChange& change : small.changes) {
    changes.push_back(replays::FormatChange(run.start->info().inputs, change));
  }
  document["inputs"] = std::move(changes);
  document["ticks_run"] = small.ticks_run;
  document["runs_tried"] = small.runs_tried;
  document["is_done"] = small.is_done;
  tools::PrintJson(document, console);
}

// How the run fails otherwise than by what the game says of itself: it ends the
// process, leads where nobody gets to the goal any more, or is another one by
// another build.
struct OutsideFailure {
  replays::FoundFailure found;
  std::unique_ptr<ScriptPlaces> scripts;  // that the oracle looks at, or null
  std::unique_ptr<replays::RunOracle> oracle;
  bool is_crash = false;
};

absl::StatusOr<ExitCode> Check(const FailingRun& run, const Options& options,
                               const std::optional<OutsideFailure>& outside,
                               Console& console) {
  absl::StatusOr<replays::RunFailure> failure = absl::NotFoundError("");
  if (outside) {
    failure = outside->found.failure;
  } else if (options.goal.empty()) {
    failure = replays::FindFailure(*run.start, run.rules, run.inputs);
  }
  if (!failure.ok()) {
    fmt::print(console.out(), "doesn't fail\n");
    return ExitCode::kOk;
  }
  fmt::print(console.out(), "{}, at tick {}: {}\n", failure->signature,
             failure->tick, failure->message);
  return ExitCode::kDifferent;
}

// NOT_FOUND: it doesn't. Of a track, which is what crashes are kept as, it may
// take a perturbed run.
absl::StatusOr<OutsideFailure> LookForCrash(const FailingRun& run,
                                            bool is_track,
                                            const ProcessLimits& limits) {
  std::optional<replays::Perturbation> perturbation;
  absl::StatusOr<replays::FoundFailure> crash =
      FindCrash(*run.start, run.inputs, limits);
  if (absl::IsNotFound(crash.status()) && is_track) {
    auto perturbed = FindPerturbedCrash(*run.start, run.inputs, limits);
    if (!perturbed.ok()) return perturbed.status();
    perturbation = perturbed->perturbation;
    crash = std::move(perturbed->found);
  }
  if (!crash.ok()) return crash.status();
  return OutsideFailure{.found = *std::move(crash),
                        .scripts = nullptr,
                        .oracle = std::make_unique<CrashOracle>(
                            run.start.get(), &limits, perturbation),
                        .is_crash = true};
}

// INVALID_ARGUMENT: the goal. NOT_FOUND: nobody is locked out of it.
absl::StatusOr<OutsideFailure> LookForSoftLock(const FailingRun& run,
                                               const Options& options) {
  const absl::StatusOr<uint64_t> goal_ticks =
      ParseTickCount("goal-ticks", options.goal_ticks);
  if (!goal_ticks.ok()) return goal_ticks.status();
  std::unique_ptr<ScriptPlaces> scripts = ScriptPlaces::Create(*run.start);
  auto oracle = replays::SoftLockOracle::Create(
      run.start.get(),
      {.goal = options.goal, .goal_ticks = *goal_ticks, .code = scripts.get()});
  if (absl::IsNotFound(oracle.status())) {
    return absl::InvalidArgumentError(fmt::format(
        "from the start, too, {}", std::string(oracle.status().message())));
  }
  if (!oracle.ok()) {
    return absl::InvalidArgumentError(
        fmt::format("--{}", std::string(oracle.status().message())));
  }
  const std::optional<replays::RunFailure> failure =
      (*oracle)->Run(run.inputs.ticks, run.inputs.tick_count);
  if (!failure) {
    return absl::NotFoundError(
        fmt::format("the run ends where there is a way to '{}', or behind it",
                    options.goal));
  }
  OutsideFailure locked{.found = {.failure = *failure, .inputs = run.inputs},
                        .scripts = std::move(scripts),
                        .oracle = *std::move(oracle)};
  locked.found.inputs.tick_count = failure->tick;
  std::erase_if(locked.found.inputs.ticks,
                [&failure](const replays::TickInputs& inputs) {
                  return inputs.tick >= failure->tick;
                });
  return locked;
}

// nullopt: both builds make the same of it.
absl::StatusOr<std::optional<OutsideFailure>> LookForBuildDifference(
    const FailingRun& run, const Options& options, Console& console) {
  auto oracle =
      BuildOracle::Create(&run.pack, run.start.get(), options.with, &console);
  if (!oracle.ok()) return oracle.status();
  auto found = (*oracle)->Compare(run.inputs);
  if (!found.ok()) return found.status();
  if (!found->has_value()) return std::nullopt;
  return OutsideFailure{.found = **std::move(found),
                        .scripts = nullptr,
                        .oracle = *std::move(oracle)};
}

// nullopt: the run doesn't fail so, or nobody is to look. INVALID_ARGUMENT:
// where the run is to be made short, too, nobody is locked out of the goal.
absl::StatusOr<std::optional<OutsideFailure>> LookOutside(
    const FailingRun& run, bool is_track, const Options& options,
    const std::optional<ProcessLimits>& limits, Console& console) {
  absl::StatusOr<OutsideFailure> found = absl::NotFoundError("");
  if (!options.goal.empty()) {
    found = LookForSoftLock(run, options);
  } else if (limits) {
    found = LookForCrash(run, is_track, *limits);
  }
  if (absl::IsNotFound(found.status()) && !options.with.empty()) {
    return LookForBuildDifference(run, options, console);
  }
  if (absl::IsNotFound(found.status())) {
    if (options.goal.empty() || options.check) return std::nullopt;
    return absl::InvalidArgumentError(std::string(found.status().message()));
  }
  if (!found.ok()) return found.status();
  return *std::move(found);
}

absl::StatusOr<replays::MinimizedRun> MakeShort(
    const FailingRun& run, const std::optional<OutsideFailure>& outside,
    const replays::MinimizeOptions& options) {
  if (!outside) {
    return replays::MinimizeRun(*run.start, run.rules, run.inputs, options);
  }
  return replays::MinimizeRun(run.start->info().inputs, *outside->oracle,
                              outside->found.inputs,
                              outside->found.failure.signature, options);
}

absl::StatusOr<ExitCode> Minimize(const Options& options,
                                  const std::string& path, Console& console) {
  std::error_code ignored;  // What can't be looked at can't be written either.
  if (std::filesystem::is_directory(options.output, ignored)) {
    return absl::InvalidArgumentError(
        fmt::format("--output names a file; {} is a folder", options.output));
  }
  if (options.jobs < 1 || options.jobs > replays::kFuzzJobsMax) {
    return absl::InvalidArgumentError(fmt::format(
        "--jobs {} is not in 1..{}", options.jobs, replays::kFuzzJobsMax));
  }
  uint64_t ticks_max = 0;
  if (!options.ticks.empty()) {
    const absl::StatusOr<uint64_t> ticks =
        ParseTickCount("ticks", options.ticks);
    if (!ticks.ok()) return ticks.status();
    ticks_max = *ticks;
  }
  const absl::StatusOr<FailingRun> run =
      OpenFailingRun(path, options.pack, options.always);
  if (!run.ok()) return run.status();
  const auto limits = options.limits.Read();
  if (!limits.ok()) return limits.status();
  const auto outside =
      LookOutside(*run, path.ends_with(".txtpb"), options, *limits, console);
  if (!outside.ok()) return outside.status();
  if (options.check) return Check(*run, options, *outside, console);
  const bool is_crash = outside->has_value() && (*outside)->is_crash;
  if (is_crash && options.output.ends_with(".mcap")) {
    return absl::InvalidArgumentError(fmt::format(
        "--output {}: a run that ends the process can't be recorded; name a "
        "track, such as small.txtpb",
        options.output));
  }
  Output output(options, *run, is_crash);
  absl::Status written;
  replays::MinimizeOptions minimize;
  minimize.jobs = static_cast<uint32_t>(options.jobs);
  minimize.ticks_max = ticks_max;
  minimize.on_progress = [&](const replays::MinimizedRun& shorter) {
    written = output.WriteSometimes(shorter);
    return written.ok();
  };
  const auto small = MakeShort(*run, *outside, minimize);
  if (absl::IsNotFound(small.status())) {
    return absl::InvalidArgumentError(fmt::format(
        "{}: the run doesn't fail; --always says what has to hold", path));
  }
  if (!small.ok()) return small.status();
  if (small->failure.signature.empty()) {
    return absl::FailedPreconditionError(
        fmt::format("{}: the run fails ({}) and, played again, doesn't", path,
                    (*outside)->found.failure.signature));
  }
  if (written.ok()) written = output.Write(*small);
  if (!written.ok()) return written;
  replays::HeldDevices held(run->start->info().inputs.player_count);
  const size_t change_count =
      replays::ToChanges(run->start->info().inputs, run->inputs.ticks, held)
          .size();
  if (options.format.is_json()) {
    PrintJson(*run, change_count, *small, console);
    return ExitCode::kOk;
  }
  PrintHuman(*run, change_count, *small, console);
  if (!small->is_done) {
    console.Warning("--ticks ended it; it may become shorter yet");
  }
  if (!options.output.empty()) {
    fmt::print(console.out(), "recorded  {}\n", options.output);
  }
  return ExitCode::kOk;
}

}  // namespace

Command MakeMinimizeCommand() {
  const auto options = std::make_shared<Options>();
  Command command;
  command.name = "minimize";
  command.summary = "Makes a run that fails as short and plain as it can be";
  command.description =
      "Leaves out players, actions, inputs and ticks, and makes values "
      "rounder, "
      "as long as the run fails in the same way: by what the pack's `fuzzing` "
      "forbids, by --always, or as `reprise fuzz` tells failures. FAIL is a "
      "replay, or an input track beside --pack. What was reached is written "
      "while it goes on, so it may be interrupted, and go on from its output.";
  command.arguments = {"FAIL", 1, 1};
  command.flags = {
      {"output", "FILE",
       "Record the short run as this replay, or as an input track: where it "
       "ends with .txtpb, and always where the run ends the process.",
       &options->output},
      {"pack", "PACK", "Play on this pack, and not on the one inside.",
       &options->pack},
      {"always", "EXPRESSION",
       "What has to hold at every tick, beside what the pack says. May be "
       "repeated.",
       &options->always},
      {"ticks", "N", "Try nothing more after so many ticks: 500000, 200K, 10M.",
       &options->ticks},
      {"jobs", "N",
       "Runs that are tried at the same time, 1 to 256; what comes of it is "
       "the "
       "same. One is tried after the other where each takes a process or a "
       "search. 1 if unset.",
       &options->jobs},
      {"goal", "EXPRESSION",
       "The run fails where nobody gets to this any more: it is a soft lock of "
       "`reprise fuzz --goal`.",
       &options->goal},
      {"goal-ticks", "N",
       "How long to search a way from a state. 100K if unset.",
       &options->goal_ticks},
      {"with", "PROGRAM",
       "The run fails where this program, another build of this one, makes "
       "something else of it.",
       &options->with},
      {"check", "",
       "Only say how the run fails, and exit with 1, or with 0 if it doesn't.",
       &options->check},
      options->format.flag()};
  options->limits.AddTo(command.flags);
  command.examples = {
      {"What made it fail?",
       "reprise minimize corpus/failures/always_alive-3fa9c2d1.mcap --output "
       "small.mcap"},
      {"What made it impossible to win?",
       "reprise minimize corpus/failures/soft_lock-3fa9c2d1.mcap --goal "
       "'outcome == won' --output small.mcap"}};
  command.run = [options](const std::vector<std::string>& arguments,
                          Console& console) {
    return Minimize(*options, arguments[0], console);
  };
  return command;
}

}  // namespace reprise::tools
