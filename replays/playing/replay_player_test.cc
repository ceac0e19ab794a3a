// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that a player arrives at the states that were recorded, whichever way
// it takes: every tick is compared with the same run played from its beginning.

#include "replays/playing/replay_player.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "replays/container/mcap_records.h"
#include "replays/format/replay_reader.h"
#include "replays/format/replay_topics.h"
#include "replays/testing/forged_replay.h"
#include "replays/testing/tiny_recording.h"
#include "replays/testing/tiny_simulation.h"
#include "reprise/v1/input_batch.pb.h"
#include "reprise/v1/keyframe.pb.h"
#include "sim/base/digest.h"
#include "sim/base/tick.h"

namespace reprise::replays {
namespace {

using ::testing::HasSubstr;

constexpr sim::Tick kTicks = 100;

class ReplayPlayerTest : public ::testing::Test {
 protected:
  // The digests of all ticks, played from the beginning.
  static std::vector<sim::Digest> PlayAll(const ReplayReader& replay) {
    const std::unique_ptr<ReplayPlayer> player = *ReplayPlayer::Create(&replay);
    std::vector<sim::Digest> digests = {DigestOf(*player)};
    while (player->Step().ok()) digests.push_back(DigestOf(*player));
    return digests;
  }

  static sim::Digest DigestOf(ReplayPlayer& player) {
    return player.simulation().state().ComputeRootDigest();
  }

  void ExpectSeeksArrive(const Bytes& file) {
    const std::unique_ptr<ReplayReader> replay = *OpenReplay(file);
    const std::vector<sim::Digest> expected = PlayAll(*replay);
    ASSERT_EQ(expected.size(), kTicks + 1);
    const std::unique_ptr<ReplayPlayer> player =
        *ReplayPlayer::Create(replay.get());
    // 37 and 101 share no divisor: every tick, back and forth.
    for (sim::Tick i = 0; i <= kTicks; ++i) {
      const sim::Tick tick = i * 37 % (kTicks + 1);
      ASSERT_TRUE(player->SeekTo(tick).ok()) << tick;
      ASSERT_EQ(player->simulation().tick(), tick);
      ASSERT_EQ(DigestOf(*player), expected[tick]) << tick;
    }
  }
};

TEST_F(ReplayPlayerTest, SeeksToEveryTickByKeyframes) {
  ExpectSeeksArrive(RecordTiny({.tick_count = kTicks}));
}

TEST_F(ReplayPlayerTest, SeeksToEveryTickWithoutKeyframes) {
  ExpectSeeksArrive(
      RecordTiny({.tick_count = kTicks, .writer = {.keyframe_stride = 0}}));
}

TEST_F(ReplayPlayerTest, SeeksToEveryTickByThinnedKeyframes) {
  ExpectSeeksArrive(RecordTiny(
      {.tick_count = kTicks,
       .writer = {.keyframe_stride = 10, .keyframe_bytes_per_tick = 10}}));
}

TEST_F(ReplayPlayerTest, GoesBackwardsTickByTickToTheStart) {
  const Bytes file =
      RecordTiny({.tick_count = 700, .writer = {.keyframe_stride = 300}});
  const std::unique_ptr<ReplayReader> replay = *OpenReplay(file);
  const std::vector<sim::Digest> expected = PlayAll(*replay);
  const std::unique_ptr<ReplayPlayer> player =
      *ReplayPlayer::Create(replay.get());

  for (sim::Tick tick = 700; tick-- > 0;) {
    ASSERT_TRUE(player->SeekTo(tick).ok()) << tick;
    ASSERT_EQ(DigestOf(*player), expected[tick]) << tick;
  }
}

TEST_F(ReplayPlayerTest, PlaysReplaysWithoutTheirPackOnOneThatIsGiven) {
  const Bytes file = RecordTiny({.writer = {.pack_bytes_max = 1}});
  const std::unique_ptr<ReplayReader> replay = *OpenReplay(file);
  const sim::PackArchive pack = MakeTinyPack();

  EXPECT_EQ(ReplayPlayer::Create(replay.get()).status().code(),
            absl::StatusCode::kNotFound);
  const std::unique_ptr<ReplayPlayer> player =
      *ReplayPlayer::Create(replay.get(), &pack);
  ASSERT_TRUE(player->SeekTo(100).ok());
  EXPECT_EQ(DigestOf(*player), replay->end()->root);
}

// Keyframes are of the recorded pack; on another one they would mix two games.
TEST_F(ReplayPlayerTest, SeeksOnAnotherPackToWhereItsStepsLead) {
  const Bytes file = RecordTiny({.tick_count = kTicks});
  const std::unique_ptr<ReplayReader> replay = *OpenReplay(file);
  ASSERT_TRUE((*replay->FindKeyframe(kTicks)).has_value());
  const sim::PackArchive pack = MakeTinyPack(/*step=*/0.2);
  const std::unique_ptr<ReplayPlayer> stepped =
      *ReplayPlayer::Create(replay.get(), &pack);
  while (stepped->Step().ok()) continue;

  const std::unique_ptr<ReplayPlayer> player =
      *ReplayPlayer::Create(replay.get(), &pack);
  for (const sim::Tick tick : {kTicks, sim::Tick{0}, kTicks}) {
    ASSERT_TRUE(player->SeekTo(tick).ok());
  }

  EXPECT_EQ(DigestOf(*player), DigestOf(*stepped));
  EXPECT_NE(DigestOf(*player), replay->end()->root);
}

// Whatever lies before, a seek starts at the last keyframe: here all chunks
// before can't be read.
TEST_F(ReplayPlayerTest, SeekReadsNothingBeforeTheLastKeyframe) {
  Bytes file = RecordTiny({.tick_count = kTicks});
  const std::vector<sim::Digest> expected = PlayAll(**OpenReplay(file));
  const std::vector<McapChunkIndex> chunks = [&file] {
    const std::unique_ptr<ReplayReader> replay = *OpenReplay(file);
    const auto found = replay->file().Chunks();
    return std::vector<McapChunkIndex>(found->begin(), found->end());
  }();
  // The keyframe of tick 80 stands behind the batch that begins at tick 60.
  const uint64_t time_ns = sim::LogTimeNs(60, sim::TickRate{60});
  for (const McapChunkIndex& chunk : chunks) {
    if (chunk.message_start_time_ns >= time_ns) break;
    file[chunk.chunk_start_offset + chunk.chunk_length - 1] ^= std::byte{1};
  }
  const std::unique_ptr<ReplayReader> replay = *OpenReplay(file);
  for (sim::Tick tick = 80; tick <= kTicks; ++tick) {
    const std::unique_ptr<ReplayPlayer> player =
        *ReplayPlayer::Create(replay.get());
    ASSERT_EQ(player->SeekTo(tick), absl::OkStatus()) << tick;
    EXPECT_EQ(DigestOf(*player), expected[tick]) << tick;
  }
  EXPECT_EQ((*ReplayPlayer::Create(replay.get()))->SeekTo(79).code(),
            absl::StatusCode::kDataLoss);
}

TEST_F(ReplayPlayerTest, StepPastTheEndIsOutOfRange) {
  const Bytes file = RecordTiny({.tick_count = 3});
  const std::unique_ptr<ReplayReader> replay = *OpenReplay(file);
  const std::unique_ptr<ReplayPlayer> player =
      *ReplayPlayer::Create(replay.get());
  ASSERT_TRUE(player->SeekTo(3).ok());

  EXPECT_EQ(player->Step().code(), absl::StatusCode::kOutOfRange);
  EXPECT_EQ(player->SeekTo(4).code(), absl::StatusCode::kOutOfRange);
}

TEST_F(ReplayPlayerTest, UnknownSimulationIsNotFoundByItsName) {
  const Bytes file = ForgedReplay("simulation", "chess").Finish();
  const std::unique_ptr<ReplayReader> replay = *OpenReplay(file);

  const absl::Status status = ReplayPlayer::Create(replay.get()).status();

  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(status.message()), HasSubstr("chess"));
}

TEST_F(ReplayPlayerTest, InputsThatThePackRefusesAreDataLoss) {
  v1::InputBatch batch;
  batch.set_tick_count(10);
  v1::TickInputs& tick = *batch.add_ticks();
  tick.set_tick(4);
  tick.add_frames()->set_player(5);
  const Bytes file = ForgedReplay().Add(kInputsTopic, 0, batch).Finish();
  const std::unique_ptr<ReplayReader> replay = *OpenReplay(file);
  const std::unique_ptr<ReplayPlayer> player =
      *ReplayPlayer::Create(replay.get());

  const absl::Status status = player->SeekTo(10);

  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
  EXPECT_EQ(player->simulation().tick(), 4u);
}

TEST_F(ReplayPlayerTest, DamagedKeyframeIsDataLossByItsTick) {
  v1::InputBatch inputs;
  inputs.set_tick_count(10);
  v1::Keyframe keyframe;
  keyframe.set_tick(5);
  keyframe.set_state("no state");
  const Bytes file = ForgedReplay("keyframe_stride", "5")
                         .Add(kInputsTopic, 0, inputs)
                         .Add(kKeyframesTopic, 5, keyframe)
                         .Finish();
  const std::unique_ptr<ReplayReader> replay = *OpenReplay(file);
  const std::unique_ptr<ReplayPlayer> player =
      *ReplayPlayer::Create(replay.get());

  const absl::Status status = player->SeekTo(9);

  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(std::string(status.message()), HasSubstr("keyframe of tick 5"));
}

}  // namespace
}  // namespace reprise::replays
