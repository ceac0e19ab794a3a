// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Plays a replay: creates its simulation and brings it to any tick, forward or
// back, from the nearest state that is known.

#ifndef REPRISE_REPLAYS_PLAYING_REPLAY_PLAYER_H_
#define REPRISE_REPLAYS_PLAYING_REPLAY_PLAYER_H_

#include <cstddef>
#include <map>
#include <memory>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "replays/format/input_source.h"
#include "replays/format/replay_reader.h"
#include "sim/base/tick.h"
#include "sim/pack_archive.h"
#include "sim/simulation.h"
#include "sim/state/state.h"

namespace reprise::replays {

// The simulation that `replay` needs, at tick 0, of the pack inside it or, if
// not null, of `pack`. NOT_FOUND: this program has no such simulation;
// INVALID_ARGUMENT: it refuses the pack; DATA_LOSS: the pack inside is damaged.
absl::StatusOr<std::unique_ptr<sim::Simulation>> CreateRecordedSimulation(
    const ReplayReader& replay, const sim::PackArchive* pack = nullptr);

// Puts `simulation`, which is of the replay's pack, into the state of a
// keyframe, carried over by name (CarryKeyframe) where it was recorded with
// other tables. DATA_LOSS: damaged, or not of the tick it says;
// FAILED_PRECONDITION: of other tables, and not all of it is found in those of
// `simulation`, or that can't go on from what is. Both name the tick, and
// nothing changes.
absl::Status RestoreKeyframe(const ReplayKeyframe& keyframe,
                             sim::Simulation& simulation);

// Makes the tick that is due with its recorded inputs. DATA_LOSS where they are
// damaged or the simulation refuses them; it is then as it was.
absl::Status StepRecordedTick(InputSource& inputs, sim::Simulation& simulation,
                              sim::PhaseObserver* observer);

// Whether the simulation is of the pack that the replay was recorded on, so
// that its keyframes and digests say what the states have to be.
bool PlaysRecordedPack(const ReplayReader& replay,
                       const sim::Simulation& simulation);

// Used by one thread at a time.
class ReplayPlayer {
 public:
  // While it plays, the player keeps a snapshot every so many ticks, and the
  // nearest so many of these, so that going back a little costs little. They
  // share what didn't change in between.
  static constexpr sim::Tick kSnapshotStride = 30;
  static constexpr size_t kSnapshotsMax = 32;

  // At tick 0. `replay` must remain live while this player is in use, and so
  // must `pack`, which may be null, until this returns. Errors as above.
  static absl::StatusOr<std::unique_ptr<ReplayPlayer>> Create(
      const ReplayReader* replay, const sim::PackArchive* pack = nullptr);

  sim::Simulation& simulation() { return *simulation_; }

  // Makes the tick that is due with its recorded inputs. `observer` may be
  // null. OUT_OF_RANGE at the end of the replay, DATA_LOSS where it is damaged
  // or holds inputs that its pack refuses; the simulation is then as it was.
  absl::Status Step(sim::PhaseObserver* observer = nullptr);

  // Goes to `tick`, forward or back, over at most one keyframe interval's worth
  // of steps, and mostly over less than kSnapshotStride when it was near
  // before. On another pack, whose states nobody recorded, from tick 0 on where
  // it wasn't near; so too where the file says that the keyframe is of tables
  // which it can't be carried over from. Errors as above, and
  // RestoreKeyframe's; the simulation is then at some other tick.
  // `on_step` is called after each step; its error ends the way.
  using OnStep = absl::FunctionRef<absl::Status()>;
  absl::Status SeekTo(
      sim::Tick tick, OnStep on_step = [] { return absl::OkStatus(); });

  // Why the last keyframe that lay nearest wasn't taken; empty where none was
  // refused.
  const std::string& keyframe_refusal() const { return keyframe_refusal_; }

 private:
  ReplayPlayer(const ReplayReader* replay,
               std::unique_ptr<sim::Simulation> simulation);

  // So many steps and fewer are made, not jumped over.
  sim::Tick worthwhile_jump() const;

  // Restores the latest state known at or before `tick`, where that saves
  // steps.
  absl::Status JumpTowards(sim::Tick tick);
  absl::Status JumpTo(const sim::State& snapshot);
  void KeepSnapshot();

  const ReplayReader& replay_;
  std::unique_ptr<sim::Simulation> simulation_;
  const sim::State start_;  // state(0), for files without keyframes
  std::map<sim::Tick, sim::State> snapshots_;
  std::unique_ptr<InputSource> inputs_;
  std::string keyframe_refusal_;
};

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_PLAYING_REPLAY_PLAYER_H_
