// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What this program can no longer do with a replay of earlier rules. Its pack
// is loaded for that, and nothing is run.

#ifndef REPRISE_TOOLS_REPRISE_DIFFERENCES_REPLAY_AGE_H_
#define REPRISE_TOOLS_REPRISE_DIFFERENCES_REPLAY_AGE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "replays/format/replay_reader.h"
#include "replays/format/schema_difference.h"
#include "tools/reprise/terminal/json_output.h"

namespace reprise::tools {

struct ReplayAge {
  uint32_t rules_revision_now = 0;
  // Why the pack inside can't be loaded any more; then nothing else is known.
  std::string not_loaded;
  // Between the tables that the file says and those of now.
  std::vector<replays::SchemaDifference> schema_differences;
  // Why no run goes on from its last keyframe; empty: it does.
  std::string not_seeking;
};

// nullopt: it is of this program's rules, or of a simulation whose rules only
// that itself knows.
std::optional<ReplayAge> FindReplayAge(const replays::ReplayReader& replay);

// Lines for a person, each with its end.
std::string FormatReplayAge(const ReplayAge& age);
Json ToJson(const ReplayAge& age);

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_DIFFERENCES_REPLAY_AGE_H_
