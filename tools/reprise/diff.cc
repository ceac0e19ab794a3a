// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// `reprise diff`: runs two replays side by side and says where they part.

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "fmt/format.h"
#include "fmt/ostream.h"
#include "replays/divergence.h"
#include "replays/replay_player.h"
#include "replays/replay_reader.h"
#include "replays/run_comparison.h"
#include "sim/base/digest.h"
#include "sim/pack_archive.h"
#include "tools/reprise/commands.h"
#include "tools/reprise/input_difference.h"
#include "tools/reprise/json_output.h"
#include "tools/reprise/pack_location.h"

namespace reprise::tools {
namespace {

// Enough to see what a difference is about.
constexpr uint64_t kDefaultFieldsMax = 8;

struct Options {
  std::string pack;
  uint64_t fields_max = kDefaultFieldsMax;
  OutputFormat format;
};

// One of the two runs.
struct Side {
  std::string name;  // "game.mcap", "game.mcap on sim/packs/marble"
  std::unique_ptr<replays::ReplayReader> replay;
  std::unique_ptr<sim::Simulation> simulation;
};

struct Difference {
  replays::RunComparison comparison;
  // At the first tick at which the inputs differ.
  std::vector<InputDifference> inputs;
  // What the first difference had come to once its tick was over, if it was
  // made before the last phase.
  std::optional<replays::Divergence> consequence;

  bool is_none() const {
    return comparison.is_equal() && !comparison.first_input_difference &&
           comparison.expected_outcome == comparison.actual_outcome;
  }
};

absl::StatusOr<Side> OpenSide(const std::string& path,
                              const std::string& pack_name) {
  Side side;
  absl::StatusOr<std::unique_ptr<replays::ReplayReader>> replay =
      replays::ReplayReader::OpenFile(path);
  if (!replay.ok()) return replay.status();
  side.replay = *std::move(replay);

  std::optional<sim::PackArchive> pack;
  side.name = path;
  if (!pack_name.empty()) {
    absl::StatusOr<sim::PackArchive> opened = OpenPack(pack_name);
    if (!opened.ok()) return opened.status();
    pack = *std::move(opened);
    side.name += " on " + pack_name;
  }
  absl::StatusOr<std::unique_ptr<sim::Simulation>> simulation =
      replays::CreateRecordedSimulation(*side.replay, pack ? &*pack : nullptr);
  if (!simulation.ok()) {
    return absl::Status(
        simulation.status().code(),
        fmt::format("{}: {}", path,
                    std::string(simulation.status().message())));
  }
  side.simulation = *std::move(simulation);
  return side;
}

// The first difference is often an input, and says nothing yet of the objects.
void DescribeConsequence(const Side& expected, const Side& actual,
                         const Options& options, Difference& difference) {
  const std::optional<replays::Divergence>& first =
      difference.comparison.divergence;
  const sim::Simulation& left = *expected.simulation;
  const sim::Simulation& right = *actual.simulation;
  if (!first || first->phase.empty() ||
      first->phase == left.info().phases.back() ||
      left.tick() != right.tick()) {
    return;
  }
  replays::Divergence& consequence = difference.consequence.emplace();
  consequence.fields_tick = left.tick();
  replays::DescribeFields(left.state(), right.state(), options.fields_max, left,
                          consequence);
}

absl::StatusOr<Difference> Compare(const Side& expected, const Side& actual,
                                   const Options& options, Console& console) {
  const std::unique_ptr<replays::InputSource> expected_inputs =
      expected.replay->ReadInputs();
  const std::unique_ptr<replays::InputSource> actual_inputs =
      actual.replay->ReadInputs();
  ProgressBar progress(
      console, "comparing",
      std::min(expected.replay->tick_count(), actual.replay->tick_count()));
  replays::CompareOptions compare_options;
  compare_options.fields_max = options.fields_max;
  compare_options.progress = [&progress](sim::Tick tick, sim::Tick) {
    progress.Update(tick);
    return absl::OkStatus();
  };
  absl::StatusOr<replays::RunComparison> comparison = replays::CompareRuns(
      {expected.simulation.get(), expected_inputs.get()},
      {actual.simulation.get(), actual_inputs.get()}, compare_options);
  if (!comparison.ok()) return comparison.status();

  Difference difference;
  difference.comparison = *std::move(comparison);
  DescribeConsequence(expected, actual, options, difference);
  if (!difference.comparison.first_input_difference) return difference;
  absl::StatusOr<std::vector<InputDifference>> inputs = DescribeInputs(
      *expected.replay->ReadInputs(), *actual.replay->ReadInputs(),
      *difference.comparison.first_input_difference,
      expected.simulation->info().inputs);
  if (!inputs.ok()) return inputs.status();
  difference.inputs = *std::move(inputs);
  return difference;
}

void PrintSide(char letter, const Side& side, Console& console) {
  const sim::SimulationInfo& info = side.simulation->info();
  fmt::print(console.out(), "{}: {}, {} {}, seed {}, {} ticks\n", letter,
             side.name, info.pack, sim::FormatDigest(info.pack_digest),
             info.seed, side.replay->tick_count());
}

void PrintHuman(const Side& expected, const Side& actual,
                const Difference& difference, Console& console) {
  const replays::RunComparison& comparison = difference.comparison;
  PrintSide('A', expected, console);
  PrintSide('B', actual, console);
  std::ostream& out = console.out();
  if (difference.is_none()) {
    fmt::print(out, "equal: {} ticks, {}\n", comparison.ticks_compared,
               FormatOutcome(comparison.expected_outcome));
    return;
  }
  if (comparison.first_input_difference) {
    fmt::print(out, "first different input: tick {}\n",
               *comparison.first_input_difference);
    for (const InputDifference& input : difference.inputs) {
      fmt::print(out, "  player {} {}: {} | {}\n", input.player, input.action,
                 input.expected, input.actual);
    }
  }
  if (comparison.divergence) {
    fmt::print(out, "first different state: {}",
               replays::FormatDivergence(*comparison.divergence));
  } else {
    fmt::print(out, "states are equal for {} ticks\n",
               comparison.ticks_compared);
  }
  if (difference.consequence) {
    fmt::print(out, "by tick {}:\n", *difference.consequence->fields_tick);
    for (const replays::FieldDivergence& field :
         difference.consequence->fields) {
      fmt::print(out, "  {}\n", field.text);
    }
    if (difference.consequence->has_more_fields) {
      fmt::print(out, "  and more\n");
    }
  }
  if (comparison.expected_tick_count != comparison.actual_tick_count) {
    fmt::print(out, "lengths differ: {} | {} ticks\n",
               expected.replay->tick_count(), actual.replay->tick_count());
  }
}

Json SideJson(const Side& side) {
  const sim::SimulationInfo& info = side.simulation->info();
  return {{"run", side.name},
          {"pack", info.pack},
          {"pack_digest", sim::FormatDigest(info.pack_digest)},
          {"seed", std::to_string(info.seed)},
          {"tick_count", side.replay->tick_count()}};
}

void PrintJson(const Side& expected, const Side& actual,
               const Difference& difference, Console& console) {
  const replays::RunComparison& comparison = difference.comparison;
  Json document = MakeJsonDocument("diff");
  document["is_equal"] = difference.is_none();
  document["expected"] = SideJson(expected);
  document["actual"] = SideJson(actual);
  document["ticks_compared"] = comparison.ticks_compared;
  document["first_input_difference"] = nullptr;
  if (comparison.first_input_difference) {
    Json inputs = Json::array();
    for (const InputDifference& input : difference.inputs) {
      inputs.push_back({{"player", input.player},
                        {"action", input.action},
                        {"expected", input.expected},
                        {"actual", input.actual}});
    }
    document["first_input_difference"] = {
        {"tick", *comparison.first_input_difference},
        {"inputs", std::move(inputs)}};
  }
  document["divergence"] =
      comparison.divergence ? ToJson(*comparison.divergence) : Json(nullptr);
  PrintJson(document, console);
}

absl::StatusOr<ExitCode> DiffRuns(const Options& options,
                                  const std::vector<std::string>& paths,
                                  Console& console) {
  if ((paths.size() == 2) == !options.pack.empty()) {
    return absl::InvalidArgumentError(
        "two replays are compared, or one replay with itself on another "
        "--pack");
  }
  const absl::StatusOr<Side> expected = OpenSide(paths.front(), "");
  if (!expected.ok()) return expected.status();
  const absl::StatusOr<Side> actual = OpenSide(paths.back(), options.pack);
  if (!actual.ok()) return actual.status();
  const absl::StatusOr<Difference> difference =
      Compare(*expected, *actual, options, console);
  if (!difference.ok()) return difference.status();
  if (options.format.is_json()) {
    PrintJson(*expected, *actual, *difference, console);
  } else {
    PrintHuman(*expected, *actual, *difference, console);
  }
  return difference->is_none() ? ExitCode::kOk : ExitCode::kDifferent;
}

}  // namespace

Command MakeDiffCommand() {
  const auto options = std::make_shared<Options>();
  Command command;
  command.name = "diff";
  command.summary = "Finds the first difference of two runs, down to the field";
  command.description =
      "Runs both replays side by side, each on the pack inside it, and names "
      "the first input that differs, then the first state: tick, phase, "
      "object, field and both values (A | B) as they were after that phase, "
      "and what it had come to by the next tick.";
  command.arguments = {"A [B]", 1, 2};
  command.flags = {
      {"pack", "PACK", "Compare A with itself on this pack, in place of B.",
       &options->pack},
      {"fields", "N", "Show at most so many fields. 8 if unset.",
       &options->fields_max},
      options->format.flag(),
  };
  command.examples = {
      {"Where do two runs part?", "reprise diff before.mcap after.mcap"},
      {"What does a changed pack do to an old run?",
       "reprise diff game.mcap --pack sim/packs/marble"},
  };
  command.run = [options](const std::vector<std::string>& paths,
                          Console& console) {
    return DiffRuns(*options, paths, console);
  };
  return command;
}

}  // namespace reprise::tools
