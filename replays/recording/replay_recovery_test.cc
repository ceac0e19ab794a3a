// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves what is saved of a replay that was damaged somewhere: a recording is
// cut all over, and has bytes flipped all over. Whatever comes of it reads,
// verifies and is a part of what was recorded; what is lost, is said.

#include "replays/recording/replay_recovery.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "replays/container/byte_file.h"
#include "replays/container/mcap_encoding.h"
#include "replays/container/mcap_reader.h"
#include "replays/container/mcap_records.h"
#include "replays/container/mcap_writer.h"
#include "replays/format/replay_metadata.h"
#include "replays/format/replay_topics.h"
#include "replays/testing/edited_replay.h"
#include "replays/testing/forged_replay.h"
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

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Bytes between two places at which a file is damaged: an odd number, so that
// each field of a record is hit somewhere.
constexpr size_t kStride = 5;

struct Recovered {
  RecoveryReport report;
  Bytes file;
};

absl::StatusOr<Recovered> Recover(std::span<const std::byte> damaged) {
  Recovered recovered;
  MemorySink sink(&recovered.file);
  absl::StatusOr<RecoveryReport> report =
      RecoverReplay(std::make_unique<MemorySource>(damaged), &sink);
  if (!report.ok()) return report.status();
  recovered.report = *std::move(report);
  return recovered;
}

ReplayContents Read(const Bytes& file) {
  return *ReadContents(**OpenReplay(file));
}

// The recording with one byte of chunk `chunk` flipped.
Bytes WithDamagedChunk(Bytes file, size_t chunk) {
  const uint64_t offset =
      (*OpenReplay(file))->file().Chunks().value()[chunk].chunk_start_offset;
  file[offset + 60] ^= std::byte{1};
  return file;
}

// The recording, in whole chunks, with an entry too much in the digests from
// `first_tick` on.
Bytes WithWrongDigests(const Bytes& whole, uint64_t first_tick) {
  const std::unique_ptr<ReplayReader> replay = *OpenReplay(whole);
  const McapReader& file = replay->file();
  Bytes changed;
  MemorySink sink(&changed);
  const auto writer =
      *McapWriter::Create({.profile = std::string(kReplayProfile),
                           .library = "",
                           .chunk_bytes_target = kMcapMessageBytesMax},
                          &sink);
  for (const McapMetadata& metadata : file.metadata()) {
    EXPECT_TRUE(writer->AddMetadata(metadata).ok());
  }
  std::map<uint16_t, uint16_t> channels;
  for (const auto& [id, channel] : file.channels()) {
    const McapSchema& schema = file.schemas().at(channel.schema_id);
    channels[id] = *writer->AddChannel(
        channel.topic, channel.message_encoding,
        *writer->AddSchema(schema.name, schema.encoding, schema.data),
        channel.metadata);
  }
  const auto chunks = file.Chunks();
  EXPECT_TRUE(chunks.ok()) << chunks.status();
  for (const McapChunkIndex& chunk : *chunks) {
    const auto copy = [&](const McapChannel& channel,
                          const McapMessage& message) {
      v1::DigestBatch batch;
      std::string data(reinterpret_cast<const char*>(message.data.data()),
                       message.data.size());
      if (channel.topic == kDigestsTopic && batch.ParseFromString(data) &&
          batch.first_tick() >= first_tick) {
        batch.add_chains(1);
        data = batch.SerializeAsString();
      }
      return writer->AddMessage(channels[channel.id], message.log_time_ns,
                                std::as_bytes(std::span(data)));
    };
    EXPECT_TRUE(file.ForEachMessageInChunk(chunk, copy).ok());
    EXPECT_TRUE(writer->FlushChunk().ok());
  }
  EXPECT_TRUE(writer->Finish().ok());
  return changed;
}

TEST(ReplayRecoveryTest, WholeReplayLosesNothing) {
  const Bytes file = RecordTiny();

  const Recovered recovered = *Recover(file);

  EXPECT_THAT(recovered.report.losses, IsEmpty());
  EXPECT_TRUE(recovered.report.has_end);
  EXPECT_EQ(recovered.file, file);
}

TEST(ReplayRecoveryTest, UnfinishedReplayGetsItsIndexBack) {
  const Bytes file = RecordTiny({.tick_count = 99, .is_finished = false});

  const Recovered recovered = *Recover(file);

  EXPECT_EQ(recovered.report.tick_count, 80u);
  EXPECT_EQ(recovered.report.bytes_lost, 0u);
  EXPECT_FALSE(recovered.report.is_damaged);
  EXPECT_FALSE(recovered.report.has_end);
  const std::unique_ptr<ReplayReader> replay = *OpenReplay(recovered.file);
  EXPECT_FALSE(replay->file().recovery().has_value());
  EXPECT_EQ(*ReadContents(*replay), Read(file));
}

TEST(ReplayRecoveryTest, DamagedChunkCostsTheTicksFromItOn) {
  const Recovered recovered = *Recover(WithDamagedChunk(RecordTiny(), 4));

  EXPECT_EQ(recovered.report.tick_count, 40u);
  EXPECT_EQ(recovered.report.tick_count_before, 100u);
  EXPECT_THAT(recovered.report.losses,
              Contains(AllOf(HasSubstr("ticks from 40 on"),
                             HasSubstr("offset "), HasSubstr("chunk: "))));
  EXPECT_THAT(recovered.report.losses, Contains(HasSubstr("to tick 100")));
  EXPECT_TRUE(VerifyReplay(**OpenReplay(recovered.file), {})->passed());
}

TEST(ReplayRecoveryTest, BatchThatNoReaderTakesIsNotSaved) {
  const Recovered recovered =
      *Recover(WithWrongDigests(RecordTiny(), /*first_tick=*/40));

  EXPECT_EQ(recovered.report.tick_count, 40u);
  EXPECT_TRUE(recovered.report.is_damaged);
  EXPECT_THAT(recovered.report.losses, Contains(HasSubstr("chains and")));
  const sim::PackArchive same = MakeTinyPack();
  EXPECT_TRUE(
      VerifyReplay(**OpenReplay(recovered.file), {.pack = &same})->passed());
}

TEST(ReplayRecoveryTest, CutAnywhereAllWholeChunksAreSaved) {
  const Bytes file = RecordTiny();
  const ReplayContents whole = Read(file);
  for (size_t size = 0; size < file.size(); size += kStride) {
    const std::span<const std::byte> cut = std::span(file).first(size);
    const absl::StatusOr<Recovered> recovered = Recover(cut);
    const auto readable = OpenReplay(cut);
    ASSERT_EQ(recovered.ok(), readable.ok()) << size;
    if (!recovered.ok()) continue;
    ASSERT_EQ(Read(recovered->file), *ReadContents(**readable)) << size;
    ASSERT_FALSE(recovered->report.losses.empty()) << size;
  }
}

TEST(ReplayRecoveryTest, FlippedAnywhereWhatIsSavedWasRecorded) {
  Bytes file = RecordTiny({.tick_count = 60});
  const ReplayContents whole = Read(file);
  size_t saved = 0;
  for (size_t i = 0; i < file.size(); i += kStride) {
    file[i] ^= std::byte{0x10};
    const absl::StatusOr<Recovered> recovered = Recover(file);
    file[i] ^= std::byte{0x10};
    if (!recovered.ok()) continue;
    ++saved;
    ASSERT_TRUE(IsPrefix(Read(recovered->file), whole)) << i;
  }
  // All but what says what the file is and what was run.
  EXPECT_GT(saved, file.size() / kStride * 8 / 10);
}

TEST(ReplayRecoveryTest, DamagedPackIsLeftOutAndTheInputsAreSaved) {
  Bytes file = RecordTiny();
  const McapAttachmentIndex pack = (*OpenReplay(file))->file().attachments()[0];
  file[pack.offset + pack.length / 2] ^= std::byte{1};
  // With the index at its end, and without.
  for (const size_t size : {file.size(), file.size() - 20}) {
    const Recovered recovered = *Recover(std::span(file).first(size));
    EXPECT_FALSE(recovered.report.has_pack);
    EXPECT_TRUE(recovered.report.is_damaged);
    EXPECT_EQ(recovered.report.tick_count, 100u);
    EXPECT_THAT(recovered.report.losses, Contains(HasSubstr("Attachment")));
    const sim::PackArchive same = MakeTinyPack();
    EXPECT_TRUE(
        VerifyReplay(**OpenReplay(recovered.file), {.pack = &same})->passed());
  }
}

TEST(ReplayRecoveryTest, DamagedFrontCostsNothingWhereTheEndIsGood) {
  const Bytes file = RecordTiny();
  // The magic, and the header: opcode, length, profile and library.
  constexpr size_t kFrontBytes = 8 + 9 + 4 + 7 + 4 + 7;
  for (size_t i = 0; i < kFrontBytes; ++i) {
    Bytes damaged = file;
    damaged[i] ^= std::byte{4};
    const absl::StatusOr<Recovered> recovered = Recover(damaged);
    ASSERT_TRUE(recovered.ok()) << i << recovered.status();
    ASSERT_EQ(recovered->file, file) << i;
    // A longer header is one with fields to come, and nothing depends on the
    // library's name. The magic, the opcode and the profile are told.
    const bool is_to_be_told = i <= 8 || (i >= 17 && i < 28);
    ASSERT_FALSE(is_to_be_told && recovered->report.losses.empty()) << i;
  }
}

TEST(ReplayRecoveryTest, WholeFileOfAnotherProfileIsNoReplay) {
  Bytes file;
  MemorySink sink(&file);
  ASSERT_TRUE((*McapWriter::Create({.profile = "ros2", .library = ""}, &sink))
                  ->Finish()
                  .ok());

  EXPECT_EQ(Recover(file).status().code(), absl::StatusCode::kInvalidArgument);
}

// An unfinished recording with more in front of its first attachment.
Bytes WithInFront(std::span<const std::byte> added) {
  Bytes file = RecordTiny({.tick_count = 80, .is_finished = false});
  const uint64_t place = (*OpenReplay(file))->file().attachments()[0].offset;
  file.insert(file.begin() + static_cast<ptrdiff_t>(place), added.begin(),
              added.end());
  return file;
}

TEST(ReplayRecoveryTest, TwoAnswersToWhatWasRunSaveNothing) {
  const Bytes file = RecordTiny();
  McapMetadata metadata =
      *(*OpenReplay(file))->file().FindMetadata(kReplayMetadataName);
  Bytes same;
  EncodeRecord(metadata, &same);
  metadata.entries["seed"] = "9";
  Bytes other;
  EncodeRecord(metadata, &other);

  const Recovered recovered = *Recover(WithInFront(same));

  EXPECT_EQ(recovered.report.tick_count, 80u);
  EXPECT_THAT(recovered.report.losses, Contains(HasSubstr("a second")));
  EXPECT_TRUE(OpenReplay(recovered.file).ok());
  const absl::Status status = Recover(WithInFront(other)).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(std::string(status.message()), HasSubstr("in two ways"));
}

TEST(ReplayRecoveryTest, OfSeveralPacksTheOneThatWasPlayedIsSaved) {
  Bytes wrong;
  EncodeRecord(McapAttachment{.name = std::string(kPackAttachment),
                              .media_type = std::string(kPackMediaType),
                              .data = {}},
               &wrong);

  const Recovered recovered = *Recover(WithInFront(wrong));

  EXPECT_TRUE(recovered.report.has_pack);
  EXPECT_THAT(recovered.report.losses, Contains(HasSubstr("its digest is")));
  EXPECT_TRUE(VerifyReplay(**OpenReplay(recovered.file), {})->passed());
}

TEST(ReplayRecoveryTest, WhatIsNoReplayIsInvalid) {
  EXPECT_EQ(Recover({}).status().code(), absl::StatusCode::kInvalidArgument);
}

TEST(ReplayRecoveryTest, WithoutItsMetadataNothingIsSaved) {
  Bytes file = RecordTiny();
  // Behind the magic and the header stands the metadata.
  file[60] ^= std::byte{1};

  EXPECT_EQ(Recover(file).status().code(), absl::StatusCode::kDataLoss);
}

// The recording without what was proven behind tick 40.
Bytes WithoutLaterProof() {
  int batches = 0;
  return EditReplay(
      RecordTiny({.is_finished = false}),
      [&batches](std::string_view topic,
                 const std::string& data) -> std::optional<std::string> {
        if (topic == kDigestsTopic && ++batches > 2) return std::nullopt;
        v1::Keyframe keyframe;
        if (topic == kKeyframesTopic && keyframe.ParseFromString(data) &&
            keyframe.tick() > 40) {
          return std::nullopt;
        }
        return data;
      });
}

TEST(ReplayRecoveryTest, WhatIsSavedVerifies) {
  const Recovered recovered = *Recover(WithoutLaterProof());

  EXPECT_EQ(recovered.report.tick_count, 40u);
  EXPECT_EQ(recovered.report.unproven_ticks, 60u);
  EXPECT_THAT(recovered.report.losses,
              Contains("60 ticks from tick 40 on have inputs, and nothing "
                       "recorded says what they led to"));
  EXPECT_TRUE(VerifyReplay(**OpenReplay(recovered.file), {})->passed());
}

TEST(ReplayRecoveryTest, InputsThatNothingStandsForAreSavedOnRequest) {
  const Bytes damaged = WithoutLaterProof();
  Bytes file;
  MemorySink sink(&file);
  const RecoveryReport report = *RecoverReplay(
      std::make_unique<MemorySource>(damaged), &sink, {.keep_unproven = true});

  EXPECT_EQ(report.tick_count, 100u);
  const VerificationReport verified = *VerifyReplay(**OpenReplay(file), {});
  EXPECT_TRUE(verified.is_right());
  EXPECT_FALSE(verified.passed());
}

TEST(ReplayRecoveryTest, KeyframesThatSayNothingAreLeftOut) {
  // Of three, the first one loses its rows, and says what the others are.
  const Bytes damaged =
      EditReplay(RecordTiny(),
                 [](std::string_view topic,
                    const std::string& data) -> std::optional<std::string> {
                   v1::Keyframe keyframe;
                   if (topic != kKeyframesTopic ||
                       !keyframe.ParseFromString(data) || keyframe.tick() > 0) {
                     return data;
                   }
                   keyframe.mutable_state()->resize(30);
                   return keyframe.SerializeAsString();
                 });

  const Recovered recovered = *Recover(damaged);

  EXPECT_THAT(recovered.report.losses,
              Contains(HasSubstr("/keyframes, message 0: ")));
  EXPECT_EQ(Read(recovered.file).keyframes.size(), 2u);
  EXPECT_TRUE(VerifyReplay(**OpenReplay(recovered.file), {})->passed());
}

TEST(ReplayRecoveryTest, EventsThatCantBeReadAreLeftOut) {
  const Bytes damaged =
      EditReplay(RecordTiny(),
                 [](std::string_view topic,
                    const std::string& data) -> std::optional<std::string> {
                   return topic == kEventsTopic ? "no events" : data;
                 });

  const Recovered recovered = *Recover(damaged);

  EXPECT_THAT(recovered.report.losses,
              Contains(HasSubstr("/events, message 0: ")));
  EXPECT_TRUE(recovered.report.has_end);
  EXPECT_TRUE(VerifyReplay(**OpenReplay(recovered.file), {})->passed());
}

// The second of three batches is lost; what is left says where all events end.
TEST(ReplayRecoveryTest, WhereSomeEventsAreLostTheOthersAreSaved) {
  const Bytes damaged =
      EditReplay(RecordTiny({.tick_count = 320}),
                 [](std::string_view topic,
                    const std::string& data) -> std::optional<std::string> {
                   v1::EventBatch batch;
                   const bool is_lost = topic == kEventsTopic &&
                                        batch.ParseFromString(data) &&
                                        batch.events(0).tick() == 199;
                   return is_lost ? "no events" : data;
                 });

  const Recovered recovered = *Recover(damaged);

  EXPECT_EQ(Read(recovered.file).events.size(), 2u);
  EXPECT_TRUE(VerifyReplay(**OpenReplay(recovered.file), {})->passed());
}

// Nobody knows of which ticks they were.
TEST(ReplayRecoveryTest, EndCountsTheEventsThatWereSaved) {
  const Bytes damaged =
      EditReplay(RecordTiny({.tick_count = 320}), Without(kEventsTopic));

  const Recovered recovered = *Recover(damaged);

  EXPECT_THAT(recovered.report.losses,
              Contains("/end, message 0: it counts 3 events, and there are 0"));
  const std::unique_ptr<ReplayReader> replay = *OpenReplay(recovered.file);
  EXPECT_EQ(replay->event_count(), 0u);
  EXPECT_TRUE(VerifyReplay(*replay, {})->passed());
}

// Keyframes of 0, 40 and 80, in many messages each.
Bytes RecordInParts() {
  return RecordTiny({.writer = {.digest_stride = 10,
                                .keyframe_stride = 40,
                                .batch_ticks = 20,
                                .state_part_bytes = 37}});
}

TEST(ReplayRecoveryTest, StatesInManyMessagesAreSaved) {
  const Bytes whole = RecordInParts();

  const Recovered recovered = *Recover(whole);

  EXPECT_THAT(recovered.report.losses, IsEmpty());
  EXPECT_EQ(Read(recovered.file), Read(whole));
}

TEST(ReplayRecoveryTest, StateWithoutOneOfItsPartsIsLeftOut) {
  for (const uint64_t lost : {uint64_t{0}, uint64_t{37}}) {
    const Bytes damaged = EditReplay(
        RecordInParts(),
        [lost](std::string_view topic,
               const std::string& data) -> std::optional<std::string> {
          v1::Keyframe part;
          const bool is_lost = topic == kKeyframesTopic &&
                               part.ParseFromString(data) &&
                               part.tick() == 40 && part.state_offset() == lost;
          if (is_lost) return std::nullopt;
          return data;
        });

    const Recovered recovered = *Recover(damaged);

    EXPECT_THAT(recovered.report.losses,
                Contains(HasSubstr("it isn't the next part of a state")));
    EXPECT_EQ(Read(recovered.file).keyframes.size(), 2u);
    EXPECT_TRUE(VerifyReplay(**OpenReplay(recovered.file), {})->passed());
  }
}

TEST(ReplayRecoveryTest, NoTickIsToldThatNobodyCouldHaveRecorded) {
  // The first chunk of ticks is damaged; those behind claim 2^52 of them.
  const Bytes damaged =
      EditReplay(RecordTiny(),
                 [](std::string_view topic,
                    const std::string& data) -> std::optional<std::string> {
                   v1::InputBatch batch;
                   if (topic != kInputsTopic || !batch.ParseFromString(data))
                     return data;
                   if (batch.first_tick() == 0) return "no inputs";
                   batch.set_tick_count(uint64_t{1} << 52);
                   return batch.SerializeAsString();
                 });

  const Recovered recovered = *Recover(damaged);

  EXPECT_EQ(recovered.report.tick_count, 0u);
  EXPECT_EQ(recovered.report.tick_count_before, std::nullopt);
}

TEST(ReplayRecoveryTest, AnEndThatNothingStandsForIsNotSaved) {
  v1::InputBatch inputs;
  inputs.set_tick_count(uint64_t{1} << 40);
  v1::RunEnd end;
  end.set_tick_count(inputs.tick_count());
  end.set_outcome(v1::RunEnd::OUTCOME_RUNNING);
  const Bytes damaged = ForgedReplay()
                            .Add(kInputsTopic, 0, inputs)
                            .Add(kEndTopic, end.tick_count(), end)
                            .Finish();
  for (const bool keep_unproven : {false, true}) {
    Bytes file;
    MemorySink sink(&file);
    const RecoveryReport report =
        *RecoverReplay(std::make_unique<MemorySource>(damaged), &sink,
                       {.keep_unproven = keep_unproven});

    EXPECT_FALSE(report.has_end);
    EXPECT_EQ(report.tick_count, keep_unproven ? kUnprovenTicksMax : 0u);
    EXPECT_EQ((*OpenReplay(file))->tick_count(), report.tick_count);
  }
}

}  // namespace
}  // namespace reprise::replays
