// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What a report of coverage is about, as the pack and the program have it.

#ifndef REPRISE_TOOLS_REPRISE_FUZZING_COVERAGE_SCOPE_H_
#define REPRISE_TOOLS_REPRISE_FUZZING_COVERAGE_SCOPE_H_

#include "replays/fuzzing/fuzz_coverage.h"
#include "sim/pack_archive.h"
#include "sim/simulation.h"

namespace reprise::tools {

// Foreign are the events that the program itself tells every game of, and those
// of its systems that this one doesn't use, unless the pack declares or sends
// them, too. Regions are those of a pack of the world, and types for bodies
// alone those that it names nowhere else. `start` is of `pack`.
replays::FuzzCoverageScope CoverageScopeOf(const sim::PackArchive& pack,
                                           const sim::Simulation& start);

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_FUZZING_COVERAGE_SCOPE_H_
