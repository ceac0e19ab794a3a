// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// `reprise run`: steps a pack to an end, and records it where asked.

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
#include "sim/base/digest.h"
#include "sim/bots/bot_players.h"
#include "sim/script/script_machine.h"
#include "sim/simulation.h"
#include "sim/world/objects/world_log.h"
#include "tools/reprise/inputs/pack_location.h"
#include "tools/reprise/inputs/recording_flags.h"
#include "tools/reprise/inputs/replay_file.h"
#include "tools/reprise/inputs/run_setup.h"
#include "tools/reprise/reports/script_coverage.h"
#include "tools/reprise/terminal/json_output.h"
#include "tools/reprise/verbs/commands.h"
#include "tools/reprise/verbs/pack_run.h"

namespace reprise::tools {
namespace {

void PrintHuman(const RunSetup& setup, const sim::Simulation& simulation,
                const PackRunResult& result, Console& console) {
  const sim::SimulationInfo& info = simulation.info();
  std::ostream& out = console.out();
  for (size_t i = 0; i < result.roots.size(); ++i) {
    fmt::print(out, "{} {}\n", setup.first_tick + i,
               sim::FormatDigest(result.roots[i]));
  }
  fmt::print(out, "pack      {} {}\n", info.pack,
             sim::FormatDigest(info.pack_digest));
  fmt::print(out, "seed      {}\n", info.seed);
  if (setup.first_tick > 0) {
    fmt::print(out, "from      tick {}\n", setup.first_tick);
  }
  if (setup.bots != nullptr) {
    std::string names;
    for (const sim::BotChoice& choice : setup.bots->choices()) {
      names += fmt::format(" {}:{}", choice.player, choice.name);
    }
    fmt::print(out, "bots     {}\n", names);
  }
  fmt::print(out, "ticks     {}\n", simulation.tick());
  fmt::print(out, "outcome   {}\n", FormatOutcome(simulation.outcome()));
  fmt::print(out, "digest    {}\n", sim::FormatDigest(result.root));
  fmt::print(out, "events    {}\n", result.event_count);
  if (!setup.recorded.empty()) {
    fmt::print(out, "recorded  {}\n", setup.recorded);
  }
}

void PrintJson(const PackRunOptions& options, const RunSetup& setup,
               const sim::Simulation& simulation, const PackRunResult& result,
               const std::vector<std::string>& failed_expectations,
               Console& console) {
  const sim::SimulationInfo& info = simulation.info();
  Json document = MakeJsonDocument("run");
  document["pack"] = info.pack;
  document["pack_digest"] = sim::FormatDigest(info.pack_digest);
  document["simulation"] = info.simulation;
  document["seed"] = std::to_string(info.seed);
  document["first_tick"] = setup.first_tick;
  document["tick_count"] = simulation.tick();
  document["outcome"] = ToJson(simulation.outcome());
  document["digest"] = sim::FormatDigest(result.root);
  document["event_count"] = result.event_count;
  if (!setup.recorded.empty()) document["recorded"] = setup.recorded;
  if (setup.bots != nullptr) {
    Json bots = Json::array();
    for (const sim::BotChoice& choice : setup.bots->choices()) {
      bots.push_back({{"player", choice.player}, {"bot", choice.name}});
    }
    document["bots"] = std::move(bots);
    document["bot_decisions"] = setup.bots->decision_count();
    document["bot_errors"] = setup.bots->error_count();
  }
  if (!options.expectations.empty() || !failed_expectations.empty()) {
    document["failed_expectations"] = failed_expectations;
  }
  if (options.events) document["events"] = result.events;
  if (options.digests) {
    Json digests = Json::array();
    for (const sim::Digest& root : result.roots) {
      digests.push_back(sim::FormatDigest(root));
    }
    document["digests"] = std::move(digests);
  }
  PrintJson(document, console);
}

// Says what of the command line came to nothing, as the game had ended before.
void WarnOfWhatWasLeft(RunSetup& setup, Console& console) {
  const sim::Tick tick = setup.simulation().tick();
  if (setup.last_change && *setup.last_change >= tick) {
    console.Warning(
        fmt::format("the input change at tick {} was not played: the game "
                    "ended at tick {}; --ticks goes on",
                    *setup.last_change, tick));
  }
  if (setup.stops_at_outcome && !setup.continued.empty() &&
      tick == setup.first_tick) {
    console.Warning(
        "no tick was added: the game had ended in the recording; --ticks goes "
        "on");
  }
}

// Where the scripts of the pack are: its folder, or else its name.
std::string FolderOfScripts(const std::vector<std::string>& arguments,
                            RunSetup& setup) {
  if (!arguments.empty()) {
    const std::string path = PathOfPack(arguments.front());
    std::error_code ignored;  // What can't be looked at is no folder.
    if (std::filesystem::is_directory(path, ignored)) return path;
  }
  return setup.simulation().info().pack;
}

// Writes what scripts did, where that was asked for.
absl::Status WriteScriptCounts(const PackRunOptions& options,
                               const std::string& folder, RunSetup& setup) {
  ScriptCoverage coverage;
  for (const sim::ScriptMachine* const machine : setup.ScriptMachines()) {
    coverage.Add(folder, *machine);
  }
  absl::Status status;
  if (!options.script_coverage.empty()) {
    status = WriteScriptCoverage(coverage, options.script_coverage);
  }
  if (status.ok() && !options.script_profile.empty()) {
    status = WriteScriptProfile(coverage, options.script_profile);
  }
  return status;
}

absl::StatusOr<ExitCode> RunPack(const PackRunOptions& options,
                                 const std::vector<std::string>& arguments,
                                 Console& console) {
  if (!options.log.empty() && !sim::LogLevelOf(options.log).has_value()) {
    return absl::InvalidArgumentError(fmt::format(
        "--log: '{}' is not debug, info, warning or error", options.log));
  }
  const absl::StatusOr<std::unique_ptr<RunSetup>> setup =
      PrepareRun(options, arguments, console);
  if (!setup.ok()) return setup.status();
  if ((*setup)->parent != nullptr) {
    WarnOfDamage(options.from, *(*setup)->parent, console);
  }
  if ((*setup)->input_file && (*setup)->input_file->replay() != nullptr) {
    WarnOfDamage(options.inputs, *(*setup)->input_file->replay(), console);
  }
  if (!(*setup)->goal_failure.empty()) {
    console.Error((*setup)->goal_failure);
    return ExitCode::kDifferent;
  }
  const absl::StatusOr<PackRunResult> result =
      MakePackRun(**setup, options, console);
  if (!result.ok()) return result.status();

  if (options.counts_scripts) {
    const absl::Status status = WriteScriptCounts(
        options, FolderOfScripts(arguments, **setup), **setup);
    if (!status.ok()) return status;
  }
  WarnOfWhatWasLeft(**setup, console);
  if ((*setup)->bots != nullptr && (*setup)->bots->error_count() > 0) {
    console.Warning(fmt::format("{} of {} decisions of bots came to nothing",
                                (*setup)->bots->error_count(),
                                (*setup)->bots->decision_count()));
  }
  if (result->flood.is_found()) console.Warning(result->flood.Format());
  const sim::Simulation& simulation = (*setup)->simulation();
  std::vector<std::string> failed;
  if ((*setup)->expectations.empty() &&
      simulation.outcome().status == sim::Outcome::Status::kLost) {
    console.Error("the game is lost (--expect 'outcome == lost' takes that)");
    failed.push_back("outcome != lost");
  }
  for (const Expectation& expectation : (*setup)->expectations) {
    const std::optional<std::string> failure =
        expectation.DescribeFailure(simulation, result->last_events);
    if (!failure) continue;
    failed.push_back(expectation.text());
    console.Error(fmt::format("expected {}; {}", expectation.text(), *failure));
  }
  if (options.format.is_json()) {
    PrintJson(options, **setup, simulation, *result, failed, console);
  } else {
    PrintHuman(**setup, simulation, *result, console);
  }
  const sim::Tick ticks = simulation.tick() - (*setup)->first_tick;
  if (ticks > 0) {
    const double ticks_per_second =
        static_cast<double>(ticks) / result->seconds;
    console.Note(fmt::format(
        "{} ticks in {:.3f} s: {:.0f} ticks/s, {:.1f} times real time", ticks,
        result->seconds, ticks_per_second,
        ticks_per_second * simulation.info().tick_rate.dt()));
  }
  return failed.empty() ? ExitCode::kOk : ExitCode::kDifferent;
}

std::vector<Flag> MakeFlags(PackRunOptions& options) {
  std::vector<Flag> flags = {
      {"simulation", "NAME",
       "The simulation to run the pack in. If unset, the one that the replay "
       "of --inputs or the pack's manifest names.",
       &options.simulation},
      {"seed", "N",
       "Everything random follows from it. If unset, the seed of the replay "
       "that --inputs names, or 0.",
       &options.seed},
      {"ticks", "N",
       "End the run at this tick, counted from the start of the game, even if "
       "the game is won or lost before. Behind the last one of the recording, "
       "where one goes on.",
       &options.ticks},
      {"inputs", "FILE",
       "Play this input track (text), CSV, JSON lines or replay.",
       &options.inputs},
      {"random-inputs", "SEED",
       "Play random inputs, drawn from the pack's actions.",
       &options.random_inputs},
      {"bots", "",
       "Let the pack's bots play all players that --inputs has nothing of, but "
       "those in reserve.",
       &options.bots.all},
      {"bot", "PLAYER:NAME",
       "Let this bot of the pack, or this native one, play the player. May be "
       "repeated.",
       &options.bots.named},
      {"goal", "EXPRESSION",
       "With --bot PLAYER:towards, which is in no pack: search inputs of that "
       "player after which this holds, by going on from states that were new, "
       "and play them. The other players do nothing.",
       &options.goal.goal},
      {"nearer", "EXPRESSION",
       "A number that grows on the way to --goal. What the pack's `fuzzing` "
       "says leads the search, too. May be repeated.",
       &options.goal.nearer},
      {"goal-ticks", "N",
       "Give up the search after so many ticks. 2000000 if unset.",
       &options.goal.ticks},
      {"change-input", "TICK:PLAYER:ACTION=VALUE",
       "At this tick alone, let this player's axis be at VALUE (-32767 to "
       "32767), this button or key be held (1) or not (0), the pointer, mouse "
       "or wheel be at or go by X,Y, the touches be ID,X,Y,PRESSURE;..., the "
       "sensor feel six numbers, or this text be entered; or let the player "
       "give this command: values with commas between, @FILE for a text's "
       "contents. May be repeated.",
       &options.input_changes},
      {"from", "FILE",
       "Start within this replay, at --at, and leave it there: a branch. Its "
       "own inputs go on unless others are given.",
       &options.from},
      {"at", "TICK", "Where the branch starts. The end of the replay if unset.",
       &options.at},
      {"continue", "FILE",
       "Go on with this recording, or with FILE.partial, in its own file, "
       "behind the last tick that it holds. The file is locked, and called "
       "FILE.partial until it is finished. Ticks behind its last whole chunk "
       "are played again; the file stays as it is until their chunk is full or "
       "the run ends. Then it takes the place of what was there.",
       &options.continued},
      {"record", "FILE",
       "Record the run as a replay. Until it is finished, the file is called "
       "FILE.partial, which must not be there yet; then it replaces a FILE "
       "that was there, and says so.",
       &options.record}};
  const std::vector<Flag> recording = MakeRecordingFlags(options.recording);
  flags.insert(flags.end(), recording.begin(), recording.end());
  flags.insert(
      flags.end(),
      {{"expect", "EXPRESSION",
        "Fail unless this holds at the end, as `reprise query` means it: "
        "`outcome == won`, `tick <= 900 and player.bodies.position.y > 0`. May "
        "be repeated.",
        &options.expectations},
       {"log", "LEVEL",
        "Show what scripts say, of this level and above: debug, info, warning "
        "or error.",
        &options.log},
       {"script-coverage", "FILE",
        "Write how often each line and branch of the pack's scripts ran, those "
        "of bots included, as a tracefile of lcov. It changes nothing of the "
        "run, and makes scripts slower.",
        &options.script_coverage},
       {"script-profile", "FILE",
        "Write how many instructions each line of these scripts ran, the "
        "costliest first: the same for the same run. As slow.",
        &options.script_profile},
       {"events", "",
        "Print what happens, as it does: tick, type, object and arguments, as "
        "`reprise cat --events` has them of a recording.",
        &options.events},
       {"digests", "", "Print every tick and its digest first.",
        &options.digests},
       options.format.flag()});
  return flags;
}

}  // namespace

Command MakeRunCommand() {
  const auto options = std::make_shared<PackRunOptions>();
  Command command;
  command.name = "run";
  command.summary = "Steps a pack to an end";
  command.description =
      "PACK is a folder, a packed pack, or the name of one in $REPRISE_PACKS "
      "(sim/packs if unset). It may be left out where --inputs, --from or "
      "--continue is a replay that holds its pack. The inputs of a file are "
      "played to their end, and --ticks says how far to go; other runs end "
      "when "
      "the game is won or lost, or 3600 ticks after they start. A lost game is "
      "exit code 1, unless --expect says what is expected.";
  command.arguments = {"[PACK]", 0, 1};
  command.flags = MakeFlags(*options);
  command.examples = {
      {"Play a committed track, and fail unless it wins",
       "reprise run marble --inputs sim/packs/tracks/marble_course.txtpb "
       "--expect 'outcome == won'"},
      {"Record random inputs",
       "reprise run marble --random-inputs 7 --record random.mcap"},
      {"Show what scripts say", "reprise run belfry --log info"},
      {"Show what happens", "reprise run pong --bots --events"},
      {"Let the pack's bots play it", "reprise run rally --bots"},
      {"Which lines of its scripts never run?",
       "reprise run pong --bots --script-coverage pong.info"},
      {"Can it be won?",
       "reprise run marble --bot 0:towards --goal 'outcome == won' --nearer "
       "player.bodies.position.x --record won.mcap"},
      {"What if the player had turned at tick 600?",
       "reprise run --from game.mcap --at 600 --change-input "
       "600:0:roll_x=-12000 --record branch.mcap"},
      {"Play a replay with one input changed",
       "reprise run --inputs game.mcap --change-input 600:0:roll_x=-12000 "
       "--record changed.mcap"},
  };
  command.run = [options](const std::vector<std::string>& arguments,
                          Console& console) {
    options->counts_scripts =
        !options->script_coverage.empty() || !options->script_profile.empty();
    return RunPack(*options, arguments, console);
  };
  return command;
}

}  // namespace reprise::tools
