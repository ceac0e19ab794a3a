// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The marks of timelines, as a world keeps them: only where a behaviour of the
// pack says that it sets any is there a table of them.

#ifndef REPRISE_SIM_WORLD_TIME_TIMELINE_MARKS_H_
#define REPRISE_SIM_WORLD_TIME_TIMELINE_MARKS_H_

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "sim/base/field.h"
#include "sim/base/id.h"
#include "sim/base/object_id.h"
#include "sim/base/tick.h"
#include "sim/state/table.h"
#include "sim/world/time/timeline.h"

namespace reprise::sim {

struct TimelineMarkRow {
  ObjectId object;
  Id timeline;
  uint64_t number = 0;   // among the timeline's, from 0
  int64_t at_parts = 0;  // as TimelineMark
  Id event;

  static constexpr std::string_view kTable = "timeline_marks";
  static constexpr uint32_t kKeyFields = 3;
  static constexpr auto Describe() {
    return std::array{
        REPRISE_FIELD(TimelineMarkRow, object, ""),
        REPRISE_FIELD(TimelineMarkRow, timeline, ""),
        REPRISE_FIELD(TimelineMarkRow, number, ""),
        REPRISE_FIELD(TimelineMarkRow, at_parts, "1/90090000 tick"),
        REPRISE_FIELD(TimelineMarkRow, event, "")};
  }
};

// Gives a timeline these marks instead of those that it has. REQUIRES:
// CheckMarks(timeline, marks).ok().
void PutMarks(Table& rows, const TimelineRow& timeline,
              std::span<const TimelineMark> marks);

// Drops those of all timelines of an object.
void RemoveMarksOf(Table& rows, ObjectId object);

// Tells of the marks that timelines passed after tick `begin`, up to and
// including tick `end`: timeline by timeline, in the order of the table.
// `visit` changes neither table.
void VisitMarksPassed(
    const Table& rows, const Table& timelines, Tick begin, Tick end,
    absl::FunctionRef<void(const TimelineRow&, const MarkPassed&)> visit);

// DATA_LOSS when rows are out of order, out of range, or of no timeline.
absl::Status CheckMarkRows(const Table& rows, const Table& timelines);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_WORLD_TIME_TIMELINE_MARKS_H_
