// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/comparing/recording_agreement.h"

#include <algorithm>
#include <memory>
#include <span>
#include <utility>

#include "absl/status/status.h"
#include "replays/verifying/progress_teller.h"
#include "sim/base/check.h"
#include "sim/input/input_frame.h"
#include "sim/simulation.h"

namespace reprise::replays {
namespace {

class Follower {
 public:
  Follower(const ReplayReader& recording, const RunSide& run,
           const ProgressCallback& progress)
      : recording_(recording),
        digests_(recording.ReadDigests()),
        simulation_(*run.simulation),
        inputs_(*run.inputs),
        tick_count_(std::min(
            recording.tick_count(),
            run.inputs->tick_count().value_or(recording.tick_count()))),
        progress_(progress) {}

  absl::StatusOr<RecordingAgreement> Follow() {
    absl::Status status = ReadNextDigest();
    while (status.ok()) {
      status = Compare();
      if (!status.ok()) break;
      if (result_.first_different || simulation_.tick() == tick_count_) {
        return std::move(result_);
      }
      const absl::StatusOr<bool> is_stepped = Step();
      if (!is_stepped.ok()) return is_stepped.status();
      if (!*is_stepped) return std::move(result_);
    }
    return status;
  }

 private:
  absl::Status ReadNextDigest() {
    absl::StatusOr<std::optional<DigestEntry>> next = digests_->Next();
    if (!next.ok()) return next.status();
    digest_ = *std::move(next);
    return absl::OkStatus();
  }

  // Holds the state as it is against what was recorded of its tick.
  absl::Status Compare() {
    const sim::Tick tick = simulation_.tick();
    chain_ = sim::ExtendChain(chain_, simulation_.state().ComputeRootDigest());
    if (digest_.has_value() && digest_->tick == tick) {
      CompareWith(digest_->root, digest_->chain);
      const absl::Status status = ReadNextDigest();
      if (!status.ok()) return status;
    }
    const std::optional<ReplayEnd>& end = recording_.end();
    if (end.has_value() && end->tick_count == tick) {
      CompareWith(end->root, end->chain);
    }
    return absl::OkStatus();
  }

  void CompareWith(sim::Digest root, sim::Digest chain) {
    if (result_.first_different.has_value()) return;
    const sim::Tick tick = simulation_.tick();
    if (chain == chain_) {
      result_.last_equal = {tick, chain_, simulation_.state()};
    } else {
      result_.first_different = tick;
      result_.expected_root = root;
    }
  }

  // Not where the run refuses its inputs.
  absl::StatusOr<bool> Step() {
    const sim::Tick tick = simulation_.tick();
    const absl::Status told = progress_.Tell(tick, tick_count_);
    if (!told.ok()) return told;
    const absl::StatusOr<std::span<const sim::InputFrame>> frames =
        inputs_.FramesAt(tick);
    if (!frames.ok()) return frames.status();
    if (!simulation_.Validate(*frames).ok()) return false;
    simulation_.Step(*frames, /*observer=*/nullptr);
    if (!simulation_.status().ok()) return simulation_.status();
    // Events are an account of the state, which is compared.
    simulation_.DrainEvents();
    ++result_.ticks_stepped;
    return true;
  }

  const ReplayReader& recording_;
  const std::unique_ptr<ReplayCursor<DigestEntry>> digests_;
  sim::Simulation& simulation_;
  InputSource& inputs_;
  const sim::Tick tick_count_;
  ProgressTeller progress_;
  std::optional<DigestEntry> digest_;  // what was recorded next
  sim::Digest chain_;
  RecordingAgreement result_;
};

}  // namespace

absl::StatusOr<RecordingAgreement> FollowRecording(
    const ReplayReader& recording, const RunSide& run,
    const ProgressCallback& progress) {
  CHECK(run.simulation->tick() == 0, "tick {}", run.simulation->tick());
  return Follower(recording, run, progress).Follow();
}

}  // namespace reprise::replays
