// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What every row of the determinism matrix is a build of: runs a simulation and
// prints the digest of each tick, keeps the state of one, or records all with
// snapshots, from which other builds go on; compares states that other builds
// kept; and draws what others recorded.

#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "fmt/format.h"
#include "replays/container/byte_file.h"
#include "sim/base/digest.h"
#include "sim/base/math.h"
#include "sim/base/tick.h"
#include "sim/state/state.h"
#include "sim/state/state_codec.h"
#include "sim/state/state_comparison.h"
#include "tools/matrix/pictures.h"
#include "tools/matrix/run.h"
#include "tools/reprise/terminal/exit_code.h"
#include "tools/reprise/terminal/flags.h"

namespace reprise::tools {
namespace {

constexpr std::string_view kUsage =
    "usage: runner digests SOURCE [FLAGS]\n"
    "       runner state SOURCE --output FILE [FLAGS]\n"
    "       runner record SOURCE --keyframes TICK,... --output FILE [FLAGS]\n"
    "       runner compare SOURCE EXPECTED.state ACTUAL.state [FLAGS]\n"
    "       runner pictures REPLAY --every N\n"
    "\n"
    "SOURCE is a pack or a replay. digests prints `TICK ROOT` for each tick,\n"
    "then `chain DIGEST` and `math FINGERPRINT`. state writes the state after\n"
    "the last tick. record writes a replay with keyframes at these ticks; "
    "with\n"
    "--from, digests and state begin at one of them. compare prints what\n"
    "differs, a line a field. pictures prints `TICK DIGEST` of each Nth tick's "
    "picture.\n"
    "\n";

// So many differences tell what is wrong; more only fill the screen.
constexpr uint64_t kDifferencesMax = 8;

struct Options {
  RunSpecification run;
  std::string injection;
  std::string keyframes;
  std::string output;
  uint64_t limit = kDifferencesMax;
  uint64_t every = 1;
};

std::vector<Flag> MakeFlags(Options& options) {
  return {
      {"ticks", "N", "The tick to end at; a file of inputs says it, too.",
       &options.run.tick_count},
      {"from", "TICK", "Begin at the keyframe of this tick, of a replay.",
       &options.run.from},
      {"seed", "N", "Of the simulation; the replay's or 0 if unset.",
       &options.run.seed},
      {"inputs", "FILE", "Play this input track or replay.",
       &options.run.inputs},
      {"random-inputs", "SEED", "Play inputs drawn from the pack's actions.",
       &options.run.random_inputs},
      {"bots", "", "The pack's bots play.", &options.run.bots.all},
      {"bot", "PLAYER:NAME", "This bot plays this player; may be repeated.",
       &options.run.bots.named},
      {"inject", "TICK:ROOM.TABLE:KEY:FIELD",
       "Move this field by one unit in the last place.", &options.injection},
      {"keyframes", "TICK,...", "The ticks whose states to record.",
       &options.keyframes},
      {"output", "FILE", "Where to write the state or the replay.",
       &options.output},
      {"limit", "N", "How many differences to print at most. 8 if unset.",
       &options.limit},
      {"every", "N", "Draw each Nth tick. 1 if unset.", &options.every},
  };
}

absl::Status PrintDigests(Run& run) {
  sim::Digest chain;
  while (true) {
    const sim::Digest root = run.simulation().state().ComputeRootDigest();
    chain = sim::ExtendChain(chain, root);
    fmt::print("{} {}\n", run.simulation().tick(), sim::FormatDigest(root));
    if (run.simulation().tick() == run.tick_count()) break;
    const absl::Status status = run.Step();
    if (!status.ok()) return status;
  }
  fmt::print("chain {}\n", sim::FormatDigest(chain));
  fmt::print("math {}\n", sim::FormatDigest(sim::MathFingerprint()));
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<replays::FileSink>> CreateOutput(
    const std::string& path) {
  if (path.empty()) {
    return absl::InvalidArgumentError("--output has to name a file");
  }
  return replays::FileSink::Create(path);
}

absl::Status WriteState(Run& run, const std::string& path) {
  const absl::StatusOr<std::unique_ptr<replays::FileSink>> file =
      CreateOutput(path);
  if (!file.ok()) return file.status();
  while (run.simulation().tick() < run.tick_count()) {
    const absl::Status status = run.Step();
    if (!status.ok()) return status;
  }
  const std::string bytes = sim::EncodeState(run.simulation().state());
  return (*file)->Append(std::as_bytes(std::span(bytes)));
}

absl::StatusOr<std::set<sim::Tick>> ParseTicks(const std::string& text) {
  std::set<sim::Tick> ticks;
  const std::vector<std::string> parts = absl::StrSplit(text, ',');
  for (const std::string& part : parts) {
    sim::Tick tick = 0;
    if (!absl::SimpleAtoi(part, &tick)) {
      return absl::InvalidArgumentError(
          fmt::format("--keyframes: '{}' is no tick", part));
    }
    ticks.insert(tick);
  }
  return ticks;
}

absl::Status WriteReplay(Run& run, const std::string& keyframes,
                         const std::string& path) {
  const absl::StatusOr<std::set<sim::Tick>> ticks = ParseTicks(keyframes);
  if (!ticks.ok()) return ticks.status();
  absl::StatusOr<std::unique_ptr<replays::FileSink>> file = CreateOutput(path);
  if (!file.ok()) return file.status();
  return run.Record(*ticks, *std::move(file));
}

absl::StatusOr<sim::State> ReadState(const std::string& path,
                                     const sim::State& shape) {
  const absl::StatusOr<std::unique_ptr<replays::FileSource>> file =
      replays::FileSource::Open(path);
  if (!file.ok()) return file.status();
  std::vector<std::byte> bytes((*file)->size());
  const absl::Status status = (*file)->ReadAt(0, bytes);
  if (!status.ok()) return status;
  absl::StatusOr<sim::State> state = sim::DecodeState(bytes, shape);
  if (state.ok()) return state;
  return absl::Status(
      state.status().code(),
      fmt::format("{}: {}", path, std::string(state.status().message())));
}

absl::StatusOr<ExitCode> CompareStates(const Run& run,
                                       const std::string& expected_path,
                                       const std::string& actual_path,
                                       uint64_t limit) {
  const sim::State& shape = run.simulation().state();
  const absl::StatusOr<sim::State> expected = ReadState(expected_path, shape);
  if (!expected.ok()) return expected.status();
  const absl::StatusOr<sim::State> actual = ReadState(actual_path, shape);
  if (!actual.ok()) return actual.status();
  const std::vector<sim::FieldDifference> differences =
      sim::CompareStates(*expected, *actual, limit);
  const sim::NameResolver names = sim::NamesOf(run.simulation());
  for (const sim::FieldDifference& difference : differences) {
    fmt::print("{}\n", sim::FormatDifference(difference, *expected, names));
  }
  return differences.empty() ? ExitCode::kOk : ExitCode::kDifferent;
}

absl::Status PrintPictures(const std::string& path, uint64_t every) {
  const absl::StatusOr<std::vector<DrawnTick>> drawn =
      DrawPictures(path, every);
  if (!drawn.ok()) return drawn.status();
  for (const auto& [tick, picture] : *drawn) {
    fmt::print("{} {}\n", tick, sim::FormatDigest(picture));
  }
  return absl::OkStatus();
}

ExitCode PrintUsage(const std::vector<Flag>& flags) {
  fmt::print(stderr, "{}Flags:\n{}", kUsage, DescribeFlags(flags));
  return ExitCode::kBadInput;
}

absl::StatusOr<ExitCode> RunVerb(std::string_view verb,
                                 std::span<const std::string> arguments) {
  Options options;
  const std::vector<Flag> flags = MakeFlags(options);
  const absl::StatusOr<ParsedArguments> parsed = ParseFlags(flags, arguments);
  if (!parsed.ok()) return parsed.status();
  const bool is_comparison = verb == "compare";
  const size_t argument_count = is_comparison ? 3 : 1;
  if (parsed->wants_help || parsed->positional.size() != argument_count) {
    return PrintUsage(flags);
  }

  options.run.source = parsed->positional.front();
  if (verb == "pictures") {
    const absl::Status status =
        PrintPictures(options.run.source, options.every);
    if (!status.ok()) return status;
    return ExitCode::kOk;
  }
  if (is_comparison) options.run.tick_count = 0;
  if (!options.injection.empty()) {
    absl::StatusOr<Injection> injection = ParseInjection(options.injection);
    if (!injection.ok()) return injection.status();
    options.run.injection = *std::move(injection);
  }
  const absl::StatusOr<std::unique_ptr<Run>> run = Run::Open(options.run);
  if (!run.ok()) return run.status();
  if (is_comparison) {
    return CompareStates(**run, parsed->positional[1], parsed->positional[2],
                         options.limit);
  }
  absl::Status status;
  if (verb == "digests") {
    status = PrintDigests(**run);
  } else if (verb == "state") {
    status = WriteState(**run, options.output);
  } else if (verb == "record") {
    status = WriteReplay(**run, options.keyframes, options.output);
  } else {
    return PrintUsage(flags);
  }
  if (!status.ok()) return status;
  return ExitCode::kOk;
}

ExitCode Main(std::span<const std::string> arguments) {
  const absl::StatusOr<ExitCode> code =
      arguments.empty() ? RunVerb("", {})
                        : RunVerb(arguments.front(), arguments.subspan(1));
  if (code.ok()) return *code;
  fmt::print(stderr, "error: {}\n", std::string(code.status().message()));
  return ExitCodeOf(code.status());
}

}  // namespace
}  // namespace reprise::tools

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + (argc > 0 ? 1 : 0),
                                           argv + argc);
  return static_cast<int>(reprise::tools::Main(arguments));
}
