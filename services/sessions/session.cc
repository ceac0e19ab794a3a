// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/sessions/session.h"

#include <utility>

#include "fmt/format.h"
#include "replays/messages/proto_conversion.h"
#include "services/base/resource_name.h"
#include "services/base/status.h"
#include "sim/base/check.h"
#include "sim/base/digest.h"

namespace reprise::services {
Session::Session(Options options, RecordedRun run)
    : options_(std::move(options)),
      is_recorded_(run.recording != nullptr),
      pack_name_(run.simulation->info().pack),
      tick_rate_(run.simulation->info().tick_rate.ticks_per_second),
      followed_replay_id_(run.followed == nullptr ? ""
                                                  : run.followed->replay_id()),
      memory_(options_.memory, options_.budget),
      simulation_(std::move(run.simulation)),
      recording_(std::move(run.recording)),
      followed_(std::move(run.followed)),
      replay_id_(is_recorded_ ? options_.id : ""),
      pack_(std::move(run.pack)),
      start_(std::move(run.start)),
      loaded_bytes_(run.loaded_bytes),
      snapshots_(options_.id),
      last_use_(options_.clock()),
      flush_time_(last_use_) {
  memory_.Begin(RowBytes(simulation_->state()));
  if (options_.lockstep.has_value()) {
    lockstep_ = std::make_unique<Lockstep>(
        *options_.lockstep, simulation_->info().inputs.player_count);
  }
  if (!start_.has_value() && simulation_->tick() == 0) {
    start_ = simulation_->state();
  }
  ForgetDecisionLocked();
  ShowLocked();
}

std::string Session::replay_id() const {
  const std::scoped_lock lock(mutex_);
  return replay_id_;
}

v1::Session Session::Describe() {
  const std::scoped_lock lock(mutex_);
  last_use_ = options_.clock();
  return DescribeLocked();
}

v1::Session Session::Peek() const {
  const std::scoped_lock lock(mutex_);
  return DescribeLocked();
}

SessionGlance Session::Glance() const {
  return {.id = options_.id,
          .tenant = options_.tenant,
          .pack = pack_name_,
          .state = shown_state_,
          .tick = shown_tick_,
          .recording_bytes = shown_recording_bytes_,
          .state_bytes = memory_.state_bytes(),
          .loaded_bytes = memory_.loaded_bytes()};
}

void Session::ShowLocked() {
  shown_state_ = StateLocked();
  shown_recording_bytes_ = recording_ == nullptr ? 0 : recording_->size_bytes();
  if (is_broken_) {
    memory_.Show(0, closed_ ? 0 : loaded_bytes_);
    return;
  }
  shown_tick_ = simulation_->tick();
  const uint64_t state_bytes =
      RowBytes(simulation_->state()) + snapshots_.row_bytes();
  memory_.Show(closed_ ? 0 : state_bytes, closed_ ? 0 : loaded_bytes_);
}

absl::Status Session::BreakLocked() {
  is_broken_ = true;
  // Gives back what can be, so that others go on.
  snapshots_.Clear();
  start_.reset();
  return MemoryExhaustedError();
}

std::string Session::pack_name() const { return pack_name_; }

sim::Outcome::Status Session::outcome() const {
  const std::scoped_lock lock(mutex_);
  if (is_broken_) return sim::Outcome::Status::kRunning;
  return simulation_->outcome().status;
}

v1::Session Session::DescribeLocked() const {
  const sim::SimulationInfo& info = simulation_->info();
  v1::Session description;
  description.set_name(MakeName(kSessions, options_.id));
  description.set_pack(info.pack);
  description.set_pack_digest(sim::FormatDigest(info.pack_digest));
  description.set_seed(info.seed);
  description.set_tick(is_broken_ ? shown_tick_.load() : simulation_->tick());
  description.set_tick_rate(info.tick_rate.ticks_per_second);
  if (is_recorded_) description.set_replay(MakeName(kReplays, replay_id_));
  if (!is_broken_) {
    description.set_outcome(replays::ToProto(simulation_->outcome().status));
    description.set_digest(
        sim::FormatDigest(simulation_->state().ComputeRootDigest()));
  }
  description.mutable_labels()->insert(options_.labels.begin(),
                                       options_.labels.end());
  description.set_state(StateLocked());
  if (followed_ != nullptr) {
    description.set_followed_replay(MakeName(kReplays, followed_replay_id_));
    description.set_followed_ticks(followed_->tick_count());
  }
  snapshots_.Describe(description);
  if (lockstep_ != nullptr) {
    *description.mutable_lockstep() = ToProto(lockstep_->options());
    lockstep_->DescribeSeats(options_.clock(), *description.mutable_seats());
  }
  return description;
}

v1::Session::State Session::StateLocked() const {
  if (is_broken_ || !simulation_->status().ok()) {
    return v1::Session::STATE_SIMULATION_FAILED;
  }
  if (!CheckRecordingLocked().ok()) return v1::Session::STATE_RECORDING_FAILED;
  if (IsFullLocked() ||
      (recording_ != nullptr && recording_->is_out_of_room())) {
    return v1::Session::STATE_RECORDING_FULL;
  }
  if (!leased_) return v1::Session::STATE_FREE;
  return played_ ? v1::Session::STATE_PLAYED : v1::Session::STATE_IN_USE;
}

absl::Time Session::last_use() const {
  const std::scoped_lock lock(mutex_);
  return leased_ ? absl::InfiniteFuture() : last_use_;
}

absl::Status Session::Lease() {
  const std::scoped_lock lock(mutex_);
  if (closed_) return SessionNotFoundError(options_.id);
  if (leased_) return SessionInUseError(options_.id, played_);
  if (is_broken_) return CheckWellLocked();
  // Somebody may have made room since.
  if (recording_ != nullptr) recording_->AskForRoom();
  leased_ = true;
  shown_state_ = StateLocked();
  return absl::OkStatus();
}

absl::Status Session::LeaseToPlay() {
  if (lockstep_ == nullptr) {
    return WithReason(
        absl::FailedPreconditionError(fmt::format(
            "session '{}' was created without a lockstep, so one client steps "
            "it",
            options_.id)),
        "SESSION_NOT_SHARED", {{"session", MakeName(kSessions, options_.id)}});
  }
  if (absl::Status leased = Lease(); !leased.ok()) return leased;
  const std::scoped_lock lock(mutex_);
  played_ = true;
  shown_state_ = StateLocked();
  lockstep_->Resume(simulation_->tick(), options_.clock());
  return absl::OkStatus();
}

void Session::ReleaseLease() {
  const std::scoped_lock lock(mutex_);
  CHECK(leased_);
  leased_ = false;
  played_ = false;
  shown_state_ = StateLocked();
  last_use_ = options_.clock();
}

std::shared_ptr<const sim::PackArchive> Session::pack() const {
  const std::scoped_lock lock(mutex_);
  return pack_;
}

uint64_t Session::seed() const {
  const std::scoped_lock lock(mutex_);
  return simulation_->info().seed;
}

std::optional<sim::State> Session::start() const {
  const std::scoped_lock lock(mutex_);
  return start_;
}

absl::Status Session::CheckWellLocked() const {
  if (is_broken_) {
    return WithReason(
        absl::FailedPreconditionError(
            "the simulation can't go on: memory ran out in the midst of a "
            "tick, and the session ends"),
        "SIMULATION_FAILED", {{"session", MakeName(kSessions, options_.id)}});
  }
  if (absl::Status status = simulation_->status(); !status.ok()) {
    return WithReason(
        absl::FailedPreconditionError(fmt::format(
            "the simulation can't go on: {}", std::string(status.message()))),
        "SIMULATION_FAILED", {{"session", MakeName(kSessions, options_.id)}});
  }
  return CheckRecordingLocked();
}

void Session::ForgetDecisionLocked() {
  is_decided_ = simulation_->outcome().status != sim::Outcome::Status::kRunning;
  decided_tick_.reset();
}

bool Session::IsFullLocked() const {
  return recording_ != nullptr &&
         recording_->size_bytes() >= options_.recording_bytes_max;
}

absl::Status Session::Close() {
  std::unique_ptr<Recording> recording;
  DiskWait finish;
  {
    const Change change(this);
    if (closed_) return SessionNotFoundError(options_.id);
    if (leased_) return SessionInUseError(options_.id, played_);
    closed_ = true;
    if (recording_ == nullptr) return absl::OkStatus();
    recording = std::move(recording_);
    if (!is_broken_) finish = recording->BeginFinish();
  }
  if (finish != nullptr) return recording->EndFinish(finish());
  // What it gathered may be torn; the next start makes a replay of the batches
  // that were written.
  return WithReason(
      absl::DataLossError("the recording broke off: memory ran out"),
      "RECORDING_FAILED");
}

}  // namespace reprise::services
