// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Plays the failures that a corpus keeps once more: what wasn't mended stays a
// failure, whether or not the next search meets it.

#ifndef REPRISE_TOOLS_REPRISE_FUZZING_OLD_FAILURES_H_
#define REPRISE_TOOLS_REPRISE_FUZZING_OLD_FAILURES_H_

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "replays/fuzzing/feedback/fuzz_rules.h"
#include "replays/fuzzing/fuzz_campaign.h"
#include "sim/base/tick.h"
#include "sim/pack_archive.h"
#include "sim/simulation.h"
#include "tools/reprise/fuzzing/isolated_process.h"
#include "tools/reprise/terminal/console.h"

namespace reprise::tools {

// So many are played, and so many ticks of them in all; a warning tells of
// those that aren't.
inline constexpr size_t kOldFailuresMax = 256;
inline constexpr sim::Tick kOldFailureTicksMax = sim::Tick{1} << 22;

// The failures of the corpus `folder` that still show, one a signature, each
// with its inputs and the count 0: no search met it. With `limits`, what ends
// the process is among them. Those of an older state of the pack are kept anew.
// Tells each, but where `is_quiet`. Errors are those of the corpus and of
// processes. `start` is at tick 0 and of `pack`.
absl::StatusOr<std::vector<replays::FoundFailure>> FindOldFailures(
    const std::string& folder, const sim::PackArchive& pack,
    const sim::Simulation& start, const replays::FuzzRules& rules,
    const std::optional<ProcessLimits>& limits, bool is_quiet,
    Console& console);

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_FUZZING_OLD_FAILURES_H_
