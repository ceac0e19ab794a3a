// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that nothing in a file goes unread: each byte of a replay is flipped
// in turn, and each topic is given a record that breaks a rule.

#include "replays/format/whole_replay.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "replays/container/byte_stream.h"
#include "replays/format/replay_reader.h"
#include "replays/format/replay_topics.h"
#include "replays/testing/edited_replay.h"
#include "replays/testing/tiny_recording.h"
#include "reprise/v1/event_batch.pb.h"

namespace reprise::replays {
namespace {

absl::Status Check(const Bytes& file) {
  const absl::StatusOr<std::unique_ptr<ReplayReader>> replay = OpenReplay(file);
  if (!replay.ok()) return replay.status();
  return CheckWholeReplay(**replay, [] { return absl::OkStatus(); }).status();
}

TEST(WholeReplayTest, RecordingsAreWholeFinishedOrCutOff) {
  EXPECT_TRUE(Check(RecordTiny()).ok());
  EXPECT_TRUE(Check(RecordTiny({.is_finished = false})).ok());
  EXPECT_TRUE(Check(RecordTiny({.tick_count = 0})).ok());
}

TEST(WholeReplayTest, EachFlippedByteIsFoundOrTold) {
  const Bytes right = RecordTiny({.tick_count = 45});
  for (size_t place = 0; place < right.size(); ++place) {
    Bytes file = right;
    file[place] ^= std::byte{4};
    const absl::StatusOr<std::unique_ptr<ReplayReader>> replay =
        OpenReplay(file);
    if (!replay.ok()) continue;
    const bool is_told = (*replay)->file().recovery().has_value();
    EXPECT_TRUE(is_told || !Check(file).ok()) << place;
  }
}

TEST(WholeReplayTest, WhatNoRunNeedsIsReadAllTheSame) {
  int batches = 0;
  const Bytes file = EditReplay(
      RecordTiny(),
      [&batches](std::string_view topic,
                 const std::string& data) -> std::optional<std::string> {
        if (topic != kEventsTopic) return data;
        ++batches;
        v1::EventBatch batch;
        EXPECT_TRUE(batch.ParseFromString(data));
        batch.mutable_events(0)->set_tick(1'000'000);
        return batch.SerializeAsString();
      });
  ASSERT_GT(batches, 0);

  const absl::Status status = Check(file);

  EXPECT_TRUE(absl::IsDataLoss(status)) << status;
  EXPECT_NE(status.message().find("/events, message 0"), std::string::npos)
      << status;
}

TEST(WholeReplayTest, EndThatCountsOtherEventsIsTold) {
  const Bytes right = RecordTiny({.tick_count = 120});
  const Bytes wrong = EditReplay(right, Without(kEventsTopic));
  const Bytes old =
      EditReplay(right, Without(kEventsTopic), {{"format_revision", "4"}});
  const Bytes cut_off =
      EditReplay(RecordTiny({.tick_count = 120, .is_finished = false}),
                 Without(kEventsTopic));
  const auto find = [](const Bytes& file) {
    const std::unique_ptr<ReplayReader> replay = *OpenReplay(file);
    return FindWrongEventCount(
        *replay, *CheckWholeReplay(*replay, [] { return absl::OkStatus(); }));
  };

  EXPECT_EQ(find(right), std::nullopt);
  EXPECT_EQ(find(wrong), "the end counts 1 events, and there are 0");
  EXPECT_EQ(find(old), std::nullopt);
  EXPECT_EQ(find(cut_off), std::nullopt);
}

TEST(WholeReplayTest, ErrorOfTheCallerEndsTheReading) {
  const std::unique_ptr<ReplayReader> replay = *OpenReplay(RecordTiny());

  const absl::Status status = CheckWholeReplay(*replay, [] {
                                return absl::CancelledError("no longer wanted");
                              }).status();

  EXPECT_TRUE(absl::IsCancelled(status)) << status;
}

// Each may be large: a slow disk isn't taken for a run that hangs.
TEST(WholeReplayTest, EachKeyframeIsTold) {
  const auto count_calls = [](uint64_t stride) {
    const Bytes file = RecordTiny(
        {.tick_count = 200,
         .writer = {.keyframe_stride = stride, .keyframe_bytes_per_tick = 0}});
    const std::unique_ptr<ReplayReader> replay = *OpenReplay(file);
    int calls = 0;
    const auto count = [&calls] {
      ++calls;
      return absl::OkStatus();
    };
    EXPECT_TRUE(CheckWholeReplay(*replay, count).ok());
    return calls;
  };
  EXPECT_GE(count_calls(10) - count_calls(100), 18);
}

}  // namespace
}  // namespace reprise::replays
