// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves what a recording holds and where: the same run gives the same bytes,
// batches and keyframes lie where the strides ask for them, what was flushed
// survives, and idle play costs a few bytes a tick.

#include "replays/format/replay_writer.h"

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/escaping.h"
#include "gmock/gmock.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/descriptor.pb.h"
#include "gtest/gtest.h"
#include "replays/container/byte_file.h"
#include "replays/container/mcap_records.h"
#include "replays/format/replay_reader.h"
#include "replays/recording/recorder.h"
#include "replays/testing/forwarding_simulation.h"
#include "replays/testing/replay_contents.h"
#include "replays/testing/tiny_recording.h"
#include "replays/testing/tiny_simulation.h"
#include "replays/verifying/verifier.h"
#include "reprise/v1/digest_batch.pb.h"
#include "reprise/v1/event_batch.pb.h"
#include "reprise/v1/input_batch.pb.h"
#include "reprise/v1/keyframe.pb.h"
#include "reprise/v1/run_end.pb.h"

namespace reprise::replays {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

// Takes `bytes_max` bytes and then fails, as a full disk does.
class FullSink final : public ByteSink {
 public:
  explicit FullSink(uint64_t bytes_max) : bytes_left_(bytes_max) {}

  absl::Status Append(std::span<const std::byte> bytes) override {
    if (bytes.size() > bytes_left_) {
      return absl::ResourceExhaustedError("disk full");
    }
    bytes_left_ -= bytes.size();
    return absl::OkStatus();
  }
  absl::Status Flush() override { return absl::OkStatus(); }

 private:
  uint64_t bytes_left_;
};

ReplayContents Read(const Bytes& file) {
  return *ReadContents(**OpenReplay(file));
}

std::vector<sim::Tick> KeyframeTicks(const ReplayContents& contents) {
  std::vector<sim::Tick> ticks;
  for (const ReplayKeyframe& keyframe : contents.keyframes) {
    ticks.push_back(keyframe.tick);
  }
  return ticks;
}

TEST(ReplayWriterTest, SameRunGivesTheSameBytes) {
  EXPECT_EQ(RecordTiny(), RecordTiny());
}

// Objects have long names here.
class VerboseSimulation final : public ForwardingSimulation {
 public:
  using ForwardingSimulation::ForwardingSimulation;

  std::string ObjectName(sim::ObjectId) const override {
    return std::string(600, 'n');
  }
  std::unique_ptr<sim::Simulation> Fork() const override { return nullptr; }
};

// One tick with more bytes of events than a message may have.
TEST(ReplayWriterTest, TickWithTooManyBytesOfEventsIsWrittenAndTold) {
  Bytes file;
  const VerboseSimulation verbose(MakeTiny());
  const std::unique_ptr<ReplayWriter> writer = *ReplayWriter::Create(
      std::make_unique<MemorySink>(&file), verbose, MakeTinyPack(), {});
  const std::vector<sim::Event> events(
      65'536, {.tick = 0, .type = sim::IdOf("goal_reached"), .object = {1}});
  const sim::State& state = verbose.state();
  const sim::Digest root = state.ComputeRootDigest();

  ASSERT_TRUE(writer->AddState(0, state, root, root).ok());
  ASSERT_TRUE(writer->AddTick(0, {}, events).ok());
  ASSERT_TRUE(writer->Finish({.tick_count = 1, .root = root}).ok());

  const auto replay = *OpenReplay(file);
  const auto cursor = replay->ReadEvents();
  uint64_t kept = 0;
  v1::Event last;
  for (auto event = cursor->Next(); event.ok() && event->has_value();
       event = cursor->Next()) {
    ++kept;
    last = **event;
  }
  EXPECT_GT(kept, 20'000u);
  EXPECT_EQ(last.type(), "events_dropped");
  EXPECT_EQ(last.arguments(0).int_value() + static_cast<int64_t>(kept) - 1,
            65'536);
}

// The examples of FORMAT.md.
TEST(ReplayWriterTest, MessagesAreTheExamplesOfTheFormat) {
  v1::InputBatch inputs;
  inputs.set_tick_count(20);
  inputs.add_ticks()->set_tick(3);
  inputs.mutable_ticks(0)->add_frames()->mutable_device()->add_axes(100);
  v1::DigestBatch digests;
  digests.set_stride(10);
  digests.add_chains(2);
  digests.add_rooms(3);
  digests.add_rooms(4);

  EXPECT_EQ(absl::BytesToHexString(inputs.SerializeAsString()),
            "10141a0a0803120612041202c801");
  EXPECT_EQ(absl::BytesToHexString(digests.SerializeAsString()),
            "100a"
            "22080200000000000000"
            "2a1003000000000000000400000000000000");
}

// Whoever has the file needs nothing else to decode it.
TEST(ReplayWriterTest, ChannelsCarryTheirSchemas) {
  const Bytes file = RecordTiny();
  const std::unique_ptr<ReplayReader> replay = *OpenReplay(file);
  std::map<std::string, std::string> types;
  for (const auto& [id, channel] : replay->file().channels()) {
    const McapSchema& schema = replay->file().schemas().at(channel.schema_id);
    EXPECT_EQ(channel.message_encoding, "protobuf") << channel.topic;
    EXPECT_EQ(schema.encoding, "protobuf") << channel.topic;
    google::protobuf::FileDescriptorSet files;
    ASSERT_TRUE(files.ParseFromArray(schema.data.data(),
                                     static_cast<int>(schema.data.size())));
    google::protobuf::DescriptorPool pool;
    for (const google::protobuf::FileDescriptorProto& described :
         files.file()) {
      ASSERT_NE(pool.BuildFile(described), nullptr) << described.name();
    }
    EXPECT_NE(pool.FindMessageTypeByName(schema.name), nullptr) << schema.name;
    types[channel.topic] = schema.name;
  }
  EXPECT_THAT(types,
              UnorderedElementsAre(Pair("/inputs", "reprise.v1.InputBatch"),
                                   Pair("/digests", "reprise.v1.DigestBatch"),
                                   Pair("/events", "reprise.v1.EventBatch"),
                                   Pair("/keyframes", "reprise.v1.Keyframe"),
                                   Pair("/end", "reprise.v1.RunEnd")));
}

TEST(ReplayWriterTest, DigestsLieAStrideApartFromTickZeroOn) {
  const ReplayContents contents = Read(RecordTiny({.tick_count = 35}));

  ASSERT_EQ(contents.digests.size(), 4u);
  EXPECT_EQ(contents.digests[3].tick, 30u);
  EXPECT_EQ(contents.digests[3].rooms.size(), 2u);
}

TEST(ReplayWriterTest, StrideOfOneRecordsEveryTick) {
  const ReplayContents contents =
      Read(RecordTiny({.tick_count = 35,
                       .writer = {.digest_stride = 1, .keyframe_stride = 1}}));

  EXPECT_EQ(contents.digests.size(), 36u);
  EXPECT_EQ(contents.keyframes.size(), 36u);
}

TEST(ReplayWriterTest, KeyframesLieAStrideApartFromTickZeroOn) {
  EXPECT_THAT(KeyframeTicks(Read(RecordTiny({.tick_count = 100}))),
              ElementsAre(0, 40, 80));
}

TEST(ReplayWriterTest, StrideOfZeroMakesNoKeyframes) {
  EXPECT_THAT(
      KeyframeTicks(Read(RecordTiny({.writer = {.keyframe_stride = 0}}))),
      IsEmpty());
}

TEST(ReplayWriterTest, StateInManyMessagesIsTheSame) {
  TinyRecordingOptions options;
  const Bytes whole = RecordTiny(options);
  options.writer.state_part_bytes = 37;
  const Bytes parted = RecordTiny(options);

  EXPECT_NE(parted, whole);
  EXPECT_EQ(Read(parted), Read(whole));
  const std::unique_ptr<ReplayReader> replay = *OpenReplay(parted);
  EXPECT_EQ((*replay->FindKeyframe(79))->tick, 40u);
  EXPECT_EQ((*replay->ReadKeyframes(41)->Next())->tick, 80u);
  for (const uint32_t threads : {1u, 3u}) {
    EXPECT_TRUE(VerifyReplay(*replay, {.threads = threads})->passed());
  }
}

TEST(ReplayWriterTest, EndCountsTheEvents) {
  for (const sim::Tick ticks : {0u, 99u, 100u, 250u}) {
    const Bytes file = RecordTiny({.tick_count = ticks});
    EXPECT_EQ((*OpenReplay(file))->event_count(), ticks / 100);
  }
  const Bytes cut_off = RecordTiny({.is_finished = false});
  EXPECT_EQ((*OpenReplay(cut_off))->event_count(), std::nullopt);
}

TEST(ReplayWriterTest, KeyframesThatPassTheirBudgetAreLeftOut) {
  const uint64_t state_bytes =
      Read(RecordTiny({.tick_count = 0})).keyframes[0].state.size();
  const ReplayWriterOptions options = {
      .keyframe_stride = 10, .keyframe_bytes_per_tick = state_bytes / 25};

  const std::vector<sim::Tick> ticks =
      KeyframeTicks(Read(RecordTiny({.tick_count = 1000, .writer = options})));

  // One is paid for every 25 ticks and a little.
  EXPECT_EQ(ticks.front(), 0u);
  EXPECT_GE(ticks.back(), 950u);
  EXPECT_GE(ticks.size(), 1000u / 30);
  EXPECT_LE(ticks.size() * state_bytes,
            1000 * options.keyframe_bytes_per_tick + state_bytes);
}

TEST(ReplayWriterTest, KeyframesAreAddedWhereverTheyAreWanted) {
  const sim::PackArchive pack = MakeTinyPack();
  const std::unique_ptr<sim::Simulation> simulation = MakeTiny(7, pack);
  Bytes file;
  const std::unique_ptr<ReplayWriter> writer =
      *ReplayWriter::Create(std::make_unique<MemorySink>(&file), *simulation,
                            pack, {.keyframe_stride = 10, .batch_ticks = 7});
  Recorder recorder(simulation.get(), writer.get());
  // Within a batch, and where one ends.
  for (const sim::Tick tick : {3u, 14u}) {
    while (simulation->tick() < tick) ASSERT_TRUE(recorder.Step({}).ok());
    ASSERT_TRUE(
        writer->AddKeyframe(simulation->state(), recorder.chain()).ok());
  }
  ASSERT_TRUE(recorder.Finish().ok());

  EXPECT_THAT(KeyframeTicks(Read(file)), ElementsAre(0, 3, 10, 14));
  const auto report = VerifyReplay(**OpenReplay(file), {});
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_TRUE(report->passed());
}

TEST(ReplayWriterTest, LargePackIsNamedButNotInside) {
  const Bytes file = RecordTiny({.writer = {.pack_bytes_max = 100}});
  const std::unique_ptr<ReplayReader> replay = *OpenReplay(file);

  EXPECT_EQ(replay->ReadPack().status().code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(replay->metadata().pack_digest, MakeTinyPack().ComputeDigest());
}

TEST(ReplayWriterTest, EachBatchIsOneChunkHoweverMuchItHolds) {
  const Bytes file = RecordTiny({.tick_count = 70'000,
                                 .writer = {.digest_stride = 1,
                                            .keyframe_stride = 0,
                                            .batch_ticks = 1'000'000}});
  const std::unique_ptr<ReplayReader> replay = *OpenReplay(file);

  // 32 bytes of digests a tick pass a batch's bytes twice; each time its
  // inputs, digests and events lie together.
  const McapReader& reader = replay->file();
  ASSERT_EQ(reader.Chunks()->size(), 4u);
  for (size_t i = 1; i < 3; ++i) {
    EXPECT_EQ(reader.Chunks().value()[i].message_index_offsets.size(), 3u) << i;
  }
}

TEST(ReplayWriterTest, RunWithoutATickIsAReplayToo) {
  const ReplayContents contents = Read(RecordTiny({.tick_count = 0}));

  EXPECT_EQ(contents.tick_count, 0u);
  ASSERT_TRUE(contents.end.has_value());
  EXPECT_EQ(contents.end->tick_count, 0u);
}

TEST(ReplayWriterTest, ChunkClosesWithEachBatch) {
  // Without a keyframe, 100 ticks in batches of 20, and the end.
  const Bytes file = RecordTiny(
      {.tick_count = 100, .writer = {.keyframe_stride = 0, .batch_ticks = 20}});

  // One more for the definitions.
  EXPECT_EQ((*OpenReplay(file))->file().Chunks()->size(), 7u);
}

TEST(ReplayWriterTest, UnfinishedFileHoldsAllFullBatches) {
  const Bytes file = RecordTiny({.tick_count = 99, .is_finished = false});

  EXPECT_EQ((*OpenReplay(file))->tick_count(), 80u);
}

TEST(ReplayWriterTest, FlushKeepsWhatWasGathered) {
  const sim::PackArchive pack = MakeTinyPack();
  const std::unique_ptr<sim::Simulation> simulation = MakeTiny(7, pack);
  Bytes file;
  const std::unique_ptr<ReplayWriter> writer = *ReplayWriter::Create(
      std::make_unique<MemorySink>(&file), *simulation, pack, {});
  Recorder recorder(simulation.get(), writer.get());
  for (int i = 0; i < 13; ++i) ASSERT_TRUE(recorder.Step({}).ok());

  ASSERT_TRUE(recorder.Flush().ok());

  EXPECT_EQ((*OpenReplay(file))->tick_count(), 13u);
  EXPECT_EQ(Read(file).digests.size(), 2u);
}

TEST(ReplayWriterTest, LargeBatchIsWrittenEarly) {
  const sim::PackArchive pack = MakeTinyPack();
  const std::unique_ptr<sim::Simulation> simulation = MakeTiny(7, pack);
  Bytes file;
  const std::unique_ptr<ReplayWriter> writer =
      *ReplayWriter::Create(std::make_unique<MemorySink>(&file), *simulation,
                            pack, {.batch_ticks = 1'000'000});
  sim::Event event;
  event.type = sim::IdOf("goal_reached");
  const std::vector<sim::Event> events(100'000, event);
  ASSERT_TRUE(writer->AddState(0, simulation->state(), {}, {}).ok());
  ASSERT_TRUE(writer->AddTick(0, {}, events).ok());

  ASSERT_TRUE(writer->AddState(1, simulation->state(), {}, {}).ok());

  EXPECT_EQ((*OpenReplay(file))->tick_count(), 1u);
}

TEST(ReplayWriterTest, FullDiskIsReportedAtOnceAndEverAfter) {
  const sim::PackArchive pack = MakeTinyPack();
  const std::unique_ptr<sim::Simulation> simulation = MakeTiny(7, pack);
  const std::unique_ptr<ReplayWriter> writer = *ReplayWriter::Create(
      std::make_unique<FullSink>(RecordTiny({.tick_count = 50}).size()),
      *simulation, pack, {.batch_ticks = 20});
  Recorder recorder(simulation.get(), writer.get());
  absl::Status status;
  for (int i = 0; i < 100'000 && status.ok(); ++i) status = recorder.Step({});

  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(recorder.recording_status(), status);
  const sim::Tick tick = simulation->tick();
  EXPECT_EQ(recorder.Step({}), status);
  EXPECT_EQ(recorder.Finish(), status);
  EXPECT_EQ(simulation->tick(), tick);
}

TEST(ReplayWriterTest, FullDiskFromTheStartIsReported) {
  const sim::PackArchive pack = MakeTinyPack();

  EXPECT_EQ(ReplayWriter::Create(std::make_unique<FullSink>(100),
                                 *MakeTiny(7, pack), pack, {})
                .status()
                .code(),
            absl::StatusCode::kResourceExhausted);
}

TEST(ReplayWriterTest, IdleTicksCostAtMostSixBytes) {
  constexpr sim::Tick kTicks = 100'000;
  const Bytes file =
      RecordTiny({.tick_count = kTicks,
                  .writer = {.digest_stride = 10, .keyframe_stride = 0},
                  .is_idle = true});

  RecordProperty("bytes_per_1000_ticks",
                 static_cast<int>(file.size() * 1000 / kTicks));
  EXPECT_LE(file.size(), 6 * kTicks);
}

}  // namespace
}  // namespace reprise::replays
