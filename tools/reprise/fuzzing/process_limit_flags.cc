// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/fuzzing/process_limit_flags.h"

#include <chrono>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "tools/reprise/terminal/quantity.h"

namespace reprise::tools {
namespace {

constexpr uint64_t kMemoryMaxMib = 4096;
constexpr uint64_t kHangTimeoutSeconds = 60;

}  // namespace

void ProcessLimitFlags::AddTo(std::vector<Flag>& flags) {
  flags.push_back(
      {"memory-max-mib", "N",
       "A game that takes more memory has failed, with all that the search "
       "itself takes; 0: no limit. 4096 if unset.",
       &memory_max_mib_});
  flags.push_back({"hang-timeout-seconds", "N",
                   "A tick that takes so long hangs; 0: no limit. 60 if unset.",
                   &hang_timeout_seconds_});
  flags.push_back(
      {"isolation", "process|none",
       "Whether the game is played in a process of its own, which it may "
       "crash. Without, no limit holds, and a debugger sees the crash. process "
       "if unset.",
       &isolation_});
}

absl::StatusOr<std::optional<ProcessLimits>> ProcessLimitFlags::Read() const {
  const absl::Status timeout =
      CheckTimeout("hang-timeout-seconds",
                   hang_timeout_seconds_.value_or(kHangTimeoutSeconds), true);
  if (!timeout.ok()) return timeout;
  const absl::Status memory =
      CheckMebibytes("memory-max-mib", memory_max_mib_.value_or(kMemoryMaxMib));
  if (!memory.ok()) return memory;
  if (isolation_ == "process") {
    return ProcessLimits{
        .memory_max_mib = memory_max_mib_.value_or(kMemoryMaxMib),
        .hang_timeout = std::chrono::seconds(
            hang_timeout_seconds_.value_or(kHangTimeoutSeconds))};
  }
  if (isolation_ != "none") {
    return absl::InvalidArgumentError(fmt::format(
        "--isolation '{}' is neither process nor none", isolation_));
  }
  if (memory_max_mib_ || hang_timeout_seconds_) {
    return absl::InvalidArgumentError(
        "--memory-max-mib and --hang-timeout-seconds need --isolation process");
  }
  return std::nullopt;
}

}  // namespace reprise::tools
