// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/container/mcap_chunk.h"

#include <zstd.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <utility>

#include "fmt/format.h"
#include "replays/container/crc32.h"
#include "replays/container/mcap_encoding.h"
#include "sim/base/check.h"

namespace reprise::replays {
namespace {

constexpr char kZstd[] = "zstd";

// zstd's own default. Fixed, so that the same recording gives the same file;
// higher levels cost more time than the simulation that is recorded.
constexpr int kCompressionLevel = 3;

void FreeContext(ZSTD_CCtx* context) { ZSTD_freeCCtx(context); }

struct UnpackingContextDeleter {
  void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};

// Each thread keeps one: to make it costs as much as to unpack a small chunk.
// Null if there is no memory for it.
ZSTD_DCtx* UnpackingContext() {
  thread_local const std::unique_ptr<ZSTD_DCtx, UnpackingContextDeleter>
      context(ZSTD_createDCtx());
  return context.get();
}

// The chunk's records, unpacked into `buffer` where they were packed.
absl::StatusOr<std::span<const std::byte>> Unpack(const McapChunk& chunk,
                                                  Bytes& buffer) {
  if (chunk.compression.empty()) return chunk.records;
  if (chunk.compression != kZstd) {
    return absl::UnimplementedError(
        fmt::format("chunk compression \"{}\"", chunk.compression));
  }
  buffer.resize(chunk.uncompressed_size);
  ZSTD_DCtx* const context = UnpackingContext();
  if (context == nullptr) return absl::ResourceExhaustedError("zstd");
  const size_t size =
      ZSTD_decompressDCtx(context, buffer.data(), buffer.size(),
                          chunk.records.data(), chunk.records.size());
  if (ZSTD_isError(size)) {
    return absl::DataLossError(
        fmt::format("chunk: zstd: {}", ZSTD_getErrorName(size)));
  }
  return std::span<const std::byte>(buffer).first(size);
}

template <typename T>
absl::Status VisitDecoded(const absl::StatusOr<T>& record,
                          McapChunkVisitor visit) {
  return record.ok() ? visit(*record) : record.status();
}

absl::Status VisitRecords(const McapChunk& chunk,
                          std::span<const std::byte> records,
                          McapChunkVisitor visit) {
  uint64_t start_time_ns = UINT64_MAX;
  uint64_t end_time_ns = 0;
  auto status = ForEachRecord(
      records,
      [&](McapOpcode opcode, std::span<const std::byte> content,
          uint64_t /*offset*/) -> absl::Status {
        switch (opcode) {
          case McapOpcode::kSchema:
            return VisitDecoded(DecodeSchema(content), visit);
          case McapOpcode::kChannel:
            return VisitDecoded(DecodeChannel(content), visit);
          case McapOpcode::kMessage: {
            const auto message = DecodeMessage(content);
            if (!message.ok()) return message.status();
            start_time_ns = std::min(start_time_ns, message->log_time_ns);
            end_time_ns = std::max(end_time_ns, message->log_time_ns);
            return visit(*message);
          }
          default:
            return absl::OkStatus();
        }
      });
  if (!status.ok()) return status;
  start_time_ns = std::min(start_time_ns, end_time_ns);
  if (chunk.message_start_time_ns != start_time_ns ||
      chunk.message_end_time_ns != end_time_ns) {
    return absl::DataLossError(
        fmt::format("chunk: says times {} to {}, its messages have {} to {}",
                    chunk.message_start_time_ns, chunk.message_end_time_ns,
                    start_time_ns, end_time_ns));
  }
  return absl::OkStatus();
}

}  // namespace

McapChunkBuilder::McapChunkBuilder()
    : context_(ZSTD_createCCtx(), &FreeContext) {
  CHECK(context_ != nullptr);
  ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_compressionLevel,
                         kCompressionLevel);
}

McapChunkBuilder::~McapChunkBuilder() = default;

void McapChunkBuilder::Add(const McapSchema& schema) {
  EncodeRecord(schema, &records_);
}

void McapChunkBuilder::Add(const McapChannel& channel) {
  EncodeRecord(channel, &records_);
}

void McapChunkBuilder::Add(const McapMessage& message) {
  const uint64_t time_ns = message.log_time_ns;
  const bool is_first = message_indexes_.empty();
  message_start_time_ns_ =
      is_first ? time_ns : std::min(message_start_time_ns_, time_ns);
  message_end_time_ns_ = std::max(message_end_time_ns_, time_ns);
  McapMessageIndex& index = message_indexes_[message.channel_id];
  index.channel_id = message.channel_id;
  index.entries.emplace_back(time_ns, records_.size());
  EncodeRecord(message, &records_);
}

absl::StatusOr<McapChunkIndex> McapChunkBuilder::Build(uint64_t offset,
                                                       Bytes* out) {
  CHECK(!records_.empty());
  CHECK(records_.size() <= kMcapChunkBytesMax);
  compressed_.resize(ZSTD_compressBound(records_.size()));
  const size_t compressed_size =
      ZSTD_compress2(context_.get(), compressed_.data(), compressed_.size(),
                     records_.data(), records_.size());
  if (ZSTD_isError(compressed_size)) {
    return absl::ResourceExhaustedError(
        fmt::format("zstd: {}", ZSTD_getErrorName(compressed_size)));
  }
  const McapChunk chunk = {
      .message_start_time_ns = message_start_time_ns_,
      .message_end_time_ns = message_end_time_ns_,
      .uncompressed_size = records_.size(),
      .uncompressed_crc = Crc32(records_),
      .compression = kZstd,
      .records = std::span(compressed_).first(compressed_size)};
  const size_t chunk_begin = out->size();
  EncodeRecord(chunk, out);
  const size_t chunk_end = out->size();

  McapChunkIndex index = {.message_start_time_ns = chunk.message_start_time_ns,
                          .message_end_time_ns = chunk.message_end_time_ns,
                          .chunk_start_offset = offset,
                          .chunk_length = chunk_end - chunk_begin,
                          .compression = chunk.compression,
                          .compressed_size = compressed_size,
                          .uncompressed_size = chunk.uncompressed_size};
  for (const auto& [channel_id, message_index] : message_indexes_) {
    index.message_index_offsets.emplace_back(
        channel_id, offset + (out->size() - chunk_begin));
    EncodeRecord(message_index, out);
  }
  index.message_index_length = out->size() - chunk_end;

  records_.clear();
  message_indexes_.clear();
  message_start_time_ns_ = 0;
  message_end_time_ns_ = 0;
  return index;
}

absl::Status ReadChunk(const McapChunk& chunk, McapChunkVisitor visit) {
  if (chunk.uncompressed_size > kMcapChunkBytesMax) {
    return absl::DataLossError(
        fmt::format("chunk: unpacks to {} bytes, at most {} are allowed",
                    chunk.uncompressed_size, kMcapChunkBytesMax));
  }
  Bytes buffer;
  const auto records = Unpack(chunk, buffer);
  if (!records.ok()) return records.status();
  if (records->size() != chunk.uncompressed_size) {
    return absl::DataLossError(
        fmt::format("chunk: unpacks to {} bytes, says {}", records->size(),
                    chunk.uncompressed_size));
  }
  const uint32_t crc = Crc32(*records);
  if (crc != chunk.uncompressed_crc) {
    return absl::DataLossError(fmt::format(
        "chunk: checksum {:08x}, says {:08x}", crc, chunk.uncompressed_crc));
  }
  return VisitRecords(chunk, *records, visit);
}

}  // namespace reprise::replays
