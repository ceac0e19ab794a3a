// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/playing/replay_player.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "fmt/format.h"
#include "replays/format/keyframe_state.h"
#include "sim/simulation_registry.h"

namespace reprise::replays {

absl::StatusOr<std::unique_ptr<sim::Simulation>> CreateRecordedSimulation(
    const ReplayReader& replay, const sim::PackArchive* pack) {
  const ReplayMetadata& metadata = replay.metadata();
  if (pack != nullptr) {
    return sim::CreateSimulation(metadata.simulation, *pack, metadata.seed);
  }
  const absl::StatusOr<sim::PackArchive> recorded = replay.ReadPack();
  if (absl::IsNotFound(recorded.status())) {
    // Of a game that isn't here no pack would help.
    const std::vector<std::string> names = sim::SimulationNames();
    if (std::ranges::find(names, metadata.simulation) == names.end()) {
      return sim::CreateSimulation(metadata.simulation, sim::PackArchive(),
                                   metadata.seed);
    }
  }
  if (!recorded.ok()) return recorded.status();
  return sim::CreateSimulation(metadata.simulation, *recorded, metadata.seed);
}

absl::Status RestoreKeyframe(const ReplayKeyframe& keyframe,
                             sim::Simulation& simulation) {
  const auto place = [&](const absl::Status& status) {
    return absl::Status(
        status.code(), fmt::format("the keyframe of tick {}: {}", keyframe.tick,
                                   std::string(status.message())));
  };
  const absl::StatusOr<sim::State> state =
      CarryKeyframe(keyframe, simulation.state());
  if (!state.ok()) return place(state.status());
  const bool is_carried =
      keyframe.shape != nullptr && !keyframe.shape->CheckSameShape(*state).ok();
  const sim::State before = simulation.state();
  absl::Status status = simulation.Restore(*state);
  if (is_carried && absl::IsDataLoss(status)) {
    // Nothing is damaged: it lacks what only these tables have.
    return place(absl::FailedPreconditionError(
        fmt::format("it was recorded with other tables: {}",
                    std::string(status.message()))));
  }
  if (!status.ok()) return place(status);
  if (simulation.tick() == keyframe.tick) return absl::OkStatus();
  const sim::Tick tick = simulation.tick();
  status = simulation.Restore(before);
  if (!status.ok()) return status;
  return place(
      absl::DataLossError(fmt::format("its state is of tick {}", tick)));
}

absl::Status StepRecordedTick(InputSource& inputs, sim::Simulation& simulation,
                              sim::PhaseObserver* observer) {
  const sim::Tick tick = simulation.tick();
  const absl::StatusOr<std::span<const sim::InputFrame>> frames =
      inputs.FramesAt(tick);
  if (!frames.ok()) return frames.status();
  const absl::Status status = simulation.Validate(*frames);
  if (!status.ok()) {
    return absl::DataLossError(fmt::format("the recorded inputs of tick {}: {}",
                                           tick,
                                           std::string(status.message())));
  }
  simulation.Step(*frames, observer);
  return simulation.status();
}

bool PlaysRecordedPack(const ReplayReader& replay,
                       const sim::Simulation& simulation) {
  return simulation.info().IsOfPack(replay.metadata().pack_digest);
}

absl::StatusOr<std::unique_ptr<ReplayPlayer>> ReplayPlayer::Create(
    const ReplayReader* replay, const sim::PackArchive* pack) {
  absl::StatusOr<std::unique_ptr<sim::Simulation>> simulation =
      CreateRecordedSimulation(*replay, pack);
  if (!simulation.ok()) return simulation.status();
  return std::unique_ptr<ReplayPlayer>(
      new ReplayPlayer(replay, *std::move(simulation)));
}

ReplayPlayer::ReplayPlayer(const ReplayReader* replay,
                           std::unique_ptr<sim::Simulation> simulation)
    : replay_(*replay),
      simulation_(std::move(simulation)),
      start_(simulation_->state()),
      inputs_(replay->ReadInputs()) {}

absl::Status ReplayPlayer::Step(sim::PhaseObserver* observer) {
  if (simulation_->tick() >= replay_.tick_count()) {
    return absl::OutOfRangeError(
        fmt::format("the replay ends at tick {}", replay_.tick_count()));
  }
  absl::Status status = StepRecordedTick(*inputs_, *simulation_, observer);
  if (status.ok() && simulation_->tick() % kSnapshotStride == 0) KeepSnapshot();
  return replay_.file().Named(status);
}

absl::Status ReplayPlayer::SeekTo(sim::Tick tick, OnStep on_step) {
  if (tick > replay_.tick_count()) {
    return absl::OutOfRangeError(fmt::format(
        "tick {}; the replay ends at tick {}", tick, replay_.tick_count()));
  }
  const sim::Tick now = simulation_->tick();
  if (tick < now || tick - now > worthwhile_jump()) {
    absl::Status status = JumpTowards(tick);
    if (!status.ok()) return status;
  }
  while (simulation_->tick() < tick) {
    absl::Status status = Step();
    if (!status.ok()) return status;
    // Nobody listens to what happened on the way.
    simulation_->DrainEvents();
    status = on_step();
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

sim::Tick ReplayPlayer::worthwhile_jump() const {
  const uint64_t stride = replay_.metadata().keyframe_stride;
  return stride == 0 ? kSnapshotStride : std::min(stride, kSnapshotStride);
}

absl::Status ReplayPlayer::JumpTowards(sim::Tick tick) {
  const sim::Tick now = simulation_->tick();
  auto snapshot = snapshots_.upper_bound(tick);
  const bool has_snapshot = snapshot != snapshots_.begin();
  if (has_snapshot) --snapshot;
  // What can be had without reading the file.
  const sim::Tick nearest =
      std::max(has_snapshot ? snapshot->first : 0, now <= tick ? now : 0);
  if (tick - nearest > worthwhile_jump() &&
      PlaysRecordedPack(replay_, *simulation_)) {
    const absl::StatusOr<std::optional<ReplayKeyframe>> keyframe =
        replay_.FindKeyframe(tick);
    if (!keyframe.ok()) return keyframe.status();
    if (keyframe->has_value() && (*keyframe)->tick > nearest) {
      absl::Status status = RestoreKeyframe(**keyframe, *simulation_);
      // It is of other tables; old files can't say of which.
      const bool is_refused = absl::IsFailedPrecondition(status);
      if (!status.ok() && !is_refused) return replay_.file().Named(status);
      if (!is_refused) {
        inputs_ = replay_.ReadInputs(simulation_->tick());
        KeepSnapshot();
        return absl::OkStatus();
      }
      keyframe_refusal_ = std::string(status.message());
    }
  }
  if (now <= tick && now == nearest) return absl::OkStatus();
  return JumpTo(has_snapshot ? snapshot->second : start_);
}

absl::Status ReplayPlayer::JumpTo(const sim::State& snapshot) {
  absl::Status status = simulation_->Restore(snapshot);
  if (!status.ok()) return status;
  inputs_ = replay_.ReadInputs(simulation_->tick());
  return absl::OkStatus();
}

void ReplayPlayer::KeepSnapshot() {
  const sim::Tick tick = simulation_->tick();
  snapshots_.try_emplace(tick, simulation_->state());
  if (snapshots_.size() <= kSnapshotsMax) return;
  // The one farthest away is the least likely to be wanted next.
  const auto first = snapshots_.begin();
  const auto last = std::prev(snapshots_.end());
  snapshots_.erase(tick - first->first > last->first - tick ? first : last);
}

}  // namespace reprise::replays
