// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Finds where two replays part, without running what is known to be equal: a
// binary search over the recorded chains leads to the interval between two
// digests, the last keyframe before it to a state, and from there both are run
// side by side.

#ifndef REPRISE_REPLAYS_COMPARING_REPLAY_COMPARISON_H_
#define REPRISE_REPLAYS_COMPARING_REPLAY_COMPARISON_H_

#include <optional>

#include "absl/status/statusor.h"
#include "replays/comparing/run_comparison.h"
#include "replays/format/replay_reader.h"
#include "sim/base/tick.h"
#include "sim/simulation.h"

namespace reprise::replays {

// What the chains that both replays recorded say. A chain covers all states
// before, so what is equal here is equal at every tick up to it.
struct DigestBracket {
  std::optional<sim::Tick> last_equal;       // unset: none is known to be
  std::optional<sim::Tick> first_different;  // unset: none is
};

// Reads some twenty digests a million ticks. Both unset where the two have no
// digests in common. Errors are those of the files.
absl::StatusOr<DigestBracket> FindDigestBracket(const ReplayReader& expected,
                                                const ReplayReader& actual);

// One of two replays. Both members must remain live during the comparison.
// REQUIRES: the simulation is at tick 0, of the pack to play the replay on.
struct ReplaySide {
  const ReplayReader* replay = nullptr;
  sim::Simulation* simulation = nullptr;
};

// As CompareRuns. Where both are played on the pack that they were recorded on,
// it costs at most the ticks of one keyframe interval and two digest strides on
// either side, and nothing where the replays are equal by their chains to their
// ends. Where only `actual` is played on another pack, it alone is made up to
// the first recorded digest of `expected` that it doesn't have, and both over
// that digest stride: one verification and two strides. Otherwise, without
// digests, and where the states differ in what they consist of, all ticks up to
// the difference are made by both.
//
// Where only the recordings differ and this build plays both alike, the
// divergence is the recorded one: an interval, with the fields of the next
// keyframes that both have.
absl::StatusOr<RunComparison> CompareReplays(const ReplaySide& expected,
                                             const ReplaySide& actual,
                                             const CompareOptions& options);

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_COMPARING_REPLAY_COMPARISON_H_
