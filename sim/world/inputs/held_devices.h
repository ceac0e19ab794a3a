// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What players hold of their devices, from step to step of the game. What they
// do in a tick without a step waits: each press and release, each motion and
// each finger that comes or goes is found by exactly one step.

#ifndef REPRISE_SIM_WORLD_INPUTS_HELD_DEVICES_H_
#define REPRISE_SIM_WORLD_INPUTS_HELD_DEVICES_H_

#include <cstdint>

#include "sim/input/device_button.h"
#include "sim/input/input_frame.h"
#include "sim/state/state.h"
#include "sim/world/inputs/input_tables.h"

namespace reprise::sim {

// Goes on to the next step of the game with a player's frame and what waits;
// without a frame (null) what is held stays, and what was done before is over.
// REQUIRES: the frame is valid.
void TakeDevices(const InputTables& tables, uint32_t player,
                 const InputFrame* frame, State& state);

// Has a player's frame, of a tick in which the game makes no step, wait for the
// next one. REQUIRES: the frame is valid.
void GatherDevices(const InputTables& tables, uint32_t player,
                   const InputFrame& frame, State& state);

// Whether a player's last frame held a button, whatever steps have found.
// REQUIRES: an action of the pack is bound to it, as below.
bool HoldsByNow(const State& state, const InputTables& tables, uint32_t player,
                DeviceButton button);

// The same of one frame.
bool HoldsIn(const InputFrame& frame, DeviceButton button);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_WORLD_INPUTS_HELD_DEVICES_H_
