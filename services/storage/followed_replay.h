// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A replay that is played tick by tick, from anywhere, also while it is being
// recorded: then it goes on as far as its file has come.

#ifndef REPRISE_SERVICES_STORAGE_FOLLOWED_REPLAY_H_
#define REPRISE_SERVICES_STORAGE_FOLLOWED_REPLAY_H_

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "replays/container/byte_stream.h"
#include "replays/format/input_source.h"
#include "replays/format/replay_reader.h"
#include "replays/recording/resumed_recording.h"
#include "sim/base/tick.h"
#include "sim/input/input_frame.h"
#include "sim/simulation.h"
#include "sim/state/state.h"

namespace reprise::services {

// Used by one thread at a time.
class FollowedReplay {
 public:
  // Opens its file as it is now; errors are the store's.
  using OpenFile =
      std::function<absl::StatusOr<std::unique_ptr<replays::ByteSource>>()>;

  // Whether it is still being recorded.
  using IsUnfinished = std::function<bool()>;

  // Reads by `reader`, of what `open` returned.
  FollowedReplay(std::string replay_id, OpenFile open,
                 IsUnfinished is_unfinished,
                 std::unique_ptr<replays::ReplayReader> reader)
      : replay_id_(std::move(replay_id)),
        open_(std::move(open)),
        is_unfinished_(std::move(is_unfinished)),
        reader_(std::move(reader)) {}

  const std::string& replay_id() const { return replay_id_; }
  const replays::ReplayReader& reader() const { return *reader_; }
  // How many ticks it had when it was looked at last.
  sim::Tick tick_count() const { return reader_->tick_count(); }

  // Whether it may get more ticks. Where it couldn't before FramesAt had none,
  // none come.
  bool is_growing() const {
    return !reader_->is_complete() && is_unfinished_();
  }

  // What the players gave at `tick`; nullopt: it has no such tick, or not yet.
  // The span lives until the next call. DATA_LOSS: it is damaged there. Errors
  // of OpenFile, where it isn't complete and is looked at again.
  absl::StatusOr<std::optional<std::span<const sim::InputFrame>>> FramesAt(
      sim::Tick tick);

  // Puts `simulation`, which is of the replay's pack and at any tick, to
  // `tick`, over a keyframe interval of steps at most. `start` is its state at
  // tick 0, where that is known. False: only another simulation can get there.
  // OUT_OF_RANGE: the replay ends before. CANCELLED. Others: errors of
  // RestoreKeyframe and StepRecordedTick. After an error the simulation is at
  // some tick.
  absl::StatusOr<bool> SeekTo(sim::Tick tick,
                              const std::optional<sim::State>& start,
                              sim::Simulation& simulation,
                              replays::IsCancelled is_cancelled);

 private:
  // Takes over what has come to a file that isn't complete, if anything has.
  absl::Status LookAgain();

  const std::string replay_id_;
  const OpenFile open_;
  const IsUnfinished is_unfinished_;
  const std::unique_ptr<replays::ReplayReader> reader_;
  // From which the next tick is read, behind the last one.
  std::unique_ptr<replays::InputSource> inputs_;
  std::optional<sim::Tick> last_tick_;
};

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_STORAGE_FOLLOWED_REPLAY_H_
