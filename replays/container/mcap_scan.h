// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Reads a file that has no usable end from its front: a recording that is not
// finished, was cut off, or is still being written. What it finds is always a
// prefix of what was written, without holes: it stops at the first record that
// isn't whole and right, and can go on from there once there is more.

#ifndef REPRISE_REPLAYS_CONTAINER_MCAP_SCAN_H_
#define REPRISE_REPLAYS_CONTAINER_MCAP_SCAN_H_

#include <cstdint>
#include <set>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "replays/container/byte_stream.h"
#include "replays/container/mcap_records.h"
#include "replays/container/mcap_summary.h"

namespace reprise::replays {

struct McapScan {
  // summary.data_end is where the scan goes on: at first, behind the header.
  McapSummary summary;
  std::vector<McapMetadata> metadata;

  // OK if the data section is whole, up to its DataEnd record and with the
  // checksum that stands there. Otherwise why the scan stopped at
  // summary.data_end: DATA_LOSS, or UNIMPLEMENTED for an unknown compression.
  absl::Status stop;

  // Whether DataEnd was reached: nothing can follow.
  bool is_at_end = false;

  // The channels of the last chunk whose message index wasn't met yet.
  std::set<uint16_t> channels_to_index;
};

enum class McapScanMode {
  kStrict,
  // Goes on behind damage that costs no message, and reports it: an attachment
  // or metadata that isn't right, a wrong checksum of a whole data section.
  kSalvage,
};

// Scans the data section of `source` up to `end`, from where `scan` stands.
// Calls `on_problem` for oddities that lose no message. An error only where
// reading the source fails, or where a whole data section has a wrong checksum.
// REQUIRES: what `scan` has seen still stands in `source`.
absl::Status ContinueScan(
    const ByteSource& source, uint64_t end, McapScanMode mode,
    absl::FunctionRef<void(const absl::Status&)> on_problem, McapScan& scan);

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_CONTAINER_MCAP_SCAN_H_
