// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// `reprise inspect REPLAY --trace FILE:LINE`: who comes to a line of a script,
// when, and what its variables are there.

#ifndef REPRISE_TOOLS_REPRISE_VERBS_INSPECT_TRACE_H_
#define REPRISE_TOOLS_REPRISE_VERBS_INSPECT_TRACE_H_

#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "tools/reprise/terminal/console.h"
#include "tools/reprise/terminal/exit_code.h"

namespace reprise::tools {

// What is shown of a trace; the rest is counted.
inline constexpr uint64_t kTraceLinesMax = 1000;

struct TraceOptions {
  std::string place;             // "scripts/bell.lua:12"
  std::optional<uint64_t> from;  // the first tick; 0 if unset
  std::optional<uint64_t> to;    // the last one; the replay's if unset
  std::string object;            // empty: all
  std::string pack;              // of a replay that doesn't hold it
  bool as_json = false;
};

// Plays the ticks and shows each time that the line begins.
// INVALID_ARGUMENT: `place` is none, the line has no code, or no tick is meant;
// NOT_FOUND: the pack has no such script; OUT_OF_RANGE: the replay ends before;
// others are those of replays and packs.
absl::StatusOr<ExitCode> ShowTrace(const TraceOptions& options,
                                   const std::string& path, Console& console);

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_VERBS_INSPECT_TRACE_H_
