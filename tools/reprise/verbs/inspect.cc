// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// `reprise inspect`: the state of a replay or a pack at a tick.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "fmt/format.h"
#include "fmt/ostream.h"
#include "replays/comparing/tick_changes.h"
#include "replays/format/keyframe_state.h"
#include "replays/format/replay_reader.h"
#include "replays/format/schema_difference.h"
#include "replays/playing/replay_player.h"
#include "sim/base/digest.h"
#include "sim/base/handle.h"
#include "sim/base/id.h"
#include "sim/base/nearest_name.h"
#include "sim/base/object_id.h"
#include "sim/base/tick.h"
#include "sim/game_description.h"
#include "sim/pack_archive.h"
#include "sim/simulation.h"
#include "sim/state/field_value.h"
#include "sim/state/state.h"
#include "tools/reprise/differences/schema_difference_output.h"
#include "tools/reprise/differences/tick_changes_output.h"
#include "tools/reprise/inputs/input_selection.h"
#include "tools/reprise/inputs/pack_location.h"
#include "tools/reprise/inputs/replay_file.h"
#include "tools/reprise/reports/state_tree.h"
#include "tools/reprise/terminal/json_output.h"
#include "tools/reprise/verbs/commands.h"
#include "tools/reprise/verbs/inspect_trace.h"

namespace reprise::tools {
namespace {

struct Options {
  std::optional<uint64_t> tick;
  std::string pack;
  std::string simulation;
  uint64_t seed = 0;
  bool changes = false;
  TraceOptions trace;
  OutputFormat format;
};

// A state, and where it comes from.
struct ShownState {
  std::string pack;
  sim::Tick tick = 0;
  sim::State state;
  sim::NameResolver names;
  // Empty where numbers may stand for something else than in this build.
  sim::GameDescription description;
  std::optional<sim::Outcome> outcome;  // unset: recorded, and not run
  // Between the tables of a recorded state and this build's.
  std::vector<replays::SchemaDifference> schema_differences;
};

ShownState StateOf(const sim::Simulation& simulation) {
  return {.pack = simulation.info().pack,
          .tick = simulation.tick(),
          .state = simulation.state(),
          .names = sim::NamesOf(simulation),
          .description = simulation.description(),
          .outcome = simulation.outcome(),
          .schema_differences = {}};
}

// What was probably meant by the name of an object that no row is of.
std::string ObjectMeantBy(const std::string& object, const ShownState& shown) {
  const Json rooms =
      StateTreeToJson(shown.state, shown.names, shown.description, "");
  std::set<std::string> objects;
  for (const Json& room : rooms) {
    for (const Json& table : room["tables"]) {
      const Json& is_object = table["is_object_key"];
      for (const Json& row : table["rows"]) {
        const Json& key = row["key"];
        // A row without a key has its number in the place of one.
        for (size_t i = 0; i < is_object.size(); ++i) {
          if (is_object[i].get<bool>()) {
            objects.insert(key[i].get<std::string>());
          }
        }
      }
    }
  }
  const std::vector<std::string_view> names(objects.begin(), objects.end());
  return sim::DidYouMean(object, names);
}

absl::StatusOr<ExitCode> Show(const ShownState& shown,
                              const std::string& object, bool as_json,
                              Console& console) {
  const std::string digest = sim::FormatDigest(shown.state.ComputeRootDigest());
  Json rooms;
  std::string tree;
  if (as_json) {
    rooms =
        StateTreeToJson(shown.state, shown.names, shown.description, object);
  } else {
    tree = FormatStateTree(shown.state, shown.names, shown.description, object);
  }
  if (!object.empty() && (as_json ? rooms.empty() : tree.empty())) {
    return absl::NotFoundError(
        fmt::format("at tick {} no row of the state is of '{}'{}", shown.tick,
                    object, ObjectMeantBy(object, shown)));
  }
  if (as_json) {
    Json document = MakeJsonDocument("inspect");
    document["pack"] = shown.pack;
    document["tick"] = shown.tick;
    document["digest"] = digest;
    document["outcome"] =
        shown.outcome ? ToJson(*shown.outcome) : Json(nullptr);
    document["schema_differences"] = ToJson(shown.schema_differences);
    document["rooms"] = std::move(rooms);
    PrintJson(document, console);
  } else {
    fmt::print(console.out(), "tick {}, digest {}, {}\n{}", shown.tick, digest,
               shown.outcome ? FormatOutcome(*shown.outcome) : "as recorded",
               tree);
  }
  return ExitCode::kOk;
}

// The names of a pack where there is a simulation of it, which isn't in the
// state that is shown: only what never changes can be asked for.
sim::NameResolver NamesOfPack(const sim::Simulation* simulation) {
  return {
      .object_name =
          [simulation](sim::ObjectId object) {
            return simulation != nullptr
                       ? simulation->ObjectName(object)
                       : fmt::format("object#{}", object.serial);
          },
      .id_name =
          [simulation](sim::Id id) {
            return simulation != nullptr ? simulation->IdName(id)
                                         : fmt::format("id#{:016x}", id.value);
          },
      .handle_name =
          [](sim::Handle handle) {
            return fmt::format("slot#{}.{}", handle.index, handle.generation);
          },
  };
}

// The state that the recording kept of `tick`, if it did and its tables are
// others than those of `simulation`, or if there is none.
absl::StatusOr<std::optional<ShownState>> ReadForeignState(
    const replays::ReplayReader& replay, sim::Tick tick,
    const sim::Simulation* simulation) {
  const absl::StatusOr<std::optional<replays::ReplayKeyframe>> keyframe =
      replay.FindKeyframe(tick);
  if (!keyframe.ok()) return keyframe.status();
  if (!keyframe->has_value() || (*keyframe)->tick != tick ||
      (*keyframe)->shape == nullptr) {
    return std::nullopt;
  }
  std::vector<replays::SchemaDifference> differences;
  if (simulation != nullptr) {
    differences =
        replays::CompareSchemas(*(*keyframe)->shape, simulation->state());
    if (differences.empty()) return std::nullopt;
  }
  absl::StatusOr<sim::State> state = replays::DecodeRecordedState(**keyframe);
  if (!state.ok()) return replay.file().Named(state.status());
  return ShownState{.pack = replay.metadata().pack,
                    .tick = tick,
                    .state = *std::move(state),
                    .names = NamesOfPack(simulation),
                    .description = {},
                    .outcome = std::nullopt,
                    .schema_differences = std::move(differences)};
}

// `created` is why there is no simulation, if there is none.
void NoteForeignState(const std::string& path, const absl::Status& created,
                      const ShownState& shown, Console& console) {
  console.Note(fmt::format("{}: this is the state that was recorded; {}", path,
                           created.ok()
                               ? "its tables are not this build's"
                               : fmt::format("it can't be run here: {}",
                                             std::string(created.message()))));
  for (const replays::SchemaDifference& difference : shown.schema_differences) {
    console.Note(replays::FormatSchemaDifference(difference));
  }
}

// Makes one tick more and shows what it changes.
absl::StatusOr<ExitCode> ShowNextTick(replays::ReplayPlayer& player,
                                      const std::string& object, bool as_json,
                                      Console& console) {
  const sim::Simulation& simulation = player.simulation();
  const sim::Tick tick = simulation.tick();
  replays::TickChanges changes(&simulation.info().phases, simulation.state());
  const absl::Status status = player.Step(&changes);
  if (!status.ok()) return status;
  if (as_json) {
    Json document = MakeJsonDocument("inspect");
    document["pack"] = simulation.info().pack;
    document["tick"] = tick;
    document["phases"] = TickChangesToJson(changes, simulation, object);
    PrintJson(document, console);
  } else {
    fmt::print(console.out(), "tick {}\n{}", tick,
               FormatTickChanges(changes, simulation, object));
  }
  return ExitCode::kOk;
}

absl::StatusOr<ExitCode> InspectReplay(const Options& options,
                                       const std::string& path,
                                       const std::string& object,
                                       Console& console) {
  const absl::StatusOr<std::unique_ptr<replays::ReplayReader>> replay =
      OpenReplayFile(path, console);
  if (!replay.ok()) return replay.status();
  const sim::Tick tick = options.tick.value_or((*replay)->tick_count());
  if (tick > (*replay)->tick_count()) {
    return absl::OutOfRangeError(
        fmt::format("{} ends at tick {}", path, (*replay)->tick_count()));
  }
  const absl::StatusOr<std::optional<sim::PackArchive>> pack =
      OpenPackIfNamed(options.pack);
  if (!pack.ok()) return pack.status();
  const absl::StatusOr<std::unique_ptr<replays::ReplayPlayer>> player =
      replays::ReplayPlayer::Create(replay->get(), *pack ? &**pack : nullptr);
  const bool is_recorded_pack =
      player.ok()
          ? replays::PlaysRecordedPack(**replay, (*player)->simulation())
          : options.pack.empty();
  if (!options.changes && is_recorded_pack) {
    const sim::Simulation* const simulation =
        player.ok() ? &(*player)->simulation() : nullptr;
    const absl::StatusOr<std::optional<ShownState>> recorded =
        ReadForeignState(**replay, tick, simulation);
    if (recorded.ok() && recorded->has_value()) {
      NoteForeignState(path, player.status(), **recorded, console);
      return Show(**recorded, object, options.format.is_json(), console);
    }
    if (player.ok() && !recorded.ok()) return recorded.status();
  }
  if (!player.ok()) return player.status();
  NoteOtherPack(path, **replay, (*player)->simulation(), console);
  const absl::Status status = (*player)->SeekTo(tick);
  if (!status.ok()) return status;
  if (!(*player)->keyframe_refusal().empty()) {
    console.Note(
        fmt::format("{}: {}; this is the state that comes of its "
                    "inputs, played from tick 0",
                    path, (*player)->keyframe_refusal()));
  }
  if (options.changes) {
    return ShowNextTick(**player, object, options.format.is_json(), console);
  }
  return Show(StateOf((*player)->simulation()), object,
              options.format.is_json(), console);
}

absl::StatusOr<ExitCode> InspectPack(const Options& options,
                                     const std::string& name,
                                     const std::string& object,
                                     Console& console) {
  const absl::StatusOr<sim::PackArchive> pack = OpenPack(name);
  if (absl::IsDataLoss(pack.status())) {
    return absl::InvalidArgumentError(
        fmt::format("{} can't be read as a replay or a pack ({})", name,
                    std::string(pack.status().message())));
  }
  if (!pack.ok()) return pack.status();
  const absl::StatusOr<std::unique_ptr<sim::Simulation>> simulation =
      CreatePackSimulation(*pack, options.seed, options.simulation);
  if (!simulation.ok()) return simulation.status();
  const sim::Tick tick = options.tick.value_or(0);
  ProgressBar progress(console, "running", tick);
  while ((*simulation)->tick() < tick) {
    (*simulation)->Step({}, /*observer=*/nullptr);
    (*simulation)->DrainEvents();
    progress.Update((*simulation)->tick());
  }
  return Show(StateOf(**simulation), object, options.format.is_json(), console);
}

absl::StatusOr<ExitCode> Trace(const Options& options,
                               const absl::StatusOr<bool>& is_replay,
                               const std::string& path,
                               const std::string& object, Console& console) {
  if (!is_replay.ok()) return is_replay.status();
  if (!*is_replay) {
    return absl::InvalidArgumentError("--trace follows a script in a replay");
  }
  if (options.changes ||
      (options.tick && (options.trace.from || options.trace.to))) {
    return absl::InvalidArgumentError(
        "--trace goes with --tick, or with --from and --to, and without "
        "--changes");
  }
  TraceOptions trace = options.trace;
  trace.object = object;
  trace.pack = options.pack;
  trace.as_json = options.format.is_json();
  if (options.tick) trace.from = trace.to = options.tick;
  return ShowTrace(trace, path, console);
}

absl::StatusOr<ExitCode> Inspect(const Options& options,
                                 const std::vector<std::string>& arguments,
                                 Console& console) {
  const std::string object = arguments.size() > 1 ? arguments[1] : "";
  const absl::StatusOr<bool> is_replay = IsReplay(arguments.front());
  if (!options.trace.place.empty()) {
    return Trace(options, is_replay, arguments.front(), object, console);
  }
  if (options.trace.from || options.trace.to) {
    return absl::InvalidArgumentError("--from and --to belong to --trace");
  }
  if (options.changes && !is_replay.value_or(false)) {
    return absl::InvalidArgumentError("--changes shows a tick of a replay");
  }
  return is_replay.ok() && *is_replay
             ? InspectReplay(options, arguments.front(), object, console)
             : InspectPack(options, arguments.front(), object, console);
}

}  // namespace

Command MakeInspectCommand() {
  const auto options = std::make_shared<Options>();
  Command command;
  command.name = "inspect";
  command.summary = "Shows the state at a tick: rooms, tables, rows, fields";
  command.description =
      "Of a replay, the state at any of its ticks; of a pack, the state after "
      "so many ticks without inputs. With OBJECT, only what is about the one "
      "of "
      "that name: its rows, what waits for it, the points of its path, the "
      "nodes, scores and plans of its brain.";
  command.arguments = {"FILE|PACK [OBJECT]", 1, 2};
  command.flags = {
      {"tick", "N",
       "The state before the inputs of this tick. If unset, the end of a "
       "replay, or the start of a pack.",
       &options->tick},
      {"changes", "",
       "In place of the state, all that this tick of a replay changes, phase "
       "by phase, and who changes it.",
       &options->changes},
      {"trace", "FILE:LINE",
       "In place of the state, each time that this line of a script begins in "
       "a replay: the tick, the object, the function and the values of its "
       "variables before the line. In all ticks, or in --tick.",
       &options->trace.place},
      {"from", "N", "The first tick of --trace. 0 if unset.",
       &options->trace.from},
      {"to", "N", "The last tick of --trace. The replay's if unset.",
       &options->trace.to},
      {"pack", "PACK", "The pack of a replay that doesn't hold it.",
       &options->pack},
      {"simulation", "NAME",
       "The simulation of a pack's run. What its manifest names if unset.",
       &options->simulation},
      {"seed", "N", "The seed of a pack's run. 0 if unset.", &options->seed},
      options->format.flag(),
  };
  command.examples = {
      {"Where is the marble at tick 600?",
       "reprise inspect game.mcap marble --tick 600"},
      {"What happens to it in that tick, and why?",
       "reprise inspect game.mcap marble --tick 600 --changes"},
      {"With what does a line of a script run?",
       "reprise inspect belfry.mcap raven_1 --trace scripts/raven.lua:5"},
      {"Everything that a pack starts with", "reprise inspect marble"},
  };
  command.run = [options](const std::vector<std::string>& arguments,
                          Console& console) {
    return Inspect(*options, arguments, console);
  };
  return command;
}

}  // namespace reprise::tools
