// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/mcap_summary.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>

#include "fmt/format.h"
#include "replays/crc32.h"
#include "replays/mcap_bytes.h"
#include "replays/mcap_encoding.h"
#include "replays/mcap_source.h"

namespace reprise::replays {
namespace {

// Of the footer, all but its last field enters the summary's checksum.
constexpr uint64_t kFooterChecksummedBytes = kMcapFooterBytes - 4;

constexpr uint64_t kEndBytes = kMcapFooterBytes + kMcapMagic.size();

// The last field of SummaryParts: its checksum.
constexpr uint64_t kRestCrcBytes = 4;

// The checksum of what ends with SummaryParts and the footer, without the two
// records' own checksums.
uint32_t RestCrc(std::span<const std::byte> bytes) {
  const size_t footer = bytes.size() - kMcapFooterBytes;
  return Crc32(bytes.subspan(footer, kFooterChecksummedBytes),
               Crc32(bytes.first(footer - kRestCrcBytes)));
}

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
absl::StatusOr<McapSummaryParts> ReadSummaryParts(const ByteSource& source,
                                                  const SummaryPlace& place) {
  const uint64_t length = place.footer_offset - place.start;
  if (length < kMcapSummaryPartsBytes) {
    return absl::DataLossError("no SummaryParts");
  }
  const auto content = ReadIndexedRecord(
      source, McapOpcode::kSummaryParts,
      place.footer_offset - kMcapSummaryPartsBytes, kMcapSummaryPartsBytes,
      place.footer_offset, kMcapSummaryPartsBytes);
  if (!content.ok()) return content.status();
  const auto parts = DecodeSummaryParts(*content);
  if (!parts.ok()) return parts.status();
  if (parts->chunk_indexes_length > length - kMcapSummaryPartsBytes ||
      parts->last_chunk_index_length > parts->chunk_indexes_length) {
    return absl::DataLossError("SummaryParts: a length beyond the summary");
  }
  return parts;
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
  uint64_t end = 0;
  for (const McapChunkIndex& chunk : chunks) {
    const uint64_t offset = chunk.chunk_start_offset;
    if (offset < end || offset > data_end ||
        chunk.chunk_length > data_end - offset) {
      return absl::DataLossError(
          fmt::format("the chunk at {} is out of order", offset));
    }
    end = offset + chunk.chunk_length;
  }
  return absl::OkStatus();
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
  put_all(McapOpcode::kChunkIndex, summary.chunks);
  const size_t rest_begin = out->size();
  put_definitions(McapOpcode::kSchema, summary.schemas);
  put_definitions(McapOpcode::kChannel, summary.channels);
  put_all(McapOpcode::kStatistics, std::array{summary.Statistics()});
  put_all(McapOpcode::kAttachmentIndex, summary.attachments);
  put_all(McapOpcode::kMetadataIndex, summary.metadata);

  McapFooter footer = {.summary_start = offset,
                       .summary_offset_start = offset_of_out + out->size()};
  for (const McapSummaryOffset& group : groups) EncodeRecord(group, out);
  Bytes last_chunk_index;
  if (!summary.chunks.empty()) {
    EncodeRecord(summary.chunks.back(), &last_chunk_index);
  }
  const auto chunk_indexes = std::span(*out).first(rest_begin).subspan(begin);
  McapSummaryParts parts = {.chunk_indexes_length = chunk_indexes.size(),
                            .last_chunk_index_length = last_chunk_index.size(),
                            .chunk_indexes_crc = Crc32(chunk_indexes)};
  // Both are put once for their checksums and again with them.
  const size_t parts_begin = out->size();
  EncodeRecord(parts, out);
  EncodeRecord(footer, out);
  parts.rest_crc =
      RestCrc(std::span(*out).subspan(rest_begin - last_chunk_index.size()));
  out->resize(parts_begin);
  EncodeRecord(parts, out);
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
  const auto parts = ReadSummaryParts(source, *place);
  if (!parts.ok()) return std::nullopt;
  // The last chunk index and all that stands behind them.
  const uint64_t begin = place->start + parts->chunk_indexes_length -
                         parts->last_chunk_index_length;
  Bytes bytes(place->footer_offset + kMcapFooterBytes - begin);
  if (!source.ReadAt(begin, bytes).ok()) return std::nullopt;
  if (RestCrc(bytes) != parts->rest_crc) return std::nullopt;
  auto decoded = DecodeRecords(bytes);
  if (!decoded.ok() || !decoded->statistics.has_value()) return std::nullopt;
  McapSummary& summary = decoded->summary;
  summary.data_end = place->data_end;
  const bool has_last = parts->last_chunk_index_length > 0;
  if (summary.chunks.size() != (has_last ? 1 : 0) || !summary.Validate().ok()) {
    return std::nullopt;
  }
  McapUnreadChunks chunks = {.statistics = *std::move(decoded->statistics),
                             .last_chunk = std::nullopt,
                             .offset = place->start,
                             .length = parts->chunk_indexes_length,
                             .crc = parts->chunk_indexes_crc};
  if (has_last) chunks.last_chunk = std::move(summary.chunks.front());
  summary.chunks.clear();
  return McapSummaryOutline{.summary = std::move(summary),
                            .chunks = std::move(chunks)};
}

absl::StatusOr<std::vector<McapChunkIndex>> ReadChunkIndexes(
    const ByteSource& source, const McapUnreadChunks& chunks,
    const McapSummary& summary) {
  Bytes bytes(chunks.length);
  auto status = source.ReadAt(chunks.offset, bytes);
  if (!status.ok()) return status;
  if (Crc32(bytes) != chunks.crc) {
    return AtOffset(chunks.offset,
                    absl::DataLossError("chunk indexes: a wrong checksum"));
  }
  auto decoded = DecodeRecords(bytes);
  if (!decoded.ok()) return AtOffset(chunks.offset, decoded.status());
  McapSummary whole = summary;
  whole.chunks = std::move(decoded->summary.chunks);
  status = CheckStatistics(chunks.statistics, whole);
  if (status.ok()) status = whole.Validate();
  if (!status.ok()) return AtOffset(chunks.offset, status);
  return std::move(whole.chunks);
}

}  // namespace reprise::replays
