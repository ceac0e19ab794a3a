// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// `reprise conform`: whether a simulation keeps the contract.

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
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
#include "replays/conforming/conformance.h"
#include "replays/container/byte_file.h"
#include "replays/format/replay_writer.h"
#include "replays/recording/recorder.h"
#include "sim/compiler/manifest.h"
#include "sim/pack_archive.h"
#include "sim/simulation_registry.h"
#include "tools/reprise/inputs/pack_location.h"
#include "tools/reprise/reports/ci_report.h"
#include "tools/reprise/reports/ci_report_flags.h"
#include "tools/reprise/terminal/escaped_text.h"
#include "tools/reprise/terminal/json_output.h"
#include "tools/reprise/verbs/commands.h"
#include "tools/reprise/verifying/verify_process.h"

namespace reprise::tools {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kTicksDefault = 300;
// Of each tick a snapshot is kept.
constexpr uint64_t kTicksMax = 100'000;

struct Options {
  uint64_t ticks = kTicksDefault;
  uint64_t seed = 1;
  uint64_t inputs_seed = 1;
  CiReportFlags reports;
  OutputFormat format;
};

// The check that needs processes: made last.
constexpr replays::ConformanceCheck kElsewhere = {
    "elsewhere",
    "another process, with other addresses, memory, language, time zone and "
    "folder",
    "an address or memory that is never set, the order of a hash table, text "
    "in the user's language, a file beside the program"};

// A file that is gone when its owner is.
class TemporaryFile {
 public:
  TemporaryFile()
      : path_(fs::temp_directory_path() /
              fmt::format("reprise_conform_{}.mcap", getpid())) {}
  ~TemporaryFile() {
    std::error_code ignored;
    fs::remove(path_, ignored);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  std::string path() const { return path_.string(); }

 private:
  const fs::path path_;
};

absl::Status Record(const sim::PackArchive& pack, sim::Simulation& simulation,
                    const replays::ConformanceInputs& inputs,
                    const std::string& path) {
  absl::StatusOr<std::unique_ptr<replays::FileSink>> sink =
      replays::FileSink::Create(path);
  if (!sink.ok()) return sink.status();
  absl::StatusOr<std::unique_ptr<replays::ReplayWriter>> writer =
      replays::ReplayWriter::Create(*std::move(sink), simulation, pack,
                                    {.digest_stride = 1});
  if (!writer.ok()) return writer.status();
  replays::Recorder recorder(&simulation, writer->get());
  for (const std::vector<sim::InputFrame>& frames : inputs) {
    const absl::Status status = recorder.Step(frames);
    if (!status.ok()) return status;
    recorder.DrainEvents();
  }
  return recorder.Finish();
}

// The folder of now, when it goes.
class FolderKeeper {
 public:
  FolderKeeper() : folder_(fs::current_path(error_)) {}
  ~FolderKeeper() {
    if (!error_) fs::current_path(folder_, error_);
  }
  FolderKeeper(const FolderKeeper&) = delete;
  FolderKeeper& operator=(const FolderKeeper&) = delete;

 private:
  std::error_code error_;  // made before the folder is asked for
  const fs::path folder_;
};

// Has the processes that are started from here on find another world.
void ChangeEnvironment() {
  setenv("LC_ALL", "tr_TR.UTF-8", /*overwrite=*/1);  // no i without a dot
  setenv("LANG", "tr_TR.UTF-8", 1);
  setenv("TZ", "Asia/Kathmandu", 1);    // 5:45 ahead
  setenv("MALLOC_PERTURB_", "165", 1);  // bytes of memory that is new or freed
  setenv("HOME", "/nonexistent", 1);
  std::error_code ignored;
  fs::current_path("/", ignored);
}

absl::StatusOr<std::optional<replays::ConformanceFailure>> CheckElsewhere(
    const sim::PackArchive& pack, sim::Simulation& simulation,
    const replays::ConformanceInputs& inputs) {
  const TemporaryFile file;
  absl::Status status = Record(pack, simulation, inputs, file.path());
  if (!status.ok()) return status;
  const FolderKeeper keeper;
  ChangeEnvironment();
  std::optional<replays::ConformanceFailure> failure;
  const std::vector<std::string> paths = {file.path()};
  status = VerifyInProcesses(
      paths, {},
      {.on_remarks = [](size_t, const replays::ReplayRemarks&) {},
       .on_progress = [](size_t, uint64_t, uint64_t) {},
       .on_result =
           [&](size_t, const VerifyResult& result) {
             if (result.passed()) return;
             failure = {.tick = result.ticks_verified,
                        .difference = result.summary + "\n" + result.report};
           }});
  if (!status.ok()) return status;
  return failure;
}

CiReport MakeReport(std::span<const replays::ConformanceResult> results,
                    const std::string& name, const std::string& pack,
                    const Options& options) {
  CiReport report{.tool = "reprise conform",
                  .subject = "check",
                  .passed = "hold",
                  .cases = {}};
  const std::string reproduce = FormatCommandLine(std::vector<std::string>{
      "conform", name, "--ticks", std::to_string(options.ticks), "--seed",
      std::to_string(options.seed), "--inputs-seed",
      std::to_string(options.inputs_seed)});
  std::error_code ignored;  // What can't be looked at is no place, either.
  const bool is_path = fs::exists(name, ignored);
  for (const replays::ConformanceResult& result : results) {
    CiCase each{.class_name = "reprise.conform." + pack,
                .name = std::string(result.check->name),
                .pack = pack};
    if (result.failure.has_value()) {
      each.outcome = CiCase::Outcome::kFailed;
      each.kind = "differs";
      each.kind_explained = "What must not matter changes a run.";
      each.message =
          fmt::format("tick {}: {}", result.failure->tick, result.check->claim);
      each.text = fmt::format("{}\n{}\nusually: {}\nreproduce: {}\n",
                              each.message, result.failure->difference,
                              result.check->cause, reproduce);
      if (is_path) each.file = name;
    }
    report.cases.push_back(std::move(each));
  }
  return report;
}

Json ToJson(const replays::ConformanceResult& result) {
  Json json = {{"check", result.check->name},
               {"claim", result.check->claim},
               {"passed", !result.failure.has_value()}};
  if (result.failure.has_value()) {
    json["tick"] = result.failure->tick;
    json["difference"] = result.failure->difference;
    json["usual_cause"] = result.check->cause;
  }
  return json;
}

void Print(const replays::ConformanceResult& result, std::ostream& stream) {
  fmt::print(stream, "{:<12} {:<7} {}\n", result.check->name,
             result.failure.has_value() ? "differs" : "ok",
             result.check->claim);
  if (!result.failure.has_value()) return;
  fmt::print(stream, "  tick {}: {}\n  usually: {}\n", result.failure->tick,
             EscapeText(result.failure->difference), result.check->cause);
}

absl::StatusOr<ExitCode> Conform(const std::string& name,
                                 const Options& options, Console& console) {
  if (options.ticks == 0 || options.ticks > kTicksMax) {
    return absl::InvalidArgumentError(
        fmt::format("--ticks {} is not 1 to {}", options.ticks, kTicksMax));
  }
  const absl::Status checked = options.reports.Check(options.format);
  if (!checked.ok()) return checked;
  const absl::StatusOr<sim::PackArchive> pack = OpenPack(name);
  if (!pack.ok()) return pack.status();
  const absl::StatusOr<std::string> simulation = sim::SimulationOf(*pack);
  if (!simulation.ok()) return simulation.status();
  const replays::SimulationMaker create = [&] {
    return sim::CreateSimulation(*simulation, *pack, options.seed);
  };
  absl::StatusOr<std::unique_ptr<sim::Simulation>> made = create();
  if (!made.ok()) return made.status();
  const replays::ConformanceInputs inputs = replays::MakeConformanceInputs(
      (*made)->info().inputs, options.ticks, options.inputs_seed);
  ProgressBar progress(console, "checking",
                       replays::ConformanceChecks().size());
  absl::StatusOr<std::vector<replays::ConformanceResult>> results =
      replays::CheckConformance(create, inputs,
                                [&](size_t done) { progress.Update(done); });
  if (!results.ok()) return results.status();
  absl::StatusOr<std::optional<replays::ConformanceFailure>> elsewhere =
      CheckElsewhere(*pack, **made, inputs);
  if (!elsewhere.ok()) return elsewhere.status();
  results->push_back({&kElsewhere, *std::move(elsewhere)});

  console.LeaveBar();
  const absl::Status written = options.reports.Write(
      MakeReport(*results, name, (*made)->info().pack, options), console);
  const auto failed = std::ranges::count_if(
      *results, [](const auto& one) { return one.failure.has_value(); });
  if (options.format.is_json()) {
    Json document = MakeJsonDocument("conform");
    document["simulation"] = *simulation;
    document["ticks"] = options.ticks;
    document["passed"] = failed == 0;
    document["checks"] = Json::array();
    for (const auto& result : *results) {
      document["checks"].push_back(ToJson(result));
    }
    PrintJson(document, console);
  } else {
    for (const auto& result : *results) Print(result, console.out());
    fmt::print(console.out(), "{} of {} checks hold over {} ticks\n",
               results->size() - static_cast<size_t>(failed), results->size(),
               options.ticks);
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
      "restored at each tick, rolled back, forked, watched, with inputs in "
      "another order, on another thread, in another process. Where one does, "
      "it says the tick, the field and what usually is behind it. For those "
      "who bring a simulation of their own.";
  command.arguments = {"PACK", 1, 1};
  command.flags = {
      {"ticks", "N", "The length of the run, 1 to 100000 (300).",
       &options->ticks},
      {"seed", "N", "Of the simulation (1).", &options->seed},
      {"inputs-seed", "N", "Of the random inputs (1).", &options->inputs_seed},
  };
  const std::vector<Flag> reports = options->reports.flags();
  command.flags.insert(command.flags.end(), reports.begin(), reports.end());
  command.flags.push_back(options->format.flag());
  command.examples = {
      {"Try a plug-in with one of its packs",
       "reprise --plugin ./libcatch.so conform orchard"},
  };
  command.run = [options](const std::vector<std::string>& arguments,
                          Console& console) {
    return Conform(arguments.front(), *options, console);
  };
  return command;
}

}  // namespace reprise::tools
