// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/testing/tiny_recording.h"

#include <utility>

#include "replays/container/byte_file.h"
#include "replays/recording/recorder.h"
#include "replays/testing/tiny_simulation.h"
#include "sim/base/check.h"
#include "sim/base/id.h"
#include "sim/input/testing_grammar.h"

namespace reprise::replays {

std::unique_ptr<sim::Simulation> MakeTiny(uint64_t seed,
                                          const sim::PackArchive& pack) {
  absl::StatusOr<std::unique_ptr<sim::Simulation>> simulation =
      TinySimulation::Create(pack, seed);
  CHECK(simulation.ok());
  return *std::move(simulation);
}

absl::StatusOr<std::span<const sim::InputFrame>> RestlessInputs::FramesAt(
    sim::Tick tick) {
  frames_.clear();
  sim::InputFrame frame;
  if (tick % 7 == 3) {
    frame.device.axes[0] = static_cast<int16_t>(tick % 2 == 0 ? 32767 : -1000);
    frame.device.buttons = tick % 3 == 0 ? 1 : 0;
    if (tick % 5 == 0) {
      frame.commands = {{.name = sim::IdOf("teleport"),
                         .arguments = {static_cast<int64_t>(tick % 1000)}}};
    }
    frames_.push_back(frame);
  } else if (has_every_input_ && tick % 21 == 13) {
    frames_.push_back(sim::EveryInputFrame());
  }
  return std::span<const sim::InputFrame>(frames_);
}

Bytes RecordTiny(const TinyRecordingOptions& options) {
  const sim::PackArchive pack =
      MakeTinyPack(/*step=*/0.1, options.goal, options.has_every_input);
  std::unique_ptr<sim::Simulation> simulation = MakeTiny(options.seed, pack);
  if (options.injection.has_value()) {
    simulation = std::make_unique<InjectingSimulation>(std::move(simulation),
                                                       *options.injection);
  }
  Bytes file;
  absl::StatusOr<std::unique_ptr<ReplayWriter>> writer = ReplayWriter::Create(
      std::make_unique<MemorySink>(&file), *simulation, pack, options.writer);
  CHECK(writer.ok());
  Recorder recorder(simulation.get(), writer->get());
  RestlessInputs inputs(std::nullopt, options.has_every_input);
  for (sim::Tick tick = 0; tick < options.tick_count; ++tick) {
    const absl::StatusOr<std::span<const sim::InputFrame>> frames =
        inputs.FramesAt(tick);
    CHECK(recorder
              .Step(options.is_idle ? std::span<const sim::InputFrame>()
                                    : *frames)
              .ok());
  }
  if (options.is_finished) CHECK(recorder.Finish().ok());
  return file;
}

absl::StatusOr<std::unique_ptr<ReplayReader>> OpenReplay(
    std::span<const std::byte> file) {
  return ReplayReader::Open(std::make_unique<MemorySource>(file));
}

}  // namespace reprise::replays
