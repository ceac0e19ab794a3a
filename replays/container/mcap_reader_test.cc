// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that the reader gives what was written, that it opens a file without
// reading its messages, and that no damage goes unnoticed: an example file is
// cut off at every byte and has every bit of every byte flipped, whole and
// unfinished.

#include "replays/container/mcap_reader.h"

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "fmt/format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "replays/container/byte_file.h"
#include "replays/container/byte_stream.h"
#include "replays/container/mcap_encoding.h"
#include "replays/container/mcap_example.h"
#include "replays/container/mcap_records.h"
#include "replays/container/mcap_writer.h"

namespace reprise::replays {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::StartsWith;

Bytes ToBytes(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  return Bytes(bytes.begin(), bytes.end());
}

std::string ToText(std::span<const std::byte> bytes) {
  return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

absl::StatusOr<std::unique_ptr<McapReader>> Open(
    std::span<const std::byte> bytes, const McapReaderOptions& options = {}) {
  return McapReader::Open(std::make_unique<MemorySource>(bytes), options);
}

// By the footer of a whole file.
uint64_t SummaryStart(const Bytes& bytes) {
  const auto footer =
      std::span(bytes).last(kMcapFooterBytes + kMcapMagic.size());
  return DecodeFooter(footer.subspan(kMcapRecordPrefixBytes,
                                     kMcapFooterBytes - kMcapRecordPrefixBytes))
      ->summary_start;
}

// Everything that a reader gives but the library's name, as text to compare.
struct Contents {
  std::vector<std::string> records;   // Metadata, attachments, definitions.
  std::vector<std::string> messages;  // In the file's order.
  bool recovered = false;
  uint64_t bytes_lost = 0;

  bool StartsLike(const Contents& whole) const {
    return messages.size() <= whole.messages.size() &&
           std::equal(messages.begin(), messages.end(), whole.messages.begin());
  }
};

absl::StatusOr<Contents> ReadAll(std::span<const std::byte> bytes) {
  const auto reader =
      Open(bytes, {.profile = std::string(kMcapExampleProfile)});
  if (!reader.ok()) return reader.status();
  Contents contents;
  contents.records.push_back((*reader)->header().profile);
  for (const McapMetadata& metadata : (*reader)->metadata()) {
    contents.records.push_back(metadata.name);
    for (const auto& [key, value] : metadata.entries) {
      contents.records.push_back(key + "=" + value);
    }
  }
  for (const McapAttachmentIndex& attachment : (*reader)->attachments()) {
    const auto data = (*reader)->ReadAttachment(attachment);
    if (!data.ok()) return data.status();
    contents.records.push_back(fmt::format(
        "{} {} {}", attachment.name, attachment.media_type, ToText(*data)));
  }
  for (const auto& [id, schema] : (*reader)->schemas()) {
    contents.records.push_back(fmt::format(
        "{} {} {} {}", id, schema.name, schema.encoding, ToText(schema.data)));
  }
  for (const auto& [id, channel] : (*reader)->channels()) {
    contents.records.push_back(fmt::format("{} {} {} {}", id, channel.topic,
                                           channel.schema_id,
                                           channel.metadata.size()));
  }
  const auto status = (*reader)->ForEachMessage(
      [&](const McapChannel& channel,
          const McapMessage& message) -> absl::Status {
        contents.messages.push_back(
            fmt::format("{} {} {} {}", channel.topic, message.sequence,
                        message.log_time_ns, ToText(message.data)));
        return absl::OkStatus();
      });
  if (!status.ok()) return status;
  if (const auto& recovery = (*reader)->recovery(); recovery.has_value()) {
    contents.recovered = true;
    contents.bytes_lost = recovery->bytes_lost;
  }
  return contents;
}

TEST(McapReaderTest, GivesWhatWasWritten) {
  const auto contents = ReadAll(WriteMcapExample());
  ASSERT_TRUE(contents.ok()) << contents.status();
  EXPECT_THAT(contents->records,
              ElementsAre("reprise", "run", "pack=marble", "seed=7",
                          "pack application/octet-stream bytes of a pack",
                          "1 Tick jsonschema {\"type\":\"object\"}",
                          "1 /inputs 1 0", "2 /digests 0 1"));
  EXPECT_THAT(
      contents->messages,
      ElementsAre(
          "/inputs 0 0 {\"tick\":0}", "/digests 0 0 {\"root\":0}",
          "/inputs 1 16666666 {\"tick\":1}", "/inputs 2 33333332 {\"tick\":2}",
          "/digests 1 33333332 {\"root\":4}", "/inputs 3 49999998 {\"tick\":3}",
          "/inputs 4 66666664 {\"tick\":4}", "/inputs 5 83333330 {\"tick\":5}",
          "/inputs 6 99999996 {\"tick\":6}",
          "/digests 2 99999996 {\"root\":36}",
          "/inputs 7 116666662 {\"tick\":7}",
          "/inputs 8 133333328 {\"tick\":8}",
          "/digests 3 133333328 {\"root\":64}"));
  EXPECT_FALSE(contents->recovered);
}

TEST(McapReaderTest, FindsByName) {
  const Bytes bytes = WriteMcapExample();
  const auto reader = Open(bytes).value();
  EXPECT_EQ(reader->FindMetadata("run")->entries.at("seed"), "7");
  EXPECT_EQ(reader->FindAttachment("pack")->data_size, 15u);
  EXPECT_EQ(reader->FindChannel("/digests")->id, 2);
  EXPECT_EQ(reader->FindMetadata("walk"), nullptr);
  EXPECT_EQ(reader->FindAttachment("park"), nullptr);
  EXPECT_EQ(reader->FindChannel("/digest"), nullptr);
}

TEST(McapReaderTest, CountsWithoutReading) {
  const Bytes bytes = WriteMcapExample();
  const McapStatistics statistics = Open(bytes).value()->Statistics();
  EXPECT_EQ(statistics.message_count, 13u);
  EXPECT_EQ(statistics.chunk_count, 3u);
  EXPECT_EQ(statistics.channel_message_counts.at(1), 9u);
  EXPECT_EQ(statistics.channel_message_counts.at(2), 4u);
  EXPECT_EQ(statistics.message_end_time_ns, 133'333'328u);
}

// A source that remembers the offsets it was read at, each with how far.
using ReadBytes = std::map<uint64_t, uint64_t>;
class WatchedSource final : public ByteSource {
 public:
  WatchedSource(std::span<const std::byte> bytes, ReadBytes* read)
      : source_(bytes), read_(*read) {}

  uint64_t size() const override { return source_.size(); }
  absl::Status ReadAt(uint64_t offset,
                      std::span<std::byte> out) const override {
    read_[offset] = std::max(read_[offset], uint64_t{out.size()});
    return source_.ReadAt(offset, out);
  }

 private:
  const MemorySource source_;
  ReadBytes& read_;
};

TEST(McapReaderTest, OpensWithoutTouchingAnyChunk) {
  const Bytes bytes = WriteMcapExample();
  ReadBytes read;
  const auto reader =
      McapReader::Open(std::make_unique<WatchedSource>(bytes, &read));
  ASSERT_TRUE(reader.ok()) << reader.status();
  const ReadBytes read_to_open = read;
  const auto chunks = (*reader)->Chunks();
  ASSERT_TRUE(chunks.ok()) << chunks.status();
  for (const McapChunkIndex& chunk : *chunks) {
    const auto inside = read_to_open.lower_bound(chunk.chunk_start_offset);
    EXPECT_GE(inside->first, chunk.chunk_start_offset + chunk.chunk_length);
  }
}

Bytes WriteChunks(uint64_t count) {
  Bytes bytes;
  MemorySink sink(&bytes);
  const auto writer = McapWriter::Create({.profile = "p"}, &sink).value();
  const uint16_t channel = writer->AddChannel("/ticks", "json", 0).value();
  for (uint64_t i = 0; i < count; ++i) {
    EXPECT_TRUE(writer->AddMessage(channel, i, ToBytes("{}")).ok());
    EXPECT_TRUE(writer->FlushChunk().ok());
  }
  EXPECT_TRUE(writer->Finish().ok());
  return bytes;
}

TEST(McapReaderTest, OpensALongFileByAsManyBytes) {
  const auto count_to_open = [](uint64_t chunk_count) {
    const Bytes bytes = WriteChunks(chunk_count);
    ReadBytes read;
    const auto reader =
        McapReader::Open(std::make_unique<WatchedSource>(bytes, &read));
    EXPECT_TRUE(reader.ok()) << reader.status();
    EXPECT_EQ((*reader)->Statistics().chunk_count, chunk_count);
    uint64_t sum = 0;
    for (const auto& [offset, size] : read) sum += size;
    EXPECT_EQ((*reader)->Chunks()->size(), chunk_count);
    EXPECT_EQ((*reader)->LastChunk()->message_end_time_ns, chunk_count - 1);
    return sum;
  };
  EXPECT_EQ(count_to_open(1), count_to_open(1000));
}

TEST(McapReaderTest, ATopicReadsOnlyTheChunksThatHaveIt) {
  const Bytes bytes = WriteMcapExample();
  ReadBytes read;
  const auto reader =
      McapReader::Open(std::make_unique<WatchedSource>(bytes, &read)).value();
  int messages = 0;
  const auto status = reader->ForEachMessage(
      "/digests", [&](const McapChannel&, const McapMessage&) {
        ++messages;
        return absl::OkStatus();
      });
  EXPECT_EQ(status, absl::OkStatus());
  EXPECT_EQ(messages, 4);
  EXPECT_TRUE(read.contains(reader->Chunks().value()[0].chunk_start_offset));
  EXPECT_FALSE(read.contains(reader->Chunks().value()[1].chunk_start_offset));
}

TEST(McapReaderTest, OneChunkGivesItsMessagesOnly) {
  const Bytes bytes = WriteMcapExample();
  const auto reader = Open(bytes).value();
  std::vector<uint32_t> sequences;
  const McapChunkIndex& chunk = reader->Chunks().value()[1];
  const auto status = reader->ForEachMessageInChunk(
      chunk, [&](const McapChannel&, const McapMessage& message) {
        sequences.push_back(message.sequence);
        return absl::OkStatus();
      });
  EXPECT_EQ(status, absl::OkStatus());
  EXPECT_THAT(sequences, ElementsAre(3, 4, 5));
  EXPECT_EQ(chunk.message_start_time_ns, 49'999'998u);
  EXPECT_EQ(chunk.message_end_time_ns, 83'333'330u);
}

TEST(McapReaderTest, ATopicThatIsNotThereHasNoMessages) {
  const Bytes bytes = WriteMcapExample();
  const auto status = Open(bytes).value()->ForEachMessage(
      "/frames", [](const McapChannel&, const McapMessage&) {
        return absl::InternalError("visited");
      });
  EXPECT_EQ(status, absl::OkStatus());
}

TEST(McapReaderTest, AVisitorsErrorEndsTheIteration) {
  const Bytes bytes = WriteMcapExample();
  int messages = 0;
  const auto status = Open(bytes).value()->ForEachMessage(
      [&](const McapChannel&, const McapMessage&) {
        return ++messages == 2 ? absl::CancelledError("enough")
                               : absl::OkStatus();
      });
  EXPECT_EQ(status, absl::CancelledError("enough"));
  EXPECT_EQ(messages, 2);
}

TEST(McapReaderTest, CutAnywhereItGivesAPrefixOrIsRefused) {
  const Bytes whole_bytes = WriteMcapExample();
  const Contents whole = ReadAll(whole_bytes).value();
  for (size_t size = 0; size < whole_bytes.size(); ++size) {
    const auto cut = ReadAll(std::span(whole_bytes).first(size));
    if (!cut.ok()) continue;
    EXPECT_TRUE(cut->StartsLike(whole)) << size;
    EXPECT_TRUE(cut->recovered) << size;
  }
}

TEST(McapReaderTest, CutBehindAChunkItKeepsThatChunk) {
  const Bytes bytes = WriteMcapExample();
  const auto reader = Open(bytes).value();
  for (size_t i = 0; i < reader->Chunks()->size(); ++i) {
    const McapChunkIndex& chunk = reader->Chunks().value()[i];
    const uint64_t end = chunk.chunk_start_offset + chunk.chunk_length;
    const auto behind = Open(std::span(bytes).first(end)).value();
    const auto inside = Open(std::span(bytes).first(end - 1)).value();
    EXPECT_EQ(behind->Chunks()->size(), i + 1);
    EXPECT_EQ(inside->Chunks()->size(), i);
    EXPECT_EQ(inside->recovery()->bytes_lost, chunk.chunk_length - 1);
  }
}

TEST(McapReaderTest, AFlippedByteIsRefusedOrChangesNothing) {
  const Bytes right = WriteMcapExample();
  const Contents expected = ReadAll(right).value();
  for (size_t i = 0; i < right.size(); ++i) {
    for (const int pattern : {1, 2, 4, 8, 16, 32, 64, 128, 0x55, 0xFF}) {
      Bytes wrong = right;
      wrong[i] ^= static_cast<std::byte>(pattern);
      const auto actual = ReadAll(wrong);
      if (!actual.ok()) continue;
      EXPECT_EQ(actual->messages, expected.messages) << i << " " << pattern;
      EXPECT_EQ(actual->records, expected.records) << i << " " << pattern;
    }
  }
}

TEST(McapReaderTest, AFlippedByteOfAnUnfinishedFileMakesNoHole) {
  const Bytes right = WriteUnfinishedMcapExample();
  const Contents expected = ReadAll(right).value();
  for (size_t i = 0; i < right.size(); ++i) {
    for (const int pattern : {1, 2, 4, 8, 16, 32, 64, 128, 0x55, 0xFF}) {
      Bytes wrong = right;
      wrong[i] ^= static_cast<std::byte>(pattern);
      const auto actual = ReadAll(wrong);
      if (!actual.ok()) continue;
      EXPECT_TRUE(actual->StartsLike(expected)) << i << " " << pattern;
      const bool is_shorter =
          actual->messages.size() < expected.messages.size();
      EXPECT_TRUE(!is_shorter || actual->bytes_lost > 0) << i << " " << pattern;
    }
  }
}

TEST(McapReaderTest, VerifyingFindsEveryFlippedByte) {
  const Bytes right = WriteMcapExample();
  EXPECT_EQ(Open(right).value()->VerifyWholeFile(), absl::OkStatus());
  for (size_t i = 0; i < right.size(); ++i) {
    Bytes wrong = right;
    wrong[i] ^= std::byte{0x10};
    const auto reader = Open(wrong);
    if (!reader.ok()) continue;
    EXPECT_EQ((*reader)->VerifyWholeFile().code(), absl::StatusCode::kDataLoss)
        << i;
  }
}

TEST(McapReaderTest, VerifyingNamesTheChunkOrTheAttachment) {
  const Bytes right = WriteMcapExample();
  const auto whole = Open(right).value();
  const McapChunkIndex& chunk = whole->Chunks().value()[1];
  const McapAttachmentIndex& attachment = whole->attachments()[0];
  for (const auto& [offset, length] :
       {std::pair(chunk.chunk_start_offset, chunk.chunk_length),
        std::pair(attachment.offset, attachment.length)}) {
    Bytes wrong = right;
    wrong[offset + length - 5] ^= std::byte{1};
    EXPECT_THAT(std::string(Open(wrong).value()->VerifyWholeFile().message()),
                StartsWith(fmt::format("offset {}: ", offset)));
  }
}

TEST(McapReaderTest, VerifyingNamesAChunkThatHasNoMessages) {
  Bytes bytes;
  MemorySink sink(&bytes);
  const auto writer = McapWriter::Create({.profile = "p"}, &sink).value();
  const uint16_t channel = writer->AddChannel("/ticks", "json", 0).value();
  ASSERT_TRUE(writer->FlushChunk().ok());
  ASSERT_TRUE(writer->AddMessage(channel, 0, ToBytes("{}")).ok());
  ASSERT_TRUE(writer->Finish().ok());
  const McapChunkIndex first = Open(bytes).value()->Chunks().value()[0];
  ASSERT_TRUE(first.message_index_offsets.empty());
  bytes[first.chunk_start_offset + first.chunk_length - 1] ^= std::byte{1};

  EXPECT_THAT(
      std::string(Open(bytes).value()->VerifyWholeFile().message()),
      StartsWith(fmt::format("offset {}: chunk", first.chunk_start_offset)));
}

TEST(McapReaderTest, ErrorsNameTheFileOnce) {
  Bytes bytes = WriteMcapExample();
  const uint64_t offset =
      Open(bytes).value()->Chunks().value()[0].chunk_start_offset;
  bytes[offset + kMcapRecordPrefixBytes] ^= std::byte{1};
  const auto reader = Open(bytes, {.name = "a.mcap"}).value();
  const auto ignore = [](const McapChannel&, const McapMessage&) {
    return absl::OkStatus();
  };
  const std::string place = fmt::format("a.mcap: offset {}: chunk", offset);
  for (const absl::Status& status :
       {reader->ForEachMessage(ignore),
        reader->ForEachMessageInChunk(reader->Chunks().value()[0], ignore),
        reader->VerifyWholeFile()}) {
    EXPECT_THAT(std::string(status.message()), StartsWith(place));
  }
  EXPECT_EQ(Open({}, {.name = "a.mcap"}).status(),
            absl::InvalidArgumentError("a.mcap: not an MCAP file"));
}

TEST(McapReaderTest, ADamagedFrontIsPassedWhereAskedIfTheEndIsGood) {
  const Bytes right = WriteMcapExample();
  // The magic, its version, the opcode, the length, the profile.
  for (const size_t i : {0, 5, 8, 12, 16, 17, 24}) {
    Bytes wrong = right;
    wrong[i] ^= std::byte{1};
    EXPECT_FALSE(Open(wrong, {.profile = "reprise"}).ok()) << i;
    const McapReaderOptions salvage = {.profile = "reprise",
                                       .mode = McapScanMode::kSalvage};
    const auto reader = Open(wrong, salvage);
    ASSERT_TRUE(reader.ok()) << i << reader.status();
    EXPECT_EQ((*reader)->Statistics().message_count, 13u);
    wrong.back() ^= std::byte{1};
    EXPECT_FALSE(Open(wrong, salvage).ok()) << i;
  }
}

TEST(McapReaderTest, ADamagedEndLosesNothingAndIsReported) {
  Bytes bytes = WriteMcapExample();
  bytes.back() ^= std::byte{1};
  std::vector<absl::Status> problems;
  const auto reader = Open(bytes, {.on_problem = [&](const auto& problem) {
                             problems.push_back(problem);
                           }});
  ASSERT_TRUE(reader.ok()) << reader.status();
  EXPECT_THAT(problems, SizeIs(1));
  EXPECT_EQ((*reader)->recovery()->data_problem, absl::OkStatus());
  EXPECT_EQ((*reader)->recovery()->bytes_lost, 0u);
  EXPECT_EQ((*reader)->Statistics().message_count, 13u);
}

TEST(McapReaderTest, DamagedChunkIndexesAreFoundWhereTheyAreNeeded) {
  Bytes bytes = WriteMcapExample();
  const uint64_t offset = SummaryStart(bytes);
  bytes[offset + kMcapRecordPrefixBytes] ^= std::byte{1};
  const auto reader = Open(bytes, {.name = "a.mcap"}).value();
  const std::string reason =
      fmt::format("a.mcap: offset {}: chunk indexes: a wrong checksum", offset);
  const auto ignore = [](const McapChannel&, const McapMessage&) {
    return absl::OkStatus();
  };
  EXPECT_EQ(reader->Statistics().message_count, 13u);
  EXPECT_EQ(reader->Chunks().status(), absl::DataLossError(reason));
  EXPECT_EQ(reader->ForEachMessage(ignore), absl::DataLossError(reason));
  EXPECT_EQ(reader->ForEachMessageInChunk(*reader->LastChunk(), ignore),
            absl::OkStatus());
  const auto salvaged = Open(bytes, {.mode = McapScanMode::kSalvage}).value();
  EXPECT_EQ(salvaged->recovery()->bytes_lost, 0u);
  EXPECT_EQ(salvaged->Statistics().message_count, 13u);
}

TEST(McapReaderTest, ADamagedChunkNamesItsOffset) {
  Bytes bytes = WriteMcapExample();
  const auto reader = Open(bytes).value();
  const uint64_t offset = reader->Chunks().value()[1].chunk_start_offset;
  bytes[offset + reader->Chunks().value()[1].chunk_length - 1] ^= std::byte{1};
  const auto status = ReadAll(bytes).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(std::string(status.message()),
              HasSubstr(fmt::format("offset {}: chunk", offset)));
}

TEST(McapReaderTest, AChunksChecksumOfZeroIsRefused) {
  Bytes bytes = WriteMcapExample();
  const uint64_t offset =
      Open(bytes).value()->Chunks().value()[0].chunk_start_offset;
  const auto crc = bytes.begin() +
                   static_cast<ptrdiff_t>(offset + kMcapRecordPrefixBytes + 24);
  std::fill(crc, crc + 4, std::byte{0});
  EXPECT_EQ(ReadAll(bytes).status().code(), absl::StatusCode::kDataLoss);
}

TEST(McapReaderTest, WhatIsNotMcapIsInvalid) {
  for (const std::string_view text :
       {"", "\x89MCAP0\r", "SQLite format 3, and a lot more", "{}"}) {
    EXPECT_EQ(Open(ToBytes(text)).status().code(),
              absl::StatusCode::kInvalidArgument);
  }
}

TEST(McapReaderTest, AnotherMajorVersionIsUnimplemented) {
  Bytes bytes = WriteMcapExample();
  bytes[5] = std::byte{'1'};
  EXPECT_EQ(Open(bytes).status().code(), absl::StatusCode::kUnimplemented);
}

TEST(McapReaderTest, AnotherProfileIsInvalid) {
  const Bytes bytes = WriteMcapExample();
  EXPECT_TRUE(Open(bytes, {.profile = "reprise"}).ok());
  const auto status = Open(bytes, {.profile = "ros2"}).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()), HasSubstr("\"reprise\""));
}

TEST(McapReaderTest, ZerosAtTheEndEndTheScan) {
  Bytes bytes = WriteUnfinishedMcapExample();
  const size_t size = bytes.size();
  bytes.resize(size + 4096);
  const auto reader = Open(bytes).value();
  EXPECT_EQ(reader->Statistics().message_count, 13u);
  EXPECT_EQ(reader->recovery()->bytes_lost, 4096u);
}

// The largest chunk, of zeros, packs to some kilobytes.
TEST(McapReaderTest, AChunkThatUnpacksToMoreThanItSaysIsRefused) {
  Bytes bytes;
  MemorySink sink(&bytes);
  auto writer = McapWriter::Create({}, &sink).value();
  const uint16_t channel = writer->AddChannel("/bomb", "", 0).value();
  ASSERT_TRUE(writer->AddMessage(channel, 0, Bytes(kMcapMessageBytesMax)).ok());
  Bytes header;
  EncodeRecord(McapHeader(), &header);
  const size_t offset = kMcapMagic.size() + header.size();
  const size_t size_offset = offset + kMcapRecordPrefixBytes + 16;
  bytes[size_offset + 3] = std::byte{0};
  const auto reader = Open(bytes).value();
  EXPECT_EQ(reader->recovery()->data_problem.code(),
            absl::StatusCode::kDataLoss);
  EXPECT_LT(bytes.size(), 10'000u);
}

TEST(McapReaderTest, ALengthOfFourGigabytesOfNothingIsRefused) {
  for (const size_t byte_of_length : {3, 4, 5, 7}) {
    Bytes bytes = WriteMcapExample();
    const auto reader = Open(bytes).value();
    const uint64_t offset = reader->Chunks().value()[0].chunk_start_offset;
    bytes[offset + 1 + byte_of_length] = std::byte{0xFF};
    EXPECT_EQ(ReadAll(bytes).status().code(), absl::StatusCode::kDataLoss);
    bytes.resize(bytes.size() - 1);
    EXPECT_THAT(ReadAll(bytes)->messages, IsEmpty());
  }
}

}  // namespace
}  // namespace reprise::replays
