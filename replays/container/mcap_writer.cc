// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/container/mcap_writer.h"

#include <initializer_list>
#include <limits>
#include <utility>

#include "fmt/format.h"
#include "replays/container/crc32.h"
#include "replays/container/mcap_encoding.h"
#include "sim/base/check.h"

namespace reprise::replays {
namespace {

absl::Status CheckName(std::string_view name) {
  if (name.size() <= kMcapNameBytesMax) return absl::OkStatus();
  return absl::InvalidArgumentError(
      fmt::format("a name of {} bytes, at most {} are allowed", name.size(),
                  kMcapNameBytesMax));
}

// `what` is a plural.
absl::Status CheckCount(std::string_view what, uint64_t count, uint64_t max) {
  if (count <= max) return absl::OkStatus();
  return absl::ResourceExhaustedError(
      fmt::format("{} {}, at most {} are allowed", count, what, max));
}

absl::Status CheckMap(const McapStringMap& map, uint64_t bytes_max) {
  uint64_t bytes = 0;
  for (const auto& [key, value] : map) {
    if (auto status = CheckName(key); !status.ok()) return status;
    bytes += 4 + key.size() + 4 + value.size();
  }
  auto status = CheckCount("entries in a map", map.size(), kMcapMapEntriesMax);
  if (!status.ok()) return status;
  return CheckCount("bytes in a map", bytes, bytes_max);
}

absl::Status FirstError(std::initializer_list<absl::Status> statuses) {
  for (const absl::Status& status : statuses) {
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::unique_ptr<McapWriter>> McapWriter::Create(
    McapWriterOptions options, ByteSink* sink) {
  CHECK(sink != nullptr);
  CHECK(options.chunk_bytes_target <= kMcapMessageBytesMax);
  const McapHeader header = {.profile = options.profile,
                             .library = options.library};
  auto status =
      FirstError({CheckName(header.profile), CheckName(header.library)});
  if (!status.ok()) return status;
  std::unique_ptr<McapWriter> writer(new McapWriter(std::move(options), sink));
  Bytes bytes(kMcapMagic.begin(), kMcapMagic.end());
  EncodeRecord(header, &bytes);
  if (status = writer->Append(bytes); !status.ok()) return status;
  return writer;
}

std::unique_ptr<McapWriter> McapWriter::Continue(McapWriterOptions options,
                                                 McapSummary summary,
                                                 uint32_t crc, ByteSink* sink) {
  CHECK(sink != nullptr);
  CHECK(options.chunk_bytes_target <= kMcapMessageBytesMax);
  std::unique_ptr<McapWriter> writer(new McapWriter(std::move(options), sink));
  writer->offset_ = summary.data_end;
  writer->crc_ = crc;
  writer->metadata_bytes_ = summary.MetadataBytes();
  writer->summary_ = std::move(summary);
  return writer;
}

McapWriter::McapWriter(McapWriterOptions options, ByteSink* sink)
    : options_(std::move(options)), sink_(*sink) {}

absl::Status McapWriter::AddMetadata(const McapMetadata& metadata) {
  auto status =
      FirstError({status_, CheckName(metadata.name),
                  CheckMap(metadata.entries, kMcapMetadataBytesMax),
                  CheckCount("metadata records", summary_.metadata.size() + 1,
                             kMcapMetadataMax)});
  if (!status.ok()) return status;
  if (metadata.entries.contains(std::string(kMcapMetadataChecksumKey))) {
    return absl::InvalidArgumentError(
        fmt::format("metadata {}: an entry \"{}\", a name the format keeps",
                    metadata.name, kMcapMetadataChecksumKey));
  }
  Bytes bytes;
  EncodeRecord(metadata, &bytes);
  status = CheckCount("bytes of metadata records",
                      metadata_bytes_ + bytes.size(), kMcapMetadataSumBytesMax);
  if (!status.ok()) return status;
  const McapMetadataIndex index = {
      .offset = offset_, .length = bytes.size(), .name = metadata.name};
  if (status = Append(bytes); !status.ok()) return status;
  summary_.metadata.push_back(index);
  metadata_bytes_ += bytes.size();
  return absl::OkStatus();
}

absl::Status McapWriter::AddAttachment(const McapAttachment& attachment) {
  auto status = FirstError(
      {status_, CheckName(attachment.name), CheckName(attachment.media_type),
       CheckCount("bytes in an attachment", attachment.data.size(),
                  kMcapAttachmentBytesMax),
       CheckCount("attachments", summary_.attachments.size() + 1,
                  kMcapAttachmentsMax)});
  if (!status.ok()) return status;
  Bytes bytes;
  EncodeRecord(attachment, &bytes);
  const McapAttachmentIndex index = {
      .offset = offset_,
      .length = bytes.size(),
      .log_time_ns = attachment.log_time_ns,
      .create_time_ns = attachment.create_time_ns,
      .data_size = attachment.data.size(),
      .name = attachment.name,
      .media_type = attachment.media_type};
  if (status = Append(bytes); !status.ok()) return status;
  summary_.attachments.push_back(index);
  return absl::OkStatus();
}

absl::StatusOr<uint16_t> McapWriter::AddSchema(
    std::string name, std::string encoding, std::span<const std::byte> data) {
  auto status = FirstError(
      {status_, CheckName(name), CheckName(encoding),
       CheckCount("bytes of schema", data.size(), kMcapSchemaBytesMax),
       CheckCount("schemas", summary_.schemas.size() + 1, kMcapSchemasMax)});
  if (!status.ok()) return status;
  const auto id = static_cast<uint16_t>(summary_.schemas.size() + 1);
  const McapSchema schema = {.id = id,
                             .name = std::move(name),
                             .encoding = std::move(encoding),
                             .data = Bytes(data.begin(), data.end())};
  Bytes bytes;
  EncodeRecord(schema, &bytes);
  if (status = MakeRoom(bytes.size()); !status.ok()) return status;
  chunk_.Add(schema);
  summary_.schemas[id] = schema;
  return id;
}

absl::StatusOr<uint16_t> McapWriter::AddChannel(std::string topic,
                                                std::string message_encoding,
                                                uint16_t schema_id,
                                                McapStringMap metadata) {
  CHECK(schema_id == 0 || summary_.FindSchema(schema_id) != nullptr,
        "schema {} of topic {}", schema_id, topic);
  auto status = FirstError(
      {status_, CheckName(topic), CheckName(message_encoding),
       CheckMap(metadata, kMcapChannelMapBytesMax),
       CheckCount("channels", summary_.channels.size() + 1, kMcapChannelsMax)});
  if (!status.ok()) return status;
  const auto id = static_cast<uint16_t>(summary_.channels.size() + 1);
  const McapChannel channel = {.id = id,
                               .schema_id = schema_id,
                               .topic = std::move(topic),
                               .message_encoding = std::move(message_encoding),
                               .metadata = std::move(metadata)};
  Bytes bytes;
  EncodeRecord(channel, &bytes);
  if (status = MakeRoom(bytes.size()); !status.ok()) return status;
  chunk_.Add(channel);
  summary_.channels[id] = channel;
  return id;
}

absl::Status McapWriter::AddMessage(uint16_t channel_id, uint64_t log_time_ns,
                                    std::span<const std::byte> data) {
  CHECK(summary_.FindChannel(channel_id) != nullptr, "channel {}", channel_id);
  const auto counted = summary_.message_counts.find(channel_id);
  const uint64_t sequence =
      counted == summary_.message_counts.end() ? 0 : counted->second;
  auto status = FirstError(
      {status_,
       CheckCount("bytes in a message", data.size(), kMcapMessageBytesMax),
       CheckCount("messages on a channel", sequence + 1,
                  std::numeric_limits<uint32_t>::max())});
  if (!status.ok()) return status;
  // More than a message's fields ahead of its data.
  constexpr uint64_t kMessagePrefixBytesMax = 64;
  status = MakeRoom(kMessagePrefixBytesMax + data.size());
  if (!status.ok()) return status;
  chunk_.Add(McapMessage{.channel_id = channel_id,
                         .sequence = static_cast<uint32_t>(sequence),
                         .log_time_ns = log_time_ns,
                         .publish_time_ns = log_time_ns,
                         .data = data});
  summary_.message_counts[channel_id] = sequence + 1;
  if (chunk_.size() < options_.chunk_bytes_target) return absl::OkStatus();
  return FlushChunk();
}

absl::Status McapWriter::FlushChunk() {
  if (!status_.ok()) return status_;
  if (!chunk_.empty()) {
    Bytes bytes;
    auto index = chunk_.Build(offset_, &bytes);
    if (!index.ok()) return status_ = index.status();
    if (auto status = Append(bytes); !status.ok()) return status;
    summary_.chunks.push_back(*std::move(index));
  }
  return status_ = sink_.Flush();
}

absl::Status McapWriter::Finish() {
  if (auto status = FlushChunk(); !status.ok()) return status;
  summary_.data_end = offset_;
  Bytes bytes;
  EncodeRecord(McapDataEnd{.data_section_crc = crc_}, &bytes);
  EncodeSummary(summary_, offset_ + bytes.size(), &bytes);
  if (auto status = Append(bytes); !status.ok()) return status;
  if (status_ = sink_.Flush(); !status_.ok()) return status_;
  status_ = absl::FailedPreconditionError("the recording is finished");
  return absl::OkStatus();
}

absl::Status McapWriter::MakeRoom(uint64_t bytes) {
  auto status =
      CheckCount("chunks", summary_.chunks.size() + 1, kMcapChunksMax);
  if (!status.ok()) return status;
  if (chunk_.size() + bytes <= kMcapChunkBytesMax) return absl::OkStatus();
  return FlushChunk();
}

absl::Status McapWriter::Append(std::span<const std::byte> bytes) {
  if (status_ = sink_.Append(bytes); !status_.ok()) return status_;
  crc_ = Crc32(bytes, crc_);
  offset_ += bytes.size();
  return absl::OkStatus();
}

}  // namespace reprise::replays
