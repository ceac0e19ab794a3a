// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Plays a replay: creates its simulation and brings it to any tick, from the
// nearest keyframe on.

#ifndef REPRISE_REPLAYS_REPLAY_PLAYER_H_
#define REPRISE_REPLAYS_REPLAY_PLAYER_H_

#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "replays/input_source.h"
#include "replays/replay_reader.h"
#include "sim/base/state.h"
#include "sim/base/tick.h"
#include "sim/pack_archive.h"
#include "sim/simulation.h"

namespace reprise::replays {

// The simulation that `replay` needs, at tick 0, of the pack inside it or, if
// not null, of `pack`. NOT_FOUND: this program has no such simulation;
// INVALID_ARGUMENT: it refuses the pack; DATA_LOSS: the pack inside is damaged.
absl::StatusOr<std::unique_ptr<sim::Simulation>> CreateRecordedSimulation(
    const ReplayReader& replay, const sim::PackArchive* pack = nullptr);

// Used by one thread at a time.
class ReplayPlayer {
 public:
  // At tick 0. `replay` must remain live while this player is in use. Errors as
  // above.
  static absl::StatusOr<std::unique_ptr<ReplayPlayer>> Create(
      const ReplayReader* replay);

  sim::Simulation& simulation() { return *simulation_; }

  // Makes the tick that is due with its recorded inputs. `observer` may be
  // null. OUT_OF_RANGE at the end of the replay, DATA_LOSS where it is damaged
  // or holds inputs that its pack refuses; the simulation is then as it was.
  absl::Status Step(sim::PhaseObserver* observer = nullptr);

  // Goes to `tick`, forward or back, over at most one keyframe interval's worth
  // of steps. Errors as above; the simulation is then at some other tick.
  absl::Status SeekTo(sim::Tick tick);

 private:
  ReplayPlayer(const ReplayReader* replay,
               std::unique_ptr<sim::Simulation> simulation);

  // Restores the last keyframe at or before `tick`, or else tick 0.
  absl::Status JumpTowards(sim::Tick tick);

  const ReplayReader& replay_;
  std::unique_ptr<sim::Simulation> simulation_;
  const sim::State start_;  // state(0), for files without keyframes
  std::unique_ptr<InputSource> inputs_;
};

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_REPLAY_PLAYER_H_
