// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Fuzzes what scripts may call: whatever a script calls with whatever it has,
// the world goes on, its rows are those of a world, and a snapshot of any tick
// goes on as it did.

#include <cstddef>
#include <cstdint>

#include "tests/world/script_api_programs.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size > 1024) return 0;
  reprise::sim::PlayApiProgram(reprise::sim::ApiProgramOf({data, size}));
  return 0;
}
