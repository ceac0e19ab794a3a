// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Searches in a process of its own, so that a game that crashes, hangs or eats
// all memory is one more finding, with the inputs that did it, and the search
// goes on.

#ifndef REPRISE_TOOLS_REPRISE_FUZZING_FUZZ_SUPERVISION_H_
#define REPRISE_TOOLS_REPRISE_FUZZING_FUZZ_SUPERVISION_H_

#include <functional>

#include "absl/status/statusor.h"
#include "sim/pack_archive.h"
#include "sim/simulation.h"
#include "tools/reprise/fuzzing/fuzz_session.h"
#include "tools/reprise/fuzzing/isolated_process.h"
#include "tools/reprise/terminal/console.h"
#include "tools/reprise/terminal/exit_code.h"

namespace reprise::tools {

// A whole search with these options, to the last thing that it prints.
using FuzzSearch =
    std::function<absl::StatusOr<ExitCode>(const FuzzSessionOptions& options)>;

// Calls `search` in another process, again where the game ended that, until it
// returns; what it returned. Each crash is told of on `console`, and kept in
// the corpus of `options` if it names one. `start` is at tick 0 and of `pack`.
// UNAVAILABLE: the system gives no process or memory, or the search itself
// crashes and not the game. REQUIRES: this process has one thread.
absl::StatusOr<ExitCode> SuperviseFuzzing(const sim::PackArchive& pack,
                                          const sim::Simulation& start,
                                          const FuzzSessionOptions& options,
                                          const ProcessLimits& limits,
                                          const FuzzSearch& search,
                                          Console& console);

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_FUZZING_FUZZ_SUPERVISION_H_
