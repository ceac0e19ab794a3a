// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that a recording goes on as if nothing had happened. One that was cut
// off anywhere is continued with the inputs that were to come, and the
// file is then that of a run which was never interrupted, byte by byte. A
// branch is a whole replay that shares its parent's past and says so.

#include "replays/resumed_recording.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "replays/byte_file.h"
#include "replays/testing/replay_contents.h"
#include "replays/testing/tiny_recording.h"
#include "replays/testing/tiny_simulation.h"
#include "replays/verifier.h"

namespace reprise::replays {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

constexpr sim::Tick kTicks = 100;

// Bytes between two places at which a file is cut: an odd number, so that each
// field of a record is cut somewhere.
constexpr size_t kCutStride = 7;

class ResumedRecordingTest : public ::testing::Test {
 protected:
  ResumedRecordingTest() : path_(::testing::TempDir() + "resumed.mcap") {}

  void Write(std::span<const std::byte> bytes) {
    const std::unique_ptr<FileSink> sink = *FileSink::Create(path_);
    ASSERT_TRUE(sink->Append(bytes).ok());
  }

  Bytes Read() const {
    const std::unique_ptr<FileSource> source = *FileSource::Open(path_);
    Bytes bytes(source->size());
    EXPECT_TRUE(source->ReadAt(0, bytes).ok());
    return bytes;
  }

  // Plays the inputs of RecordTiny from where `resumed` stands up to `end`.
  static void PlayOn(ResumedRecording& resumed, sim::Tick end = kTicks) {
    RestlessInputs inputs;
    while (resumed.simulation().tick() < end) {
      const auto frames = inputs.FramesAt(resumed.simulation().tick());
      ASSERT_TRUE(resumed.recorder().Step(*frames).ok());
    }
    ASSERT_TRUE(resumed.recorder().Finish().ok());
  }

  // A branch of `parent` at `tick` in which nobody gives anything any more.
  static Bytes BranchIdle(const Bytes& parent, const std::string& name,
                          sim::Tick tick, sim::Tick end) {
    Bytes file;
    const std::unique_ptr<ReplayReader> replay = *OpenReplay(parent);
    const std::unique_ptr<ResumedRecording> branch = *ResumedRecording::Branch(
        *replay, name, tick, std::make_unique<MemorySink>(&file));
    while (branch->simulation().tick() < end) {
      EXPECT_TRUE(branch->recorder().Step({}).ok());
    }
    EXPECT_TRUE(branch->recorder().Finish().ok());
    return file;
  }

  const std::string path_;
};

TEST_F(ResumedRecordingTest, CutAnywhereAndContinuedItIsTheSameFile) {
  const Bytes whole = RecordTiny({.tick_count = kTicks});
  int continued = 0;
  for (size_t size = 0; size <= whole.size(); size += kCutStride) {
    Write(std::span(whole).first(size));
    const auto resumed = ResumedRecording::Continue(path_);
    if (!resumed.ok()) {
      EXPECT_EQ(Read().size(), size) << resumed.status();
      continue;
    }
    PlayOn(**resumed);
    ASSERT_EQ(Read(), whole) << "cut at " << size;
    ++continued;
  }
  // Whatever is cut behind the definitions.
  EXPECT_GT(continued, static_cast<int>(whole.size() / kCutStride / 4));
}

TEST_F(ResumedRecordingTest, GoesOnAtTheEndOfTheLastBatch) {
  Write(RecordTiny({.tick_count = 99, .is_finished = false}));

  const std::unique_ptr<ResumedRecording> resumed =
      *ResumedRecording::Continue(path_);

  EXPECT_EQ(resumed->simulation().tick(), 80u);
}

TEST_F(ResumedRecordingTest, ThinnedKeyframesStayThinned) {
  TinyRecordingOptions options = {.tick_count = kTicks,
                                  .writer = {.digest_stride = 5,
                                             .keyframe_stride = 10,
                                             .keyframe_bytes_per_tick = 10,
                                             .batch_ticks = 20}};
  const Bytes whole = RecordTiny(options);
  options.tick_count = 75;
  options.is_finished = false;
  Write(RecordTiny(options));

  PlayOn(**ResumedRecording::Continue(path_));

  EXPECT_EQ(Read(), whole);
}

TEST_F(ResumedRecordingTest, FinishedRecordingGoesOnToo) {
  Write(RecordTiny({.tick_count = 60}));

  PlayOn(**ResumedRecording::Continue(path_));

  EXPECT_EQ(Read(), RecordTiny({.tick_count = kTicks}));
}

TEST_F(ResumedRecordingTest, RecordingThatThisBuildRunsOtherwiseIsLeftAlone) {
  // Without a keyframe behind the change that would hide it.
  const Bytes file = RecordTiny(
      {.tick_count = 99,
       .writer = {.digest_stride = 10, .keyframe_stride = 0, .batch_ticks = 20},
       .is_finished = false,
       .is_idle = true,
       .injection = OneUlpMore(*MakeTiny(), "board", "pieces", 1, "y", 45)});
  Write(file);

  const absl::Status status = ResumedRecording::Continue(path_).status();

  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(status.message()), HasSubstr("tick 50"));
  EXPECT_EQ(Read(), file);
}

TEST_F(ResumedRecordingTest, FileStaysAsItIsUntilABatchIsWritten) {
  const Bytes file = RecordTiny();
  Write(file);
  {
    const auto resumed = ResumedRecording::Continue(path_);
    ASSERT_TRUE(resumed.ok()) << resumed.status();
    EXPECT_EQ(ResumedRecording::Continue(path_).status().code(),
              absl::StatusCode::kUnavailable);
  }
  EXPECT_EQ(Read(), file);
}

TEST_F(ResumedRecordingTest, OtherPackIsRefused) {
  Write(RecordTiny());
  const sim::PackArchive faster = MakeTinyPack(/*step=*/0.2);

  EXPECT_EQ(ResumedRecording::Continue(path_, &faster).status().code(),
            absl::StatusCode::kFailedPrecondition);
}

TEST_F(ResumedRecordingTest, MissingFileIsNotFound) {
  EXPECT_EQ(ResumedRecording::Continue(path_ + ".missing").status().code(),
            absl::StatusCode::kNotFound);
}

TEST_F(ResumedRecordingTest, BranchWithTheSameInputsArrivesWhereItsParentDid) {
  const Bytes parent = RecordTiny({.tick_count = kTicks});
  const std::unique_ptr<ReplayReader> replay = *OpenReplay(parent);
  for (sim::Tick tick = 0; tick <= kTicks; ++tick) {
    Bytes file;
    const std::unique_ptr<ResumedRecording> branch = *ResumedRecording::Branch(
        *replay, "parent.mcap", tick, std::make_unique<MemorySink>(&file));
    ASSERT_EQ(branch->simulation().tick(), tick);
    PlayOn(*branch);
    const std::unique_ptr<ReplayReader> reader = *OpenReplay(file);
    ASSERT_EQ(reader->end(), replay->end()) << tick;
    ASSERT_EQ(ReadContents(*reader)->inputs, ReadContents(*replay)->inputs)
        << tick;
    ASSERT_TRUE(VerifyReplay(*reader, {})->passed()) << tick;
  }
}

TEST_F(ResumedRecordingTest, BranchSaysWhereItLeftItsParent) {
  const Bytes parent =
      RecordTiny({.tick_count = kTicks, .writer = {.digest_stride = 1}});
  const Bytes file = BranchIdle(parent, "parent.mcap", 53, 90);

  const std::vector<ReplayBranch> branches =
      *(*OpenReplay(file))->ReadBranches();

  ASSERT_THAT(branches, SizeIs(1));
  const std::vector<DigestEntry> digests =
      ReadContents(**OpenReplay(parent))->digests;
  EXPECT_EQ(branches[0], (ReplayBranch{.parent = "parent.mcap",
                                       .tick = 53,
                                       .chain = digests[53].chain}));
  EXPECT_TRUE(VerifyReplay(**OpenReplay(file), {})->passed());
}

TEST_F(ResumedRecordingTest, BranchOfABranchKnowsBothParents) {
  const Bytes first =
      BranchIdle(RecordTiny({.tick_count = kTicks}), "root.mcap", 33, 90);
  for (const sim::Tick tick : {35u, 41u, 77u}) {
    const Bytes second = BranchIdle(first, "first.mcap", tick, 95);
    const std::vector<ReplayBranch> branches =
        *(*OpenReplay(second))->ReadBranches();
    ASSERT_THAT(branches, SizeIs(2)) << tick;
    EXPECT_EQ(branches[0].parent, "root.mcap");
    EXPECT_EQ(branches[1].parent, "first.mcap");
  }
}

TEST_F(ResumedRecordingTest, BranchCutAnywhereIsContinuedToTheSameFile) {
  const Bytes parent = RecordTiny({.tick_count = kTicks});
  const Bytes whole = BranchIdle(parent, "parent.mcap", 53, 90);
  Bytes start;
  const std::unique_ptr<ReplayReader> replay = *OpenReplay(parent);
  ASSERT_TRUE(ResumedRecording::Branch(*replay, "parent.mcap", 53,
                                       std::make_unique<MemorySink>(&start))
                  .ok());
  for (size_t size = start.size(); size <= whole.size(); size += kCutStride) {
    Write(std::span(whole).first(size));
    const auto resumed = ResumedRecording::Continue(path_);
    ASSERT_TRUE(resumed.ok()) << resumed.status();
    while ((*resumed)->simulation().tick() < 90) {
      ASSERT_TRUE((*resumed)->recorder().Step({}).ok());
    }
    ASSERT_TRUE((*resumed)->recorder().Finish().ok());
    ASSERT_EQ(Read(), whole) << "cut at " << size;
  }
}

TEST_F(ResumedRecordingTest, BranchBeforeTheParentsOwnForgetsThat) {
  const Bytes first =
      BranchIdle(RecordTiny({.tick_count = kTicks}), "root.mcap", 53, 90);

  const Bytes second = BranchIdle(first, "first.mcap", 25, 95);

  EXPECT_THAT(*(*OpenReplay(second))->ReadBranches(), SizeIs(1));
}

TEST_F(ResumedRecordingTest, BranchBehindTheEndIsOutOfRange) {
  const Bytes parent = RecordTiny({.tick_count = 20});
  const std::unique_ptr<ReplayReader> replay = *OpenReplay(parent);
  Bytes file;

  EXPECT_EQ(ResumedRecording::Branch(*replay, "", 21,
                                     std::make_unique<MemorySink>(&file))
                .status()
                .code(),
            absl::StatusCode::kOutOfRange);
}

}  // namespace
}  // namespace reprise::replays
