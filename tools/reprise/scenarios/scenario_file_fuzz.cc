// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Fuzzes files of scenarios, for crashes and for work without bound. Each
// scenario that is read knows where it stands, and errors name its file.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "sim/base/check.h"
#include "tools/reprise/scenarios/scenario_file.h"

namespace reprise::tools {
namespace {

constexpr std::string_view kFile = "fuzz.txtpb";

void Check(std::string_view text) {
  const absl::StatusOr<std::vector<Scenario>> scenarios =
      ParseScenarios(text, std::string(kFile));
  if (!scenarios.ok()) {
    const std::string message(scenarios.status().message());
    CHECK(absl::IsInvalidArgument(scenarios.status()), "{}", message);
    CHECK(message.starts_with(kFile), "{}", message);
    return;
  }
  for (const Scenario& scenario : *scenarios) {
    const std::string place = scenario.PlaceOf({{"name"}});
    CHECK(place.starts_with(kFile), "{}", place);
  }
}

}  // namespace
}  // namespace reprise::tools

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  reprise::tools::Check({reinterpret_cast<const char*>(data), size});
  return 0;
}
