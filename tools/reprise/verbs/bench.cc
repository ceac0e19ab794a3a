// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// `reprise bench`: how fast a pack runs, where its time goes, and whether that
// is as it was.

#include <cmath>
#include <cstdint>
#include <fstream>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "fmt/format.h"
#include "fmt/ostream.h"
#include "replays/container/byte_file.h"
#include "tools/reprise/benchmarking/bench_baseline.h"
#include "tools/reprise/benchmarking/bench_result.h"
#include "tools/reprise/benchmarking/bench_session.h"
#include "tools/reprise/inputs/run_setup.h"
#include "tools/reprise/terminal/json_output.h"
#include "tools/reprise/verbs/commands.h"

namespace reprise::tools {
namespace {

// A tick that takes eleven times as long is noticed without a gate.
constexpr double kThresholdMax = 1000;

// What a baseline may have; those that are written have some hundred bytes, and
// the output of the command some thousands.
constexpr uint64_t kBaselineBytesMax = uint64_t{1} << 20;

struct Options {
  RunOptions run;
  std::optional<uint64_t> repeats;
  bool instructions = false;
  std::string baseline;
  bool update_baseline = false;
  std::optional<std::string> threshold;
  std::string_view measure = "auto";
  OutputFormat format;
};

std::optional<BenchMeasure> MeasureOf(const Options& options) {
  if (options.measure == "auto") return std::nullopt;
  return options.measure == "ratio" ? BenchMeasure::kRatio
                                    : BenchMeasure::kInstructions;
}

absl::StatusOr<std::optional<double>> ThresholdOf(const Options& options) {
  if (!options.threshold.has_value()) return std::nullopt;
  double percent = 0;
  if (!absl::SimpleAtod(*options.threshold, &percent) ||
      !(percent >= 0 && percent <= kThresholdMax)) {
    return absl::InvalidArgumentError(
        fmt::format("--threshold takes per cent, 0 to {}, not '{}'",
                    kThresholdMax, *options.threshold));
  }
  return percent;
}

absl::Status CheckFlags(const Options& options) {
  if (options.repeats.has_value() &&
      (*options.repeats == 0 || *options.repeats > kBenchRepeatsMax)) {
    return absl::InvalidArgumentError(fmt::format(
        "--repeat {} is not 1 to {}", *options.repeats, kBenchRepeatsMax));
  }
  if (!options.baseline.empty()) return absl::OkStatus();
  for (const auto& [is_given, flag] :
       {std::pair(options.update_baseline, "--update-baseline"),
        std::pair(options.threshold.has_value(), "--threshold"),
        std::pair(options.measure != "auto", "--measure")}) {
    if (is_given) {
      return absl::InvalidArgumentError(
          fmt::format("{} needs --baseline", flag));
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<BenchBaseline> ReadBaseline(const std::string& path) {
  const absl::StatusOr<std::unique_ptr<replays::FileSource>> file =
      replays::FileSource::Open(path);
  if (!file.ok()) {
    if (!absl::IsNotFound(file.status())) return file.status();
    return absl::NotFoundError(
        fmt::format("{} (--update-baseline writes it)",
                    std::string(file.status().message())));
  }
  if ((*file)->size() > kBaselineBytesMax) {
    return absl::InvalidArgumentError(
        fmt::format("{}: {} bytes; a baseline has at most {}", path,
                    (*file)->size(), kBaselineBytesMax));
  }
  std::string text((*file)->size(), '\0');
  const absl::Status status =
      (*file)->ReadAt(0, std::as_writable_bytes(std::span(text)));
  if (!status.ok()) return status;
  return ParseBaseline(text, path);
}

absl::Status WriteBaseline(const BenchResult& result, const std::string& path) {
  std::ofstream file(path, std::ios::binary);
  file << FormatBaseline(ToBaseline(result));
  if (file.flush()) return absl::OkStatus();
  return absl::UnavailableError(path + ": can't be written");
}

// Whether instructions are wanted, for `baseline` or for themselves.
bool WantsInstructions(const Options& options,
                       const std::optional<BenchBaseline>& baseline) {
  if (options.instructions) return true;
  if (options.measure == "ratio" || options.baseline.empty()) return false;
  return options.update_baseline || options.measure == "instructions" ||
         baseline->instructions.has_value();
}

absl::Status CountInto(const Options& options, const std::string& pack,
                       BenchResult& result, Console& console) {
  const absl::StatusOr<double> counted =
      CountTickInstructions(options.run, pack, result);
  if (counted.ok()) {
    result.instructions = *counted;
    return absl::OkStatus();
  }
  result.instructions_missing = std::string(counted.status().message());
  if (options.measure == "instructions") {
    return absl::UnavailableError("no instructions were counted: " +
                                  result.instructions_missing);
  }
  console.Warning("no instructions were counted: " +
                  result.instructions_missing);
  return absl::OkStatus();
}

// What else changed since the baseline, and may be why.
void NoteChanges(const BenchBaseline& baseline, const BenchResult& result,
                 Console& console) {
  // Baselines of former versions name packs by XXH3-128.
  constexpr size_t kFormerDigits = 32;
  if (baseline.pack_digest.size() != kFormerDigits &&
      baseline.pack_digest != result.pack_digest) {
    console.Note("the pack has changed since the baseline");
  }
  if (baseline.digest != result.digest) {
    console.Note(fmt::format(
        "the run is not the baseline's: it ends with another digest ({})",
        baseline.digest));
  }
  if (baseline.build != result.build) {
    console.Warning(fmt::format("the baseline is of {}, and this build of {}",
                                baseline.build, result.build));
  }
}

absl::StatusOr<ExitCode> Bench(const Options& options, const std::string& pack,
                               Console& console) {
  absl::Status status = CheckFlags(options);
  if (!status.ok()) return status;
  const auto threshold = ThresholdOf(options);
  if (!threshold.ok()) return threshold.status();
  std::optional<BenchBaseline> baseline;
  if (!options.baseline.empty() && !options.update_baseline) {
    absl::StatusOr<BenchBaseline> read = ReadBaseline(options.baseline);
    if (!read.ok()) return read.status();
    baseline = *std::move(read);
  }
  absl::StatusOr<BenchResult> result =
      MeasurePack(options.run, pack, options.repeats, console);
  if (!result.ok()) return result.status();
  result->instructions_missing = "--instructions has them counted";
  if (WantsInstructions(options, baseline)) {
    status = CountInto(options, pack, *result, console);
    if (!status.ok()) return status;
  }
  std::optional<BenchComparison> comparison;
  if (baseline.has_value()) {
    absl::StatusOr<BenchComparison> compared = CompareWithBaseline(
        *baseline, *result, MeasureOf(options), *threshold, options.baseline);
    if (!compared.ok()) return compared.status();
    comparison = *std::move(compared);
    NoteChanges(*baseline, *result, console);
  }
  if (options.update_baseline) {
    status = WriteBaseline(*result, options.baseline);
    if (!status.ok()) return status;
  }
  if (options.format.is_json()) {
    Json document = MakeJsonDocument("bench");
    AddTo(*result, document);
    if (comparison.has_value()) document["comparison"] = ToJson(*comparison);
    PrintJson(document, console);
  } else {
    PrintHuman(*result, console.out());
    if (comparison.has_value()) {
      fmt::print(console.out(), "baseline  {}\n",
                 FormatComparison(*comparison));
    } else if (options.update_baseline) {
      fmt::print(console.out(), "baseline  written to {}\n", options.baseline);
    }
  }
  return comparison.has_value() && !comparison->passed() ? ExitCode::kDifferent
                                                         : ExitCode::kOk;
}

std::vector<Flag> MakeFlags(Options& options) {
  return {
      {"ticks", "N",
       "The length of the run. The whole of --inputs if unset, or else 600.",
       &options.run.ticks},
      {"repeat", "N",
       "How often the run is made, 1 to 1000. If unset, as often as takes half "
       "a second, 5 to 100 times.",
       &options.repeats},
      {"simulation", "NAME",
       "The simulation to run the pack in. If unset, as `reprise run` has it.",
       &options.run.simulation},
      {"seed", "N", "Everything random follows from it. As of run if unset.",
       &options.run.seed},
      {"inputs", "FILE",
       "Play this input track (text), CSV, JSON lines or replay.",
       &options.run.inputs},
      {"random-inputs", "SEED",
       "Play random inputs, drawn from the pack's actions.",
       &options.run.random_inputs},
      {"bots", "",
       "Let the pack's bots play all players that --inputs has nothing of, but "
       "those in reserve.",
       &options.run.bots.all},
      {"bot", "PLAYER:NAME",
       "Let this bot of the pack, or this native one, play the player. May be "
       "repeated.",
       &options.run.bots.named},
      {"instructions", "",
       "Count the instructions of a tick, too, with valgrind, which takes some "
       "fifty times as long as the run. It is no part of this program; where "
       "it isn't there, that is said.",
       &options.instructions},
      {"baseline", "FILE",
       "Hold the run to the figures in this file. If a tick has become slower "
       "by more than --threshold, the exit code is 1.",
       &options.baseline},
      {"update-baseline", "", "Write --baseline, instead of reading it.",
       &options.update_baseline},
      {"threshold", "PERCENT",
       "How much slower than the baseline a tick may be: 2 by instructions and "
       "25 by the ratio, if unset.",
       &options.threshold},
      {"measure", "auto|instructions|ratio",
       "What is held to the baseline: instructions of a tick, or its time in "
       "units of the reference load. By itself, instructions where the "
       "baseline has them and valgrind is there.",
       ChoiceTarget{&options.measure, {"auto", "instructions", "ratio"}}},
      options.format.flag(),
  };
}

}  // namespace

Command MakeBenchCommand() {
  const auto options = std::make_shared<Options>();
  Command command;
  command.name = "bench";
  command.summary = "Measures how fast a pack runs, and where its time goes";
  command.description =
      "PACK is a folder, a packed pack, or the name of one in $REPRISE_PACKS "
      "(sim/packs if unset). Runs it several times, in turn with a load that "
      "never changes: the ratio of both says how fast the pack is, whatever "
      "the machine. Then once more while each phase, system and behaviour is "
      "looked at, for their shares of the time.";
  command.arguments = {"PACK", 1, 1};
  command.flags = MakeFlags(*options);
  command.examples = {
      {"How fast is it with its bots?", "reprise bench pong --bots"},
      {"Keep the figures of today",
       "reprise bench pong --bots --baseline pong.json --update-baseline"},
      {"Fail where a tick has become slower",
       "reprise bench pong --bots --baseline pong.json"},
  };
  command.run = [options](const std::vector<std::string>& arguments,
                          Console& console) {
    return Bench(*options, arguments.front(), console);
  };
  return command;
}

}  // namespace reprise::tools
