// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Gives a crash the exit code that scripts know, and says how to have it again.

#ifndef REPRISE_TOOLS_REPRISE_TERMINAL_CRASH_REPORT_H_
#define REPRISE_TOOLS_REPRISE_TERMINAL_CRASH_REPORT_H_

#include <string>

namespace reprise::tools {

// From now on a failed CHECK and the signals of a crash print on standard error
// which plug-in's call and tick it was, where it was one's, and `command_line`,
// and end the process with ExitCode::kCrashed; unless such a crash is caught
// (sim/plugins/foreign_call.h), which then has 20 seconds to end by itself.
// Signals that somebody handles already (a sanitizer, a debugger's runtime) are
// left alone. A call of `exit` that comes before ExpectExit() is a crash, too,
// whatever code it has: what the program was asked for isn't done.
void ReportCrashes(const std::string& command_line);

// From now on `exit` is the end of what the program was asked for.
void ExpectExit();

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_TERMINAL_CRASH_REPORT_H_
