// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Timers of objects. A timer started at tick s with delay d and period p fires
// at s + d, s + d + p, s + d + 2p and so on, as often as it was asked to; in a
// tick they fire in the order of (due tick, priority, start).

#ifndef REPRISE_SIM_WORLD_TIME_TIMERS_H_
#define REPRISE_SIM_WORLD_TIME_TIMERS_H_

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "sim/base/field.h"
#include "sim/base/id.h"
#include "sim/base/object_id.h"
#include "sim/base/tick.h"
#include "sim/state/state.h"

namespace reprise::sim {

// 4.5 MiB of rows.
inline constexpr uint32_t kTimersMax = 1 << 16;

struct TimerRow {
  ObjectId object;
  Id name;
  Tick due = 0;                // fires next; of one asleep, in so many ticks
  Tick period = 0;             // 0: fires once
  uint64_t remaining = 0;      // firings to come; 0: without end
  Id event;                    // the type of the event to send
  uint64_t priority_rank = 0;  // RankOfPriority
  uint64_t sequence = 0;       // of its start
  uint64_t is_asleep = 0;      // 1: as its object is

  friend bool operator==(const TimerRow&, const TimerRow&) = default;

  static constexpr std::string_view kTable = "timers";
  static constexpr uint32_t kKeyFields = 2;
  static constexpr auto Describe() {
    return std::array{REPRISE_FIELD(TimerRow, object, ""),
                      REPRISE_FIELD(TimerRow, name, ""),
                      REPRISE_FIELD(TimerRow, due, "tick"),
                      REPRISE_FIELD(TimerRow, period, "tick"),
                      REPRISE_FIELD(TimerRow, remaining, ""),
                      REPRISE_FIELD(TimerRow, event, ""),
                      REPRISE_FIELD(TimerRow, priority_rank, ""),
                      REPRISE_FIELD(TimerRow, sequence, ""),
                      REPRISE_FIELD(TimerRow, is_asleep, "")};
  }
};

// The earliest timer of each page of TimerRows, so that a tick looks at the few
// pages where something is due. A function of those rows alone.
struct TimerPageRow {
  uint64_t page = 0;
  Tick earliest = 0;  // the highest number there is where all are asleep

  static constexpr std::string_view kTable = "timer_pages";
  static constexpr uint32_t kKeyFields = 1;
  static constexpr auto Describe() {
    return std::array{REPRISE_FIELD(TimerPageRow, page, ""),
                      REPRISE_FIELD(TimerPageRow, earliest, "tick")};
  }
};

// One row.
struct TimerCounterRow {
  uint64_t sequence_next = 0;  // of the next timer started

  static constexpr std::string_view kTable = "timer_counters";
  static constexpr uint32_t kKeyFields = 0;
  static constexpr auto Describe() {
    return std::array{REPRISE_FIELD(TimerCounterRow, sequence_next, "")};
  }
};

struct TimerTables {
  TableIndex timers;
  TableIndex pages;
  TableIndex counters;
};

// Adds three tables to `room`, with no timer.
TimerTables AddTimerTables(State& state, std::string_view room);

struct TimerStart {
  ObjectId object;
  Id name;               // unique among the object's
  Tick delay = 1;        // 1..kTickMax, to the first firing
  Tick period = 0;       // 0..kTickMax, from one to the next; 0: fires once
  uint64_t firings = 0;  // 0: without end; of a timer with a period
  Id event;
  int64_t priority = 0;
  bool is_asleep = false;  // its object sleeps, or is away or inert
};

// What a timer says when it fires. REQUIRES of the callee: no FireDue.
using TimerVisitor = absl::FunctionRef<void(const TimerRow& fired)>;

// A hand on the rows of timers; has no state of its own.
class Timers {
 public:
  // REQUIRES: `state` outlives the timers.
  Timers(State& state, const TimerTables& tables)
      : state_(state), tables_(tables) {}

  // Starts a timer; one of the same object and name is replaced, as if it had
  // been stopped. INVALID_ARGUMENT for a delay of 0, a missing name or event,
  // or firings without a period; OUT_OF_RANGE beyond kTickMax;
  // RESOURCE_EXHAUSTED beyond kTimersMax: nothing changes.
  absl::Status Start(const TimerStart& start, Tick now);

  // Returns whether it was running.
  bool Stop(ObjectId object, Id name);

  // Stops every timer of an object that goes.
  void StopAllOf(ObjectId object);

  // Has every timer of an object stand still from `now` on, or go on. One that
  // is due at `now` and hasn't fired has 0 ticks left, and is due when it goes
  // on. Returns at once for timers that do so already.
  void SleepAllOf(ObjectId object, Tick now);
  void WakeAllOf(ObjectId object, Tick now);

  // The timer; nullopt when there is none.
  std::optional<TimerRow> Find(ObjectId object, Id name) const;

  // Fires what is due at or before `now`, each timer once. To be called with
  // every tick; one that fell behind catches up by one firing a call.
  //
  // A timer is rescheduled, or after its last firing gone, before `visit` is
  // told of it as it was. `visit` may start, stop, and have timers sleep and
  // wake: one that it stops, starts anew or leaves asleep does not fire in this
  // call any more.
  void FireDue(Tick now, TimerVisitor visit);

 private:
  std::optional<uint32_t> FindTimer(ObjectId object, Id name) const;
  uint32_t rows_per_page() const;
  // Sets when row `row` fires next; returns whether it has fired for the last
  // time. Its page is to be refreshed afterwards.
  bool Reschedule(uint32_t row);
  // Writes each timer of an object, changed by `change`.
  template <typename Change>
  void ChangeAllOf(ObjectId object, const Change& change);
  // Brings TimerPageRows up to date: from the page of `row` on, or one.
  void RefreshPagesFrom(uint32_t row);
  void RefreshPage(uint32_t page);

  State& state_;
  TimerTables tables_;
};

// The ticks from `now` until a timer fires next; 0 where it is due already.
Tick TicksLeft(const TimerRow& timer, Tick now);

// Whether a world may go on from these rows; DATA_LOSS says what contradicts.
absl::Status CheckTimers(const State& state, const TimerTables& tables);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_WORLD_TIME_TIMERS_H_
