// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/testing/tiny_simulation.h"
#include "sim/simulation_registry.h"

namespace reprise::replays {

REPRISE_REGISTER_SIMULATION(tiny, kTinySimulationName, &TinySimulation::Create);

}  // namespace reprise::replays
