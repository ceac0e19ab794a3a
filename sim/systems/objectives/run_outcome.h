// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// How a run ends: once, by whoever decides it first.

#ifndef REPRISE_SIM_SYSTEMS_OBJECTIVES_RUN_OUTCOME_H_
#define REPRISE_SIM_SYSTEMS_OBJECTIVES_RUN_OUTCOME_H_

#include <vector>

#include "sim/base/id.h"
#include "sim/base/object_id.h"
#include "sim/event.h"
#include "sim/simulation.h"
#include "sim/world/objects/world_parts.h"

namespace reprise::sim {

struct Decision {
  Outcome::Status outcome = Outcome::Status::kWon;
  // A text that the pack's table of names knows; kNoId: the name of `by`.
  Id reason;
  ObjectId by = kNoObject;  // the object that decided, if one did
};

// Ends the run and tells so with `arguments`. Nothing happens where it is
// decided already. REQUIRES: the outcome isn't kRunning.
void DecideRun(const WorldParts& parts, const Decision& decision,
               std::vector<EventArgument> arguments);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_OBJECTIVES_RUN_OUTCOME_H_
