// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Whether what a plug-in says of what a step didn't change is so: what it says
// is left out of the state, so that a change there is lost without a word.

#ifndef REPRISE_TOOLS_REPRISE_CONFORMING_HIDDEN_CHANGE_H_
#define REPRISE_TOOLS_REPRISE_CONFORMING_HIDDEN_CHANGE_H_

#include <optional>
#include <span>

#include "absl/status/statusor.h"
#include "replays/conforming/conformance.h"
#include "sim/state/state.h"

namespace reprise::tools {

inline constexpr replays::ConformanceCheck kHiddenChangeCheck = {
    .name = "unchanged",
    .claim = "what a plug-in says that a step didn't change",
    .cause = "a write that isn't within changed_begin and changed_end"};

// Looks at everything after each step of a run from the first tick on, then
// after a step from each of `states`, which are those before each tick of
// `inputs`: what was restored isn't what was asked for last. A step or a
// restore that fails ends it, and is for other checks to tell.
// FAILED_PRECONDITION where the simulation is no plug-in's; other errors are
// `create`'s.
absl::StatusOr<std::optional<replays::ConformanceFailure>> FindHiddenChange(
    const replays::SimulationMaker& create,
    const replays::ConformanceInputs& inputs,
    std::span<const sim::State> states,
    const replays::ConformanceRun::OnTick& on_tick);

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_CONFORMING_HIDDEN_CHANGE_H_
