// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/replay_player.h"

#include <optional>
#include <span>
#include <string>
#include <utility>

#include "fmt/format.h"
#include "sim/base/state_codec.h"
#include "sim/simulation_registry.h"

namespace reprise::replays {

absl::StatusOr<std::unique_ptr<sim::Simulation>> CreateRecordedSimulation(
    const ReplayReader& replay, const sim::PackArchive* pack) {
  const ReplayMetadata& metadata = replay.metadata();
  if (pack != nullptr) {
    return sim::CreateSimulation(metadata.simulation, *pack, metadata.seed);
  }
  const absl::StatusOr<sim::PackArchive> recorded = replay.ReadPack();
  if (!recorded.ok()) return recorded.status();
  return sim::CreateSimulation(metadata.simulation, *recorded, metadata.seed);
}

absl::StatusOr<std::unique_ptr<ReplayPlayer>> ReplayPlayer::Create(
    const ReplayReader* replay) {
  absl::StatusOr<std::unique_ptr<sim::Simulation>> simulation =
      CreateRecordedSimulation(*replay);
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
  const sim::Tick tick = simulation_->tick();
  if (tick >= replay_.tick_count()) {
    return absl::OutOfRangeError(
        fmt::format("the replay ends at tick {}", replay_.tick_count()));
  }
  const absl::StatusOr<std::span<const sim::InputFrame>> frames =
      inputs_->FramesAt(tick);
  if (!frames.ok()) return frames.status();
  const absl::Status status = simulation_->Validate(*frames);
  if (!status.ok()) {
    return absl::DataLossError(fmt::format("the recorded inputs of tick {}: {}",
                                           tick,
                                           std::string(status.message())));
  }
  simulation_->Step(*frames, observer);
  return absl::OkStatus();
}

absl::Status ReplayPlayer::SeekTo(sim::Tick tick) {
  if (tick > replay_.tick_count()) {
    return absl::OutOfRangeError(fmt::format(
        "tick {}; the replay ends at tick {}", tick, replay_.tick_count()));
  }
  const uint64_t stride = replay_.metadata().keyframe_stride;
  const sim::Tick now = simulation_->tick();
  if (tick < now || (stride != 0 && tick - now > stride)) {
    absl::Status status = JumpTowards(tick);
    if (!status.ok()) return status;
  }
  while (simulation_->tick() < tick) {
    absl::Status status = Step();
    if (!status.ok()) return status;
    // Nobody listens to what happened on the way.
    simulation_->DrainEvents();
  }
  return absl::OkStatus();
}

absl::Status ReplayPlayer::JumpTowards(sim::Tick tick) {
  const absl::StatusOr<std::optional<ReplayKeyframe>> keyframe =
      replay_.FindKeyframe(tick);
  if (!keyframe.ok()) return keyframe.status();
  if (!keyframe->has_value()) {
    inputs_ = replay_.ReadInputs();
    return simulation_->Restore(start_);
  }
  const auto place = [&](const absl::Status& status) {
    return absl::Status(
        status.code(),
        fmt::format("the keyframe of tick {}: {}", (*keyframe)->tick,
                    std::string(status.message())));
  };
  const absl::StatusOr<sim::State> state = sim::DecodeState(
      std::as_bytes(std::span((*keyframe)->state)), simulation_->state());
  if (!state.ok()) return place(state.status());
  absl::Status status = simulation_->Restore(*state);
  if (!status.ok()) return place(status);
  if (simulation_->tick() != (*keyframe)->tick) {
    return place(absl::DataLossError(
        fmt::format("its state is of tick {}", simulation_->tick())));
  }
  inputs_ = replay_.ReadInputs((*keyframe)->tick);
  return absl::OkStatus();
}

}  // namespace reprise::replays
