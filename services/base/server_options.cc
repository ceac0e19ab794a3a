// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/base/server_options.h"

#include <string>

#include "sim/compiler/manifest.h"

namespace reprise::services {

absl::StatusOr<std::unique_ptr<sim::Simulation>> CreateNamedSimulation(
    const sim::PackArchive& pack, uint64_t seed) {
  const absl::StatusOr<std::string> name = sim::SimulationOf(pack);
  if (!name.ok()) return name.status();
  return sim::CreateSimulation(*name, pack, seed);
}

}  // namespace reprise::services
