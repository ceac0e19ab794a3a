// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/verbs/test_command.h"

#include <fnmatch.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <limits>
#include <memory>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "fmt/format.h"
#include "fmt/ostream.h"
#include "replays/format/replay_reader.h"
#include "sim/base/tick.h"
#include "sim/compiler/manifest.h"
#include "sim/pack_archive.h"
#include "tools/reprise/inputs/pack_location.h"
#include "tools/reprise/inputs/replay_file.h"
#include "tools/reprise/reports/ci_report_flags.h"
#include "tools/reprise/reports/script_coverage.h"
#include "tools/reprise/reports/view_file.h"
#include "tools/reprise/scenarios/scenario_file.h"
#include "tools/reprise/scenarios/scenario_report.h"
#include "tools/reprise/scenarios/scenario_run.h"
#include "tools/reprise/terminal/console.h"
#include "tools/reprise/terminal/exit_code.h"
#include "tools/reprise/terminal/flags.h"
#include "tools/reprise/terminal/json_output.h"

namespace reprise::tools {
namespace {

struct Options {
  std::vector<std::string> filters;
  CiReportFlags reports;
  std::string record;
  std::string view;
  std::string script_coverage;
  std::string script_profile;
  OutputFormat format;

  bool counts_scripts() const {
    return !script_coverage.empty() || !script_profile.empty();
  }
};

bool IsWanted(const Options& options, const ScenarioReport& report) {
  if (options.filters.empty()) return true;
  return std::ranges::any_of(options.filters, [&](const std::string& filter) {
    return fnmatch(filter.c_str(), report.name.c_str(), 0) == 0 ||
           fnmatch(filter.c_str(), report.FullName().c_str(), 0) == 0;
  });
}

// Plays the scenarios of packs, one after the other.
class TestRun {
 public:
  TestRun(const Options* options, Console* console)
      : options_(*options), console_(*console) {}

  absl::Status RunPack(const ScenarioPack& location) {
    const absl::StatusOr<sim::PackArchive> pack = OpenPack(location.path);
    if (!pack.ok()) return pack.status();
    const absl::StatusOr<sim::PackHead> head = sim::ReadPackHead(*pack);
    if (!head.ok()) return head.status();
    const auto scenarios = ReadScenarios(location);
    if (!scenarios.ok()) {
      ScenarioReport report{.pack = head->name, .error = scenarios.status()};
      report.reproduce =
          FormatCommandLine(std::vector<std::string>{"test", location.path});
      reports_.push_back(std::move(report));
      return absl::OkStatus();
    }
    for (const Scenario& scenario : *scenarios) {
      ScenarioReport report{.pack = head->name,
                            .name = scenario.message.name()};
      if (!IsWanted(options_, report)) continue;
      report.reproduce = FormatCommandLine(std::vector<std::string>{
          "test", location.path, "--filter", report.FullName()});
      RunOne(scenario, *pack, location.path, report);
      reports_.push_back(std::move(report));
    }
    return absl::OkStatus();
  }

  const std::vector<ScenarioReport>& reports() const { return reports_; }
  const ScriptCoverage& coverage() const { return coverage_; }

 private:
  void RunOne(const Scenario& scenario, const sim::PackArchive& pack,
              const std::string& folder, ScenarioReport& report) {
    const std::string name = fmt::format("{}_{}", report.pack, report.name);
    // What is shown is played from a replay.
    const std::string& records =
        options_.record.empty() ? options_.view : options_.record;
    std::string replay;
    if (!records.empty()) {
      replay = (std::filesystem::path(records) / (name + ".mcap")).string();
    }
    const auto start = std::chrono::steady_clock::now();
    absl::StatusOr<ScenarioResult> result =
        RunScenario(scenario, pack, replay,
                    options_.counts_scripts() ? &coverage_ : nullptr, folder);
    report.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
            .count();
    report.error = result.status();
    if (result.ok()) report.result = *std::move(result);
    if (!options_.view.empty() && !report.result.replay.empty()) {
      report.shown = Show(report.result, name);
    }
  }

  // Writes a page around the first failure, and returns the line that says so;
  // what goes wrong there is a remark, as the result is known already.
  std::string Show(const ScenarioResult& result, const std::string& name) {
    const absl::StatusOr<std::unique_ptr<replays::ReplayReader>> replay =
        OpenReplayFile(result.replay, console_);
    absl::Status status = replay.status();
    const sim::Tick tick = result.failures.front().tick;
    const std::string page =
        (std::filesystem::path(options_.view) / (name + ".html")).string();
    if (status.ok()) {
      std::error_code ignored;  // the page then says why it can't be written
      std::filesystem::create_directories(options_.view, ignored);
      const sim::Tick around = TicksAroundDifference(**replay);
      status = WriteViewFile({.runs = {{name, replay->get(), nullptr}},
                              .first = tick - std::min(tick, around),
                              .last = tick + around,
                              .page = {}},
                             page, /*console=*/nullptr)
                   .status();
    }
    if (!status.ok()) {
      return fmt::format("no page was written: {}",
                         std::string(status.message()));
    }
    return fmt::format("shown in {}#t={}", page, tick);
  }

  const Options& options_;
  Console& console_;
  std::vector<ScenarioReport> reports_;
  ScriptCoverage coverage_;
};

void PrintHuman(const std::vector<ScenarioReport>& reports, Console& console) {
  std::ostream& out = console.out();
  size_t failed = 0;
  for (const ScenarioReport& report : reports) {
    if (report.passed()) {
      fmt::print(out, "passed  {}: {} ticks\n", report.FullName(),
                 report.result.tick_count);
      continue;
    }
    ++failed;
    fmt::print(out, "FAILED  {}\n", report.FullName());
    fmt::print(out, "{}", report.FormatFailures());
    if (!report.result.replay.empty()) {
      fmt::print(out, "recorded: {}\n", report.result.replay);
    }
    fmt::print(out, "reproduce: {}\n", report.reproduce);
  }
  fmt::print(out, "{} scenarios, {} failed\n", reports.size(), failed);
}

void PrintJson(const std::vector<ScenarioReport>& reports, Console& console) {
  Json scenarios = Json::array();
  for (const ScenarioReport& report : reports) {
    Json entry = {{"pack", report.pack},
                  {"name", report.name},
                  {"passed", report.passed()},
                  {"tick_count", report.result.tick_count}};
    if (!report.error.ok()) {
      entry["error"] = std::string(report.error.message());
    }
    Json failures = Json::array();
    for (const ScenarioFailure& failure : report.result.failures) {
      failures.push_back({{"place", failure.place},
                          {"tick", failure.tick},
                          {"expected", failure.expected},
                          {"found", failure.found}});
    }
    entry["failures"] = std::move(failures);
    if (!report.result.replay.empty()) entry["replay"] = report.result.replay;
    if (!report.shown.empty()) entry["shown"] = report.shown;
    if (!report.passed()) entry["reproduce"] = report.reproduce;
    scenarios.push_back(std::move(entry));
  }
  Json document = MakeJsonDocument("test");
  document["passed"] = std::ranges::all_of(reports, &ScenarioReport::passed);
  document["scenarios"] = std::move(scenarios);
  PrintJson(document, console);
}

// What couldn't be played outweighs what wasn't as expected.
ExitCode WorstOf(const std::vector<ScenarioReport>& reports) {
  ExitCode worst = ExitCode::kOk;
  for (const ScenarioReport& report : reports) {
    const ExitCode code = report.passed()     ? ExitCode::kOk
                          : report.error.ok() ? ExitCode::kDifferent
                                              : ExitCodeOf(report.error);
    worst = std::max(worst, code);
  }
  return worst;
}

absl::StatusOr<ExitCode> RunTests(const Options& options,
                                  const std::vector<std::string>& arguments,
                                  Console& console) {
  const absl::Status checked = options.reports.Check(options.format);
  if (!checked.ok()) return checked;
  TestRun run(&options, &console);
  for (const std::string& argument : arguments) {
    const auto packs = FindScenarios(argument);
    if (!packs.ok()) return packs.status();
    for (const ScenarioPack& pack : *packs) {
      absl::Status status = run.RunPack(pack);
      if (!status.ok()) return status;
    }
  }
  const std::vector<ScenarioReport>& reports = run.reports();
  const absl::Status written =
      options.reports.Write(MakeScenarioReport(reports), console);
  if (options.counts_scripts()) {
    absl::Status status;
    if (!options.script_coverage.empty()) {
      status = WriteScriptCoverage(run.coverage(), options.script_coverage);
    }
    if (status.ok() && !options.script_profile.empty()) {
      status = WriteScriptProfile(run.coverage(), options.script_profile);
    }
    if (!status.ok()) return status;
    if (run.coverage().empty()) {
      console.Warning("nothing that was played has a script");
    }
  }
  if (options.format.is_json()) {
    PrintJson(reports, console);
  } else {
    PrintHuman(reports, console);
  }
  if (!written.ok()) return written;
  if (reports.empty()) {
    console.Error(options.filters.empty()
                      ? "nothing was checked: there are no scenarios in tests/"
                      : "nothing was checked: no scenario has such a name");
    return ExitCode::kDifferent;
  }
  return WorstOf(reports);
}

}  // namespace

Command MakeTestCommand() {
  const auto options = std::make_shared<Options>();
  Command command;
  command.name = "test";
  command.summary = "Plays the scenario tests that stand beside packs";
  command.description =
      "PACK is a pack's folder, the name of one in $REPRISE_PACKS (sim/packs "
      "if "
      "unset), a folder of packs, or one file of scenarios. Scenarios are "
      "messages reprise.v1.Scenarios in the files tests/*.txtpb of a pack's "
      "folder; they are no part of the pack.";
  command.arguments = {"PACK...", 1, std::numeric_limits<size_t>::max()};
  command.flags = {
      {"filter", "GLOB",
       "Play only scenarios of this NAME or PACK/NAME; * and ? stand for "
       "others. May be repeated.",
       &options->filters},
      {"record", "FOLDER",
       "Record each scenario that fails in this folder, as PACK_NAME.mcap.",
       &options->record},
      {"view", "FOLDER",
       "Write a page that plays each scenario that fails, around its first "
       "failure, into this folder, and its replay unless --record has another "
       "one.",
       &options->view},
      {"script-coverage", "FILE",
       "Write how often each line and branch of scripts ran in all scenarios "
       "together, those of bots included, as a tracefile of lcov. It changes "
       "nothing of what is played, and makes scripts slower.",
       &options->script_coverage},
      {"script-profile", "FILE",
       "Write how many instructions each of these lines ran, the costliest "
       "first.",
       &options->script_profile}};
  const std::vector<Flag> reports = options->reports.flags();
  command.flags.insert(command.flags.end(), reports.begin(), reports.end());
  command.flags.push_back(options->format.flag());
  command.examples = {
      {"The tests of all packs that ship", "reprise test sim/packs"},
      {"One scenario, with a replay if it fails",
       "reprise test pong --filter 'miss*' --record failures"},
      {"Which lines of scripts do the tests never come to?",
       "reprise test sim/packs --script-coverage scripts.info"},
  };
  command.run = [options](const std::vector<std::string>& arguments,
                          Console& console) {
    return RunTests(*options, arguments, console);
  };
  return command;
}

}  // namespace reprise::tools
