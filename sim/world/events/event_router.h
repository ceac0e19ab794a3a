// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Delivers the events of one tick: queued ones in their order, immediate ones
// at once, to a target and up the chain of its parents until one has handled
// it, or to all with registered interest. Every bound ends what would not end,
// and passing one is itself an event.

#ifndef REPRISE_SIM_WORLD_EVENTS_EVENT_ROUTER_H_
#define REPRISE_SIM_WORLD_EVENTS_EVENT_ROUTER_H_

#include <cstdint>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "sim/base/handle.h"
#include "sim/base/id.h"
#include "sim/base/object_id.h"
#include "sim/base/tick.h"
#include "sim/event.h"
#include "sim/expression/evaluator.h"
#include "sim/state/state.h"
#include "sim/world/components/built_in_events.h"
#include "sim/world/events/event_connections.h"
#include "sim/world/events/event_queue.h"
#include "sim/world/events/event_rows.h"
#include "sim/world/events/receivers.h"
#include "sim/world/events/world_event.h"

namespace reprise::sim {

// The events that say that a bound was passed. Each is multicast once a tick
// with the argument `count`, outside of all bounds.
inline constexpr Id kEventQueueFull = EventIdOf("event_queue_full");
inline constexpr Id kEventCascadeBounded = EventIdOf("event_cascade_bounded");
inline constexpr Id kEventDepthBounded = EventIdOf("event_depth_bounded");
inline constexpr Id kEventTargetStale = EventIdOf("event_target_stale");

struct EventLimits {
  // Events that wait at one time.
  uint32_t queue_capacity = 4096;  // 1..kEventQueueCapacityMax
  // Events delivered in one tick, and events held at a time. Queued ones beyond
  // it wait for the next tick; immediate ones are dropped.
  uint32_t events_per_tick_max = 1 << 16;
  // Immediate events within each other, and receivers in a chain of parents.
  uint32_t depth_max = 32;  // 1..256, for each is a few frames of the stack

  friend bool operator==(const EventLimits&, const EventLimits&) = default;
};

// OUT_OF_RANGE names the limit.
absl::Status ValidateEventLimits(const EventLimits& limits);

// Takes the account of what was delivered and dropped, in this order.
class EventJournal {
 public:
  virtual ~EventJournal() = default;
  virtual void Record(Event event) = 0;
  // One that was recorded when it happened, and is delivered now.
  virtual void RecordDelivered([[maybe_unused]] const Event& event) {}
};

// Belongs to one world. Between ticks it holds nothing that isn't in the rows,
// and they may be replaced by a snapshot's.
class EventRouter {
 public:
  // REQUIRES: all references outlive the router; `journal` may be null; the
  // limits are valid; CheckEventQueue and CheckInterests pass.
  EventRouter(const EventLimits& limits, const EventConnections& connections,
              State& state, const EventTables& tables,
              EventReceivers& receivers, EventJournal* journal);

  // Begins a tick, before anything of it is posted or sent: the events of one
  // tick are counted from here.
  void BeginTick(Tick now);

  // Queues a copy of `event`, due in `delay` ticks; with 0 it is delivered by
  // this or the next DeliverQueued. False when the queue is full.
  // REQUIRES: delay <= kTickMax.
  bool Post(const WorldEvent& event, Tick delay = 0);

  // As Post(event), of a mistake that the world tells of: there is room for it
  // when the queue is full, until kMistakeEventsMax are behind its capacity.
  // With `is_last` it is recorded at once, as by Announce: its sender goes.
  bool PostMistake(WorldEvent event, bool is_last = false);

  // As Post, for what happens between ticks: due at tick `due`. The queue is to
  // be settled before the next tick begins.
  bool PostAt(const WorldEvent& event, Tick due);

  // As Post(event), and records it at once, in the tick in which it happened
  // and behind what is recorded already; its delivery isn't recorded then. What
  // ends a tick is told of so: nobody knows whether there will be another.
  // REQUIRES: it has no target.
  bool Announce(WorldEvent event);

  // Delivers `event` before it returns; returns whether a receiver has handled
  // it. Beyond a bound, or with a stale target, it is dropped.
  //
  // From HoldSent on it waits for DeliverSent instead, and the call returns
  // false: no sender sees what another's event has done, so their order is that
  // of delivery alone.
  bool Send(const WorldEvent& event);
  void HoldSent() { is_holding_ = true; }

  // Delivers what was held, in the order of the calls; Send delivers at once
  // again. REQUIRES: not called by a handler.
  void DeliverSent();

  // Delivers what is due, in order, up to the limit of the tick, and settles
  // the queue. REQUIRES: not called by a handler.
  void DeliverQueued();

  // Multicasts one event for each bound that was passed since the last report,
  // and settles the queue. What their handlers in turn cause is reported by the
  // next call. To be called once a tick, last. REQUIRES: as DeliverQueued.
  void ReportBounds();

  // Those whom events are delivered to, for systems that do what packs say.
  EventReceivers& receivers() const { return receivers_; }

  // Completes the rows after a phase that posts, for whoever looks at them.
  void Settle() { queue_.Settle(); }

 private:
  bool Dispatch(const WorldEvent& event, bool is_announced = false);
  bool DeliverUpwards(const WorldEvent& event);
  bool Multicast(const WorldEvent& event);
  void FollowConnections(const WorldEvent& event, ObjectId sender);
  void Follow(std::span<const EventConnection> connections,
              const WorldEvent& event);
  void PostTo(Handle target, const EventConnection& connection,
              const WorldEvent& event);
  // Drops an immediate event beyond the limit of the tick.
  void DropBounded(const WorldEvent& event);
  void Report(Id bound, uint64_t count);
  // What the journal says of an event that is delivered.
  Event EntryOf(const WorldEvent& event, ObjectId sender) const;
  void RecordDrop(const WorldEvent& event, Id reason);
  EventCounterRow& counters();

  EventLimits limits_;
  const EventConnections& connections_;
  State& state_;
  EventTables tables_;
  EventReceivers& receivers_;
  EventJournal* journal_;
  EventQueue queue_;
  Tick now_ = 0;
  uint32_t depth_ = 0;  // of deliveries within each other
  uint32_t delivered_count_ = 0;
  uint32_t recorded_drop_count_ = 0;
  bool is_holding_ = false;
  std::vector<WorldEvent> held_;
  ExpressionEvaluator evaluator_;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_WORLD_EVENTS_EVENT_ROUTER_H_
