// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves what a recording shows as a simulation, that going back costs what
// lies there and not the whole run, and that states that it can't have had are
// refused: those of keyframes that somebody made up.

#include "replays/playing/recorded_run.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gtest/gtest.h"
#include "replays/container/byte_file.h"
#include "replays/container/byte_stream.h"
#include "replays/format/replay_reader.h"
#include "replays/playing/replay_player.h"
#include "replays/testing/forged_replay.h"
#include "replays/testing/tiny_recording.h"
#include "sim/base/field.h"
#include "sim/base/tick.h"
#include "sim/event.h"
#include "sim/simulation.h"
#include "sim/state/row_schema.h"
#include "sim/state/state.h"
#include "sim/state/state_codec.h"

namespace reprise::replays {
namespace {

// Counts what is read of a file, and refuses to read it where it is told to.
class WatchedSource final : public ByteSource {
 public:
  struct Watch {
    uint64_t bytes_read = 0;
    bool is_broken = false;
  };

  WatchedSource(std::span<const std::byte> bytes, Watch* watch)
      : memory_(bytes), watch_(*watch) {}

  uint64_t size() const override { return memory_.size(); }
  absl::Status ReadAt(uint64_t offset,
                      std::span<std::byte> target) const override {
    if (watch_.is_broken) return absl::DataLossError("broken");
    watch_.bytes_read += target.size();
    return memory_.ReadAt(offset, target);
  }

 private:
  const MemorySource memory_;
  Watch& watch_;
};

// A recording of many chunks, each with events in it.
class LongRecordedRunTest : public testing::Test {
 protected:
  static constexpr sim::Tick kTickCount = 20'000;

  LongRecordedRunTest()
      : file_(RecordTiny({.tick_count = kTickCount})),
        replay_(*ReplayReader::Open(
            std::make_unique<WatchedSource>(file_, &watch_))),
        run_(*RecordedRun::Create(replay_.get())) {}

  // The events of the tick that is stepped.
  std::vector<sim::Event> Step(sim::Simulation& run) {
    run.Step({}, nullptr);
    EXPECT_EQ(run.status(), absl::OkStatus());
    return run.DrainEvents();
  }

  void StepTo(sim::Tick tick) {
    while (run_->tick() < tick) Step(*run_);
  }

  WatchedSource::Watch watch_;
  const Bytes file_;
  const std::unique_ptr<ReplayReader> replay_;
  const std::unique_ptr<RecordedRun> run_;
};

TEST_F(LongRecordedRunTest, GoingBackReadsWhatLiesThere) {
  const sim::State start = run_->state();
  StepTo(kTickCount - 500);
  const sim::State late = run_->state();
  for (const sim::State* state : {&start, &late, &start}) {
    watch_.bytes_read = 0;
    ASSERT_EQ(run_->Restore(*state), absl::OkStatus());
    EXPECT_LT(watch_.bytes_read, file_.size() / 50);
    watch_.bytes_read = 0;
    EXPECT_NE(run_->Fork(), nullptr);
    EXPECT_LT(watch_.bytes_read, file_.size() / 50);
  }
}

TEST_F(LongRecordedRunTest, StatesAndEventsAreTheSameWheneverOneGoesBack) {
  std::vector<sim::State> states = {run_->state()};
  std::vector<std::vector<sim::Event>> events;
  size_t event_count = 0;
  while (run_->tick() < 300) {
    events.push_back(Step(*run_));
    event_count += events.back().size();
    states.push_back(run_->state());
  }
  ASSERT_GT(event_count, 0u);
  for (size_t tick = 300; tick-- > 0;) {
    ASSERT_EQ(run_->Restore(states[tick]), absl::OkStatus());
    const auto fork = run_->Fork();
    for (sim::Simulation* run :
         {static_cast<sim::Simulation*>(run_.get()), fork.get()}) {
      EXPECT_EQ(Step(*run), events[tick]) << tick;
      EXPECT_EQ(run->state().ComputeRootDigest(),
                states[tick + 1].ComputeRootDigest())
          << tick;
    }
  }
}

TEST_F(LongRecordedRunTest, WhereItCantBeReadItStaysWhereItIs) {
  const sim::State start = run_->state();
  StepTo(1000);
  const sim::State before = run_->state();
  watch_.is_broken = true;

  EXPECT_EQ(run_->Restore(start).code(), absl::StatusCode::kDataLoss);

  EXPECT_EQ(run_->tick(), 1000u);
  EXPECT_EQ(run_->state().ComputeRootDigest(), before.ComputeRootDigest());
  while (run_->status().ok()) run_->Step({}, nullptr);
  EXPECT_EQ(run_->status().code(), absl::StatusCode::kDataLoss);
  watch_.is_broken = false;
  EXPECT_EQ(run_->Restore(before), absl::OkStatus());
  EXPECT_EQ(run_->status(), absl::OkStatus());
}

class RecordedRunTest : public testing::Test {
 protected:
  RecordedRunTest()
      : file_(RecordTiny()),
        replay_(*OpenReplay(file_)),
        run_(*RecordedRun::Create(replay_.get())) {}

  // A keyframe of this state, as a file says it.
  absl::Status RestoreKeyframeOf(const sim::State& state) {
    return RestoreKeyframe({.tick = 0,
                            .chain = {},
                            .state = sim::EncodeState(state),
                            .shape = std::make_shared<const sim::State>(state)},
                           *run_);
  }

  static absl::Status CreateWithRooms(const std::string& rooms) {
    const Bytes file = ForgedReplay("rooms", rooms).Finish();
    const std::unique_ptr<ReplayReader> replay = *OpenReplay(file);
    return RecordedRun::Create(replay.get()).status();
  }

  const Bytes file_;
  const std::unique_ptr<ReplayReader> replay_;
  const std::unique_ptr<RecordedRun> run_;
};

TEST_F(RecordedRunTest, GoesBackToAStateThatItHad) {
  const sim::State start = run_->state();
  run_->Step({}, nullptr);

  ASSERT_TRUE(run_->Restore(start).ok());

  EXPECT_EQ(run_->tick(), 0u);
  EXPECT_EQ(run_->state().ComputeRootDigest(), start.ComputeRootDigest());
}

TEST_F(RecordedRunTest, StateWithAnotherNumberOfRowsIsRefused) {
  run_->Step({}, nullptr);
  const sim::State before = run_->state();
  for (uint32_t table = 0; table < before.table_count(); ++table) {
    for (const uint32_t rows : {0U, 2U}) {
      sim::State other = before;
      other.mutable_table({table}).Resize(rows);
      EXPECT_EQ(run_->Restore(other).code(),
                absl::StatusCode::kFailedPrecondition);
    }
  }
  EXPECT_EQ(run_->tick(), 1u);
  EXPECT_EQ(run_->state().ComputeRootDigest(), before.ComputeRootDigest());
}

TEST_F(RecordedRunTest, KeyframeOfItsTablesWithoutRowsIsRefused) {
  sim::State empty = run_->state();
  for (uint32_t table = 0; table < empty.table_count(); ++table) {
    empty.mutable_table({table}).Resize(0);
  }
  EXPECT_EQ(RestoreKeyframeOf(empty).code(),
            absl::StatusCode::kFailedPrecondition);
}

TEST_F(RecordedRunTest, KeyframeOfOtherTablesIsRefused) {
  sim::State foreign;
  foreign.AddTable(
      "a", std::make_shared<const sim::RowSchema>(
               "a", 0,
               std::vector<sim::Field>{{.name = "b",
                                        .unit = "",
                                        .scalar = sim::ScalarType::kUint64,
                                        .shape = sim::FieldShape::kScalar,
                                        .count = 1,
                                        .offset = 0}}));
  EXPECT_EQ(RestoreKeyframeOf(foreign).code(),
            absl::StatusCode::kFailedPrecondition);
}

TEST_F(RecordedRunTest, RoomsMayHaveAnyNamesButTwiceTheSame) {
  EXPECT_EQ(CreateWithRooms("recorded,recorded_"), absl::OkStatus());
  EXPECT_EQ(CreateWithRooms("a,b,a").code(), absl::StatusCode::kDataLoss);
}

}  // namespace
}  // namespace reprise::replays
