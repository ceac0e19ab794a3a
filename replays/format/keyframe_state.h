// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The state of a keyframe: as it was recorded, or in the tables that a
// simulation has today. What is found by name is taken over; a state of which
// anything would be lost or made up is refused, and the reason names it.

#ifndef REPRISE_REPLAYS_FORMAT_KEYFRAME_STATE_H_
#define REPRISE_REPLAYS_FORMAT_KEYFRAME_STATE_H_

#include "absl/status/statusor.h"
#include "replays/format/replay_reader.h"
#include "sim/state/state.h"

namespace reprise::replays {

// The state with the tables that the file says it has. DATA_LOSS: damaged, or
// of other tables than that. REQUIRES: keyframe.shape.
absl::StatusOr<sim::State> DecodeRecordedState(const ReplayKeyframe& keyframe);

// The state with the tables of `shape`, whose rows don't matter.
// FAILED_PRECONDITION: it has others, of which the first few are named where
// the file says them. DATA_LOSS as above.
absl::StatusOr<sim::State> DecodeKeyframe(const ReplayKeyframe& keyframe,
                                          const sim::State& shape);

// As DecodeKeyframe, but tables and fields may have come, gone or moved, as
// long as the state has no rows of a table in which a field did; it has none of
// tables that have come. FAILED_PRECONDITION names what is lost, or would have
// to be made up; so it does where the file doesn't say what its tables are and
// they are others.
absl::StatusOr<sim::State> CarryKeyframe(const ReplayKeyframe& keyframe,
                                         const sim::State& shape);

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_FORMAT_KEYFRAME_STATE_H_
