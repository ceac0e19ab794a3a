// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// How a session goes back, and what others make of it.

#include <new>
#include <utility>

#include "fmt/format.h"
#include "services/base/resource_name.h"
#include "services/base/status.h"
#include "services/sessions/session.h"
#include "sim/base/check.h"

namespace reprise::services {

absl::StatusOr<v1::Snapshot> Session::TakeSnapshot() {
  const Change change(this);
  if (closed_) return SessionNotFoundError(options_.id);
  if (absl::Status well = CheckWellLocked(); !well.ok()) return well;
  if (snapshots_.size() >= options_.snapshots_max) {
    return WithReason(absl::ResourceExhaustedError(fmt::format(
                          "session '{}' keeps {} snapshots, as many as it may",
                          options_.id, snapshots_.size())),
                      "TOO_MANY_SNAPSHOTS",
                      {{"session", MakeName(kSessions, options_.id)}});
  }
  if (absl::Status room = memory_.CheckRoom(); !room.ok()) return room;
  last_use_ = options_.clock();
  return snapshots_.Add({.state = simulation_->state(),
                         .tick = simulation_->tick(),
                         .digest = simulation_->state().ComputeRootDigest(),
                         .outcome = simulation_->outcome().status,
                         .replay_id = replay_id_,
                         .row_bytes = RowBytes(simulation_->state())});
}

absl::Status Session::DeleteSnapshot(uint64_t number) {
  const Change change(this);
  const auto kept = FindLocked(number);
  if (!kept.ok()) return kept.status();
  last_use_ = options_.clock();
  snapshots_.Remove(number);
  return absl::OkStatus();
}

absl::StatusOr<bool> Session::ResetInPlace(std::optional<uint64_t> seed) {
  const Change change(this);
  CHECK(leased_);
  if (is_broken_) return CheckWellLocked();
  if (recording_ != nullptr || !StartsLocked(seed)) return false;
  if (absl::Status restored = RestoreLocked(*start_); !restored.ok()) {
    return restored;
  }
  ForgetDecisionLocked();
  return true;
}

absl::StatusOr<bool> Session::RestoreInPlace(uint64_t number) {
  const Change change(this);
  CHECK(leased_);
  const auto kept = FindLocked(number);
  if (!kept.ok()) return kept.status();
  if (absl::Status well = CheckWellLocked(); !well.ok()) return well;
  if (absl::Status room = memory_.CheckRoom(); !room.ok()) return room;
  if (recording_ != nullptr) return false;
  if (absl::Status restored = RestoreLocked((*kept)->state); !restored.ok()) {
    return restored;
  }
  ForgetDecisionLocked();
  return true;
}

absl::Status Session::RestoreLocked(const sim::State& state) {
  try {
    if (absl::Status restored = simulation_->Restore(state); !restored.ok()) {
      return restored;
    }
    simulation_->DrainEvents();
  } catch (const std::bad_alloc&) {
    return BreakLocked();
  }
  return absl::OkStatus();
}

absl::StatusOr<RecordedRun> Session::Fork(
    std::optional<uint64_t> snapshot) const {
  const std::scoped_lock lock(mutex_);
  const KeptState* kept = nullptr;
  if (snapshot.has_value()) {
    const auto found = FindLocked(*snapshot);
    if (!found.ok()) return found.status();
    kept = *found;
  }
  if (closed_) return SessionNotFoundError(options_.id);
  // What a recording lacks is no matter of a run without one.
  if (is_broken_ || !simulation_->status().ok()) return CheckWellLocked();
  RecordedRun run{.simulation = simulation_->Fork(),
                  .recording = nullptr,
                  .pack = pack_,
                  .start = start_};
  if (kept != nullptr) {
    if (absl::Status restored = run.simulation->Restore(kept->state);
        !restored.ok()) {
      return restored;
    }
  }
  return run;
}

absl::StatusOr<RecordedRun> Session::StartAgain(
    std::optional<uint64_t> seed) const {
  const std::scoped_lock lock(mutex_);
  if (is_broken_) return CheckWellLocked();
  RecordedRun run{.simulation = nullptr,
                  .recording = nullptr,
                  .pack = pack_,
                  .start = std::nullopt};
  if (!StartsLocked(seed)) return run;
  run.simulation = simulation_->Fork();
  run.start = start_;
  if (absl::Status restored = run.simulation->Restore(*start_);
      !restored.ok()) {
    return restored;
  }
  return run;
}

absl::StatusOr<RecordedPoint> Session::FlushTo(
    std::optional<uint64_t> snapshot) {
  std::unique_lock lock(mutex_);
  if (closed_) return SessionNotFoundError(options_.id);
  if (recording_ == nullptr) {
    return WithReason(
        absl::FailedPreconditionError(fmt::format(
            "session '{}' is not recorded, so nothing says how it came here",
            options_.id)),
        "SESSION_NOT_RECORDED",
        {{"session", MakeName(kSessions, options_.id)}});
  }
  if (is_broken_) return CheckWellLocked();
  RecordedPoint point;
  if (snapshot.has_value()) {
    const auto kept = FindLocked(*snapshot);
    if (!kept.ok()) return kept.status();
    point = {.tenant = options_.tenant,
             .replay_id = (*kept)->replay_id,
             .tick = (*kept)->tick,
             .digest = (*kept)->digest};
  } else {
    point = {.tenant = options_.tenant,
             .replay_id = replay_id_,
             .tick = simulation_->tick(),
             .digest = simulation_->state().ComputeRootDigest()};
  }
  if (absl::Status well = CheckWellLocked(); !well.ok()) return well;
  const DiskWait wait = recording_->Flush();
  lock.unlock();
  if (absl::Status flushed = wait(); !flushed.ok()) return flushed;
  return point;
}

absl::StatusOr<std::string> Session::Replace(RecordedRun run,
                                             std::string replay_id) {
  DiskWait finish;
  {
    const std::scoped_lock lock(mutex_);
    CHECK(leased_);
    CHECK((run.recording != nullptr) == (recording_ != nullptr));
    CHECK((run.followed != nullptr) == (followed_ != nullptr));
    if (recording_ != nullptr) finish = recording_->BeginFinish();
  }
  // Nobody steps or ends it meanwhile: it is leased.
  const absl::Status ended = finish == nullptr ? absl::OkStatus() : finish();
  const Change change(this);
  std::string finished_id;
  if (recording_ != nullptr) {
    if (absl::Status finished = recording_->EndFinish(ended); !finished.ok()) {
      run.recording->Discard();
      return finished;
    }
    finished_id = std::exchange(replay_id_, std::move(replay_id));
  }
  const bool has_same_seed =
      run.simulation->info().seed == simulation_->info().seed;
  if (!has_same_seed) {
    snapshots_.Clear();
    start_.reset();
  }
  // The recorders go before what they record.
  recording_ = std::move(run.recording);
  followed_ = std::move(run.followed);
  simulation_ = std::move(run.simulation);
  if (run.loaded_bytes > 0) loaded_bytes_ = run.loaded_bytes;
  memory_.Begin(RowBytes(simulation_->state()));
  if (simulation_->tick() == 0) start_ = simulation_->state();
  ForgetDecisionLocked();
  last_use_ = options_.clock();
  return finished_id;
}

absl::StatusOr<const KeptState*> Session::FindLocked(uint64_t snapshot) const {
  if (closed_) return SessionNotFoundError(options_.id);
  return snapshots_.Find(snapshot);
}

bool Session::StartsLocked(std::optional<uint64_t> seed) const {
  return start_.has_value() && simulation_->status().ok() &&
         seed.value_or(simulation_->info().seed) == simulation_->info().seed;
}

}  // namespace reprise::services
