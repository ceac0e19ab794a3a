// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Which changes of a pack make a run fail: the fewest of them that do together.

#ifndef REPRISE_TOOLS_REPRISE_FUZZING_PACK_BISECTION_H_
#define REPRISE_TOOLS_REPRISE_FUZZING_PACK_BISECTION_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "sim/pack_archive.h"
#include "tools/reprise/fuzzing/failing_run.h"
#include "tools/reprise/inputs/manifest_comparison.h"

namespace reprise::tools {

struct PackCulprits {
  std::string signature;            // of the failure
  std::vector<PackChange> changes;  // that make it together; none is too many
  size_t change_count = 0;          // that there are at all
  uint64_t packs_tried = 0;
};

// Plays `run`, which is on the bad pack, on `good` with some changes towards it
// after the other (delta debugging). What fails is always the bad pack's word
// for it. FAILED_PRECONDITION: the run doesn't fail on the bad pack, or fails
// in the same way on the good one; other errors: the good pack can't be run.
absl::StatusOr<PackCulprits> BisectPacks(const FailingRun& run,
                                         const sim::PackArchive& good);

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_FUZZING_PACK_BISECTION_H_
