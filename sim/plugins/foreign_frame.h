// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The objects that a plug-in draws, as a frame.

#ifndef REPRISE_SIM_PLUGINS_FOREIGN_FRAME_H_
#define REPRISE_SIM_PLUGINS_FOREIGN_FRAME_H_

#include "absl/status/status.h"
#include "include/reprise/simulation.h"
#include "sim/base/tick.h"
#include "sim/frame.h"

namespace reprise::sim {

struct ForeignFrame {
  Frame frame;          // objects that can't be are left out
  absl::Status status;  // ABORTED: as CallForeign; `frame` is what came before
};

// What `calls` draw of a simulation.
ForeignFrame TakeForeignFrame(const reprise_plugin& calls,
                              const reprise_simulation* foreign, Tick tick);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PLUGINS_FOREIGN_FRAME_H_
