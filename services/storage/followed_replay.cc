// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/storage/followed_replay.h"

#include <utility>

#include "fmt/format.h"
#include "replays/container/mcap_reader.h"
#include "replays/playing/replay_player.h"
#include "services/base/status.h"

namespace reprise::services {

absl::Status FollowedReplay::LookAgain() {
  if (reader_->is_complete()) return absl::OkStatus();
  auto source = open_();
  if (!source.ok()) return source.status();
  // To read the end again costs more than to open it: only where there is more.
  if ((*source)->size() == reader_->file().source().size()) {
    return absl::OkStatus();
  }
  // Its cursors go on, but what was read of the end that was is theirs.
  inputs_ = nullptr;
  absl::Status extended = reader_->Extend(*std::move(source));
  return extended.ok() ? extended
                       : WithReason(std::move(extended), "REPLAY_DAMAGED");
}

absl::StatusOr<std::optional<std::span<const sim::InputFrame>>>
FollowedReplay::FramesAt(sim::Tick tick) {
  if (tick >= reader_->tick_count()) {
    if (absl::Status looked = LookAgain(); !looked.ok()) return looked;
    if (tick >= reader_->tick_count()) return std::nullopt;
  }
  if (inputs_ == nullptr || tick <= last_tick_) {
    inputs_ = reader_->ReadInputs(tick);
  }
  last_tick_ = tick;
  const auto frames = inputs_->FramesAt(tick);
  if (!frames.ok()) return WithReason(frames.status(), "REPLAY_DAMAGED");
  return std::optional(*frames);
}

absl::StatusOr<bool> FollowedReplay::SeekTo(
    sim::Tick tick, const std::optional<sim::State>& start,
    sim::Simulation& simulation, replays::IsCancelled is_cancelled) {
  if (tick > reader_->tick_count()) {
    if (absl::Status looked = LookAgain(); !looked.ok()) return looked;
  }
  if (tick > reader_->tick_count()) {
    return absl::OutOfRangeError(
        fmt::format("the replay has {} ticks; there is no tick {}",
                    reader_->tick_count(), tick));
  }
  auto keyframe = reader_->FindKeyframe(tick);
  if (!keyframe.ok()) return keyframe.status();
  absl::Status restored;
  if (keyframe->has_value()) {
    restored = replays::RestoreKeyframe(**keyframe, simulation);
  } else if (start.has_value()) {
    restored = simulation.Restore(*start);
  } else {
    return false;
  }
  if (!restored.ok()) return restored;
  const auto inputs = reader_->ReadInputs(simulation.tick());
  while (simulation.tick() < tick) {
    if (is_cancelled()) return absl::CancelledError("the caller has gone");
    if (absl::Status stepped = replays::StepRecordedTick(*inputs, simulation,
                                                         /*observer=*/nullptr);
        !stepped.ok()) {
      return stepped;
    }
  }
  // What happened on the way is nobody's to hear.
  simulation.DrainEvents();
  return true;
}

}  // namespace reprise::services
