// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/world/time/timers.h"

#include <algorithm>
#include <compare>
#include <limits>
#include <vector>

#include "fmt/format.h"
#include "sim/base/check.h"
#include "sim/state/table.h"
#include "sim/world/components/event_priority.h"
#include "sim/world/components/sorted_rows.h"

namespace reprise::sim {
namespace {

// The due tick of a timer that has fired for the last time, until the end of
// FireDue takes its row away.
constexpr Tick kNever = std::numeric_limits<Tick>::max();

// A timer that is due, in the order of firing.
struct DueTimer {
  Tick due;
  uint64_t priority_rank;
  uint64_t sequence;
  ObjectId object;
  Id name;

  friend auto operator<=>(const DueTimer&, const DueTimer&) = default;
};

// The earliest due tick in page `page` of a table of TimerRow.
Tick EarliestOf(const Table& timers, uint32_t page) {
  const uint32_t begin = page * timers.rows_per_page();
  const uint32_t end =
      std::min(begin + timers.rows_per_page(), timers.row_count());
  Tick earliest = kNever;
  for (uint32_t i = begin; i < end; ++i) {
    const auto& row = timers.Get<TimerRow>(i);
    if (row.is_asleep == 0) earliest = std::min(earliest, row.due);
  }
  return earliest;
}

// In the order of firing.
std::vector<DueTimer> CollectDue(const Table& timers, const Table& pages,
                                 Tick now) {
  std::vector<DueTimer> due;
  for (uint32_t page = 0; page < pages.row_count(); ++page) {
    if (pages.Get<TimerPageRow>(page).earliest > now) continue;
    const uint32_t begin = page * timers.rows_per_page();
    const uint32_t end =
        std::min(begin + timers.rows_per_page(), timers.row_count());
    for (uint32_t i = begin; i < end; ++i) {
      const auto& row = timers.Get<TimerRow>(i);
      if (row.is_asleep != 0 || row.due > now) continue;
      due.push_back({.due = row.due,
                     .priority_rank = row.priority_rank,
                     .sequence = row.sequence,
                     .object = row.object,
                     .name = row.name});
    }
  }
  // A total order: no two sequences are equal.
  std::ranges::sort(due);
  return due;
}

absl::Status CheckStart(const TimerStart& start, Tick now) {
  if (start.name == kNoId || start.event == kNoId) {
    return absl::InvalidArgumentError("a timer without a name or an event");
  }
  if (start.delay == 0) {
    return absl::InvalidArgumentError("a timer's delay is at least 1 tick");
  }
  if (start.period == 0 && start.firings > 1) {
    return absl::InvalidArgumentError(
        fmt::format("a timer of {} firings without a period", start.firings));
  }
  if (now > kTickMax || start.delay > kTickMax - now ||
      start.period > kTickMax) {
    return absl::OutOfRangeError(fmt::format("a timer in {} ticks, every {}",
                                             start.delay, start.period));
  }
  return absl::OkStatus();
}

}  // namespace

TimerTables AddTimerTables(State& state, std::string_view room) {
  TimerTables tables;
  tables.timers = state.AddTable(room, RowSchema::Of<TimerRow>());
  tables.pages = state.AddTable(room, RowSchema::Of<TimerPageRow>());
  tables.counters = state.AddTable(room, RowSchema::Of<TimerCounterRow>());
  state.mutable_table(tables.counters).Resize(1);
  return tables;
}

absl::Status Timers::Start(const TimerStart& start, Tick now) {
  if (absl::Status status = CheckStart(start, now); !status.ok()) return status;
  Table& timers = state_.mutable_table(tables_.timers);
  const std::optional<uint32_t> old = FindTimer(start.object, start.name);
  if (!old.has_value() && timers.row_count() == kTimersMax) {
    return absl::ResourceExhaustedError(
        fmt::format("{} timers are running", kTimersMax));
  }
  auto& counters =
      state_.mutable_table(tables_.counters).Mutable<TimerCounterRow>(0);
  const TimerRow row = {
      .object = start.object,
      .name = start.name,
      .due = start.is_asleep ? start.delay : now + start.delay,
      .period = start.period,
      .remaining = start.period == 0 ? 1 : start.firings,
      .event = start.event,
      .priority_rank = RankOfPriority(start.priority),
      .sequence = counters.sequence_next++,
      .is_asleep = start.is_asleep ? 1u : 0u};
  if (old.has_value()) {
    timers.Mutable<TimerRow>(*old) = row;
    RefreshPage(*old / rows_per_page());
    return absl::OkStatus();
  }
  const std::array key = {row.object.serial, row.name.value};
  const uint32_t place = timers.LowerBound(key);
  timers.Insert(place);
  timers.Mutable<TimerRow>(place) = row;
  RefreshPagesFrom(place);
  return absl::OkStatus();
}

bool Timers::Stop(ObjectId object, Id name) {
  if (!Find(object, name).has_value()) return false;
  const uint32_t row = *FindTimer(object, name);
  state_.mutable_table(tables_.timers).EraseRange(row, 1);
  RefreshPagesFrom(row);
  return true;
}

void Timers::StopAllOf(ObjectId object) {
  Table& timers = state_.mutable_table(tables_.timers);
  const std::array begin_key = {object.serial};
  const std::array end_key = {object.serial + 1};
  const uint32_t begin = timers.LowerBound(begin_key);
  const uint32_t end = timers.LowerBound(end_key);
  if (begin == end) return;
  timers.EraseRange(begin, end - begin);
  RefreshPagesFrom(begin);
}

template <typename Change>
void Timers::ChangeAllOf(ObjectId object, const Change& change) {
  const Table& timers = state_.table(tables_.timers);
  uint32_t row = timers.LowerBound(std::array{object.serial});
  for (; row < timers.row_count(); ++row) {
    TimerRow timer = timers.Get<TimerRow>(row);
    if (timer.object != object) break;
    // One that has fired for the last time goes when FireDue ends.
    if (timer.due == kNever || !change(timer)) continue;
    state_.mutable_table(tables_.timers).Mutable<TimerRow>(row) = timer;
    RefreshPage(row / rows_per_page());
  }
}

void Timers::SleepAllOf(ObjectId object, Tick now) {
  ChangeAllOf(object, [now](TimerRow& timer) {
    if (timer.is_asleep != 0) return false;
    timer.due = TicksLeft(timer, now);
    timer.is_asleep = 1;
    return true;
  });
}

void Timers::WakeAllOf(ObjectId object, Tick now) {
  ChangeAllOf(object, [now](TimerRow& timer) {
    if (timer.is_asleep == 0) return false;
    timer.due += now;
    timer.is_asleep = 0;
    return true;
  });
}

std::optional<TimerRow> Timers::Find(ObjectId object, Id name) const {
  const std::optional<uint32_t> row = FindTimer(object, name);
  if (!row.has_value()) return std::nullopt;
  const auto& timer = state_.table(tables_.timers).Get<TimerRow>(*row);
  if (timer.due == kNever) return std::nullopt;
  return timer;
}

std::optional<uint32_t> Timers::FindTimer(ObjectId object, Id name) const {
  const std::array key = {object.serial, name.value};
  return FindRow(state_.table(tables_.timers), key);
}

uint32_t Timers::rows_per_page() const {
  return state_.table(tables_.timers).rows_per_page();
}

void Timers::FireDue(Tick now, TimerVisitor visit) {
  bool has_ended = false;
  std::vector<uint32_t> touched;
  for (const DueTimer& due : CollectDue(state_.table(tables_.timers),
                                        state_.table(tables_.pages), now)) {
    const std::optional<uint32_t> row = FindTimer(due.object, due.name);
    if (!row.has_value()) continue;
    const TimerRow fired = state_.table(tables_.timers).Get<TimerRow>(*row);
    // Another sequence is another timer, of the same name.
    if (fired.sequence != due.sequence || fired.is_asleep != 0) continue;
    if (Reschedule(*row)) has_ended = true;
    touched.push_back(*row / rows_per_page());
    visit(fired);
  }
  if (has_ended) {
    RefreshPagesFrom(EraseRowsIf<TimerRow>(
        state_.mutable_table(tables_.timers),
        [](const TimerRow& row) { return row.due == kNever; }));
  }
  // Once each, however many timers of a page fired. A row that moved since then
  // was moved by what refreshed its page.
  // A total order: these are numbers.
  std::ranges::sort(touched);
  touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
  for (const uint32_t page : touched) {
    if (page < state_.table(tables_.timers).page_count()) RefreshPage(page);
  }
}

bool Timers::Reschedule(uint32_t row) {
  Table& timers = state_.mutable_table(tables_.timers);
  auto& timer = timers.Mutable<TimerRow>(row);
  const bool is_last = timer.remaining == 1;
  if (is_last) {
    timer.due = kNever;
  } else {
    timer.due += timer.period;
    if (timer.remaining > 0) --timer.remaining;
  }
  return is_last;
}

void Timers::RefreshPagesFrom(uint32_t row) {
  const Table& timers = state_.table(tables_.timers);
  state_.mutable_table(tables_.pages).Resize(timers.page_count());
  for (uint32_t page = row / rows_per_page(); page < timers.page_count();
       ++page) {
    RefreshPage(page);
  }
}

void Timers::RefreshPage(uint32_t page) {
  WriteRow(
      state_.mutable_table(tables_.pages), page,
      TimerPageRow{.page = page,
                   .earliest = EarliestOf(state_.table(tables_.timers), page)});
}

Tick TicksLeft(const TimerRow& timer, Tick now) {
  if (timer.is_asleep != 0) return timer.due;
  return timer.due > now ? timer.due - now : 0;
}

absl::Status CheckTimers(const State& state, const TimerTables& tables) {
  const Table& timers = state.table(tables.timers);
  const Table& pages = state.table(tables.pages);
  if (state.table(tables.counters).row_count() != 1) {
    return absl::DataLossError("timer_counters has not one row");
  }
  if (timers.row_count() > kTimersMax || !RowsAscend(timers)) {
    return absl::DataLossError("timers are too many or not in order");
  }
  const uint64_t sequence_next =
      state.table(tables.counters).Get<TimerCounterRow>(0).sequence_next;
  std::vector<uint64_t> sequences;
  for (uint32_t i = 0; i < timers.row_count(); ++i) {
    const auto& row = timers.Get<TimerRow>(i);
    // After its last tick a world may hold one that is due a period later.
    // One that is asleep has a delay or a period left at most.
    if (row.due > (row.is_asleep != 0 ? kTickMax : 2 * kTickMax) ||
        row.is_asleep > 1 || row.period > kTickMax ||
        (row.period == 0 && row.remaining != 1) ||
        row.sequence >= sequence_next) {
      return absl::DataLossError(fmt::format("timer {} was never started", i));
    }
    sequences.push_back(row.sequence);
  }
  // A total order: these are numbers.
  std::ranges::sort(sequences);
  if (std::ranges::adjacent_find(sequences) != sequences.end()) {
    return absl::DataLossError("two timers were started at once");
  }
  if (pages.row_count() != timers.page_count()) {
    return absl::DataLossError("timer_pages are not those of the timers");
  }
  for (uint32_t page = 0; page < pages.row_count(); ++page) {
    const auto& row = pages.Get<TimerPageRow>(page);
    if (row.page != page || row.earliest != EarliestOf(timers, page)) {
      return absl::DataLossError("timer_pages are not those of the timers");
    }
  }
  return absl::OkStatus();
}

}  // namespace reprise::sim
