// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// How far a run goes along with a recording of another one: on a changed pack,
// or with other inputs. Only the run is stepped, against the recorded chain.

#ifndef REPRISE_REPLAYS_COMPARING_RECORDING_AGREEMENT_H_
#define REPRISE_REPLAYS_COMPARING_RECORDING_AGREEMENT_H_

#include <optional>

#include "absl/status/statusor.h"
#include "replays/comparing/run_comparison.h"
#include "replays/format/replay_reader.h"
#include "sim/base/digest.h"
#include "sim/base/tick.h"
#include "sim/state/state.h"

namespace reprise::replays {

struct RecordingAgreement {
  // A state that both runs had, as their chains were the same.
  struct Common {
    sim::Tick tick = 0;
    sim::Digest chain;  // up to and with that tick
    sim::State state;
  };

  // The last that was recorded; unset: the runs begin with different states.
  std::optional<Common> last_equal;
  // Where the recording first says something else; unset: nowhere, up to where
  // one of the two ends.
  std::optional<sim::Tick> first_different;
  // The recorded root of that tick.
  sim::Digest expected_root;
  sim::Tick ticks_stepped = 0;
};

// Steps `run` up to the first digest of `recording` that it doesn't have, the
// end of either, or inputs that it refuses. Errors are those of the file, the
// inputs and `progress`, which may be null. REQUIRES: the run is at tick 0, of
// the recording's shape of state.
absl::StatusOr<RecordingAgreement> FollowRecording(
    const ReplayReader& recording, const RunSide& run,
    const ProgressCallback& progress);

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_COMPARING_RECORDING_AGREEMENT_H_
