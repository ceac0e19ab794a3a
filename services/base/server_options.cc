// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/base/server_options.h"

#include <unistd.h>

#include <string>

#include "fmt/format.h"
#include "sim/compiler/manifest.h"

namespace reprise::services {

void ReportToStandardError(std::string_view sentence) {
  // No stream of C or C++: what fails on a full disk must end nothing.
  const std::string line = fmt::format("reprise: {}\n", sentence);
  [[maybe_unused]] const ssize_t written =
      write(STDERR_FILENO, line.data(), line.size());
}

absl::StatusOr<std::unique_ptr<sim::Simulation>> CreateNamedSimulation(
    const sim::PackArchive& pack, uint64_t seed) {
  const absl::StatusOr<std::string> name = sim::SimulationOf(pack);
  if (!name.ok()) return name.status();
  return sim::CreateSimulation(*name, pack, seed);
}

}  // namespace reprise::services
