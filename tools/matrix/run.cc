// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/matrix/run.h"

#include <string>
#include <utility>

#include "fmt/format.h"
#include "replays/format/replay_writer.h"
#include "replays/playing/pack_folder.h"
#include "replays/playing/replay_player.h"
#include "replays/recording/recorder.h"
#include "sim/compiler/manifest.h"
#include "sim/simulation_registry.h"

namespace reprise::tools {
namespace {

absl::StatusOr<std::unique_ptr<sim::Simulation>> CreateFromPack(
    const sim::PackArchive& pack, uint64_t seed) {
  const absl::StatusOr<std::string> name = sim::SimulationOf(pack);
  if (!name.ok()) return name.status();
  return sim::CreateSimulation(*name, pack, seed);
}

absl::Status WithTick(const absl::Status& status, sim::Tick tick) {
  return absl::Status(
      status.code(),
      fmt::format("tick {}: {}", tick, std::string(status.message())));
}

}  // namespace

absl::StatusOr<std::unique_ptr<Run>> Run::Open(
    const RunSpecification& specification) {
  std::unique_ptr<Run> run(new Run());
  absl::Status status = run->Load(specification);
  if (status.ok() && specification.from.has_value()) {
    status = run->GoToKeyframe(*specification.from);
  }
  if (status.ok()) status = run->SelectInputs(specification);
  if (status.ok()) status = run->SeatBots(specification);
  if (status.ok()) status = run->InjectIfDue();
  if (!status.ok()) return status;
  return run;
}

absl::Status Run::Load(const RunSpecification& specification) {
  // A folder can't be read as a file, and is no replay either.
  const absl::StatusOr<bool> is_replay = IsReplay(specification.source);
  const bool has_pack_inside = is_replay.ok() && *is_replay;
  if (has_pack_inside && !specification.inputs.empty()) {
    return absl::InvalidArgumentError(
        "a replay brings its inputs along; other inputs need a pack");
  }
  const std::string& inputs =
      has_pack_inside ? specification.source : specification.inputs;
  if (!inputs.empty()) {
    absl::StatusOr<InputFile> file = InputFile::Open(inputs);
    if (!file.ok()) return file.status();
    input_file_ = *std::move(file);
  }

  absl::StatusOr<sim::PackArchive> pack =
      has_pack_inside ? replay()->ReadPack()
                      : replays::ReadPackFolder(specification.source);
  if (!pack.ok()) return pack.status();
  pack_ = *std::move(pack);
  const uint64_t recorded_seed =
      replay() == nullptr ? 0 : replay()->metadata().seed;
  absl::StatusOr<std::unique_ptr<sim::Simulation>> simulation =
      CreateFromPack(pack_, specification.seed.value_or(recorded_seed));
  if (!simulation.ok()) return simulation.status();
  simulation_ = *std::move(simulation);
  return absl::OkStatus();
}

const replays::ReplayReader* Run::replay() const {
  return input_file_.has_value() ? input_file_->replay() : nullptr;
}

absl::Status Run::GoToKeyframe(sim::Tick tick) {
  if (replay() == nullptr) {
    return absl::InvalidArgumentError("--from needs a replay with keyframes");
  }
  const absl::StatusOr<std::optional<replays::ReplayKeyframe>> keyframe =
      replay()->FindKeyframe(tick);
  if (!keyframe.ok()) return keyframe.status();
  if (!keyframe->has_value() || (*keyframe)->tick != tick) {
    return absl::NotFoundError(fmt::format("no keyframe of tick {}", tick));
  }
  return replays::RestoreKeyframe(**keyframe, *simulation_);
}

absl::Status Run::SelectInputs(const RunSpecification& specification) {
  if (specification.random_inputs.has_value() && input_file_.has_value()) {
    return absl::InvalidArgumentError(
        "inputs come from a file or are random, not both");
  }
  if (specification.random_inputs.has_value()) {
    inputs_ = MakeRandomInputs(simulation_->info().inputs,
                               *specification.random_inputs);
  } else if (replay() != nullptr) {
    inputs_ = replay()->ReadInputs(simulation_->tick());
  } else if (input_file_.has_value()) {
    inputs_ = input_file_->Read();
  } else {
    inputs_ = std::make_unique<replays::IdleInputSource>();
  }
  const std::optional<sim::Tick> tick_count =
      specification.tick_count.has_value() ? specification.tick_count
                                           : inputs_->tick_count();
  if (!tick_count.has_value()) {
    return absl::InvalidArgumentError(
        "--ticks has to say how long a run without a file of inputs is");
  }
  if (*tick_count < simulation_->tick()) {
    return absl::InvalidArgumentError(fmt::format(
        "a run from tick {} ends at {}", simulation_->tick(), *tick_count));
  }
  tick_count_ = *tick_count;
  injection_ = specification.injection;
  return absl::OkStatus();
}

absl::Status Run::SeatBots(const RunSpecification& specification) {
  if (!specification.bots.is_set()) return absl::OkStatus();
  if (specification.random_inputs.has_value() || input_file_.has_value()) {
    return absl::InvalidArgumentError(
        "bots play instead of other inputs, from tick 0 on: what they remember "
        "is in no replay");
  }
  absl::StatusOr<std::unique_ptr<sim::BotPlayers>> bots =
      tools::SeatBots(*simulation_, specification.bots, {}, "");
  if (!bots.ok()) return bots.status();
  bots_ = *std::move(bots);
  return absl::OkStatus();
}

absl::StatusOr<std::span<const sim::InputFrame>> Run::FramesDue() {
  const sim::Tick tick = simulation_->tick();
  absl::StatusOr<std::span<const sim::InputFrame>> frames =
      inputs_->FramesAt(tick);
  if (bots_ != nullptr) {
    bot_frames_ = bots_->Decide(*simulation_);
    bots_->DrainLog();
    frames = std::span<const sim::InputFrame>(bot_frames_);
  }
  if (!frames.ok()) return WithTick(frames.status(), tick);
  const absl::Status status = simulation_->Validate(*frames);
  if (!status.ok()) return WithTick(status, tick);
  return frames;
}

void Run::Tell(std::span<const sim::Event> events) {
  if (bots_ != nullptr) bots_->Hear(events);
}

absl::Status Run::Step() {
  const absl::StatusOr<std::span<const sim::InputFrame>> frames = FramesDue();
  if (!frames.ok()) return frames.status();
  simulation_->Step(*frames, /*observer=*/nullptr);
  Tell(simulation_->DrainEvents());
  return InjectIfDue();
}

absl::Status Run::Record(const std::set<sim::Tick>& keyframes,
                         std::unique_ptr<replays::ByteSink> sink) {
  if (injection_.has_value() || simulation_->tick() > 0) {
    return absl::InvalidArgumentError(
        "what is recorded begins at tick 0, and nothing is changed in it");
  }
  if (!keyframes.empty() && *keyframes.rbegin() > tick_count_) {
    return absl::InvalidArgumentError(
        fmt::format("a keyframe of tick {} in a run of {} ticks",
                    *keyframes.rbegin(), tick_count_));
  }
  const absl::StatusOr<std::unique_ptr<replays::ReplayWriter>> writer =
      replays::ReplayWriter::Create(std::move(sink), *simulation_, pack_,
                                    {.keyframe_stride = 0});
  if (!writer.ok()) return writer.status();
  replays::Recorder recorder(simulation_.get(), writer->get());
  while (true) {
    if (keyframes.contains(simulation_->tick())) {
      const absl::Status status =
          (*writer)->AddKeyframe(simulation_->state(), recorder.chain());
      if (!status.ok()) return status;
    }
    if (simulation_->tick() == tick_count_) return recorder.Finish();
    const absl::StatusOr<std::span<const sim::InputFrame>> frames = FramesDue();
    if (!frames.ok()) return frames.status();
    const absl::Status status = recorder.Step(*frames);
    if (!status.ok()) return status;
    Tell(recorder.DrainEvents());
  }
}

absl::Status Run::InjectIfDue() {
  if (!injection_.has_value() || injection_->tick != simulation_->tick()) {
    return absl::OkStatus();
  }
  return Inject(*injection_, *simulation_);
}

}  // namespace reprise::tools
