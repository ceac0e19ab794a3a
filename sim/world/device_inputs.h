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
// Commands, texts and what is done with devices wait for the next step of the
// game, but commands that a system takes. REQUIRES: the frames are valid.
void TakeInputs(const WorldParts& parts, std::span<const InputFrame> frames);

// Goes on to another step of the same tick: what the first one found is over.
void GoOnWithInputs(const WorldParts& parts);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_WORLD_DEVICE_INPUTS_H_
