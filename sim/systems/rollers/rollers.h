// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Rollers: bodies that players push and have jump.

#ifndef REPRISE_SIM_SYSTEMS_ROLLERS_ROLLERS_H_
#define REPRISE_SIM_SYSTEMS_ROLLERS_ROLLERS_H_

#include "sim/world/objects/world_parts.h"

namespace reprise::sim {

// Pushes all that are active as the players' devices say, before physics. What
// jumps tells of it.
void RunRollers(const WorldParts& parts);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_ROLLERS_ROLLERS_H_
