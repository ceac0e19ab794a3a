// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves what the reader makes of files that no writer of ours would write:
// made by hand, without an end, they lie about everything that can lie.

#include <sys/resource.h>
#include <zstd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "fmt/format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "replays/container/byte_file.h"
#include "replays/container/byte_stream.h"
#include "replays/container/crc32.h"
#include "replays/container/mcap_encoding.h"
#include "replays/container/mcap_example.h"
#include "replays/container/mcap_reader.h"
#include "replays/container/mcap_records.h"
#include "replays/container/mcap_summary.h"
#include "sim/base/check.h"

namespace reprise::replays {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;
using ::testing::StartsWith;

absl::StatusOr<std::unique_ptr<McapReader>> Open(
    std::span<const std::byte> bytes, const McapReaderOptions& options = {}) {
  return McapReader::Open(std::make_unique<MemorySource>(bytes), options);
}

// Puts together files that no writer of ours would write, without their end.
class HandMadeFile {
 public:
  HandMadeFile() : bytes_(kMcapMagic.begin(), kMcapMagic.end()) {
    Add(McapHeader{"reprise", "by hand"});
  }

  template <typename Record>
  HandMadeFile& Add(const Record& record) {
    EncodeRecord(record, &bytes_);
    return *this;
  }

  HandMadeFile& AddUnknown(uint8_t opcode) {
    EncodeRecord(McapDataEnd{.data_section_crc = 1}, &bytes_);
    bytes_[bytes_.size() - kMcapDataEndBytes] = std::byte{opcode};
    return *this;
  }

  // A right chunk around any records, not compressed.
  HandMadeFile& AddChunk(const Bytes& records, uint64_t start_time_ns = 0,
                         uint64_t end_time_ns = 0) {
    return Add(McapChunk{start_time_ns, end_time_ns, records.size(),
                         Crc32(records), "", records});
  }

  std::span<const std::byte> bytes() const { return bytes_; }

 private:
  Bytes bytes_;
};

template <typename... Records>
Bytes Encode(const Records&... records) {
  Bytes bytes;
  (EncodeRecord(records, &bytes), ...);
  return bytes;
}

const McapChannel kChannel = {1, 0, "/inputs", "json", {}};

// Why the scan of a file without an end stopped.
absl::Status StopOf(const HandMadeFile& file) {
  const auto reader = Open(file.bytes());
  if (!reader.ok()) return reader.status();
  return (*reader)->recovery()->data_problem;
}

std::string StopText(const HandMadeFile& file) {
  return std::string(StopOf(file).message());
}

TEST(McapScanTest, ASecondRecordOfANameIsFound) {
  HandMadeFile file;
  file.Add(McapMetadata{"run", {}}).Add(McapMetadata{"branch", {}});
  const uint64_t offset = file.bytes().size();
  file.Add(McapMetadata{"branch", {}});
  const auto reader = Open(file.bytes()).value();
  EXPECT_EQ(reader->CheckSingle("run"), absl::OkStatus());
  EXPECT_EQ(reader->CheckSingle("walk"), absl::OkStatus());
  EXPECT_EQ(reader->CheckSingle("branch"),
            absl::DataLossError(fmt::format(
                "offset {}: a second metadata record branch", offset)));
}

TEST(McapScanTest, TooMuchMetadataInAllStopsTheScan) {
  const McapMetadata large = {
      "run", {{"key", std::string(kMcapMetadataBytesMax / 2, 'v')}}};
  HandMadeFile file;
  while (file.bytes().size() <= kMcapMetadataSumBytesMax) file.Add(large);
  EXPECT_THAT(StopText(file), HasSubstr("more bytes of metadata"));
}

// What stands there once would be read as often as the indexes say.
TEST(McapScanTest, AnIndexThatNamesARecordTwiceIsDamage) {
  HandMadeFile file;
  McapSummary summary;
  const McapMetadataIndex index = {
      .offset = file.bytes().size(),
      .length = Encode(McapMetadata{"run", {}}).size(),
      .name = "run"};
  file.Add(McapMetadata{"run", {}});
  summary.data_end = file.bytes().size();
  summary.metadata = {index};
  EXPECT_EQ(summary.Validate(), absl::OkStatus());
  summary.metadata = {index, index};
  EXPECT_EQ(summary.Validate().code(), absl::StatusCode::kDataLoss);

  Bytes bytes(file.bytes().begin(), file.bytes().end());
  EncodeRecord(McapDataEnd{.data_section_crc = Crc32(bytes)}, &bytes);
  EncodeSummary(summary, bytes.size(), &bytes);
  const auto reader = Open(bytes);
  ASSERT_TRUE(reader.ok()) << reader.status();
  EXPECT_TRUE((*reader)->recovery().has_value());
  EXPECT_THAT((*reader)->metadata(), SizeIs(1));
}

TEST(McapScanTest, UnknownRecordsAreSkippedAndReported) {
  Bytes records = Encode(kChannel);
  records.insert(records.end(), {std::byte{0x90}, std::byte{0}, std::byte{0},
                                 std::byte{0}, std::byte{0}, std::byte{0},
                                 std::byte{0}, std::byte{0}, std::byte{0}});
  EncodeRecord(McapMessage{.channel_id = 1}, &records);
  const auto file =
      HandMadeFile().AddUnknown(0x7E).AddChunk(records).AddUnknown(0x80);
  std::vector<absl::Status> problems;
  const auto reader =
      Open(file.bytes(), {.on_problem = [&](const auto& problem) {
             problems.push_back(problem);
           }});
  ASSERT_TRUE(reader.ok()) << reader.status();
  EXPECT_EQ((*reader)->Statistics().message_count, 1u);
  EXPECT_EQ((*reader)->recovery()->bytes_kept, file.bytes().size());
  // No end, two records, and where the scan ended.
  EXPECT_THAT(problems, SizeIs(4));
}

TEST(McapScanTest, ALengthOverItsLimitNamesItsOffsetOnce) {
  HandMadeFile file;
  const uint64_t offset = file.bytes().size();
  const Bytes data(2 * kMcapMetadataBytesMax + 1);
  Bytes bytes(file.bytes().begin(), file.bytes().end());
  EncodeRecord(McapAttachment{0, 0, "a", "b", data}, &bytes);
  bytes[offset] = static_cast<std::byte>(McapOpcode::kMetadata);
  const auto problem = Open(bytes).value()->recovery()->data_problem;
  EXPECT_EQ(problem.code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(std::string(problem.message()),
              StartsWith(fmt::format("offset {}: a record of", offset)));
}

TEST(McapScanTest, RecordsOfTheSummaryEndTheScan) {
  for (const auto& record : {Encode(McapHeader{}), Encode(McapStatistics{}),
                             Encode(McapFooter{}), Encode(kChannel)}) {
    HandMadeFile file;
    Bytes bytes(file.bytes().begin(), file.bytes().end());
    bytes.insert(bytes.end(), record.begin(), record.end());
    const auto reader = Open(bytes).value();
    EXPECT_EQ(reader->recovery()->bytes_lost, record.size());
  }
}

TEST(McapScanTest, AChunkThatUnpacksToMoreThanItsLimitIsRefused) {
  const Bytes none;
  const auto file = HandMadeFile().Add(
      McapChunk{0, 0, kMcapChunkBytesMax + 1, 0, "zstd", none});
  EXPECT_EQ(StopOf(file).code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(StopText(file), HasSubstr("at most"));
}

// Of the address space, so not beside a sanitizer that reserves most of it.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
constexpr rlim_t kMemoryMax = rlim_t{512} << 20;

void LimitMemory() {
  const rlimit limit = {kMemoryMax, kMemoryMax};
  if (setrlimit(RLIMIT_AS, &limit) != 0) std::exit(2);
}

// What a GiB of zeros becomes, which says how much it is, or doesn't.
Bytes PackBomb(bool says_size) {
  constexpr uint64_t kBombBytes = uint64_t{1} << 30;
  const std::unique_ptr<ZSTD_CCtx, size_t (*)(ZSTD_CCtx*)> context(
      ZSTD_createCCtx(), &ZSTD_freeCCtx);
  if (says_size) ZSTD_CCtx_setPledgedSrcSize(context.get(), kBombBytes);
  const Bytes zeros(1 << 20);
  Bytes packed(1 << 20);
  ZSTD_outBuffer out = {packed.data(), packed.size(), 0};
  for (uint64_t done = 0; done < kBombBytes; done += zeros.size()) {
    ZSTD_inBuffer in = {zeros.data(), zeros.size(), 0};
    const bool is_last = done + zeros.size() == kBombBytes;
    const size_t rest = ZSTD_compressStream2(
        context.get(), &out, &in, is_last ? ZSTD_e_end : ZSTD_e_continue);
    CHECK(!ZSTD_isError(rest) && in.pos == in.size && (!is_last || rest == 0));
  }
  packed.resize(out.pos);
  return packed;
}

TEST(McapScanTest, BombTakesLittleMemory) {
  const auto open_all = [] {
    for (const bool says_size : {false, true}) {
      const Bytes bomb = PackBomb(says_size);
      LimitMemory();
      for (const uint64_t size :
           {uint64_t{0}, uint64_t{100}, kMcapChunkBytesMax}) {
        const auto file =
            HandMadeFile().Add(McapChunk{0, 0, size, 1, "zstd", bomb});
        if (StopOf(file).code() != absl::StatusCode::kDataLoss) std::exit(3);
      }
    }
    std::exit(0);
  };
  EXPECT_EXIT(open_all(), testing::ExitedWithCode(0), "");
}

TEST(McapScanTest, WhatLiesAboutItsSizeTakesLittleMemory) {
  const auto open_all = [] {
    LimitMemory();
    const Bytes right = WriteMcapExample();
    // Any four bytes may be a length, or half of one.
    for (size_t i = 0; i + 4 <= right.size(); ++i) {
      Bytes wrong = right;
      std::fill_n(wrong.begin() + i, 4, std::byte{0xff});
      if (const auto reader = Open(wrong); reader.ok()) {
        static_cast<void>((*reader)->ForEachMessage(
            [](const McapChannel&, const McapMessage&) {
              return absl::OkStatus();
            }));
        for (const McapAttachmentIndex& attachment : (*reader)->attachments()) {
          static_cast<void>((*reader)->ReadAttachment(attachment));
        }
        static_cast<void>((*reader)->VerifyWholeFile());
      }
    }
    std::exit(0);
  };
  EXPECT_EXIT(open_all(), testing::ExitedWithCode(0), "");
}
#endif

TEST(McapScanTest, AnotherCompressionIsNamed) {
  const Bytes none;
  const auto file = HandMadeFile().Add(McapChunk{0, 0, 0, 0, "lz4", none});
  EXPECT_EQ(StopOf(file).code(), absl::StatusCode::kUnimplemented);
  EXPECT_THAT(StopText(file), HasSubstr("lz4"));
}

TEST(McapScanTest, AMessageThatIsMissingEndsTheScan) {
  const auto file = HandMadeFile()
                        .AddChunk(Encode(kChannel, McapMessage{1, 0}))
                        .Add(McapMessageIndex{1, {{0, 0}}})
                        .AddChunk(Encode(McapMessage{1, 2}));
  EXPECT_EQ(StopOf(file).code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(StopText(file), HasSubstr("message 2 of channel 1 where 1"));
}

TEST(McapScanTest, AChunkThatComesTwiceEndsTheScan) {
  const auto file = HandMadeFile()
                        .AddChunk(Encode(kChannel, McapMessage{1, 0}))
                        .Add(McapMessageIndex{1, {{0, 0}}})
                        .AddChunk(Encode(kChannel, McapMessage{1, 0}));
  EXPECT_THAT(StopText(file), HasSubstr("message 0 of channel 1 where 1"));
}

TEST(McapScanTest, AnIndexWithoutItsChunkEndsTheScan) {
  const auto file = HandMadeFile().Add(McapMessageIndex{1, {{0, 0}}});
  EXPECT_THAT(StopText(file), HasSubstr("without a chunk"));
}

TEST(McapScanTest, AChunkWithoutItsIndexEndsTheScan) {
  const auto file = HandMadeFile()
                        .AddChunk(Encode(kChannel, McapMessage{1, 0}))
                        .AddChunk(Encode(McapMessage{1, 1}));
  EXPECT_THAT(StopText(file), HasSubstr("lacks a message index"));
}

TEST(McapScanTest, AMessageWithoutItsChannelEndsTheScan) {
  const auto file = HandMadeFile().AddChunk(Encode(McapMessage{1, 0}));
  EXPECT_THAT(StopText(file), HasSubstr("channel 1, which isn't there"));
}

TEST(McapScanTest, AChannelWithoutItsSchemaEndsTheScan) {
  const auto file =
      HandMadeFile().AddChunk(Encode(McapChannel{1, 5, "/inputs", "json", {}}));
  EXPECT_THAT(StopText(file), HasSubstr("before its schema"));
}

TEST(McapScanTest, TwoDefinitionsWithOneIdEndTheScan) {
  const auto file = HandMadeFile().AddChunk(
      Encode(kChannel, McapChannel{1, 0, "/events", "json", {}}));
  EXPECT_THAT(StopText(file), HasSubstr("two definitions with the id 1"));
}

TEST(McapScanTest, AChunkThatLiesAboutItsTimesEndsTheScan) {
  const auto file =
      HandMadeFile().AddChunk(Encode(kChannel, McapMessage{1, 0, 5, 5}), 4, 5);
  EXPECT_THAT(StopText(file), HasSubstr("says times 4 to 5"));
}

TEST(McapScanTest, MoreDefinitionsThanAllowedEndTheScan) {
  HandMadeFile file;
  Bytes records;
  for (size_t i = 0; i <= kMcapChannelsMax; ++i) {
    McapChannel channel = kChannel;
    channel.id = static_cast<uint16_t>(i);
    EncodeRecord(channel, &records);
  }
  EXPECT_THAT(StopText(file.AddChunk(records)), HasSubstr("are allowed"));
}

}  // namespace
}  // namespace reprise::replays
