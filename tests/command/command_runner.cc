// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tests/command/command_runner.h"

#include <sys/wait.h>

#include <cstdlib>
#include <fstream>
#include <iterator>

#include "gtest/gtest.h"
#include "tools/reprise/terminal/console.h"

namespace reprise::tests {

CommandResult RunCommand(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) line += tools::ShellQuote(word) + " ";
  const std::string out = TemporaryPath("stdout");
  const std::string err = TemporaryPath("stderr");
  line += ">" + tools::ShellQuote(out) + " 2>" + tools::ShellQuote(err);
  const int status = std::system(line.c_str());
  return {.exit_code =
              WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
          .out = ReadFileBytes(out),
          .err = ReadFileBytes(err)};
}

std::string ReadFileBytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void WriteFileBytes(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

std::string TemporaryPath(const std::string& name) {
  return testing::TempDir() + name;
}

}  // namespace reprise::tests
