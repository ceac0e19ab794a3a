// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The exit codes of the command. They are an interface: scripts and CI branch
// on them, and none changes its meaning.

#ifndef REPRISE_TOOLS_REPRISE_TERMINAL_EXIT_CODE_H_
#define REPRISE_TOOLS_REPRISE_TERMINAL_EXIT_CODE_H_

#include "absl/status/status.h"

namespace reprise::tools {

enum class ExitCode : int {
  kOk = 0,
  // Two runs differ, a game is lost, an expectation failed, or nothing was
  // checked.
  kDifferent = 1,
  // A wrong command line, or input that is malformed.
  kBadInput = 2,
  // A file, pack, replay or simulation is not there.
  kMissing = 3,
  // The simulation crashed or hung.
  kCrashed = 4,
  // The machine or the server failed: disk, permission, network, port.
  kInfrastructure = 5,
  // What `git bisect run` takes for "this revision can't be tested".
  kUntestable = 125,
};

// The code that a verb which failed with `status` ends with.
ExitCode ExitCodeOf(const absl::Status& status);

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_TERMINAL_EXIT_CODE_H_
