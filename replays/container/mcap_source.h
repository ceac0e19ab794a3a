// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Single records of a byte source, read at their offset. No length found in the
// source is believed before it was held against a limit and against what is
// there, so nothing is allocated for bytes that don't exist.

#ifndef REPRISE_REPLAYS_CONTAINER_MCAP_SOURCE_H_
#define REPRISE_REPLAYS_CONTAINER_MCAP_SOURCE_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "replays/container/byte_stream.h"
#include "replays/container/mcap_records.h"

namespace reprise::replays {

// What stands before a record's content.
struct McapRecordPrefix {
  McapOpcode opcode = McapOpcode::kHeader;  // May be none of the enumeration's.
  uint64_t content_length = 0;

  uint64_t record_length() const {
    return kMcapRecordPrefixBytes + content_length;
  }
};

// The same error with the place in the file before its message.
absl::Status AtOffset(uint64_t offset, const absl::Status& status);

// DATA_LOSS if the record that starts at `offset` isn't whole by `end`.
// REQUIRES: offset <= end <= source.size().
absl::StatusOr<McapRecordPrefix> ReadRecordPrefix(const ByteSource& source,
                                                  uint64_t offset,
                                                  uint64_t end);

// The content of the record at `offset`, which has `prefix`. DATA_LOSS if it is
// longer than `bytes_max` and kMcapRecordExtraBytesMax together; only here the
// message doesn't say the offset.
absl::StatusOr<Bytes> ReadRecordContent(const ByteSource& source,
                                        uint64_t offset,
                                        const McapRecordPrefix& prefix,
                                        uint64_t bytes_max);

// The content of a record of which an index says what and where it is.
// DATA_LOSS if it isn't that, or not whole by `end`.
absl::StatusOr<Bytes> ReadIndexedRecord(const ByteSource& source,
                                        McapOpcode opcode, uint64_t offset,
                                        uint64_t record_length, uint64_t end,
                                        uint64_t bytes_max);

// The checksum of the bytes before `end`, read in small pieces.
absl::StatusOr<uint32_t> ReadCrc32(const ByteSource& source, uint64_t end);

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_CONTAINER_MCAP_SOURCE_H_
