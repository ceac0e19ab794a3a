// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Writes the page that plays a run, or two, into a file: for the verbs that
// show runs, and for those that find them different.

#ifndef REPRISE_TOOLS_REPRISE_REPORTS_VIEW_FILE_H_
#define REPRISE_TOOLS_REPRISE_REPORTS_VIEW_FILE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "replays/format/replay_reader.h"
#include "replays/showing/page/view_page.h"
#include "sim/base/tick.h"
#include "sim/pack_archive.h"
#include "tools/reprise/terminal/console.h"

namespace reprise::tools {

struct ViewRequest {
  struct Run {
    std::string name;
    const replays::ReplayReader* replay = nullptr;
    const sim::PackArchive* pack = nullptr;  // where it isn't the one inside
  };

  std::vector<Run> runs;  // one or two, which must remain live
  sim::Tick first = 0;
  std::optional<sim::Tick> last;  // of each its end if unset or behind that
  uint64_t every = 1;
  std::vector<std::string> objects = {};  // see FrameStreamOptions
  replays::ViewOptions page;
};

// Replaces what lies at `path`. Errors are those of FrameStream::Open and
// WriteViewPage; UNAVAILABLE: it can't be written. What was there is left then.
// `console` gets progress and notes; null: nobody is told.
absl::StatusOr<replays::ViewResult> WriteViewFile(const ViewRequest& request,
                                                  const std::string& path,
                                                  Console* console);

// How many ticks before and behind a difference are shown: two seconds.
sim::Tick TicksAroundDifference(const replays::ReplayReader& replay);

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_REPORTS_VIEW_FILE_H_
