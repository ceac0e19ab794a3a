// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Fuzzes the reading of exports of every format. What is read has a replay and
// states.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "replays/claims/export_claims.h"
#include "sim/base/check.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto claims = reprise::replays::ReadExportClaims(
      {reinterpret_cast<const char*>(data), size});
  if (!claims.ok()) return 0;
  CHECK(!claims->empty());
  for (const auto& run : *claims) CHECK(!run.states.empty());
  return 0;
}
