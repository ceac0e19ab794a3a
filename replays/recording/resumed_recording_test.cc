// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that a recording goes on as if nothing had happened. One that was cut
// off anywhere, or finished at any tick, is continued with the inputs that were
// to come, and the file is then that of a run which was never interrupted, byte
// by byte. What was recorded is in the file all the while. A branch is a whole
// replay that shares its parent's past and says so. What is read for it doesn't
// depend on when a player gave something last, which a source that counts
// shows.

#include "replays/recording/resumed_recording.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "replays/container/byte_file.h"
#include "replays/container/byte_stream.h"
#include "replays/container/mcap_records.h"
#include "replays/format/replay_reader.h"
#include "replays/format/replay_writer.h"
#include "replays/format/whole_events.h"
#include "replays/recording/recorder.h"
#include "replays/testing/edited_replay.h"
#include "replays/testing/replay_contents.h"
#include "replays/testing/tiny_recording.h"
#include "replays/testing/tiny_simulation.h"
#include "replays/verifying/verifier.h"
#include "sim/base/tick.h"
#include "sim/input/input_frame.h"
#include "sim/pack_archive.h"
#include "sim/simulation.h"

namespace reprise::replays {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

constexpr sim::Tick kTicks = 100;

// Bytes between two places at which a file is cut: an odd number, so that each
// field of a record is cut somewhere.
constexpr size_t kCutStride = 7;

// How many bytes of a range were read.
struct ReadCount {
  uint64_t begin = 0;
  uint64_t end = 0;
  uint64_t bytes = 0;
};

// `file` and `count` remain live.
class CountingSource final : public ByteSource {
 public:
  CountingSource(std::span<const std::byte> file, ReadCount* count)
      : source_(file), count_(*count) {}

  uint64_t size() const override { return source_.size(); }
  absl::Status ReadAt(uint64_t offset,
                      std::span<std::byte> out) const override {
    const uint64_t begin = std::max(offset, count_.begin);
    const uint64_t end = std::min(offset + out.size(), count_.end);
    if (begin < end) count_.bytes += end - begin;
    return source_.ReadAt(offset, out);
  }

 private:
  const MemorySource source_;
  ReadCount& count_;
};

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
    PlayUpTo(resumed, end);
    ASSERT_TRUE(resumed.recorder().Finish().ok());
  }

  static void PlayUpTo(ResumedRecording& resumed, sim::Tick end) {
    RestlessInputs inputs;
    while (resumed.simulation().tick() < end) {
      const auto frames = inputs.FramesAt(resumed.simulation().tick());
      ASSERT_TRUE(resumed.recorder().Step(*frames).ok());
    }
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

TEST_F(ResumedRecordingTest, CutAtAnyChunkItKeepsEveryTickThatIsLeft) {
  const Bytes whole = RecordTiny({.tick_count = kTicks});
  // Ends within a batch: the first, and a later one.
  for (const sim::Tick ticks : {1u, 19u, 93u}) {
    const Bytes recording = RecordTiny({.tick_count = ticks});
    const std::unique_ptr<ReplayReader> replay = *OpenReplay(recording);
    for (size_t i = 0; i < replay->file().Chunks()->size(); ++i) {
      const McapChunkIndex& chunk = replay->file().Chunks().value()[i];
      const uint64_t end = chunk.chunk_start_offset + chunk.chunk_length;
      for (const uint64_t size : {end, end + chunk.message_index_length / 2,
                                  end + chunk.message_index_length}) {
        Write(std::span(recording).first(size));
        const sim::Tick left = (*ReplayReader::OpenFile(path_))->tick_count();
        const std::unique_ptr<ResumedRecording> resumed =
            *ResumedRecording::Continue(path_);
        ASSERT_EQ(resumed->simulation().tick(), left) << size;
        PlayOn(*resumed);
        ASSERT_EQ(Read(), whole) << ticks << " ticks, cut at " << size;
      }
    }
  }
}

// What says so stands behind all that is taken over.
TEST_F(ResumedRecordingTest, BranchOfAPartSaysWhereAllItsEventsEnd) {
  // Every hundredth tick is an event.
  constexpr sim::Tick kLong = 250;
  const Bytes part =
      AddMetadata(RecordTiny({.tick_count = kLong}), WholeEventsRecord(150));
  const auto count_of = [](const Bytes& file) {
    const std::unique_ptr<ReplayReader> replay = *OpenReplay(file);
    return std::ranges::count(replay->file().metadata(),
                              kWholeEventsMetadataName, &McapMetadata::name);
  };
  EXPECT_EQ(count_of(BranchIdle(part, "part.mcap", 200, kLong)), 1);
  EXPECT_EQ(count_of(BranchIdle(part, "part.mcap", 120, kLong)), 0);

  Write(part);
  PlayOn(**ResumedRecording::Continue(path_), kLong + 50);
  EXPECT_EQ(count_of(Read()), 1);
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

TEST_F(ResumedRecordingTest, FinishedAtAnyTickAndContinuedItIsTheSameFile) {
  TinyRecordingOptions options;
  // Several batches, and one that isn't even full.
  for (const uint64_t batch_ticks : {20, 1000}) {
    options.writer.batch_ticks = batch_ticks;
    options.writer.keyframe_stride = 2 * batch_ticks;
    options.tick_count = kTicks;
    const Bytes whole = RecordTiny(options);
    for (sim::Tick ticks = 0; ticks <= kTicks; ++ticks) {
      options.tick_count = ticks;
      Write(RecordTiny(options));
      const std::unique_ptr<ResumedRecording> resumed =
          *ResumedRecording::Continue(path_);
      ASSERT_EQ(resumed->simulation().tick(), ticks);
      PlayOn(*resumed);
      ASSERT_EQ(Read(), whole) << ticks << " ticks";
    }
  }
}

TEST_F(ResumedRecordingTest, WhatWasRecordedIsInTheFileAllTheWhile) {
  TinyRecordingOptions options;
  for (const uint64_t batch_ticks : {20, 50, 1000}) {
    options.writer.batch_ticks = batch_ticks;
    options.writer.keyframe_stride = 2 * batch_ticks;
    options.tick_count = 93;
    const Bytes file = RecordTiny(options);
    options.tick_count = 193;
    const ReplayContents whole =
        *ReadContents(**OpenReplay(RecordTiny(options)));
    for (sim::Tick killed_at = 93; killed_at < 193; ++killed_at) {
      Write(file);
      PlayUpTo(**ResumedRecording::Continue(path_), killed_at);
      const Bytes left = Read();
      const ReplayContents contents = *ReadContents(**OpenReplay(left));
      ASSERT_GE(contents.tick_count, 93u) << killed_at;
      ASSERT_TRUE(std::ranges::equal(
          contents.inputs,
          std::span(whole.inputs).first(contents.inputs.size())))
          << killed_at;
      // The batch that was begun isn't full.
      const sim::Tick begun = 93 / batch_ticks * batch_ticks;
      if (killed_at < begun + batch_ticks) {
        ASSERT_EQ(left, file) << killed_at;
      }
    }
  }
}

TEST_F(ResumedRecordingTest, DenseKeyframesShareChunksAndAreContinued) {
  // One short chunk a keyframe, until half of what a file may have is used up.
  const Bytes whole = RecordTiny(
      {.tick_count = 68'000,
       .writer = {.keyframe_stride = 1, .keyframe_bytes_per_tick = 0}});
  const std::unique_ptr<ReplayReader> replay = *OpenReplay(whole);
  const McapReader& file = replay->file();
  EXPECT_GT(file.Chunks()->size(), 65'536u);
  EXPECT_LE(file.Chunks()->size(), 65'536u + 68'000 / 1200 + 1);
  for (const sim::Tick tick : {65'000u, 66'500u, 67'999u, 68'000u}) {
    const auto keyframe = replay->FindKeyframe(tick);
    ASSERT_TRUE(keyframe.ok()) << keyframe.status();
    EXPECT_EQ((*keyframe)->tick, tick);
  }

  // Within the last chunk, of many keyframes.
  const McapChunkIndex& last = file.Chunks().value()[file.Chunks()->size() - 1];
  Write(
      std::span(whole).first(last.chunk_start_offset + last.chunk_length / 2));
  PlayOn(**ResumedRecording::Continue(path_), 68'000);
  EXPECT_EQ(Read(), whole);
}

TEST_F(ResumedRecordingTest, RecordingWithADamagedBatchIsLeftAlone) {
  Bytes file = RecordTiny({.tick_count = kTicks});
  const std::unique_ptr<ReplayReader> replay = *OpenReplay(file);
  const McapChunkIndex& chunk = replay->file().Chunks().value()[3];
  file[chunk.chunk_start_offset + chunk.chunk_length - 1] ^= std::byte{1};
  Write(file);

  EXPECT_EQ(ResumedRecording::Continue(path_).status().code(),
            absl::StatusCode::kDataLoss);
  EXPECT_EQ(Read(), file);
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

TEST_F(ResumedRecordingTest, UnfinishedOneWithADamagedChunkIsLeftAlone) {
  Bytes file = RecordTiny({.tick_count = 99, .is_finished = false});
  file[file.size() / 2] ^= std::byte{1};
  Write(file);

  const absl::Status status = ResumedRecording::Continue(path_).status();

  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr(path_));
  EXPECT_EQ(Read(), file);
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

TEST_F(ResumedRecordingTest, BranchesOfBranchesHaveNoEnd) {
  constexpr size_t kGenerations = 100;
  Bytes file = RecordTiny({.tick_count = kTicks});
  for (size_t i = 0; i < kGenerations; ++i) {
    file = BranchIdle(file, fmt::format("{}.mcap", i), i, kTicks);
  }

  const std::unique_ptr<ReplayReader> last = *OpenReplay(file);
  const absl::StatusOr<std::vector<ReplayBranch>> branches =
      last->ReadBranches();

  ASSERT_TRUE(branches.ok()) << branches.status();
  EXPECT_THAT(*branches, SizeIs(kGenerations));
  EXPECT_EQ(branches->back().parent, "99.mcap");
  EXPECT_TRUE(VerifyReplay(*last, {})->passed());
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

TEST_F(ResumedRecordingTest, BranchOfTheStartKnowsItsParentWhenContinued) {
  const Bytes parent = RecordTiny({.tick_count = kTicks});
  Write(BranchIdle(parent, "parent.mcap", 0, 15));

  const std::unique_ptr<ResumedRecording> resumed =
      *ResumedRecording::Continue(path_);
  while (resumed->simulation().tick() < 90) {
    ASSERT_TRUE(resumed->recorder().Step({}).ok());
  }
  ASSERT_TRUE(resumed->recorder().Finish().ok());

  EXPECT_EQ(Read(), BranchIdle(parent, "parent.mcap", 0, 90));
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
  EXPECT_EQ(ResumeSimulation(*replay, 21).status().code(),
            absl::StatusCode::kOutOfRange);
}

TEST_F(ResumedRecordingTest, SimulationGoesOnUnrecordedToTheSameEnd) {
  const Bytes recording = RecordTiny({.tick_count = kTicks});
  const std::unique_ptr<ReplayReader> replay = *OpenReplay(recording);
  for (sim::Tick tick = 0; tick <= kTicks; ++tick) {
    const std::unique_ptr<sim::Simulation> simulation =
        *ResumeSimulation(*replay, tick);
    ASSERT_EQ(simulation->tick(), tick);
    RestlessInputs inputs;
    while (simulation->tick() < kTicks) {
      simulation->Step(*inputs.FramesAt(simulation->tick()),
                       /*observer=*/nullptr);
    }
    ASSERT_EQ(simulation->state().ComputeRootDigest(), replay->end()->root)
        << tick;
  }
}

// A player who is silent from the start, and one who isn't: the past of both is
// gone through equally often.
TEST_F(ResumedRecordingTest, SilentPlayerCostsNoOtherWayThroughThePast) {
  constexpr sim::Tick kLong = 3000;
  const auto count_passes = [](bool is_idle) {
    const Bytes file = RecordTiny({.tick_count = kLong, .is_idle = is_idle});
    ReadCount count;
    {
      const std::unique_ptr<ReplayReader> replay = *OpenReplay(file);
      const McapChunkIndex& chunk = replay->file().Chunks().value()[5];
      count.begin = chunk.chunk_start_offset;
      count.end = chunk.chunk_start_offset + chunk.chunk_length;
    }
    const std::unique_ptr<ReplayReader> replay =
        *ReplayReader::Open(std::make_unique<CountingSource>(file, &count));
    Bytes branch;
    EXPECT_TRUE(ResumedRecording::Branch(*replay, "parent.mcap", kLong - 5,
                                         std::make_unique<MemorySink>(&branch))
                    .ok());
    // The heads of records are read by themselves, too: less than a chunk.
    return count.bytes / (count.end - count.begin);
  };
  const uint64_t passes = count_passes(/*is_idle=*/false);
  EXPECT_GE(passes, 2u);  // It is looked through and copied.
  EXPECT_EQ(count_passes(/*is_idle=*/true), passes);
}

// Nothing is copied where nothing is recorded, so nothing old is read.
TEST_F(ResumedRecordingTest, SimulationComesFromTheNearestKeyframeAlone) {
  const Bytes file = RecordTiny({.tick_count = kTicks, .is_idle = true});
  ReadCount count;
  {
    // Of the ticks between the first keyframe and the one of tick 80.
    const std::unique_ptr<ReplayReader> replay = *OpenReplay(file);
    const uint64_t begin_ns = sim::LogTimeNs(20, sim::TickRate{60});
    const uint64_t end_ns = sim::LogTimeNs(60, sim::TickRate{60});
    const auto chunks = replay->file().Chunks();
    ASSERT_TRUE(chunks.ok()) << chunks.status();
    for (const McapChunkIndex& chunk : *chunks) {
      if (chunk.message_start_time_ns < begin_ns ||
          chunk.message_start_time_ns >= end_ns) {
        continue;
      }
      if (count.begin == 0) count.begin = chunk.chunk_start_offset;
      count.end = chunk.chunk_start_offset + chunk.chunk_length;
    }
  }
  ASSERT_GT(count.end, count.begin);
  const std::unique_ptr<ReplayReader> replay =
      *ReplayReader::Open(std::make_unique<CountingSource>(file, &count));

  for (const sim::Tick tick : {80u, 93u, 100u}) {
    ASSERT_TRUE(ResumeSimulation(*replay, tick).ok()) << tick;
  }
  EXPECT_EQ(count.bytes, 0u);

  // The count is no empty claim.
  ASSERT_TRUE(ResumeSimulation(*replay, 79).ok());
  EXPECT_GT(count.bytes, 0u);
}

TEST_F(ResumedRecordingTest, HeldDevicesOutliveAnyBranchAndCut) {
  // One press at the start, held ever since: who repeats it later, records
  // nothing.
  const auto press = [] {
    sim::InputFrame frame;
    frame.device.buttons = 1;
    return std::vector<sim::InputFrame>{frame};
  };
  Bytes parent;
  const sim::PackArchive pack = MakeTinyPack();
  const std::unique_ptr<sim::Simulation> simulation = MakeTiny(7, pack);
  const std::unique_ptr<ReplayWriter> writer = *ReplayWriter::Create(
      std::make_unique<MemorySink>(&parent), *simulation, pack,
      {.digest_stride = 10, .keyframe_stride = 40, .batch_ticks = 20});
  Recorder recorder(simulation.get(), writer.get());
  ASSERT_TRUE(recorder.Step(press()).ok());
  while (simulation->tick() < kTicks) ASSERT_TRUE(recorder.Step({}).ok());
  ASSERT_TRUE(recorder.Finish().ok());

  for (const sim::Tick tick : {1u, 19u, 20u, 85u}) {
    Bytes file;
    const std::unique_ptr<ReplayReader> replay = *OpenReplay(parent);
    const std::unique_ptr<ResumedRecording> branch = *ResumedRecording::Branch(
        *replay, "parent.mcap", tick, std::make_unique<MemorySink>(&file));
    while (branch->simulation().tick() < kTicks) {
      ASSERT_TRUE(branch->recorder().Step(press()).ok());
    }
    ASSERT_TRUE(branch->recorder().Finish().ok());
    const std::unique_ptr<ReplayReader> reader = *OpenReplay(file);
    EXPECT_EQ(reader->end(), replay->end()) << tick;
    EXPECT_EQ(ReadContents(*reader)->inputs, ReadContents(*replay)->inputs)
        << tick;
  }
}

TEST_F(ResumedRecordingTest, CancelledAtAnyTickItStops) {
  const Bytes recording =
      RecordTiny({.tick_count = kTicks, .writer = {.keyframe_stride = 0}});
  const std::unique_ptr<ReplayReader> replay = *OpenReplay(recording);
  for (uint64_t asked_max = 1;; asked_max += 13) {
    uint64_t asked = 0;
    const auto is_cancelled = [&] { return ++asked >= asked_max; };
    Bytes file;
    const absl::Status status =
        ResumedRecording::Branch(*replay, "", kTicks,
                                 std::make_unique<MemorySink>(&file),
                                 /*pack=*/nullptr, is_cancelled)
            .status();
    if (status.ok()) {
      EXPECT_GE(asked, kTicks);
      break;
    }
    EXPECT_EQ(status.code(), absl::StatusCode::kCancelled) << status;
    EXPECT_EQ(asked, asked_max);
  }
  EXPECT_EQ(
      ResumeSimulation(*replay, kTicks, /*pack=*/nullptr, [] { return true; })
          .status()
          .code(),
      absl::StatusCode::kCancelled);
}

}  // namespace
}  // namespace reprise::replays
