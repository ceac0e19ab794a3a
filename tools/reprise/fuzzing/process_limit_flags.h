// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The flags of verbs that play what may crash, hang or eat all memory.

#ifndef REPRISE_TOOLS_REPRISE_FUZZING_PROCESS_LIMIT_FLAGS_H_
#define REPRISE_TOOLS_REPRISE_FUZZING_PROCESS_LIMIT_FLAGS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "tools/reprise/fuzzing/isolated_process.h"
#include "tools/reprise/terminal/flags.h"

namespace reprise::tools {

class ProcessLimitFlags {
 public:
  // Those that this object is set by; it must remain live.
  void AddTo(std::vector<Flag>& flags);

  // nullopt: no process is to be made. INVALID_ARGUMENT names the flag.
  absl::StatusOr<std::optional<ProcessLimits>> Read() const;

 private:
  std::string isolation_ = "process";
  std::optional<uint64_t> memory_max_mib_;
  std::optional<uint64_t> hang_timeout_seconds_;
};

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_FUZZING_PROCESS_LIMIT_FLAGS_H_
