// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Runs another program to its end and keeps what it prints.

#ifndef REPRISE_TOOLS_REPRISE_TERMINAL_CHILD_PROGRAM_H_
#define REPRISE_TOOLS_REPRISE_TERMINAL_CHILD_PROGRAM_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace reprise::tools {

// This very program.
inline constexpr char kThisProgram[] = "/proc/self/exe";

struct ProgramResult {
  int exit_code = 0;  // 128 and the signal, where one ended it
  std::string out;
  std::string err;
};

// Runs `program` with `arguments`, without standard input; it dies with this
// process. NOT_FOUND: there is no such program, or it can't be run;
// RESOURCE_EXHAUSTED: it prints more than 1 GiB; UNAVAILABLE: the system gives
// no process or pipe. REQUIRES: this process has one thread.
absl::StatusOr<ProgramResult> RunProgram(
    const std::string& program, const std::vector<std::string>& arguments);

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_TERMINAL_CHILD_PROGRAM_H_
