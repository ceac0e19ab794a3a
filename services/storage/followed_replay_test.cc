// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that who waits at the end of a file that is being recorded has it read
// again where it has grown, and only there: by files that count who reads them.

#include "services/storage/followed_replay.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gtest/gtest.h"
#include "replays/container/byte_file.h"
#include "replays/container/byte_stream.h"
#include "replays/format/replay_reader.h"
#include "replays/testing/tiny_recording.h"
#include "sim/base/tick.h"

namespace reprise::services {
namespace {

class CountedSource final : public replays::ByteSource {
 public:
  CountedSource(std::span<const std::byte> bytes, uint64_t* reads)
      : source_(bytes), reads_(*reads) {}

  uint64_t size() const override { return source_.size(); }
  absl::Status ReadAt(uint64_t offset,
                      std::span<std::byte> out) const override {
    ++reads_;
    return source_.ReadAt(offset, out);
  }

 private:
  const replays::MemorySource source_;
  uint64_t& reads_;
};

TEST(FollowedReplayTest, AFileIsReadAgainWhereItHasGrown) {
  const replays::Bytes unfinished = replays::RecordTiny({.is_finished = false});
  const replays::Bytes finished = replays::RecordTiny();
  ASSERT_LT(unfinished.size(), finished.size());
  std::span<const std::byte> file = unfinished;
  uint64_t reads = 0;
  auto reader = replays::OpenReplay(unfinished);
  ASSERT_TRUE(reader.ok()) << reader.status();
  FollowedReplay replay(
      "replay",
      [&]() -> absl::StatusOr<std::unique_ptr<replays::ByteSource>> {
        return std::make_unique<CountedSource>(file, &reads);
      },
      [&] { return file.size() == unfinished.size(); }, *std::move(reader));
  const sim::Tick end = replay.tick_count();

  for (int i = 0; i < 3; ++i) {
    const auto frames = replay.FramesAt(end);
    ASSERT_TRUE(frames.ok()) << frames.status();
    EXPECT_FALSE(frames->has_value());
  }
  EXPECT_EQ(reads, 0u);
  EXPECT_TRUE(replay.is_growing());

  file = finished;
  EXPECT_TRUE(replay.FramesAt(end).ok());
  EXPECT_GT(reads, 0u);
  EXPECT_TRUE(replay.reader().is_complete());
  EXPECT_FALSE(replay.is_growing());
  EXPECT_EQ(replay.tick_count(), 100u);
}

// As after a kill: nothing says that it is complete, and nobody writes it.
TEST(FollowedReplayTest, WhatWasCutOffDoesNotGrow) {
  const replays::Bytes cut_off = replays::RecordTiny({.is_finished = false});
  auto reader = replays::OpenReplay(cut_off);
  ASSERT_TRUE(reader.ok()) << reader.status();
  const FollowedReplay replay(
      "replay",
      [&]() -> absl::StatusOr<std::unique_ptr<replays::ByteSource>> {
        return std::make_unique<replays::MemorySource>(cut_off);
      },
      [] { return false; }, *std::move(reader));

  EXPECT_FALSE(replay.reader().is_complete());
  EXPECT_FALSE(replay.is_growing());
}

}  // namespace
}  // namespace reprise::services
