// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The inputs of `reprise run --bot PLAYER:towards --goal EXPRESSION`.

#ifndef REPRISE_TOOLS_REPRISE_INPUTS_WAY_SEARCH_H_
#define REPRISE_TOOLS_REPRISE_INPUTS_WAY_SEARCH_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "replays/tracks/input_track.h"
#include "sim/simulation.h"
#include "tools/reprise/terminal/console.h"

namespace reprise::tools {

struct GoalFlags {
  std::string goal;
  std::vector<std::string> nearer;
  std::optional<uint64_t> ticks;

  bool is_set() const { return !goal.empty() || !nearer.empty() || ticks; }
};

// A way from `start`, which is at tick 0, for `players`. NOT_FOUND: none was
// found; INVALID_ARGUMENT names the flag, or the player there isn't.
absl::StatusOr<replays::InputTrack> SearchWay(
    const sim::Simulation& start, const GoalFlags& flags,
    const std::vector<uint32_t>& players, Console& console);

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_INPUTS_WAY_SEARCH_H_
