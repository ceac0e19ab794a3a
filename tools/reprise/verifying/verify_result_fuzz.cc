// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Fuzzes results of verifications as JSON, which the cache of `reprise verify`
// keeps and its processes tell, for crashes. What is read comes back the same
// from what is written of it.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "absl/status/statusor.h"
#include "sim/base/check.h"
#include "tools/reprise/terminal/json_output.h"
#include "tools/reprise/verifying/verify_result.h"

namespace reprise::tools {
namespace {

void Check(std::string_view text) {
  const Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (json.is_discarded()) return;
  const absl::StatusOr<VerifyResult> result = ParseVerifyResult(json);
  if (!result.ok()) return;
  const Json written = ToJson(*result);
  const absl::StatusOr<VerifyResult> again = ParseVerifyResult(written);
  CHECK(again.ok(), "{}", again.status().ToString());
  CHECK(ToJson(*again) == written);
}

}  // namespace
}  // namespace reprise::tools

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  reprise::tools::Check({reinterpret_cast<const char*>(data), size});
  return 0;
}
