// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/container/mcap_summary.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "fmt/format.h"
#include "replays/container/crc32.h"
#include "replays/container/mcap_bytes.h"
#include "replays/container/mcap_encoding.h"
#include "replays/container/mcap_source.h"

namespace reprise::replays {
namespace {

// Of the footer, all but its last field enters the summary's checksum.
constexpr uint64_t kFooterChecksummedBytes = kMcapFooterBytes - 4;

constexpr uint64_t kEndBytes = kMcapFooterBytes + kMcapMagic.size();

// Appends a group of records of one kind and returns where it lies.
template <typename Encode>
void PutGroup(McapOpcode opcode, uint64_t offset_of_out, Bytes* out,
              std::vector<McapSummaryOffset>& groups, Encode encode) {
  const size_t begin = out->size();
  encode();
  if (out->size() == begin) return;
  groups.push_back({.group_opcode = opcode,
                    .group_start = offset_of_out + begin,
                    .group_length = out->size() - begin});
}

// Puts what a decoder gave into the summary with `add`.
template <typename T, typename Add>
absl::Status Take(absl::StatusOr<T> record, Add add) {
  if (!record.ok()) return record.status();
  add(*std::move(record));
  return absl::OkStatus();
}

// Records of a summary, all or some.
struct DecodedRecords {
  McapSummary summary;
  std::optional<McapStatistics> statistics;
};

absl::StatusOr<DecodedRecords> DecodeRecords(
    std::span<const std::byte> records) {
  DecodedRecords decoded;
  McapSummary& summary = decoded.summary;
  const auto status = ForEachRecord(
      records,
      [&](McapOpcode opcode, std::span<const std::byte> content,
          uint64_t /*offset*/) -> absl::Status {
        switch (opcode) {
          case McapOpcode::kSchema:
            return Take(DecodeSchema(content), [&](McapSchema schema) {
              summary.schemas[schema.id] = std::move(schema);
            });
          case McapOpcode::kChannel:
            return Take(DecodeChannel(content), [&](McapChannel channel) {
              summary.channels[channel.id] = std::move(channel);
            });
          case McapOpcode::kChunkIndex:
            return Take(DecodeChunkIndex(content), [&](McapChunkIndex&& index) {
              summary.chunks.push_back(std::move(index));
            });
          case McapOpcode::kAttachmentIndex:
            return Take(DecodeAttachmentIndex(content),
                        [&](McapAttachmentIndex index) {
                          summary.attachments.push_back(std::move(index));
                        });
          case McapOpcode::kMetadataIndex:
            return Take(DecodeMetadataIndex(content),
                        [&](McapMetadataIndex index) {
                          summary.metadata.push_back(std::move(index));
                        });
          case McapOpcode::kStatistics:
            return Take(DecodeStatistics(content), [&](McapStatistics taken) {
              summary.message_counts = taken.channel_message_counts;
              decoded.statistics = std::move(taken);
            });
          default:
            return absl::OkStatus();
        }
      });
  if (!status.ok()) return status;
  return decoded;
}

absl::Status CheckStatistics(const McapStatistics& statistics,
                             const McapSummary& summary) {
  if (statistics == summary.Statistics()) return absl::OkStatus();
  return absl::DataLossError("Statistics that don't fit the indexes");
}

// Of all the records.
absl::StatusOr<McapSummary> DecodeSummary(std::span<const std::byte> records) {
  auto decoded = DecodeRecords(records);
  if (!decoded.ok()) return decoded.status();
  if (!decoded->statistics.has_value()) {
    return absl::DataLossError("no Statistics record");
  }
  auto status = CheckStatistics(*decoded->statistics, decoded->summary);
  if (!status.ok()) return status;
  return std::move(decoded->summary);
}

// The data section's last record has to end where the summary starts.
absl::StatusOr<uint64_t> FindDataEnd(const ByteSource& source,
                                     uint64_t summary_start,
                                     uint64_t footer_offset) {
  if (summary_start < kMcapMagic.size() + kMcapDataEndBytes) {
    return AtOffset(footer_offset,
                    absl::DataLossError(fmt::format(
                        "a summary said to start at {}", summary_start)));
  }
  const uint64_t offset = summary_start - kMcapDataEndBytes;
  const auto content =
      ReadIndexedRecord(source, McapOpcode::kDataEnd, offset, kMcapDataEndBytes,
                        summary_start, kMcapDataEndBytes);
  if (!content.ok()) return content.status();
  return offset;
}

absl::StatusOr<McapFooter> ReadFooter(const ByteSource& source) {
  if (source.size() < kMcapMagic.size() + kEndBytes) {
    return absl::DataLossError("too short to have a footer");
  }
  const uint64_t offset = source.size() - kEndBytes;
  std::array<std::byte, kMcapMagic.size()> magic;
  auto status = source.ReadAt(offset + kMcapFooterBytes, magic);
  if (!status.ok()) return status;
  if (magic != kMcapMagic) {
    return AtOffset(offset + kMcapFooterBytes,
                    absl::DataLossError("the end of an MCAP file is missing"));
  }
  const auto content =
      ReadIndexedRecord(source, McapOpcode::kFooter, offset, kMcapFooterBytes,
                        offset + kMcapFooterBytes, kMcapFooterBytes);
  if (!content.ok()) return content.status();
  const auto footer = DecodeFooter(*content);
  if (!footer.ok()) return AtOffset(offset, footer.status());
  // Without a summary both are zero, which our profile doesn't allow.
  const bool offsets_in_order =
      footer->summary_start <= offset &&
      (footer->summary_offset_start == 0 ||
       (footer->summary_offset_start >= footer->summary_start &&
        footer->summary_offset_start <= offset));
  if (!offsets_in_order) {
    return AtOffset(offset, absl::DataLossError("a footer that points beyond"));
  }
  return *footer;
}

// Where a file's summary is.
struct SummaryPlace {
  uint64_t data_end = 0;
  uint64_t start = 0;
  uint64_t records_end = 0;  // Behind them: the summary's offsets.
  uint64_t footer_offset = 0;
  uint32_t crc = 0;
};

absl::StatusOr<SummaryPlace> FindSummary(const ByteSource& source) {
  const auto footer = ReadFooter(source);
  if (!footer.ok()) return footer.status();
  const uint64_t start = footer->summary_start;
  const uint64_t footer_offset = source.size() - kEndBytes;
  const auto data_end = FindDataEnd(source, start, footer_offset);
  if (!data_end.ok()) return data_end.status();
  if (footer_offset - start > kMcapSummaryBytesMax) {
    return AtOffset(start, absl::DataLossError(fmt::format(
                               "a summary of {} bytes, at most {} are allowed",
                               footer_offset - start, kMcapSummaryBytesMax)));
  }
  return SummaryPlace{.data_end = *data_end,
                      .start = start,
                      .records_end = footer->summary_offset_start == 0
                                         ? footer_offset
                                         : footer->summary_offset_start,
                      .footer_offset = footer_offset,
                      .crc = footer->summary_crc};
}

// The last record before the footer. DATA_LOSS if it is another.
absl::StatusOr<McapSummaryFront> ReadSummaryFront(const ByteSource& source,
                                                  const SummaryPlace& place) {
  if (place.footer_offset - place.start < kMcapSummaryFrontBytes) {
    return absl::DataLossError("no SummaryFront");
  }
  const auto content = ReadIndexedRecord(
      source, McapOpcode::kSummaryFront,
      place.footer_offset - kMcapSummaryFrontBytes, kMcapSummaryFrontBytes,
      place.footer_offset, kMcapSummaryFrontBytes);
  if (!content.ok()) return content.status();
  const auto front = DecodeSummaryFront(*content);
  if (!front.ok()) return front.status();
  if (front->length > place.records_end - place.start) {
    return absl::DataLossError("SummaryFront: a length beyond the summary");
  }
  return front;
}

// Whether the statistics fit a summary whose chunks were left unread.
bool FitsRest(const McapStatistics& statistics, const McapSummary& summary) {
  McapStatistics expected = summary.Statistics();
  expected.chunk_count = statistics.chunk_count;
  expected.message_start_time_ns = statistics.message_start_time_ns;
  expected.message_end_time_ns = statistics.message_end_time_ns;
  return statistics == expected;
}

// Whether the records stand behind each other, and in front of `data_end`. What
// is there twice would be read twice.
template <typename Index>
absl::Status CheckOrder(std::string_view kind,
                        const std::vector<Index>& indexes, uint64_t data_end,
                        uint64_t Index::*begin_of, uint64_t Index::*length_of) {
  uint64_t end = 0;
  for (const Index& index : indexes) {
    const uint64_t offset = index.*begin_of;
    const uint64_t length = index.*length_of;
    if (offset < end || offset > data_end || length > data_end - offset) {
      return absl::DataLossError(
          fmt::format("the {} at {} is out of order", kind, offset));
    }
    end = offset + length;
  }
  return absl::OkStatus();
}

}  // namespace

McapStatistics McapSummary::Statistics() const {
  McapStatistics statistics = {
      .schema_count = static_cast<uint16_t>(schemas.size()),
      .channel_count = static_cast<uint32_t>(channels.size()),
      .attachment_count = static_cast<uint32_t>(attachments.size()),
      .metadata_count = static_cast<uint32_t>(metadata.size()),
      .chunk_count = static_cast<uint32_t>(chunks.size()),
      .channel_message_counts = message_counts};
  for (const auto& [channel_id, count] : message_counts) {
    statistics.message_count += count;
  }
  bool has_messages = false;
  for (const McapChunkIndex& chunk : chunks) {
    if (chunk.message_index_offsets.empty()) continue;
    const uint64_t start_time_ns = chunk.message_start_time_ns;
    statistics.message_start_time_ns =
        has_messages ? std::min(statistics.message_start_time_ns, start_time_ns)
                     : start_time_ns;
    statistics.message_end_time_ns =
        std::max(statistics.message_end_time_ns, chunk.message_end_time_ns);
    has_messages = true;
  }
  return statistics;
}

const McapSchema* McapSummary::FindSchema(uint16_t id) const {
  const auto found = schemas.find(id);
  return found == schemas.end() ? nullptr : &found->second;
}

const McapChannel* McapSummary::FindChannel(uint16_t id) const {
  const auto found = channels.find(id);
  return found == channels.end() ? nullptr : &found->second;
}

absl::Status McapSummary::Validate() const {
  if (schemas.size() > kMcapSchemasMax || channels.size() > kMcapChannelsMax ||
      chunks.size() > kMcapChunksMax || metadata.size() > kMcapMetadataMax ||
      attachments.size() > kMcapAttachmentsMax) {
    return absl::DataLossError("more records of one kind than are allowed");
  }
  for (const auto& [id, channel] : channels) {
    if (channel.schema_id != 0 && FindSchema(channel.schema_id) == nullptr) {
      return absl::DataLossError(
          fmt::format("channel {} ({}) names schema {}, which isn't there", id,
                      channel.topic, channel.schema_id));
    }
  }
  for (const auto& [id, count] : message_counts) {
    if (FindChannel(id) == nullptr) {
      return absl::DataLossError(
          fmt::format("messages of channel {}, which isn't there", id));
    }
  }
  absl::Status status =
      CheckOrder("chunk", chunks, data_end, &McapChunkIndex::chunk_start_offset,
                 &McapChunkIndex::chunk_length);
  if (status.ok()) {
    status = CheckOrder("metadata", metadata, data_end,
                        &McapMetadataIndex::offset, &McapMetadataIndex::length);
  }
  if (status.ok() && MetadataBytes() > kMcapMetadataSumBytesMax) {
    status = absl::DataLossError("more bytes of metadata than are allowed");
  }
  return status;
}

uint64_t McapSummary::MetadataBytes() const {
  uint64_t bytes = 0;
  for (const McapMetadataIndex& index : metadata) bytes += index.length;
  return bytes;
}

void EncodeSummary(const McapSummary& summary, uint64_t offset, Bytes* out) {
  const size_t begin = out->size();
  const uint64_t offset_of_out = offset - begin;
  std::vector<McapSummaryOffset> groups;
  const auto put_all = [&](McapOpcode opcode, const auto& records) {
    PutGroup(opcode, offset_of_out, out, groups, [&] {
      for (const auto& record : records) EncodeRecord(record, out);
    });
  };
  const auto put_definitions = [&](McapOpcode opcode, const auto& by_id) {
    PutGroup(opcode, offset_of_out, out, groups, [&] {
      for (const auto& [id, record] : by_id) EncodeRecord(record, out);
    });
  };
  size_t front_end = begin;
  PutGroup(McapOpcode::kChunkIndex, offset_of_out, out, groups, [&] {
    for (const McapChunkIndex& chunk : summary.chunks) {
      front_end = out->size();
      EncodeRecord(chunk, out);
    }
  });
  put_definitions(McapOpcode::kSchema, summary.schemas);
  put_definitions(McapOpcode::kChannel, summary.channels);
  put_all(McapOpcode::kStatistics, std::array{summary.Statistics()});
  put_all(McapOpcode::kAttachmentIndex, summary.attachments);
  put_all(McapOpcode::kMetadataIndex, summary.metadata);

  McapFooter footer = {.summary_start = offset,
                       .summary_offset_start = offset_of_out + out->size()};
  for (const McapSummaryOffset& group : groups) EncodeRecord(group, out);
  const auto front = std::span(*out).first(front_end).subspan(begin);
  EncodeRecord(McapSummaryFront{.length = front.size(), .crc = Crc32(front)},
               out);
  // Put once for its checksum and again with it.
  const size_t footer_begin = out->size();
  EncodeRecord(footer, out);
  footer.summary_crc = Crc32(std::span(*out)
                                 .first(footer_begin + kFooterChecksummedBytes)
                                 .subspan(begin));
  out->resize(footer_begin);
  EncodeRecord(footer, out);
  out->insert(out->end(), kMcapMagic.begin(), kMcapMagic.end());
}

absl::StatusOr<McapSummary> ReadSummary(const ByteSource& source) {
  const auto place = FindSummary(source);
  if (!place.ok()) return place.status();
  Bytes bytes(place->footer_offset - place->start + kFooterChecksummedBytes);
  auto status = source.ReadAt(place->start, bytes);
  if (!status.ok()) return status;
  if (Crc32(bytes) != place->crc) {
    return AtOffset(place->start,
                    absl::DataLossError("summary: a wrong checksum"));
  }
  auto summary =
      DecodeSummary(std::span(bytes).first(place->records_end - place->start));
  if (!summary.ok()) return AtOffset(place->start, summary.status());
  summary->data_end = place->data_end;
  status = summary->Validate();
  if (!status.ok()) return AtOffset(place->start, status);
  return summary;
}

std::optional<McapSummaryOutline> ReadSummaryOutline(const ByteSource& source) {
  const auto place = FindSummary(source);
  if (!place.ok()) return std::nullopt;
  const auto front = ReadSummaryFront(source, *place);
  if (!front.ok()) return std::nullopt;
  const uint64_t begin = place->start + front->length;
  Bytes bytes(place->footer_offset - begin + kFooterChecksummedBytes);
  if (!source.ReadAt(begin, bytes).ok()) return std::nullopt;
  if (JoinCrc32(front->crc, Crc32(bytes), bytes.size()) != place->crc) {
    return std::nullopt;
  }
  auto decoded =
      DecodeRecords(std::span(bytes).first(place->records_end - begin));
  if (!decoded.ok() || !decoded->statistics.has_value()) return std::nullopt;
  McapSummary& summary = decoded->summary;
  summary.data_end = place->data_end;
  // The last chunk index first, or none at all.
  const bool has_chunks =
      bytes.front() == static_cast<std::byte>(McapOpcode::kChunkIndex);
  if (summary.chunks.size() != (has_chunks ? 1 : 0) ||
      (front->length > 0 && !has_chunks) || !summary.Validate().ok() ||
      !FitsRest(*decoded->statistics, summary)) {
    return std::nullopt;
  }
  McapUnreadChunks chunks = {.statistics = *std::move(decoded->statistics),
                             .last_chunk = std::nullopt,
                             .offset = place->start,
                             .front = *front};
  if (has_chunks) chunks.last_chunk = std::move(summary.chunks.front());
  summary.chunks.clear();
  return McapSummaryOutline{.summary = std::move(summary),
                            .chunks = std::move(chunks)};
}

absl::StatusOr<std::vector<McapChunkIndex>> ReadChunkIndexes(
    const ByteSource& source, const McapUnreadChunks& chunks,
    const McapSummary& summary) {
  Bytes bytes(chunks.front.length);
  auto status = source.ReadAt(chunks.offset, bytes);
  if (!status.ok()) return status;
  if (Crc32(bytes) != chunks.front.crc) {
    return AtOffset(chunks.offset,
                    absl::DataLossError("chunk indexes: a wrong checksum"));
  }
  McapSummary whole = summary;
  status = ForEachRecord(
      bytes,
      [&](McapOpcode opcode, std::span<const std::byte> content,
          uint64_t /*offset*/) -> absl::Status {
        if (opcode != McapOpcode::kChunkIndex) {
          return absl::DataLossError("a record that is no ChunkIndex");
        }
        return Take(DecodeChunkIndex(content), [&](McapChunkIndex&& index) {
          whole.chunks.push_back(std::move(index));
        });
      });
  if (chunks.last_chunk.has_value()) whole.chunks.push_back(*chunks.last_chunk);
  if (status.ok()) status = CheckStatistics(chunks.statistics, whole);
  if (status.ok()) status = whole.Validate();
  if (!status.ok()) return AtOffset(chunks.offset, status);
  return std::move(whole.chunks);
}

}  // namespace reprise::replays
