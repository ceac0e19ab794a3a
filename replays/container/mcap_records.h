// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The records of an MCAP file as plain structs, with their opcodes and the
// limits that our profile sets for each. A file that passes a limit is neither
// written nor read. FORMAT.md says which records stand where.

#ifndef REPRISE_REPLAYS_CONTAINER_MCAP_RECORDS_H_
#define REPRISE_REPLAYS_CONTAINER_MCAP_RECORDS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "replays/container/byte_stream.h"

namespace reprise::replays {

// First and last in a file. The byte after "MCAP" is the major version.
inline constexpr std::array<std::byte, 8> kMcapMagic = {
    std::byte{0x89}, std::byte{'M'}, std::byte{'C'},  std::byte{'A'},
    std::byte{'P'},  std::byte{'0'}, std::byte{'\r'}, std::byte{'\n'}};

// Before each record's content: the opcode and a 64-bit length.
inline constexpr uint64_t kMcapRecordPrefixBytes = 9;
inline constexpr uint64_t kMcapDataEndBytes = kMcapRecordPrefixBytes + 4;
inline constexpr uint64_t kMcapFooterBytes = kMcapRecordPrefixBytes + 20;
inline constexpr uint64_t kMcapSummaryFrontBytes = kMcapRecordPrefixBytes + 12;

// Limits. What is kept in memory for a whole file (definitions, metadata, the
// summary) is small; what is large (messages, attachments) is held one at a
// time. The summary's limit follows from the others: with as many of everything
// as they allow, and the longest names, it stays below.
inline constexpr uint64_t kMcapChunkBytesMax = uint64_t{64} << 20;
inline constexpr uint64_t kMcapMessageBytesMax = uint64_t{32} << 20;
inline constexpr uint64_t kMcapAttachmentBytesMax = uint64_t{256} << 20;
inline constexpr uint64_t kMcapMetadataBytesMax = uint64_t{1} << 20;
inline constexpr uint64_t kMcapSchemaBytesMax = uint64_t{1} << 20;
inline constexpr uint64_t kMcapChannelMapBytesMax = uint64_t{64} << 10;
inline constexpr uint64_t kMcapSummaryBytesMax = uint64_t{128} << 20;
inline constexpr uint64_t kMcapNameBytesMax = 4096;
inline constexpr size_t kMcapMapEntriesMax = 4096;
inline constexpr size_t kMcapSchemasMax = 32;
inline constexpr size_t kMcapChannelsMax = 32;
inline constexpr size_t kMcapMetadataMax = size_t{1} << 16;
inline constexpr uint64_t kMcapMetadataSumBytesMax = uint64_t{64} << 20;
inline constexpr size_t kMcapAttachmentsMax = 1024;
inline constexpr size_t kMcapChunksMax = size_t{1} << 17;

// What a whole record may hold beside the part that its limit is about: fixed
// fields, names, and what compression adds to bytes that don't compress.
inline constexpr uint64_t kMcapRecordExtraBytesMax = uint64_t{1} << 20;

// The values are the public specification's, those from 0x80 on private. A
// reader steps over every opcode it doesn't know.
enum class McapOpcode : uint8_t {
  kHeader = 0x01,
  kFooter = 0x02,
  kSchema = 0x03,
  kChannel = 0x04,
  kMessage = 0x05,
  kChunk = 0x06,
  kMessageIndex = 0x07,
  kChunkIndex = 0x08,
  kAttachment = 0x09,
  kAttachmentIndex = 0x0A,
  kStatistics = 0x0B,
  kMetadata = 0x0C,
  kMetadataIndex = 0x0D,
  kSummaryOffset = 0x0E,
  kDataEnd = 0x0F,
  kSummaryFront = 0x80,
};

using McapStringMap = std::map<std::string, std::string>;

struct McapHeader {
  std::string profile;
  std::string library;  // For people; nothing may depend on it.
};

struct McapSchema {
  uint16_t id = 0;  // From 1.
  std::string name;
  std::string encoding;
  Bytes data;

  friend bool operator==(const McapSchema&, const McapSchema&) = default;
};

struct McapChannel {
  uint16_t id = 0;
  uint16_t schema_id = 0;  // 0: the channel has no schema.
  std::string topic;
  std::string message_encoding;
  McapStringMap metadata;

  friend bool operator==(const McapChannel&, const McapChannel&) = default;
};

struct McapMessage {
  uint16_t channel_id = 0;
  uint32_t sequence = 0;  // Counts the channel's messages, from 0.
  uint64_t log_time_ns = 0;
  uint64_t publish_time_ns = 0;
  std::span<const std::byte> data;  // Of the buffer it was decoded from.
};

struct McapChunk {
  uint64_t message_start_time_ns = 0;  // Earliest log time; 0 without messages.
  uint64_t message_end_time_ns = 0;    // Latest log time; 0 without messages.
  uint64_t uncompressed_size = 0;
  uint32_t uncompressed_crc = 0;
  std::string compression;
  std::span<const std::byte> records;  // Of the buffer it was decoded from.
};

struct McapMessageIndex {
  uint16_t channel_id = 0;
  // Log time, and the offset of the message in the uncompressed chunk.
  std::vector<std::pair<uint64_t, uint64_t>> entries;
};

// Channels with where each one's message index stands, ascending by channel.
// In place, for a long recording has thousands of these.
using McapMessageIndexOffsets =
    absl::InlinedVector<std::pair<uint16_t, uint64_t>, 5>;

struct McapChunkIndex {
  uint64_t message_start_time_ns = 0;
  uint64_t message_end_time_ns = 0;
  uint64_t chunk_start_offset = 0;
  uint64_t chunk_length = 0;  // Of the whole record.
  McapMessageIndexOffsets message_index_offsets;
  uint64_t message_index_length = 0;
  std::string compression;
  uint64_t compressed_size = 0;
  uint64_t uncompressed_size = 0;
};

struct McapAttachment {
  uint64_t log_time_ns = 0;
  uint64_t create_time_ns = 0;
  std::string name;
  std::string media_type;
  std::span<const std::byte> data;  // Of the buffer it was decoded from.
};

struct McapAttachmentIndex {
  uint64_t offset = 0;
  uint64_t length = 0;  // Of the whole record.
  uint64_t log_time_ns = 0;
  uint64_t create_time_ns = 0;
  uint64_t data_size = 0;
  std::string name;
  std::string media_type;
};

struct McapMetadata {
  std::string name;
  McapStringMap entries;  // Without the checksum that our profile adds.
};

struct McapMetadataIndex {
  uint64_t offset = 0;
  uint64_t length = 0;  // Of the whole record.
  std::string name;
};

struct McapStatistics {
  uint64_t message_count = 0;
  uint16_t schema_count = 0;
  uint32_t channel_count = 0;
  uint32_t attachment_count = 0;
  uint32_t metadata_count = 0;
  uint32_t chunk_count = 0;
  uint64_t message_start_time_ns = 0;
  uint64_t message_end_time_ns = 0;
  std::map<uint16_t, uint64_t> channel_message_counts;

  friend bool operator==(const McapStatistics&,
                         const McapStatistics&) = default;
};

struct McapSummaryOffset {
  McapOpcode group_opcode = McapOpcode::kHeader;
  uint64_t group_start = 0;
  uint64_t group_length = 0;
};

// Our profile's own, and the last before the footer: the front of the summary,
// which alone grows with the file, so that a file opens without it. It holds
// all ChunkIndex records but the last.
struct McapSummaryFront {
  uint64_t length = 0;
  uint32_t crc = 0;
};

struct McapDataEnd {
  uint32_t data_section_crc = 0;
};

struct McapFooter {
  uint64_t summary_start = 0;
  uint64_t summary_offset_start = 0;
  uint32_t summary_crc = 0;
};

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_CONTAINER_MCAP_RECORDS_H_
