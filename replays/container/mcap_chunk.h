// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Chunks: a batch of definitions and messages, compressed and checksummed
// together. Nothing of a chunk is handed on before its checksum was found
// right, and a chunk never unpacks to more than its stated limit.

#ifndef REPRISE_REPLAYS_CONTAINER_MCAP_CHUNK_H_
#define REPRISE_REPLAYS_CONTAINER_MCAP_CHUNK_H_

#include <cstdint>
#include <map>
#include <memory>
#include <variant>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "replays/container/byte_stream.h"
#include "replays/container/mcap_records.h"

struct ZSTD_CCtx_s;  // zstd's compression context.

namespace reprise::replays {

// Collects records until Build turns them into a chunk. The same records in the
// same order give the same bytes.
class McapChunkBuilder {
 public:
  McapChunkBuilder();
  McapChunkBuilder(const McapChunkBuilder&) = delete;
  McapChunkBuilder& operator=(const McapChunkBuilder&) = delete;
  ~McapChunkBuilder();

  void Add(const McapSchema& schema);
  void Add(const McapChannel& channel);
  void Add(const McapMessage& message);

  // Bytes of the records collected so far, uncompressed.
  uint64_t size() const { return records_.size(); }
  bool empty() const { return records_.empty(); }

  // Appends the chunk's record and its message indexes to `out`, of which the
  // end will stand at `offset` in the file, and empties the builder. Returns
  // the entry for the summary. RESOURCE_EXHAUSTED if zstd finds no memory.
  // REQUIRES: !empty() and size() <= kMcapChunkBytesMax.
  absl::StatusOr<McapChunkIndex> Build(uint64_t offset, Bytes* out);

 private:
  Bytes records_;
  Bytes compressed_;
  std::map<uint16_t, McapMessageIndex> message_indexes_;
  uint64_t message_start_time_ns_ = 0;
  uint64_t message_end_time_ns_ = 0;
  const std::unique_ptr<ZSTD_CCtx_s, void (*)(ZSTD_CCtx_s*)> context_;
};

// What a chunk holds. A message's data lives until the visitor returns.
using McapChunkRecord = std::variant<McapSchema, McapChannel, McapMessage>;
using McapChunkVisitor =
    absl::FunctionRef<absl::Status(const McapChunkRecord& record)>;

// Unpacks `chunk`, checks it and calls `visit` for its records in order, until
// one returns an error, which is then the result. Records of unknown kind are
// skipped. DATA_LOSS for a damaged chunk, UNIMPLEMENTED for an unknown
// compression.
absl::Status ReadChunk(const McapChunk& chunk, McapChunkVisitor visit);

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_CONTAINER_MCAP_CHUNK_H_
