// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Expressions over the ticks of a replay, as a table of comma-separated values.

#ifndef REPRISE_TOOLS_REPRISE_REPORTS_PRINTED_EXPRESSIONS_H_
#define REPRISE_TOOLS_REPRISE_REPORTS_PRINTED_EXPRESSIONS_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "tools/reprise/inputs/shown_replay.h"
#include "tools/reprise/terminal/console.h"

namespace reprise::tools {

// Prints what `lists`, with commas between expressions, come to at the ticks
// that `frames` asks for. Errors are those of the file, and INVALID_ARGUMENT
// for an expression that is wrong.
absl::Status PrintExpressions(const std::string& path,
                              const std::vector<std::string>& lists,
                              const FrameFlags& frames, Console& console);

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_REPORTS_PRINTED_EXPRESSIONS_H_
