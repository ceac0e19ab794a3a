// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/world/events/event_rows.h"

#include <cstddef>
#include <cstring>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "sim/world/components/event_priority.h"

namespace reprise::sim {

EventTables AddEventTables(State& state) {
  EventTables tables;
  tables.counters = state.AddTable("events", RowSchema::Of<EventCounterRow>());
  tables.queued = state.AddTable("events", RowSchema::Of<QueuedEventRow>());
  tables.interests = state.AddTable("events", RowSchema::Of<InterestRow>());
  state.mutable_table(tables.counters).Resize(1);
  return tables;
}

QueuedEventRow RowOfEvent(const WorldEvent& event, Tick due,
                          uint64_t sequence) {
  QueuedEventRow row = {
      .due = due,
      .priority_rank = RankOfPriority(event.priority),
      .sequence = sequence,
      .type = event.type,
      .sender = event.sender,
      .target = event.target,
      .is_announced = static_cast<uint64_t>(event.is_announced)};
  size_t i = 0;
  for (const EventArgument& argument : event.arguments.all()) {
    row.names[i] = argument.name;
    row.types[i] = static_cast<int16_t>(argument.value.type);
    row.values[i] = argument.value.bits;
    ++i;
  }
  return row;
}

absl::StatusOr<WorldEvent> EventOfRow(const QueuedEventRow& row) {
  WorldEvent event = {.type = row.type,
                      .sender = row.sender,
                      .target = row.target,
                      .priority = PriorityOfRank(row.priority_rank),
                      .is_announced = row.is_announced != 0};
  for (size_t i = 0; i < kEventArgumentsMax && row.names[i] != kNoId; ++i) {
    const absl::Status status = event.arguments.Set(
        row.names[i],
        {.type = static_cast<ScalarType>(row.types[i]), .bits = row.values[i]});
    if (!status.ok()) {
      return absl::DataLossError(fmt::format("event {}, argument {}: {}",
                                             row.sequence, i,
                                             std::string(status.message())));
    }
  }
  const QueuedEventRow stored = RowOfEvent(event, row.due, row.sequence);
  if (std::memcmp(&stored, &row, sizeof(row)) != 0) {
    return absl::DataLossError(
        fmt::format("event {}: arguments out of order, or is_announced is {}",
                    row.sequence, row.is_announced));
  }
  return event;
}

}  // namespace reprise::sim
