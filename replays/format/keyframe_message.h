// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Keyframes in the form of each revision of the format: from revision 3 on the
// first one of a file says what its tables are, and states no longer do.

#ifndef REPRISE_REPLAYS_FORMAT_KEYFRAME_MESSAGE_H_
#define REPRISE_REPLAYS_FORMAT_KEYFRAME_MESSAGE_H_

#include "absl/status/statusor.h"
#include "replays/format/replay_metadata.h"
#include "reprise/v1/keyframe.pb.h"
#include "sim/base/digest.h"
#include "sim/base/state.h"
#include "sim/base/tick.h"

namespace reprise::replays {

// What a replay with `metadata` keeps of the state at `tick`; `is_first` where
// it has no keyframe yet. Errors are sim::EncodeStateSchema's.
absl::StatusOr<v1::Keyframe> MakeKeyframe(sim::Tick tick,
                                          const sim::State& state,
                                          sim::Digest chain,
                                          const ReplayMetadata& metadata,
                                          bool is_first);

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_FORMAT_KEYFRAME_MESSAGE_H_
