// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// `reprise run`: steps a pack to an end, and records it where asked.

#include <chrono>
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
#include "replays/byte_file.h"
#include "replays/input_source.h"
#include "replays/recorder.h"
#include "replays/replay_writer.h"
#include "sim/base/digest.h"
#include "sim/pack_archive.h"
#include "sim/simulation.h"
#include "tools/reprise/changed_input_source.h"
#include "tools/reprise/commands.h"
#include "tools/reprise/expectation.h"
#include "tools/reprise/input_selection.h"
#include "tools/reprise/json_output.h"
#include "tools/reprise/pack_location.h"

namespace reprise::tools {
namespace {

// One minute at the default rate: long enough to see a game go wrong.
constexpr uint64_t kDefaultTickCount = 3600;

struct Options {
  std::string simulation;
  std::optional<uint64_t> seed;
  std::optional<uint64_t> ticks;
  std::string inputs;
  std::optional<uint64_t> random_inputs;
  std::vector<std::string> input_changes;
  std::string record;
  std::optional<uint64_t> keyframe_stride;
  std::vector<std::string> expectations;
  bool digests = false;
  OutputFormat format;
};

// Everything that a run needs, in the order in which it lets go of it.
struct Setup {
  std::optional<InputFile> input_file;
  sim::PackArchive pack;
  std::unique_ptr<sim::Simulation> simulation;
  std::unique_ptr<replays::InputSource> inputs;
  std::unique_ptr<replays::InputSource> changed_inputs;  // may be null
  sim::Tick tick_count = 0;
  bool stops_at_outcome = false;
  std::vector<Expectation> expectations;

  replays::InputSource& source() {
    return changed_inputs != nullptr ? *changed_inputs : *inputs;
  }
};

struct Result {
  sim::Digest root;
  uint64_t event_count = 0;
  std::vector<sim::Digest> roots;  // of every tick, where asked for
  double seconds = 0;
};

// What happened to the machine is no fault of the input.
absl::Status OutputError(const absl::Status& status) {
  return absl::UnavailableError(std::string(status.message()));
}

absl::Status WithTick(const absl::Status& status, sim::Tick tick) {
  return absl::Status(
      status.code(),
      fmt::format("tick {}: {}", tick, std::string(status.message())));
}

absl::Status LoadPack(const Options& options,
                      const std::vector<std::string>& arguments, Setup& setup,
                      Console& console) {
  const replays::ReplayReader* const replay =
      setup.input_file ? setup.input_file->replay() : nullptr;
  if (arguments.empty() && replay == nullptr) {
    return absl::InvalidArgumentError(
        "no pack to run: only the inputs of a replay bring one along");
  }
  absl::StatusOr<sim::PackArchive> pack =
      arguments.empty() ? replay->ReadPack() : OpenPack(arguments.front());
  if (!pack.ok()) return pack.status();
  setup.pack = *std::move(pack);

  // What wasn't said is as it was in the recording.
  uint64_t recorded_seed = 0;
  std::string simulation_name = options.simulation;
  if (replay != nullptr) {
    recorded_seed = replay->metadata().seed;
    if (arguments.empty() && simulation_name.empty()) {
      simulation_name = replay->metadata().simulation;
    }
  }
  absl::StatusOr<std::unique_ptr<sim::Simulation>> simulation =
      CreatePackSimulation(setup.pack, options.seed.value_or(recorded_seed),
                           simulation_name);
  if (!simulation.ok()) return simulation.status();
  setup.simulation = *std::move(simulation);

  const std::string& pack_name = setup.simulation->info().pack;
  if (setup.input_file && !setup.input_file->pack().empty() &&
      setup.input_file->pack() != pack_name) {
    console.Warning(fmt::format("the inputs in {} were made for the pack {}",
                                options.inputs, setup.input_file->pack()));
  }
  return absl::OkStatus();
}

absl::Status SelectInputs(const Options& options, Setup& setup) {
  const sim::InputGrammar& grammar = setup.simulation->info().inputs;
  if (setup.input_file) {
    setup.inputs = setup.input_file->Read();
  } else if (options.random_inputs) {
    setup.inputs = MakeRandomInputs(grammar, *options.random_inputs);
  } else {
    setup.inputs = std::make_unique<replays::IdleInputSource>();
  }
  setup.tick_count = options.ticks.value_or(
      setup.inputs->tick_count().value_or(kDefaultTickCount));
  setup.stops_at_outcome = !setup.input_file && !options.ticks;

  std::vector<InputChange> changes;
  for (const std::string& text : options.input_changes) {
    absl::StatusOr<InputChange> change = ParseInputChange(text);
    if (!change.ok()) return change.status();
    changes.push_back(*std::move(change));
  }
  if (changes.empty()) return absl::OkStatus();
  auto changed =
      ChangedInputSource::Create(setup.inputs.get(), grammar, changes);
  if (!changed.ok()) return changed.status();
  setup.changed_inputs = *std::move(changed);
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<Setup>> Prepare(
    const Options& options, const std::vector<std::string>& arguments,
    Console& console) {
  auto setup = std::make_unique<Setup>();
  if (!options.inputs.empty() && options.random_inputs) {
    return absl::InvalidArgumentError(
        "--inputs and --random-inputs exclude each other");
  }
  for (const std::string& text : options.expectations) {
    absl::StatusOr<Expectation> expectation = Expectation::Parse(text);
    if (!expectation.ok()) return expectation.status();
    setup->expectations.push_back(*std::move(expectation));
  }
  if (!options.inputs.empty()) {
    absl::StatusOr<InputFile> file = InputFile::Open(options.inputs);
    if (!file.ok()) return file.status();
    setup->input_file = *std::move(file);
    std::error_code ignored;  // A file that isn't there yet is another one.
    if (std::filesystem::equivalent(options.inputs, options.record, ignored)) {
      return absl::InvalidArgumentError(
          "--record would overwrite the file of --inputs");
    }
  }
  absl::Status status = LoadPack(options, arguments, *setup, console);
  if (!status.ok()) return status;
  status = SelectInputs(options, *setup);
  if (!status.ok()) return status;
  return setup;
}

// Steps to the end, through a recorder where there is one.
class Run {
 public:
  Run(Setup& setup, const Options& options, Console& console)
      : setup_(setup), options_(options), console_(console) {}

  absl::StatusOr<Result> Make() {
    absl::Status status = StartRecording();
    if (!status.ok()) return status;
    const auto start = std::chrono::steady_clock::now();
    status = StepAll();
    if (!status.ok()) return status;
    result_.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
            .count();
    if (recorder_) {
      status = recorder_->Finish();
      if (!status.ok()) return OutputError(status);
    }
    result_.root = setup_.simulation->state().ComputeRootDigest();
    return std::move(result_);
  }

 private:
  absl::Status StartRecording() {
    if (options_.record.empty()) return absl::OkStatus();
    absl::StatusOr<std::unique_ptr<replays::FileSink>> sink =
        replays::FileSink::Create(options_.record);
    if (!sink.ok()) return sink.status();
    replays::ReplayWriterOptions writer_options;
    writer_options.keyframe_stride =
        options_.keyframe_stride.value_or(writer_options.keyframe_stride);
    absl::StatusOr<std::unique_ptr<replays::ReplayWriter>> writer =
        replays::ReplayWriter::Create(*std::move(sink), *setup_.simulation,
                                      setup_.pack, writer_options);
    if (!writer.ok()) return OutputError(writer.status());
    writer_ = *std::move(writer);
    recorder_.emplace(setup_.simulation.get(), writer_.get());
    return absl::OkStatus();
  }

  absl::Status StepAll() {
    sim::Simulation& simulation = *setup_.simulation;
    ProgressBar progress(console_, "running", setup_.tick_count);
    NoteDigest();
    while (simulation.tick() < setup_.tick_count && !has_ended()) {
      const sim::Tick tick = simulation.tick();
      const auto frames = setup_.source().FramesAt(tick);
      if (!frames.ok()) return frames.status();
      const absl::Status status = Step(*frames);
      if (!status.ok()) return WithTick(status, tick);
      NoteDigest();
      progress.Update(simulation.tick());
    }
    return absl::OkStatus();
  }

  bool has_ended() const {
    return setup_.stops_at_outcome && setup_.simulation->outcome().status !=
                                          sim::Outcome::Status::kRunning;
  }

  absl::Status Step(std::span<const sim::InputFrame> frames) {
    if (recorder_) {
      const absl::Status status = recorder_->Step(frames);
      if (!recorder_->recording_status().ok()) return OutputError(status);
      if (!status.ok()) return status;
      result_.event_count += recorder_->DrainEvents().size();
      return absl::OkStatus();
    }
    const absl::Status status = setup_.simulation->Validate(frames);
    if (!status.ok()) return status;
    setup_.simulation->Step(frames, /*observer=*/nullptr);
    result_.event_count += setup_.simulation->DrainEvents().size();
    return absl::OkStatus();
  }

  void NoteDigest() {
    if (!options_.digests) return;
    result_.roots.push_back(
        recorder_ ? recorder_->root()
                  : setup_.simulation->state().ComputeRootDigest());
  }

  Setup& setup_;
  const Options& options_;
  Console& console_;
  std::unique_ptr<replays::ReplayWriter> writer_;
  std::optional<replays::Recorder> recorder_;
  Result result_;
};

void PrintHuman(const Options& options, const sim::Simulation& simulation,
                const Result& result, Console& console) {
  const sim::SimulationInfo& info = simulation.info();
  std::ostream& out = console.out();
  for (size_t tick = 0; tick < result.roots.size(); ++tick) {
    fmt::print(out, "{} {}\n", tick, sim::FormatDigest(result.roots[tick]));
  }
  fmt::print(out, "pack      {} {}\n", info.pack,
             sim::FormatDigest(info.pack_digest));
  fmt::print(out, "seed      {}\n", info.seed);
  fmt::print(out, "ticks     {}\n", simulation.tick());
  fmt::print(out, "outcome   {}\n", FormatOutcome(simulation.outcome()));
  fmt::print(out, "digest    {}\n", sim::FormatDigest(result.root));
  fmt::print(out, "events    {}\n", result.event_count);
  if (!options.record.empty()) {
    fmt::print(out, "recorded  {}\n", options.record);
  }
}

void PrintJson(const Options& options, const sim::Simulation& simulation,
               const Result& result,
               const std::vector<std::string>& failed_expectations,
               Console& console) {
  const sim::SimulationInfo& info = simulation.info();
  Json document = MakeJsonDocument("run");
  document["pack"] = info.pack;
  document["pack_digest"] = sim::FormatDigest(info.pack_digest);
  document["simulation"] = info.simulation;
  document["seed"] = std::to_string(info.seed);
  document["tick_count"] = simulation.tick();
  document["outcome"] = ToJson(simulation.outcome());
  document["digest"] = sim::FormatDigest(result.root);
  document["event_count"] = result.event_count;
  if (!options.record.empty()) document["recorded"] = options.record;
  if (!options.expectations.empty()) {
    document["failed_expectations"] = failed_expectations;
  }
  if (options.digests) {
    Json digests = Json::array();
    for (const sim::Digest& root : result.roots) {
      digests.push_back(sim::FormatDigest(root));
    }
    document["digests"] = std::move(digests);
  }
  PrintJson(document, console);
}

absl::StatusOr<ExitCode> RunPack(const Options& options,
                                 const std::vector<std::string>& arguments,
                                 Console& console) {
  const absl::StatusOr<std::unique_ptr<Setup>> setup =
      Prepare(options, arguments, console);
  if (!setup.ok()) return setup.status();
  const absl::StatusOr<Result> result = Run(**setup, options, console).Make();
  if (!result.ok()) return result.status();

  const sim::Simulation& simulation = *(*setup)->simulation;
  const sim::Outcome outcome = simulation.outcome();
  std::vector<std::string> failed;
  for (const Expectation& expectation : (*setup)->expectations) {
    if (expectation.Holds(outcome.status, simulation.tick())) continue;
    failed.push_back(expectation.text());
    console.Error(fmt::format("expected {}; tick {}, {}", expectation.text(),
                              simulation.tick(), FormatOutcome(outcome)));
  }
  if (options.format.is_json()) {
    PrintJson(options, simulation, *result, failed, console);
  } else {
    PrintHuman(options, simulation, *result, console);
  }
  const double simulated_seconds =
      static_cast<double>(simulation.tick()) * simulation.info().tick_rate.dt();
  if (simulation.tick() > 0) {
    console.Note(fmt::format(
        "{} ticks in {:.3f} s: {:.0f} ticks/s, {:.1f} times real time",
        simulation.tick(), result->seconds,
        static_cast<double>(simulation.tick()) / result->seconds,
        simulated_seconds / result->seconds));
  }
  return failed.empty() ? ExitCode::kOk : ExitCode::kDifferent;
}

std::vector<Flag> MakeFlags(Options& options) {
  return {
      {"simulation", "NAME",
       "The simulation to run the pack in. If unset, the one that the replay "
       "of --inputs or the pack's manifest names.",
       &options.simulation},
      {"seed", "N",
       "Everything random follows from it. If unset, the seed of the replay "
       "that --inputs names, or 0.",
       &options.seed},
      {"ticks", "N", "Make exactly this many ticks.", &options.ticks},
      {"inputs", "FILE", "Play this input track (text) or replay.",
       &options.inputs},
      {"random-inputs", "SEED",
       "Play random inputs, drawn from the pack's actions.",
       &options.random_inputs},
      {"change-input", "TICK:PLAYER:ACTION=VALUE",
       "At this tick alone, let this player's axis be at VALUE (-32767 to "
       "32767) or this button be held (1) or not (0). May be repeated.",
       &options.input_changes},
      {"record", "FILE", "Record the run as a replay.", &options.record},
      {"keyframe-stride", "TICKS",
       "Ticks between two whole states in the recording; 0: none. 600 if "
       "unset.",
       &options.keyframe_stride},
      {"expect", "EXPRESSION",
       "Fail unless this holds at the end: `outcome == won` (running, lost; "
       "!=), `tick <= 900` (== != < > >=). May be repeated.",
       &options.expectations},
      {"digests", "", "Print every tick and its digest first.",
       &options.digests},
      options.format.flag(),
  };
}

}  // namespace

Command MakeRunCommand() {
  const auto options = std::make_shared<Options>();
  Command command;
  command.name = "run";
  command.summary = "Steps a pack to an end";
  command.description =
      "PACK is a folder, a packed pack, or the name of one in $REPRISE_PACKS "
      "(sim/packs if unset). It may be left out where --inputs is a replay, "
      "which holds its pack. The inputs of a file are played to their end; "
      "other runs end when the game is won or lost, or after 3600 ticks.";
  command.arguments = {"[PACK]", 0, 1};
  command.flags = MakeFlags(*options);
  command.examples = {
      {"Play a committed track, and fail unless it wins",
       "reprise run marble --inputs sim/packs/tracks/marble_course.txtpb "
       "--expect 'outcome == won'"},
      {"Record random inputs",
       "reprise run marble --random-inputs 7 --record "
       "random.mcap"},
      {"Play a replay with one input changed",
       "reprise run --inputs game.mcap --change-input 600:0:roll_x=-12000 "
       "--record changed.mcap"},
  };
  command.run = [options](const std::vector<std::string>& arguments,
                          Console& console) {
    return RunPack(*options, arguments, console);
  };
  return command;
}

}  // namespace reprise::tools
