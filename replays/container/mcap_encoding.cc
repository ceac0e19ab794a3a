// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/container/mcap_encoding.h"

#include <algorithm>
#include <map>
#include <string>

#include "fmt/format.h"
#include "replays/container/crc32.h"
#include "replays/container/mcap_bytes.h"
#include "sim/base/check.h"

namespace reprise::replays {
namespace {

// Two lengths, "crc32" and eight digits.
constexpr size_t kChecksumEntryBytes = 4 + 5 + 4 + 8;

McapStringMap ChecksumEntry(uint32_t crc) {
  return {{std::string(kMcapMetadataChecksumKey), fmt::format("{:08x}", crc)}};
}

void PutEntries(const McapStringMap& map, McapRecordEncoder& encoder) {
  for (const auto& [key, value] : map) {
    encoder.PutString(key);
    encoder.PutString(value);
  }
}

// The bytes of a map's entry: a channel's id and a number.
constexpr uint64_t kChannelEntryBytes = 10;

// `map` is ascending by channel.
template <typename ChannelMap>
void PutChannelMap(const ChannelMap& map, McapRecordEncoder& encoder) {
  const size_t begin = encoder.BeginLength();
  for (const auto& [key, value] : map) {
    encoder.PutUint16(key);
    encoder.PutUint64(value);
  }
  encoder.EndLength(begin);
}

// Calls `add` for each entry, in the order that they stand in.
template <typename Add>
void TakeChannelMap(McapCursor& cursor, Add add) {
  McapCursor entries(
      cursor.TakeLengthAndBytes(kMcapChannelsMax * kChannelEntryBytes));
  while (entries.ok() && !entries.at_end()) {
    const uint16_t key = entries.TakeUint16();
    add(key, entries.TakeUint64());
  }
  if (!entries.ok()) cursor.Fail("a map that ends within an entry");
}

void TakeMessageIndexOffsets(McapCursor& cursor,
                             McapMessageIndexOffsets& offsets) {
  TakeChannelMap(cursor, [&](uint16_t channel, uint64_t offset) {
    offsets.emplace_back(channel, offset);
  });
  // Other writers may have another order.
  if (!std::ranges::is_sorted(offsets)) std::ranges::sort(offsets);
  const auto twice = std::ranges::adjacent_find(
      offsets, {}, &McapMessageIndexOffsets::value_type::first);
  if (twice != offsets.end()) cursor.Fail("a channel that comes twice");
}

}  // namespace

void EncodeRecord(const McapHeader& header, Bytes* out) {
  McapRecordEncoder encoder(McapOpcode::kHeader, out);
  encoder.PutString(header.profile);
  encoder.PutString(header.library);
}

absl::StatusOr<McapHeader> DecodeHeader(std::span<const std::byte> content) {
  McapCursor cursor(content);
  McapHeader header;
  header.profile = cursor.TakeString();
  header.library = cursor.TakeString();
  if (!cursor.ok()) return cursor.status("Header");
  return header;
}

void EncodeRecord(const McapFooter& footer, Bytes* out) {
  McapRecordEncoder encoder(McapOpcode::kFooter, out);
  encoder.PutUint64(footer.summary_start);
  encoder.PutUint64(footer.summary_offset_start);
  encoder.PutUint32(footer.summary_crc);
}

absl::StatusOr<McapFooter> DecodeFooter(std::span<const std::byte> content) {
  McapCursor cursor(content);
  McapFooter footer;
  footer.summary_start = cursor.TakeUint64();
  footer.summary_offset_start = cursor.TakeUint64();
  footer.summary_crc = cursor.TakeUint32();
  if (!cursor.ok()) return cursor.status("Footer");
  return footer;
}

void EncodeRecord(const McapSchema& schema, Bytes* out) {
  McapRecordEncoder encoder(McapOpcode::kSchema, out);
  encoder.PutUint16(schema.id);
  encoder.PutString(schema.name);
  encoder.PutString(schema.encoding);
  encoder.PutUint32(static_cast<uint32_t>(schema.data.size()));
  encoder.PutBytes(schema.data);
}

absl::StatusOr<McapSchema> DecodeSchema(std::span<const std::byte> content) {
  McapCursor cursor(content);
  McapSchema schema;
  schema.id = cursor.TakeUint16();
  schema.name = cursor.TakeString();
  schema.encoding = cursor.TakeString();
  const auto data = cursor.TakeLengthAndBytes(kMcapSchemaBytesMax);
  schema.data.assign(data.begin(), data.end());
  if (schema.id == 0) cursor.Fail("the id 0, which means no schema");
  if (!cursor.ok()) return cursor.status("Schema");
  return schema;
}

void EncodeRecord(const McapChannel& channel, Bytes* out) {
  McapRecordEncoder encoder(McapOpcode::kChannel, out);
  encoder.PutUint16(channel.id);
  encoder.PutUint16(channel.schema_id);
  encoder.PutString(channel.topic);
  encoder.PutString(channel.message_encoding);
  const size_t begin = encoder.BeginLength();
  PutEntries(channel.metadata, encoder);
  encoder.EndLength(begin);
}

absl::StatusOr<McapChannel> DecodeChannel(std::span<const std::byte> content) {
  McapCursor cursor(content);
  McapChannel channel;
  channel.id = cursor.TakeUint16();
  channel.schema_id = cursor.TakeUint16();
  channel.topic = cursor.TakeString();
  channel.message_encoding = cursor.TakeString();
  channel.metadata = cursor.TakeStringMap(kMcapChannelMapBytesMax);
  if (!cursor.ok()) return cursor.status("Channel");
  return channel;
}

void EncodeRecord(const McapMessage& message, Bytes* out) {
  McapRecordEncoder encoder(McapOpcode::kMessage, out);
  encoder.PutUint16(message.channel_id);
  encoder.PutUint32(message.sequence);
  encoder.PutUint64(message.log_time_ns);
  encoder.PutUint64(message.publish_time_ns);
  encoder.PutBytes(message.data);
}

absl::StatusOr<McapMessage> DecodeMessage(std::span<const std::byte> content) {
  McapCursor cursor(content);
  McapMessage message;
  message.channel_id = cursor.TakeUint16();
  message.sequence = cursor.TakeUint32();
  message.log_time_ns = cursor.TakeUint64();
  message.publish_time_ns = cursor.TakeUint64();
  message.data = cursor.TakeBytes(content.size() - cursor.position());
  if (!cursor.ok()) return cursor.status("Message");
  return message;
}

void EncodeRecord(const McapChunk& chunk, Bytes* out) {
  McapRecordEncoder encoder(McapOpcode::kChunk, out);
  encoder.PutUint64(chunk.message_start_time_ns);
  encoder.PutUint64(chunk.message_end_time_ns);
  encoder.PutUint64(chunk.uncompressed_size);
  encoder.PutUint32(chunk.uncompressed_crc);
  encoder.PutString(chunk.compression);
  encoder.PutUint64(chunk.records.size());
  encoder.PutBytes(chunk.records);
}

absl::StatusOr<McapChunk> DecodeChunk(std::span<const std::byte> content) {
  McapCursor cursor(content);
  McapChunk chunk;
  chunk.message_start_time_ns = cursor.TakeUint64();
  chunk.message_end_time_ns = cursor.TakeUint64();
  chunk.uncompressed_size = cursor.TakeUint64();
  chunk.uncompressed_crc = cursor.TakeUint32();
  chunk.compression = cursor.TakeString();
  chunk.records = cursor.TakeBytes(cursor.TakeUint64());
  if (!cursor.ok()) return cursor.status("Chunk");
  return chunk;
}

void EncodeRecord(const McapMessageIndex& index, Bytes* out) {
  McapRecordEncoder encoder(McapOpcode::kMessageIndex, out);
  encoder.PutUint16(index.channel_id);
  const size_t begin = encoder.BeginLength();
  for (const auto& [log_time_ns, offset] : index.entries) {
    encoder.PutUint64(log_time_ns);
    encoder.PutUint64(offset);
  }
  encoder.EndLength(begin);
}

absl::StatusOr<McapMessageIndex> DecodeMessageIndex(
    std::span<const std::byte> content) {
  McapCursor cursor(content);
  McapMessageIndex index;
  index.channel_id = cursor.TakeUint16();
  McapCursor entries(cursor.TakeLengthAndBytes(kMcapChunkBytesMax));
  while (entries.ok() && !entries.at_end()) {
    const uint64_t log_time_ns = entries.TakeUint64();
    index.entries.emplace_back(log_time_ns, entries.TakeUint64());
  }
  if (!entries.ok()) cursor.Fail("an array that ends within an entry");
  if (!cursor.ok()) return cursor.status("MessageIndex");
  return index;
}

void EncodeRecord(const McapChunkIndex& index, Bytes* out) {
  McapRecordEncoder encoder(McapOpcode::kChunkIndex, out);
  encoder.PutUint64(index.message_start_time_ns);
  encoder.PutUint64(index.message_end_time_ns);
  encoder.PutUint64(index.chunk_start_offset);
  encoder.PutUint64(index.chunk_length);
  PutChannelMap(index.message_index_offsets, encoder);
  encoder.PutUint64(index.message_index_length);
  encoder.PutString(index.compression);
  encoder.PutUint64(index.compressed_size);
  encoder.PutUint64(index.uncompressed_size);
}

absl::StatusOr<McapChunkIndex> DecodeChunkIndex(
    std::span<const std::byte> content) {
  McapCursor cursor(content);
  // Where it is returned: the summary of a long file is mostly these.
  absl::StatusOr<McapChunkIndex> decoded = McapChunkIndex();
  McapChunkIndex& index = *decoded;
  index.message_start_time_ns = cursor.TakeUint64();
  index.message_end_time_ns = cursor.TakeUint64();
  index.chunk_start_offset = cursor.TakeUint64();
  index.chunk_length = cursor.TakeUint64();
  TakeMessageIndexOffsets(cursor, index.message_index_offsets);
  index.message_index_length = cursor.TakeUint64();
  index.compression = cursor.TakeString();
  index.compressed_size = cursor.TakeUint64();
  index.uncompressed_size = cursor.TakeUint64();
  if (!cursor.ok()) decoded = cursor.status("ChunkIndex");
  return decoded;
}

void EncodeRecord(const McapAttachment& attachment, Bytes* out) {
  McapRecordEncoder encoder(McapOpcode::kAttachment, out);
  encoder.PutUint64(attachment.log_time_ns);
  encoder.PutUint64(attachment.create_time_ns);
  encoder.PutString(attachment.name);
  encoder.PutString(attachment.media_type);
  encoder.PutUint64(attachment.data.size());
  encoder.PutBytes(attachment.data);
  encoder.PutUint32(Crc32(encoder.content()));
}

absl::StatusOr<McapAttachment> DecodeAttachment(
    std::span<const std::byte> content) {
  McapCursor cursor(content);
  McapAttachment attachment;
  attachment.log_time_ns = cursor.TakeUint64();
  attachment.create_time_ns = cursor.TakeUint64();
  attachment.name = cursor.TakeString();
  attachment.media_type = cursor.TakeString();
  attachment.data = cursor.TakeBytes(cursor.TakeUint64());
  const uint32_t crc = Crc32(content.first(cursor.position()));
  if (cursor.TakeUint32() != crc) cursor.Fail("a wrong checksum");
  if (!cursor.ok()) return cursor.status("Attachment");
  return attachment;
}

void EncodeRecord(const McapAttachmentIndex& index, Bytes* out) {
  McapRecordEncoder encoder(McapOpcode::kAttachmentIndex, out);
  encoder.PutUint64(index.offset);
  encoder.PutUint64(index.length);
  encoder.PutUint64(index.log_time_ns);
  encoder.PutUint64(index.create_time_ns);
  encoder.PutUint64(index.data_size);
  encoder.PutString(index.name);
  encoder.PutString(index.media_type);
}

absl::StatusOr<McapAttachmentIndex> DecodeAttachmentIndex(
    std::span<const std::byte> content) {
  McapCursor cursor(content);
  McapAttachmentIndex index;
  index.offset = cursor.TakeUint64();
  index.length = cursor.TakeUint64();
  index.log_time_ns = cursor.TakeUint64();
  index.create_time_ns = cursor.TakeUint64();
  index.data_size = cursor.TakeUint64();
  index.name = cursor.TakeString();
  index.media_type = cursor.TakeString();
  if (!cursor.ok()) return cursor.status("AttachmentIndex");
  return index;
}

void EncodeRecord(const McapMetadata& metadata, Bytes* out) {
  CHECK(!metadata.entries.contains(std::string(kMcapMetadataChecksumKey)));
  McapRecordEncoder encoder(McapOpcode::kMetadata, out);
  encoder.PutString(metadata.name);
  uint32_t crc = Crc32(encoder.content());
  const size_t begin = encoder.BeginLength();
  const size_t entries_begin = encoder.content().size();
  PutEntries(metadata.entries, encoder);
  crc = Crc32(encoder.content().subspan(entries_begin), crc);
  PutEntries(ChecksumEntry(crc), encoder);
  encoder.EndLength(begin);
}

absl::StatusOr<McapMetadata> DecodeMetadata(
    std::span<const std::byte> content) {
  McapCursor cursor(content);
  McapMetadata metadata;
  metadata.name = cursor.TakeString();
  uint32_t crc = Crc32(content.first(cursor.position()));
  const auto map =
      cursor.TakeLengthAndBytes(kMcapMetadataBytesMax + kChecksumEntryBytes);
  McapCursor entries(
      map.first(map.size() - std::min(map.size(), kChecksumEntryBytes)));
  McapCursor checksum(map.last(std::min(map.size(), kChecksumEntryBytes)));
  metadata.entries = entries.TakeEntries();
  crc = Crc32(map.first(entries.position()), crc);
  if (checksum.TakeEntries() != ChecksumEntry(crc)) {
    cursor.Fail("no checksum entry at the end, or a wrong one");
  }
  if (metadata.entries.contains(std::string(kMcapMetadataChecksumKey))) {
    cursor.Fail("a second checksum entry");
  }
  if (!cursor.ok()) return cursor.status("Metadata");
  if (!entries.ok()) return entries.status("Metadata, map");
  return metadata;
}

void EncodeRecord(const McapMetadataIndex& index, Bytes* out) {
  McapRecordEncoder encoder(McapOpcode::kMetadataIndex, out);
  encoder.PutUint64(index.offset);
  encoder.PutUint64(index.length);
  encoder.PutString(index.name);
}

absl::StatusOr<McapMetadataIndex> DecodeMetadataIndex(
    std::span<const std::byte> content) {
  McapCursor cursor(content);
  McapMetadataIndex index;
  index.offset = cursor.TakeUint64();
  index.length = cursor.TakeUint64();
  index.name = cursor.TakeString();
  if (!cursor.ok()) return cursor.status("MetadataIndex");
  return index;
}

void EncodeRecord(const McapStatistics& statistics, Bytes* out) {
  McapRecordEncoder encoder(McapOpcode::kStatistics, out);
  encoder.PutUint64(statistics.message_count);
  encoder.PutUint16(statistics.schema_count);
  encoder.PutUint32(statistics.channel_count);
  encoder.PutUint32(statistics.attachment_count);
  encoder.PutUint32(statistics.metadata_count);
  encoder.PutUint32(statistics.chunk_count);
  encoder.PutUint64(statistics.message_start_time_ns);
  encoder.PutUint64(statistics.message_end_time_ns);
  PutChannelMap(statistics.channel_message_counts, encoder);
}

absl::StatusOr<McapStatistics> DecodeStatistics(
    std::span<const std::byte> content) {
  McapCursor cursor(content);
  McapStatistics statistics;
  statistics.message_count = cursor.TakeUint64();
  statistics.schema_count = cursor.TakeUint16();
  statistics.channel_count = cursor.TakeUint32();
  statistics.attachment_count = cursor.TakeUint32();
  statistics.metadata_count = cursor.TakeUint32();
  statistics.chunk_count = cursor.TakeUint32();
  statistics.message_start_time_ns = cursor.TakeUint64();
  statistics.message_end_time_ns = cursor.TakeUint64();
  TakeChannelMap(cursor, [&](uint16_t channel, uint64_t count) {
    statistics.channel_message_counts[channel] = count;
  });
  if (!cursor.ok()) return cursor.status("Statistics");
  return statistics;
}

void EncodeRecord(const McapSummaryOffset& offset, Bytes* out) {
  McapRecordEncoder encoder(McapOpcode::kSummaryOffset, out);
  encoder.PutUint8(static_cast<uint8_t>(offset.group_opcode));
  encoder.PutUint64(offset.group_start);
  encoder.PutUint64(offset.group_length);
}

absl::StatusOr<McapSummaryOffset> DecodeSummaryOffset(
    std::span<const std::byte> content) {
  McapCursor cursor(content);
  McapSummaryOffset offset;
  offset.group_opcode = static_cast<McapOpcode>(cursor.TakeUint8());
  offset.group_start = cursor.TakeUint64();
  offset.group_length = cursor.TakeUint64();
  if (!cursor.ok()) return cursor.status("SummaryOffset");
  return offset;
}

void EncodeRecord(const McapSummaryFront& front, Bytes* out) {
  McapRecordEncoder encoder(McapOpcode::kSummaryFront, out);
  encoder.PutUint64(front.length);
  encoder.PutUint32(front.crc);
}

absl::StatusOr<McapSummaryFront> DecodeSummaryFront(
    std::span<const std::byte> content) {
  McapCursor cursor(content);
  McapSummaryFront front;
  front.length = cursor.TakeUint64();
  front.crc = cursor.TakeUint32();
  if (!cursor.ok()) return cursor.status("SummaryFront");
  return front;
}

void EncodeRecord(const McapDataEnd& data_end, Bytes* out) {
  McapRecordEncoder encoder(McapOpcode::kDataEnd, out);
  encoder.PutUint32(data_end.data_section_crc);
}

absl::StatusOr<McapDataEnd> DecodeDataEnd(std::span<const std::byte> content) {
  McapCursor cursor(content);
  McapDataEnd data_end;
  data_end.data_section_crc = cursor.TakeUint32();
  if (!cursor.ok()) return cursor.status("DataEnd");
  return data_end;
}

absl::Status ForEachRecord(std::span<const std::byte> records,
                           McapRecordVisitor visit) {
  McapCursor cursor(records);
  while (!cursor.at_end()) {
    const uint64_t offset = cursor.position();
    const auto opcode = static_cast<McapOpcode>(cursor.TakeUint8());
    const auto content = cursor.TakeBytes(cursor.TakeUint64());
    if (!cursor.ok()) return cursor.status("records");
    if (auto status = visit(opcode, content, offset); !status.ok()) {
      return status;
    }
  }
  return absl::OkStatus();
}

}  // namespace reprise::replays
