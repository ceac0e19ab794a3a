// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A part of a replay, run again and held against all that was recorded of it.
// The verifier's own: whole replays are for VerifyReplay.

#ifndef REPRISE_REPLAYS_VERIFYING_VERIFICATION_SEGMENT_H_
#define REPRISE_REPLAYS_VERIFYING_VERIFICATION_SEGMENT_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "replays/format/event_flood.h"
#include "replays/format/input_source.h"
#include "replays/format/replay_metadata.h"
#include "replays/format/replay_reader.h"
#include "replays/verifying/divergence.h"
#include "replays/verifying/event_check.h"
#include "replays/verifying/progress_teller.h"
#include "replays/verifying/verifier.h"
#include "sim/base/digest.h"
#include "sim/base/tick.h"
#include "sim/simulation.h"

namespace reprise::replays {

// What came of one segment.
struct SegmentResult {
  sim::Tick ticks_verified = 0;
  uint64_t digests_compared = 0;
  uint64_t digests_different = 0;
  sim::Digest root;  // of the last state, and the chain up to it
  sim::Digest chain;
  sim::Outcome outcome;
  EventFlood flood;
  std::chrono::nanoseconds stepping_time{0};  // of steps and root digests
  std::vector<Divergence> divergences;
  // Why keyframes couldn't be compared; empty where they could.
  std::string foreign_keyframe_reason;
  // The first difference of the events where other rules may make others.
  std::string foreign_event_reason;

  // From where on the replay lacks events; unset where it lacks none.
  std::optional<sim::Tick> events_lacking_from;
};

// Used by one thread; any number of segments of one replay run side by side.
class VerificationSegment {
 public:
  // From the state that `simulation` is in, of tick 0, or of a keyframe with
  // the chain `start_chain`, to `end`. All must remain live. `progress` is
  // called every few hundred ticks.
  VerificationSegment(const ReplayReader* replay, sim::Simulation* simulation,
                      sim::Digest start_chain, sim::Tick end,
                      const VerifyOptions& options,
                      const ProgressCallback& progress);

  // DATA_LOSS: the file contradicts itself. Other errors: those of the medium
  // and of `progress`. No other call may follow.
  absl::StatusOr<SegmentResult> Run();

 private:
  absl::Status ReadNextDigest();
  absl::Status ReadNextKeyframe();
  absl::Status CheckTick();
  absl::Status CheckDigest(const DigestEntry& entry);
  absl::Status CheckKeyframe(const ReplayKeyframe& keyframe);
  void CheckEnd();
  absl::Status ReadBranches();
  // Notes a branch of this tick whose chain isn't the run's.
  void CheckBranches();
  absl::Status StepTick();
  // Notes a difference of the events of the step that was made.
  absl::Status CheckEvents(sim::Tick tick);
  void Note(Divergence claim);
  void CompareWith(sim::Digest root, sim::Digest chain);
  absl::Status RefuseInputs(const std::string& reason);
  // Restores the keyframe that is due next and goes on from there.
  absl::Status ResyncAtKeyframe();

  Divergence& AddDivergence(Divergence::Kind kind);
  // Reports what was noted since states were known to be equal, once they are
  // again: it is no consequence of another state.
  void ReportNoted();
  bool is_resyncing() const {
    return options_.on_divergence == OnDivergence::kResync;
  }
  // Whether a difference was found that the run hasn't left behind.
  bool is_diverged() const { return is_diverged_; }
  bool awaits_keyframe() const;

  const ReplayReader& replay_;
  sim::Simulation& simulation_;
  const sim::Tick begin_;
  const sim::Tick end_;
  const VerifyOptions& options_;
  ProgressTeller progress_;
  const std::unique_ptr<InputSource> inputs_;
  const std::unique_ptr<ReplayCursor<DigestEntry>> digests_;
  const std::unique_ptr<ReplayCursor<ReplayKeyframe>> keyframes_;
  SegmentResult result_;
  // What was recorded next; unset when nothing is left.
  std::optional<DigestEntry> digest_;
  std::optional<ReplayKeyframe> keyframe_;
  // By tick; empty: they are no longer compared.
  std::vector<ReplayBranch> branches_;
  size_t next_branch_ = 0;            // the first that isn't of a tick before
  std::optional<EventCheck> events_;  // unset: they are no longer compared
  std::optional<Divergence> noted_;   // the first claim that isn't the run's
  std::optional<sim::Tick> last_equal_tick_;
  // The state is a keyframe's: nothing is to be compared before the next step.
  bool is_at_keyframe_ = false;
  // When the step began whose state is compared next.
  std::optional<std::chrono::steady_clock::time_point> step_start_;
  bool is_diverged_ = false;
  bool is_explained_ = false;  // the last divergence has its fields
  bool is_done_ = false;
};

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_VERIFYING_VERIFICATION_SEGMENT_H_
