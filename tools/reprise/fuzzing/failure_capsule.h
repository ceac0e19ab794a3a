// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The capsule of a failure that a corpus keeps: in one file the run up to it,
// the states before and behind the tick that shows it, and what was said. Where
// a run differs from one that was made beside it, that is the run as it was;
// otherwise both are the run that failed.

#ifndef REPRISE_TOOLS_REPRISE_FUZZING_FAILURE_CAPSULE_H_
#define REPRISE_TOOLS_REPRISE_FUZZING_FAILURE_CAPSULE_H_

#include <functional>
#include <string>

#include "absl/status/statusor.h"
#include "replays/fuzzing/checks/run_watch.h"
#include "replays/fuzzing/feedback/fuzz_rules.h"
#include "sim/simulation.h"

namespace reprise::tools {

// Where the capsule of the failure with this replay lies: under the same name
// in the folder `capsules` of the corpus.
std::string CapsulePathOf(const std::string& corpus, const std::string& replay);

// Keeps the capsule of `failure` in the folder `corpus`, in place of one of
// another length or of another state of the pack, and returns its path. The
// game is played for that; `on_progress` is called now and then; may be empty.
// `replay` is a file with the digest of each tick that ends where the failure
// shows; `start` is of its pack, at tick 0. FAILED_PRECONDITION: it shows
// before the first tick. Other errors are those of files.
absl::StatusOr<std::string> KeepFailureCapsule(
    const std::string& corpus, const std::string& replay,
    const replays::RunFailure& failure, const replays::FuzzRules& rules,
    const sim::Simulation& start,
    const std::function<void()>& on_progress = {});

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_FUZZING_FAILURE_CAPSULE_H_
