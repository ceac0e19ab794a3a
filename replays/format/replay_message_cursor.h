// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Walks the messages of one topic of a replay file, one chunk in memory at a
// time, and one of its messages as replays/messages/bounded_message.h bounds
// it.

#ifndef REPRISE_REPLAYS_FORMAT_REPLAY_MESSAGE_CURSOR_H_
#define REPRISE_REPLAYS_FORMAT_REPLAY_MESSAGE_CURSOR_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "google/protobuf/message.h"
#include "replays/container/byte_stream.h"
#include "replays/container/mcap_reader.h"

namespace reprise::replays {

// Whether `file`, or `chunk` of it, holds messages of `topic`.
bool HasTopic(const McapReader& file, std::string_view topic);
bool HasTopic(const McapReader& file, const McapChunkIndex& chunk,
              std::string_view topic);

// Used by one thread at a time; the file must remain live.
class ReplayMessageCursor {
 public:
  // Starts at the first message of `topic` in chunk `first_chunk` or behind.
  // REQUIRES: `topic` remains live.
  ReplayMessageCursor(const McapReader* file, std::string_view topic,
                      size_t first_chunk = 0)
      : file_(*file), topic_(topic), next_chunk_(first_chunk) {}

  // Parses the next message into `message`; false after the last. DATA_LOSS
  // for a damaged chunk or what isn't such a message, or would take more memory
  // than one may.
  absl::StatusOr<bool> Next(google::protobuf::Message& message);

  // Of the message that Next gave last.
  uint64_t log_time_ns() const { return messages_[next_message_ - 1].time_ns; }
  // Its number among those of the topic.
  uint32_t sequence() const { return messages_[next_message_ - 1].sequence; }
  // The place of its chunk in the file.
  size_t chunk() const { return next_chunk_ - 1; }

  // DATA_LOSS with that message's place and `reason`.
  absl::Status Contradiction(std::string_view reason) const;

 private:
  struct StoredMessage {
    uint64_t time_ns = 0;
    uint32_t sequence = 0;
    Bytes data;
  };

  absl::Status LoadChunk(const McapChunkIndex& chunk);

  const McapReader& file_;
  const std::string_view topic_;
  size_t next_chunk_;
  std::vector<StoredMessage> messages_;  // of the chunk before next_chunk_
  size_t next_message_ = 0;
};

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_FORMAT_REPLAY_MESSAGE_CURSOR_H_
