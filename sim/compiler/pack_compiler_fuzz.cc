// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Whatever stands in a manifest, compiling it ends in a world that steps or in
// a report, and never in a crash.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "sim/base/check.h"
#include "sim/compiler/pack_compiler.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  namespace sim = reprise::sim;
  sim::PackArchive pack;
  const std::string manifest(reinterpret_cast<const char*>(data), size);
  CHECK(pack.Add(std::string(sim::kPackManifestPath), manifest).ok());
  absl::StatusOr<std::unique_ptr<sim::Simulation>> world =
      sim::CreateWorld(pack, /*seed=*/1);
  if (!world.ok()) {
    CHECK(world.status().code() == absl::StatusCode::kInvalidArgument);
    return 0;
  }
  // A large world costs time and shows nothing that a small one doesn't.
  constexpr uint32_t kRowsMax = 200;
  const sim::State& state = (*world)->state();
  for (uint32_t i = 0; i < state.table_count(); ++i) {
    if (state.table({i}).row_count() > kRowsMax) return 0;
  }
  for (int tick = 0; tick < 3; ++tick) (*world)->Step({}, nullptr);
  return 0;
}
