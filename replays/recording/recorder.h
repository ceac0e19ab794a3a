// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Steps a simulation and records it. The recording changes nothing of the run,
// and holds all that is needed to repeat and to verify it.

#ifndef REPRISE_REPLAYS_RECORDING_RECORDER_H_
#define REPRISE_REPLAYS_RECORDING_RECORDER_H_

#include <span>
#include <vector>

#include "absl/status/status.h"
#include "replays/format/replay_writer.h"
#include "sim/base/digest.h"
#include "sim/event.h"
#include "sim/input/input_frame.h"
#include "sim/simulation.h"

namespace reprise::replays {

// What a recorder that takes over has to know of the ticks before.
struct RecordedPast {
  std::vector<sim::DeviceState>
      held;           // by player: the device of the last frame
  sim::Digest chain;  // up to and with the state as it is
};

// Used by one thread at a time.
class Recorder {
 public:
  // Records tick 0. Both must remain live while this recorder is in use, and
  // nothing else may step the simulation meanwhile. REQUIRES: both are at tick
  // 0.
  Recorder(sim::Simulation* simulation, ReplayWriter* writer);

  // Goes on with a recording. REQUIRES: both are at the same tick, from 1 on;
  // `past` is of that run, with one device a player.
  Recorder(sim::Simulation* simulation, ReplayWriter* writer,
           RecordedPast past);

  // Validates `frames`, makes one tick with them and records it. Frames that
  // repeat what the player holds, without activity and commands, are not
  // recorded.
  //
  // What Validate refuses (INVALID_ARGUMENT, RESOURCE_EXHAUSTED) is neither
  // stepped nor recorded. Any other error is recording_status(): the
  // recording has broken off, and nothing was stepped unless it broke in this
  // very tick. `observer`, which may be null, looks at the tick's phases.
  absl::Status Step(std::span<const sim::InputFrame> frames,
                    sim::PhaseObserver* observer = nullptr);

  // The events since the last call, oldest first. All of them have been
  // recorded.
  std::vector<sim::Event> DrainEvents();

  // Makes what was recorded so far outlive the process.
  absl::Status Flush();
  // The same where that costs the file nothing it needs later.
  absl::Status FlushEarly();

  // Completes the file. No Step may follow.
  absl::Status Finish();

  // OK while the recording is whole; otherwise the first error of the writer.
  const absl::Status& recording_status() const { return recording_status_; }

  // The digest of the state as it is, and the chain up to and with it.
  sim::Digest root() const { return root_; }
  sim::Digest chain() const { return chain_; }

 private:
  // Digests the state as it is and records it.
  void RecordState();

  sim::Simulation& simulation_;
  ReplayWriter& writer_;
  absl::Status recording_status_;
  sim::Digest root_;
  sim::Digest chain_;
  std::vector<sim::DeviceState> held_;  // by player
  std::vector<sim::Event> events_;
  // Of one step; kept for its memory.
  std::vector<sim::InputFrame> changed_;
};

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_RECORDING_RECORDER_H_
