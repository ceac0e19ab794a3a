// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Reads a file that has no usable end from its front: a recording that is not
// finished, was cut off, or is still being written. What it finds is always a
// prefix of what was written, without holes: it stops at the first record that
// isn't whole and right.

#ifndef REPRISE_REPLAYS_MCAP_SCAN_H_
#define REPRISE_REPLAYS_MCAP_SCAN_H_

#include <cstdint>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "replays/byte_stream.h"
#include "replays/mcap_records.h"
#include "replays/mcap_summary.h"

namespace reprise::replays {

struct McapScan {
  McapSummary summary;
  std::vector<McapMetadata> metadata;

  // OK if the data section is whole, up to its DataEnd record and with the
  // checksum that stands there. Otherwise why the scan stopped at
  // summary.data_end: DATA_LOSS, or UNIMPLEMENTED for an unknown compression.
  absl::Status stop;
};

// Scans the data section, which starts at `begin`, behind the header. Calls
// `on_problem` for oddities that lose nothing. An error only where reading the
// source fails, or where a whole data section has a wrong checksum.
absl::StatusOr<McapScan> ScanDataSection(
    const ByteSource& source, uint64_t begin,
    absl::FunctionRef<void(const absl::Status&)> on_problem);

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_MCAP_SCAN_H_
