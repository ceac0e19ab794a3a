// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Keyframes in the form of each revision of the format: from revision 3 on the
// first one of a file says what its tables are, and states no longer do; from
// revision 5 on a large state takes several messages.

#ifndef REPRISE_REPLAYS_FORMAT_KEYFRAME_MESSAGE_H_
#define REPRISE_REPLAYS_FORMAT_KEYFRAME_MESSAGE_H_

#include <cstdint>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "replays/format/replay_metadata.h"
#include "reprise/v1/keyframe.pb.h"
#include "sim/base/digest.h"
#include "sim/base/tick.h"
#include "sim/state/state.h"

namespace reprise::replays {

// How much of a state is in one message, half of what a message may have; so a
// chunk has room for one whatever stands before it.
inline constexpr uint64_t kStatePartBytes = uint64_t{16} << 20;

// The largest state that is written, which an attachment of a capsule holds,
// too; and the largest that is read.
inline constexpr uint64_t kWrittenStateBytesMax = uint64_t{256} << 20;
inline constexpr uint64_t kReadStateBytesMax = uint64_t{512} << 20;

// What a replay with `metadata` keeps of the state at `tick`; `is_first` where
// it has no keyframe yet. Errors are sim::EncodeStateSchema's.
absl::StatusOr<v1::Keyframe> MakeKeyframe(sim::Tick tick,
                                          const sim::State& state,
                                          sim::Digest chain,
                                          const ReplayMetadata& metadata,
                                          bool is_first);

// Has `write` write the messages that `keyframe` takes in a file of this
// revision, with `part_bytes` of the state in each. RESOURCE_EXHAUSTED: the
// state is larger than any that is written. Other errors are those of `write`,
// which end it.
absl::Status WriteKeyframe(
    v1::Keyframe keyframe, uint32_t format_revision, uint64_t part_bytes,
    absl::FunctionRef<absl::Status(const v1::Keyframe& part)> write);

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_FORMAT_KEYFRAME_MESSAGE_H_
