// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Two recordings by programs whose states consist of different things: no
// digest is in common, so what both have is compared at keyframes, by name.

#ifndef REPRISE_REPLAYS_COMPARING_KEYFRAME_SEARCH_H_
#define REPRISE_REPLAYS_COMPARING_KEYFRAME_SEARCH_H_

#include <optional>

#include "absl/status/statusor.h"
#include "replays/format/replay_reader.h"
#include "sim/base/tick.h"

namespace reprise::replays {

// The tick of the first keyframe of both whose states differ in what both have;
// nullopt where none does. FAILED_PRECONDITION: a file doesn't say what its
// tables are. DATA_LOSS: damaged.
absl::StatusOr<std::optional<sim::Tick>> FindDifferentKeyframe(
    const ReplayReader& expected, const ReplayReader& actual);

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_COMPARING_KEYFRAME_SEARCH_H_
