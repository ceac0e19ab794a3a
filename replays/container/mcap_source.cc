// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/container/mcap_source.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <string>

#include "fmt/format.h"
#include "replays/container/crc32.h"
#include "replays/container/mcap_bytes.h"
#include "sim/base/check.h"

namespace reprise::replays {

absl::Status AtOffset(uint64_t offset, const absl::Status& status) {
  if (status.ok()) return status;
  return absl::Status(
      status.code(),
      fmt::format("offset {}: {}", offset, std::string(status.message())));
}

absl::StatusOr<McapRecordPrefix> ReadRecordPrefix(const ByteSource& source,
                                                  uint64_t offset,
                                                  uint64_t end) {
  CHECK(offset <= end);
  CHECK(end <= source.size());
  const uint64_t left = end - offset;
  if (left < kMcapRecordPrefixBytes) {
    return AtOffset(offset, absl::DataLossError("cut off within a record"));
  }
  std::array<std::byte, kMcapRecordPrefixBytes> bytes;
  if (auto status = source.ReadAt(offset, bytes); !status.ok()) return status;
  McapCursor cursor(bytes);
  McapRecordPrefix prefix;
  prefix.opcode = static_cast<McapOpcode>(cursor.TakeUint8());
  prefix.content_length = cursor.TakeUint64();
  if (prefix.content_length > left - kMcapRecordPrefixBytes) {
    return AtOffset(offset,
                    absl::DataLossError(fmt::format(
                        "a record of {} bytes, of which {} are there",
                        prefix.content_length, left - kMcapRecordPrefixBytes)));
  }
  return prefix;
}

absl::StatusOr<Bytes> ReadRecordContent(const ByteSource& source,
                                        uint64_t offset,
                                        const McapRecordPrefix& prefix,
                                        uint64_t bytes_max) {
  bytes_max += kMcapRecordExtraBytesMax;
  if (prefix.content_length > bytes_max) {
    return absl::DataLossError(
        fmt::format("a record of {} bytes, at most {} are allowed",
                    prefix.content_length, bytes_max));
  }
  Bytes content(prefix.content_length);
  auto status = source.ReadAt(offset + kMcapRecordPrefixBytes, content);
  if (!status.ok()) return status;
  return content;
}

absl::StatusOr<Bytes> ReadIndexedRecord(const ByteSource& source,
                                        McapOpcode opcode, uint64_t offset,
                                        uint64_t record_length, uint64_t end,
                                        uint64_t bytes_max) {
  if (offset > end) {
    return AtOffset(offset,
                    absl::DataLossError(fmt::format(
                        "an index points past the data's end at {}", end)));
  }
  const auto prefix = ReadRecordPrefix(source, offset, end);
  if (!prefix.ok()) return prefix.status();
  if (prefix->opcode != opcode || prefix->record_length() != record_length) {
    return AtOffset(
        offset,
        absl::DataLossError(fmt::format(
            "a record of kind {} and {} bytes, the index says {} and {}",
            static_cast<int>(prefix->opcode), prefix->record_length(),
            static_cast<int>(opcode), record_length)));
  }
  auto content = ReadRecordContent(source, offset, *prefix, bytes_max);
  if (!content.ok()) return AtOffset(offset, content.status());
  return content;
}

absl::StatusOr<uint32_t> ReadCrc32(const ByteSource& source, uint64_t end) {
  constexpr uint64_t kPieceBytes = uint64_t{64} << 10;
  Bytes piece(std::min(kPieceBytes, end));
  uint32_t crc = 0;
  for (uint64_t offset = 0; offset < end; offset += kPieceBytes) {
    const auto bytes =
        std::span(piece).first(std::min(kPieceBytes, end - offset));
    if (auto status = source.ReadAt(offset, bytes); !status.ok()) return status;
    crc = Crc32(bytes, crc);
  }
  return crc;
}

}  // namespace reprise::replays
