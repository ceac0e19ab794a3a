// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that entries come back as they were put, in the form of each revision
// of the format, and that a batch whose arrays contradict each other is
// refused. That the rooms give the state's own root is held against a real
// state.

#include "replays/format/digest_batch.h"

#include <cstdint>
#include <memory>

#include "gtest/gtest.h"
#include "replays/testing/tiny_recording.h"

namespace reprise::replays {
namespace {

ReplayMetadata TinyMetadata(uint32_t format_revision) {
  ReplayMetadata metadata;
  metadata.format_revision = format_revision;
  metadata.rooms = {"game", "input"};
  metadata.digest_stride = 10;
  return metadata;
}

DigestEntry EntryOf(sim::Tick tick, uint64_t first_room) {
  DigestEntry entry = {.tick = tick,
                       .root = {},
                       .chain = {tick + 1},
                       .rooms = {{first_room}, {first_room + 1}}};
  entry.root = sim::CombineDigests(entry.rooms);
  return entry;
}

class DigestBatchTest : public ::testing::TestWithParam<uint32_t> {
 protected:
  DigestBatchTest() {
    AddEntry(EntryOf(20, 100), metadata_, batch_);
    AddEntry(EntryOf(30, 200), metadata_, batch_);
  }

  const ReplayMetadata metadata_ = TinyMetadata(GetParam());
  v1::DigestBatch batch_;
};

TEST_P(DigestBatchTest, EntriesComeBackAsTheyWerePut) {
  ASSERT_EQ(*CountEntries(batch_, metadata_), 2);
  EXPECT_EQ(EntryAt(batch_, 0, metadata_), EntryOf(20, 100));
  EXPECT_EQ(EntryAt(batch_, 1, metadata_), EntryOf(30, 200));
}

TEST_P(DigestBatchTest, RootsAreStoredOnlyByTheFirstRevision) {
  EXPECT_EQ(batch_.roots_size(), GetParam() == 1 ? 2 : 0);
}

TEST_P(DigestBatchTest, ArraysThatDontFitAreRefused) {
  v1::DigestBatch more_chains = batch_;
  more_chains.add_chains(1);
  v1::DigestBatch more_roots = batch_;
  more_roots.add_roots(1);
  v1::DigestBatch more_rooms = batch_;
  more_rooms.add_rooms(1);

  for (const auto& batch : {more_chains, more_roots, more_rooms}) {
    EXPECT_EQ(CountEntries(batch, metadata_).status().code(),
              absl::StatusCode::kDataLoss);
  }
}

TEST_P(DigestBatchTest, AnotherStrideIsRefused) {
  batch_.set_stride(11);

  EXPECT_EQ(CountEntries(batch_, metadata_).status().code(),
            absl::StatusCode::kDataLoss);
}

TEST_P(DigestBatchTest, TheRootOfAStateFollowsFromItsRooms) {
  const std::unique_ptr<sim::Simulation> simulation = MakeTiny();
  const sim::State& state = simulation->state();
  const sim::Digest root = state.ComputeRootDigest();
  ReplayMetadata metadata = DescribeRun(*simulation);
  metadata.format_revision = GetParam();
  v1::DigestBatch batch;

  AddEntry(DescribeState(0, state, root, {7}), metadata, batch);

  EXPECT_EQ(EntryAt(batch, 0, metadata).root, root);
}

INSTANTIATE_TEST_SUITE_P(Revisions, DigestBatchTest,
                         ::testing::Range(1u, kReplayFormatRevision + 1));

}  // namespace
}  // namespace reprise::replays
