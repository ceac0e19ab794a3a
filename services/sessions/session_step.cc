// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// How a session makes ticks, and what is told of them.

#include <new>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fmt/format.h"
#include "replays/messages/proto_conversion.h"
#include "services/base/server_options.h"
#include "services/base/status.h"
#include "services/monitoring/phase_times.h"
#include "services/observations/tick_frame.h"
#include "services/sessions/session.h"
#include "sim/base/check.h"
#include "sim/base/utf8.h"
#include "sim/event.h"

namespace reprise::services {
namespace {

// Of the reason of an outcome: a quarter of what a response has beside events.
constexpr size_t kOutcomeReasonBytesMax = kResponseReserveBytes / 4;

}  // namespace

absl::Status Session::Check(const StepOrder& order) const {
  const std::scoped_lock lock(mutex_);
  CHECK(leased_);
  if (is_broken_) return CheckWellLocked();
  if (order.first_tick != simulation_->tick()) {
    return WithReason(
        absl::FailedPreconditionError(fmt::format(
            "the request begins at tick {}, the session is at tick {}",
            order.first_tick, simulation_->tick())),
        "TICK_MISMATCH");
  }
  if (order.tick_count > 0) {
    if (absl::Status ready = CheckReadyLocked(); !ready.ok()) return ready;
  }
  if (followed_ != nullptr && !order.inputs.empty()) {
    return FollowError("this session plays a replay, which has its inputs");
  }
  return CheckInputsLocked(order.inputs);
}

absl::Status Session::CheckInputs(std::span<const TickFrames> inputs) const {
  const std::scoped_lock lock(mutex_);
  return CheckInputsLocked(inputs);
}

absl::Status Session::CheckReadyLocked() const {
  if (absl::Status well = CheckWellLocked(); !well.ok()) return well;
  if (absl::Status room =
          memory_.CheckRoomToStep(RowBytes(simulation_->state()));
      !room.ok())
    return room;
  if (!IsFullLocked()) return absl::OkStatus();
  return WithReason(
      absl::ResourceExhaustedError(fmt::format(
          "the recording has reached {} bytes", options_.recording_bytes_max)),
      "RECORDING_FULL");
}

absl::Status Session::CheckInputsLocked(
    std::span<const TickFrames> inputs) const {
  if (is_broken_) return CheckWellLocked();
  for (const TickFrames& of_tick : inputs) {
    absl::Status accepted = simulation_->Validate(of_tick.frames);
    if (accepted.ok()) continue;
    return WithReason(
        absl::Status(accepted.code(),
                     fmt::format("inputs for tick {}: {}", of_tick.tick,
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
  if (is_broken_) return CheckWellLocked();
  if (!order.is_over()) {
    order.broken_off = MakeTicksLocked(order, pause, response);
    if (is_broken_) return order.broken_off;
  }
  const bool is_recorded = recording_ != nullptr && order.tick_count > 0;
  order.waits_for_disk =
      is_recorded &&
      (order.is_over() ? !recording_->is_written()
                       : recording_->room() == Recording::Room::kComing);
  if (!order.is_over() || order.waits_for_disk) return false;
  if (!order.broken_off.ok()) return order.broken_off;
  if (is_recorded && !CheckRecordingLocked().ok()) {
    return CheckRecordingLocked();
  }
  response.set_stop_reason(order.stop_reason);
  return true;
}

absl::Status Session::MakeTicksLocked(StepOrder& order,
                                      absl::FunctionRef<bool()> pause,
                                      v1::StepSessionResponse& response) {
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
  EventTeller teller(observation, ResponseBytesMax(order.bytes_max));
  // Slices before this one may have made it grow.
  absl::Status stepped;
  if (order.tick_count > 0) {
    stepped = memory_.CheckGrowth(RowBytes(simulation_->state()));
  }
  if (recording_ != nullptr && !order.has_begun) recording_->AskForRoom();
  order.has_begun = true;
  const auto is_held = [&] {
    if (!stepped.ok() || order.is_over()) return true;
    const auto can_record = CanRecordLocked();
    stepped = can_record.status();
    return !can_record.ok() || !*can_record;
  };
  bool paused = is_held();
  while (!paused && order.stop_reason == v1::STOP_REASON_UNSPECIFIED) {
    const auto frames = FramesLocked(order, response);
    stepped = frames.status();
    if (!frames.ok() || !frames->has_value()) break;
    stepped = StepLocked(**frames);
    if (!stepped.ok()) break;
    const std::vector<sim::Event> events = DrainEventsLocked();
    LookLocked(events, order, response);
    // Now: a tick later what they say may be forgotten.
    teller.Add(events, *simulation_, response);
    paused = pause() || is_held();
  }
  stepped.Update(NoteUseLocked());
  if (is_broken_) return stepped;
  teller.Add(DrainEventsLocked(), *simulation_, response);
  return stepped;
}

absl::StatusOr<bool> Session::CanRecordLocked() {
  if (recording_ == nullptr) return true;
  switch (recording_->room()) {
    case Recording::Room::kThere:
      return true;
    case Recording::Room::kComing:
      return false;
    case Recording::Room::kNone:
      break;
  }
  return recording_->room_refusal();
}

bool Session::WhenWritten(std::function<void()> resume) {
  const std::scoped_lock lock(mutex_);
  // Has what is missing asked for.
  if (recording_ != nullptr) recording_->room();
  return recording_ == nullptr || recording_->WhenWritten(std::move(resume));
}

absl::StatusOr<std::optional<std::span<const sim::InputFrame>>>
Session::FramesLocked(StepOrder& order, v1::StepSessionResponse& response) {
  std::optional<std::span<const sim::InputFrame>> frames =
      std::span<const sim::InputFrame>();
  if (followed_ == nullptr) {
    if (order.inputs_used < order.inputs.size() &&
        order.inputs[order.inputs_used].tick == simulation_->tick()) {
      frames = order.inputs[order.inputs_used++].frames;
    }
    return frames;
  }
  auto recorded = followed_->FramesAt(simulation_->tick());
  if (!recorded.ok() || recorded->has_value()) return recorded;
  order.stop_reason = v1::STOP_REASON_REPLAY_END;
  if (order.observation != nullptr) {
    order.observation->ObserveEnd({.simulation = *simulation_, .events = {}},
                                  *response.mutable_observations());
  }
  return std::nullopt;
}

absl::Status Session::Prepare(std::shared_ptr<Observation>& kept,
                              StepOrder& order) const {
  const std::scoped_lock lock(mutex_);
  CHECK(leased_);
  if (is_broken_) return CheckWellLocked();
  if (!order.until_condition.empty()) {
    auto condition = StopCondition::Parse(order.until_condition, *simulation_);
    if (!condition.ok()) return condition.status();
    order.stop_condition = *std::move(condition);
  }
  if (order.observe.has_value()) {
    auto observation = Observation::Parse(
        *order.observe, *simulation_,
        ObservedBytesMax(ResponseBytesMax(order.bytes_max)), order.view);
    if (!observation.ok()) return observation.status();
    kept = std::make_shared<Observation>(*std::move(observation));
    kept->CountInto(options_.memory);
    order.is_observation_new = true;
  }
  order.observation = kept;
  if (kept != nullptr) kept->Begin();
  if (kept != nullptr && !order.is_observation_new) {
    kept->Acknowledge(order.frame_acknowledged);
  }
  return absl::OkStatus();
}

absl::StatusOr<Session::RecordedTick> Session::NextRecordedTick() {
  const std::scoped_lock lock(mutex_);
  CHECK(leased_ && followed_ != nullptr);
  if (is_broken_) return CheckWellLocked();
  // Asked first: what is finished in between has all its ticks.
  const bool is_growing = followed_->is_growing();
  const auto frames = followed_->FramesAt(simulation_->tick());
  if (!frames.ok()) return frames.status();
  if (!frames->has_value()) {
    return RecordedTick{.frames = std::nullopt, .may_come = is_growing};
  }
  return RecordedTick{.frames =
                          std::vector((*frames)->begin(), (*frames)->end())};
}

absl::StatusOr<std::vector<sim::Event>> Session::PlayTick(
    std::vector<sim::InputFrame> frames, std::span<const Viewer> viewers) {
  const Change change(this);
  CHECK(leased_);
  if (absl::Status ready = CheckReadyLocked(); !ready.ok()) return ready;
  if (const auto can = CanRecordLocked(); !can.ok()) return can.status();
  if (followed_ == nullptr && !simulation_->Validate(frames).ok()) {
    // Each was accepted when it came; what isn't any more, as a simulation's
    // answer may depend on its state, is left out, and stops nobody else.
    std::erase_if(frames, [this](const sim::InputFrame& frame) {
      return !simulation_->Validate({&frame, 1}).ok();
    });
  }
  if (absl::Status stepped = StepLocked(frames); !stepped.ok()) return stepped;
  NoteDecisionLocked();
  std::vector<sim::Event> events = DrainEventsLocked();
  TellLocked(events, viewers);
  if (absl::Status noted = NoteUseLocked(); !noted.ok()) return noted;
  return events;
}

void Session::Show(std::span<const sim::Event> events,
                   std::span<const Viewer> viewers) const {
  const std::scoped_lock lock(mutex_);
  TellLocked(events, viewers);
}

void Session::TellLocked(std::span<const sim::Event> events,
                         std::span<const Viewer> viewers) const {
  // Made once for all who want it: it takes longer than a tick may.
  TickFrame tick_frame;
  std::optional<v1::Frame> frame;
  const ObservedTick tick{
      .simulation = *simulation_, .events = events, .frame = &tick_frame};
  for (const Viewer& viewer : viewers) {
    v1::StepSessionResponse& response = *viewer.response;
    Observation* const observation = viewer.observation;
    if (observation != nullptr) {
      observation->Begin();
      observation->ObserveTick(tick, *response.mutable_observations());
      observation->ObserveEnd(tick, *response.mutable_observations());
    }
    EventTeller(observation, options_.response_bytes_max)
        .Add(events, *simulation_, response);
    response.set_stop_reason(v1::STOP_REASON_TICKS);
    if (viewer.want_frame && !frame.has_value() && !is_broken_) {
      frame = replays::ToProto(tick_frame.Of(*simulation_),
                               simulation_->info().tick_rate);
    }
    DescribeStepLocked(
        viewer.want_frame && frame.has_value() ? &*frame : nullptr,
        /*bytes_max=*/0, response);
  }
}

bool Session::NoteDecisionLocked() {
  const bool is_decided_now =
      !is_decided_ &&
      simulation_->outcome().status != sim::Outcome::Status::kRunning;
  if (is_decided_now) {
    is_decided_ = true;
    decided_tick_ = simulation_->tick();
  }
  return is_decided_now;
}

void Session::LookLocked(std::span<const sim::Event> events, StepOrder& order,
                         v1::StepSessionResponse& response) {
  const bool is_decided_now = NoteDecisionLocked();
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

void Session::DescribeStep(bool want_frame, v1::StepSessionResponse& response,
                           uint64_t bytes_max) const {
  const std::scoped_lock lock(mutex_);
  std::optional<v1::Frame> frame;
  if (want_frame && !is_broken_) frame = MakeFrameLocked();
  DescribeStepLocked(frame.has_value() ? &*frame : nullptr, bytes_max,
                     response);
}

v1::Frame Session::MakeFrameLocked() const {
  return replays::ToProto(simulation_->ProduceFrame(),
                          simulation_->info().tick_rate);
}

void Session::DescribeStepLocked(const v1::Frame* frame, uint64_t bytes_max,
                                 v1::StepSessionResponse& response) const {
  if (is_broken_) {
    response.set_tick(shown_tick_);
    return;
  }
  response.set_tick(simulation_->tick());
  response.set_digest(simulation_->state().ComputeRootDigest().value);
  const sim::Outcome outcome = simulation_->outcome();
  response.set_outcome(replays::ToProto(outcome.status));
  response.set_outcome_reason(
      std::string(sim::Utf8Prefix(outcome.reason, kOutcomeReasonBytesMax)));
  if (decided_tick_.has_value()) response.set_decided_tick(*decided_tick_);
  if (frame == nullptr) return;
  *response.mutable_frame() = *frame;
  if (response.ByteSizeLong() > ResponseBytesMax(bytes_max)) {
    response.clear_frame();
    response.set_frame_omitted(true);
  }
}

absl::Status Session::StepLocked(std::span<const sim::InputFrame> frames) {
  // Asked again, because a simulation's answer may depend on its state.
  if (absl::Status accepted = simulation_->Validate(frames); !accepted.ok()) {
    return WithReason(std::move(accepted), "INPUT_REFUSED");
  }
  try {
    if (options_.phase_times == nullptr || !IsSampled(simulation_->tick())) {
      return StepOnceLocked(frames, /*observer=*/nullptr);
    }
    PhaseTimer timer(simulation_->info().phases.size());
    absl::Status stepped = StepOnceLocked(frames, &timer);
    if (stepped.ok()) options_.phase_times->Add(simulation_->info(), timer);
    return stepped;
  } catch (const std::bad_alloc&) {
    return BreakLocked();
  }
}

absl::Status Session::StepOnceLocked(std::span<const sim::InputFrame> frames,
                                     sim::PhaseObserver* observer) {
  if (recording_ != nullptr) {
    absl::Status stepped = recording_->Step(frames, observer);
    return simulation_->status().ok() ? stepped : CheckWellLocked();
  }
  simulation_->Step(frames, observer);
  return CheckWellLocked();
}

absl::Status Session::NoteUseLocked() {
  last_use_ = options_.clock();
  if (recording_ == nullptr || is_broken_) return absl::OkStatus();
  const bool is_late = last_use_ - flush_time_ >= kFlushPeriod;
  try {
    if (is_late) recording_->FlushEarly();
  } catch (const std::bad_alloc&) {
    return BreakLocked();
  }
  if (is_late || recording_->size_bytes() != flushed_bytes_) {
    flush_time_ = last_use_;
    flushed_bytes_ = recording_->size_bytes();
  }
  return absl::OkStatus();
}

std::vector<sim::Event> Session::DrainEventsLocked() {
  return recording_ != nullptr ? recording_->DrainEvents()
                               : simulation_->DrainEvents();
}

}  // namespace reprise::services
