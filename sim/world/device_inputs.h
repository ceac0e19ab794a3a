// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What players give at a tick, as it enters the world: held devices, commands
// that become events, and buttons of the game's clock.

#ifndef REPRISE_SIM_WORLD_DEVICE_INPUTS_H_
#define REPRISE_SIM_WORLD_DEVICE_INPUTS_H_

#include <span>

#include "sim/input/input_frame.h"
#include "sim/world/objects/world_parts.h"

namespace reprise::sim {

// Takes the frames of a tick; a player without one holds the device as it was.
// Commands wait for the next step of the game, but those that a system takes.
// REQUIRES: the frames are valid.
void TakeInputs(const WorldParts& parts, std::span<const InputFrame> frames);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_WORLD_DEVICE_INPUTS_H_
