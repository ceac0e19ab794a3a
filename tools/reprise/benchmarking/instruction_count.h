// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// How many instructions this program executes for a command line, counted by
// valgrind's callgrind: the load of the machine, its clock and its caches have
// no part in it.

#ifndef REPRISE_TOOLS_REPRISE_BENCHMARKING_INSTRUCTION_COUNT_H_
#define REPRISE_TOOLS_REPRISE_BENCHMARKING_INSTRUCTION_COUNT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace reprise::tools {

// The path of valgrind in $PATH; NOT_FOUND: there is none.
absl::StatusOr<std::string> FindValgrind();

// Runs this program with `arguments` in a process of its own, some fifty times
// slower than by itself. FAILED_PRECONDITION: it doesn't end well there; else
// the errors of RunProgram, whose requirement holds.
absl::StatusOr<uint64_t> CountInstructions(
    const std::string& valgrind, const std::vector<std::string>& arguments);

// The count in what callgrind says at its end: "==7== Collected : 123456".
std::optional<uint64_t> ParseInstructionCount(std::string_view text);

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_BENCHMARKING_INSTRUCTION_COUNT_H_
