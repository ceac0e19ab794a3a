// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Local timelines: the time of a clip, a path or a cut-scene, which starts when
// it is started and runs at a rate of its own, backwards too. Positions are
// whole parts of a tick, so a timeline is exact however long it runs. While its
// object sleeps it stands still, paused or not, and then goes on from there.

#ifndef REPRISE_SIM_WORLD_TIME_TIMELINE_H_
#define REPRISE_SIM_WORLD_TIME_TIMELINE_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "sim/base/field.h"
#include "sim/base/id.h"
#include "sim/base/object_id.h"
#include "sim/base/tick.h"
#include "sim/base/value_name.h"
#include "sim/state/table.h"
#include "sim/world/time/time_rate.h"

namespace reprise::sim {

// 828 days at 60 Hz; twice as much still fits in parts.
inline constexpr Tick kTimelineDurationMax = Tick{1} << 32;

// 5.5 MiB of rows.
inline constexpr uint32_t kTimelinesMax = 1 << 16;

// Places of one timeline that it tells of.
inline constexpr size_t kTimelineMarksMax = 8;

// A whole minute of 60 Hz goes by in less than four ticks.
inline constexpr int64_t kTimelineRateMax = 1000;

// What happens at the ends.
enum class TimelineMode : uint64_t {
  kClamp = 0,     // it stays at the end that it has reached
  kLoop = 1,      // 0 and the duration are one place; it goes round
  kPingPong = 2,  // it turns round: forth and back in twice the duration
};

inline constexpr auto kTimelineModeNames = std::to_array<ValueName>({
    {TimelineMode::kClamp, "clamp"},
    {TimelineMode::kLoop, "loop"},
    {TimelineMode::kPingPong, "ping_pong"},
});

// The position is (tick - anchored_at) * rate + anchor_parts, wrapped or
// clamped by the mode.
struct TimelineRow {
  ObjectId object;
  Id name;
  Tick anchored_at = 0;
  // In 0..duration; with kPingPong in 0..2 duration, the way back being the
  // second half.
  int64_t anchor_parts = 0;
  int64_t rate_numerator = 1;  // in lowest terms, of at most kTimelineRateMax
  int64_t rate_denominator = 1;
  Tick duration = 1;  // 1..kTimelineDurationMax, of its own ticks
  uint64_t mode = 0;  // TimelineMode
  uint64_t is_paused = 0;
  uint64_t is_asleep = 0;  // 1: as its object is

  friend bool operator==(const TimelineRow&, const TimelineRow&) = default;

  static constexpr std::string_view kTable = "timelines";
  static constexpr uint32_t kKeyFields = 2;
  static constexpr auto Describe() {
    return std::array{
        REPRISE_FIELD(TimelineRow, object, ""),
        REPRISE_FIELD(TimelineRow, name, ""),
        REPRISE_FIELD(TimelineRow, anchored_at, "tick"),
        REPRISE_FIELD(TimelineRow, anchor_parts, "1/90090000 tick"),
        REPRISE_FIELD(TimelineRow, rate_numerator, ""),
        REPRISE_FIELD(TimelineRow, rate_denominator, ""),
        REPRISE_FIELD(TimelineRow, duration, "tick"),
        REPRISE_FIELD(TimelineRow, mode, ""),
        REPRISE_FIELD(TimelineRow, is_paused, ""),
        REPRISE_FIELD(TimelineRow, is_asleep, "")};
  }
};

// A place of a timeline that its object is told of, whichever way it is passed.
struct TimelineMark {
  int64_t at_parts = 0;  // 0..duration, in parts of a tick (kTickParts)
  Id event;
};

struct TimelineStart {
  ObjectId object;
  Id name;
  Tick duration = 1;
  TimeRate rate;  // a negative one starts at the end
  TimelineMode mode = TimelineMode::kClamp;
  bool is_asleep = false;  // its object sleeps, or is away or inert
};

// A timeline that starts at `now`. OUT_OF_RANGE for a duration or a rate out of
// range, INVALID_ARGUMENT as ReducedTimeRate's.
absl::StatusOr<TimelineRow> MakeTimeline(const TimelineStart& start, Tick now);

// The local time at `now`, in 0..duration: in parts, exactly, and in ticks,
// exactly where it is a whole number and within one unit in the last place
// between them. A loop is at 0 where it starts anew, backwards at its duration.
// REQUIRES: now >= timeline.anchored_at.
int64_t LocalParts(const TimelineRow& timeline, Tick now);
double LocalTicks(const TimelineRow& timeline, Tick now);

// Whether it stands at the end for good: kClamp only.
bool HasEnded(const TimelineRow& timeline, Tick now);

// From `now` on; the local time at `now` is what it was. Crossings up to `now`
// can't be asked for afterwards. Errors as ReducedTimeRate's, with rates up to
// kTimelineRateMax both ways: nothing changes.
// REQUIRES: now >= timeline.anchored_at.
void Pause(TimelineRow& timeline, Tick now);
void Resume(TimelineRow& timeline, Tick now);
absl::Status SetRate(TimelineRow& timeline, TimeRate rate, Tick now);

// Goes to `parts` (with kPingPong on the way forth). OUT_OF_RANGE, and nothing
// changes, when that isn't in 0..duration. REQUIRES: as above.
absl::Status Seek(TimelineRow& timeline, int64_t parts, Tick now);

// What happened after tick `begin`, up to and including tick `end`; nothing
// before the anchor. REQUIRES: begin <= end.
struct TimelineCrossings {
  bool has_ended = false;   // kClamp: the end was reached
  uint64_t loop_count = 0;  // kLoop: passages from one end to the other
  uint64_t turn_count = 0;  // kPingPong: ends reached

  friend bool operator==(const TimelineCrossings&,
                         const TimelineCrossings&) = default;
};
TimelineCrossings CrossingsBetween(const TimelineRow& timeline, Tick begin,
                                   Tick end);

// Whether a timeline can have these marks: OUT_OF_RANGE for too many or one
// out of range, INVALID_ARGUMENT for one without an event.
absl::Status CheckMarks(const TimelineRow& timeline,
                        std::span<const TimelineMark> marks);

// A mark that was passed, and how often: a fast timeline goes round more than
// once a tick.
struct MarkPassed {
  Id event;
  uint64_t count = 0;

  friend bool operator==(const MarkPassed&, const MarkPassed&) = default;
};

// The marks that were passed or reached after tick `begin`, up to and including
// tick `end`, in the order of their first passing; of several at one place in
// their own. A timeline doesn't pass what it starts at, or is brought to by
// Seek. Of a loop, 0 and the duration are one place. REQUIRES: begin <= end.
std::vector<MarkPassed> MarksPassed(const TimelineRow& timeline,
                                    std::span<const TimelineMark> marks,
                                    Tick begin, Tick end);

// Puts a timeline into its table, in the place of one of the same object and
// name. RESOURCE_EXHAUSTED, and nothing changes, beyond kTimelinesMax.
absl::Status PutTimeline(Table& timelines, const TimelineRow& timeline);

std::optional<TimelineRow> FindTimeline(const Table& timelines, ObjectId object,
                                        Id name);

// Has every timeline of an object stand still from `now` on, or go on; those
// that do so already stay as they are. REQUIRES: now >= their anchored_at.
void SleepTimelinesOf(Table& timelines, ObjectId object, Tick now);
void WakeTimelinesOf(Table& timelines, ObjectId object, Tick now);

// Returns whether there was one.
bool RemoveTimeline(Table& timelines, ObjectId object, Id name);
void RemoveTimelinesOf(Table& timelines, ObjectId object);

// DATA_LOSS when a table of timelines at tick `now` is out of order or a row
// out of range.
absl::Status CheckTimelines(const Table& timelines, Tick now);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_WORLD_TIME_TIMELINE_H_
