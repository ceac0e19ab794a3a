// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/container/whole_file.h"

#include <algorithm>
#include <span>

#include "absl/status/statusor.h"
#include "replays/container/byte_stream.h"
#include "replays/container/crc32.h"
#include "replays/container/mcap_encoding.h"
#include "replays/container/mcap_records.h"
#include "replays/container/mcap_source.h"
#include "replays/container/mcap_summary.h"

namespace reprise::replays {
namespace {

// What the end says of the bytes before `data_end`.
absl::StatusOr<uint32_t> ReadDataSectionCrc(const ByteSource& source,
                                            uint64_t data_end) {
  const absl::StatusOr<Bytes> content = ReadIndexedRecord(
      source, McapOpcode::kDataEnd, data_end, kMcapDataEndBytes,
      data_end + kMcapDataEndBytes, kMcapDataEndBytes);
  if (!content.ok()) return content.status();
  const absl::StatusOr<McapDataEnd> end = DecodeDataEnd(*content);
  if (!end.ok()) return end.status();
  return end->data_section_crc;
}

}  // namespace

absl::Status CheckWholeFile(const McapReader& file,
                            absl::FunctionRef<absl::Status()> keep_going) {
  const ByteSource& source = file.source();
  const absl::StatusOr<McapSummary> summary = ReadSummary(source);
  // Whatever is wrong is found again there, and said.
  if (file.recovery().has_value() || !summary.ok()) {
    return file.VerifyWholeFile();
  }
  const uint64_t data_end = summary->data_end;
  const absl::StatusOr<uint32_t> expected =
      ReadDataSectionCrc(source, data_end);
  if (!expected.ok()) return file.VerifyWholeFile();
  Bytes piece(std::min(kBytesBetweenCalls, data_end));
  uint32_t crc = 0;
  for (uint64_t offset = 0; offset < data_end; offset += kBytesBetweenCalls) {
    const auto bytes =
        std::span(piece).first(std::min(kBytesBetweenCalls, data_end - offset));
    absl::Status status = source.ReadAt(offset, bytes);
    if (!status.ok()) return file.Named(status);
    crc = Crc32(bytes, crc);
    status = keep_going();
    if (!status.ok()) return status;
  }
  return crc == *expected ? absl::OkStatus() : file.VerifyWholeFile();
}

}  // namespace reprise::replays
