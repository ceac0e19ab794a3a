// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Fuzzes baselines of `reprise bench`, for crashes. What is read comes back the
// same from what is written of it.

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "sim/base/check.h"
#include "tools/reprise/benchmarking/bench_baseline.h"

namespace reprise::tools {
namespace {

void Check(const std::string& text) {
  const absl::StatusOr<BenchBaseline> baseline = ParseBaseline(text, "fuzz");
  if (!baseline.ok()) return;
  const std::string written = FormatBaseline(*baseline);
  const absl::StatusOr<BenchBaseline> again = ParseBaseline(written, "again");
  CHECK(again.ok(), "{}", again.status().ToString());
  CHECK(*again == *baseline, "{}", written);
}

}  // namespace
}  // namespace reprise::tools

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  reprise::tools::Check(std::string(reinterpret_cast<const char*>(data), size));
  return 0;
}
