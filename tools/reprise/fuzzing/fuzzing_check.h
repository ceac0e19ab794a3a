// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Checks the expressions of a pack's `fuzzing`, which the search alone reads.

#ifndef REPRISE_TOOLS_REPRISE_FUZZING_FUZZING_CHECK_H_
#define REPRISE_TOOLS_REPRISE_FUZZING_FUZZING_CHECK_H_

#include "sim/compiler/checking/pack_report.h"
#include "sim/pack_archive.h"

namespace reprise::tools {

// Adds what is wrong with them to `report`, at their places. REQUIRES: `pack`
// compiles as a world.
void CheckFuzzing(const sim::PackArchive& pack, sim::PackReport& report);

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_FUZZING_FUZZING_CHECK_H_
