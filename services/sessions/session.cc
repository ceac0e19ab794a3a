// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/sessions/session.h"

#include <utility>
#include <vector>

#include "fmt/format.h"
#include "replays/format/proto_conversion.h"
#include "services/base/resource_name.h"
#include "services/base/status.h"
#include "sim/base/check.h"
#include "sim/event.h"

namespace reprise::services {
namespace {

// An event's tag and length in the message around it, at most.
constexpr uint64_t kEventOverheadBytes = 6;

}  // namespace

absl::Status SessionNotFoundError(std::string_view id) {
  return WithReason(
      absl::NotFoundError(fmt::format("there is no session '{}'", id)),
      "SESSION_NOT_FOUND", {{"session", MakeName(kSessions, id)}});
}

Session::Session(Options options, RecordedRun run)
    : options_(std::move(options)),
      is_recorded_(run.recording != nullptr),
      simulation_(std::move(run.simulation)),
      recording_(std::move(run.recording)),
      last_use_(options_.clock()) {}

v1::Session Session::Describe() {
  const std::scoped_lock lock(mutex_);
  last_use_ = options_.clock();
  const sim::SimulationInfo& info = simulation_->info();
  v1::Session description;
  description.set_name(MakeName(kSessions, options_.id));
  description.set_pack(info.pack);
  description.set_pack_digest(sim::FormatDigest(info.pack_digest));
  description.set_seed(info.seed);
  description.set_tick(simulation_->tick());
  description.set_tick_rate(info.tick_rate.ticks_per_second);
  if (is_recorded_) description.set_replay(MakeName(kReplays, options_.id));
  description.set_outcome(replays::ToProto(simulation_->outcome().status));
  description.set_digest(
      sim::FormatDigest(simulation_->state().ComputeRootDigest()));
  return description;
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
  return absl::OkStatus();
}

void Session::ReleaseLease() {
  const std::scoped_lock lock(mutex_);
  CHECK(leased_);
  leased_ = false;
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
  if (recording_ != nullptr && order.tick_count > 0) {
    if (absl::Status status = recording_->status(); !status.ok()) {
      return status;
    }
    if (recording_->size_bytes() >= options_.recording_bytes_max) {
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
  const std::scoped_lock lock(mutex_);
  CHECK(leased_);
  absl::Status stepped;
  bool paused = false;
  while (stepped.ok() && !paused && simulation_->tick() < order.end_tick()) {
    std::span<const sim::InputFrame> frames;
    if (order.inputs_used < order.inputs.size() &&
        order.inputs[order.inputs_used].tick == simulation_->tick()) {
      frames = order.inputs[order.inputs_used++].frames;
    }
    stepped = StepLocked(frames);
    paused = pause();
  }
  last_use_ = options_.clock();
  AddEventsLocked(response);
  if (!stepped.ok()) return stepped;
  return simulation_->tick() == order.end_tick();
}

void Session::DescribeStep(bool want_frame,
                           v1::StepSessionResponse& response) const {
  const std::scoped_lock lock(mutex_);
  response.set_tick(simulation_->tick());
  response.set_digest(simulation_->state().ComputeRootDigest().value);
  response.set_outcome(replays::ToProto(simulation_->outcome().status));
  if (!want_frame) return;
  *response.mutable_frame() = replays::ToProto(simulation_->ProduceFrame(),
                                               simulation_->info().tick_rate);
  if (response.ByteSizeLong() > options_.response_bytes_max) {
    response.clear_frame();
    response.set_frame_omitted(true);
  }
}

absl::Status Session::Close() {
  const std::scoped_lock lock(mutex_);
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
  if (recording_ != nullptr) return recording_->Step(frames);
  simulation_->Step(frames, /*observer=*/nullptr);
  return simulation_->status();
}

void Session::AddEventsLocked(v1::StepSessionResponse& response) {
  const std::vector<sim::Event> events = recording_ != nullptr
                                             ? recording_->DrainEvents()
                                             : simulation_->DrainEvents();
  uint64_t bytes = events.empty() ? 0 : response.ByteSizeLong();
  for (const sim::Event& event : events) {
    if (response.events_omitted() == 0) {
      v1::Event message = replays::ToProto(event, *simulation_);
      bytes += message.ByteSizeLong() + kEventOverheadBytes;
      if (bytes <= options_.response_bytes_max) {
        *response.add_events() = std::move(message);
        continue;
      }
    }
    response.set_events_omitted(response.events_omitted() + 1);
  }
}

absl::Status Session::LeasedError() const {
  return WithReason(absl::FailedPreconditionError(fmt::format(
                        "a stream is stepping session '{}'", options_.id)),
                    "SESSION_IN_USE",
                    {{"session", MakeName(kSessions, options_.id)}});
}

}  // namespace reprise::services
