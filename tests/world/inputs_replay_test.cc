// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that a game of every kind of input is recorded, verified and restored
// like any other: the replay of random inputs has all of them and gives the
// same run, and a snapshot of any tick, encoded, goes on to the bit.

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "replays/container/byte_file.h"
#include "replays/format/replay_reader.h"
#include "replays/format/replay_writer.h"
#include "replays/playing/held_inputs.h"
#include "replays/recording/recorder.h"
#include "replays/tracks/input_track.h"
#include "replays/verifying/verifier.h"
#include "sim/compiler/testing_packs.h"
#include "sim/input/random_input_source.h"
#include "sim/state/state_codec.h"
#include "tests/world/testing_inputs.h"

namespace reprise::replays {
namespace {

constexpr sim::Tick kTicks = 400;

// Random inputs of every tick, kept.
InputTrack RandomTrack(const sim::InputGrammar& grammar) {
  InputTrack track{.pack = "test", .tick_count = kTicks};
  sim::RandomInputSource source(grammar, 5);
  for (sim::Tick tick = 0; tick < kTicks; ++tick) {
    track.ticks.push_back({.tick = tick, .frames = source.Next()});
  }
  return track;
}

class InputsReplayTest : public testing::Test {
 protected:
  const sim::PackArchive pack_ = sim::PackOf(sim::Manifest({sim::kEveryInput}));
  const std::unique_ptr<sim::Simulation> world_ = *sim::CreateWorld(pack_, 1);
  const InputTrack track_ = RandomTrack(world_->info().inputs);
};

TEST_F(InputsReplayTest, RecordingHoldsAllInputsAndIsVerified) {
  Bytes file;
  auto writer = ReplayWriter::Create(std::make_unique<MemorySink>(&file),
                                     *world_, pack_, {.keyframe_stride = 50});
  ASSERT_TRUE(writer.ok()) << writer.status();
  Recorder recorder(world_.get(), writer->get());
  for (const TickInputs& inputs : track_.ticks) {
    ASSERT_TRUE(recorder.Step(inputs.frames).ok());
  }
  ASSERT_TRUE(recorder.Finish().ok());

  const auto replay =
      ReplayReader::Open(std::make_unique<MemorySource>(std::span(file)));
  ASSERT_TRUE(replay.ok()) << replay.status();
  TrackInputSource given(&track_);
  EXPECT_EQ(*FindInputDifference(given, *(*replay)->ReadInputs(), kTicks),
            std::nullopt);
  const auto report = VerifyReplay(**replay, {.threads = 2});
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_TRUE(report->passed());
  EXPECT_EQ(report->ticks_verified, kTicks);
}

TEST_F(InputsReplayTest, TextOfTheTrackReadsBackToTheSame) {
  const std::string text = FormatInputTrack(track_, world_->info().inputs);
  const absl::StatusOr<InputTrack> again = ParseInputTrack(text, "track");
  ASSERT_TRUE(again.ok()) << again.status();
  TrackInputSource given(&track_);
  TrackInputSource read(&*again);
  EXPECT_EQ(*FindInputDifference(given, read, kTicks), std::nullopt);
}

TEST_F(InputsReplayTest, EncodedSnapshotOfEachTickGoesOnToTheBit) {
  const auto restored = *sim::CreateWorld(pack_, 1);
  for (const TickInputs& inputs : track_.ticks) {
    const std::string bytes = sim::EncodeState(world_->state());
    sim::State snapshot = restored->state();
    const auto decoded =
        sim::DecodeState(std::as_bytes(std::span(bytes)), snapshot);
    ASSERT_TRUE(decoded.ok()) << decoded.status();
    const absl::Status status = restored->Restore(*decoded);
    ASSERT_TRUE(status.ok()) << inputs.tick << ": " << status;
    world_->Step(inputs.frames, nullptr);
    restored->Step(inputs.frames, nullptr);
    ASSERT_EQ(restored->state().ComputeRootDigest(),
              world_->state().ComputeRootDigest())
        << inputs.tick;
  }
}

TEST_F(InputsReplayTest, FrameThatRepeatsTheDeviceIsNone) {
  const auto repeating = *sim::CreateWorld(pack_, 1);
  std::vector<sim::InputFrame> held(2);
  held[1].player = 1;
  for (const TickInputs& inputs : track_.ticks) {
    std::vector<sim::InputFrame> frames = held;
    for (const sim::InputFrame& frame : inputs.frames) {
      frames[frame.player] = frame;
      held[frame.player].device = frame.device;
    }
    world_->Step(inputs.frames, nullptr);
    repeating->Step(frames, nullptr);
    ASSERT_EQ(repeating->state().ComputeRootDigest(),
              world_->state().ComputeRootDigest())
        << inputs.tick;
  }
}

}  // namespace
}  // namespace reprise::replays
