// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/plugins/plugin_registration.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>

#include "absl/status/statusor.h"
#include "fmt/format.h"
#include "sim/plugins/plugin.h"
#include "sim/plugins/plugin_simulation.h"
#include "sim/simulation_registry.h"

namespace reprise::sim {

absl::Status RegisterPlugins(const std::vector<std::string>& paths) {
  for (const std::string& path : paths) {
    absl::StatusOr<Plugin> loaded = LoadPlugin(path);
    if (!loaded.ok()) return loaded.status();
    const std::vector<std::string> names = SimulationNames();
    if (std::ranges::find(names, loaded->name) != names.end()) {
      return absl::AlreadyExistsError(fmt::format(
          "{}: there is a simulation '{}' already", path, loaded->name));
    }
    const auto plugin = std::make_shared<const Plugin>(*std::move(loaded));
    RegisterSimulation(plugin->name,
                       [plugin](const PackArchive& pack, uint64_t seed) {
                         return PluginSimulation::Create(plugin, pack, seed);
                       });
  }
  return absl::OkStatus();
}

}  // namespace reprise::sim
