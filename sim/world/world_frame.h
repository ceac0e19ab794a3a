// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Turns the state of a world into what a renderer draws.

#ifndef REPRISE_SIM_WORLD_WORLD_FRAME_H_
#define REPRISE_SIM_WORLD_WORLD_FRAME_H_

#include "sim/base/table.h"
#include "sim/base/tick.h"
#include "sim/frame.h"
#include "sim/world/world_definition.h"

namespace reprise::sim {

// The frame of `tick`, with a row of `bodies` (BodyRow) for each body of the
// definition.
Frame MakeWorldFrame(const WorldDefinition& definition, const Table& bodies,
                     Tick tick);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_WORLD_WORLD_FRAME_H_
