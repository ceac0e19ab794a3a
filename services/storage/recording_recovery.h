// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Makes replays of recordings that a killed server left unfinished. Nothing is
// run for it, so that no recording can do to this server what it did to the
// other one.

#ifndef REPRISE_SERVICES_STORAGE_RECORDING_RECOVERY_H_
#define REPRISE_SERVICES_STORAGE_RECORDING_RECOVERY_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "sim/base/tick.h"

namespace reprise::services {

// A recording that holds more than could be saved of it is kept under this,
// behind the path of its replay.
inline constexpr std::string_view kDamagedSuffix = ".damaged";

struct RecoveredRecording {
  sim::Tick tick_count = 0;  // saved
  // What of it is not in the replay; empty for nothing.
  std::string damage;
  // Some process still writes to it, and nothing was done.
  bool is_under_way = false;
};

// Makes the replay `path` of the recording replays::PartialPath(path), of all
// ticks up to the last whole batch. It says an outcome only where the server
// was killed between the recording's end and its renaming. Then the recording
// is removed if all of it is in the replay, and otherwise kept as damaged;
// until then it is locked. Nullopt where it is gone. Errors are
// replays::RecoverReplay's and the disk's; the recording then stays as it is.
absl::StatusOr<std::optional<RecoveredRecording>> RecoverRecording(
    const std::string& path);

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_STORAGE_RECORDING_RECOVERY_H_
