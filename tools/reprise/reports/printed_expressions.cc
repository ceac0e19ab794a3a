// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/reports/printed_expressions.h"

#include <memory>

#include "absl/status/statusor.h"
#include "fmt/format.h"
#include "replays/showing/formats/csv_export.h"
#include "replays/showing/frame_stream.h"
#include "replays/showing/shown_expressions.h"

namespace reprise::tools {

absl::Status PrintExpressions(const std::string& path,
                              const std::vector<std::string>& lists,
                              const FrameFlags& frames, Console& console) {
  absl::Status status = frames.Check();
  if (!status.ok()) return status;
  const absl::StatusOr<std::vector<std::string>> expressions =
      replays::SplitExpressions(lists);
  if (!expressions.ok()) return expressions.status();
  absl::StatusOr<ShownReplay> shown =
      ShownReplay::Open(path, frames, {.keeps_events = true}, console);
  if (!shown.ok()) return shown.status();
  replays::FrameStream& stream = shown->stream();
  const absl::StatusOr<std::unique_ptr<replays::CsvExport>> csv =
      replays::CsvExport::Create(&stream, *expressions,
                                 replays::CsvShape::kWide, &console.out());
  if (!csv.ok()) return csv.status();
  ProgressBar progress(console, path, stream.frame_count());
  for (uint64_t i = 0; i < stream.frame_count(); ++i) {
    const absl::StatusOr<bool> is_there = stream.Next();
    if (!is_there.ok()) return is_there.status();
    if (!*is_there) break;
    status = (*csv)->AddFrame();
    if (!status.ok()) return status;
    progress.Update(i);
  }
  (*csv)->Finish();
  const replays::ShownExpressions& shown_expressions = (*csv)->expressions();
  if (shown_expressions.problem_count() > 0) {
    console.Warning(fmt::format(
        "{}; no answer {} time{}, the cells are empty",
        shown_expressions.first_problem(), shown_expressions.problem_count(),
        shown_expressions.problem_count() == 1 ? "" : "s"));
  }
  return absl::OkStatus();
}

}  // namespace reprise::tools
