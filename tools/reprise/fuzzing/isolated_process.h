// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Work that may crash, hang or eat all memory, in a process of its own.

#ifndef REPRISE_TOOLS_REPRISE_FUZZING_ISOLATED_PROCESS_H_
#define REPRISE_TOOLS_REPRISE_FUZZING_ISOLATED_PROCESS_H_

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace reprise::tools {

// What a process without memory prints last.
inline constexpr std::string_view kNoMemory = "out of memory";

struct ProcessLimits {
  // What the process may write to in memory; 0: no limit.
  uint64_t memory_max_mib = 0;
  // For how long no tick may end; 0: for ever.
  std::chrono::seconds hang_timeout{0};
};

struct ProcessEnding {
  int wait_status = 0;  // of waitpid(2)
  bool is_hung = false;
};

// Forks this process, and returns when the other has ended. There `work` is
// called, which ends it by _exit; when it returns, that is a crash, too. While
// it works, `progress` goes on. UNAVAILABLE: the system gives no process.
// REQUIRES: this process has one thread.
absl::StatusOr<ProcessEnding> RunIsolated(
    const ProcessLimits& limits, const std::function<void()>& work,
    const std::function<uint64_t()>& progress);

// "SIGSEGV", or "exit code 3".
std::string NameOfEnding(const ProcessEnding& ending);

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_FUZZING_ISOLATED_PROCESS_H_
