// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves, for each kind of record: decoding gives back what was encoded, the
// content cut short anywhere is refused, and fields that a later version may
// add behind it are skipped. The layouts themselves are pinned in bytes.

#include "replays/container/mcap_encoding.h"

#include <algorithm>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "fmt/format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace reprise::replays {
namespace {

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

template <typename Record>
Bytes Encode(const Record& record) {
  Bytes bytes;
  EncodeRecord(record, &bytes);
  return bytes;
}

// One kind of record: an example, encoded, and what decoding and encoding it
// again gives.
struct RecordCase {
  std::string name;
  Bytes encoded;
  std::function<absl::StatusOr<Bytes>(std::span<const std::byte>)> recode;
};

template <typename Record>
RecordCase MakeCase(
    std::string name, const Record& record,
    absl::StatusOr<Record> (*decode)(std::span<const std::byte>)) {
  return {
      std::move(name), Encode(record),
      [decode](std::span<const std::byte> content) -> absl::StatusOr<Bytes> {
        const auto decoded = decode(content);
        if (!decoded.ok()) return decoded.status();
        return Encode(*decoded);
      }};
}

// All but the message, whose data ends where the record ends.
std::vector<RecordCase> AllCases() {
  static const Bytes kData = ToBytes("data");
  return {
      MakeCase("Header", McapHeader{"profile", "library"}, &DecodeHeader),
      MakeCase("Footer", McapFooter{1, 2, 3}, &DecodeFooter),
      MakeCase("Schema", McapSchema{1, "name", "encoding", kData},
               &DecodeSchema),
      MakeCase("Channel", McapChannel{1, 2, "topic", "json", {{"a", "b"}}},
               &DecodeChannel),
      MakeCase("Chunk", McapChunk{1, 2, 3, 4, "zstd", kData}, &DecodeChunk),
      MakeCase("MessageIndex", McapMessageIndex{1, {{2, 3}, {4, 5}}},
               &DecodeMessageIndex),
      MakeCase("ChunkIndex",
               McapChunkIndex{1, 2, 3, 4, {{5, 6}}, 7, "zstd", 8, 9},
               &DecodeChunkIndex),
      MakeCase("Attachment", McapAttachment{1, 2, "name", "text/plain", kData},
               &DecodeAttachment),
      MakeCase("AttachmentIndex",
               McapAttachmentIndex{1, 2, 3, 4, 5, "name", "text/plain"},
               &DecodeAttachmentIndex),
      MakeCase("Metadata", McapMetadata{"name", {{"a", "b"}, {"x", "y"}}},
               &DecodeMetadata),
      MakeCase("MetadataIndex", McapMetadataIndex{1, 2, "name"},
               &DecodeMetadataIndex),
      MakeCase("Statistics", McapStatistics{1, 2, 3, 4, 5, 6, 7, 8, {{9, 10}}},
               &DecodeStatistics),
      MakeCase("SummaryOffset", McapSummaryOffset{McapOpcode::kSchema, 1, 2},
               &DecodeSummaryOffset),
      MakeCase("SummaryFront", McapSummaryFront{1, 2}, &DecodeSummaryFront),
      MakeCase("DataEnd", McapDataEnd{1}, &DecodeDataEnd),
  };
}

class McapRecordTest : public ::testing::TestWithParam<RecordCase> {
 protected:
  static std::span<const std::byte> Content() {
    return std::span(GetParam().encoded).subspan(kMcapRecordPrefixBytes);
  }
};

TEST_P(McapRecordTest, DecodesToWhatWasEncoded) {
  const auto recoded = GetParam().recode(Content());
  ASSERT_TRUE(recoded.ok()) << recoded.status();
  EXPECT_EQ(*recoded, GetParam().encoded);
}

TEST_P(McapRecordTest, LengthCountsTheContent) {
  int records = 0;
  const auto status =
      ForEachRecord(GetParam().encoded,
                    [&](McapOpcode, std::span<const std::byte> content,
                        uint64_t) -> absl::Status {
                      ++records;
                      EXPECT_EQ(content.size(), Content().size());
                      return absl::OkStatus();
                    });
  EXPECT_EQ(status, absl::OkStatus());
  EXPECT_EQ(records, 1);
}

TEST_P(McapRecordTest, CutShortAnywhereIsDataLoss) {
  for (size_t length = 0; length < Content().size(); ++length) {
    const auto recoded = GetParam().recode(Content().first(length));
    EXPECT_EQ(recoded.status().code(), absl::StatusCode::kDataLoss) << length;
  }
}

TEST_P(McapRecordTest, FieldsBehindTheKnownOnesAreSkipped) {
  Bytes longer(Content().begin(), Content().end());
  longer.push_back(std::byte{0xAB});
  const auto recoded = GetParam().recode(longer);
  ASSERT_TRUE(recoded.ok()) << recoded.status();
  EXPECT_EQ(*recoded, GetParam().encoded);
}

INSTANTIATE_TEST_SUITE_P(AllKinds, McapRecordTest,
                         ::testing::ValuesIn(AllCases()),
                         [](const auto& info) { return info.param.name; });

TEST(McapEncodingTest, AMessagesDataIsTheRestOfItsRecord) {
  const Bytes data = ToBytes("data");
  const Bytes bytes = Encode(McapMessage{1, 2, 3, 4, data});
  const auto message =
      DecodeMessage(std::span(bytes).subspan(kMcapRecordPrefixBytes));
  ASSERT_TRUE(message.ok()) << message.status();
  EXPECT_EQ(Encode(*message), bytes);
  EXPECT_EQ(ToHex(message->data), ToHex(data));
}

TEST(McapEncodingTest, AMessageWithoutAllItsFieldsIsDataLoss) {
  const Bytes bytes = Encode(McapMessage{1, 2, 3, 4, {}});
  const auto content = std::span(bytes).subspan(kMcapRecordPrefixBytes);
  for (size_t length = 0; length < content.size(); ++length) {
    EXPECT_EQ(DecodeMessage(content.first(length)).status().code(),
              absl::StatusCode::kDataLoss);
  }
}

TEST(McapEncodingTest, IntegersAreLittleEndianBehindOpcodeAndLength) {
  EXPECT_EQ(ToHex(Encode(McapFooter{0x0102030405060708, 9, 0x0A0B0C0D})),
            "02"
            "1400000000000000"
            "0807060504030201"
            "0900000000000000"
            "0d0c0b0a");
}

TEST(McapEncodingTest, StringsAndMapsStandBehindTheirLengthInBytes) {
  EXPECT_EQ(ToHex(Encode(McapChannel{1, 2, "/t", "", {{"k", "vw"}}})),
            "04"
            "1d00000000000000"
            "0100"
            "0200"
            "020000002f74"
            "00000000"
            "0b000000"
            "010000006b"
            "020000007677");
}

// The checksum was computed apart, over 01000000 6e, 01000000 6b, 01000000 76.
TEST(McapEncodingTest, MetadataEndsWithItsChecksum) {
  EXPECT_EQ(ToHex(Encode(McapMetadata{"n", {{"k", "v"}}})),
            "0c"
            "2800000000000000"
            "010000006e"
            "1f000000"
            "010000006b0100000076"
            "050000006372633332"
            "080000003635376430633266");
}

TEST(McapEncodingTest, AWrongChecksumOfMetadataIsDataLoss) {
  Bytes bytes = Encode(McapMetadata{"n", {{"k", "v"}}});
  bytes[kMcapRecordPrefixBytes + 4] = std::byte{'m'};
  const auto metadata =
      DecodeMetadata(std::span(bytes).subspan(kMcapRecordPrefixBytes));
  EXPECT_EQ(metadata.status().code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(std::string(metadata.status().message()), HasSubstr("checksum"));
}

TEST(McapEncodingTest, AnAttachmentsChecksumOfZeroIsDataLoss) {
  Bytes bytes = Encode(McapAttachment{1, 2, "name", "text/plain", {}});
  std::fill(bytes.end() - 4, bytes.end(), std::byte{0});
  const auto attachment =
      DecodeAttachment(std::span(bytes).subspan(kMcapRecordPrefixBytes));
  EXPECT_EQ(attachment.status().code(), absl::StatusCode::kDataLoss);
}

TEST(McapEncodingTest, AKeyThatComesTwiceIsDataLoss) {
  Bytes bytes = Encode(McapChannel{1, 2, "/t", "", {{"a", ""}, {"b", ""}}});
  bytes[bytes.size() - 5] = std::byte{'a'};
  const auto channel =
      DecodeChannel(std::span(bytes).subspan(kMcapRecordPrefixBytes));
  EXPECT_EQ(channel.status().code(), absl::StatusCode::kDataLoss);
}

TEST(McapEncodingTest, OffsetsOfMessageIndexesAreReadInAnyOrder) {
  const Bytes bytes =
      Encode(McapChunkIndex{1, 2, 3, 4, {{9, 1}, {5, 3}, {7, 2}}, 6, "", 8, 9});
  const auto index =
      DecodeChunkIndex(std::span(bytes).subspan(kMcapRecordPrefixBytes));
  ASSERT_TRUE(index.ok());
  EXPECT_EQ(index->message_index_offsets,
            (McapMessageIndexOffsets{{5, 3}, {7, 2}, {9, 1}}));
}

TEST(McapEncodingTest, AChannelThatComesTwiceIsDataLoss) {
  const Bytes bytes =
      Encode(McapChunkIndex{1, 2, 3, 4, {{5, 1}, {7, 2}, {5, 3}}, 6, "", 8, 9});
  const auto index =
      DecodeChunkIndex(std::span(bytes).subspan(kMcapRecordPrefixBytes));
  EXPECT_EQ(index.status().code(), absl::StatusCode::kDataLoss);
}

TEST(McapEncodingTest, ANameOverItsLimitIsDataLoss) {
  const std::string name(kMcapNameBytesMax + 1, 'n');
  const Bytes bytes = Encode(McapHeader{name, ""});
  const auto header =
      DecodeHeader(std::span(bytes).subspan(kMcapRecordPrefixBytes));
  EXPECT_EQ(header.status().code(), absl::StatusCode::kDataLoss);
}

TEST(McapEncodingTest, TheSchemaIdZeroIsDataLoss) {
  const Bytes bytes = Encode(McapSchema{0, "name", "", {}});
  const auto schema =
      DecodeSchema(std::span(bytes).subspan(kMcapRecordPrefixBytes));
  EXPECT_EQ(schema.status().code(), absl::StatusCode::kDataLoss);
}

}  // namespace
}  // namespace reprise::replays
