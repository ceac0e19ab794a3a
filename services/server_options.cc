// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/server_options.h"

#include <cstdio>

#include "fmt/format.h"

namespace reprise::services {

void ReportToStandardError(std::string_view sentence) {
  fmt::print(stderr, "reprise: {}\n", sentence);
}

}  // namespace reprise::services
