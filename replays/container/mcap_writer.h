// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Writes an MCAP file of our profile (FORMAT.md), append-only. The same calls
// give the same bytes, and whatever was flushed can be read again, even if the
// file is never finished.

#ifndef REPRISE_REPLAYS_CONTAINER_MCAP_WRITER_H_
#define REPRISE_REPLAYS_CONTAINER_MCAP_WRITER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "replays/container/byte_stream.h"
#include "replays/container/mcap_chunk.h"
#include "replays/container/mcap_records.h"
#include "replays/container/mcap_summary.h"

namespace reprise::replays {

struct McapWriterOptions {
  std::string profile;  // What the file's topics and metadata promise.
  std::string library;  // Who wrote it, for people.

  // A chunk is closed as soon as it holds this many bytes before compression.
  // Small chunks lose little when a recorder dies; large ones compress better.
  // At most kMcapMessageBytesMax.
  uint64_t chunk_bytes_target = uint64_t{1} << 20;
};

// Used by one thread at a time. After an error from the sink, and after Finish,
// every call fails with the same error, or FAILED_PRECONDITION. Other errors
// leave the file as it was.
class McapWriter {
 public:
  // Writes the start of the file to `sink`, which must remain live while this
  // writer is in use. Errors are the sink's, or INVALID_ARGUMENT for a name
  // that is too long.
  static absl::StatusOr<std::unique_ptr<McapWriter>> Create(
      McapWriterOptions options, ByteSink* sink);

  // Goes on behind a data section of `summary.data_end` bytes which `sink` has
  // already, and of which `crc` is the checksum.
  // REQUIRES: `summary` is what the writer of those bytes knew.
  static std::unique_ptr<McapWriter> Continue(McapWriterOptions options,
                                              McapSummary summary, uint32_t crc,
                                              ByteSink* sink);

  // A writer that dies without Finish leaves a file that reads as cut off
  // behind its last chunk.
  ~McapWriter() = default;
  McapWriter(const McapWriter&) = delete;
  McapWriter& operator=(const McapWriter&) = delete;

  // Written at once, ahead of the messages of the open chunk.
  // INVALID_ARGUMENT for names that are too long or the entry "crc32", which
  // is ours; RESOURCE_EXHAUSTED past a limit of mcap_records.h.
  absl::Status AddMetadata(const McapMetadata& metadata);
  absl::Status AddAttachment(const McapAttachment& attachment);

  // Return the new id, which counts from 1. `encoding` and `message_encoding`
  // are names of the public registry, such as "protobuf". Errors as above.
  // REQUIRES: `schema_id` is 0 or was returned before.
  absl::StatusOr<uint16_t> AddSchema(std::string name, std::string encoding,
                                     std::span<const std::byte> data);
  absl::StatusOr<uint16_t> AddChannel(std::string topic,
                                      std::string message_encoding,
                                      uint16_t schema_id,
                                      McapStringMap metadata = {});

  // Adds a message to the open chunk, with the channel's next sequence number.
  // RESOURCE_EXHAUSTED past a limit. REQUIRES: the channel was added before.
  absl::Status AddMessage(uint16_t channel_id, uint64_t log_time_ns,
                          std::span<const std::byte> data);

  // Closes the open chunk, if it holds anything, and flushes the sink: all
  // that was added so far is now safe.
  absl::Status FlushChunk();

  // Closes the open chunk and writes the file's end. Nothing can follow.
  absl::Status Finish();

  // The definitions and parts so far.
  const McapSummary& summary() const { return summary_; }

  // Bytes handed to the sink so far.
  uint64_t size() const { return offset_; }
  uint64_t chunk_count() const { return summary_.chunks.size(); }

 private:
  McapWriter(McapWriterOptions options, ByteSink* sink);

  // Closes the chunk if `bytes` more would make it larger than allowed.
  absl::Status MakeRoom(uint64_t bytes);
  absl::Status Append(std::span<const std::byte> bytes);

  const McapWriterOptions options_;
  ByteSink& sink_;
  McapChunkBuilder chunk_;
  McapSummary summary_;
  uint64_t metadata_bytes_ = 0;  // of the records in it
  uint64_t offset_ = 0;
  uint32_t crc_ = 0;     // Of everything before offset_.
  absl::Status status_;  // Of the writer: the first error that ended it.
};

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_CONTAINER_MCAP_WRITER_H_
