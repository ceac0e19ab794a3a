// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Reads all that the file of a replay holds, also what no run needs: events,
// the pack, what stands between records. Nothing is stepped.

#ifndef REPRISE_REPLAYS_FORMAT_WHOLE_REPLAY_H_
#define REPRISE_REPLAYS_FORMAT_WHOLE_REPLAY_H_

#include <cstdint>
#include <optional>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "replays/format/replay_reader.h"

namespace reprise::replays {

// What was found in all of a replay.
struct WholeReplay {
  uint64_t event_count = 0;
};

// OK if every checksum of the file is right, and every record on the topics
// of a replay is of its type and keeps FORMAT.md's rules. Of a file without its
// end the checksum of the whole isn't there. `keep_going` is called every
// mebibyte, few hundred records, or state; its error ends the reading.
// DATA_LOSS names the place.
absl::StatusOr<WholeReplay> CheckWholeReplay(
    const ReplayReader& replay, absl::FunctionRef<absl::Status()> keep_going);

// What the replay's end says of its events where it isn't so, "the end counts 5
// events, and there are 3"; nullopt where it is, or nothing is said.
std::optional<std::string> FindWrongEventCount(const ReplayReader& replay,
                                               const WholeReplay& whole);

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_FORMAT_WHOLE_REPLAY_H_
