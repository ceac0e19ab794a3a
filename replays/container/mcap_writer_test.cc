// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves what the writer promises: which records stand where, byte for byte
// where no compression is involved; that the same calls give the same bytes;
// that what was flushed can be read; and that limits and a failing sink are
// errors.

#include "replays/container/mcap_writer.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "fmt/format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "replays/container/byte_file.h"
#include "replays/container/mcap_encoding.h"
#include "replays/container/mcap_example.h"
#include "replays/container/mcap_reader.h"

namespace reprise::replays {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Bytes ToBytes(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  return Bytes(bytes.begin(), bytes.end());
}

std::string ToHex(std::span<const std::byte> bytes) {
  std::string hex;
  for (const std::byte byte : bytes) {
    hex += fmt::format("{:02x}", std::to_integer<int>(byte));
  }
  return hex;
}

// The opcode of each record between the two magics.
std::vector<std::string> ListRecords(std::span<const std::byte> file) {
  std::vector<std::string> records;
  const auto body =
      file.subspan(kMcapMagic.size(), file.size() - 2 * kMcapMagic.size());
  const auto status = ForEachRecord(
      body,
      [&](McapOpcode opcode, std::span<const std::byte>,
          uint64_t) -> absl::Status {
        records.push_back(fmt::format("{:02x}", static_cast<int>(opcode)));
        return absl::OkStatus();
      });
  EXPECT_EQ(status, absl::OkStatus());
  return records;
}

// Fails every call once it has taken so many bytes.
class FullSink final : public ByteSink {
 public:
  explicit FullSink(uint64_t bytes_max) : bytes_left_(bytes_max) {}

  absl::Status Append(std::span<const std::byte> bytes) override {
    if (bytes.size() > bytes_left_) {
      return absl::ResourceExhaustedError("no space left on device");
    }
    bytes_left_ -= bytes.size();
    return absl::OkStatus();
  }
  absl::Status Flush() override { return absl::OkStatus(); }

 private:
  uint64_t bytes_left_;
};

class McapWriterTest : public ::testing::Test {
 protected:
  McapWriterTest() { Start({.profile = "p", .library = "lib"}); }

  void Start(McapWriterOptions options) {
    bytes_.clear();
    auto writer = McapWriter::Create(std::move(options), &sink_);
    ASSERT_TRUE(writer.ok()) << writer.status();
    writer_ = *std::move(writer);
  }

  uint16_t AddChannel(std::string topic) {
    return writer_->AddChannel(std::move(topic), "json", 0).value();
  }

  // What a reader makes of the bytes written so far.
  uint64_t CountMessages() const {
    auto reader = McapReader::Open(std::make_unique<MemorySource>(bytes_));
    EXPECT_TRUE(reader.ok()) << reader.status();
    return (*reader)->Statistics().message_count;
  }

  Bytes bytes_;
  MemorySink sink_{&bytes_};
  std::unique_ptr<McapWriter> writer_;
};

// The example of FORMAT.md, whose checksums were computed apart.
TEST_F(McapWriterTest, AnEmptyRecordingIsTheExampleOfItsFormat) {
  ASSERT_TRUE(writer_->Finish().ok());
  EXPECT_EQ(ToHex(bytes_),
            "894d434150300d0a"                    // magic
            "010c00000000000000"                  // Header
            "0100000070030000006c6962"            //
            "0f04000000000000005504120c"          // DataEnd
            "0b2e00000000000000"                  // Statistics: 46 zeros
            "00000000000000000000000000000000"    //
            "00000000000000000000000000000000"    //
            "0000000000000000000000000000"        //
            "0e1100000000000000"                  // SummaryOffset
            "0b2a000000000000003700000000000000"  //
            "800c00000000000000"                  // SummaryFront
            "000000000000000000000000"            //
            "021400000000000000"                  // Footer
            "2a000000000000006100000000000000"    //
            "f4d212ae"                            //
            "894d434150300d0a");                  // magic
}

TEST_F(McapWriterTest, RecordsStandInTheOrderOfTheProfile) {
  EXPECT_THAT(ListRecords(WriteMcapExample()),
              ElementsAre("01",              // Header
                          "0c", "09",        // Metadata, Attachment
                          "06", "07", "07",  // Chunk, indexes of two channels
                          "06", "07",        // Chunk, index of one
                          "06", "07", "07",  // Chunk, indexes of two
                          "0f",              // DataEnd
                          "08", "08", "08",  // ChunkIndexes
                          "03", "04", "04",  // Schema, Channels
                          "0b",              // Statistics
                          "0a", "0d",        // AttachmentIndex, MetadataIndex
                          "0e", "0e", "0e", "0e", "0e", "0e",  // one a group
                          "80", "02"));  // SummaryFront, Footer
}

TEST_F(McapWriterTest, TheSameCallsGiveTheSameBytes) {
  EXPECT_EQ(WriteMcapExample(), WriteMcapExample());
}

TEST_F(McapWriterTest, WhatWasFlushedCanBeReadFromAnUnfinishedFile) {
  const uint16_t channel = AddChannel("/inputs");
  ASSERT_TRUE(writer_->AddMessage(channel, 1, ToBytes("first")).ok());
  EXPECT_EQ(CountMessages(), 0u);
  ASSERT_TRUE(writer_->FlushChunk().ok());
  EXPECT_EQ(CountMessages(), 1u);
}

TEST_F(McapWriterTest, AChunkClosesAtItsTarget) {
  Start({.profile = "p", .library = "lib", .chunk_bytes_target = 1000});
  const uint16_t channel = AddChannel("/inputs");
  const Bytes data(400);
  for (int i = 0; i < 9; ++i) {
    ASSERT_TRUE(writer_->AddMessage(channel, 0, data).ok());
  }
  EXPECT_EQ(writer_->chunk_count(), 3u);
}

TEST_F(McapWriterTest, ATargetOfZeroMakesAChunkOfEachMessage) {
  Start({.profile = "p", .library = "lib", .chunk_bytes_target = 0});
  const uint16_t channel = AddChannel("/inputs");
  ASSERT_TRUE(writer_->AddMessage(channel, 0, {}).ok());
  ASSERT_TRUE(writer_->AddMessage(channel, 0, {}).ok());
  EXPECT_EQ(writer_->chunk_count(), 2u);
}

TEST_F(McapWriterTest, TheLargestMessagesGetChunksOfTheirOwn) {
  const uint16_t channel = AddChannel("/keyframes");
  const Bytes largest(kMcapMessageBytesMax);
  ASSERT_TRUE(writer_->AddMessage(channel, 0, largest).ok());
  ASSERT_TRUE(writer_->AddMessage(channel, 1, largest).ok());
  ASSERT_TRUE(writer_->Finish().ok());
  EXPECT_EQ(writer_->chunk_count(), 2u);
  EXPECT_EQ(CountMessages(), 2u);
}

TEST_F(McapWriterTest, ATooLargeMessageIsRefusedAndTheRestGoesOn) {
  const uint16_t channel = AddChannel("/keyframes");
  const auto status =
      writer_->AddMessage(channel, 0, Bytes(kMcapMessageBytesMax + 1));
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
  ASSERT_TRUE(writer_->AddMessage(channel, 0, ToBytes("small")).ok());
  ASSERT_TRUE(writer_->Finish().ok());
  EXPECT_EQ(CountMessages(), 1u);
}

TEST_F(McapWriterTest, TooManyDefinitionsAreRefused) {
  for (size_t i = 0; i < kMcapChannelsMax; ++i) AddChannel("/topic");
  for (size_t i = 0; i < kMcapSchemasMax; ++i) {
    ASSERT_TRUE(writer_->AddSchema("schema", "", {}).ok());
  }
  EXPECT_EQ(writer_->AddChannel("/topic", "json", 0).status().code(),
            absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(writer_->AddSchema("schema", "", {}).status().code(),
            absl::StatusCode::kResourceExhausted);
}

TEST_F(McapWriterTest, ANameThatIsTooLongIsRefused) {
  const std::string name(kMcapNameBytesMax + 1, 'n');
  EXPECT_EQ(writer_->AddChannel(name, "json", 0).status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(writer_->AddMetadata({.name = name}).code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(writer_->AddAttachment({.name = name}).code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(McapWriter::Create({.profile = name}, &sink_).status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST_F(McapWriterTest, MetadataCannotTakeTheNameOfItsChecksum) {
  const auto status =
      writer_->AddMetadata({.name = "run", .entries = {{"crc32", "mine"}}});
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()), HasSubstr("crc32"));
}

TEST_F(McapWriterTest, TooMuchMetadataIsRefused) {
  const std::string value(kMcapMetadataBytesMax, 'v');
  const auto status =
      writer_->AddMetadata({.name = "run", .entries = {{"key", value}}});
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
}

TEST_F(McapWriterTest, TooMuchMetadataInAllIsRefused) {
  const McapMetadata large = {
      .name = "run",
      .entries = {{"key", std::string(kMcapMetadataBytesMax / 2, 'v')}}};
  const uint64_t size = bytes_.size();
  absl::Status status;
  while (status.ok() && bytes_.size() <= size + kMcapMetadataSumBytesMax) {
    status = writer_->AddMetadata(large);
  }
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
  ASSERT_TRUE(writer_->Finish().ok());
  const auto reader =
      McapReader::Open(std::make_unique<MemorySource>(bytes_)).value();
  EXPECT_FALSE(reader->recovery().has_value());
}

// The table of FORMAT.md.
TEST(McapLimitsTest, AreThoseOfTheFormat) {
  EXPECT_EQ(kMcapChunkBytesMax, 64u << 20);
  EXPECT_EQ(kMcapMessageBytesMax, 32u << 20);
  EXPECT_EQ(kMcapAttachmentBytesMax, 256u << 20);
  EXPECT_EQ(kMcapMetadataBytesMax, 1u << 20);
  EXPECT_EQ(kMcapSchemaBytesMax, 1u << 20);
  EXPECT_EQ(kMcapChannelMapBytesMax, 64u << 10);
  EXPECT_EQ(kMcapNameBytesMax, 4096u);
  EXPECT_EQ(kMcapMapEntriesMax, 4096u);
  EXPECT_EQ(kMcapSchemasMax, 32u);
  EXPECT_EQ(kMcapChannelsMax, 32u);
  EXPECT_EQ(kMcapMetadataMax, 65'536u);
  EXPECT_EQ(kMcapMetadataSumBytesMax, 64u << 20);
  EXPECT_EQ(kMcapAttachmentsMax, 1024u);
  EXPECT_EQ(kMcapChunksMax, 131'072u);
  EXPECT_EQ(kMcapSummaryBytesMax, 128u << 20);
}

TEST_F(McapWriterTest, SchemasMapsAndAttachmentsThatAreTooLargeAreRefused) {
  const auto expected = absl::StatusCode::kResourceExhausted;
  EXPECT_EQ(writer_->AddSchema("s", "", Bytes(kMcapSchemaBytesMax + 1))
                .status()
                .code(),
            expected);
  const std::string value(kMcapChannelMapBytesMax, 'v');
  EXPECT_EQ(writer_->AddChannel("/t", "", 0, {{"key", value}}).status().code(),
            expected);
  McapStringMap entries;
  for (size_t i = 0; i <= kMcapMapEntriesMax; ++i) entries[fmt::to_string(i)];
  EXPECT_EQ(writer_->AddChannel("/t", "", 0, entries).status().code(),
            expected);
  const Bytes data(kMcapAttachmentBytesMax + 1);
  EXPECT_EQ(writer_->AddAttachment({.name = "pack", .data = data}).code(),
            expected);
}

TEST_F(McapWriterTest, MoreMetadataAttachmentsAndChunksThanThereMayBe) {
  const auto expected = absl::StatusCode::kResourceExhausted;
  for (size_t i = 0; i < kMcapMetadataMax; ++i) {
    ASSERT_TRUE(writer_->AddMetadata({.name = "run"}).ok());
  }
  EXPECT_EQ(writer_->AddMetadata({.name = "run"}).code(), expected);
  for (size_t i = 0; i < kMcapAttachmentsMax; ++i) {
    ASSERT_TRUE(writer_->AddAttachment({.name = "pack"}).ok());
  }
  EXPECT_EQ(writer_->AddAttachment({.name = "pack"}).code(), expected);
  const uint16_t channel = AddChannel("/inputs");
  for (size_t i = 0; i < kMcapChunksMax; ++i) {
    ASSERT_TRUE(writer_->AddMessage(channel, i, {}).ok());
    ASSERT_TRUE(writer_->FlushChunk().ok());
  }
  EXPECT_EQ(writer_->AddMessage(channel, 0, {}).code(), expected);
  ASSERT_TRUE(writer_->Finish().ok());
  EXPECT_EQ(CountMessages(), kMcapChunksMax);
}

TEST_F(McapWriterTest, NothingFollowsTheEnd) {
  const uint16_t channel = AddChannel("/inputs");
  ASSERT_TRUE(writer_->Finish().ok());
  const uint64_t size = bytes_.size();
  const auto expected = absl::StatusCode::kFailedPrecondition;
  EXPECT_EQ(writer_->AddMessage(channel, 0, {}).code(), expected);
  EXPECT_EQ(writer_->AddMetadata({.name = "run"}).code(), expected);
  EXPECT_EQ(writer_->AddAttachment({.name = "pack"}).code(), expected);
  EXPECT_EQ(writer_->FlushChunk().code(), expected);
  EXPECT_EQ(writer_->Finish().code(), expected);
  EXPECT_EQ(bytes_.size(), size);
}

TEST_F(McapWriterTest, AnErrorOfTheSinkStays) {
  FullSink sink(100);
  auto writer = McapWriter::Create({.profile = "p"}, &sink);
  ASSERT_TRUE(writer.ok()) << writer.status();
  const uint16_t channel = (*writer)->AddChannel("/inputs", "json", 0).value();
  const auto expected = absl::StatusCode::kResourceExhausted;
  EXPECT_EQ((*writer)->FlushChunk().code(), expected);
  EXPECT_EQ((*writer)->AddMessage(channel, 0, {}).code(), expected);
  EXPECT_EQ((*writer)->Finish().code(), expected);
}

TEST_F(McapWriterTest, ASinkThatTakesNothingIsAnErrorAtOnce) {
  FullSink sink(0);
  EXPECT_EQ(McapWriter::Create({.profile = "p"}, &sink).status().code(),
            absl::StatusCode::kResourceExhausted);
}

}  // namespace
}  // namespace reprise::replays
