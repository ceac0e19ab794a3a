// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What a failed verification says to whoever reads it in CI: where it first
// differs, in words, and the commands that show it again.

#ifndef REPRISE_TOOLS_REPRISE_VERIFYING_VERIFY_FAILURE_H_
#define REPRISE_TOOLS_REPRISE_VERIFYING_VERIFY_FAILURE_H_

#include <functional>
#include <string>

#include "tools/reprise/verifying/verify_result.h"

namespace reprise::tools {

// The one line that gives a result again.
using Reproducer = std::function<std::string(const VerifyResult&)>;

// "first tick: 12", "phase: physics", "object: marble", "field:
// bodies.position.y" and "values: 1 | 2 [m]", a line each, as far as they are
// known; empty without a difference.
std::string FormatFirstDifference(const VerifyResult& result);

// The command that narrows the failure down; empty where there is none, as of
// a run that this build alone tells from its recording.
std::string DiffCommand(const VerifyResult& result);

// All of a failure: summary, report, first difference, both commands.
std::string FormatFailure(const VerifyResult& result,
                          const Reproducer& reproduction);

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_VERIFYING_VERIFY_FAILURE_H_
