// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The objects that a plug-in draws, as a frame, and its own picture of them.

#ifndef REPRISE_SIM_PLUGINS_FOREIGN_FRAME_H_
#define REPRISE_SIM_PLUGINS_FOREIGN_FRAME_H_

#include <optional>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "include/reprise/simulation.h"
#include "sim/base/tick.h"
#include "sim/frame.h"

namespace reprise::sim {

struct ForeignFrame {
  Frame frame;          // objects that can't be are left out
  absl::Status status;  // ABORTED: as CallForeign; `frame` is what came before
};

// The objects that `calls` draw of a simulation.
ForeignFrame TakeForeignFrame(const reprise_plugin& calls,
                              const reprise_simulation* foreign, Tick tick);

// The picture that `calls` show of it; nullopt when they show none. ABORTED: as
// CallForeign; INVALID_ARGUMENT: a picture that can't be.
absl::StatusOr<std::optional<FramePicture>> TakeForeignPicture(
    const reprise_plugin& calls, const reprise_simulation* foreign);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PLUGINS_FOREIGN_FRAME_H_
