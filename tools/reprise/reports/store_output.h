// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// How the replays of a store are shown to people and to programs.

#ifndef REPRISE_TOOLS_REPRISE_REPORTS_STORE_OUTPUT_H_
#define REPRISE_TOOLS_REPRISE_REPORTS_STORE_OUTPUT_H_

#include <cstdint>
#include <string>

#include "replays/store/replay_store.h"
#include "replays/store/stored_replay.h"
#include "tools/reprise/terminal/console.h"
#include "tools/reprise/terminal/json_output.h"

namespace reprise::tools {

// The beginning of the digest that stands for a replay in tables.
std::string ShortName(const replays::StoredReplay& replay);

// "1 replay", "4 replays".
std::string FormatReplayCount(uint64_t count);

// Whether its file says that it is a capsule. One that can't be opened says
// nothing.
bool IsStoredCapsule(const replays::ReplayStore& store,
                     const replays::StoredReplay& replay);

// A row of a table; the head says what its columns are. A capsule is marked.
std::string FormatStoredReplayHead();
std::string FormatStoredReplay(const replays::ReplayStore& store,
                               const replays::StoredReplay& replay);

// All of it, a line each.
void PrintStoredReplay(const replays::ReplayStore& store,
                       const replays::StoredReplay& replay, Console& console);

// All of it, with the path of its file.
Json ToJson(const replays::ReplayStore& store,
            const replays::StoredReplay& replay);

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_REPORTS_STORE_OUTPUT_H_
