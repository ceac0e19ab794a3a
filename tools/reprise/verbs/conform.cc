// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// `reprise conform`: whether a simulation keeps the contract.

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "fmt/format.h"
#include "fmt/ostream.h"
#include "sim/compiler/manifest.h"
#include "sim/pack_archive.h"
#include "tools/reprise/conforming/conformance_trial.h"
#include "tools/reprise/conforming/mistake_kind.h"
#include "tools/reprise/conforming/trial_worker.h"
#include "tools/reprise/inputs/pack_location.h"
#include "tools/reprise/reports/ci_report.h"
#include "tools/reprise/reports/ci_report_flags.h"
#include "tools/reprise/terminal/escaped_text.h"
#include "tools/reprise/terminal/json_output.h"
#include "tools/reprise/terminal/quantity.h"
#include "tools/reprise/terminal/used_variables.h"
#include "tools/reprise/verbs/commands.h"

namespace reprise::tools {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kTicksDefault = 300;
// Of each tick a snapshot is kept.
constexpr uint64_t kTicksMax = 100'000;
// As `reprise verify` has it.
constexpr uint64_t kHangSecondsDefault = 60;

struct Options {
  uint64_t ticks = kTicksDefault;
  uint64_t seed = 1;
  uint64_t inputs_seed = 1;
  std::vector<std::string> builds;
  uint64_t hang_seconds = kHangSecondsDefault;
  std::optional<uint64_t> answer_to;
  CiReportFlags reports;
  OutputFormat format;
};

// What is tried: [LIBRARY] PACK.
struct Subject {
  std::string library;  // empty: whatever the program knows
  std::string pack;
};

std::string Absolute(const std::string& path) {
  std::error_code error;
  const fs::path absolute = fs::weakly_canonical(path, error);
  return error ? path : absolute.string();
}

// So that a process in another folder makes the same run.
std::vector<std::string> WordsOf(const Subject& subject,
                                 const Options& options) {
  std::vector<std::string> words;
  if (!subject.library.empty()) words = {"--plugin", Absolute(subject.library)};
  words.insert(words.end(), {"conform", Absolute(PathOfPack(subject.pack)),
                             "--ticks", std::to_string(options.ticks), "--seed",
                             std::to_string(options.seed), "--inputs-seed",
                             std::to_string(options.inputs_seed)});
  return words;
}

CiReport MakeReport(std::span<const TrialResult> results,
                    const Subject& subject, const Options& options) {
  CiReport report{.tool = "reprise conform",
                  .subject = "check",
                  .passed = "hold",
                  .cases = {}};
  std::vector<std::string> words = {"conform"};
  if (!subject.library.empty()) words.push_back(subject.library);
  words.insert(words.end(),
               {subject.pack, "--ticks", std::to_string(options.ticks),
                "--seed", std::to_string(options.seed), "--inputs-seed",
                std::to_string(options.inputs_seed)});
  for (const std::string& build : options.builds) {
    words.insert(words.end(), {"--build", build});
  }
  const std::string reproduce = FormatReproduction(words);
  const std::string pack = fs::path(subject.pack).filename().string();
  std::error_code ignored;  // What can't be looked at is no place, either.
  const bool is_path = fs::exists(subject.pack, ignored);
  for (const TrialResult& result : results) {
    CiCase each{.class_name = "reprise.conform." + pack,
                .name = result.check,
                .pack = pack};
    if (result.failure.has_value()) {
      const TrialFailure& failure = *result.failure;
      each.outcome = CiCase::Outcome::kFailed;
      each.kind = std::string(failure.kind->name);
      each.kind_explained =
          fmt::format("Usually it is {}: {}.", failure.kind->sentence,
                      PageOf(*failure.kind));
      each.message = fmt::format("tick {}: {}", failure.tick, result.claim);
      each.text =
          fmt::format("{}\n{}\nusually: {} ({})\nreproduce: {}\n", each.message,
                      failure.difference, failure.kind->sentence,
                      PageOf(*failure.kind), reproduce);
      if (is_path) each.file = subject.pack;
    } else if (!result.was_tried()) {
      each.outcome = CiCase::Outcome::kSkipped;
      each.message = result.missing;
    }
    report.cases.push_back(std::move(each));
  }
  return report;
}

Json ToJson(const TrialResult& result) {
  Json json = {{"check", result.check},
               {"claim", result.claim},
               {"tried", result.was_tried()},
               {"passed", result.was_tried() && !result.failure.has_value()}};
  if (!result.was_tried()) json["reason"] = result.missing;
  if (result.failure.has_value()) {
    json["tick"] = result.failure->tick;
    json["difference"] = result.failure->difference;
    json["kind"] = result.failure->kind->name;
    json["usual_cause"] = result.failure->kind->sentence;
    json["page"] = PageOf(*result.failure->kind);
  }
  return json;
}

void Print(const TrialResult& result, std::ostream& stream) {
  fmt::print(stream, "{:<12} {:<7} {}\n", EscapeText(result.check),
             result.failure.has_value() ? "differs"
             : result.was_tried()       ? "ok"
                                        : "-",
             result.claim);
  if (!result.was_tried()) {
    fmt::print(stream, "  not tried: {}\n", result.missing);
  }
  if (!result.failure.has_value()) return;
  const MistakeKind& kind = *result.failure->kind;
  fmt::print(stream, "  tick {}: {}\n  usually: {} ({})\n",
             result.failure->tick, EscapeText(result.failure->difference),
             kind.sentence, PageOf(kind));
}

absl::Status CheckOptions(const Options& options) {
  if (options.ticks == 0 || options.ticks > kTicksMax) {
    return absl::InvalidArgumentError(
        fmt::format("--ticks {} is not 1 to {}", options.ticks, kTicksMax));
  }
  const absl::Status timeout =
      CheckTimeout("hang-timeout-seconds", options.hang_seconds, false);
  if (!timeout.ok()) return timeout;
  for (const std::string& build : options.builds) {
    std::error_code error;
    if (!fs::exists(build, error)) {
      return absl::NotFoundError(
          fmt::format("{}: there is no such file", build));
    }
  }
  return options.reports.Check(options.format);
}

// The process that is asked: its plug-in is loaded.
absl::StatusOr<ExitCode> Answer(const Subject& subject,
                                const Options& options) {
  absl::StatusOr<sim::PackArchive> pack = OpenPack(subject.pack);
  if (!pack.ok()) return pack.status();
  const absl::StatusOr<std::string> simulation = sim::SimulationOf(*pack);
  if (!simulation.ok()) return simulation.status();
  AnswerTrials({.simulation = *simulation,
                .pack = *std::move(pack),
                .seed = options.seed,
                .tick_count = options.ticks,
                .inputs_seed = options.inputs_seed},
               static_cast<int>(*options.answer_to));
  return ExitCode::kOk;
}

absl::StatusOr<ExitCode> Conform(const Subject& subject, const Options& options,
                                 Console& console) {
  const absl::Status checked = CheckOptions(options);
  if (!checked.ok()) return checked;
  if (options.answer_to.has_value()) return Answer(subject, options);
  const absl::StatusOr<sim::PackArchive> pack = OpenPack(subject.pack);
  if (!pack.ok()) return pack.status();
  const absl::StatusOr<std::string> simulation = sim::SimulationOf(*pack);
  if (!simulation.ok()) return simulation.status();
  TrialOptions trial{.words = WordsOf(subject, options),
                     .hang_timeout = std::chrono::seconds(
                         static_cast<int64_t>(options.hang_seconds))};
  for (const std::string& build : options.builds) {
    trial.builds.push_back(Absolute(build));
  }
  absl::StatusOr<std::vector<TrialResult>> results = std::vector<TrialResult>();
  {
    ProgressBar progress(console, "checking",
                         TrialCheckCount(options.builds.size()));
    results =
        TryConformance(trial, [&](size_t done) { progress.Update(done); });
  }
  if (!results.ok()) return results.status();

  console.LeaveBar();
  const absl::Status written =
      options.reports.Write(MakeReport(*results, subject, options), console);
  const auto tried = static_cast<size_t>(std::ranges::count_if(
      *results, [](const auto& one) { return one.was_tried(); }));
  const auto failed = static_cast<size_t>(std::ranges::count_if(
      *results, [](const auto& one) { return one.failure.has_value(); }));
  if (options.format.is_json()) {
    Json document = MakeJsonDocument("conform");
    document["simulation"] = *simulation;
    document["ticks"] = options.ticks;
    document["passed"] = failed == 0;
    document["checks"] = Json::array();
    for (const TrialResult& result : *results) {
      document["checks"].push_back(ToJson(result));
    }
    PrintJson(document, console);
  } else {
    for (const TrialResult& result : *results) Print(result, console.out());
    fmt::print(console.out(), "{} of {} checks hold over {} ticks",
               tried - failed, tried, options.ticks);
    if (tried < results->size()) {
      fmt::print(console.out(), "; {} couldn't be tried",
                 results->size() - tried);
    }
    fmt::print(console.out(), "\n");
  }
  if (!written.ok()) return written;
  return failed == 0 ? ExitCode::kOk : ExitCode::kDifferent;
}

}  // namespace

Command MakeConformCommand() {
  const auto options = std::make_shared<Options>();
  Command command;
  command.name = "conform";
  command.summary = "Tries whether a simulation keeps the contract";
  command.description =
      "Makes one run of the pack again and again in ways that must not matter: "
      "restored at each tick, rolled back, forked, watched, drawn, with inputs "
      "in "
      "another order, on another thread, and in processes of which each finds "
      "one thing changed: addresses, memory, language, folder. Where one does "
      "matter, it says the tick, the field, what usually is behind it and "
      "which "
      "page has the cure. For those who bring a simulation of their own. "
      "LIBRARY is a plug-in; where it crashes or hangs, that is the result of "
      "one check.";
  command.arguments = {"[LIBRARY] PACK", 1, 2};
  command.flags = {
      {"ticks", "N", "The length of the run, 1 to 100000 (300).",
       &options->ticks},
      {"seed", "N", "Of the simulation (1).", &options->seed},
      {"inputs-seed", "N", "Of the random inputs (1).", &options->inputs_seed},
      {"build", "FILE",
       "Another build to hold against: of the library (its name has .so in "
       "it), or of this program. May be given more than once.",
       &options->builds},
      {"hang-timeout-seconds", "N",
       "For how long no tick may end before a check is given up (60).",
       &options->hang_seconds},
      {"answer-to", "FD",
       "Answer questions that come through standard input to this open "
       "descriptor, a JSON document a line, and print nothing.",
       &options->answer_to},
  };
  const std::vector<Flag> reports = options->reports.flags();
  command.flags.insert(command.flags.end(), reports.begin(), reports.end());
  command.flags.push_back(options->format.flag());
  command.examples = {
      {"Try a plug-in with one of its packs",
       "reprise conform ./libcatch.so orchard"},
      {"Hold two builds of it against each other",
       "reprise conform ./libcatch.so orchard --build ./debug/libcatch.so"},
  };
  command.run = [options](const std::vector<std::string>& arguments,
                          Console& console) {
    const Subject subject{
        .library = arguments.size() > 1 ? arguments.front() : "",
        .pack = arguments.back()};
    return Conform(subject, *options, console);
  };
  return command;
}

}  // namespace reprise::tools
