// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A state as portable bytes, and back: the same bytes on every platform, with
// the root digest inside, so that a damaged snapshot is refused.

#ifndef REPRISE_SIM_STATE_STATE_CODEC_H_
#define REPRISE_SIM_STATE_STATE_CODEC_H_

#include <cstddef>
#include <span>
#include <string>

#include "absl/status/statusor.h"
#include "sim/state/state.h"

namespace reprise::sim {

// Layout, all integers little-endian: "RPRSTAT2"; the shape digest (u64); for
// each table the row count (u32) and the rows' canonical bytes; last the root
// digest (u64). What the tables are is for others to say: a whole file of
// snapshots says it once.
std::string EncodeState(const State& state);

// The same as older replays hold it: "RPRSTAT1"; the table count (u32); for
// each table the schema's fingerprint (u64), the row count and the rows; last
// the root digest.
std::string EncodeStateWithFingerprints(const State& state);

// The state that was encoded, in either way, with the tables of `shape` (whose
// rows don't matter). DATA_LOSS with the offset when the bytes are damaged;
// FAILED_PRECONDITION when they are of a simulation with other tables. Memory
// is bounded by the size of `bytes`.
absl::StatusOr<State> DecodeState(std::span<const std::byte> bytes,
                                  const State& shape);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_STATE_STATE_CODEC_H_
