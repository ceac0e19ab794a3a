// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/inputs/way_search.h"

#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "replays/fuzzing/goals/goal_search.h"
#include "tools/reprise/inputs/script_places.h"

namespace reprise::tools {

absl::StatusOr<replays::InputTrack> SearchWay(
    const sim::Simulation& start, const GoalFlags& flags,
    const std::vector<uint32_t>& players, Console& console) {
  for (const uint32_t player : players) {
    if (player < start.info().inputs.player_count) continue;
    return absl::InvalidArgumentError(
        fmt::format("--bot {}:towards: the pack {} has {} players", player,
                    start.info().pack, start.info().inputs.player_count));
  }
  replays::GoalSearchOptions options;
  options.goal = flags.goal;
  options.nearer = flags.nearer;
  options.players = players;
  options.ticks_max = flags.ticks.value_or(options.ticks_max);
  const std::unique_ptr<ScriptPlaces> scripts = ScriptPlaces::Create(start);
  options.code = scripts.get();
  ProgressBar progress(console, "searching a way", options.ticks_max);
  options.on_progress = [&progress](uint64_t ticks) { progress.Update(ticks); };
  absl::StatusOr<replays::FoundWay> way = replays::FindWayTo(start, options);
  if (absl::IsInvalidArgument(way.status())) {
    return absl::InvalidArgumentError("--" +
                                      std::string(way.status().message()));
  }
  if (!way.ok()) return way.status();
  console.LeaveBar();
  console.Note(fmt::format(
      "a way of {} ticks: found after {} ticks of search, made short by {}",
      way->inputs.tick_count, way->ticks_until_found, way->ticks_to_shorten));
  return replays::InputTrack{.pack = start.info().pack,
                             .tick_count = way->inputs.tick_count,
                             .run = std::nullopt,
                             .ticks = std::move(way->inputs.ticks)};
}

}  // namespace reprise::tools
