// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What is known of a whole file: its definitions, where its parts are, and how
// many. The writer gathers it and puts it at the file's end; the reader finds
// it there, or gathers it again from the parts.

#ifndef REPRISE_REPLAYS_CONTAINER_MCAP_SUMMARY_H_
#define REPRISE_REPLAYS_CONTAINER_MCAP_SUMMARY_H_

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "replays/container/byte_stream.h"
#include "replays/container/mcap_records.h"

namespace reprise::replays {

struct McapSummary {
  std::map<uint16_t, McapSchema> schemas;    // By id.
  std::map<uint16_t, McapChannel> channels;  // By id.
  std::vector<McapChunkIndex> chunks;        // These in the file's order.
  std::vector<McapAttachmentIndex> attachments;
  std::vector<McapMetadataIndex> metadata;

  // Messages of each channel that has any.
  std::map<uint16_t, uint64_t> message_counts;

  // Where the data section ends: the offset of its DataEnd record, or, in a
  // file that has none, of the first byte that isn't part of a whole record.
  uint64_t data_end = 0;

  // The counts and times that follow from the rest.
  McapStatistics Statistics() const;

  // The definition of that id, or nullptr.
  const McapSchema* FindSchema(uint16_t id) const;
  const McapChannel* FindChannel(uint16_t id) const;

  // Of all metadata records, whole, as the indexes say.
  uint64_t MetadataBytes() const;

  // OK if nothing passes a limit, every reference is met, and chunks as well as
  // metadata records lie one after the other before data_end. DATA_LOSS
  // otherwise.
  absl::Status Validate() const;
};

// Appends the summary section, its offsets, the footer and the closing magic to
// `out`, of which the end will stand at `offset` in the file.
void EncodeSummary(const McapSummary& summary, uint64_t offset, Bytes* out);

// Reads and validates the end of a whole file. DATA_LOSS if the file has no
// such end or its checksum is wrong; other codes where reading itself failed.
absl::StatusOr<McapSummary> ReadSummary(const ByteSource& source);

// The chunk indexes of a summary, of which all but the last are left unread.
struct McapUnreadChunks {
  McapStatistics statistics;  // Which they fit.
  std::optional<McapChunkIndex> last_chunk;
  uint64_t offset = 0;  // Of the front.
  McapSummaryFront front;
};

struct McapSummaryOutline {
  McapSummary summary;  // Without chunks, otherwise as by ReadSummary.
  McapUnreadChunks chunks;
};

// Nothing where the file's end isn't as it should be, or has no SummaryFront:
// ReadSummary reads that, or says what is wrong.
std::optional<McapSummaryOutline> ReadSummaryOutline(const ByteSource& source);

// What was left unread beside `summary`. DATA_LOSS if it is damaged or doesn't
// fit.
absl::StatusOr<std::vector<McapChunkIndex>> ReadChunkIndexes(
    const ByteSource& source, const McapUnreadChunks& chunks,
    const McapSummary& summary);

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_CONTAINER_MCAP_SUMMARY_H_
