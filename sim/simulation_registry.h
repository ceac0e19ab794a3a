// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The simulations that a binary knows, by name. A replay's header and a pack's
// manifest name the one they need.

#ifndef REPRISE_SIM_SIMULATION_REGISTRY_H_
#define REPRISE_SIM_SIMULATION_REGISTRY_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "sim/pack_archive.h"
#include "sim/simulation.h"

namespace reprise::sim {

// Loads a pack: state(0). INVALID_ARGUMENT with file, line and field for every
// mistake in the pack, one a line.
using SimulationFactory =
    std::function<absl::StatusOr<std::unique_ptr<Simulation>>(
        const PackArchive& pack, uint64_t seed)>;

// Makes `factory` known as `name` to the whole binary. REQUIRES: there is one
// thread, as before main, where REPRISE_REGISTER_SIMULATION calls it; no other
// has the name.
bool RegisterSimulation(std::string_view name, SimulationFactory factory);

// At namespace scope of a library linked with alwayslink:
//   REPRISE_REGISTER_SIMULATION(my_game, "my_game", &MyGame::Create);
#define REPRISE_REGISTER_SIMULATION(token, name, factory)         \
  [[maybe_unused]] static const bool reprise_registered_##token = \
      ::reprise::sim::RegisterSimulation(name, factory)

// A simulation of `pack` by the factory `name`. NOT_FOUND lists the names there
// are; other errors are the factory's.
absl::StatusOr<std::unique_ptr<Simulation>> CreateSimulation(
    std::string_view name, const PackArchive& pack, uint64_t seed);

// All names, in order.
std::vector<std::string> SimulationNames();

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SIMULATION_REGISTRY_H_
