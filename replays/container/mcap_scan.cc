// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/container/mcap_scan.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <variant>

#include "fmt/format.h"
#include "replays/container/crc32.h"
#include "replays/container/mcap_chunk.h"
#include "replays/container/mcap_encoding.h"
#include "replays/container/mcap_source.h"

namespace reprise::replays {
namespace {

// The definitions and counts of one chunk, kept apart until all of it was found
// right.
class ChunkGatherer {
 public:
  // `known` must remain live while this gatherer is in use.
  explicit ChunkGatherer(const McapSummary& known) : known_(known) {}

  absl::Status operator()(const McapSchema& schema) {
    return Define(schema, known_.schemas, schemas_, kMcapSchemasMax);
  }

  absl::Status operator()(const McapChannel& channel) {
    if (channel.schema_id != 0 && !schemas_.contains(channel.schema_id) &&
        known_.FindSchema(channel.schema_id) == nullptr) {
      return absl::DataLossError(
          fmt::format("chunk: channel {} before its schema", channel.topic));
    }
    return Define(channel, known_.channels, channels_, kMcapChannelsMax);
  }

  absl::Status operator()(const McapMessage& message) {
    const uint16_t id = message.channel_id;
    if (!channels_.contains(id) && known_.FindChannel(id) == nullptr) {
      return absl::DataLossError(
          fmt::format("chunk: a message of channel {}, which isn't there", id));
    }
    const auto known = known_.message_counts.find(id);
    const uint64_t known_count =
        known == known_.message_counts.end() ? 0 : known->second;
    const uint64_t expected = known_count + message_counts_[id]++;
    if (message.sequence != expected) {
      return absl::DataLossError(
          fmt::format("chunk: message {} of channel {} where {} has to follow",
                      message.sequence, id, expected));
    }
    return absl::OkStatus();
  }

  // Moves what was gathered into `summary`, the one it was checked against.
  void MoveTo(McapSummary& summary) {
    summary.schemas.merge(schemas_);
    summary.channels.merge(channels_);
    for (const auto& [id, count] : message_counts_) {
      summary.message_counts[id] += count;
    }
  }

  const std::map<uint16_t, uint64_t>& message_counts() const {
    return message_counts_;
  }

 private:
  template <typename T>
  absl::Status Define(const T& definition, const std::map<uint16_t, T>& known,
                      std::map<uint16_t, T>& added, size_t count_max) {
    const auto earlier = known.find(definition.id);
    const T& first =
        earlier != known.end()
            ? earlier->second
            : added.try_emplace(definition.id, definition).first->second;
    if (first != definition) {
      return absl::DataLossError(
          fmt::format("chunk: two definitions with the id {}", definition.id));
    }
    if (known.size() + added.size() > count_max) {
      return absl::DataLossError(fmt::format(
          "chunk: more definitions than the {} that are allowed", count_max));
    }
    return absl::OkStatus();
  }

  const McapSummary& known_;
  std::map<uint16_t, McapSchema> schemas_;
  std::map<uint16_t, McapChannel> channels_;
  std::map<uint16_t, uint64_t> message_counts_;
};

class Scanner {
 public:
  Scanner(const ByteSource& source, uint64_t end, McapScanMode mode,
          absl::FunctionRef<void(const absl::Status&)> on_problem,
          McapScan& scan)
      : source_(source),
        end_(end),
        mode_(mode),
        on_problem_(on_problem),
        scan_(scan),
        metadata_bytes_(scan.summary.MetadataBytes()) {}

  absl::Status Scan() {
    scan_.stop = absl::OkStatus();
    while (!scan_.is_at_end) {
      const uint64_t offset = scan_.summary.data_end;
      const auto prefix = ReadRecordPrefix(source_, offset, end_);
      if (!prefix.ok()) return Stop(prefix.status());
      const bool at_end = prefix->opcode == McapOpcode::kDataEnd;
      const auto status =
          at_end ? CheckDataEnd(offset, *prefix) : TakeRecord(offset, *prefix);
      if (!status.ok() && !MayGoOnBehind(prefix->opcode, status)) {
        return Stop(AtOffset(offset, status));
      }
      if (!status.ok()) on_problem_(AtOffset(offset, status));
      if (at_end) {
        scan_.is_at_end = true;
      } else {
        scan_.summary.data_end += prefix->record_length();
      }
    }
    return absl::OkStatus();
  }

 private:
  // A damaged record ends the scan, a source that can't be read ends it all.
  absl::Status Stop(const absl::Status& status) {
    if (!IsDamage(status) || is_whole_and_wrong_) return status;
    scan_.stop = status;
    return absl::OkStatus();
  }

  static bool IsDamage(const absl::Status& status) {
    return status.code() == absl::StatusCode::kDataLoss ||
           status.code() == absl::StatusCode::kUnimplemented;
  }

  bool MayGoOnBehind(McapOpcode opcode, const absl::Status& status) const {
    return mode_ == McapScanMode::kSalvage && IsDamage(status) &&
           (opcode == McapOpcode::kAttachment ||
            opcode == McapOpcode::kMetadata || is_whole_and_wrong_);
  }

  absl::Status TakeRecord(uint64_t offset, const McapRecordPrefix& prefix) {
    switch (prefix.opcode) {
      case McapOpcode::kChunk:
        return TakeChunk(offset, prefix);
      case McapOpcode::kMessageIndex:
        return TakeMessageIndex(offset, prefix);
      case McapOpcode::kAttachment:
        return TakeAttachment(offset, prefix);
      case McapOpcode::kMetadata:
        return TakeMetadata(offset, prefix);
      case McapOpcode::kSchema:
      case McapOpcode::kChannel:
      case McapOpcode::kMessage:
        return absl::DataLossError("a record that belongs into a chunk");
      case McapOpcode::kHeader:
      case McapOpcode::kFooter:
      case McapOpcode::kChunkIndex:
      case McapOpcode::kAttachmentIndex:
      case McapOpcode::kStatistics:
      case McapOpcode::kMetadataIndex:
      case McapOpcode::kSummaryOffset:
        return absl::DataLossError("a record that isn't allowed here");
      default:
        break;
    }
    // Zeros are what a file system leaves where data never arrived.
    if (static_cast<uint8_t>(prefix.opcode) == 0) {
      return absl::DataLossError("a record of kind 0");
    }
    on_problem_(AtOffset(
        offset, absl::UnimplementedError(fmt::format(
                    "skipped {} bytes of a record of unknown kind {}",
                    prefix.content_length, static_cast<int>(prefix.opcode)))));
    return absl::OkStatus();
  }

  absl::Status TakeChunk(uint64_t offset, const McapRecordPrefix& prefix) {
    if (!scan_.channels_to_index.empty()) {
      return absl::DataLossError("the chunk before lacks a message index");
    }
    if (scan_.summary.chunks.size() == kMcapChunksMax) {
      return absl::DataLossError("more chunks than are allowed");
    }
    const auto content =
        ReadRecordContent(source_, offset, prefix, kMcapChunkBytesMax);
    if (!content.ok()) return content.status();
    const auto chunk = DecodeChunk(*content);
    if (!chunk.ok()) return chunk.status();
    ChunkGatherer gatherer(scan_.summary);
    auto status = ReadChunk(*chunk, [&](const McapChunkRecord& record) {
      return std::visit(gatherer, record);
    });
    if (!status.ok()) return status;

    McapChunkIndex index = {
        .message_start_time_ns = chunk->message_start_time_ns,
        .message_end_time_ns = chunk->message_end_time_ns,
        .chunk_start_offset = offset,
        .chunk_length = prefix.record_length(),
        .compression = chunk->compression,
        .compressed_size = chunk->records.size(),
        .uncompressed_size = chunk->uncompressed_size};
    // The offsets follow when the message indexes are met.
    for (const auto& [id, count] : gatherer.message_counts()) {
      index.message_index_offsets.emplace_back(id, 0);
      scan_.channels_to_index.insert(id);
    }
    gatherer.MoveTo(scan_.summary);
    scan_.summary.chunks.push_back(std::move(index));
    return absl::OkStatus();
  }

  // An index without its chunk means that the chunk was taken for a record of
  // unknown kind: a hole.
  absl::Status TakeMessageIndex(uint64_t offset,
                                const McapRecordPrefix& prefix) {
    const auto content =
        ReadRecordContent(source_, offset, prefix, kMcapChunkBytesMax);
    if (!content.ok()) return content.status();
    const auto index = DecodeMessageIndex(*content);
    if (!index.ok()) return index.status();
    if (scan_.channels_to_index.erase(index->channel_id) == 0) {
      return absl::DataLossError(fmt::format(
          "an index of channel {} without a chunk", index->channel_id));
    }
    McapChunkIndex& chunk = scan_.summary.chunks.back();
    std::ranges::find(chunk.message_index_offsets, index->channel_id,
                      &McapMessageIndexOffsets::value_type::first)
        ->second = offset;
    chunk.message_index_length += prefix.record_length();
    return absl::OkStatus();
  }

  absl::Status TakeAttachment(uint64_t offset, const McapRecordPrefix& prefix) {
    if (scan_.summary.attachments.size() == kMcapAttachmentsMax) {
      return absl::DataLossError("more attachments than are allowed");
    }
    const auto content =
        ReadRecordContent(source_, offset, prefix, kMcapAttachmentBytesMax);
    if (!content.ok()) return content.status();
    const auto attachment = DecodeAttachment(*content);
    if (!attachment.ok()) return attachment.status();
    scan_.summary.attachments.push_back(
        {.offset = offset,
         .length = prefix.record_length(),
         .log_time_ns = attachment->log_time_ns,
         .create_time_ns = attachment->create_time_ns,
         .data_size = attachment->data.size(),
         .name = attachment->name,
         .media_type = attachment->media_type});
    return absl::OkStatus();
  }

  absl::Status TakeMetadata(uint64_t offset, const McapRecordPrefix& prefix) {
    if (scan_.metadata.size() == kMcapMetadataMax) {
      return absl::DataLossError("more metadata than is allowed");
    }
    if (prefix.record_length() > kMcapMetadataSumBytesMax - metadata_bytes_) {
      return absl::DataLossError("more bytes of metadata than are allowed");
    }
    const auto content =
        ReadRecordContent(source_, offset, prefix, kMcapMetadataBytesMax);
    if (!content.ok()) return content.status();
    auto metadata = DecodeMetadata(*content);
    if (!metadata.ok()) return metadata.status();
    scan_.summary.metadata.push_back({.offset = offset,
                                      .length = prefix.record_length(),
                                      .name = metadata->name});
    scan_.metadata.push_back(*std::move(metadata));
    metadata_bytes_ += prefix.record_length();
    return absl::OkStatus();
  }

  absl::Status CheckDataEnd(uint64_t offset, const McapRecordPrefix& prefix) {
    const auto content =
        ReadRecordContent(source_, offset, prefix, kMcapDataEndBytes);
    if (!content.ok()) return content.status();
    const auto data_end = DecodeDataEnd(*content);
    if (!data_end.ok()) return data_end.status();
    const auto crc = ReadCrc32(source_, offset);
    if (!crc.ok()) return crc.status();
    if (*crc != data_end->data_section_crc) {
      is_whole_and_wrong_ = true;
      return absl::DataLossError(
          fmt::format("data section: checksum {:08x}, says {:08x}", *crc,
                      data_end->data_section_crc));
    }
    return absl::OkStatus();
  }

  const ByteSource& source_;
  const uint64_t end_;
  const McapScanMode mode_;
  const absl::FunctionRef<void(const absl::Status&)> on_problem_;
  McapScan& scan_;
  uint64_t metadata_bytes_;  // of the records that were taken
  bool is_whole_and_wrong_ = false;
};

}  // namespace

absl::Status ContinueScan(
    const ByteSource& source, uint64_t end, McapScanMode mode,
    absl::FunctionRef<void(const absl::Status&)> on_problem, McapScan& scan) {
  return Scanner(source, end, mode, on_problem, scan).Scan();
}

}  // namespace reprise::replays
