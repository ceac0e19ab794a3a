// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/testing/edited_replay.h"

#include <cstdint>
#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "replays/container/byte_file.h"
#include "replays/container/mcap_reader.h"
#include "replays/container/mcap_writer.h"
#include "replays/format/replay_metadata.h"
#include "replays/format/replay_topics.h"
#include "sim/base/check.h"

namespace reprise::replays {
namespace {

void CopyFront(const McapReader& reader,
               const std::map<std::string, std::string>& metadata,
               McapWriter& writer) {
  for (McapMetadata record : reader.metadata()) {
    if (record.name == kReplayMetadataName) {
      for (const auto& [key, value] : metadata) record.entries[key] = value;
    }
    CHECK(writer.AddMetadata(record).ok());
  }
  for (const McapAttachmentIndex& index : reader.attachments()) {
    const Bytes data = *reader.ReadAttachment(index);
    CHECK(writer
              .AddAttachment({.name = index.name,
                              .media_type = index.media_type,
                              .data = data})
              .ok());
  }
}

// EditReplay, with one more metadata record at its end where `added` isn't
// null.
Bytes Edit(std::span<const std::byte> file, const MessageEdit& edit,
           const std::map<std::string, std::string>& metadata,
           const McapMetadata* added) {
  const std::unique_ptr<McapReader> reader = *McapReader::Open(
      std::make_unique<MemorySource>(file),
      {.profile = std::string(kReplayProfile), .on_problem = nullptr});
  Bytes edited;
  MemorySink sink(&edited);
  const std::unique_ptr<McapWriter> writer = *McapWriter::Create(
      {.profile = std::string(kReplayProfile), .library = "edited"}, &sink);
  CopyFront(*reader, metadata, *writer);
  std::map<uint16_t, uint16_t> channels;
  for (const auto& [id, channel] : reader->channels()) {
    channels[id] = *writer->AddChannel(channel.topic, channel.message_encoding,
                                       /*schema_id=*/0);
  }
  const absl::StatusOr<std::span<const McapChunkIndex>> chunks =
      reader->Chunks();
  CHECK(chunks.ok());
  for (const McapChunkIndex& chunk : *chunks) {
    const absl::Status status = reader->ForEachMessageInChunk(
        chunk, [&](const McapChannel& channel, const McapMessage& message) {
          const std::string data(
              reinterpret_cast<const char*>(message.data.data()),
              message.data.size());
          const std::optional<std::string> changed = edit(channel.topic, data);
          if (!changed.has_value()) return absl::OkStatus();
          return writer->AddMessage(channels[channel.id], message.log_time_ns,
                                    std::as_bytes(std::span(*changed)));
        });
    CHECK(status.ok(), "{}", status.ToString());
    CHECK(writer->FlushChunk().ok());
  }
  if (added != nullptr) CHECK(writer->AddMetadata(*added).ok());
  CHECK(writer->Finish().ok());
  return edited;
}

}  // namespace

Bytes EditReplay(std::span<const std::byte> file, const MessageEdit& edit,
                 const std::map<std::string, std::string>& metadata) {
  return Edit(file, edit, metadata, /*added=*/nullptr);
}

Bytes AddMetadata(std::span<const std::byte> file, const McapMetadata& record) {
  return Edit(
      file,
      [](std::string_view, const std::string& data) {
        return std::optional<std::string>(data);
      },
      {}, &record);
}

MessageEdit Without(std::string_view topic) {
  return [topic = std::string(topic)](
             std::string_view found,
             const std::string& data) -> std::optional<std::string> {
    if (found == topic) return std::nullopt;
    return data;
  };
}

}  // namespace reprise::replays
