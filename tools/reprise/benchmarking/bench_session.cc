// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/benchmarking/bench_session.h"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <ostream>
#include <utility>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "replays/format/replay_metadata.h"
#include "sim/base/check.h"
#include "sim/base/digest.h"
#include "sim/bots/bot_players.h"
#include "sim/simulation.h"
#include "tools/reprise/benchmarking/bench_run.h"
#include "tools/reprise/benchmarking/instruction_count.h"
#include "tools/reprise/benchmarking/phase_times.h"
#include "tools/reprise/benchmarking/reference_load.h"
#include "tools/reprise/terminal/json_output.h"

namespace reprise::tools {
namespace {

// About as long as the ticks between two of them.
constexpr double kReferenceSeconds = 0.005;

// What is measured is longer than that, unless somebody says how often.
constexpr double kMeasuredSeconds = 0.5;
constexpr uint64_t kRepeatsMin = 5;
constexpr uint64_t kRepeatsMax = 100;

double Median(std::vector<double> values) {
  std::ranges::sort(values);
  const size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle]
                                : (values[middle - 1] + values[middle]) / 2;
}

// Runs the reference load for some milliseconds at a time.
class Reference {
 public:
  Reference() {
    while (Measure() < kReferenceSeconds / 2) units_each_ *= 2;
    Restart();
  }

  void Run() { seconds_ += Measure(); }

  // Of this thread, for a unit, since the last Restart().
  double SecondsPerUnit() const {
    return seconds_ / static_cast<double>(units_);
  }

  void Restart() {
    seconds_ = 0;
    units_ = 0;
  }

 private:
  double Measure() {
    const double start = ThreadSeconds();
    // What is computed has to be wanted, or the compiler leaves it out.
    result_ = result_ ^ load_.Run(units_each_);
    units_ += units_each_;
    return ThreadSeconds() - start;
  }

  ReferenceLoad load_;
  uint32_t units_each_ = 1;
  uint64_t units_ = 0;
  double seconds_ = 0;
  volatile uint64_t result_ = 0;
};

std::string DescribeInputs(const RunOptions& options, const RunSetup& setup) {
  std::vector<std::string> words;
  if (!options.inputs.empty()) {
    words.push_back(std::filesystem::path(options.inputs).filename().string());
  }
  if (options.random_inputs.has_value()) {
    words.push_back(fmt::format("random {}", *options.random_inputs));
  }
  if (setup.bots != nullptr) {
    std::string bots = "bots";
    for (const sim::BotChoice& choice : setup.bots->choices()) {
      bots += fmt::format(" {}:{}", choice.player, choice.name);
    }
    words.push_back(std::move(bots));
  }
  return words.empty() ? "none" : fmt::format("{}", fmt::join(words, ", "));
}

BenchResult Describe(const RunOptions& options, RunSetup& setup) {
  const sim::SimulationInfo& info = setup.simulation().info();
  BenchResult result;
  result.subject = {.pack = info.pack,
                    .simulation = info.simulation,
                    .seed = info.seed,
                    .tick_count = setup.tick_count,
                    .inputs = DescribeInputs(options, setup)};
  result.pack_digest = sim::FormatDigest(info.pack_digest);
  result.build = replays::CurrentCompiler();
  result.dt_s = info.tick_rate.dt();
  return result;
}

// Runs that are made alike from their first tick on.
class Repetition {
 public:
  Repetition(const RunOptions& options, const std::string& pack)
      : options_(options), arguments_(1, pack) {}

  absl::StatusOr<std::unique_ptr<RunSetup>> Prepare(Console& console) {
    if (is_prepared_) return PrepareRun(options_, arguments_, quiet_);
    is_prepared_ = true;
    return PrepareRun(options_, arguments_, console);
  }

  // Has to end as all others did.
  absl::Status CheckEnd(const sim::Digest& root) {
    if (!root_.has_value()) root_ = root;
    if (*root_ == root) return absl::OkStatus();
    return absl::InternalError(fmt::format(
        "two runs of the same inputs end with the digests {} and {}: the "
        "simulation doesn't keep the contract (`reprise conform` tries why)",
        sim::FormatDigest(*root_), sim::FormatDigest(root)));
  }

  std::string FormatRoot() const { return sim::FormatDigest(*root_); }

 private:
  const RunOptions& options_;
  const std::vector<std::string> arguments_;
  bool is_prepared_ = false;
  std::optional<sim::Digest> root_;
  // What there is to warn of is told once.
  std::ostream nowhere_{nullptr};
  Console quiet_{nowhere_, nowhere_, /*is_err_terminal=*/false};
};

// Says what makes the run another one than somebody may think.
void Remark(RunSetup& setup, Console& console) {
  if (setup.bots != nullptr && setup.bots->error_count() > 0) {
    console.Warning(fmt::format("{} of {} decisions of bots came to nothing",
                                setup.bots->error_count(),
                                setup.bots->decision_count()));
  }
  const sim::Outcome outcome = setup.simulation().outcome();
  if (outcome.status != sim::Outcome::Status::kRunning) {
    console.Note(
        fmt::format("the game is decided before tick {} ({}); what comes after "
                    "is measured, too",
                    setup.tick_count, FormatOutcome(outcome)));
  }
}

// Where the time goes, of one more run.
absl::Status Watch(Repetition& repetition, Console& console,
                   BenchResult& result) {
  const auto setup = repetition.Prepare(console);
  if (!setup.ok()) return setup.status();
  PhaseTimes times((*setup)->simulation().info().phases);
  // The reference load would stand between the ticks.
  const auto run = MakeBenchRun(**setup, &times, [] {});
  if (!run.ok()) return run.status();
  absl::Status status = repetition.CheckEnd(run->root);
  if (!status.ok()) return status;
  result.watched_slowdown = run->seconds * result.ticks_per_second /
                            static_cast<double>(run->tick_count);
  result.phases = times.Summarize();
  result.outside = times.outside();
  return absl::OkStatus();
}

// The length of the run, where nothing else says it.
RunOptions WithLength(RunOptions options) {
  const bool has_end = options.ticks.has_value() || !options.inputs.empty();
  if (!has_end) options.ticks = kBenchTicksDefault;
  return options;
}

}  // namespace

absl::StatusOr<BenchResult> MeasurePack(const RunOptions& run_options,
                                        const std::string& pack,
                                        std::optional<uint64_t> repeats,
                                        Console& console) {
  CHECK(!repeats || (*repeats >= 1 && *repeats <= kBenchRepeatsMax));
  const RunOptions options = WithLength(run_options);
  Repetition repetition(options, pack);
  Reference reference;
  BenchResult result;
  std::vector<double> speeds;
  double tick = std::numeric_limits<double>::infinity();
  double unit = std::numeric_limits<double>::infinity();
  double measured = 0;
  const auto is_enough = [&] {
    if (repeats.has_value()) return speeds.size() == *repeats;
    return speeds.size() == kRepeatsMax ||
           (speeds.size() >= kRepeatsMin && measured >= kMeasuredSeconds);
  };
  ProgressBar progress(console, "measuring", repeats.value_or(kRepeatsMin) + 1);
  while (!is_enough()) {
    const bool is_first = speeds.empty();
    const auto setup = repetition.Prepare(console);
    if (!setup.ok()) return setup.status();
    if (is_first) result = Describe(options, **setup);
    if ((*setup)->tick_count == 0) {
      return absl::InvalidArgumentError("there are no ticks to measure");
    }
    reference.Restart();
    const auto run = MakeBenchRun(**setup, /*times=*/nullptr,
                                  [&reference] { reference.Run(); });
    if (!run.ok()) return run.status();
    const absl::Status status = repetition.CheckEnd(run->root);
    if (!status.ok()) return status;
    const auto ticks = static_cast<double>(run->tick_count);
    speeds.push_back(ticks / run->seconds);
    // Whatever disturbs a thread makes it slower, never quicker.
    tick = std::min(tick, run->thread_seconds / ticks);
    unit = std::min(unit, reference.SecondsPerUnit());
    measured += run->seconds;
    if (is_first) Remark(**setup, console);
    progress.Update(std::min<uint64_t>(speeds.size(), kRepeatsMin));
  }
  result.repeats = speeds.size();
  result.digest = repetition.FormatRoot();
  result.ticks_per_second = Median(speeds);
  result.ratio = tick / unit;
  const absl::Status status = Watch(repetition, console, result);
  if (!status.ok()) return status;
  return result;
}

absl::StatusOr<double> CountTickInstructions(const RunOptions& options,
                                             const std::string& pack,
                                             const BenchResult& result) {
  const absl::StatusOr<std::string> valgrind = FindValgrind();
  if (!valgrind.ok()) return valgrind.status();
  std::vector<std::string> words = {
      "run",          pack,
      "--seed",       std::to_string(result.subject.seed),
      "--simulation", result.subject.simulation};
  const auto add = [&words](const std::string& flag, const std::string& value) {
    words.insert(words.end(), {flag, value});
  };
  if (!options.inputs.empty()) add("--inputs", options.inputs);
  if (options.random_inputs.has_value()) {
    add("--random-inputs", std::to_string(*options.random_inputs));
  }
  if (options.bots.all) words.emplace_back("--bots");
  for (const std::string& bot : options.bots.named) add("--bot", bot);
  add("--expect", "tick >= 0");  // so that a game that is lost ends well, too
  const auto count = [&](sim::Tick ticks) {
    std::vector<std::string> all = words;
    all.insert(all.end(), {"--ticks", std::to_string(ticks)});
    return CountInstructions(*valgrind, all);
  };
  const absl::StatusOr<uint64_t> start = count(0);
  if (!start.ok()) return start.status();
  const absl::StatusOr<uint64_t> whole = count(result.subject.tick_count);
  if (!whole.ok()) return whole.status();
  if (*whole <= *start) {
    return absl::FailedPreconditionError(
        fmt::format("{} instructions with ticks, {} without", *whole, *start));
  }
  return static_cast<double>(*whole - *start) /
         static_cast<double>(result.subject.tick_count);
}

}  // namespace reprise::tools
