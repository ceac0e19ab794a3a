// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that a replay is what a simulation does: reads all of the file, runs
// it again and compares every digest, keyframe and event that was recorded, and
// what is claimed of the past of branches. Nothing compared is no success, and
// neither is a part that can't be compared.
//
// Of events, and of branches, the first difference is told. Under other rules
// than were recorded events may be others where no state is: that is a note.
//
// The segments between keyframes can be run side by side: each starts at a
// recorded state, and has to arrive at the next one. If all do, the first one's
// start, which is the pack's, leads to the replay's end.

#ifndef REPRISE_REPLAYS_VERIFYING_VERIFIER_H_
#define REPRISE_REPLAYS_VERIFYING_VERIFIER_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "replays/format/replay_metadata.h"
#include "replays/format/replay_reader.h"
#include "replays/format/schema_difference.h"
#include "replays/verifying/divergence.h"
#include "sim/base/digest.h"
#include "sim/base/tick.h"
#include "sim/pack_archive.h"
#include "sim/simulation.h"

namespace reprise::replays {

class KeptSimulations;

// Told how far a run has come, every few hundred ticks. An error ends the run
// and is its result.
using ProgressCallback =
    std::function<absl::Status(sim::Tick tick, sim::Tick tick_count)>;

// What to do where a run differs from its recording.
enum class OnDivergence {
  kStop,      // End at the keyframe that explains the difference.
  kContinue,  // Run on to the end, and count what differs.
  kResync,    // Start again from each keyframe behind a difference.
};

// More threads would only wait for each other.
inline constexpr uint32_t kVerifyThreadsMax = 256;

// What later_divergences holds at most.
inline constexpr size_t kLaterDivergencesMax = 100;

struct VerifyOptions {
  // Run the old inputs on this pack instead of the one inside; must remain live
  // meanwhile.
  const sim::PackArchive* pack = nullptr;
  // Takes the simulation from those that are kept, instead of compiling the
  // pack; must remain live meanwhile, and is used by the calling thread alone.
  KeptSimulations* simulations = nullptr;
  // How many differing fields to describe, of each divergence.
  size_t fields_max = 16;
  OnDivergence on_divergence = OnDivergence::kStop;
  // 1 to kVerifyThreadsMax. The report is the same for any number. One is used
  // on another pack, whose keyframes are not those recorded, and to continue
  // behind a difference.
  uint32_t threads = 1;
  // Called by the thread that verifies, with the ticks done so far.
  ProgressCallback progress = nullptr;
  // Called before tick 0 with what the recording and this build don't share.
  // The report has it, too, before what it remarks of the run.
  std::function<void(const ReplayRemarks&)> on_remarks = nullptr;
};

// What was compared of a replay that was recorded on this pack by a build with
// other tables, up to the first difference.
struct VerifiedRooms {
  // Between its tables and this build's.
  std::vector<SchemaDifference> schema_differences;
  // The rooms of the same tables then and now, held against their digests, and
  // the recorded ones that aren't. Of these, what both have is compared at
  // keyframes.
  std::vector<std::string> compared;
  std::vector<std::string> not_compared;
  uint64_t keyframes_compared = 0;
};

struct VerificationReport {
  // The ticks that the replay holds, and how many of them lie below a chain
  // that was found right: from tick 0 on, and from each resync.
  sim::Tick tick_count = 0;
  sim::Tick ticks_verified = 0;
  // Digest entries compared, and those of another state.
  uint64_t digests_compared = 0;
  uint64_t digests_different = 0;
  // Of the state after the last tick that was run, and the chain up to it.
  sim::Digest root;
  sim::Digest chain;
  sim::Outcome outcome;
  // What stepping and digests took of all threads together; the rest of a
  // verification is reading, compiling and comparing.
  double stepping_seconds = 0;
  // The first difference, and those found after a resync.
  std::optional<Divergence> divergence;
  std::vector<Divergence> later_divergences;
  // Set where the file says that it was recorded with other tables. No tick is
  // verified then, for the chain covers all of them.
  std::optional<VerifiedRooms> rooms;
  // What was recorded, or should have been, and wasn't held against the run: a
  // clause each, "the ticks from 11 to 870, of which no digest was recorded".
  // Empty where a difference was found, and with `rooms`, which say it.
  std::vector<std::string> not_covered;
  // What the recording and this build don't share, and what the file lacks.
  ReplayRemarks remarks;

  // At least one tick verified, and no difference in what was compared.
  bool is_right() const {
    return !divergence.has_value() && ticks_verified > 0;
  }
  // Right, and nothing left out.
  bool passed() const { return is_right() && not_covered.empty(); }
};

// NOT_FOUND: this program lacks the simulation. DATA_LOSS: the file contradicts
// itself. Other errors: those of the simulation's factory, the medium and
// `options.progress`. That the runs differ is no error.
absl::StatusOr<VerificationReport> VerifyReplay(const ReplayReader& replay,
                                                const VerifyOptions& options);

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_VERIFYING_VERIFIER_H_
