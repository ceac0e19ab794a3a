// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The rows of the room "events": what waits to be delivered, who listens, and
// how often a bound was passed since that was last reported.

#ifndef REPRISE_SIM_WORLD_EVENTS_EVENT_ROWS_H_
#define REPRISE_SIM_WORLD_EVENTS_EVENT_ROWS_H_

#include <array>
#include <cstdint>
#include <string_view>

#include "absl/status/statusor.h"
#include "sim/base/field.h"
#include "sim/base/handle.h"
#include "sim/base/id.h"
#include "sim/base/object_id.h"
#include "sim/base/tick.h"
#include "sim/state/state.h"
#include "sim/world/events/world_event.h"

namespace reprise::sim {

// One row.
struct EventCounterRow {
  uint64_t sequence_next = 0;  // of the next event posted
  // Since they were last reported:
  uint64_t queue_full = 0;       // events refused
  uint64_t cascade_bounded = 0;  // immediate events dropped
  uint64_t depth_bounded = 0;    // immediate events dropped, chains cut
  uint64_t target_stale = 0;     // events whose target was gone

  static constexpr std::string_view kTable = "event_counters";
  static constexpr uint32_t kKeyFields = 0;
  static constexpr auto Describe() {
    return std::array{REPRISE_FIELD(EventCounterRow, sequence_next, ""),
                      REPRISE_FIELD(EventCounterRow, queue_full, ""),
                      REPRISE_FIELD(EventCounterRow, cascade_bounded, ""),
                      REPRISE_FIELD(EventCounterRow, depth_bounded, ""),
                      REPRISE_FIELD(EventCounterRow, target_stale, "")};
  }
};

// A WorldEvent that waits, in the order of delivery.
struct QueuedEventRow {
  Tick due = 0;
  uint64_t priority_rank = 0;  // RankOfPriority
  uint64_t sequence = 0;
  Id type;
  Handle sender;
  Handle target;
  uint64_t is_announced = 0;  // 0 or 1
  // The arguments, ascending by name; zeros behind the last.
  std::array<Id, kEventArgumentsMax> names = {};
  std::array<int16_t, kEventArgumentsMax> types = {};  // ScalarType
  std::array<uint64_t, kEventArgumentsMax> values = {};

  static constexpr std::string_view kTable = "queued_events";
  static constexpr uint32_t kKeyFields = 3;
  static constexpr auto Describe() {
    return std::array{REPRISE_FIELD(QueuedEventRow, due, "tick"),
                      REPRISE_FIELD(QueuedEventRow, priority_rank, ""),
                      REPRISE_FIELD(QueuedEventRow, sequence, ""),
                      REPRISE_FIELD(QueuedEventRow, type, ""),
                      REPRISE_FIELD(QueuedEventRow, sender, ""),
                      REPRISE_FIELD(QueuedEventRow, target, ""),
                      REPRISE_FIELD(QueuedEventRow, is_announced, ""),
                      REPRISE_FIELD(QueuedEventRow, names, ""),
                      REPRISE_FIELD(QueuedEventRow, types, ""),
                      REPRISE_FIELD(QueuedEventRow, values, "")};
  }
};

// An object that wants every multicast of a type, in the order of delivery.
struct InterestRow {
  Id type;
  uint64_t priority_rank = 0;  // RankOfPriority
  ObjectId object;
  Handle handle;  // the same object

  static constexpr std::string_view kTable = "interests";
  static constexpr uint32_t kKeyFields = 3;
  static constexpr auto Describe() {
    return std::array{REPRISE_FIELD(InterestRow, type, ""),
                      REPRISE_FIELD(InterestRow, priority_rank, ""),
                      REPRISE_FIELD(InterestRow, object, ""),
                      REPRISE_FIELD(InterestRow, handle, "")};
  }
};

struct EventTables {
  TableIndex counters;
  TableIndex queued;
  TableIndex interests;
};

// Adds the room "events", with nothing in its queue.
EventTables AddEventTables(State& state);

// The row of an event that waits, and the event of a row.
QueuedEventRow RowOfEvent(const WorldEvent& event, Tick due, uint64_t sequence);
// DATA_LOSS when no event would be stored as exactly this row.
absl::StatusOr<WorldEvent> EventOfRow(const QueuedEventRow& row);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_WORLD_EVENTS_EVENT_ROWS_H_
