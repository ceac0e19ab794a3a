// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/testing/golden_replay.h"

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "fmt/format.h"
#include "replays/container/byte_file.h"
#include "replays/recording/replay_text.h"
#include "replays/recording/resumed_recording.h"
#include "replays/testing/tiny_recording.h"
#include "sim/base/check.h"
#include "sim/base/digest.h"

namespace reprise::replays {

Bytes RecordGolden() {
  // The states of the parent take several messages, those behind it one.
  const Bytes parent = RecordTiny({.tick_count = 130,
                                   .writer = {.digest_stride = 10,
                                              .keyframe_stride = 40,
                                              .batch_ticks = 20,
                                              .state_part_bytes = 100},
                                   .has_every_input = true});
  const std::unique_ptr<ReplayReader> replay = *OpenReplay(parent);
  Bytes file;
  const std::unique_ptr<ResumedRecording> branch = *ResumedRecording::Branch(
      *replay, "parent.mcap", 85, std::make_unique<MemorySink>(&file));
  RestlessInputs inputs(std::nullopt, /*has_every_input=*/true);
  while (branch->simulation().tick() < 250) {
    // Other inputs than the parent's.
    const auto frames = inputs.FramesAt(branch->simulation().tick() + 2);
    CHECK(branch->recorder().Step(*frames).ok());
  }
  CHECK(branch->recorder().Finish().ok());
  return file;
}

absl::StatusOr<std::string> PrintGolden(const ReplayReader& replay) {
  ReplayTextPrinter printer(&replay, {.has_digests = true, .has_events = true});
  std::string text = printer.Head() + FormatTrackLength(replay.tick_count());
  const absl::StatusOr<std::vector<ReplayBranch>> branches =
      replay.ReadBranches();
  if (!branches.ok()) return branches.status();
  for (const ReplayBranch& branch : *branches) {
    text += fmt::format("# branch of {} at tick {}, chain {}\n", branch.parent,
                        branch.tick, sim::FormatDigest(branch.chain));
  }
  const auto keyframes = replay.ReadKeyframes();
  while (true) {
    const absl::StatusOr<std::optional<ReplayKeyframe>> keyframe =
        keyframes->Next();
    if (!keyframe.ok()) return keyframe.status();
    if (!keyframe->has_value()) break;
    text += fmt::format("# keyframe of tick {}: {} bytes, digest {}\n",
                        (*keyframe)->tick, (*keyframe)->state.size(),
                        sim::FormatDigest(sim::DigestOf(
                            std::as_bytes(std::span((*keyframe)->state)))));
  }
  while (true) {
    const absl::StatusOr<std::optional<std::string>> batch =
        printer.NextBatch();
    if (!batch.ok()) return batch.status();
    if (!batch->has_value()) break;
    text += **batch;
  }
  if (replay.is_complete()) {
    text += fmt::format("# end: tick {}, digest {} chain {}\n",
                        replay.end()->tick_count,
                        sim::FormatDigest(replay.end()->root),
                        sim::FormatDigest(replay.end()->chain));
  }
  if (replay.event_count().has_value()) {
    text += fmt::format("# {} events\n", *replay.event_count());
  }
  return text;
}

}  // namespace reprise::replays
