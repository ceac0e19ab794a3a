// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/base/check.h"

#include <cstdio>
#include <cstdlib>
#include <string>

namespace reprise::sim {

void FailCheck(const char* file, int line, const char* condition,
               const std::string& message) {
  std::fprintf(stderr, "%s:%d: CHECK failed: %s%s%s\n", file, line, condition,
               message.empty() ? "" : ": ", message.c_str());
  std::abort();
}

}  // namespace reprise::sim
