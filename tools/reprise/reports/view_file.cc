// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/reports/view_file.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "replays/showing/frame_stream.h"
#include "tools/reprise/inputs/replay_file.h"
#include "tools/reprise/reports/output_file.h"

namespace reprise::tools {
namespace {

using replays::FrameStream;

absl::StatusOr<std::unique_ptr<FrameStream>> OpenStream(
    const ViewRequest& request, const ViewRequest::Run& run) {
  const sim::Tick end = run.replay->tick_count();
  return FrameStream::Open(run.replay,
                           {.first = request.first,
                            .last = std::min(request.last.value_or(end), end),
                            .every = request.every,
                            .keeps_events = true,
                            .objects = request.objects,
                            .pack = run.pack});
}

absl::StatusOr<replays::ViewResult> WritePage(const ViewRequest& request,
                                              const std::string& path,
                                              Console* console) {
  std::vector<std::unique_ptr<FrameStream>> streams;
  std::vector<replays::ViewedRun> runs;
  uint64_t frame_count = 0;
  for (const ViewRequest::Run& run : request.runs) {
    absl::StatusOr<std::unique_ptr<FrameStream>> stream =
        OpenStream(request, run);
    if (!stream.ok()) return stream.status();
    if (console != nullptr) {
      NoteOtherPack(run.name, *run.replay, (*stream)->simulation(), *console);
    }
    frame_count += (*stream)->frame_count();
    runs.push_back({run.name, run.replay, stream->get()});
    streams.push_back(*std::move(stream));
  }
  OutputFile file(path);
  // Nobody waits for frames that have nowhere to go.
  if (!file.out()) return file.Finish();
  std::optional<ProgressBar> progress;
  if (console != nullptr) progress.emplace(*console, "showing", frame_count);
  absl::StatusOr<replays::ViewResult> result = replays::WriteViewPage(
      runs, request.page,
      [&](uint64_t frames) {
        if (progress) progress->Update(frames);
      },
      file.out());
  if (!result.ok()) return result;
  const absl::Status status = file.Finish();
  if (!status.ok()) return status;
  const bool is_empty = std::ranges::all_of(
      streams, [](const auto& stream) { return stream->objects().empty(); });
  if (is_empty && console != nullptr) {
    console->Note("the simulation shows no objects: there is nothing to see");
  }
  return result;
}

}  // namespace

absl::StatusOr<replays::ViewResult> WriteViewFile(const ViewRequest& request,
                                                  const std::string& path,
                                                  Console* console) {
  for (const ViewRequest::Run& run : request.runs) {
    std::error_code ignored;  // A file that isn't there yet is another one.
    if (std::filesystem::equivalent(run.name, path, ignored)) {
      return absl::InvalidArgumentError(
          fmt::format("{} would overwrite the replay", path));
    }
  }
  return WritePage(request, path, console);
}

sim::Tick TicksAroundDifference(const replays::ReplayReader& replay) {
  return 2 * sim::Tick{replay.metadata().tick_rate.ticks_per_second};
}

}  // namespace reprise::tools
