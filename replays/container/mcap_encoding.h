// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Each MCAP record to bytes and back. EncodeRecord appends a whole record,
// opcode and length included; the decoders take a record's content. Decoding
// what was encoded gives the same struct, and bytes after the last known field
// are skipped, as the public specification asks of readers.

#ifndef REPRISE_REPLAYS_CONTAINER_MCAP_ENCODING_H_
#define REPRISE_REPLAYS_CONTAINER_MCAP_ENCODING_H_

#include <cstddef>
#include <span>
#include <string_view>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "replays/container/byte_stream.h"
#include "replays/container/mcap_records.h"

namespace reprise::replays {

// The entry that ends every metadata record of our profile: eight hexadecimal
// digits of the CRC-32 of the record's content before it.
inline constexpr std::string_view kMcapMetadataChecksumKey = "crc32";

void EncodeRecord(const McapHeader& header, Bytes* out);
void EncodeRecord(const McapFooter& footer, Bytes* out);
void EncodeRecord(const McapSchema& schema, Bytes* out);
void EncodeRecord(const McapChannel& channel, Bytes* out);
void EncodeRecord(const McapMessage& message, Bytes* out);
void EncodeRecord(const McapChunk& chunk, Bytes* out);
void EncodeRecord(const McapMessageIndex& index, Bytes* out);
void EncodeRecord(const McapChunkIndex& index, Bytes* out);
// Computes the record's CRC.
void EncodeRecord(const McapAttachment& attachment, Bytes* out);
void EncodeRecord(const McapAttachmentIndex& index, Bytes* out);
// Adds the checksum entry. REQUIRES: no entry of that name.
void EncodeRecord(const McapMetadata& metadata, Bytes* out);
void EncodeRecord(const McapMetadataIndex& index, Bytes* out);
void EncodeRecord(const McapStatistics& statistics, Bytes* out);
void EncodeRecord(const McapSummaryOffset& offset, Bytes* out);
void EncodeRecord(const McapSummaryFront& front, Bytes* out);
void EncodeRecord(const McapDataEnd& data_end, Bytes* out);

// Each gives DATA_LOSS for content that is too short, or passes a limit, or has
// a wrong checksum of its own. Spans of the result point into `content`.
absl::StatusOr<McapHeader> DecodeHeader(std::span<const std::byte> content);
absl::StatusOr<McapFooter> DecodeFooter(std::span<const std::byte> content);
absl::StatusOr<McapSchema> DecodeSchema(std::span<const std::byte> content);
absl::StatusOr<McapChannel> DecodeChannel(std::span<const std::byte> content);
absl::StatusOr<McapMessage> DecodeMessage(std::span<const std::byte> content);
absl::StatusOr<McapChunk> DecodeChunk(std::span<const std::byte> content);
absl::StatusOr<McapMessageIndex> DecodeMessageIndex(
    std::span<const std::byte> content);
absl::StatusOr<McapChunkIndex> DecodeChunkIndex(
    std::span<const std::byte> content);
absl::StatusOr<McapAttachment> DecodeAttachment(
    std::span<const std::byte> content);
absl::StatusOr<McapAttachmentIndex> DecodeAttachmentIndex(
    std::span<const std::byte> content);
absl::StatusOr<McapMetadata> DecodeMetadata(std::span<const std::byte> content);
absl::StatusOr<McapMetadataIndex> DecodeMetadataIndex(
    std::span<const std::byte> content);
absl::StatusOr<McapStatistics> DecodeStatistics(
    std::span<const std::byte> content);
absl::StatusOr<McapSummaryOffset> DecodeSummaryOffset(
    std::span<const std::byte> content);
absl::StatusOr<McapSummaryFront> DecodeSummaryFront(
    std::span<const std::byte> content);
absl::StatusOr<McapDataEnd> DecodeDataEnd(std::span<const std::byte> content);

// Calls `visit` for each record of `records` in order, with its offset there,
// until one returns an error, which is then the result. DATA_LOSS if the last
// one passes the end. An opcode may be none of the enumeration's.
using McapRecordVisitor = absl::FunctionRef<absl::Status(
    McapOpcode opcode, std::span<const std::byte> content, uint64_t offset)>;
absl::Status ForEachRecord(std::span<const std::byte> records,
                           McapRecordVisitor visit);

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_CONTAINER_MCAP_ENCODING_H_
