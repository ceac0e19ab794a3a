// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What numbers in the state of a world stand for: its enumerations, the buttons
// of its actions, the properties of its components, the bodies of its types.

#ifndef REPRISE_SIM_WORLD_WORLD_LEGENDS_H_
#define REPRISE_SIM_WORLD_WORLD_LEGENDS_H_

#include <vector>

#include "sim/game_description.h"
#include "sim/world/definition/world_definition.h"

namespace reprise::sim {

// By room, table and field. A pack need not have all of these tables.
std::vector<Legend> WorldLegends(const WorldDefinition& definition);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_WORLD_WORLD_LEGENDS_H_
