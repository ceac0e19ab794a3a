// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What a test's process waited for the disk to keep: stands in for fdatasync
// and fsync, and passes them on. Tests that link it have no other.

#ifndef REPRISE_REPLAYS_TESTING_DISK_SYNCS_H_
#define REPRISE_REPLAYS_TESTING_DISK_SYNCS_H_

#include <cstdint>
#include <string>
#include <vector>

namespace reprise::replays {

struct DiskSync {
  std::string path;         // at the time
  uint64_t size_bytes = 0;  // of the file then, all of which the disk now has
};

// All since the last call, oldest first.
std::vector<DiskSync> TakeDiskSyncs();

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_TESTING_DISK_SYNCS_H_
