// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What one tick changes, as people and programs read it. As JSON it is also how
// one build tells another what it makes of a tick.

#ifndef REPRISE_TOOLS_REPRISE_DIFFERENCES_TICK_CHANGES_OUTPUT_H_
#define REPRISE_TOOLS_REPRISE_DIFFERENCES_TICK_CHANGES_OUTPUT_H_

#include <string>

#include "replays/comparing/tick_changes.h"
#include "sim/simulation.h"
#include "tools/reprise/terminal/json_output.h"

namespace reprise::tools {

// A line a phase, and below it a line a change. With `object`, only the changes
// of rows whose key names it. `simulation` is the one that was watched.
std::string FormatTickChanges(const replays::TickChanges& changes,
                              const sim::Simulation& simulation,
                              const std::string& object);

// The same as an array of phases, each {"phase", "digest", "changes"}; a change
// is {"room", "table", "object", "is_object", "field", "is_double", "unit",
// "before", "after", "writer"}: values as text that gives every bit back, and
// null where the row isn't there.
Json TickChangesToJson(const replays::TickChanges& changes,
                       const sim::Simulation& simulation,
                       const std::string& object);

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_DIFFERENCES_TICK_CHANGES_OUTPUT_H_
