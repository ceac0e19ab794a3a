// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/world/events/event_router.h"

#include <optional>
#include <utility>

#include "fmt/format.h"
#include "sim/base/check.h"
#include "sim/world/events/interests.h"

namespace reprise::sim {
namespace {

constexpr Id kEventDropped = EventIdOf("event_dropped");
constexpr Id kCount = WordIdOf("count");
constexpr Id kReason = WordIdOf("reason");
constexpr Id kSender = WordIdOf("sender");
constexpr Id kType = WordIdOf("type");

// Deeper, the handlers of a script could pass the end of the stack.
constexpr uint32_t kDepthLimitMax = 256;

// A storm must not push everything else out of the journal: what is dropped
// beyond these in a tick is in the counts alone.
constexpr uint32_t kRecordedDropsMax = 64;

}  // namespace

absl::Status ValidateEventLimits(const EventLimits& limits) {
  if (limits.queue_capacity < 1 ||
      limits.queue_capacity > kEventQueueCapacityMax) {
    return absl::OutOfRangeError(
        fmt::format("queue_capacity is {}, not in 1..{}", limits.queue_capacity,
                    kEventQueueCapacityMax));
  }
  if (limits.events_per_tick_max < 1) {
    return absl::OutOfRangeError("events_per_tick_max is 0");
  }
  if (limits.depth_max < 1 || limits.depth_max > kDepthLimitMax) {
    return absl::OutOfRangeError(fmt::format("depth_max is {}, not in 1..{}",
                                             limits.depth_max, kDepthLimitMax));
  }
  return absl::OkStatus();
}

EventRouter::EventRouter(const EventLimits& limits,
                         const EventConnections& connections, State& state,
                         const EventTables& tables, EventReceivers& receivers,
                         EventJournal* journal)
    : limits_(limits),
      connections_(connections),
      state_(state),
      tables_(tables),
      receivers_(receivers),
      journal_(journal),
      queue_(state, tables, limits.queue_capacity) {
  CHECK(ValidateEventLimits(limits).ok());
}

void EventRouter::BeginTick(Tick now) {
  CHECK(depth_ == 0);
  CHECK(queue_.is_settled());
  CHECK(!is_holding_);
  now_ = now;
  delivered_count_ = 0;
  recorded_drop_count_ = 0;
}

EventCounterRow& EventRouter::counters() {
  return state_.mutable_table(tables_.counters).Mutable<EventCounterRow>(0);
}

bool EventRouter::Post(const WorldEvent& event, Tick delay) {
  CHECK(delay <= kTickMax, "a delay of {}", delay);
  return PostAt(event, now_ + delay);
}

bool EventRouter::PostAt(const WorldEvent& event, Tick due) {
  const bool is_posted = queue_.Post(event, due);
  if (!is_posted) RecordDrop(event, kEventQueueFull);
  return is_posted;
}

bool EventRouter::PostMistake(WorldEvent event, bool is_last) {
  if (is_last && journal_ != nullptr) {
    journal_->Record(EntryOf(event, receivers_.ObjectOf(event.sender)));
  }
  event.is_announced = is_last;
  const bool is_posted = queue_.Post(event, now_, kMistakeEventsMax);
  if (!is_posted) RecordDrop(event, kEventQueueFull);
  return is_posted;
}

bool EventRouter::Announce(WorldEvent event) {
  CHECK(event.target.is_null());
  if (journal_ != nullptr) {
    journal_->Record(EntryOf(event, receivers_.ObjectOf(event.sender)));
  }
  event.is_announced = true;
  return Post(event);
}

bool EventRouter::Send(const WorldEvent& event) {
  if (is_holding_) {
    if (held_.size() < limits_.events_per_tick_max) {
      held_.push_back(event);
    } else {
      DropBounded(event);
    }
    return false;
  }
  if (depth_ == limits_.depth_max) {
    ++counters().depth_bounded;
    RecordDrop(event, kEventDepthBounded);
    return false;
  }
  if (delivered_count_ == limits_.events_per_tick_max) {
    DropBounded(event);
    return false;
  }
  ++delivered_count_;
  return Dispatch(event);
}

void EventRouter::DeliverSent() {
  CHECK(depth_ == 0);
  is_holding_ = false;
  const std::vector<WorldEvent> sent = std::exchange(held_, {});
  for (const WorldEvent& event : sent) Send(event);
}

void EventRouter::DropBounded(const WorldEvent& event) {
  ++counters().cascade_bounded;
  RecordDrop(event, kEventCascadeBounded);
}

void EventRouter::DeliverQueued() {
  CHECK(depth_ == 0);
  while (delivered_count_ < limits_.events_per_tick_max) {
    std::optional<WorldEvent> event = queue_.PopDue(now_);
    if (!event.has_value()) break;
    ++delivered_count_;
    // Who passes it on tells something new.
    const bool is_announced = std::exchange(event->is_announced, false);
    Dispatch(*event, is_announced);
  }
  queue_.Settle();
}

void EventRouter::ReportBounds() {
  CHECK(depth_ == 0);
  const bool is_spent = delivered_count_ == limits_.events_per_tick_max;
  const uint32_t left_count = is_spent ? queue_.CountDue(now_) : 0;
  const EventCounterRow passed =
      state_.table(tables_.counters).Get<EventCounterRow>(0);
  const uint64_t cascade_count = passed.cascade_bounded + left_count;
  if (passed.queue_full + cascade_count + passed.depth_bounded +
          passed.target_stale >
      0) {
    counters() = {.sequence_next = passed.sequence_next};
    Report(kEventQueueFull, passed.queue_full);
    Report(kEventCascadeBounded, cascade_count);
    Report(kEventDepthBounded, passed.depth_bounded);
    Report(kEventTargetStale, passed.target_stale);
  }
  queue_.Settle();
}

void EventRouter::Report(Id bound, uint64_t count) {
  if (count == 0) return;
  const auto value = static_cast<int64_t>(count);
  Dispatch(
      {.type = bound, .arguments = {{kCount, FieldValue::OfInt64(value)}}});
}

bool EventRouter::Dispatch(const WorldEvent& event, bool is_announced) {
  const bool is_multicast = event.target.is_null();
  if (!is_multicast && receivers_.ObjectOf(event.target) == kNoObject) {
    ++counters().target_stale;
    RecordDrop(event, kEventTargetStale);
    return false;
  }
  // Asked for now: a handler may destroy it.
  const ObjectId sender = receivers_.ObjectOf(event.sender);
  if (journal_ != nullptr) {
    if (is_announced) {
      // The mistake of one that was going was told while it was there.
      const bool is_gone = !event.sender.is_null() && sender == kNoObject;
      if (!is_gone) journal_->RecordDelivered(EntryOf(event, sender));
    } else {
      journal_->Record(EntryOf(event, sender));
    }
  }
  ++depth_;
  const bool is_handled =
      is_multicast ? Multicast(event) : DeliverUpwards(event);
  --depth_;
  FollowConnections(event, sender);
  return is_handled;
}

bool EventRouter::DeliverUpwards(const WorldEvent& event) {
  Handle receiver = event.target;
  for (uint32_t link = 0; link < limits_.depth_max; ++link) {
    // Asked for now: a handler may destroy its object.
    const Handle parent = receivers_.ParentOf(receiver);
    if (receivers_.Deliver(receiver, event)) return true;
    if (receivers_.ObjectOf(parent) == kNoObject) return false;
    receiver = parent;
  }
  ++counters().depth_bounded;
  return false;
}

bool EventRouter::Multicast(const WorldEvent& event) {
  bool is_handled = false;
  for (const InterestRow& interest :
       FindInterests(state_.table(tables_.interests), event.type)) {
    // The handlers before may have withdrawn it, or destroyed the object.
    if (!StillStands(state_.table(tables_.interests), interest)) continue;
    if (receivers_.ObjectOf(interest.handle) == kNoObject) continue;
    if (receivers_.Deliver(interest.handle, event)) is_handled = true;
  }
  return is_handled;
}

void EventRouter::FollowConnections(const WorldEvent& event, ObjectId sender) {
  Follow(connections_.Find(kNoObject, event.type), event);
  if (sender == kNoObject) return;
  const Handle handle = receivers_.HandleOf(sender);
  if (!handle.is_null()) {
    Follow(connections_.FindOfType(receivers_.TypeOf(handle), event.type),
           event);
    const Id name = receivers_.NameOf(handle);
    if (name != kNoId) {
      Follow(connections_.FindOfName(name, event.type), event);
    }
  }
  Follow(connections_.Find(sender, event.type), event);
}

void EventRouter::Follow(std::span<const EventConnection> connections,
                         const WorldEvent& event) {
  for (const EventConnection& connection : connections) {
    if (connection.condition != nullptr &&
        !connection.condition->Holds(event, receivers_, evaluator_)) {
      continue;
    }
    for (const EventEffect& effect : connection.effects) {
      receivers_.Apply(effect, event, evaluator_);
    }
    if (connection.posted_type == kNoId) continue;
    if (connection.target != kNoObject) {
      PostTo(receivers_.HandleOf(connection.target), connection, event);
    } else if (connection.participant.has_value()) {
      const Handle target =
          HandleOf(*connection.participant, event, receivers_);
      if (!target.is_null()) PostTo(target, connection, event);
    } else if (!connection.target_types.empty()) {
      for (const Id type : connection.target_types) {
        receivers_.ForEachOfType(
            type, [&](Handle target) { PostTo(target, connection, event); });
      }
    } else {
      Post(ConnectedEvent(connection, event, kNullHandle, receivers_),
           connection.delay);
    }
  }
}

void EventRouter::PostTo(Handle target, const EventConnection& connection,
                         const WorldEvent& event) {
  const WorldEvent connected =
      ConnectedEvent(connection, event, target, receivers_);
  // A null target would make it a multicast.
  if (target.is_null()) {
    ++counters().target_stale;
    RecordDrop(connected, kEventTargetStale);
  } else {
    Post(connected, connection.delay);
  }
}

Event EventRouter::EntryOf(const WorldEvent& event, ObjectId sender) const {
  const bool is_multicast = event.target.is_null();
  Event entry = {
      .tick = now_,
      .type = event.type,
      .object = is_multicast ? sender : receivers_.ObjectOf(event.target)};
  const auto arguments = event.arguments.all();
  entry.arguments.assign(arguments.begin(), arguments.end());
  // What happens to an object is told by the object itself.
  if (!is_multicast && sender != kNoObject && sender != entry.object) {
    entry.arguments.push_back({kSender, FieldValue::OfObject(sender)});
  }
  return entry;
}

void EventRouter::RecordDrop(const WorldEvent& event, Id reason) {
  if (journal_ == nullptr || recorded_drop_count_ == kRecordedDropsMax) return;
  ++recorded_drop_count_;
  journal_->Record({.tick = now_,
                    .type = kEventDropped,
                    .object = receivers_.ObjectOf(event.sender),
                    .arguments = {{kType, FieldValue::OfId(event.type)},
                                  {kReason, FieldValue::OfId(reason)}}});
}

}  // namespace reprise::sim
