// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/world/time/timeline_marks.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "sim/world/components/sorted_rows.h"

namespace reprise::sim {
namespace {

// One row past the marks of the timeline that row `row` is of.
uint32_t EndOf(const Table& rows, uint32_t row) {
  const auto& first = rows.Get<TimelineMarkRow>(row);
  uint32_t end = row + 1;
  while (end < rows.row_count() &&
         rows.Get<TimelineMarkRow>(end).object == first.object &&
         rows.Get<TimelineMarkRow>(end).timeline == first.timeline) {
    ++end;
  }
  return end;
}

std::vector<TimelineMark> MarksBetween(const Table& rows, uint32_t begin,
                                       uint32_t end) {
  std::vector<TimelineMark> marks;
  for (uint32_t row = begin; row < end; ++row) {
    const auto& mark = rows.Get<TimelineMarkRow>(row);
    marks.push_back({.at_parts = mark.at_parts, .event = mark.event});
  }
  return marks;
}

}  // namespace

void PutMarks(Table& rows, const TimelineRow& timeline,
              std::span<const TimelineMark> marks) {
  const uint32_t begin =
      rows.LowerBound(std::array{timeline.object.serial, timeline.name.value});
  if (begin < rows.row_count()) {
    const auto& first = rows.Get<TimelineMarkRow>(begin);
    if (first.object == timeline.object && first.timeline == timeline.name) {
      rows.EraseRange(begin, EndOf(rows, begin) - begin);
    }
  }
  for (uint32_t i = 0; i < marks.size(); ++i) {
    rows.Insert(begin + i);
    rows.Mutable<TimelineMarkRow>(begin + i) = {.object = timeline.object,
                                                .timeline = timeline.name,
                                                .number = i,
                                                .at_parts = marks[i].at_parts,
                                                .event = marks[i].event};
  }
}

void RemoveMarksOf(Table& rows, ObjectId object) {
  const uint32_t begin = rows.LowerBound(std::array{object.serial});
  const uint32_t end = rows.LowerBound(std::array{object.serial + 1});
  if (begin < end) rows.EraseRange(begin, end - begin);
}

void VisitMarksPassed(
    const Table& rows, const Table& timelines, Tick begin, Tick end,
    absl::FunctionRef<void(const TimelineRow&, const MarkPassed&)> visit) {
  for (uint32_t row = 0; row < rows.row_count();) {
    const auto& first = rows.Get<TimelineMarkRow>(row);
    const uint32_t past = EndOf(rows, row);
    const std::optional<TimelineRow> timeline =
        FindTimeline(timelines, first.object, first.timeline);
    if (timeline.has_value()) {
      for (const MarkPassed& mark :
           MarksPassed(*timeline, MarksBetween(rows, row, past), begin, end)) {
        visit(*timeline, mark);
      }
    }
    row = past;
  }
}

absl::Status CheckMarkRows(const Table& rows, const Table& timelines) {
  if (!RowsAscend(rows)) {
    return absl::DataLossError("snapshot: the marks are not in order");
  }
  for (uint32_t row = 0; row < rows.row_count();) {
    const auto& first = rows.Get<TimelineMarkRow>(row);
    const uint32_t past = EndOf(rows, row);
    const std::optional<TimelineRow> timeline =
        FindTimeline(timelines, first.object, first.timeline);
    if (!timeline.has_value() || first.number != 0 ||
        rows.Get<TimelineMarkRow>(past - 1).number != past - 1 - row ||
        !CheckMarks(*timeline, MarksBetween(rows, row, past)).ok()) {
      return absl::DataLossError("snapshot: marks that no timeline can have");
    }
    row = past;
  }
  return absl::OkStatus();
}

}  // namespace reprise::sim
