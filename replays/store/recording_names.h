// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The names that a server gives to what it records in a store's folder:
// `replays/ID.mcap`, or `replays/TENANT/ID.mcap`. A recording that the store
// has taken in has its digest for a second name; it is one file, so it takes no
// more room, and the server finds it as before.

#ifndef REPRISE_REPLAYS_STORE_RECORDING_NAMES_H_
#define REPRISE_REPLAYS_STORE_RECORDING_NAMES_H_

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace reprise::replays {

// The folder of the names, below the store's.
inline constexpr std::string_view kRecordingsFolder = "replays";

// The paths of finished recordings that have no other name yet, ascending; none
// where there is no such folder. UNAVAILABLE: it can't be read.
absl::StatusOr<std::vector<std::string>> ListNewRecordings(
    const std::string& folder);

// The paths of all of them by the file that they are names of: the numbers of
// its device and of its node there.
using RecordingsByFile = std::map<std::pair<uint64_t, uint64_t>, std::string>;
absl::StatusOr<RecordingsByFile> ListRecordingsByFile(
    const std::string& folder);

// The names of recordings that the file at `path` has, ascending. UNAVAILABLE:
// they can't be read.
absl::StatusOr<std::vector<std::string>> ListRecordingNames(
    const std::string& folder, const std::string& path);

// Takes away the names of recordings that the file at `path` has, and leaves
// `path`. UNAVAILABLE: they can't be read or taken away.
absl::Status RemoveRecordingNames(const std::string& folder,
                                  const std::string& path);

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_STORE_RECORDING_NAMES_H_
