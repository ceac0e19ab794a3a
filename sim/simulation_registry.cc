// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/simulation_registry.h"

#include <map>
#include <utility>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "sim/base/check.h"

namespace reprise::sim {
namespace {

using Registry = std::map<std::string, SimulationFactory, std::less<>>;

// Filled while there is one thread, read-only afterwards.
Registry& GlobalRegistry() {
  static Registry registry;
  return registry;
}

}  // namespace

bool RegisterSimulation(std::string_view name, SimulationFactory factory) {
  const bool is_new =
      GlobalRegistry().emplace(std::string(name), std::move(factory)).second;
  CHECK(is_new, "two simulations are called {}", name);
  return true;
}

absl::StatusOr<std::unique_ptr<Simulation>> CreateSimulation(
    std::string_view name, const PackArchive& pack, uint64_t seed) {
  const auto found = GlobalRegistry().find(name);
  if (found == GlobalRegistry().end()) {
    return absl::NotFoundError(
        fmt::format("this program has no simulation '{}'; it has {}, and "
                    "--plugin LIBRARY or $REPRISE_PLUGINS adds one",
                    name, fmt::join(SimulationNames(), ", ")));
  }
  return found->second(pack, seed);
}

std::vector<std::string> SimulationNames() {
  std::vector<std::string> names;
  for (const auto& [name, factory] : GlobalRegistry()) names.push_back(name);
  return names;
}

}  // namespace reprise::sim
