// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Plays a replay and hands out what there is to see of it, frame by frame: the
// one source of everything that is exported.

#ifndef REPRISE_REPLAYS_SHOWING_FRAME_STREAM_H_
#define REPRISE_REPLAYS_SHOWING_FRAME_STREAM_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "replays/format/replay_reader.h"
#include "replays/playing/replay_player.h"
#include "replays/showing/frame_rate.h"
#include "replays/showing/shown_scene.h"
#include "sim/base/object_id.h"
#include "sim/base/tick.h"
#include "sim/event.h"
#include "sim/frame.h"
#include "sim/pack_archive.h"
#include "sim/simulation.h"

namespace reprise::replays {

struct FrameStreamOptions {
  sim::Tick first = 0;
  std::optional<sim::Tick> last;  // the replay's end if unset
  uint64_t every = 1;
  // Frames at a rate of their own, between those of `every`. The run knows
  // nothing of it.
  std::optional<FrameRate> rate = {};
  // From the last frame to the first: first + every, ... counted from the last.
  bool reverse = false;
  // Make each step between two frames and keep its events, where otherwise
  // keyframes may be jumped to. Not with `reverse`.
  bool keeps_events = false;
  // Only objects of which one of these is the name or the type; `*` stands for
  // any characters. All if empty.
  std::vector<std::string> objects = {};
  // Play the inputs on this pack, and not on the one inside; must remain live
  // until Open returns.
  const sim::PackArchive* pack = nullptr;
};

// Used by one thread at a time.
class FrameStream {
 public:
  // Before the first frame. `replay` must remain live while this stream is in
  // use. INVALID_ARGUMENT: the replay doesn't have these ticks, or `every` is
  // 0. Other errors are those of CreateRecordedSimulation and of reading.
  static absl::StatusOr<std::unique_ptr<FrameStream>> Open(
      const ReplayReader* replay, const FrameStreamOptions& options);

  const ShownSource& source() const { return source_; }
  uint64_t frame_count() const;

  // The tick of frame `index`; of one between two, the later one on the way.
  // REQUIRES: index < frame_count().
  sim::Tick TickOf(uint64_t index) const;

  // Goes to the next frame; false behind the last. Errors are those of
  // ReplayPlayer::SeekTo; DATA_LOSS: a pose that is no number.
  absl::StatusOr<bool> Next();

  // Since Next was true: the frame, and all objects that were in it or in one
  // before. Those from `first_new_object` on weren't there before.
  const ShownFrame& frame() const { return frame_; }
  std::span<const ShownObject> objects() const { return objects_; }
  size_t first_new_object() const { return first_new_object_; }

  // Whether an object is among the chosen ones.
  bool IsChosen(std::string_view name, std::string_view type) const;

  // The index of an object as it looked last; nullopt of one that no frame had.
  std::optional<uint32_t> IndexOf(sim::ObjectId object) const;

  // What shapes refer to.
  const std::vector<sim::FrameMesh>& meshes() const { return meshes_; }

  // At the tick of the frame; its names are those of the events.
  const sim::Simulation& simulation() const { return player_->simulation(); }

  // Why a keyframe on the way wasn't taken; empty where none was refused.
  const std::string& keyframe_refusal() const {
    return player_->keyframe_refusal();
  }

 private:
  FrameStream(const FrameStreamOptions& options, ShownSource source,
              std::unique_ptr<ReplayPlayer> player);

  // Of the frames at `every`.
  uint64_t stride_count() const;
  sim::Tick StrideTick(uint64_t index) const;

  absl::Status GoTo(sim::Tick tick);
  absl::Status Visit(uint64_t index);
  absl::Status GoToPlace(const FrameSchedule::Place& place);
  void TakeEvents(bool is_between);
  absl::Status Show(std::vector<sim::FrameObject> objects);
  uint32_t ShownIndexOf(sim::FrameObject& object);

  const FrameStreamOptions options_;
  const ShownSource source_;
  const std::unique_ptr<ReplayPlayer> player_;
  const std::vector<sim::FrameMesh> meshes_;
  const std::optional<FrameSchedule> schedule_;  // of the rate, if any
  uint64_t next_ = 0;
  ShownFrame frame_;
  // The last frame at `every` that was produced, and the one before it.
  std::optional<uint64_t> visited_;
  std::vector<sim::FrameObject> there_;
  std::vector<sim::FrameObject> there_before_;
  std::vector<sim::Event> events_;  // that no frame has told yet
  std::vector<ShownObject> objects_;
  size_t first_new_object_ = 0;
  // By serial, as it looked last.
  std::map<uint64_t, uint32_t> index_of_;
};

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_SHOWING_FRAME_STREAM_H_
