// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A world's description for whoever asks: what the program has built in, and
// what a pack makes of it. A function of the definition alone.

#ifndef REPRISE_SIM_WORLD_WORLD_DESCRIPTION_H_
#define REPRISE_SIM_WORLD_WORLD_DESCRIPTION_H_

#include "sim/game_description.h"
#include "sim/world/definition/world_definition.h"

namespace reprise::sim {

// All that can be said of a pack, `definition.description` left aside.
GameDescription DescribeWorld(const WorldDefinition& definition);

// What every pack has or can use: components, events and legends of the
// program. The built-in component of what breaks is among them.
GameDescription DescribeBuiltIns();

}  // namespace reprise::sim

#endif  // REPRISE_SIM_WORLD_WORLD_DESCRIPTION_H_
