// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Verifies replays in other processes, several at a time, so that a simulation
// that crashes, hangs or eats all memory costs one result and not the run.

#ifndef REPRISE_TOOLS_REPRISE_VERIFYING_VERIFY_PROCESS_H_
#define REPRISE_TOOLS_REPRISE_VERIFYING_VERIFY_PROCESS_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "replays/format/replay_metadata.h"
#include "tools/reprise/verifying/verify_file.h"
#include "tools/reprise/verifying/verify_result.h"

namespace reprise::tools {

struct VerifyProcessOptions {
  uint64_t jobs = 1;  // processes at a time
  // What a process may write to in memory; 0: no limit.
  uint64_t memory_max_mib = 0;
  // For how long it may make no progress; 0: for ever.
  std::chrono::seconds hang_timeout{0};
  // Whether a process takes one replay after another, until it ends by one of
  // them, or keeps much memory; otherwise each has its own. What a simulation
  // keeps outside its state would reach the next one, so what doesn't pass
  // behind others is tried once more in a new process, whose result counts.
  bool reuses_processes = false;
  // The flags of `reprise verify` for every process.
  std::vector<std::string> flags;
};

// Told what happens to which of the paths, by the thread that waits.
struct VerifyProcessObserver {
  std::function<void(size_t index, const replays::ReplayRemarks&)> on_remarks;
  std::function<void(size_t index, uint64_t ticks_done, uint64_t tick_count)>
      on_progress;
  std::function<void(size_t index, VerifyResult)> on_result;
};

// Runs this very program for `paths`, and returns when each has a result. The
// processes die with this one. UNAVAILABLE: the system gives no processes or
// pipes; those that run are ended. INTERNAL: a process crashed or hung when
// all its replays had their results. REQUIRES: this process has one thread.
absl::Status VerifyInProcesses(std::span<const std::string> paths,
                               const VerifyProcessOptions& options,
                               const VerifyProcessObserver& observer);

// Open descriptors from the process that asked.
struct ParentDescriptors {
  uint64_t report = 0;            // what --report-to names
  std::optional<uint64_t> paths;  // what --paths-from names
};

// The other side: verifies a replay, and those whose paths come, each with a
// zero byte behind it; writes what the observer above is told. Returns the last
// one's verdict.
Verdict VerifyForParent(std::string path, const VerifyFileOptions& options,
                        const ParentDescriptors& descriptors);

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_VERIFYING_VERIFY_PROCESS_H_
