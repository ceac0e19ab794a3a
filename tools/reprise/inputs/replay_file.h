// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// How verbs open a replay: whatever is wrong with its file is told alike by
// all of them.

#ifndef REPRISE_TOOLS_REPRISE_INPUTS_REPLAY_FILE_H_
#define REPRISE_TOOLS_REPRISE_INPUTS_REPLAY_FILE_H_

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "replays/format/replay_reader.h"
#include "sim/simulation.h"
#include "tools/reprise/terminal/console.h"

namespace reprise::tools {

// As ReplayReader::OpenFile, and warns of what is wrong with the file.
absl::StatusOr<std::unique_ptr<replays::ReplayReader>> OpenReplayFile(
    const std::string& path, Console& console);

// "game.mcap: the recording was cut off; ..."; empty where nothing is wrong.
std::string DescribeDamage(const std::string& path,
                           const replays::ReplayReader& replay);

// Warns of that, if there is anything.
void WarnOfDamage(const std::string& path, const replays::ReplayReader& replay,
                  Console& console);

// Prints the error of reading a replay, and the remedy if there is one.
void TellError(const absl::Status& status, Console& console);

// Says so where the simulation is of another pack than the recording.
void NoteOtherPack(const std::string& path, const replays::ReplayReader& replay,
                   const sim::Simulation& simulation, Console& console);

// What to do about an error: "`reprise recover game.mcap` saves ..." of a
// replay that is damaged, else empty.
std::string DescribeRemedy(const absl::Status& status);

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_INPUTS_REPLAY_FILE_H_
