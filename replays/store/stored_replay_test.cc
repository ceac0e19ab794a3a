// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that a description says what the file says, whatever way the run
// ended, and what is a tag.

#include "replays/store/stored_replay.h"

#include <string>

#include "gtest/gtest.h"
#include "replays/testing/tiny_recording.h"

namespace reprise::replays {
namespace {

TEST(StoredReplayTest, DescriptionIsTheFilesOwn) {
  const Bytes file = RecordTiny({.tick_count = 60, .seed = 9});
  const auto replay = *OpenReplay(file);
  const StoredReplay stored = DescribeReplay(*replay);
  EXPECT_EQ(stored.simulation, "tiny");
  EXPECT_EQ(stored.pack, replay->metadata().pack);
  EXPECT_EQ(stored.pack_digest, replay->metadata().pack_digest);
  EXPECT_EQ(stored.seed, 9u);
  EXPECT_EQ(stored.tick_count, 60u);
  EXPECT_EQ(stored.tick_rate, replay->metadata().tick_rate.ticks_per_second);
  EXPECT_EQ(stored.outcome, "running");
  EXPECT_EQ(stored.root, replay->end()->root);
  EXPECT_EQ(stored.build, CurrentBuild());
  EXPECT_EQ(stored.platform, CurrentPlatform());
}

TEST(StoredReplayTest, RecordingWithoutAnEndIsCutOff) {
  const Bytes file = RecordTiny({.tick_count = 60, .is_finished = false});
  const StoredReplay stored = DescribeReplay(**OpenReplay(file));
  EXPECT_EQ(stored.outcome, "cut_off");
  EXPECT_EQ(stored.root, sim::Digest());
}

TEST(StoredReplayTest, TagIsAShortWord) {
  for (const std::string& tag :
       {std::string("golden"), std::string("ci/linux:12_a-b.c"),
        std::string(kTagBytesMax, 'a')}) {
    EXPECT_EQ(ValidateTag(tag), absl::OkStatus()) << tag;
  }
  for (const std::string& tag :
       {std::string(""), std::string("two words"), std::string("a,b"),
        std::string("caf\xc3\xa9"), std::string("a\n"),
        std::string(kTagBytesMax + 1, 'a')}) {
    EXPECT_EQ(ValidateTag(tag).code(), absl::StatusCode::kInvalidArgument);
  }
}

}  // namespace
}  // namespace reprise::replays
