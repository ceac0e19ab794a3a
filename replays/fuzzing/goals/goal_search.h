// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Finds inputs after which something holds, which is how a level is shown to
// be solvable: a campaign whose only failure is to have got there.

#ifndef REPRISE_REPLAYS_FUZZING_GOALS_GOAL_SEARCH_H_
#define REPRISE_REPLAYS_FUZZING_GOALS_GOAL_SEARCH_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "replays/fuzzing/feedback/code_places.h"
#include "replays/fuzzing/fuzz_campaign.h"
#include "replays/fuzzing/fuzz_journal.h"
#include "replays/fuzzing/inputs/action_changes.h"
#include "sim/simulation.h"

namespace reprise::replays {

struct GoalSearchOptions {
  std::string goal;  // a condition in the language of queries
  // Numbers that grow on the way there, beside what the game's `fuzzing` leads
  // a search by.
  std::vector<std::string> nearer;
  std::vector<uint32_t> players;  // who play; empty: all
  uint64_t ticks_max = 2'000'000;
  uint64_t seed = 0;                                // of the inputs
  uint64_t memory_bytes_max = uint64_t{512} << 20;  // as in FuzzOptions
  // Whether the way is made short, too, as it can be from tick 0.
  bool shortens = true;
  HeldDevices held;  // by players at the start; empty: nothing
  // Beaten at each tick, and told nothing else: of another search's rounds and
  // states it is. May be null.
  FuzzJournal* journal = nullptr;
  // Lines and branches that lead the search, as in FuzzOptions, of the game
  // that `start` is of. May be null; must remain live.
  const CodePlaces* code = nullptr;
  // Told how many ticks were made, after each round. May be null.
  std::function<void(uint64_t ticks)> on_progress = nullptr;
};

struct FoundWay {
  PlayedInputs inputs;  // up to the tick after which the goal holds
  uint64_t ticks_until_found = 0;
  uint64_t ticks_to_shorten = 0;
};

// OK where `goal` is a condition; otherwise INVALID_ARGUMENT: "goal '...':
// ...".
absl::Status CheckGoal(const std::string& goal, const sim::Simulation& start);

// `start` is forked; with `shortens` it is at tick 0. The same game and options
// give the same way, which is neither the shortest nor the only one. NOT_FOUND:
// none within ticks_max, and what came nearest; INVALID_ARGUMENT: an
// expression.
absl::StatusOr<FoundWay> FindWayTo(const sim::Simulation& start,
                                   const GoalSearchOptions& options);

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_FUZZING_GOALS_GOAL_SEARCH_H_
