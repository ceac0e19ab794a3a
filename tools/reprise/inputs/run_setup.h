// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What `reprise run` needs before its first tick: a simulation, at tick 0 or
// where a recording goes on, and the inputs from there on.

#ifndef REPRISE_TOOLS_REPRISE_INPUTS_RUN_SETUP_H_
#define REPRISE_TOOLS_REPRISE_INPUTS_RUN_SETUP_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "replays/format/input_source.h"
#include "replays/format/replay_reader.h"
#include "replays/playing/replay_player.h"
#include "replays/playing/spliced_input_source.h"
#include "replays/recording/resumed_recording.h"
#include "replays/tracks/input_track.h"
#include "sim/bots/bot_players.h"
#include "sim/pack_archive.h"
#include "sim/script/script_machine.h"
#include "sim/simulation.h"
#include "tools/reprise/inputs/bot_seats.h"
#include "tools/reprise/inputs/changed_input_source.h"
#include "tools/reprise/inputs/expectation.h"
#include "tools/reprise/inputs/input_selection.h"
#include "tools/reprise/inputs/recording_flags.h"
#include "tools/reprise/inputs/way_search.h"
#include "tools/reprise/terminal/console.h"

namespace reprise::tools {

struct RunOptions {
  std::string simulation;
  std::optional<uint64_t> seed;
  std::optional<uint64_t> ticks;
  std::string inputs;
  std::optional<uint64_t> random_inputs;
  BotFlags bots;
  GoalFlags goal;
  std::vector<std::string> input_changes;
  std::string from;
  std::optional<uint64_t> at;
  std::string continued;
  std::string record;
  RecordingFlags recording;
  std::vector<std::string> expectations;
  bool counts_scripts = false;
};

// Members are in the order in which they need each other.
struct RunSetup {
  std::optional<InputFile> input_file;
  std::unique_ptr<replays::ReplayReader> parent;  // of --from
  sim::PackArchive pack;                          // of a run from tick 0 on
  // One of these three holds the simulation.
  std::unique_ptr<sim::Simulation> fresh;
  std::unique_ptr<replays::ReplayPlayer> player;
  std::unique_ptr<replays::ResumedRecording> resumed;
  replays::InputTrack way;  // of a search; else empty
  std::unique_ptr<replays::InputSource> inputs;
  std::unique_ptr<replays::InputSource> past_inputs;     // may be null
  std::unique_ptr<replays::InputSource> spliced_inputs;  // may be null
  std::unique_ptr<replays::InputSource> changed_inputs;  // may be null
  // Who plays the players whose frames of the inputs don't count; may be null.
  std::unique_ptr<sim::BotPlayers> bots;
  sim::Tick first_tick = 0;
  sim::Tick tick_count = 0;  // where the run ends
  bool stops_at_outcome = false;
  std::optional<sim::Tick> last_change;  // of --change-input
  std::vector<Expectation> expectations;
  // Why there is nothing to run: no way was found. Empty: there is.
  std::string goal_failure;
  // The file that is recorded into, and its name once it is finished; empty
  // without. One that is continued is called `continued` until the run starts.
  std::string recording;
  std::string recorded;
  std::string continued;

  // What counts the scripts of the pack and of its bots so far, where that was
  // asked for. They live as long as this.
  std::vector<const sim::ScriptMachine*> ScriptMachines();

  sim::Simulation& simulation();
  replays::InputSource& source();

  // What is given at `tick`, with the frames of bots, who decide it, in the
  // place of their players'. The span lives until the next call. Errors and
  // requirements are those of InputSource::FramesAt.
  absl::StatusOr<std::span<const sim::InputFrame>> FramesAt(sim::Tick tick);

  std::vector<sim::InputFrame> frames;  // of the tick that bots decided last
};

// What happened to the machine is no fault of the input.
absl::Status OutputError(const absl::Status& status);

// `arguments` holds a pack, or nothing. INVALID_ARGUMENT: flags that contradict
// each other or the pack; other errors are those of packs, inputs, recordings
// and files. A branch that is recorded is begun here; a recording that goes on
// is locked, and stays as it is.
absl::StatusOr<std::unique_ptr<RunSetup>> PrepareRun(
    const RunOptions& options, const std::vector<std::string>& arguments,
    Console& console);

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_INPUTS_RUN_SETUP_H_
