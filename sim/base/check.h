// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Checks of promises made inside the program. A check is always on, in every
// build, and a failed one ends the process: nothing that comes from outside
// may ever reach one (outside input gets an absl::Status).

#ifndef REPRISE_SIM_BASE_CHECK_H_
#define REPRISE_SIM_BASE_CHECK_H_

#include <string>

#include "fmt/format.h"

namespace reprise::sim {

// Writes "file:line: CHECK failed: condition: message" to stderr and aborts.
[[noreturn]] void FailCheck(const char* file, int line, const char* condition,
                            const std::string& message);

}  // namespace reprise::sim

// One condition each. The optional arguments are a fmt format and its values:
//   CHECK(row < size_, "row {} of {}", row, size_);
#define CHECK(condition, ...)                                   \
  do {                                                          \
    if (!(condition)) [[unlikely]] {                            \
      ::reprise::sim::FailCheck(__FILE__, __LINE__, #condition, \
                                ::fmt::format("" __VA_ARGS__)); \
    }                                                           \
  } while (false)

// For hot loops where a CHECK was measured to cost; absent in optimised builds.
#ifdef NDEBUG
#define DCHECK(condition, ...) static_cast<void>(sizeof(condition))
#else
#define DCHECK(condition, ...) CHECK(condition, ##__VA_ARGS__)
#endif

#endif  // REPRISE_SIM_BASE_CHECK_H_
