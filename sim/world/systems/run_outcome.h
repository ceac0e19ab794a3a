// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// How a run ends: once, by whoever decides it first.

#ifndef REPRISE_SIM_WORLD_SYSTEMS_RUN_OUTCOME_H_
#define REPRISE_SIM_WORLD_SYSTEMS_RUN_OUTCOME_H_

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

// Ends the run. Returns false, and does nothing, where it is decided already.
// REQUIRES: the outcome isn't kRunning.
bool DecideRun(const WorldParts& parts, const Decision& decision);

// Tells the account of the run of a decision that was made in this tick, with
// `arguments`; to be called behind whatever tells what caused it.
void TellOutcome(const WorldParts& parts, const Decision& decision,
                 std::vector<EventArgument> arguments);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_WORLD_SYSTEMS_RUN_OUTCOME_H_
