// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Plays replays, several at once or parts of them where asked, and puts a query
// to every tick.

#ifndef REPRISE_TOOLS_REPRISE_INPUTS_QUERY_REPLAYS_H_
#define REPRISE_TOOLS_REPRISE_INPUTS_QUERY_REPLAYS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "replays/query/query_search.h"
#include "replays/query/replay_query.h"
#include "sim/pack_archive.h"
#include "tools/reprise/terminal/console.h"

namespace reprise::tools {

inline constexpr uint64_t kQueryJobsMax = replays::kQueryThreadsMax;

struct QueryRequest {
  std::string expression;
  replays::QueryAim aim = replays::QueryAim::kTicks;
  uint64_t limit = 0;
  const sim::PackArchive* pack = nullptr;  // in place of the one inside
  uint64_t jobs = 1;                       // 1 to kQueryJobsMax
};

// The files among `paths`, and of each folder the *.mcap in it and in its
// folders, by name. NOT_FOUND: a folder without any; other errors are those of
// reading it.
absl::StatusOr<std::vector<std::string>> FindReplays(
    const std::vector<std::string>& paths);

// What each file came to, in the order of `paths` and the same for any number
// of jobs. Errors name the file. Warns of files that are damaged or cut off.
std::vector<absl::StatusOr<replays::QueryFindings>> AskReplays(
    const QueryRequest& request, const std::vector<std::string>& paths,
    Console& console);

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_INPUTS_QUERY_REPLAYS_H_
