// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Fuzzes the reader of MCAP files, in three ways from one input: as a file; as
// the content of a record of each kind; and as the records of a chunk with a
// right checksum, which a file made at random would hardly ever have.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "replays/container/byte_file.h"
#include "replays/container/crc32.h"
#include "replays/container/mcap_encoding.h"
#include "replays/container/mcap_reader.h"
#include "sim/base/check.h"

namespace reprise::replays {
namespace {

void ReadAsFile(std::span<const std::byte> bytes) {
  const auto reader = McapReader::Open(std::make_unique<MemorySource>(bytes));
  if (!reader.ok()) return;
  uint64_t messages = 0;
  const auto status =
      (*reader)->ForEachMessage([&](const McapChannel&, const McapMessage&) {
        ++messages;
        return absl::OkStatus();
      });
  CHECK(!status.ok() || messages == (*reader)->Statistics().message_count);
  for (const McapAttachmentIndex& attachment : (*reader)->attachments()) {
    (*reader)->ReadAttachment(attachment).IgnoreError();
  }
  (*reader)->VerifyWholeFile().IgnoreError();
}

void ReadAsRecords(std::span<const std::byte> content) {
  DecodeHeader(content).IgnoreError();
  DecodeFooter(content).IgnoreError();
  DecodeSchema(content).IgnoreError();
  DecodeChannel(content).IgnoreError();
  DecodeMessage(content).IgnoreError();
  DecodeChunk(content).IgnoreError();
  DecodeMessageIndex(content).IgnoreError();
  DecodeChunkIndex(content).IgnoreError();
  DecodeAttachment(content).IgnoreError();
  DecodeAttachmentIndex(content).IgnoreError();
  DecodeMetadata(content).IgnoreError();
  DecodeMetadataIndex(content).IgnoreError();
  DecodeStatistics(content).IgnoreError();
  DecodeSummaryOffset(content).IgnoreError();
  DecodeSummaryFront(content).IgnoreError();
  DecodeDataEnd(content).IgnoreError();
}

void ReadAsChunk(std::span<const std::byte> records) {
  Bytes file(kMcapMagic.begin(), kMcapMagic.end());
  EncodeRecord(McapHeader{}, &file);
  EncodeRecord(McapChunk{.uncompressed_size = records.size(),
                         .uncompressed_crc = Crc32(records),
                         .compression = "",
                         .records = records},
               &file);
  ReadAsFile(file);
}

// With a right end around them: the records of a summary, of which those before
// the last chunk index are read when they are asked for.
void ReadAsSummary(std::span<const std::byte> records) {
  Bytes file(kMcapMagic.begin(), kMcapMagic.end());
  EncodeRecord(McapHeader{}, &file);
  EncodeRecord(McapDataEnd{}, &file);
  const uint64_t start = file.size();
  file.insert(file.end(), records.begin(), records.end());
  uint64_t front_length = 0;
  ForEachRecord(records, [&](McapOpcode opcode, std::span<const std::byte>,
                             uint64_t offset) {
    if (opcode == McapOpcode::kChunkIndex) front_length = offset;
    return absl::OkStatus();
  }).IgnoreError();
  EncodeRecord(McapSummaryFront{.length = front_length,
                                .crc = Crc32(records.first(front_length))},
               &file);
  McapFooter footer = {.summary_start = start};
  Bytes encoded;
  EncodeRecord(footer, &encoded);
  footer.summary_crc =
      Crc32(std::span<const std::byte>(encoded).first(encoded.size() - 4),
            Crc32(std::span<const std::byte>(file).subspan(start)));
  EncodeRecord(footer, &file);
  file.insert(file.end(), kMcapMagic.begin(), kMcapMagic.end());
  ReadAsFile(file);
}

}  // namespace
}  // namespace reprise::replays

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto bytes = std::as_bytes(std::span(data, size));
  reprise::replays::ReadAsFile(bytes);
  reprise::replays::ReadAsRecords(bytes);
  reprise::replays::ReadAsChunk(bytes);
  reprise::replays::ReadAsSummary(bytes);
  return 0;
}
