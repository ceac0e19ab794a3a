// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Plays a replay and puts a query to each of its ticks: in one go, or the parts
// between its keyframes side by side.

#ifndef REPRISE_REPLAYS_QUERY_REPLAY_QUERY_H_
#define REPRISE_REPLAYS_QUERY_REPLAY_QUERY_H_

#include <cstdint>
#include <functional>
#include <string_view>

#include "absl/status/statusor.h"
#include "replays/format/replay_reader.h"
#include "replays/query/query_search.h"
#include "sim/base/tick.h"
#include "sim/pack_archive.h"

namespace reprise::replays {

// More threads would only wait for each other.
inline constexpr uint32_t kQueryThreadsMax = 256;

struct ReplayQueryOptions {
  QueryAim aim = QueryAim::kTicks;
  // How many matches or changes to keep; the others are counted.
  uint64_t limit = 100;
  // Play the inputs on this pack, and not on the one inside; must remain live
  // meanwhile.
  const sim::PackArchive* pack = nullptr;
  // 1 to kQueryThreadsMax. The findings are the same for any number: where a
  // part doesn't lead to the next keyframe, as this build plays another run
  // than was recorded, all is played again in one go. One is used on another
  // pack.
  uint32_t threads = 1;
  // Called by the thread that asks, with the ticks made so far; may be null.
  std::function<void(sim::Tick ticks_done)> progress = nullptr;
};

// INVALID_ARGUMENT: the expression is wrong, or of no type for the aim. Other
// errors are those of CreateRecordedSimulation and StepRecordedTick.
absl::StatusOr<QueryFindings> QueryReplay(const ReplayReader& replay,
                                          std::string_view expression,
                                          const ReplayQueryOptions& options);

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_QUERY_REPLAY_QUERY_H_
