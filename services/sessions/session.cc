// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/sessions/session.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "fmt/format.h"
#include "replays/messages/proto_conversion.h"
#include "services/base/resource_name.h"
#include "services/base/server_options.h"
#include "services/base/status.h"
#include "sim/base/check.h"
#include "sim/base/utf8.h"
#include "sim/event.h"

namespace reprise::services {
namespace {

// An event's tag and length in the message around it, at most.
constexpr uint64_t kEventOverheadBytes = 6;

// Of the reason of an outcome: a quarter of what a response has beside events.
constexpr size_t kOutcomeReasonBytesMax = kResponseReserveBytes / 4;

uint64_t RowBytes(const sim::State& state) {
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < state.table_count(); ++i) {
    const sim::Table& table = state.table({.value = i});
    bytes += uint64_t{table.row_count()} * table.row_size();
  }
  return bytes;
}

}  // namespace

absl::Status SessionNotFoundError(std::string_view id) {
  return WithReason(
      absl::NotFoundError(fmt::format("there is no session '{}'", id)),
      "SESSION_NOT_FOUND", {{"session", MakeName(kSessions, id)}});
}

Session::Session(Options options, RecordedRun run)
    : options_(std::move(options)),
      is_recorded_(run.recording != nullptr),
      pack_name_(run.simulation->info().pack),
      simulation_(std::move(run.simulation)),
      recording_(std::move(run.recording)),
      replay_id_(is_recorded_ ? options_.id : ""),
      pack_(std::move(run.pack)),
      start_(std::move(run.start)),
      last_use_(options_.clock()) {
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
          .state_bytes = shown_state_bytes_};
}

void Session::ShowLocked() {
  shown_state_ = StateLocked();
  shown_tick_ = simulation_->tick();
  shown_recording_bytes_ = recording_ == nullptr ? 0 : recording_->size_bytes();
  uint64_t state_bytes = RowBytes(simulation_->state());
  for (const auto& [number, kept] : snapshots_) state_bytes += kept.row_bytes;
  ShowStateBytes(closed_ ? 0 : state_bytes);
}

void Session::ShowStateBytes(uint64_t bytes) {
  const uint64_t before = shown_state_bytes_.exchange(bytes);
  if (options_.memory != nullptr) options_.memory->Replace(before, bytes);
}

absl::Status Session::CheckRoom() const {
  return options_.memory == nullptr ? absl::OkStatus()
                                    : options_.memory->CheckRoom();
}

std::string Session::pack_name() const { return pack_name_; }

sim::Outcome::Status Session::outcome() const {
  const std::scoped_lock lock(mutex_);
  return simulation_->outcome().status;
}

v1::Session Session::DescribeLocked() const {
  const sim::SimulationInfo& info = simulation_->info();
  v1::Session description;
  description.set_name(MakeName(kSessions, options_.id));
  description.set_pack(info.pack);
  description.set_pack_digest(sim::FormatDigest(info.pack_digest));
  description.set_seed(info.seed);
  description.set_tick(simulation_->tick());
  description.set_tick_rate(info.tick_rate.ticks_per_second);
  if (is_recorded_) description.set_replay(MakeName(kReplays, replay_id_));
  description.set_outcome(replays::ToProto(simulation_->outcome().status));
  description.set_digest(
      sim::FormatDigest(simulation_->state().ComputeRootDigest()));
  description.mutable_labels()->insert(options_.labels.begin(),
                                       options_.labels.end());
  description.set_state(StateLocked());
  for (const auto& [number, kept] : snapshots_) {
    *description.add_snapshots() = DescribeLocked(number, kept);
  }
  return description;
}

v1::Snapshot Session::DescribeLocked(uint64_t number,
                                     const KeptState& kept) const {
  v1::Snapshot description;
  description.set_name(
      MakeName(SnapshotName{.session_id = options_.id, .number = number}));
  description.set_tick(kept.tick);
  description.set_digest(sim::FormatDigest(kept.digest));
  description.set_outcome(replays::ToProto(kept.outcome));
  return description;
}

v1::Session::State Session::StateLocked() const {
  if (!simulation_->status().ok()) return v1::Session::STATE_SIMULATION_FAILED;
  if (recording_ != nullptr && !recording_->status().ok()) {
    return v1::Session::STATE_RECORDING_FAILED;
  }
  if (IsFullLocked()) return v1::Session::STATE_RECORDING_FULL;
  return leased_ ? v1::Session::STATE_IN_USE : v1::Session::STATE_FREE;
}

absl::Time Session::last_use() const {
  const std::scoped_lock lock(mutex_);
  return leased_ ? absl::InfiniteFuture() : last_use_;
}

absl::Status Session::Lease() {
  const std::scoped_lock lock(mutex_);
  if (closed_) return SessionNotFoundError(options_.id);
  if (leased_) return LeasedError();
  leased_ = true;
  shown_state_ = StateLocked();
  return absl::OkStatus();
}

void Session::ReleaseLease() {
  const std::scoped_lock lock(mutex_);
  CHECK(leased_);
  leased_ = false;
  shown_state_ = StateLocked();
  last_use_ = options_.clock();
}

absl::Status Session::Check(const StepOrder& order) const {
  const std::scoped_lock lock(mutex_);
  CHECK(leased_);
  if (order.first_tick != simulation_->tick()) {
    return WithReason(
        absl::FailedPreconditionError(fmt::format(
            "the request begins at tick {}, the session is at tick {}",
            order.first_tick, simulation_->tick())),
        "TICK_MISMATCH");
  }
  if (order.tick_count > 0) {
    if (absl::Status well = CheckWellLocked(); !well.ok()) return well;
    if (absl::Status room = CheckRoom(); !room.ok()) return room;
    if (IsFullLocked()) {
      return WithReason(absl::ResourceExhaustedError(
                            fmt::format("the recording has reached {} bytes",
                                        options_.recording_bytes_max)),
                        "RECORDING_FULL");
    }
  }
  for (const TickFrames& inputs : order.inputs) {
    absl::Status accepted = simulation_->Validate(inputs.frames);
    if (accepted.ok()) continue;
    return WithReason(
        absl::Status(accepted.code(),
                     fmt::format("inputs for tick {}: {}", inputs.tick,
                                 std::string(accepted.message()))),
        "INPUT_REFUSED");
  }
  return absl::OkStatus();
}

absl::StatusOr<bool> Session::Advance(StepOrder& order,
                                      absl::FunctionRef<bool()> pause,
                                      v1::StepSessionResponse& response) {
  const Change change(this);
  CHECK(leased_);
  Observation* const observation = order.observation.get();
  if (order.is_observation_new) {
    *response.mutable_layout() = observation->Describe();
    order.is_observation_new = false;
  }
  if (order.tick_count == 0) {
    order.stop_reason = v1::STOP_REASON_TICKS;
    if (observation != nullptr) {
      observation->ObserveAll({.simulation = *simulation_, .events = {}},
                              *response.mutable_observations());
    }
  }
  // Events of each tick matter to who looks at each.
  const bool looks_at_ticks =
      observation != nullptr || order.stop_condition.has_value();
  std::vector<sim::Event> events;
  absl::Status stepped;
  bool paused = false;
  while (!paused && order.stop_reason == v1::STOP_REASON_UNSPECIFIED) {
    std::span<const sim::InputFrame> frames;
    if (order.inputs_used < order.inputs.size() &&
        order.inputs[order.inputs_used].tick == simulation_->tick()) {
      frames = order.inputs[order.inputs_used++].frames;
    }
    stepped = StepLocked(frames);
    if (!stepped.ok()) break;
    std::vector<sim::Event> of_tick;
    if (looks_at_ticks) of_tick = DrainEventsLocked();
    LookLocked(of_tick, order, response);
    std::ranges::move(of_tick, std::back_inserter(events));
    paused = pause();
  }
  last_use_ = options_.clock();
  std::ranges::move(DrainEventsLocked(), std::back_inserter(events));
  AddEventsLocked(events, observation, response);
  if (!stepped.ok()) return stepped;
  response.set_stop_reason(order.stop_reason);
  return order.stop_reason != v1::STOP_REASON_UNSPECIFIED;
}

absl::Status Session::Prepare(std::shared_ptr<Observation>& kept,
                              StepOrder& order) const {
  const std::scoped_lock lock(mutex_);
  CHECK(leased_);
  if (!order.until_condition.empty()) {
    auto condition = StopCondition::Parse(order.until_condition, *simulation_);
    if (!condition.ok()) return condition.status();
    order.stop_condition = *std::move(condition);
  }
  if (order.observe.has_value()) {
    auto observation =
        Observation::Parse(*order.observe, *simulation_,
                           ObservedBytesMax(options_.response_bytes_max));
    if (!observation.ok()) return observation.status();
    kept = std::make_shared<Observation>(*std::move(observation));
    order.is_observation_new = true;
  }
  order.observation = kept;
  if (kept != nullptr) kept->Begin();
  return absl::OkStatus();
}

void Session::LookLocked(std::span<const sim::Event> events, StepOrder& order,
                         v1::StepSessionResponse& response) {
  const bool is_decided_now =
      !is_decided_ &&
      simulation_->outcome().status != sim::Outcome::Status::kRunning;
  if (is_decided_now) {
    is_decided_ = true;
    decided_tick_ = simulation_->tick();
  }
  const ObservedTick tick{.simulation = *simulation_, .events = events};
  Observation* const observation = order.observation.get();
  if (observation != nullptr) {
    observation->ObserveTick(tick, *response.mutable_observations());
  }
  if (order.until_outcome && is_decided_now) {
    order.stop_reason = v1::STOP_REASON_OUTCOME;
  } else if (order.stop_condition.has_value() &&
             order.stop_condition->Holds(tick)) {
    order.stop_reason = v1::STOP_REASON_CONDITION;
  } else if (simulation_->tick() == order.end_tick()) {
    order.stop_reason = v1::STOP_REASON_TICKS;
  } else if (observation != nullptr && observation->is_full()) {
    order.stop_reason = v1::STOP_REASON_MESSAGE_FULL;
  }
  if (observation == nullptr ||
      order.stop_reason == v1::STOP_REASON_UNSPECIFIED) {
    return;
  }
  observation->ObserveEnd(tick, *response.mutable_observations());
}

void Session::DescribeStep(bool want_frame,
                           v1::StepSessionResponse& response) const {
  const std::scoped_lock lock(mutex_);
  response.set_tick(simulation_->tick());
  response.set_digest(simulation_->state().ComputeRootDigest().value);
  const sim::Outcome outcome = simulation_->outcome();
  response.set_outcome(replays::ToProto(outcome.status));
  response.set_outcome_reason(
      std::string(sim::Utf8Prefix(outcome.reason, kOutcomeReasonBytesMax)));
  if (decided_tick_.has_value()) response.set_decided_tick(*decided_tick_);
  if (!want_frame) return;
  *response.mutable_frame() = replays::ToProto(simulation_->ProduceFrame(),
                                               simulation_->info().tick_rate);
  if (response.ByteSizeLong() > options_.response_bytes_max) {
    response.clear_frame();
    response.set_frame_omitted(true);
  }
}

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
  if (absl::Status room = CheckRoom(); !room.ok()) return room;
  last_use_ = options_.clock();
  const uint64_t number = ++snapshots_taken_;
  KeptState& kept = snapshots_[number];
  kept = {.state = simulation_->state(),
          .tick = simulation_->tick(),
          .digest = simulation_->state().ComputeRootDigest(),
          .outcome = simulation_->outcome().status,
          .replay_id = replay_id_,
          .row_bytes = RowBytes(simulation_->state())};
  return DescribeLocked(number, kept);
}

absl::Status Session::DeleteSnapshot(uint64_t number) {
  const Change change(this);
  const auto kept = FindLocked(number);
  if (!kept.ok()) return kept.status();
  last_use_ = options_.clock();
  snapshots_.erase(number);
  return absl::OkStatus();
}

absl::StatusOr<bool> Session::ResetInPlace(std::optional<uint64_t> seed) {
  const Change change(this);
  CHECK(leased_);
  if (recording_ != nullptr || !StartsLocked(seed)) return false;
  if (absl::Status restored = simulation_->Restore(*start_); !restored.ok()) {
    return restored;
  }
  simulation_->DrainEvents();
  ForgetDecisionLocked();
  return true;
}

absl::StatusOr<bool> Session::RestoreInPlace(uint64_t number) {
  const Change change(this);
  CHECK(leased_);
  const auto kept = FindLocked(number);
  if (!kept.ok()) return kept.status();
  if (absl::Status well = CheckWellLocked(); !well.ok()) return well;
  if (recording_ != nullptr) return false;
  if (absl::Status restored = simulation_->Restore((*kept)->state);
      !restored.ok()) {
    return restored;
  }
  simulation_->DrainEvents();
  ForgetDecisionLocked();
  return true;
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
  if (!simulation_->status().ok()) return CheckWellLocked();
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
  const std::scoped_lock lock(mutex_);
  if (closed_) return SessionNotFoundError(options_.id);
  if (recording_ == nullptr) {
    return WithReason(
        absl::FailedPreconditionError(fmt::format(
            "session '{}' is not recorded, so nothing says how it came here",
            options_.id)),
        "SESSION_NOT_RECORDED",
        {{"session", MakeName(kSessions, options_.id)}});
  }
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
  if (absl::Status flushed = recording_->Flush(); !flushed.ok()) return flushed;
  return point;
}

absl::StatusOr<std::string> Session::Replace(RecordedRun run,
                                             std::string replay_id) {
  const Change change(this);
  CHECK(leased_);
  CHECK((run.recording != nullptr) == (recording_ != nullptr));
  std::string finished_id;
  if (recording_ != nullptr) {
    if (absl::Status finished = recording_->Finish(); !finished.ok()) {
      run.recording->Discard();
      return finished;
    }
    finished_id = std::exchange(replay_id_, std::move(replay_id));
  }
  const bool has_same_seed =
      run.simulation->info().seed == simulation_->info().seed;
  if (!has_same_seed) {
    snapshots_.clear();
    start_.reset();
  }
  // The recorders go before what they record.
  recording_ = std::move(run.recording);
  simulation_ = std::move(run.simulation);
  if (simulation_->tick() == 0) start_ = simulation_->state();
  ForgetDecisionLocked();
  last_use_ = options_.clock();
  return finished_id;
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
  if (absl::Status status = simulation_->status(); !status.ok()) {
    return WithReason(
        absl::FailedPreconditionError(fmt::format(
            "the simulation can't go on: {}", std::string(status.message()))),
        "SIMULATION_FAILED", {{"session", MakeName(kSessions, options_.id)}});
  }
  return recording_ == nullptr ? absl::OkStatus() : recording_->status();
}

absl::StatusOr<const Session::KeptState*> Session::FindLocked(
    uint64_t snapshot) const {
  if (closed_) return SessionNotFoundError(options_.id);
  const auto found = snapshots_.find(snapshot);
  if (found != snapshots_.end()) return &found->second;
  const std::string name =
      MakeName(SnapshotName{.session_id = options_.id, .number = snapshot});
  return WithReason(
      absl::NotFoundError(fmt::format("there is no snapshot '{}'", name)),
      "SNAPSHOT_NOT_FOUND", {{"snapshot", name}});
}

void Session::ForgetDecisionLocked() {
  is_decided_ = simulation_->outcome().status != sim::Outcome::Status::kRunning;
  decided_tick_.reset();
}

bool Session::IsFullLocked() const {
  return recording_ != nullptr &&
         recording_->size_bytes() >= options_.recording_bytes_max;
}

bool Session::StartsLocked(std::optional<uint64_t> seed) const {
  return start_.has_value() && simulation_->status().ok() &&
         seed.value_or(simulation_->info().seed) == simulation_->info().seed;
}

absl::Status Session::Close() {
  const Change change(this);
  if (closed_) return SessionNotFoundError(options_.id);
  if (leased_) return LeasedError();
  closed_ = true;
  if (recording_ == nullptr) return absl::OkStatus();
  const std::unique_ptr<Recording> recording = std::move(recording_);
  return recording->Finish();
}

absl::Status Session::StepLocked(std::span<const sim::InputFrame> frames) {
  // Asked again, because a simulation's answer may depend on its state.
  if (absl::Status accepted = simulation_->Validate(frames); !accepted.ok()) {
    return WithReason(std::move(accepted), "INPUT_REFUSED");
  }
  if (recording_ != nullptr) {
    absl::Status stepped = recording_->Step(frames);
    return simulation_->status().ok() ? stepped : CheckWellLocked();
  }
  simulation_->Step(frames, /*observer=*/nullptr);
  return CheckWellLocked();
}

std::vector<sim::Event> Session::DrainEventsLocked() {
  return recording_ != nullptr ? recording_->DrainEvents()
                               : simulation_->DrainEvents();
}

void Session::AddEventsLocked(std::span<const sim::Event> events,
                              const Observation* observation,
                              v1::StepSessionResponse& response) const {
  // What is seen has a part of the message of its own, so that neither takes
  // the other's room.
  uint64_t bytes = events.empty() ? 0
                                  : response.ByteSizeLong() -
                                        response.observations().ByteSizeLong();
  const uint64_t bytes_max =
      options_.response_bytes_max -
      (observation == nullptr
           ? 0
           : 3 * ObservedBytesMax(options_.response_bytes_max));
  for (const sim::Event& event : events) {
    if (observation != nullptr && !observation->Hears(event.type)) continue;
    if (response.events_omitted() == 0) {
      v1::Event message = replays::ToProto(event, *simulation_);
      bytes += message.ByteSizeLong() + kEventOverheadBytes;
      if (bytes <= bytes_max) {
        *response.add_events() = std::move(message);
        continue;
      }
    }
    response.set_events_omitted(response.events_omitted() + 1);
  }
}

absl::Status Session::LeasedError() const {
  return WithReason(absl::FailedPreconditionError(fmt::format(
                        "somebody is stepping session '{}'", options_.id)),
                    "SESSION_IN_USE",
                    {{"session", MakeName(kSessions, options_.id)}});
}

}  // namespace reprise::services
