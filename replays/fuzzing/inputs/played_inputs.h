// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A run as what players gave in it: what a search finds, a corpus keeps and
// minimizing makes short.

#ifndef REPRISE_REPLAYS_FUZZING_INPUTS_PLAYED_INPUTS_H_
#define REPRISE_REPLAYS_FUZZING_INPUTS_PLAYED_INPUTS_H_

#include <vector>

#include "replays/format/input_source.h"
#include "sim/base/tick.h"

namespace reprise::replays {

// A run from the start.
struct PlayedInputs {
  std::vector<TickInputs> ticks;
  sim::Tick tick_count = 0;

  friend bool operator==(const PlayedInputs&, const PlayedInputs&) = default;
};

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_FUZZING_INPUTS_PLAYED_INPUTS_H_
