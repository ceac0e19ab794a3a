// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that a replay reads as it was recorded or not at all. Whole files are
// compared record by record; then one is cut at every byte and flipped at every
// byte.

#include "replays/format/replay_reader.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "replays/container/byte_file.h"
#include "replays/container/mcap_records.h"
#include "replays/container/mcap_writer.h"
#include "replays/format/replay_metadata.h"
#include "replays/format/replay_topics.h"
#include "replays/testing/forged_replay.h"
#include "replays/testing/replay_contents.h"
#include "replays/testing/tiny_recording.h"
#include "replays/testing/tiny_simulation.h"
#include "reprise/v1/digest_batch.pb.h"
#include "reprise/v1/input_batch.pb.h"
#include "reprise/v1/keyframe.pb.h"
#include "reprise/v1/run_end.pb.h"

namespace reprise::replays {
namespace {

using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::StartsWith;

absl::StatusOr<ReplayContents> Read(std::span<const std::byte> file) {
  const absl::StatusOr<std::unique_ptr<ReplayReader>> replay = OpenReplay(file);
  if (!replay.ok()) return replay.status();
  return ReadContents(**replay);
}

TEST(ReplayReaderTest, InputsReadAsGiven) {
  const ReplayContents contents = *Read(RecordTiny());
  RestlessInputs inputs;
  std::vector<TickInputs> given;
  for (sim::Tick tick = 0; tick < 100; ++tick) {
    const auto frames = *inputs.FramesAt(tick);
    if (!frames.empty())
      given.push_back({tick, {frames.begin(), frames.end()}});
  }

  EXPECT_EQ(contents.inputs, given);
}

TEST(ReplayReaderTest, PackInsideIsTheOneThatWasPlayed) {
  const Bytes file = RecordTiny();

  const absl::StatusOr<sim::PackArchive> pack = (*OpenReplay(file))->ReadPack();

  ASSERT_TRUE(pack.ok()) << pack.status();
  EXPECT_EQ(pack->ComputeDigest(), MakeTinyPack().ComputeDigest());
}

TEST(ReplayReaderTest, InputsFromAnyTickOnAreThoseOfTheWholeFile) {
  const Bytes file = RecordTiny();
  const std::unique_ptr<ReplayReader> replay = *OpenReplay(file);
  for (sim::Tick first = 0; first <= 100; ++first) {
    const std::unique_ptr<InputSource> part = replay->ReadInputs(first);
    const std::unique_ptr<InputSource> whole = replay->ReadInputs();
    for (sim::Tick tick = first; tick < 100; ++tick) {
      const auto expected = *whole->FramesAt(tick);
      const auto actual = *part->FramesAt(tick);
      ASSERT_TRUE(std::ranges::equal(expected, actual))
          << first << ", " << tick;
    }
  }
}

TEST(ReplayReaderTest, NoInputsLieBehindTheEnd) {
  const Bytes file = RecordTiny();
  const std::unique_ptr<ReplayReader> replay = *OpenReplay(file);

  EXPECT_TRUE(replay->ReadInputs()->FramesAt(100)->empty());
  EXPECT_TRUE(replay->ReadInputs(1000)->FramesAt(1000)->empty());
}

TEST(ReplayReaderTest, KeyframeFoundIsTheLastAtOrBeforeTheTick) {
  const Bytes file = RecordTiny();
  const std::unique_ptr<ReplayReader> replay = *OpenReplay(file);

  EXPECT_EQ((*replay->FindKeyframe(39))->tick, 0u);
  EXPECT_EQ((*replay->FindKeyframe(40))->tick, 40u);
  EXPECT_EQ((*replay->FindKeyframe(79))->tick, 40u);
  EXPECT_EQ((*replay->FindKeyframe(100))->tick, 80u);
}

TEST(ReplayReaderTest, WithoutKeyframesNoneIsFound) {
  const Bytes file = RecordTiny({.writer = {.keyframe_stride = 0}});

  EXPECT_EQ(*(*OpenReplay(file))->FindKeyframe(50), std::nullopt);
}

TEST(ReplayReaderTest, CutAtEveryByteIsAPrefixOrRefused) {
  const Bytes file = RecordTiny();
  const ReplayContents whole = *Read(file);
  sim::Tick longest = 0;
  for (size_t size = 0; size < file.size(); ++size) {
    const absl::StatusOr<ReplayContents> part =
        Read(std::span(file).first(size));
    if (!part.ok()) continue;
    ASSERT_TRUE(IsPrefix(*part, whole)) << size;
    ASSERT_GE(part->tick_count, longest) << size;
    longest = part->tick_count;
  }
  EXPECT_EQ(longest, 100u);
}

TEST(ReplayReaderTest, CutFileSaysThatItIsNotWhole) {
  const Bytes file = RecordTiny({.is_finished = false});

  EXPECT_FALSE((*OpenReplay(file))->is_complete());
  EXPECT_TRUE((*OpenReplay(file))->file().recovery().has_value());
}

TEST(ReplayReaderTest, FlippedAtEveryByteIsRefusedOrTheSame) {
  Bytes file = RecordTiny();
  const ReplayContents whole = *Read(file);
  for (size_t i = 0; i < file.size(); ++i) {
    const std::byte flip{static_cast<uint8_t>(1 << (i % 8))};
    file[i] ^= flip;
    const absl::StatusOr<ReplayContents> contents = Read(file);
    ASSERT_TRUE(!contents.ok() || *contents == whole) << "byte " << i;
    file[i] ^= flip;
  }
}

// A file as it looks to whoever follows it, a few bytes more at each look.
TEST(ReplayReaderTest, GrowingFileIsFollowedToItsEnd) {
  const Bytes file = RecordTiny();
  const ReplayContents whole = *Read(file);
  const std::span<const std::byte> bytes = file;
  for (const size_t step : {1, 97, 1000, 100'000}) {
    std::unique_ptr<ReplayReader> replay;
    std::unique_ptr<ReplayCursor<DigestEntry>> digests;
    std::unique_ptr<InputSource> inputs;
    std::vector<DigestEntry> seen;
    sim::Tick ticks = 0;
    size_t size = 0;
    while (size < file.size()) {
      size = std::min(size + step, file.size());
      auto source = std::make_unique<MemorySource>(bytes.first(size));
      if (replay == nullptr) {
        auto opened = ReplayReader::Open(std::move(source));
        if (!opened.ok()) continue;
        replay = *std::move(opened);
        digests = replay->ReadDigests();
        inputs = replay->ReadInputs();
      } else {
        ASSERT_TRUE(replay->Extend(std::move(source)).ok());
      }
      for (; ticks < replay->tick_count(); ++ticks) {
        ASSERT_TRUE(inputs->FramesAt(ticks).ok());
      }
      while (true) {
        const auto entry = digests->Next();
        ASSERT_TRUE(entry.ok()) << entry.status();
        if (!entry->has_value()) break;
        seen.push_back(**entry);
      }
    }
    EXPECT_EQ(seen, whole.digests) << step;
    EXPECT_EQ(ticks, whole.tick_count) << step;
    EXPECT_FALSE(replay->file().recovery().has_value()) << step;
    EXPECT_EQ(*ReadContents(*replay), whole) << step;
  }
}

TEST(ReplayReaderTest, FileThatShrinksWhileFollowedIsDataLoss) {
  const Bytes file = RecordTiny({.is_finished = false});
  const std::unique_ptr<ReplayReader> replay = *OpenReplay(file);

  EXPECT_EQ(replay
                ->Extend(std::make_unique<MemorySource>(
                    std::span(file).first(file.size() - 1)))
                .code(),
            absl::StatusCode::kDataLoss);
}

TEST(ReplayReaderTest, StatesFromAnyTickOnAreThoseOfTheWholeFile) {
  const Bytes file = RecordTiny(
      {.writer = {
           .digest_stride = 5, .keyframe_stride = 20, .batch_ticks = 7}});
  const std::unique_ptr<ReplayReader> replay = *OpenReplay(file);
  for (sim::Tick first = 0; first <= 101; ++first) {
    const auto digests = replay->ReadDigests(first);
    for (sim::Tick tick = (first + 4) / 5 * 5; tick <= 100; tick += 5) {
      ASSERT_EQ((**digests->Next()).tick, tick) << first;
    }
    EXPECT_FALSE(digests->Next()->has_value());
    const auto keyframes = replay->ReadKeyframes(first);
    for (sim::Tick tick = (first + 19) / 20 * 20; tick <= 100; tick += 20) {
      ASSERT_EQ((**keyframes->Next()).tick, tick) << first;
    }
    EXPECT_FALSE(keyframes->Next()->has_value());
  }
}

TEST(ReplayReaderTest, NothingIsNoReplay) {
  EXPECT_EQ(Read({}).status().code(), absl::StatusCode::kInvalidArgument);
}

TEST(ReplayReaderTest, WhatIsNotMcapIsNoReplay) {
  const std::string text = "name: \"tiny\", and a few more words";

  EXPECT_EQ(Read(std::as_bytes(std::span(text))).status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(ReplayReaderTest, McapOfAnotherProfileIsNoReplay) {
  Bytes file;
  MemorySink sink(&file);
  ASSERT_TRUE((*McapWriter::Create({.profile = "ros2", .library = ""}, &sink))
                  ->Finish()
                  .ok());

  EXPECT_EQ(Read(file).status().code(), absl::StatusCode::kInvalidArgument);
}

TEST(ReplayReaderTest, MissingFileIsNotFoundByItsPath) {
  const absl::Status status =
      ReplayReader::OpenFile("/nowhere/a.mcap").status();

  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(status.message()), HasSubstr("/nowhere/a.mcap"));
}

TEST(ReplayReaderTest, ErrorsOfReadingNameTheFileOnce) {
  Bytes file = RecordTiny();
  const uint64_t offset =
      (*OpenReplay(file))->file().Chunks().value()[4].chunk_start_offset;
  file[offset + 60] ^= std::byte{1};
  const std::string path = ::testing::TempDir() + "/flipped.mcap";
  ASSERT_TRUE((*FileSink::Create(path))->Append(file).ok());
  const std::unique_ptr<ReplayReader> replay = *ReplayReader::OpenFile(path);

  const absl::Status inputs = replay->ReadInputs(40)->FramesAt(99).status();
  const absl::Status digests = ReadContents(*replay).status();

  const std::string place = path + ": offset " + std::to_string(offset) + ": ";
  EXPECT_THAT(std::string(inputs.message()), StartsWith(place));
  EXPECT_THAT(std::string(digests.message()), StartsWith(place));
}

// The front of a recording with these records twice, and nothing else.
Bytes WithFrontTwice(bool metadata_twice, bool pack_twice) {
  const Bytes whole = RecordTiny();
  const std::unique_ptr<ReplayReader> replay = *OpenReplay(whole);
  const Bytes pack =
      *replay->file().ReadAttachment(replay->file().attachments()[0]);
  McapMetadata metadata = *replay->file().FindMetadata(kReplayMetadataName);
  Bytes file;
  MemorySink sink(&file);
  const auto writer = *McapWriter::Create(
      {.profile = std::string(kReplayProfile), .library = ""}, &sink);
  EXPECT_TRUE(writer->AddMetadata(metadata).ok());
  metadata.entries["seed"] = "9";
  if (metadata_twice) {
    EXPECT_TRUE(writer->AddMetadata(metadata).ok());
  }
  for (int i = 0; i < (pack_twice ? 2 : 1); ++i) {
    EXPECT_TRUE(writer
                    ->AddAttachment({.name = std::string(kPackAttachment),
                                     .media_type = std::string(kPackMediaType),
                                     .data = pack})
                    .ok());
  }
  EXPECT_TRUE(writer->Finish().ok());
  return file;
}

TEST(ReplayReaderTest, WhatWasRunIsSaidOnce) {
  ASSERT_TRUE(OpenReplay(WithFrontTwice(false, false)).ok());

  const absl::Status metadata =
      OpenReplay(WithFrontTwice(true, false)).status();
  const absl::Status pack = OpenReplay(WithFrontTwice(false, true)).status();

  EXPECT_EQ(metadata.code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(std::string(metadata.message()),
              MatchesRegex("offset [0-9]+: a second metadata record reprise"));
  EXPECT_EQ(pack.code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(std::string(pack.message()),
              MatchesRegex("offset [0-9]+: a second attachment pack.tar"));
}

TEST(ReplayReaderTest, NewerFormatIsUnimplemented) {
  const Bytes file = ForgedReplay("format_revision", "99").Finish();

  EXPECT_EQ(OpenReplay(file).status().code(), absl::StatusCode::kUnimplemented);
}

TEST(ReplayReaderTest, OtherPackThanTheMetadataNamesIsDataLoss) {
  const Bytes file = ForgedReplay("pack_digest", std::string(64, '0')).Finish();

  EXPECT_EQ((*OpenReplay(file))->ReadPack().status().code(),
            absl::StatusCode::kDataLoss);
}

// A batch of a few bytes that claims so many ticks.
v1::InputBatch Claim(uint64_t tick_count) {
  v1::InputBatch inputs;
  inputs.set_tick_count(tick_count);
  return inputs;
}

TEST(ReplayReaderTest, TicksThatNothingStandsForAreBounded) {
  const uint64_t ticks_max = kUnprovenTicksMax;
  EXPECT_TRUE(
      OpenReplay(ForgedReplay().Add(kInputsTopic, 0, Claim(ticks_max)).Finish())
          .ok());
  for (const uint64_t ticks : {ticks_max + 1, uint64_t{1} << 53}) {
    const absl::Status status =
        OpenReplay(ForgedReplay().Add(kInputsTopic, 0, Claim(ticks)).Finish())
            .status();
    EXPECT_TRUE(absl::IsDataLoss(status)) << status;
    EXPECT_THAT(std::string(status.message()),
                HasSubstr("no digest or keyframe stands for"));
  }
}

TEST(ReplayReaderTest, AnEndDoesntStandForTicksWithoutDigests) {
  v1::RunEnd end;
  end.set_tick_count(uint64_t{1} << 53);
  end.set_outcome(v1::RunEnd::OUTCOME_RUNNING);

  const absl::Status status =
      OpenReplay(ForgedReplay()
                     .Add(kInputsTopic, 0, Claim(end.tick_count()))
                     .Add(kEndTopic, end.tick_count(), end)
                     .Finish())
          .status();

  EXPECT_TRUE(absl::IsDataLoss(status)) << status;
}

TEST(ReplayReaderTest, ADigestOrAKeyframeStandsForTheTicksBeforeIt) {
  const uint64_t ticks = 2 * kUnprovenTicksMax;
  v1::Keyframe keyframe;
  keyframe.set_tick(kUnprovenTicksMax);
  EXPECT_TRUE(OpenReplay(ForgedReplay()
                             .Add(kInputsTopic, 0, Claim(ticks))
                             .Add(kKeyframesTopic, keyframe.tick(), keyframe)
                             .Finish())
                  .ok());
  v1::DigestBatch digests;
  digests.set_first_tick(kUnprovenTicksMax);
  digests.add_chains(1);
  EXPECT_TRUE(OpenReplay(ForgedReplay()
                             .Add(kInputsTopic, 0, Claim(ticks))
                             .Add(kDigestsTopic, keyframe.tick(), digests)
                             .Finish())
                  .ok());
}

// What stands at the end stands for no more ticks than are allowed before it.
TEST(ReplayReaderTest, AGapBetweenDigestsOrKeyframesIsBoundedToo) {
  const uint64_t ticks = 4 * kUnprovenTicksMax;
  v1::Keyframe keyframe;
  keyframe.set_tick(ticks);
  EXPECT_TRUE(
      absl::IsDataLoss(OpenReplay(ForgedReplay()
                                      .Add(kInputsTopic, 0, Claim(ticks))
                                      .Add(kKeyframesTopic, ticks, keyframe)
                                      .Finish())
                           .status()));
  v1::DigestBatch digests;
  digests.set_stride(ticks / 2);
  for (int i = 0; i < 3; ++i) digests.add_chains(1);
  EXPECT_TRUE(absl::IsDataLoss(
      OpenReplay(ForgedReplay("digest_stride", std::to_string(ticks / 2))
                     .Add(kInputsTopic, 0, Claim(ticks))
                     .Add(kDigestsTopic, 0, digests)
                     .Finish())
          .status()));
  digests.set_stride(kUnprovenTicksMax);
  for (int i = 0; i < 2; ++i) digests.add_chains(1);
  EXPECT_TRUE(OpenReplay(ForgedReplay("digest_stride",
                                      std::to_string(kUnprovenTicksMax))
                             .Add(kInputsTopic, 0, Claim(ticks))
                             .Add(kDigestsTopic, 0, digests)
                             .Finish())
                  .ok());
}

// At a tick a second the times of a file end before its ticks do: chunks that
// lie close up to there stand for nothing behind it.
TEST(ReplayReaderTest, TicksBehindTheLastTimeAreBoundedToo) {
  constexpr uint64_t kSecondsMax =
      std::numeric_limits<uint64_t>::max() / 1'000'000'000;
  ForgedReplay forged("tick_rate", "1");
  forged.Add(kInputsTopic, 0, Claim(uint64_t{1} << 53));
  uint64_t second = 0;
  while (second <= kSecondsMax) {
    second += kUnprovenTicksMax / 4;
    // The times of forged messages are those of 60 ticks a second.
    forged.EndChunk().Add(kDigestsTopic, 60 * second, v1::DigestBatch());
  }

  const absl::Status status = OpenReplay(forged.Finish()).status();

  EXPECT_TRUE(absl::IsDataLoss(status)) << status;
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("no digest or keyframe stands for"));
}

TEST(ReplayReaderTest, MillionsOfEmptyEntriesAreRefused) {
  std::string ticks(kMcapMessageBytesMax, '\0');
  for (size_t i = 0; i < ticks.size(); i += 2) ticks[i] = '\x1a';

  const absl::Status status =
      OpenReplay(ForgedReplay().AddBytes(kInputsTopic, 0, ticks).Finish())
          .status();

  EXPECT_TRUE(absl::IsDataLoss(status)) << status;
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("/inputs, message 0: its 33554432 bytes would unpack"));
}

}  // namespace
}  // namespace reprise::replays
