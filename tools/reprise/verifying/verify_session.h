// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Verifies replays: takes from the cache what is known, runs the others, in
// processes or here, and says on standard error what goes on.

#ifndef REPRISE_TOOLS_REPRISE_VERIFYING_VERIFY_SESSION_H_
#define REPRISE_TOOLS_REPRISE_VERIFYING_VERIFY_SESSION_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "tools/reprise/terminal/console.h"
#include "tools/reprise/verifying/verify_cache.h"
#include "tools/reprise/verifying/verify_file.h"
#include "tools/reprise/verifying/verify_result.h"

namespace reprise::tools {

// Larger than any state that ships, smaller than a machine of CI. Sanitizers
// take terabytes of address space for themselves.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr uint64_t kVerifyMemoryMaxMib = 0;
#else
inline constexpr uint64_t kVerifyMemoryMaxMib = 4096;
#endif

// Progress is told of every few hundred ticks; the slowest pack that ships
// makes hundreds a second.
inline constexpr uint64_t kVerifyHangTimeoutSeconds = 60;

struct VerifySessionOptions {
  VerifyFileOptions file;
  std::optional<uint64_t> jobs;  // processes at a time; unset: one a processor
  uint64_t memory_max_mib = kVerifyMemoryMaxMib;
  uint64_t hang_timeout_seconds = kVerifyHangTimeoutSeconds;
  std::string_view isolation = "worker";  // or process, or none: here

  bool is_isolated() const { return isolation != "none"; }
};

// Where the paths of a session come from, and what is known of them.
struct VerifySource {
  bool is_all = false;                 // the command was given no other paths
  const VerifyCache* cache = nullptr;  // null: nothing is known
};

// The one command that gives the result of `path` again, under the same limits,
// in any checkout: it depends on no variable and writes nothing.
std::string VerifyReproduction(const VerifySessionOptions& options,
                               const std::string& path);

// The results in the order of their paths. UNAVAILABLE: no processes.
absl::StatusOr<std::vector<VerifyResult>> VerifyPaths(
    const VerifySessionOptions& options, std::vector<std::string> paths,
    const VerifySource& source, Console& console);

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_VERIFYING_VERIFY_SESSION_H_
