// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/format/replay_message_cursor.h"

#include "fmt/format.h"
#include "replays/messages/bounded_message.h"

namespace reprise::replays {
namespace {

bool IsOfTopic(const McapReader& file, uint16_t channel,
               std::string_view topic) {
  const auto found = file.channels().find(channel);
  return found != file.channels().end() && found->second.topic == topic;
}

}  // namespace

bool HasTopic(const McapReader& file, std::string_view topic) {
  for (const auto& [id, count] : file.Statistics().channel_message_counts) {
    if (count > 0 && IsOfTopic(file, id, topic)) return true;
  }
  return false;
}

bool HasTopic(const McapReader& file, const McapChunkIndex& chunk,
              std::string_view topic) {
  for (const auto& [id, offset] : chunk.message_index_offsets) {
    if (IsOfTopic(file, id, topic)) return true;
  }
  return false;
}

absl::StatusOr<bool> ReplayMessageCursor::Next(
    google::protobuf::Message& message) {
  while (next_message_ == messages_.size()) {
    const auto chunks = file_.Chunks();
    if (!chunks.ok()) return chunks.status();
    if (next_chunk_ == chunks->size()) return false;
    absl::Status status = LoadChunk((*chunks)[next_chunk_++]);
    if (!status.ok()) return status;
  }
  const Bytes& data = messages_[next_message_++].data;
  const absl::Status status = ParseBounded(data, message);
  if (!status.ok()) return Contradiction(std::string(status.message()));
  return true;
}

absl::Status ReplayMessageCursor::Contradiction(std::string_view reason) const {
  return file_.Named(absl::DataLossError(
      fmt::format("{}, message {} (in chunk {}): {}", topic_,
                  messages_[next_message_ - 1].sequence, chunk(), reason)));
}

absl::Status ReplayMessageCursor::LoadChunk(const McapChunkIndex& chunk) {
  messages_.clear();
  next_message_ = 0;
  if (!HasTopic(file_, chunk, topic_)) return absl::OkStatus();
  return file_.ForEachMessageInChunk(
      chunk, [this](const McapChannel& channel, const McapMessage& message) {
        if (channel.topic == topic_) {
          messages_.push_back(
              {.time_ns = message.log_time_ns,
               .sequence = message.sequence,
               .data = Bytes(message.data.begin(), message.data.end())});
        }
        return absl::OkStatus();
      });
}

}  // namespace reprise::replays
