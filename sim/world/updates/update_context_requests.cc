// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What a behaviour asks for: rays, chance, events, time; and that an object
// can't go on.

#include <algorithm>
#include <array>

#include "absl/status/statusor.h"
#include "sim/base/check.h"
#include "sim/base/math.h"
#include "sim/world/components/world_names.h"
#include "sim/world/definition/request_rows.h"
#include "sim/world/definition/world_rows.h"
#include "sim/world/events/interests.h"
#include "sim/world/time/timeline_marks.h"
#include "sim/world/updates/request_queue.h"
#include "sim/world/updates/update_context.h"

namespace reprise::sim {
namespace {

bool IsFiniteVector(Vector3 v) {
  return IsFinite(v.x) && IsFinite(v.y) && IsFinite(v.z);
}

}  // namespace

std::optional<UpdateContext::RequestKey> UpdateContext::Request(uint32_t i,
                                                                Id kind,
                                                                Tick delay,
                                                                Id event) {
  if (!parts_.tables.requests.has_value() || delay > kTickMax ||
      !parts_.definition.requests.contains(kind)) {
    return std::nullopt;
  }
  const Tick due = tick() + std::max(delay, Tick{1});
  const std::optional<uint64_t> request = PutRequest(
      parts_.state.mutable_table(*parts_.tables.requests),
      {.due = due, .kind = kind, .object = handle(i), .event = event});
  if (!request.has_value()) return std::nullopt;
  return RequestKey{.due = due, .request = *request};
}

std::optional<uint64_t> UpdateContext::RequestRay(uint32_t i, Vector3 from,
                                                  Vector3 to, Tick delay,
                                                  Id event) {
  CHECK(parts_.queries != nullptr, "the behaviour doesn't say that it queries");
  if (!IsFiniteVector(from) || !IsFiniteVector(to)) return std::nullopt;
  const std::optional<RequestKey> key = Request(i, kRayRequest, delay, event);
  if (!key.has_value()) return std::nullopt;
  Table& rays = parts_.state.mutable_table(parts_.tables.ray_requests);
  const uint32_t row = rays.LowerBound(std::array{key->due, key->request});
  rays.Insert(row);
  rays.Mutable<RayRequestRow>(row) = {.due = key->due,
                                      .request = key->request,
                                      .object = handle(i),
                                      .event = event,
                                      .from = from,
                                      .to = to};
  return key->request;
}

uint64_t UpdateContext::Random(uint32_t i, Id stream) {
  Table& streams = parts_.state.mutable_table(parts_.tables.random_streams);
  const ObjectId owner = object(i);
  const uint32_t row =
      streams.LowerBound(std::array{owner.serial, stream.value});
  const bool is_there = row < streams.row_count() &&
                        streams.Get<RandomStreamRow>(row).object == owner &&
                        streams.Get<RandomStreamRow>(row).name == stream;
  if (!is_there) {
    streams.Insert(row);
    streams.Mutable<RandomStreamRow>(row) = {
        .object = owner,
        .name = stream,
        .stream = MakeRandomStream(parts_.definition.info.seed, stream, owner)};
  }
  return NextUint64(streams.Mutable<RandomStreamRow>(row).stream);
}

bool UpdateContext::Post(uint32_t i, Handle target, Id type,
                         const EventArguments& arguments, Tick delay,
                         int64_t priority) {
  return parts_.router->Post({.type = type,
                              .sender = handle(i),
                              .target = target,
                              .priority = priority,
                              .arguments = arguments},
                             delay);
}

bool UpdateContext::Send(uint32_t i, Handle target, Id type,
                         const EventArguments& arguments) {
  return parts_.router->Send({.type = type,
                              .sender = handle(i),
                              .target = target,
                              .arguments = arguments});
}

absl::Status UpdateContext::Listen(uint32_t i, Id type, int64_t priority) {
  return RegisterInterest(
      parts_.state.mutable_table(parts_.tables.events.interests), type,
      object(i), handle(i), priority);
}

void UpdateContext::Ignore(uint32_t i, Id type) {
  UnregisterInterest(parts_.state.mutable_table(parts_.tables.events.interests),
                     type, object(i));
}

absl::Status UpdateContext::StartTimer(uint32_t i, TimerStart start) {
  start.object = object(i);
  start.is_asleep = IsAsleep(i);
  return Timers(parts_.state, parts_.tables.timers).Start(start, tick());
}

bool UpdateContext::StopTimer(uint32_t i, Id name) {
  return Timers(parts_.state, parts_.tables.timers).Stop(object(i), name);
}

std::optional<TimerRow> UpdateContext::Timer(uint32_t i, Id name) const {
  return Timers(parts_.state, parts_.tables.timers).Find(object(i), name);
}

std::optional<Tick> UpdateContext::TimerDueIn(uint32_t i, Id name) const {
  const std::optional<TimerRow> timer = Timer(i, name);
  if (!timer.has_value()) return std::nullopt;
  return TicksLeft(*timer, tick());
}

absl::Status UpdateContext::StartTimeline(uint32_t i, TimelineStart start,
                                          std::span<const TimelineMark> marks) {
  const std::optional<TableIndex>& rows = parts_.tables.timeline_marks;
  CHECK(marks.empty() || rows.has_value(),
        "the behaviour doesn't say that it marks timelines");
  start.object = object(i);
  start.is_asleep = IsAsleep(i);
  const absl::StatusOr<TimelineRow> timeline = MakeTimeline(start, tick());
  if (!timeline.ok()) return timeline.status();
  absl::Status status = CheckMarks(*timeline, marks);
  if (!status.ok()) return status;
  status = PutTimeline(parts_.state.mutable_table(parts_.tables.timelines),
                       *timeline);
  if (status.ok() && rows.has_value()) {
    PutMarks(parts_.state.mutable_table(*rows), *timeline, marks);
  }
  return status;
}

std::optional<TimelineRow> UpdateContext::Timeline(uint32_t i, Id name) const {
  return FindTimeline(parts_.state.table(parts_.tables.timelines), object(i),
                      name);
}

template <typename Change>
absl::Status UpdateContext::ChangeTimeline(uint32_t i, Id name,
                                           const Change& change) {
  std::optional<TimelineRow> timeline = Timeline(i, name);
  if (!timeline.has_value()) {
    return absl::NotFoundError("the object has no such timeline");
  }
  absl::Status status = change(*timeline);
  if (!status.ok()) return status;
  return PutTimeline(parts_.state.mutable_table(parts_.tables.timelines),
                     *timeline);
}

absl::Status UpdateContext::PauseTimeline(uint32_t i, Id name) {
  return ChangeTimeline(i, name, [this](TimelineRow& timeline) {
    Pause(timeline, tick());
    return absl::OkStatus();
  });
}

absl::Status UpdateContext::ResumeTimeline(uint32_t i, Id name) {
  return ChangeTimeline(i, name, [this](TimelineRow& timeline) {
    Resume(timeline, tick());
    return absl::OkStatus();
  });
}

absl::Status UpdateContext::SetTimelineRate(uint32_t i, Id name,
                                            TimeRate rate) {
  return ChangeTimeline(i, name, [&](TimelineRow& timeline) {
    return SetRate(timeline, rate, tick());
  });
}

absl::Status UpdateContext::SeekTimeline(uint32_t i, Id name, int64_t parts) {
  return ChangeTimeline(i, name, [&](TimelineRow& timeline) {
    return Seek(timeline, parts, tick());
  });
}

bool UpdateContext::StopTimeline(uint32_t i, Id name) {
  const std::optional<TimelineRow> timeline = Timeline(i, name);
  if (!timeline.has_value()) return false;
  if (parts_.tables.timeline_marks.has_value()) {
    PutMarks(parts_.state.mutable_table(*parts_.tables.timeline_marks),
             *timeline, {});
  }
  return RemoveTimeline(parts_.state.mutable_table(parts_.tables.timelines),
                        object(i), name);
}

absl::Status UpdateContext::SetGameRate(TimeRate rate) {
  return SetRate(
      parts_.state.mutable_table(parts_.tables.clocks).Mutable<GameClockRow>(0),
      rate);
}

void UpdateContext::PauseGame() {
  Pause(parts_.state.mutable_table(parts_.tables.clocks)
            .Mutable<GameClockRow>(0));
}

void UpdateContext::ResumeGame() {
  Resume(parts_.state.mutable_table(parts_.tables.clocks)
             .Mutable<GameClockRow>(0));
}

void UpdateContext::Log(uint32_t i, LogLevel level, std::string_view channel,
                        std::string_view text) const {
  if (!wants_log(level)) return;
  parts_.log->Add({.tick = tick(),
                   .level = level,
                   .object = object(i),
                   .channel = std::string(channel),
                   .text = std::string(text.substr(0, kLogTextBytesMax))});
}

void UpdateContext::Fail(uint32_t i, Id reason) {
  const uint32_t row = rows_[i];
  if (std::ranges::find(failures_, row, &Failure::row) == failures_.end()) {
    failures_.push_back({.row = row, .reason = reason});
  }
}

void UpdateContext::End() {
  for (const Failure& failure : failures_) {
    const auto object = parts_.state.table(parts_.tables.objects.objects)
                            .Get<ObjectRow>(failure.row);
    SetStatus(parts_, failure.row,
              IsAway(object.status) ? ObjectStatus::kAwayInert
                                    : ObjectStatus::kInert);
    const bool has_parent =
        parts_.objects.RowOf(parts_.state, object.parent) != kNoRow;
    WorldEvent failed{
        .type = kObjectFailed,
        .sender = object.handle,
        .target = has_parent ? object.handle : kNullHandle,
        .arguments = {{kReason, FieldValue::OfId(failure.reason)}}};
    if (are_going_) failed.target = kNullHandle;
    parts_.router->PostMistake(failed, are_going_);
  }
  failures_.clear();
}

void UpdateContext::Tell(uint32_t i, Id type,
                         std::initializer_list<EventArgument> arguments) {
  TellObject(parts_, type, object(i), arguments);
}

}  // namespace reprise::sim
