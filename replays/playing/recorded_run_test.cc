// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves what a recording shows as a simulation, and that states that it can't
// have had are refused: those of keyframes that somebody made up.

#include "replays/playing/recorded_run.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gtest/gtest.h"
#include "replays/container/byte_stream.h"
#include "replays/format/replay_reader.h"
#include "replays/playing/replay_player.h"
#include "replays/testing/forged_replay.h"
#include "replays/testing/tiny_recording.h"
#include "sim/base/field.h"
#include "sim/base/row_schema.h"
#include "sim/base/state.h"
#include "sim/base/state_codec.h"

namespace reprise::replays {
namespace {

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
