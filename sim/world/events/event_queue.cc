// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/world/events/event_queue.h"

#include <algorithm>
#include <array>
#include <functional>

#include "absl/status/statusor.h"
#include "fmt/format.h"
#include "sim/base/check.h"
#include "sim/state/table.h"
#include "sim/world/components/event_priority.h"
#include "sim/world/components/sorted_rows.h"

namespace reprise::sim {

EventQueue::EventQueue(State& state, const EventTables& tables,
                       uint32_t capacity)
    : state_(state), tables_(tables), capacity_(capacity) {
  CHECK(capacity <= kEventQueueCapacityMax, "a queue of {}", capacity);
}

bool EventQueue::Post(const WorldEvent& event, Tick due, uint32_t room) {
  auto& counters =
      state_.mutable_table(tables_.counters).Mutable<EventCounterRow>(0);
  if (waiting_count() >= capacity_ + room) {
    ++counters.queue_full;
    return false;
  }
  uint32_t slot = static_cast<uint32_t>(posted_.size());
  if (free_slots_.empty()) {
    posted_.push_back(event);
  } else {
    slot = free_slots_.back();
    free_slots_.pop_back();
    posted_[slot] = event;
  }
  const Entry entry = {.due = due,
                       .priority_rank = RankOfPriority(event.priority),
                       .sequence = counters.sequence_next++,
                       .slot = slot};
  if (run_.empty() || run_.back() < entry) {
    run_.push_back(entry);
    return true;
  }
  heap_.push_back(entry);
  // A total order: no two sequences are equal.
  std::ranges::push_heap(heap_, std::greater<>());
  return true;
}

std::optional<EventQueue::Entry> EventQueue::FirstStored() const {
  const Table& queued = state_.table(tables_.queued);
  if (popped_ == queued.row_count()) return std::nullopt;
  const auto& row = queued.Get<QueuedEventRow>(popped_);
  return Entry{.due = row.due,
               .priority_rank = row.priority_rank,
               .sequence = row.sequence,
               .slot = 0};
}

std::optional<EventQueue::Entry> EventQueue::FirstPosted() const {
  if (run_.empty() && heap_.empty()) return std::nullopt;
  if (heap_.empty()) return run_[run_popped_];
  if (run_.empty()) return heap_.front();
  return std::min(run_[run_popped_], heap_.front());
}

void EventQueue::RemoveFirstPosted() {
  const Entry first = *FirstPosted();
  free_slots_.push_back(first.slot);
  if (!heap_.empty() && heap_.front() == first) {
    // A total order: no two sequences are equal.
    std::ranges::pop_heap(heap_, std::greater<>());
    heap_.pop_back();
    return;
  }
  ++run_popped_;
  if (run_popped_ == run_.size()) {
    run_.clear();
    run_popped_ = 0;
  }
}

std::optional<WorldEvent> EventQueue::PopDue(Tick now) {
  const std::optional<Entry> stored = FirstStored();
  const std::optional<Entry> posted = FirstPosted();
  if (!stored.has_value() && !posted.has_value()) return std::nullopt;
  if (!posted.has_value() || (stored.has_value() && *stored < *posted)) {
    if (stored->due > now) return std::nullopt;
    absl::StatusOr<WorldEvent> event =
        EventOfRow(state_.table(tables_.queued).Get<QueuedEventRow>(popped_));
    CHECK(event.ok(), "{}", event.status().ToString());
    ++popped_;
    return *event;
  }
  if (posted->due > now) return std::nullopt;
  RemoveFirstPosted();
  return posted_[posted->slot];
}

uint32_t EventQueue::waiting_count() const {
  const size_t posted_count = run_.size() - run_popped_ + heap_.size();
  return state_.table(tables_.queued).row_count() - popped_ +
         static_cast<uint32_t>(posted_count);
}

uint32_t EventQueue::CountDue(Tick now) const {
  const std::array after = {now + 1};
  const uint32_t due_end =
      std::max(popped_, state_.table(tables_.queued).LowerBound(after));
  const auto is_due = [now](const Entry& entry) { return entry.due <= now; };
  const auto posted_count =
      std::count_if(run_.begin() + static_cast<ptrdiff_t>(run_popped_),
                    run_.end(), is_due) +
      std::ranges::count_if(heap_, is_due);
  return due_end - popped_ + static_cast<uint32_t>(posted_count);
}

void EventQueue::Settle() {
  if (popped_ > 0) {
    state_.mutable_table(tables_.queued).EraseRange(0, popped_);
    popped_ = 0;
  }
  if (run_.empty() && heap_.empty()) return;

  std::vector<Entry> entries(run_.begin() + static_cast<ptrdiff_t>(run_popped_),
                             run_.end());
  entries.insert(entries.end(), heap_.begin(), heap_.end());
  // A total order: no two sequences are equal.
  std::ranges::sort(entries);
  Table& queued = state_.mutable_table(tables_.queued);
  const Entry& first = entries.front();
  const std::array key = {first.due, first.priority_rank, first.sequence};
  const uint32_t begin = queued.LowerBound(key);
  std::vector<QueuedEventRow> tail;
  tail.reserve(queued.row_count() - begin + entries.size());
  auto entry = entries.begin();
  const auto take_posted = [&] {
    tail.push_back(
        RowOfEvent(posted_[entry->slot], entry->due, entry->sequence));
    ++entry;
  };
  for (uint32_t i = begin; i < queued.row_count(); ++i) {
    const auto& row = queued.Get<QueuedEventRow>(i);
    const Entry stored = {.due = row.due,
                          .priority_rank = row.priority_rank,
                          .sequence = row.sequence,
                          .slot = 0};
    while (entry != entries.end() && *entry < stored) take_posted();
    tail.push_back(row);
  }
  while (entry != entries.end()) take_posted();
  WriteTail<QueuedEventRow>(queued, begin, tail);
  run_.clear();
  run_popped_ = 0;
  heap_.clear();
  posted_.clear();
  free_slots_.clear();
}

absl::Status CheckEventQueue(const State& state, const EventTables& tables,
                             uint32_t capacity) {
  if (state.table(tables.counters).row_count() != 1) {
    return absl::DataLossError("event_counters has not one row");
  }
  const auto& counters = state.table(tables.counters).Get<EventCounterRow>(0);
  const Table& queued = state.table(tables.queued);
  if (queued.row_count() > capacity) {
    return absl::DataLossError(fmt::format("{} events in a queue of {}",
                                           queued.row_count(), capacity));
  }
  if (!RowsAscend(queued)) {
    return absl::DataLossError("queued_events is not in order");
  }
  for (uint32_t i = 0; i < queued.row_count(); ++i) {
    const auto& row = queued.Get<QueuedEventRow>(i);
    if (row.sequence >= counters.sequence_next) {
      return absl::DataLossError(
          fmt::format("event {} was never posted", row.sequence));
    }
    if (absl::Status status = EventOfRow(row).status(); !status.ok()) {
      return status;
    }
  }
  return absl::OkStatus();
}

}  // namespace reprise::sim
