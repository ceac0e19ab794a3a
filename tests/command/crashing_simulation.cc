// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A simulation that breaks a promise as soon as it is created.

#include <cstdint>
#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "sim/base/check.h"
#include "sim/pack_archive.h"
#include "sim/simulation.h"
#include "sim/simulation_registry.h"

namespace reprise::tests {
namespace {

absl::StatusOr<std::unique_ptr<sim::Simulation>> Crash(
    const sim::PackArchive& pack, uint64_t) {
  // Every pack has a manifest.
  CHECK(pack.files().empty(), "this simulation always crashes");
  return absl::UnimplementedError("not reached");
}

REPRISE_REGISTER_SIMULATION(crashing, "crashing", &Crash);

}  // namespace
}  // namespace reprise::tests
