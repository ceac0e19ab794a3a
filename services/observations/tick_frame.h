// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The frame of one tick, for all who want it: made when the first one asks,
// because it may take longer than the tick did.

#ifndef REPRISE_SERVICES_OBSERVATIONS_TICK_FRAME_H_
#define REPRISE_SERVICES_OBSERVATIONS_TICK_FRAME_H_

#include <optional>

#include "sim/frame.h"
#include "sim/simulation.h"

namespace reprise::services {

// Used by one thread at a time.
class TickFrame {
 public:
  // REQUIRES: `simulation` is the same, at the same tick, each time.
  const sim::Frame& Of(const sim::Simulation& simulation) {
    if (!frame_.has_value()) frame_ = simulation.ProduceFrame();
    return *frame_;
  }

 private:
  std::optional<sim::Frame> frame_;
};

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_OBSERVATIONS_TICK_FRAME_H_
