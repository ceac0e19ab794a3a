// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Fuzzes queries, for crashes and for work without bound. What parses is put to
// a few ticks of the tiny simulation, with every aim that takes it; no answer
// is NaN. The language itself is fuzzed by expression_fuzz.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "absl/status/statusor.h"
#include "replays/query/query_search.h"
#include "replays/testing/tiny_recording.h"
#include "replays/testing/tiny_simulation.h"
#include "sim/base/check.h"
#include "sim/expression/value.h"

namespace reprise::replays {
namespace {

constexpr sim::Tick kTicksAsked = 3;
constexpr uint64_t kLimit = 4;

void Ask(const Query& query, QueryAim aim, sim::Simulation& simulation) {
  QuerySearch search(&query, aim, kLimit);
  RestlessInputs inputs;
  while (search.Look(simulation, simulation.DrainEvents()) &&
         simulation.tick() < kTicksAsked) {
    simulation.Step(*inputs.FramesAt(simulation.tick()), nullptr);
  }
  const QueryFindings& findings = search.findings();
  CHECK(findings.matches.size() <= kLimit && findings.changes.size() <= kLimit);
  if (findings.extreme) {
    CHECK(sim::CompareNumbers(findings.extreme->value,
                              findings.extreme->value) == 0);
  }
}

void ParseAndAsk(std::string_view text) {
  const std::unique_ptr<sim::Simulation> simulation = MakeTiny();
  const absl::StatusOr<Query> query = Query::Parse(text, *simulation);
  if (!query.ok()) return;
  for (const QueryAim aim :
       {QueryAim::kTicks, QueryAim::kFirst, QueryAim::kCount,
        QueryAim::kMinimum, QueryAim::kMaximum, QueryAim::kChanges}) {
    if (!QuerySearch::CheckAim(*query, aim).ok()) continue;
    Ask(*query, aim, *simulation->Fork());
  }
}

}  // namespace
}  // namespace reprise::replays

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  reprise::replays::ParseAndAsk({reinterpret_cast<const char*>(data), size});
  return 0;
}
