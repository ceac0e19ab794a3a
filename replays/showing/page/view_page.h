// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// One HTML file that plays a run, or two side by side, in any browser with
// WebGL 2, without a network.

#ifndef REPRISE_REPLAYS_SHOWING_PAGE_VIEW_PAGE_H_
#define REPRISE_REPLAYS_SHOWING_PAGE_VIEW_PAGE_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "replays/format/replay_reader.h"
#include "replays/showing/frame_stream.h"
#include "replays/showing/recorded_fields.h"
#include "sim/base/tick.h"

namespace reprise::replays {

struct ViewedRun {
  std::string name;  // of its file
  const ReplayReader* replay = nullptr;
  FrameStream* stream = nullptr;  // of that, before its first frame
};

struct ViewOptions {
  RecordedFieldsOptions fields;
  // Contacts, joints, triggers, regions, paths and spaces.
  bool has_layers = true;
};

// Where two runs part.
struct ViewDifference {
  sim::Tick tick = 0;              // the first frame whose states differ
  std::vector<std::string> lines;  // the first fields, A | B
};

struct ViewResult {
  uint64_t frame_count = 0;  // of all runs together
  // Events of all runs together, and those that no timeline marks.
  uint64_t event_count = 0;
  uint64_t unmarked_event_count = 0;
  // How often an expression had no answer, and why the first time.
  uint64_t problem_count = 0;
  std::string first_problem;
  // The same of answers that are no finite numbers.
  uint64_t not_finite_count = 0;
  std::string first_not_finite;
  std::optional<ViewDifference> difference;
};

// Plays the runs, one or two, frame by frame side by side, and writes the page
// as they go on: of the poses, chunks are all that is kept in memory. Two have
// the same stride and begin at the same tick. `progress` may be null. Errors
// are those of FrameStream::Next, of RecordedFields and of inputs. What can't
// be written sets the state of `out`.
absl::StatusOr<ViewResult> WriteViewPage(
    std::span<const ViewedRun> runs, const ViewOptions& options,
    const std::function<void(uint64_t frames)>& progress, std::ostream& out);

// The program of the page, and how it looks: what `viewer/` has.
std::string_view ViewerScript();
std::string_view ViewerStyle();

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_SHOWING_PAGE_VIEW_PAGE_H_
