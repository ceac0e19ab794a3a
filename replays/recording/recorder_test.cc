// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that recording changes nothing of a run, that only changes are kept,
// and that inputs which the pack refuses leave no trace.

#include "replays/recording/recorder.h"

#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "replays/container/byte_file.h"
#include "replays/testing/replay_contents.h"
#include "replays/testing/tiny_recording.h"
#include "replays/testing/tiny_simulation.h"

namespace reprise::replays {
namespace {

sim::InputFrame Steer(int16_t value) {
  sim::InputFrame frame;
  frame.device.axes[0] = value;
  return frame;
}

class RecorderTest : public ::testing::Test {
 protected:
  RecorderTest()
      : pack_(MakeTinyPack()),
        simulation_(MakeTiny(7, pack_)),
        writer_(*ReplayWriter::Create(std::make_unique<MemorySink>(&file_),
                                      *simulation_, pack_, {})),
        recorder_(simulation_.get(), writer_.get()) {}

  absl::Status Step(std::vector<sim::InputFrame> frames = {}) {
    return recorder_.Step(frames);
  }

  ReplayContents Finish() {
    EXPECT_TRUE(recorder_.Finish().ok());
    return *ReadContents(**OpenReplay(file_));
  }

  const sim::PackArchive pack_;
  const std::unique_ptr<sim::Simulation> simulation_;
  Bytes file_;
  const std::unique_ptr<ReplayWriter> writer_;
  Recorder recorder_;
};

TEST_F(RecorderTest, RunIsTheOneThatNobodyRecords) {
  const std::unique_ptr<sim::Simulation> unrecorded = MakeTiny(7, pack_);
  for (int i = 0; i < 50; ++i) {
    ASSERT_TRUE(Step({Steer(100)}).ok());
    unrecorded->Step(std::vector{Steer(100)}, nullptr);
  }

  EXPECT_EQ(simulation_->state().ComputeRootDigest(),
            unrecorded->state().ComputeRootDigest());
}

TEST_F(RecorderTest, FrameThatRepeatsWhatIsHeldIsNotKept) {
  ASSERT_TRUE(Step({Steer(100)}).ok());
  ASSERT_TRUE(Step({Steer(100)}).ok());
  ASSERT_TRUE(Step({Steer(200)}).ok());

  const ReplayContents contents = Finish();

  ASSERT_EQ(contents.inputs.size(), 2u);
  EXPECT_EQ(contents.inputs[1].tick, 2u);
}

TEST_F(RecorderTest, FirstFrameAtRestIsNotKept) {
  ASSERT_TRUE(Step({Steer(0)}).ok());

  EXPECT_TRUE(Finish().inputs.empty());
}

TEST_F(RecorderTest, CommandIsKeptEvenIfTheDeviceIsHeld) {
  sim::InputFrame frame;
  frame.commands = {{.name = sim::IdOf("teleport"), .arguments = {5}}};
  ASSERT_TRUE(Step({frame}).ok());
  ASSERT_TRUE(Step({frame}).ok());

  EXPECT_EQ(Finish().inputs.size(), 2u);
}

TEST_F(RecorderTest, RefusedInputsAreNeitherSteppedNorRecorded) {
  sim::InputFrame frame = Steer(100);
  frame.player = 1;

  const absl::Status status = Step({frame});

  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(simulation_->tick(), 0u);
  EXPECT_TRUE(recorder_.recording_status().ok());
  EXPECT_EQ(Finish().tick_count, 0u);
}

TEST_F(RecorderTest, RefusedFrameDoesNotCountAsHeld) {
  sim::InputFrame unknown;
  unknown.player = 1;
  ASSERT_FALSE(Step({Steer(100), unknown}).ok());
  ASSERT_TRUE(Step({Steer(100)}).ok());

  EXPECT_EQ(Finish().inputs.size(), 1u);
}

TEST_F(RecorderTest, EventsAreRecordedAndHandedOn) {
  for (int i = 0; i < 200; ++i) ASSERT_TRUE(Step().ok());

  EXPECT_EQ(recorder_.DrainEvents().size(), 2u);
  EXPECT_TRUE(recorder_.DrainEvents().empty());
  EXPECT_EQ(Finish().events.size(), 2u);
}

TEST_F(RecorderTest, EndIsTheStateThatTheRunArrivedAt) {
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(Step({Steer(100)}).ok());
  const ReplayEnd expected = {.tick_count = 3,
                              .outcome = simulation_->outcome(),
                              .root = simulation_->state().ComputeRootDigest(),
                              .chain = recorder_.chain()};

  EXPECT_EQ(Finish().end, expected);
}

TEST_F(RecorderTest, ChainCoversEveryTickAndNotOnlyTheRecordedOnes) {
  const std::unique_ptr<sim::Simulation> again = MakeTiny(7, pack_);
  sim::Digest chain = sim::ExtendChain({}, again->state().ComputeRootDigest());
  for (int i = 0; i < 5; ++i) {
    ASSERT_TRUE(Step({Steer(100)}).ok());
    again->Step(std::vector{Steer(100)}, nullptr);
    chain = sim::ExtendChain(chain, again->state().ComputeRootDigest());
  }

  EXPECT_EQ(recorder_.chain(), chain);
}

}  // namespace
}  // namespace reprise::replays
