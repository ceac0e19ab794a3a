// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Runs a program as a shell does, and keeps what it wrote.

#ifndef REPRISE_TESTS_COMMAND_COMMAND_RUNNER_H_
#define REPRISE_TESTS_COMMAND_COMMAND_RUNNER_H_

#include <string>
#include <vector>

namespace reprise::tests {

struct CommandResult {
  int exit_code = 0;  // 128 + the signal, where one ended it
  std::string out;
  std::string err;
};

// Runs `words` to its end, in the working folder of the test.
CommandResult RunCommand(const std::vector<std::string>& words);

// The bytes of a file; empty where there is none.
std::string ReadFileBytes(const std::string& path);

void WriteFileBytes(const std::string& path, const std::string& bytes);

// A path in a folder of this test run's own.
std::string TemporaryPath(const std::string& name);

}  // namespace reprise::tests

#endif  // REPRISE_TESTS_COMMAND_COMMAND_RUNNER_H_
