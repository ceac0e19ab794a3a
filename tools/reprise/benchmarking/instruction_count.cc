// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/benchmarking/instruction_count.h"

#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "absl/status/status.h"
#include "absl/strings/str_split.h"
#include "fmt/format.h"
#include "tools/reprise/terminal/child_program.h"

namespace reprise::tools {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kCollected = "Collected : ";

}  // namespace

absl::StatusOr<std::string> FindValgrind() {
  const char* const path = std::getenv("PATH");
  for (const std::string& folder : std::vector<std::string>(absl::StrSplit(
           path != nullptr ? path : "", ':', absl::SkipEmpty()))) {
    std::string program = folder + "/valgrind";
    if (access(program.c_str(), X_OK) == 0) return program;
  }
  return absl::NotFoundError("valgrind is not in $PATH");
}

absl::StatusOr<uint64_t> CountInstructions(
    const std::string& valgrind, const std::vector<std::string>& arguments) {
  // In valgrind's process, the link would name valgrind.
  std::error_code error;
  const fs::path program = fs::read_symlink(kThisProgram, error);
  if (error) {
    return absl::UnavailableError(
        fmt::format("{}: {}", kThisProgram, error.message()));
  }
  std::vector<std::string> words = {
      "--tool=callgrind", "--callgrind-out-file=/dev/null", program.string()};
  words.insert(words.end(), arguments.begin(), arguments.end());
  const absl::StatusOr<ProgramResult> result = RunProgram(valgrind, words);
  if (!result.ok()) return result.status();
  const std::optional<uint64_t> count = ParseInstructionCount(result->err);
  if (result->exit_code == 0 && count.has_value()) return *count;
  return absl::FailedPreconditionError(fmt::format(
      "under valgrind, exit code {}: {}", result->exit_code, result->err));
}

std::optional<uint64_t> ParseInstructionCount(std::string_view text) {
  // The program itself may have printed such a line before.
  const size_t found = text.rfind(kCollected);
  if (found == std::string_view::npos) return std::nullopt;
  const std::string_view rest = text.substr(found + kCollected.size());
  uint64_t count = 0;
  const auto [end, error] =
      std::from_chars(rest.data(), rest.data() + rest.size(), count);
  if (error != std::errc() || count == 0) return std::nullopt;
  return count;
}

}  // namespace reprise::tools
