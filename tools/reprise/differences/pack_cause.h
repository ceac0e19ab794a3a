// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Which change of a pack stands behind the first difference of a run.

#ifndef REPRISE_TOOLS_REPRISE_DIFFERENCES_PACK_CAUSE_H_
#define REPRISE_TOOLS_REPRISE_DIFFERENCES_PACK_CAUSE_H_

#include <cstddef>
#include <string>

#include "absl/status/statusor.h"
#include "replays/format/replay_reader.h"
#include "replays/verifying/verifier.h"
#include "sim/pack_archive.h"

namespace reprise::tools {

// Each change costs a run up to the tick of the difference.
inline constexpr size_t kCausesTriedMax = 32;

// Plays the replay on its own pack with one change towards `pack` after the
// other, and says in lines which of them alone make a difference at the tick at
// which all together do. Changes that can't be made alone are named. NOT_FOUND:
// the replay has no pack inside. Other errors: neither pack can be run, or
// those of `progress`.
absl::StatusOr<std::string> FindPackCause(
    const replays::ReplayReader& replay, const sim::PackArchive& pack,
    const replays::ProgressCallback& progress);

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_DIFFERENCES_PACK_CAUSE_H_
