// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Holds a run against a recording of other tables than this build's: room by
// room where both have the same, and by name at keyframes. The verifier's own.
// It proves no tick, for the recorded chain covers all tables.

#ifndef REPRISE_REPLAYS_VERIFYING_ROOM_VERIFICATION_H_
#define REPRISE_REPLAYS_VERIFYING_ROOM_VERIFICATION_H_

#include "absl/status/statusor.h"
#include "replays/format/replay_reader.h"
#include "replays/verifying/verifier.h"
#include "sim/simulation.h"
#include "sim/state/state.h"

namespace reprise::replays {

// Runs `simulation`, which is at tick 0 of the recorded pack, to the first
// difference or to the end. `recorded` is the replay's shape, and another one
// than the simulation's. The report has no tick verified; its `rooms` say what
// was compared. Errors as VerifyReplay's.
absl::StatusOr<VerificationReport> VerifyRooms(const ReplayReader& replay,
                                               const sim::State& recorded,
                                               sim::Simulation& simulation,
                                               const VerifyOptions& options);

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_VERIFYING_ROOM_VERIFICATION_H_
