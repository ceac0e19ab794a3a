// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/replay_message_cursor.h"

#include "fmt/format.h"

namespace reprise::replays {

bool HasTopic(const McapReader& file, size_t chunk, std::string_view topic) {
  for (const auto& [channel, offset] :
       file.chunk(chunk).message_index_offsets) {
    const auto found = file.channels().find(channel);
    if (found != file.channels().end() && found->second.topic == topic) {
      return true;
    }
  }
  return false;
}

absl::StatusOr<bool> ReplayMessageCursor::Next(
    google::protobuf::MessageLite& message) {
  while (next_message_ == messages_.size()) {
    if (next_chunk_ == file_.chunk_count()) return false;
    absl::Status status = LoadChunk(next_chunk_++);
    if (!status.ok()) return status;
  }
  const Bytes& data = messages_[next_message_++].data;
  if (!message.ParseFromArray(data.data(), static_cast<int>(data.size()))) {
    return Contradiction("no message of the topic's type");
  }
  return true;
}

absl::Status ReplayMessageCursor::Contradiction(std::string_view reason) const {
  return file_.Named(absl::DataLossError(fmt::format(
      "{}, message {} (in chunk {}): {}", topic_,
      messages_[next_message_ - 1].sequence, next_chunk_ - 1, reason)));
}

absl::Status ReplayMessageCursor::LoadChunk(size_t chunk) {
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
