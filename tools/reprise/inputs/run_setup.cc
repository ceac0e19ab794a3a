// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/inputs/run_setup.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <system_error>
#include <utility>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "replays/comparing/capsule.h"
#include "replays/container/partial_file.h"
#include "sim/input/input_grammar.h"
#include "sim/systems/scripts/script_system.h"
#include "tools/reprise/inputs/pack_location.h"

namespace reprise::tools {
namespace {

// One minute at the default rate: long enough to see a game go wrong.
constexpr uint64_t kDefaultTickCount = 3600;

bool IsSameFile(const std::string& a, const std::string& b) {
  std::error_code ignored;  // A file that isn't there yet is another one.
  return std::filesystem::equivalent(a, b, ignored);
}

// A search begins with the game, and plays alone.
absl::Status CheckGoal(const RunOptions& options) {
  const absl::StatusOr<std::vector<uint32_t>> players =
      PlayersTowards(options.bots);
  if (!players.ok()) return players.status();
  if (players->empty()) {
    if (!options.goal.is_set()) return absl::OkStatus();
    return absl::InvalidArgumentError(
        "--goal, --nearer and --goal-ticks are for --bot PLAYER:towards");
  }
  if (options.goal.goal.empty()) {
    return absl::InvalidArgumentError("--bot PLAYER:towards needs --goal");
  }
  if (!options.inputs.empty() || options.random_inputs ||
      !options.from.empty() || !options.continued.empty() ||
      !options.input_changes.empty()) {
    return absl::InvalidArgumentError(
        "--bot PLAYER:towards goes with none of --inputs, --random-inputs, "
        "--change-input, --from and --continue");
  }
  return absl::OkStatus();
}

absl::Status CheckFlags(const RunOptions& options) {
  const bool goes_on = !options.from.empty() || !options.continued.empty();
  if (!options.inputs.empty() && options.random_inputs) {
    return absl::InvalidArgumentError(
        "--inputs and --random-inputs exclude each other");
  }
  if (options.bots.all && options.random_inputs) {
    return absl::InvalidArgumentError(
        "--bots and --random-inputs exclude each other");
  }
  if (!options.from.empty() && !options.continued.empty()) {
    return absl::InvalidArgumentError(
        "--from and --continue exclude each other");
  }
  if (options.at && options.from.empty()) {
    return absl::InvalidArgumentError("--at needs --from");
  }
  if (goes_on && (options.seed || !options.simulation.empty())) {
    return absl::InvalidArgumentError(
        "--seed and --simulation are those of the recording that goes on");
  }
  if (goes_on && options.recording.has_writer_flag()) {
    return absl::InvalidArgumentError(
        "what is recorded, and how often, is as in the recording that goes on");
  }
  const absl::Status status = CheckGoal(options);
  if (!status.ok()) return status;
  std::error_code ignored;  // What can't be looked at can't be written either.
  if (std::filesystem::is_directory(options.record, ignored)) {
    return absl::InvalidArgumentError(
        fmt::format("--record names a file; {} is a folder", options.record));
  }
  if (!options.continued.empty() && !options.record.empty()) {
    return absl::InvalidArgumentError("--continue records into its own file");
  }
  if (!options.continued.empty() && !options.input_changes.empty()) {
    return absl::InvalidArgumentError(
        "--change-input needs --from, --inputs or --random-inputs");
  }
  for (const auto& [flag, path] : {std::pair("--inputs", options.inputs),
                                   std::pair("--from", options.from)}) {
    if (path.empty() || options.record.empty()) continue;
    if (IsSameFile(path, options.record) ||
        IsSameFile(path, replays::PartialPath(options.record))) {
      return absl::InvalidArgumentError(
          fmt::format("--record would overwrite the file of {}", flag));
    }
  }
  if (!options.continued.empty() &&
      IsSameFile(options.inputs, replays::PathNow(options.continued))) {
    return absl::InvalidArgumentError(
        "--continue would overwrite the file of --inputs");
  }
  return absl::OkStatus();
}

// Takes a world whose scripts are counted in the place of `setup.fresh`, where
// it has scripts.
void CountFromTheStart(RunSetup& setup) {
  std::unique_ptr<sim::Simulation> counted = sim::BeginAgain(
      *setup.fresh, [](sim::Scripts& scripts) { scripts.CountScripts(); });
  if (counted != nullptr) setup.fresh = std::move(counted);
}

// Counts the scripts of a simulation that goes on, and those of bots.
absl::Status CountScripts(RunSetup& setup) {
  if (setup.fresh == nullptr) {
    sim::Scripts* const scripts = sim::FindScripts(setup.simulation());
    if (scripts != nullptr) scripts->CountScripts();
  }
  if (setup.bots != nullptr) setup.bots->CountScripts();
  if (!setup.ScriptMachines().empty()) return absl::OkStatus();
  return absl::InvalidArgumentError(fmt::format(
      "--script-coverage, --script-profile: nothing in {} that would run has a "
      "script",
      setup.simulation().info().pack));
}

// The simulation of a run from tick 0 on.
absl::Status StartFresh(const RunOptions& options,
                        const std::vector<std::string>& arguments,
                        RunSetup& setup) {
  const replays::ReplayReader* const replay =
      setup.input_file ? setup.input_file->replay() : nullptr;
  if (arguments.empty() && replay == nullptr) {
    return absl::InvalidArgumentError(
        "no pack to run: only a replay brings one along");
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
  if (!simulation.ok()) {
    return arguments.empty() ? simulation.status()
                             : WithPackName(simulation.status(),
                                            arguments.front(), setup.pack);
  }
  setup.fresh = *std::move(simulation);
  if (options.counts_scripts) CountFromTheStart(setup);
  return absl::OkStatus();
}

// What a recorder left that was killed is not written over. Of one that lives
// the file itself tells.
absl::Status CheckNothingUnfinished(const RunSetup& setup) {
  std::error_code ignored;
  if (setup.recording == setup.recorded ||
      !std::filesystem::exists(setup.recording, ignored) ||
      replays::IsBeingWritten(setup.recording).value_or(false)) {
    return absl::OkStatus();
  }
  return absl::AlreadyExistsError(
      fmt::format("{} is there, the start of another recording: --continue "
                  "goes on with it, or remove it",
                  setup.recording));
}

// The simulation at the tick where it leaves a replay.
absl::Status StartBranch(const RunOptions& options,
                         const sim::PackArchive* pack, RunSetup& setup) {
  absl::StatusOr<std::unique_ptr<replays::ReplayReader>> parent =
      replays::ReplayReader::OpenFile(options.from);
  if (!parent.ok()) return parent.status();
  setup.parent = *std::move(parent);
  const sim::Tick tick = options.at.value_or(setup.parent->tick_count());
  if (tick > setup.parent->tick_count()) {
    return absl::InvalidArgumentError(fmt::format(
        "{} ends at tick {}", options.from, setup.parent->tick_count()));
  }
  if (options.ticks && *options.ticks < tick) {
    return absl::InvalidArgumentError(fmt::format(
        "--ticks {}: the branch starts at tick {}", *options.ticks, tick));
  }
  setup.first_tick = tick;
  if (options.record.empty()) {
    absl::StatusOr<std::unique_ptr<replays::ReplayPlayer>> player =
        replays::ReplayPlayer::Create(setup.parent.get(), pack);
    if (!player.ok()) return player.status();
    setup.player = *std::move(player);
    return setup.player->SeekTo(tick);
  }
  absl::StatusOr<std::unique_ptr<replays::FileSink>> sink =
      replays::FileSink::Create(setup.recording,
                                options.recording.durability());
  if (!sink.ok()) return sink.status();
  absl::StatusOr<std::unique_ptr<replays::ResumedRecording>> resumed =
      replays::ResumedRecording::Branch(
          *setup.parent,
          std::filesystem::path(options.from).filename().string(), tick,
          *std::move(sink), pack);
  if (!resumed.ok()) return resumed.status();
  setup.resumed = *std::move(resumed);
  return absl::OkStatus();
}

absl::Status StartAtTheEnd(const RunOptions& options,
                           const sim::PackArchive* pack, RunSetup& setup) {
  const std::string path = replays::PathNow(options.continued);
  setup.recorded = replays::FinishedPath(path);
  setup.recording = replays::PartialPath(setup.recorded);
  std::error_code ignored;
  if (path != setup.recording &&
      std::filesystem::exists(setup.recording, ignored)) {
    return absl::AlreadyExistsError(
        fmt::format("{} is there, too, and wants to be finished under the "
                    "same name: continue or remove that",
                    setup.recording));
  }
  // What can't be read is told by what follows.
  const auto whole = replays::ReplayReader::OpenFile(path);
  if (whole.ok() && replays::IsCapsule(**whole)) {
    return absl::InvalidArgumentError(fmt::format(
        "{} is a capsule of a failure, and isn't written over; --from plays on "
        "into another file",
        path));
  }
  absl::StatusOr<std::unique_ptr<replays::ResumedRecording>> resumed =
      replays::ResumedRecording::Continue(path, pack,
                                          options.recording.durability());
  if (!resumed.ok()) return resumed.status();
  setup.resumed = *std::move(resumed);
  setup.continued = path;
  setup.first_tick = setup.resumed->simulation().tick();
  return absl::OkStatus();
}

absl::Status StartSimulation(const RunOptions& options,
                             const std::vector<std::string>& arguments,
                             RunSetup& setup) {
  if (options.from.empty() && options.continued.empty()) {
    return StartFresh(options, arguments, setup);
  }
  std::optional<sim::PackArchive> pack;
  if (!arguments.empty()) {
    absl::StatusOr<sim::PackArchive> opened = OpenPack(arguments.front());
    if (!opened.ok()) return opened.status();
    pack = *std::move(opened);
  }
  const sim::PackArchive* const given = pack ? &*pack : nullptr;
  return options.from.empty() ? StartAtTheEnd(options, given, setup)
                              : StartBranch(options, given, setup);
}

// A recording that goes on becomes no shorter, and a branch has ticks.
absl::Status CheckLength(const RunOptions& options, const RunSetup& setup) {
  const sim::Tick recorded = setup.first_tick;
  const std::optional<sim::Tick> inputs_end = setup.inputs->tick_count();
  if (!setup.continued.empty() && options.ticks &&
      (*options.ticks < recorded ||
       (*options.ticks == recorded && !setup.input_file &&
        !options.random_inputs))) {
    return absl::InvalidArgumentError(
        fmt::format("--ticks {}: {} has {} ticks already, and can only go on",
                    *options.ticks, setup.continued, recorded));
  }
  if (!options.ticks && inputs_end && *inputs_end < recorded) {
    const std::string reason =
        setup.continued.empty()
            ? fmt::format("the branch starts at tick {}", recorded)
            : fmt::format("{} has {} ticks already, and can only go on",
                          setup.continued, recorded);
    return absl::InvalidArgumentError(fmt::format(
        "{} ends at tick {}: {}", options.inputs, *inputs_end, reason));
  }
  return absl::OkStatus();
}

absl::Status ChangeInputs(const RunOptions& options, RunSetup& setup) {
  std::vector<InputChange> changes;
  for (const std::string& text : options.input_changes) {
    absl::StatusOr<InputChange> change = ParseInputChange(text);
    if (!change.ok()) return change.status();
    if (change->tick < setup.first_tick) {
      return absl::InvalidArgumentError(fmt::format(
          "'{}': the run starts at tick {}", text, setup.first_tick));
    }
    if (change->tick >= setup.tick_count) {
      return absl::InvalidArgumentError(
          fmt::format("'{}': the run ends at tick {}", text, setup.tick_count));
    }
    setup.last_change = std::max(setup.last_change.value_or(0), change->tick);
    changes.push_back(*std::move(change));
  }
  if (changes.empty()) return absl::OkStatus();
  // What players hold where the run starts follows from all ticks before.
  replays::InputSource* original = setup.inputs.get();
  if (setup.parent != nullptr) {
    setup.past_inputs = setup.parent->ReadInputs();
    setup.spliced_inputs = std::make_unique<replays::SplicedInputSource>(
        setup.past_inputs.get(), setup.inputs.get(), setup.first_tick);
    original = setup.spliced_inputs.get();
  }
  auto changed = ChangedInputSource::Create(
      original, setup.simulation().info().inputs, changes);
  if (!changed.ok()) return changed.status();
  setup.changed_inputs = *std::move(changed);
  for (sim::Tick tick = 0; tick < setup.first_tick; ++tick) {
    const auto frames = setup.changed_inputs->FramesAt(tick);
    if (!frames.ok()) return frames.status();
  }
  return absl::OkStatus();
}

// Inputs of a file go before bots; bots before what a branch would go on with,
// and before random inputs.
absl::Status SelectBots(const RunOptions& options, RunSetup& setup) {
  if (!options.bots.is_set()) return absl::OkStatus();
  std::set<uint32_t> taken;
  if (setup.input_file) {
    const std::unique_ptr<replays::InputSource> inputs =
        setup.input_file->Read();
    absl::StatusOr<std::set<uint32_t>> players = PlayersOf(*inputs);
    if (!players.ok()) return players.status();
    taken = *std::move(players);
  }
  absl::StatusOr<std::unique_ptr<sim::BotPlayers>> bots =
      SeatBots(setup.simulation(), options.bots, taken, options.inputs);
  if (!bots.ok()) return bots.status();
  setup.bots = *std::move(bots);
  for (const std::string& text : options.input_changes) {
    const absl::StatusOr<InputChange> change = ParseInputChange(text);
    if (change.ok() && setup.bots->Plays(change->player)) {
      return absl::InvalidArgumentError(fmt::format(
          "--change-input '{}': a bot plays player {}", text, change->player));
    }
  }
  return absl::OkStatus();
}

// Searches a way to --goal, and plays it to its end.
absl::Status SelectWay(const RunOptions& options,
                       const std::vector<uint32_t>& players, RunSetup& setup,
                       Console& console) {
  absl::StatusOr<replays::InputTrack> way =
      SearchWay(setup.simulation(), options.goal, players, console);
  if (absl::IsNotFound(way.status())) {
    setup.goal_failure = std::string(way.status().message());
    return absl::OkStatus();
  }
  if (!way.ok()) return way.status();
  setup.way = *std::move(way);
  setup.inputs = std::make_unique<replays::TrackInputSource>(&setup.way);
  setup.tick_count = options.ticks.value_or(setup.way.tick_count);
  return absl::OkStatus();
}

absl::Status SelectInputs(const RunOptions& options, RunSetup& setup,
                          Console& console) {
  const absl::StatusOr<std::vector<uint32_t>> towards =
      PlayersTowards(options.bots);
  if (!towards.ok()) return towards.status();
  if (!towards->empty()) return SelectWay(options, *towards, setup, console);
  if (setup.input_file) {
    setup.inputs = setup.input_file->Read();
  } else if (options.random_inputs) {
    setup.inputs = MakeRandomInputs(setup.simulation().info().inputs,
                                    *options.random_inputs);
  } else if (setup.parent != nullptr) {
    setup.inputs = setup.parent->ReadInputs(setup.first_tick);
  } else {
    setup.inputs = std::make_unique<replays::IdleInputSource>();
  }
  absl::Status status = CheckLength(options, setup);
  if (!status.ok()) return status;
  status = SelectBots(options, setup);
  if (!status.ok()) return status;
  std::optional<sim::Tick> inputs_end = setup.inputs->tick_count();
  // Bots play to the end, however long the recording was that they leave.
  if (setup.bots != nullptr && !setup.input_file) inputs_end.reset();
  setup.tick_count = options.ticks.value_or(
      inputs_end.value_or(setup.first_tick + kDefaultTickCount));
  setup.stops_at_outcome = !inputs_end && !options.ticks;
  return ChangeInputs(options, setup);
}

}  // namespace

std::vector<const sim::ScriptMachine*> RunSetup::ScriptMachines() {
  std::vector<const sim::ScriptMachine*> machines;
  if (bots != nullptr) machines = bots->counting_machines();
  if (const sim::Scripts* const scripts = sim::FindScripts(simulation())) {
    const auto counting = scripts->counting_machines();
    machines.insert(machines.end(), counting.begin(), counting.end());
  }
  return machines;
}

sim::Simulation& RunSetup::simulation() {
  if (resumed != nullptr) return resumed->simulation();
  return player != nullptr ? player->simulation() : *fresh;
}

replays::InputSource& RunSetup::source() {
  return changed_inputs != nullptr ? *changed_inputs : *inputs;
}

absl::StatusOr<std::span<const sim::InputFrame>> RunSetup::FramesAt(
    sim::Tick tick) {
  const auto given = source().FramesAt(tick);
  if (!given.ok() || bots == nullptr) return given;
  frames = bots->Decide(simulation());
  for (const sim::InputFrame& frame : *given) {
    if (!bots->Plays(frame.player)) frames.push_back(frame);
  }
  // A total order: a player has one frame.
  std::ranges::sort(frames, {}, &sim::InputFrame::player);
  return std::span<const sim::InputFrame>(frames);
}

absl::Status OutputError(const absl::Status& status) {
  return absl::UnavailableError(std::string(status.message()));
}

absl::StatusOr<std::unique_ptr<RunSetup>> PrepareRun(
    const RunOptions& options, const std::vector<std::string>& arguments,
    Console& console) {
  auto setup = std::make_unique<RunSetup>();
  absl::Status status = CheckFlags(options);
  if (!status.ok()) return status;
  if (!options.inputs.empty()) {
    absl::StatusOr<InputFile> file = InputFile::Open(options.inputs);
    if (!file.ok()) return file.status();
    setup->input_file = *std::move(file);
  }
  if (!options.record.empty()) {
    setup->recorded = options.record;
    setup->recording = replays::UnfinishedPath(options.record);
    status = CheckNothingUnfinished(*setup);
    if (!status.ok()) return status;
  }
  status = StartSimulation(options, arguments, *setup);
  if (status.ok()) status = SelectInputs(options, *setup, console);
  if (status.ok() && options.counts_scripts) status = CountScripts(*setup);
  if (!status.ok()) return status;
  for (const std::string& text : options.expectations) {
    absl::StatusOr<Expectation> expectation =
        Expectation::Parse(text, setup->simulation());
    if (!expectation.ok()) return expectation.status();
    setup->expectations.push_back(*std::move(expectation));
  }
  const std::string& pack_name = setup->simulation().info().pack;
  if (setup->input_file && !setup->input_file->pack().empty() &&
      setup->input_file->pack() != pack_name) {
    console.Warning(fmt::format("the inputs in {} were made for the pack {}",
                                options.inputs, setup->input_file->pack()));
  }
  return setup;
}

}  // namespace reprise::tools
