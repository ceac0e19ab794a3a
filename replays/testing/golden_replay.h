// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The recording that stands for a revision of the format, and its text.

#ifndef REPRISE_REPLAYS_TESTING_GOLDEN_REPLAY_H_
#define REPRISE_REPLAYS_TESTING_GOLDEN_REPLAY_H_

#include <string>

#include "absl/status/statusor.h"
#include "replays/container/byte_stream.h"
#include "replays/format/replay_reader.h"

namespace reprise::replays {

// A short run of the tiny simulation with some of everything that a file holds:
// inputs of every kind, commands, digests, keyframes, events, and a branch.
Bytes RecordGolden();

// What a replay holds, in lines. Errors are the reader's.
absl::StatusOr<std::string> PrintGolden(const ReplayReader& replay);

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_TESTING_GOLDEN_REPLAY_H_
