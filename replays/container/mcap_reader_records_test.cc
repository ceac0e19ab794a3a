// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that no record can be missing, come twice, stand elsewhere or be of
// another kind unnoticed: all of that is done to each record of an example
// file, whole and unfinished. What comes of it is refused with its offset,
// reads to the same messages, or to their beginning and says where it stopped.

#include <algorithm>
#include <cstddef>
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
#include "replays/container/mcap_source.h"
#include "replays/container/mcap_summary.h"

namespace reprise::replays {
namespace {

using ::testing::HasSubstr;

// A file in pieces: its magic, each record, and, if it has it, the magic again.
using Pieces = std::vector<Bytes>;

Pieces Split(std::span<const std::byte> file) {
  const MemorySource source(file);
  const auto part = [&](uint64_t offset, uint64_t size) {
    const auto bytes = file.subspan(offset, size);
    return Bytes(bytes.begin(), bytes.end());
  };
  Pieces pieces = {part(0, kMcapMagic.size())};
  uint64_t offset = kMcapMagic.size();
  while (file.size() - offset > kMcapMagic.size()) {
    const auto prefix = ReadRecordPrefix(source, offset, file.size());
    EXPECT_TRUE(prefix.ok()) << prefix.status();
    pieces.push_back(part(offset, prefix->record_length()));
    offset += prefix->record_length();
  }
  if (offset < file.size()) pieces.push_back(part(offset, kMcapMagic.size()));
  return pieces;
}

Bytes Join(const Pieces& pieces) {
  Bytes file;
  for (const Bytes& piece : pieces) {
    file.insert(file.end(), piece.begin(), piece.end());
  }
  return file;
}

struct Reading {
  std::vector<std::string> messages;
  // Why there are no more; OK where nothing is missing.
  absl::Status stop;
};

absl::StatusOr<Reading> Read(std::span<const std::byte> file) {
  const auto reader =
      McapReader::Open(std::make_unique<MemorySource>(file),
                       {.profile = std::string(kMcapExampleProfile)});
  if (!reader.ok()) return reader.status();
  Reading reading;
  const absl::Status status = (*reader)->ForEachMessage(
      [&](const McapChannel& channel, const McapMessage& message) {
        const std::string data(
            reinterpret_cast<const char*>(message.data.data()),
            message.data.size());
        reading.messages.push_back(fmt::format("{} {} {} {}", channel.topic,
                                               message.sequence,
                                               message.log_time_ns, data));
        return absl::OkStatus();
      });
  if (!status.ok()) return status;
  if ((*reader)->recovery()) reading.stop = (*reader)->recovery()->data_problem;
  return reading;
}

// The kinds of result, to see that each occurs.
struct Tally {
  int refused = 0;
  int same = 0;
  int shorter = 0;
};

// Both variants of the example, and what happens to them.
class McapReaderRecordsTest : public ::testing::TestWithParam<bool> {
 protected:
  McapReaderRecordsTest()
      : file_(GetParam() ? WriteMcapExample() : WriteUnfinishedMcapExample()),
        pieces_(Split(file_)),
        expected_(Read(file_)->messages) {}

  // The records are the pieces from here to end(): all but the magics.
  static constexpr size_t kFirst = 1;
  size_t end() const { return pieces_.size() - (GetParam() ? 1 : 0); }

  void Expect(const Pieces& pieces, const std::string& what) {
    const absl::StatusOr<Reading> reading = Read(Join(pieces));
    if (!reading.ok()) {
      ++tally_.refused;
      EXPECT_EQ(reading.status().code(), absl::StatusCode::kDataLoss) << what;
      EXPECT_THAT(std::string(reading.status().message()), HasSubstr("offset "))
          << what;
      return;
    }
    if (reading->messages == expected_) {
      ++tally_.same;
      return;
    }
    ++tally_.shorter;
    ASSERT_LT(reading->messages.size(), expected_.size()) << what;
    EXPECT_TRUE(std::equal(reading->messages.begin(), reading->messages.end(),
                           expected_.begin()))
        << what;
    EXPECT_EQ(reading->stop.code(), absl::StatusCode::kDataLoss) << what;
    EXPECT_THAT(std::string(reading->stop.message()), HasSubstr("offset "))
        << what;
  }

  const Bytes file_;
  const Pieces pieces_;
  const std::vector<std::string> expected_;
  Tally tally_;
};

TEST_P(McapReaderRecordsTest, NoneCanBeMissing) {
  for (size_t i = kFirst; i < end(); ++i) {
    Pieces pieces = pieces_;
    pieces.erase(pieces.begin() + static_cast<ptrdiff_t>(i));
    Expect(pieces, fmt::format("without record {}", i));
  }
  EXPECT_GT(tally_.refused, 0);
}

TEST_P(McapReaderRecordsTest, NoneCanComeTwice) {
  for (size_t i = kFirst; i < end(); ++i) {
    for (size_t place = kFirst; place <= end(); ++place) {
      Pieces pieces = pieces_;
      pieces.insert(pieces.begin() + static_cast<ptrdiff_t>(place), pieces_[i]);
      Expect(pieces, fmt::format("record {} again before {}", i, place));
    }
  }
  EXPECT_GT(tally_.same, 0);
}

TEST_P(McapReaderRecordsTest, NoneCanStandElsewhere) {
  for (size_t i = kFirst; i < end(); ++i) {
    for (size_t place = kFirst; place < end(); ++place) {
      if (place == i) continue;
      Pieces pieces = pieces_;
      pieces.erase(pieces.begin() + static_cast<ptrdiff_t>(i));
      pieces.insert(pieces.begin() + static_cast<ptrdiff_t>(place), pieces_[i]);
      Expect(pieces, fmt::format("record {} at {}", i, place));
    }
  }
  EXPECT_GT(tally_.refused, 0);
}

TEST_P(McapReaderRecordsTest, NoneCanBeOfAnotherKind) {
  for (size_t i = kFirst; i < end(); ++i) {
    for (int opcode = 0; opcode <= 0xFF; ++opcode) {
      Pieces pieces = pieces_;
      pieces[i][0] = static_cast<std::byte>(opcode);
      Expect(pieces, fmt::format("record {} of kind {:#04x}", i, opcode));
    }
  }
  EXPECT_GT(tally_.refused, 0);
  EXPECT_GT(tally_.same, 0);
}

// MCAP leaves both ranges to come: its own up to 0x7F, private ones behind.
TEST_P(McapReaderRecordsTest, UnknownOnesAreSkippedBetweenAnyTwo) {
  for (size_t place = kFirst + 1; place <= end(); ++place) {
    for (const uint8_t opcode : {0x10, 0x7F, 0x80, 0xFF}) {
      Bytes record(kMcapRecordPrefixBytes + 3);
      record[0] = std::byte{opcode};
      record[1] = std::byte{3};
      Pieces pieces = pieces_;
      pieces.insert(pieces.begin() + static_cast<ptrdiff_t>(place), record);
      Expect(pieces, fmt::format("{:#04x} before {}", opcode, place));
    }
  }
  EXPECT_EQ(tally_.shorter, 0);
  // A whole file says how long its data is, and that it is as it was.
  EXPECT_EQ(tally_.refused > 0, GetParam());
}

// A whole file with one chunk of these records, whatever they are; its index,
// summary and checksums say what they would of the right ones.
Bytes FileWithChunkOf(const Pieces& records,
                      const std::vector<uint16_t>& indexed = {1}) {
  Bytes file(kMcapMagic.begin(), kMcapMagic.end());
  EncodeRecord(McapHeader{std::string(kMcapExampleProfile), ""}, &file);
  const Bytes joined = Join(records);
  const McapChunk chunk = {.message_end_time_ns = 2,
                           .uncompressed_size = joined.size(),
                           .uncompressed_crc = Crc32(joined),
                           .compression = "",
                           .records = joined};
  McapChunkIndex index = {.message_end_time_ns = 2,
                          .chunk_start_offset = file.size(),
                          .compressed_size = joined.size(),
                          .uncompressed_size = joined.size()};
  EncodeRecord(chunk, &file);
  index.chunk_length = file.size() - index.chunk_start_offset;
  for (const uint16_t channel : indexed) {
    index.message_index_offsets.emplace_back(channel, file.size());
  }
  McapMessageIndex entries = {.channel_id = 1, .entries = {}};
  uint64_t offset = records[0].size();
  for (uint64_t i = 0; i < 3; ++i) {
    entries.entries.emplace_back(i, offset);
    offset += records[1].size();
  }
  EncodeRecord(entries, &file);
  index.message_index_length =
      file.size() - index.chunk_start_offset - index.chunk_length;
  McapSummary summary;
  summary.channels[1] = {.id = 1, .topic = "/ticks"};
  summary.channels[2] = {.id = 2, .topic = "/others"};
  summary.chunks = {index};
  summary.message_counts = {{1, 3}};
  EncodeRecord(McapDataEnd{.data_section_crc = Crc32(file)}, &file);
  EncodeSummary(summary, file.size(), &file);
  return file;
}

// The definition of a channel and its three messages.
Pieces RightRecords() {
  Pieces records(4);
  EncodeRecord(McapChannel{.id = 1, .topic = "/ticks"}, &records[0]);
  for (uint32_t i = 0; i < 3; ++i) {
    EncodeRecord(McapMessage{.channel_id = 1, .sequence = i, .log_time_ns = i},
                 &records[i + 1]);
  }
  return records;
}

void ExpectRefusedOrSame(const Pieces& records, const std::string& what) {
  const absl::StatusOr<Reading> reading = Read(FileWithChunkOf(records));
  if (reading.ok()) {
    EXPECT_EQ(reading->messages,
              Read(FileWithChunkOf(RightRecords()))->messages)
        << what;
    EXPECT_EQ(reading->stop, absl::OkStatus()) << what;
    return;
  }
  EXPECT_EQ(reading.status().code(), absl::StatusCode::kDataLoss) << what;
  EXPECT_THAT(std::string(reading.status().message()), HasSubstr("offset "))
      << what;
}

TEST(McapReaderChunkRecordsTest, RightOnesAreRead) {
  const absl::StatusOr<Reading> reading = Read(FileWithChunkOf(RightRecords()));
  ASSERT_TRUE(reading.ok()) << reading.status();
  EXPECT_EQ(reading->messages.size(), 3u);
}

TEST(McapReaderChunkRecordsTest, NoneIsMissingTwiceOrElsewhereUnnoticed) {
  const Pieces right = RightRecords();
  for (size_t i = 0; i < right.size(); ++i) {
    Pieces without = right;
    without.erase(without.begin() + static_cast<ptrdiff_t>(i));
    if (without.size() > 1) {
      ExpectRefusedOrSame(without, fmt::format("without {}", i));
    }
    for (size_t place = 0; place <= right.size(); ++place) {
      Pieces twice = right;
      twice.insert(twice.begin() + static_cast<ptrdiff_t>(place), right[i]);
      ExpectRefusedOrSame(twice, fmt::format("{} again before {}", i, place));
      if (place == right.size()) continue;
      Pieces moved = without;
      moved.insert(moved.begin() + static_cast<ptrdiff_t>(place), right[i]);
      ExpectRefusedOrSame(moved, fmt::format("{} at {}", i, place));
    }
  }
}

TEST(McapReaderChunkRecordsTest, NoneIsOfAnotherKindUnnoticed) {
  for (size_t i = 0; i < RightRecords().size(); ++i) {
    for (int opcode = 0; opcode <= 0xFF; ++opcode) {
      Pieces records = RightRecords();
      records[i][0] = static_cast<std::byte>(opcode);
      ExpectRefusedOrSame(records, fmt::format("{} of kind {:#x}", i, opcode));
    }
  }
}

// Whoever looks for a topic goes by the index, and would never find out.
TEST(McapReaderChunkRecordsTest, NoneIsOfAChannelThatTheIndexHidesOrMakesUp) {
  for (const std::vector<uint16_t>& indexed :
       std::vector<std::vector<uint16_t>>{{}, {2}, {1, 2}}) {
    const Bytes file = FileWithChunkOf(RightRecords(), indexed);
    const auto reader = McapReader::Open(std::make_unique<MemorySource>(file));
    ASSERT_TRUE(reader.ok()) << reader.status();

    const absl::Status status = (*reader)->ForEachMessageInChunk(
        (*reader)->Chunks()->front(),
        [](const McapChannel&, const McapMessage&) {
          return absl::OkStatus();
        });

    EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
    EXPECT_THAT(std::string(status.message()), HasSubstr("index"));
    EXPECT_EQ(Read(file).status().code(), absl::StatusCode::kDataLoss);
  }
}

INSTANTIATE_TEST_SUITE_P(Files, McapReaderRecordsTest, ::testing::Bool(),
                         [](const auto& parameter) {
                           return parameter.param ? "Whole" : "Unfinished";
                         });

}  // namespace
}  // namespace reprise::replays
