// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What players hold of their devices, from tick to tick.

#ifndef REPRISE_SIM_WORLD_INPUTS_HELD_DEVICES_H_
#define REPRISE_SIM_WORLD_INPUTS_HELD_DEVICES_H_

#include <cstdint>

#include "sim/input/input_frame.h"
#include "sim/state/state.h"
#include "sim/world/inputs/input_tables.h"

namespace reprise::sim {

// Goes on to the next tick with a player's frame; without one (null) what is
// held stays, and what was done at the last tick is over. REQUIRES: the frame
// is valid.
void TakeDevices(const InputTables& tables, uint32_t player,
                 const InputFrame* frame, State& state);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_WORLD_INPUTS_HELD_DEVICES_H_
