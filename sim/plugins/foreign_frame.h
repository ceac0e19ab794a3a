// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The objects that a plug-in draws, as a frame.

#ifndef REPRISE_SIM_PLUGINS_FOREIGN_FRAME_H_
#define REPRISE_SIM_PLUGINS_FOREIGN_FRAME_H_

#include "include/reprise/simulation.h"
#include "sim/base/tick.h"
#include "sim/frame.h"

namespace reprise::sim {

// What `calls` draw of a simulation; objects that can't be are left out.
Frame TakeForeignFrame(const reprise_plugin& calls,
                       const reprise_simulation* foreign, Tick tick);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PLUGINS_FOREIGN_FRAME_H_
