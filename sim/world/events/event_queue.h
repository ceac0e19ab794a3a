// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The queue of a world's events: bounded, and popped in the order of (due tick,
// priority, sequence) without exception, events posted while it is popped
// included. Equal contents are equal bytes once it is settled.

#ifndef REPRISE_SIM_WORLD_EVENTS_EVENT_QUEUE_H_
#define REPRISE_SIM_WORLD_EVENTS_EVENT_QUEUE_H_

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "sim/base/tick.h"
#include "sim/state/state.h"
#include "sim/world/events/event_rows.h"
#include "sim/world/events/world_event.h"

namespace reprise::sim {

// 50 MiB of rows at 200 bytes each.
inline constexpr uint32_t kEventQueueCapacityMax = 1 << 18;

// For what the world tells of mistakes there is room behind the capacity:
// whoever fills the queue is heard of.
inline constexpr uint32_t kMistakeEventsMax = 1024;

// A hand on the queue's rows. While events are posted and popped the rows are
// incomplete: posted events wait beside the table, and popped ones are still in
// it, so that a storm costs n log n and not n^2. Settled, it holds nothing that
// isn't in the rows, and they may be replaced by a snapshot's.
class EventQueue {
 public:
  // REQUIRES: `state` outlives the queue; no other EventQueue is on the same
  // rows; capacity <= kEventQueueCapacityMax.
  EventQueue(State& state, const EventTables& tables, uint32_t capacity);
  ~EventQueue() { Settle(); }
  EventQueue(const EventQueue&) = delete;
  EventQueue& operator=(const EventQueue&) = delete;

  // Posts a copy of `event`, to be delivered from tick `due` on. Returns false,
  // and counts it in EventCounterRow::queue_full, when as many as the capacity
  // wait already; `room` more of them may.
  bool Post(const WorldEvent& event, Tick due, uint32_t room = 0);

  // Takes out the first of the events due at or before `now`.
  std::optional<WorldEvent> PopDue(Tick now);

  // Events that wait, and those of them due at or before `now`.
  uint32_t waiting_count() const;
  uint32_t CountDue(Tick now) const;

  // Puts the rows in order. Rows that stay where they were aren't written, and
  // a queue that nobody posted to or popped isn't looked at.
  void Settle();
  bool is_settled() const {
    return popped_ == 0 && run_.empty() && heap_.empty();
  }

 private:
  // The place of an event in the order of delivery, and in `posted_`.
  struct Entry {
    Tick due;
    uint64_t priority_rank;
    uint64_t sequence;
    uint32_t slot;

    friend auto operator<=>(const Entry&, const Entry&) = default;
  };

  // The first of the table's rows that aren't popped, and of what was posted.
  std::optional<Entry> FirstStored() const;
  std::optional<Entry> FirstPosted() const;
  // Takes the first of what was posted out of the run or the heap.
  void RemoveFirstPosted();

  State& state_;
  EventTables tables_;
  uint32_t capacity_;
  uint32_t popped_ = 0;  // rows at the front of the table that are popped
  // What was posted: in order as long as it comes in order, as most does; else
  // in a heap, the first on top.
  std::vector<Entry> run_;
  size_t run_popped_ = 0;
  std::vector<Entry> heap_;
  std::vector<WorldEvent> posted_;
  std::vector<uint32_t> free_slots_;  // of posted_
};

// Whether a world may go on from these rows; DATA_LOSS says what contradicts.
absl::Status CheckEventQueue(const State& state, const EventTables& tables,
                             uint32_t capacity);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_WORLD_EVENTS_EVENT_QUEUE_H_
