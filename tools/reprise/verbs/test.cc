// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// `reprise test`: runs the scenario tests that stand beside packs.

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "fmt/format.h"
#include "fmt/ostream.h"
#include "replays/container/byte_file.h"
#include "replays/fuzzing/fuzz_corpus.h"
#include "sim/compiler/checking/pack_report.h"
#include "tools/reprise/inputs/file_search.h"
#include "tools/reprise/inputs/pack_location.h"
#include "tools/reprise/scenarios/scenario.h"
#include "tools/reprise/scenarios/scenario_run.h"
#include "tools/reprise/terminal/json_output.h"
#include "tools/reprise/verbs/commands.h"

namespace reprise::tools {
namespace {

namespace fs = std::filesystem;

struct Options {
  std::string filter;
  std::string record;
  std::string junit;
  OutputFormat format;
};

struct PackScenarios {
  std::string path;
  std::vector<Scenario> scenarios;
};

// Those of all packs that are named, or lie in folders that are. Folders may
// have packs without tests. Mistakes are in `report`.
absl::StatusOr<std::vector<PackScenarios>> ReadAll(
    const std::vector<std::string>& arguments, sim::PackReport& report) {
  const absl::StatusOr<std::vector<std::string>> names = FindPacks(arguments);
  if (!names.ok()) return names.status();
  std::vector<PackScenarios> all;
  for (const std::string& name : *names) {
    const bool is_named = std::ranges::count(arguments, name) > 0;
    const std::string path = PathOfPack(name);
    absl::StatusOr<std::vector<Scenario>> scenarios =
        ReadScenarios(path, report);
    if (absl::IsNotFound(scenarios.status()) && !is_named) continue;
    if (!scenarios.ok()) return scenarios.status();
    all.push_back({.path = path, .scenarios = *std::move(scenarios)});
  }
  return all;
}

class TestRun {
 public:
  TestRun(const Options& options, Console& console)
      : options_(options), console_(console) {}

  absl::Status Run(const PackScenarios& pack) {
    for (const Scenario& scenario : pack.scenarios) {
      const std::string whole =
          fmt::format("{}/{}", scenario.start->info().pack, scenario.name);
      if (whole.find(options_.filter) == std::string::npos) continue;
      absl::StatusOr<ScenarioResult> result = RunScenario(scenario);
      if (!result.ok()) {
        return absl::Status(
            result.status().code(),
            fmt::format("{}: {}", whole,
                        std::string(result.status().message())));
      }
      ReportedScenario reported{
          .pack = scenario.start->info().pack,
          .name = scenario.name,
          .result = *std::move(result),
          .reproduction = FormatCommandLine(
              std::vector<std::string>{"test", pack.path, "--filter", whole}),
          .replay = ""};
      const absl::Status status = Keep(scenario, reported);
      if (!status.ok()) return status;
      if (!options_.format.is_json()) Print(scenario, reported);
      all_.push_back(std::move(reported));
    }
    return absl::OkStatus();
  }

  const std::vector<ReportedScenario>& all() const { return all_; }
  size_t failed() const {
    return static_cast<size_t>(std::ranges::count_if(
        all_, [](const auto& one) { return !one.result.passed(); }));
  }

 private:
  // Records a failure where it is asked for.
  absl::Status Keep(const Scenario& scenario, ReportedScenario& reported) {
    if (reported.result.passed() || options_.record.empty()) {
      return absl::OkStatus();
    }
    std::error_code error;
    fs::create_directories(options_.record, error);
    if (error) {
      return absl::UnavailableError(
          fmt::format("{}: {}", options_.record, error.message()));
    }
    reported.replay = fmt::format("{}/{}-{}.mcap", options_.record,
                                  reported.pack, reported.name);
    return replays::WriteReplayOf(reported.replay, reported.result.played,
                                  scenario.pack, *scenario.start);
  }

  void Print(const Scenario& scenario, const ReportedScenario& reported) {
    std::ostream& out = console_.out();
    fmt::print(out, "{}  {}/{}, {} ticks\n",
               reported.result.passed() ? "ok    " : "FAILED", reported.pack,
               reported.name, scenario.tick_count);
    for (const ScenarioFailure& failure : reported.result.failures) {
      fmt::print(out, "        {}\n", FormatScenarioFailure(failure));
    }
    for (const std::string& error : reported.result.bot_errors) {
      console_.Warning(error);
    }
    if (reported.result.passed()) return;
    fmt::print(out, "        reproduce: {}\n", reported.reproduction);
    if (!reported.replay.empty()) {
      fmt::print(out, "        recorded: {}\n", reported.replay);
    }
  }

  const Options& options_;
  Console& console_;
  std::vector<ReportedScenario> all_;
};

void PrintJson(const TestRun& run, Console& console) {
  Json document = MakeJsonDocument("test");
  Json scenarios = Json::array();
  for (const ReportedScenario& one : run.all()) {
    Json failures = Json::array();
    for (const ScenarioFailure& failure : one.result.failures) {
      failures.push_back({{"tick", failure.tick},
                          {"expectation", failure.expectation},
                          {"found", failure.found},
                          {"place", failure.place}});
    }
    Json scenario = {{"pack", one.pack},
                     {"name", one.name},
                     {"passed", one.result.passed()},
                     {"tick_count", one.result.played.tick_count},
                     {"failures", std::move(failures)},
                     {"reproduce", one.reproduction}};
    if (!one.replay.empty()) scenario["replay"] = one.replay;
    scenarios.push_back(std::move(scenario));
  }
  document["scenarios"] = std::move(scenarios);
  document["passed"] = run.all().size() - run.failed();
  document["failed"] = run.failed();
  PrintJson(document, console);
}

absl::Status WriteFile(const std::string& path, const std::string& text) {
  auto sink = replays::FileSink::Create(path);
  if (!sink.ok()) return sink.status();
  return (*sink)->Append(std::as_bytes(std::span(text)));
}

absl::StatusOr<ExitCode> Test(const Options& options,
                              const std::vector<std::string>& arguments,
                              Console& console) {
  sim::PackReport report({.is_author = true});
  const auto packs = ReadAll(arguments, report);
  if (!packs.ok()) return packs.status();
  if (!report.ok()) {
    for (const sim::PackProblem& problem : report.problems()) {
      console.Error(sim::FormatProblem(problem));
    }
    return ExitCode::kBadInput;
  }
  TestRun run(options, console);
  for (const PackScenarios& pack : *packs) {
    const absl::Status status = run.Run(pack);
    if (!status.ok()) return status;
  }
  if (run.all().empty()) {
    return absl::InvalidArgumentError(
        fmt::format("--filter '{}' leaves no scenario", options.filter));
  }
  if (!options.junit.empty()) {
    const absl::Status status =
        WriteFile(options.junit, FormatScenariosAsJunit(run.all()));
    if (!status.ok()) return status;
  }
  if (options.format.is_json()) {
    PrintJson(run, console);
  } else {
    fmt::print(console.out(), "{} passed, {} failed\n",
               run.all().size() - run.failed(), run.failed());
  }
  return run.failed() == 0 ? ExitCode::kOk : ExitCode::kDifferent;
}

}  // namespace

Command MakeTestCommand() {
  const auto options = std::make_shared<Options>();
  Command command;
  command.name = "test";
  command.summary = "Runs the scenario tests of packs";
  command.description =
      "PACK is a pack's folder or name, or a folder of packs. Its tests stand "
      "in the folder `tests` within, which is no part of the pack. Each sets "
      "up how the world begins, says what players do, and what is to hold "
      "when. Exits with 1 where a test fails.";
  command.arguments = {"PACK", 1, kManyArguments};
  command.flags = {
      {"filter", "TEXT",
       "Run only the scenarios whose PACK/NAME has this text in it.",
       &options->filter},
      {"record", "DIR",
       "Record each scenario that fails as a replay in this folder.",
       &options->record},
      {"junit", "FILE", "Write a report for CI.", &options->junit},
      options->format.flag()};
  command.examples = {
      {"Run those of one pack", "reprise test sim/packs/pong"},
      {"Of all packs, with what CI shows",
       "reprise test sim/packs --junit results.xml --record failures"}};
  command.run = [options](const std::vector<std::string>& arguments,
                          Console& console) {
    return Test(*options, arguments, console);
  };
  return command;
}

}  // namespace reprise::tools
