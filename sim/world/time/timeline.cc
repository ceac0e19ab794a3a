// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/world/time/timeline.h"

#include <algorithm>

#include "fmt/format.h"
#include "sim/base/check.h"
#include "sim/world/components/sorted_rows.h"

namespace reprise::sim {
namespace {

// Ticks times parts times rates: 2^53 * 2^27 * 2^10.
__extension__ using Int128 = __int128;

Int128 DurationParts(const TimelineRow& timeline) {
  return Int128{kTickParts} * timeline.duration;
}

// The position after which the local time repeats; of kClamp the last one.
Int128 PeriodParts(const TimelineRow& timeline) {
  const bool is_ping_pong =
      static_cast<TimelineMode>(timeline.mode) == TimelineMode::kPingPong;
  return DurationParts(timeline) * (is_ping_pong ? 2 : 1);
}

Int128 FloorDivide(Int128 value, Int128 divisor) {
  const Int128 quotient = value / divisor;
  return value % divisor < 0 ? quotient - 1 : quotient;
}

TimeRate RateOf(const TimelineRow& timeline) {
  return {.numerator = timeline.rate_numerator,
          .denominator = timeline.rate_denominator};
}

// The position as if there were no ends.
Int128 FreeParts(const TimelineRow& timeline, Tick now) {
  CHECK(now >= timeline.anchored_at, "tick {} of a timeline since {}", now,
        timeline.anchored_at);
  const bool stands = timeline.is_paused != 0 || timeline.is_asleep != 0;
  const Tick ticks = stands ? 0 : now - timeline.anchored_at;
  return Int128{ticks} * RateOf(timeline).parts_per_tick() +
         timeline.anchor_parts;
}

// The position within the period: what an anchor holds. Backwards it is the
// mirror image of forwards: in (0, period], not in [0, period).
int64_t PeriodicParts(const TimelineRow& timeline, Tick now) {
  const Int128 parts = FreeParts(timeline, now);
  const Int128 period = PeriodParts(timeline);
  if (static_cast<TimelineMode>(timeline.mode) == TimelineMode::kClamp) {
    return static_cast<int64_t>(std::clamp(parts, Int128{0}, period));
  }
  if (timeline.rate_numerator >= 0) {
    return static_cast<int64_t>(parts - FloorDivide(parts, period) * period);
  }
  return static_cast<int64_t>(parts +
                              (FloorDivide(-parts, period) + 1) * period);
}

bool IsAtEnd(const TimelineRow& timeline, Int128 parts) {
  if (timeline.rate_numerator == 0) return false;
  return timeline.rate_numerator > 0 ? parts >= DurationParts(timeline)
                                     : parts <= 0;
}

// Multiples of `period` in (begin, end], or going down in [end, begin).
uint64_t MultiplesReached(Int128 begin, Int128 end, Int128 period) {
  if (begin <= end) {
    return static_cast<uint64_t>(FloorDivide(end, period) -
                                 FloorDivide(begin, period));
  }
  return MultiplesReached(-begin, -end, period);
}

// The first position after `begin`, on the way to `end`, that is `offset` more
// than a multiple of `period`.
Int128 FirstReached(Int128 begin, Int128 end, Int128 offset, Int128 period) {
  if (begin <= end) {
    return offset + (FloorDivide(begin - offset, period) + 1) * period;
  }
  return -FirstReached(-begin, -end, -offset, period);
}

// A mark on the way from one position to another.
struct Passing {
  Int128 distance = 0;  // to its first passing
  uint64_t count = 0;
};

Passing PassingOf(const TimelineRow& timeline, Int128 mark, Int128 from,
                  Int128 to) {
  const Int128 duration = DurationParts(timeline);
  const auto distance_to = [&](Int128 place) {
    return place > from ? place - from : from - place;
  };
  const auto periodic = [&](Int128 offset, Int128 period) {
    return Passing{
        .distance = distance_to(FirstReached(from, to, offset, period)),
        .count = MultiplesReached(from - offset, to - offset, period)};
  };
  switch (static_cast<TimelineMode>(timeline.mode)) {
    case TimelineMode::kClamp: {
      const bool is_passed =
          from <= to ? from < mark && mark <= to : to <= mark && mark < from;
      return {.distance = distance_to(mark), .count = is_passed ? 1u : 0u};
    }
    case TimelineMode::kLoop:
      return periodic(mark, duration);
    case TimelineMode::kPingPong:
      break;
  }
  // Forth, and back in the second half of the period; the ends once.
  Passing passing = periodic(mark, 2 * duration);
  if (mark == 0 || mark == duration) return passing;
  const Passing back = periodic(2 * duration - mark, 2 * duration);
  if (back.count > 0 &&
      (passing.count == 0 || back.distance < passing.distance)) {
    passing.distance = back.distance;
  }
  passing.count += back.count;
  return passing;
}

void Anchor(TimelineRow& timeline, Tick now) {
  timeline.anchor_parts = PeriodicParts(timeline, now);
  timeline.anchored_at = now;
}

bool IsInRange(const TimelineRow& timeline, Tick now) {
  if (timeline.duration < 1 || timeline.duration > kTimelineDurationMax ||
      timeline.mode > static_cast<uint64_t>(TimelineMode::kPingPong)) {
    return false;
  }
  const absl::StatusOr<TimeRate> rate =
      ReducedTimeRate(RateOf(timeline), -kTimelineRateMax, kTimelineRateMax);
  return rate.ok() && *rate == RateOf(timeline) && timeline.anchor_parts >= 0 &&
         timeline.anchor_parts <= PeriodParts(timeline) &&
         timeline.is_paused <= 1 && timeline.is_asleep <= 1 &&
         timeline.anchored_at <= now;
}

// Writes each timeline of an object whose is_asleep isn't that, anchored at
// `now`.
void SetAsleep(Table& timelines, ObjectId object, uint64_t is_asleep,
               Tick now) {
  uint32_t row = timelines.LowerBound(std::array{object.serial});
  for (; row < timelines.row_count(); ++row) {
    TimelineRow timeline = timelines.Get<TimelineRow>(row);
    if (timeline.object != object) break;
    if (timeline.is_asleep == is_asleep) continue;
    Anchor(timeline, now);
    timeline.is_asleep = is_asleep;
    timelines.Mutable<TimelineRow>(row) = timeline;
  }
}

}  // namespace

absl::StatusOr<TimelineRow> MakeTimeline(const TimelineStart& start, Tick now) {
  if (start.duration < 1 || start.duration > kTimelineDurationMax) {
    return absl::OutOfRangeError(
        fmt::format("a duration of {} ticks is not in 1..{}", start.duration,
                    kTimelineDurationMax));
  }
  const absl::StatusOr<TimeRate> rate =
      ReducedTimeRate(start.rate, -kTimelineRateMax, kTimelineRateMax);
  if (!rate.ok()) return rate.status();
  TimelineRow timeline = {.object = start.object,
                          .name = start.name,
                          .anchored_at = now,
                          .rate_numerator = rate->numerator,
                          .rate_denominator = rate->denominator,
                          .duration = start.duration,
                          .mode = static_cast<uint64_t>(start.mode),
                          .is_asleep = start.is_asleep ? 1u : 0u};
  if (rate->numerator < 0) {
    timeline.anchor_parts = static_cast<int64_t>(PeriodParts(timeline));
  }
  return timeline;
}

int64_t LocalParts(const TimelineRow& timeline, Tick now) {
  const int64_t parts = PeriodicParts(timeline, now);
  const auto duration = static_cast<int64_t>(DurationParts(timeline));
  return parts <= duration ? parts : 2 * duration - parts;
}

double LocalTicks(const TimelineRow& timeline, Tick now) {
  const int64_t parts = LocalParts(timeline, now);
  const int64_t whole = parts / kTickParts;
  const int64_t rest = parts % kTickParts;
  return static_cast<double>(whole) + static_cast<double>(rest) / kTickParts;
}

bool HasEnded(const TimelineRow& timeline, Tick now) {
  return static_cast<TimelineMode>(timeline.mode) == TimelineMode::kClamp &&
         IsAtEnd(timeline, FreeParts(timeline, now));
}

void Pause(TimelineRow& timeline, Tick now) {
  if (timeline.is_paused != 0) return;
  Anchor(timeline, now);
  timeline.is_paused = 1;
}

void Resume(TimelineRow& timeline, Tick now) {
  if (timeline.is_paused == 0) return;
  Anchor(timeline, now);
  timeline.is_paused = 0;
}

absl::Status SetRate(TimelineRow& timeline, TimeRate rate, Tick now) {
  const absl::StatusOr<TimeRate> reduced =
      ReducedTimeRate(rate, -kTimelineRateMax, kTimelineRateMax);
  if (!reduced.ok()) return reduced.status();
  Anchor(timeline, now);
  timeline.rate_numerator = reduced->numerator;
  timeline.rate_denominator = reduced->denominator;
  return absl::OkStatus();
}

absl::Status Seek(TimelineRow& timeline, int64_t parts, Tick now) {
  if (parts < 0 || parts > DurationParts(timeline)) {
    return absl::OutOfRangeError(fmt::format("{} parts are not within {} ticks",
                                             parts, timeline.duration));
  }
  timeline.anchor_parts = parts;
  timeline.anchored_at = now;
  return absl::OkStatus();
}

TimelineCrossings CrossingsBetween(const TimelineRow& timeline, Tick begin,
                                   Tick end) {
  CHECK(begin <= end, "from tick {} to {}", begin, end);
  if (end <= timeline.anchored_at) return {};
  const Int128 from =
      FreeParts(timeline, std::max(begin, timeline.anchored_at));
  const Int128 to = FreeParts(timeline, end);
  const Int128 duration = DurationParts(timeline);
  TimelineCrossings crossings;
  switch (static_cast<TimelineMode>(timeline.mode)) {
    case TimelineMode::kClamp:
      crossings.has_ended = IsAtEnd(timeline, to) && !IsAtEnd(timeline, from);
      break;
    case TimelineMode::kLoop:
      crossings.loop_count = MultiplesReached(from, to, duration);
      break;
    case TimelineMode::kPingPong:
      crossings.turn_count = MultiplesReached(from, to, duration);
      break;
  }
  return crossings;
}

absl::Status CheckMarks(const TimelineRow& timeline,
                        std::span<const TimelineMark> marks) {
  if (marks.size() > kTimelineMarksMax) {
    return absl::OutOfRangeError(
        fmt::format("{} marks, more than {}", marks.size(), kTimelineMarksMax));
  }
  for (const TimelineMark& mark : marks) {
    if (mark.event == kNoId) {
      return absl::InvalidArgumentError("a mark without an event");
    }
    if (mark.at_parts < 0 || mark.at_parts > DurationParts(timeline)) {
      return absl::OutOfRangeError(
          fmt::format("a mark at {} parts is not within {} ticks",
                      mark.at_parts, timeline.duration));
    }
  }
  return absl::OkStatus();
}

std::vector<MarkPassed> MarksPassed(const TimelineRow& timeline,
                                    std::span<const TimelineMark> marks,
                                    Tick begin, Tick end) {
  CHECK(begin <= end, "from tick {} to {}", begin, end);
  if (end <= timeline.anchored_at) return {};
  Int128 from = FreeParts(timeline, std::max(begin, timeline.anchored_at));
  Int128 to = FreeParts(timeline, end);
  if (static_cast<TimelineMode>(timeline.mode) == TimelineMode::kClamp) {
    const Int128 duration = DurationParts(timeline);
    from = std::clamp(from, Int128{0}, duration);
    to = std::clamp(to, Int128{0}, duration);
  }
  if (from == to) return {};
  struct Passed {
    Int128 distance = 0;
    MarkPassed mark;
  };
  std::vector<Passed> passed;
  for (const TimelineMark& mark : marks) {
    const Passing passing = PassingOf(timeline, mark.at_parts, from, to);
    if (passing.count == 0) continue;
    passed.push_back({.distance = passing.distance,
                      .mark = {.event = mark.event, .count = passing.count}});
  }
  std::ranges::stable_sort(passed, {}, &Passed::distance);
  std::vector<MarkPassed> told;
  for (const Passed& each : passed) told.push_back(each.mark);
  return told;
}

absl::Status PutTimeline(Table& timelines, const TimelineRow& timeline) {
  const std::array key = {timeline.object.serial, timeline.name.value};
  if (const std::optional<uint32_t> old = FindRow(timelines, key)) {
    WriteRow(timelines, *old, timeline);
    return absl::OkStatus();
  }
  if (timelines.row_count() == kTimelinesMax) {
    return absl::ResourceExhaustedError(
        fmt::format("{} timelines are running", kTimelinesMax));
  }
  const uint32_t place = timelines.LowerBound(key);
  timelines.Insert(place);
  timelines.Mutable<TimelineRow>(place) = timeline;
  return absl::OkStatus();
}

std::optional<TimelineRow> FindTimeline(const Table& timelines, ObjectId object,
                                        Id name) {
  const std::array key = {object.serial, name.value};
  const std::optional<uint32_t> row = FindRow(timelines, key);
  if (!row.has_value()) return std::nullopt;
  return timelines.Get<TimelineRow>(*row);
}

void SleepTimelinesOf(Table& timelines, ObjectId object, Tick now) {
  SetAsleep(timelines, object, 1, now);
}

void WakeTimelinesOf(Table& timelines, ObjectId object, Tick now) {
  SetAsleep(timelines, object, 0, now);
}

bool RemoveTimeline(Table& timelines, ObjectId object, Id name) {
  const std::array key = {object.serial, name.value};
  const std::optional<uint32_t> row = FindRow(timelines, key);
  if (row.has_value()) timelines.EraseRange(*row, 1);
  return row.has_value();
}

void RemoveTimelinesOf(Table& timelines, ObjectId object) {
  EraseRowsIf<TimelineRow>(timelines, [object](const TimelineRow& timeline) {
    return timeline.object == object;
  });
}

absl::Status CheckTimelines(const Table& timelines, Tick now) {
  if (timelines.row_count() > kTimelinesMax || !RowsAscend(timelines)) {
    return absl::DataLossError("timelines are too many or not in order");
  }
  for (uint32_t row = 0; row < timelines.row_count(); ++row) {
    if (!IsInRange(timelines.Get<TimelineRow>(row), now)) {
      return absl::DataLossError(
          fmt::format("timelines row {} is out of range", row));
    }
  }
  return absl::OkStatus();
}

}  // namespace reprise::sim
