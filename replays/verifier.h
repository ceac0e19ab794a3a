// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that a replay is what a simulation does: runs it again from tick 0 and
// compares every digest and keyframe that was recorded. Nothing compared is no
// success.

#ifndef REPRISE_REPLAYS_VERIFIER_H_
#define REPRISE_REPLAYS_VERIFIER_H_

#include <cstddef>
#include <functional>
#include <optional>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "replays/divergence.h"
#include "replays/replay_metadata.h"
#include "replays/replay_reader.h"
#include "sim/base/digest.h"
#include "sim/base/tick.h"
#include "sim/pack_archive.h"
#include "sim/simulation.h"

namespace reprise::replays {

// Told how far a run has come, every few hundred ticks. An error ends the run
// and is its result.
using ProgressCallback =
    std::function<absl::Status(sim::Tick tick, sim::Tick tick_count)>;

struct VerifyOptions {
  // Run the old inputs on this pack instead of the one inside; must remain live
  // meanwhile.
  const sim::PackArchive* pack = nullptr;
  // How many differing fields to describe.
  size_t fields_max = 16;
  ProgressCallback progress = nullptr;
};

struct VerificationReport {
  // The ticks that the replay holds, and up to which of them the recorded chain
  // was found right.
  sim::Tick tick_count = 0;
  sim::Tick ticks_verified = 0;
  // Of the state after the last tick that was run, and the chain up to it.
  sim::Digest root;
  sim::Digest chain;
  sim::Outcome outcome;
  // The first difference; the run ends at the keyframe that explains it.
  std::optional<Divergence> divergence;
  // What the recording and this build don't share, and what the file lacks.
  ReplayRemarks remarks;

  // No difference, and at least one tick verified.
  bool passed() const { return !divergence.has_value() && ticks_verified > 0; }
};

// NOT_FOUND: this program lacks the simulation. DATA_LOSS: the file contradicts
// itself. Other errors: those of the simulation's factory, the medium and
// `options.progress`. That the runs differ is no error.
absl::StatusOr<VerificationReport> VerifyReplay(const ReplayReader& replay,
                                                const VerifyOptions& options);

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_VERIFIER_H_
