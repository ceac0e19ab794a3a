// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Recordings of the tiny simulation, for tests to read, verify and damage.

#ifndef REPRISE_REPLAYS_TESTING_TINY_RECORDING_H_
#define REPRISE_REPLAYS_TESTING_TINY_RECORDING_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "replays/container/byte_stream.h"
#include "replays/format/input_source.h"
#include "replays/format/replay_reader.h"
#include "replays/format/replay_writer.h"
#include "replays/testing/injecting_simulation.h"
#include "replays/testing/tiny_simulation.h"
#include "sim/base/tick.h"
#include "sim/input/input_frame.h"
#include "sim/pack_archive.h"
#include "sim/simulation.h"

namespace reprise::replays {

struct TinyRecordingOptions {
  sim::Tick tick_count = 100;
  uint64_t seed = 7;
  double goal = 100.0;  // where the runner wins [m]
  // Small strides, so that a short run has some of everything.
  ReplayWriterOptions writer = {
      .digest_stride = 10, .keyframe_stride = 40, .batch_ticks = 20};
  bool is_finished = true;
  // Nobody plays: no inputs at all.
  bool is_idle = false;
  // The pack takes every input, and the player gives it.
  bool has_every_input = false;
  std::optional<Injection> injection = std::nullopt;
};

// The tiny simulation of `pack` at tick 0.
std::unique_ptr<sim::Simulation> MakeTiny(
    uint64_t seed = 7, const sim::PackArchive& pack = MakeTinyPack());

// A player who never rests: steers on and off, drifts, teleports; the same
// inputs for the same seed, on any number of ticks. One with every input now
// and then gives something of each kind there is.
class RestlessInputs final : public InputSource {
 public:
  explicit RestlessInputs(std::optional<sim::Tick> tick_count = std::nullopt,
                          bool has_every_input = false)
      : tick_count_(tick_count), has_every_input_(has_every_input) {}

  absl::StatusOr<std::span<const sim::InputFrame>> FramesAt(
      sim::Tick tick) override;
  std::optional<sim::Tick> tick_count() const override { return tick_count_; }

 private:
  const std::optional<sim::Tick> tick_count_;
  const bool has_every_input_;
  std::vector<sim::InputFrame> frames_;
};

// The file of a recorded run.
Bytes RecordTiny(const TinyRecordingOptions& options = {});

// Opens `file`, which must remain live while the reader is in use.
absl::StatusOr<std::unique_ptr<ReplayReader>> OpenReplay(
    std::span<const std::byte> file);

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_TESTING_TINY_RECORDING_H_
